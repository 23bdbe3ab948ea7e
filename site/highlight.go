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

// formatter writes classes, whose colours site.css has.
var formatter = html.New(html.WithClasses(true), html.PreventSurroundingPre(true))

// highlighter renders code in the colours of its language.
type highlighter struct{ mlir chroma.Lexer }

// RegisterFuncs implements renderer.NodeRenderer.
func (h highlighter) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, h.render)
}

func (h highlighter) render(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	block := n.(*ast.FencedCodeBlock)
	var code bytes.Buffer
	for i := range block.Lines().Len() {
		line := block.Lines().At(i)
		code.Write(line.Value(source))
	}
	tokens, err := h.lexer(string(block.Language(source))).Tokenise(nil, code.String())
	if err != nil {
		return ast.WalkStop, err
	}
	_, _ = w.WriteString(`<pre class="chroma"><code>`)
	if err := formatter.Format(w, styles.Fallback, tokens); err != nil {
		return ast.WalkStop, err
	}
	_, _ = w.WriteString("</code></pre>\n")
	return ast.WalkSkipChildren, nil
}

// lexer returns what takes a language apart.
func (h highlighter) lexer(language string) chroma.Lexer {
	if language == "mlir" {
		return h.mlir
	}
	if lexer := lexers.Get(language); lexer != nil {
		return chroma.Coalesce(lexer)
	}
	return lexers.Fallback
}
