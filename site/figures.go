package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"html"
	"image/png"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// figures renders pictures, and the names that places of a text have; all other HTML is left out.
type figures struct{ s *site }

// RegisterFuncs implements renderer.NodeRenderer.
func (f figures) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindImage, f.picture)
	r.Register(ast.KindRawHTML, f.place)
}

// picture writes a picture, and the one for dark pages, if there is one: NAME-dark.png.
func (f figures) picture(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	to := string(n.(*ast.Image).Destination)
	file := strings.ReplaceAll(to, "../", "")
	data, err := fs.ReadFile(f.s.source, "docs/"+file)
	if err != nil {
		return ast.WalkStop, err
	}
	width, height, err := sizeOf(path.Ext(file), data)
	if err != nil {
		return ast.WalkStop, fmt.Errorf("docs/%s: %w", file, err)
	}
	_, _ = w.WriteString("<picture>")
	if dark := darkOf(file); f.s.pictures[dark] {
		fmt.Fprintf(w, `<source media="(prefers-color-scheme: dark)" srcset="%s">`, html.EscapeString(darkOf(to)))
	}
	fmt.Fprintf(w, `<img src="%s" alt="%s" width="%d" height="%d" loading="lazy"></picture>`, html.EscapeString(to), html.EscapeString(plain(n, source)), width, height)
	return ast.WalkSkipChildren, nil
}

// sizeOf is the size of a picture, with which the text doesn't move when the picture comes.
func sizeOf(kind string, data []byte) (width, height int, err error) {
	if kind != ".svg" {
		c, err := png.DecodeConfig(bytes.NewReader(data))
		return c.Width, c.Height, err
	}
	var svg struct {
		Width  int `xml:"width,attr"`
		Height int `xml:"height,attr"`
	}
	err = xml.Unmarshal(data, &svg)
	return svg.Width, svg.Height, err
}

// darkOf is the name of a picture for dark pages.
func darkOf(name string) string {
	return strings.TrimSuffix(name, path.Ext(name)) + "-dark" + path.Ext(name)
}

// name is how a place of a text is given a name.
var name = regexp.MustCompile(`^<a id="([\w-]+)">$`)

// place writes the name of a place.
func (f figures) place(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		if m := name.FindSubmatch(n.(*ast.RawHTML).Segments.Value(source)); m != nil {
			fmt.Fprintf(w, `<span id="%s"></span>`, m[1])
		}
	}
	return ast.WalkSkipChildren, nil
}

// named calls a function for the names of places.
func named(tree ast.Node, source []byte, found func(string)) {
	_ = ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if raw, ok := n.(*ast.RawHTML); ok && entering {
			if m := name.FindSubmatch(raw.Segments.Value(source)); m != nil {
				found(string(m[1]))
			}
		}
		return ast.WalkContinue, nil
	})
}
