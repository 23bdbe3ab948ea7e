package lsp_test

import (
	"fmt"
	"strings"
	"testing"
)

// What is asked about a large file right after a keystroke is answered about the text with it: of the line itself, of those around it,
// and once a type is another one.
func TestLargeFileWhileTyping(t *testing.T) {
	c := connect(t, "utf-8")
	var b strings.Builder
	b.WriteString("func.func @f(%x: f32, %i: index) -> f32 {\n  %v0 = arith.addf %x, %x : f32\n")
	const last = 3000
	for k := 1; k <= last; k++ {
		fmt.Fprintf(&b, "  %%v%d = arith.addf %%v%d, %%x : f32\n", k, k-1)
	}
	fmt.Fprintf(&b, "  return %%v%d : f32\n}\n", last)
	if b.Len() < 64<<10 {
		t.Fatal("the file isn't large")
	}
	c.open(b.String())
	c.await(1)
	for n, x := range []struct {
		text         string // replaces line 1000, %v999
		line, column int
		want         string
	}{
		{"  %v999 = arith.mulf %v998, %x : f32", 1000, 12, "arith.mulf"},
		{"  %v999 = arith.mulf %v998, %v998 : f32", 1000, 24, "%v998 : f32`\\n\\nResult 0 of `arith.addf`, used 2 times"},
		{"  %v999 = arith.mulf %v998, %v998 : f32", 1001, 25, "%v999 : f32`\\n\\nResult 0 of `arith.mulf`, used once"},
		{"  %v999 = arith.addi %i, %i : index", 1000, 5, "%v999 : index`"},
		{"  %v999 = arith.", 999, 5, "%v998 : f32`\\n\\nResult 0 of `arith.addf`"},
		{"  %v999 = arith.addf %v998, %x : f32", 2000, 5, "%v1999 : f32`\\n\\nResult 0 of `arith.addf`"},
	} {
		c.edit(n+2, 1000, 0, 1000, x.text)
		if got := c.call("textDocument/hover", at(x.line, x.column)); !strings.Contains(got, x.want) {
			t.Errorf("%s: hover says %s, not %s", x.text, got, x.want)
		}
		if got := c.call("textDocument/completion", at(1000, strings.Index(x.text, "arith."))); len(got) < 100 {
			t.Errorf("%s: completion is %s", x.text, got)
		}
	}
	if p := c.await(7); len(p.Diagnostics) != 0 {
		t.Errorf("%+v", p.Diagnostics)
	}
	if got := c.call("textDocument/completion", at(2500, 23)); !strings.Contains(got[:min(200, len(got))], `"label":"v2498"`) {
		t.Errorf("the closest value isn't first: %.300s", got)
	}
}
