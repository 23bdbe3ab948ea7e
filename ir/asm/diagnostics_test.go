package asm

import (
	"strings"
	"testing"

	"freehold/ir"
)

// In a window, a long source line is cut around the caret, which stays below its place.
func TestRendererWidth(t *testing.T) {
	ctx := ir.NewContext()
	line := "0123456789" + strings.Repeat("abcdefghij", 8) + "X" + strings.Repeat("k", 30) + "é"
	r := Renderer{Sources: func(string) []byte { return []byte(line) }, Width: 40}
	for _, c := range []struct {
		col  uint32
		want string
	}{
		{1, "0123456789abcdefghijabcdefghijab...\n^\n"},
		{91, "...efghijabcdefghijXkkkkkkkkkkkkkkk...\n" + strings.Repeat(" ", 19) + "^\n"},
		{120, "..." + strings.Repeat("k", 30) + "é\n" + strings.Repeat(" ", 31) + "^\n"},
	} {
		d := &ir.Diagnostic{Loc: ctx.FileLineColLoc("f.mlir", 1, c.col), Message: "m"}
		_, got, _ := strings.Cut(string(r.Append(nil, d)), "\n")
		if got != c.want {
			t.Errorf("column %d:\n%swant\n%s", c.col, got, c.want)
		}
		for _, l := range strings.Split(got, "\n") {
			if len(l) > 41 {
				t.Errorf("column %d: a line of %d bytes: %s", c.col, len(l), l)
			}
		}
	}
	r.Width = 0
	if got := string(r.Append(nil, &ir.Diagnostic{Loc: ctx.FileLineColLoc("f.mlir", 1, 91), Message: "m"})); !strings.Contains(got, line) {
		t.Errorf("a line is cut that no window shows:\n%s", got)
	}
}

// In a window, a long message goes on in further lines; one that has lines stays as it is.
func TestRendererBreaksMessages(t *testing.T) {
	ctx := ir.NewContext()
	r := Renderer{Width: 30, Paint: func(part Part, _ ir.Severity, text string) string { return text }}
	for _, c := range []struct{ message, want string }{
		{"it is short", "f.mlir:1:1: error: it is short\n"},
		{"it isn't short enough for one line", "f.mlir:1:1: error: it\n    isn't short enough for one\n    line\n"},
		{"see what it is about:\nthe operation", "f.mlir:1:1: error: see what it is about:\nthe operation\n"},
	} {
		if got := string(r.Append(nil, &ir.Diagnostic{Loc: ctx.FileLineColLoc("f.mlir", 1, 1), Message: c.message})); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
