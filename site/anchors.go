package main

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
)

// anchors make the anchors of headings as GitHub does, so that a link works there and here.
type anchors struct{ used map[string]bool }

// Generate implements parser.IDs.
func (a *anchors) Generate(heading []byte, _ ast.NodeKind) []byte {
	id := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, strings.TrimSpace(string(heading)))
	out := id
	for n := 1; a.used[out]; n++ {
		out = fmt.Sprintf("%s-%d", id, n)
	}
	a.used[out] = true
	return []byte(out)
}

// Put implements parser.IDs.
func (a *anchors) Put(id []byte) { a.used[string(id)] = true }
