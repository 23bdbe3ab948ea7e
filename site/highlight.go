package main

import (
	"bytes"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// formatter writes classes, whose colours site.css has, and lets the keyboard scroll wide code.
var formatter = html.New(html.WithClasses(true), html.PreventSurroundingPre(true))

// highlighter renders code in the colours of its language.
type highlighter struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (h highlighter) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, h.render)
}

func (highlighter) render(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	block := n.(*ast.FencedCodeBlock)
	var code bytes.Buffer
	for i := range block.Lines().Len() {
		line := block.Lines().At(i)
		code.Write(line.Value(source))
	}
	lexer := lexers.Get(string(block.Language(source)))
	if lexer == nil {
		lexer = lexers.Fallback
	}
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, code.String())
	if err != nil {
		return ast.WalkStop, err
	}
	_, _ = w.WriteString(`<pre tabindex="0" class="chroma"><code>`)
	if err := formatter.Format(w, styles.Fallback, tokens); err != nil {
		return ast.WalkStop, err
	}
	_, _ = w.WriteString("</code></pre>\n")
	return ast.WalkSkipChildren, nil
}
