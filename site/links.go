package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// resolve makes links between files of the repository links of the site. What leads nowhere is an error.
func (s *site) resolve(p *page) error {
	var links []*ast.Link
	var pictures []*ast.Image
	_ = ast.Walk(p.tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if l, ok := n.(*ast.Link); ok && entering {
			links = append(links, l)
		}
		if i, ok := n.(*ast.Image); ok && entering {
			pictures = append(pictures, i)
		}
		return ast.WalkContinue, nil
	})
	var errs []error
	for _, i := range pictures {
		file, err := s.picture(p, string(i.Destination))
		errs = append(errs, err)
		i.Destination = []byte(p.to(file))
	}
	for _, l := range links {
		link := string(l.Destination)
		to, err := s.place(p, link)
		errs = append(errs, err)
		s.entitle(p, l, link)
		if l.Destination = []byte(to); to == "" {
			unlink(l)
		}
	}
	return errors.Join(errs...)
}

// picture returns the file in the site of a picture of a page, which is to be written.
func (s *site) picture(p *page, link string) (string, error) {
	in := path.Join(path.Dir(p.file), link)
	file, inDocs := strings.CutPrefix(in, "docs/")
	if _, err := fs.Stat(s.source, in); err != nil || !inDocs {
		return "", fmt.Errorf("%s: the picture %s isn't in docs", p.file, link)
	}
	s.pictures[file] = true
	if _, err := fs.Stat(s.source, darkOf(in)); err == nil {
		s.pictures[darkOf(file)] = true
	}
	return file, nil
}

// place returns where a link of a page leads in the site; "" if that isn't anywhere.
func (s *site) place(p *page, link string) (string, error) {
	u, err := url.Parse(link)
	if err != nil {
		return "", fmt.Errorf("%s: %w", p.file, err)
	}
	if u.IsAbs() || u.Host != "" {
		return link, nil
	}
	to := p
	if u.Path != "" {
		file := path.Join(path.Dir(p.file), u.Path)
		if to = s.pageOf(file); to == nil {
			switch {
			case strings.HasPrefix(file, "docs/"):
				return "", fmt.Errorf("%s: the link %s leads nowhere", p.file, link)
			case s.repository == "":
				return "", nil
			}
			return s.repository + file, nil
		}
	}
	if u.Fragment != "" && !to.anchors[u.Fragment] {
		return "", fmt.Errorf("%s: %s has no heading %s", p.file, to.file, u.Fragment)
	}
	out := ""
	if u.Path != "" {
		out = p.to(to.name + ".html")
	}
	if u.Fragment != "" {
		out += "#" + u.Fragment
	}
	return out, nil
}

// pageOf returns the page that is made of a file; nil if none is.
func (s *site) pageOf(file string) *page {
	if name, ok := rootPages[file]; ok {
		return s.pages[name]
	}
	if name, ok := strings.CutPrefix(file, "docs/"); ok {
		return s.pages[strings.TrimSuffix(name, ".md")]
	}
	return nil
}

// entitle gives a link whose text is the file that it leads to the title of the page.
func (s *site) entitle(p *page, l *ast.Link, link string) {
	file, _, _ := strings.Cut(link, "#")
	to := s.pageOf(path.Join(path.Dir(p.file), file))
	if to == nil || to.title == "" || plain(l, p.source) != file {
		return
	}
	l.RemoveChildren(l)
	l.AppendChild(l, ast.NewString([]byte(to.title)))
}

// unlink leaves of a link its text.
func unlink(l *ast.Link) {
	parent := l.Parent()
	for c := l.FirstChild(); c != nil; {
		next := c.NextSibling()
		parent.InsertBefore(parent, l, c)
		c = next
	}
	parent.RemoveChild(parent, l)
}
