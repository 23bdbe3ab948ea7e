package lsp

import (
	"testing"

	"freehold/driver"
	"freehold/internal/testing/fuzz"
)

// FuzzDocument asks everything about any text.
func FuzzDocument(f *testing.F) {
	fuzz.AddPrograms(f, 5000, "../../examples/*.mlir")
	for _, src := range []string{"", "%", "// -----\n// -----", "func.func @f(%a: i1) {\n ^", "!a = i1\n#b = loc(", "\x00\xff", "\"", "{\"\\\n}"} {
		f.Add([]byte(src))
	}
	f.Add([]byte("// RUN: freehold opt --cse --one-shot-bufferize=\"a b\" '--pass-pipeline=builtin.module(canonicalize{top-down=})'\nfunc.func @f(%t: tensor<2xf32>) -> tensor<2xf32> {\n  return %t : tensor<2xf32>\n}\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 5000 {
			return
		}
		s := NewServer(driver.Freehold(), "builtin.module(cse)", "test")
		d := s.analyze("file:///x", 1, newText(string(src), false))
		d.diagnostics()
		d.symbols()
		d.folding()
		d.format(0, len(d.starts))
		d.semantic()
		s.lenses(d)
		for offset := 0; offset <= len(src); offset += max(1, len(src)/50) {
			at := d.position(offset)
			if back := d.offset(at); back > offset {
				t.Fatalf("offset %d is at %v, which is offset %d", offset, at, back)
			}
			d.hover(at)
			d.definition(at)
			d.references(at, true)
			d.rename(at, "name")
			d.complete(at)
			d.signature(at)
			s.actionsAt(d, at)
			if r, ok := d.runLineAt(at.Line); ok {
				d.hoverRun(r, offset-d.starts[at.Line])
			}
		}
	})
}
