package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

//go:embed menu.json
var menuJSON []byte

//go:embed layout.html
var layoutHTML string

// assets are the files that pages need, besides the index for searching.
//
//go:embed site.css icon.svg site.js minisearch/minisearch.js minisearch/LICENSE.txt
var assets embed.FS

// fewest is how many sections a page has at least whose contents are listed at its side.
const fewest = 3

var layout = template.Must(template.New("layout").Parse(layoutHTML))

// rootPages are those in the root of the repository, by the names that they have in the site.
var rootPages = map[string]string{"README.md": "index", "CHANGELOG.md": "changelog", "CONTRIBUTING.md": "contributing", "SECURITY.md": "security"}

// site is all pages, by their names: paths without .html.
type site struct {
	pages                  map[string]*page
	menu                   []group
	repository, playground string
	source                 fs.FS
	pictures               map[string]bool // files of the repository that pages show
	markdown               goldmark.Markdown
}

// group is a part of the menu.
type group struct {
	Title string   `json:"title"`
	Pages []string `json:"pages"`
}

// page is a page, read and parsed.
type page struct {
	name, file string // file is in the repository
	title      string
	source     []byte
	tree       ast.Node
	anchors    map[string]bool // of headings, and of places that were given a name
	contents   []section
}

// section is a part of a page that its table of contents lists.
type section struct{ Title, Anchor string }

// load reads the pages of a repository.
func load(repository fs.FS) (*site, error) {
	mlir, err := readGrammar(repository)
	if err != nil {
		return nil, err
	}
	s := &site{pages: map[string]*page{}, source: repository, pictures: map[string]bool{}}
	s.markdown = goldmark.New(
		goldmark.WithExtensions(extension.GFM, extension.NewTypographer(extension.WithTypographicSubstitutions(
			// The two hyphens of flags stay two.
			map[extension.TypographicPunctuation][]byte{extension.EnDash: []byte("--"), extension.EmDash: []byte("---")}))),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(highlighter{mlir}, 100), util.Prioritized(figures{s}, 100))),
	)
	if err := s.readMenu(); err != nil {
		return nil, err
	}
	for file, name := range rootPages {
		if err := s.add(repository, file, name); err != nil {
			return nil, err
		}
	}
	err = fs.WalkDir(repository, "docs", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(file) != ".md" {
			return err
		}
		return s.add(repository, file, strings.TrimSuffix(strings.TrimPrefix(file, "docs/"), ".md"))
	})
	if err != nil {
		return nil, err
	}
	return s, s.checkMenu()
}

// readMenu reads menu.json.
func (s *site) readMenu() error {
	if err := json.Unmarshal(menuJSON, &s.menu); err != nil {
		return fmt.Errorf("menu.json: %w", err)
	}
	return nil
}

// add reads a page.
func (s *site) add(repository fs.FS, file, name string) error {
	source, err := fs.ReadFile(repository, file)
	if err != nil {
		return err
	}
	p := &page{name: name, file: file, source: source, anchors: map[string]bool{}}
	p.tree = s.markdown.Parser().Parse(text.NewReader(source), parser.WithContext(parser.NewContext(parser.WithIDs(&anchors{used: map[string]bool{}}))))
	for n := p.tree.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok {
			continue
		}
		if id, ok := h.AttributeString("id"); ok {
			anchor := string(id.([]byte))
			p.anchors[anchor] = true
			if h.Level == 2 {
				p.contents = append(p.contents, section{plain(h, source), anchor})
			}
		}
		if p.title == "" && h.Level == 1 {
			p.title = plain(h, source)
		}
	}
	named(p.tree, source, func(anchor string) { p.anchors[anchor] = true })
	s.pages[name] = p
	return nil
}

// plain is the text in a node, code included, with spaces between what stands apart.
func plain(n ast.Node, source []byte) string {
	var out strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			if n.Type() == ast.TypeBlock {
				out.WriteByte(' ')
			}
			return ast.WalkContinue, nil
		}
		switch t := n.(type) {
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			for i := range t.Lines().Len() {
				line := t.Lines().At(i)
				out.Write(line.Value(source))
			}
		case *ast.Text:
			out.Write(t.Value(source))
			if t.SoftLineBreak() || t.HardLineBreak() {
				out.WriteByte(' ')
			}
		case *ast.String:
			out.WriteString(html.UnescapeString(string(t.Value))) // typographic marks are entities
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(out.String())
}

// checkMenu demands that the menu has each page once, and no others.
func (s *site) checkMenu() error {
	var errs []error
	listed := map[string]bool{"index": true}
	for _, g := range s.menu {
		for _, name := range g.Pages {
			if s.pages[name] == nil {
				errs = append(errs, fmt.Errorf("the menu has a page %s, which isn't there", name))
			}
			if listed[name] {
				errs = append(errs, fmt.Errorf("the menu has the page %s twice", name))
			}
			listed[name] = true
		}
	}
	for _, name := range s.names() {
		if !listed[name] {
			errs = append(errs, fmt.Errorf("%s is not in the menu", s.pages[name].file))
		}
	}
	return errors.Join(errs...)
}

// names lists the pages in order.
func (s *site) names() []string {
	var out []string
	for name := range s.pages {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// write writes the site into a folder, of which nothing else is left.
func (s *site) write(folder string) error {
	files := map[string][]byte{}
	var errs []error
	for _, name := range s.names() {
		out, err := s.render(s.pages[name])
		errs = append(errs, err)
		files[name+".html"] = out
	}
	for name := range s.pictures {
		data, err := fs.ReadFile(s.source, "docs/"+name)
		errs = append(errs, err)
		files[name] = data
	}
	errs = append(errs, fs.WalkDir(assets, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files[name], err = assets.ReadFile(name)
		}
		return err
	}))
	search, err := s.searchFile()
	errs = append(errs, err)
	files["search-index.js"] = search
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	for name, data := range files {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// item is a page in the menu, as seen from another one.
type item struct {
	Title, Place string
	Current      bool
}

// render makes the page.
func (s *site) render(p *page) ([]byte, error) {
	if err := s.resolve(p); err != nil {
		return nil, err
	}
	var content bytes.Buffer
	if err := s.markdown.Renderer().Render(&content, p.source, p.tree); err != nil {
		return nil, err
	}
	type part struct {
		Title string
		Items []item
	}
	var menu []part
	for _, g := range s.menu {
		m := part{Title: g.Title}
		for _, name := range g.Pages {
			m.Items = append(m.Items, item{s.pages[name].title, p.to(name + ".html"), name == p.name})
		}
		menu = append(menu, m)
	}
	playground := s.playground
	if playground != "" && !strings.Contains(playground, "://") {
		playground = p.to(playground)
	}
	chapter := ""
	if playground != "" && strings.HasPrefix(p.name, "tutorial/") {
		chapter = strings.TrimSuffix(playground, "index.html") + "#open=" + path.Base(p.file)
	}
	contents := p.contents
	if len(contents) < fewest {
		contents = nil
	}
	var out bytes.Buffer
	err := layout.Execute(&out, map[string]any{
		"Title": p.title, "CSS": p.to("site.css"), "Icon": p.to("icon.svg"), "Script": p.to("site.js"), "Contents": contents, "Chapter": chapter, "Home": item{"freehold", p.to("index.html"), p.name == "index"},
		"Playground": playground, "Menu": menu, "Content": template.HTML(content.String()),
	})
	return out.Bytes(), err
}

// to is a file of the site as a link from the page.
func (p *page) to(file string) string {
	return strings.Repeat("../", strings.Count(p.name, "/")) + file
}
