package asm

import (
	"fmt"
	"strings"
	"testing"

	"freehold/ir"
)

// doubling returns n aliases, each of which stands for the one before twice.
func doubling(n int, first, next string) string {
	var b strings.Builder
	b.WriteString(first + "\n")
	for i := range n {
		b.WriteString(strings.NewReplacer("NEXT", fmt.Sprint(i+1), "I", fmt.Sprint(i)).Replace(next) + "\n")
	}
	return b.String()
}

func TestExpansion(t *testing.T) {
	for _, c := range []struct {
		name, src string
		ok        bool
	}{
		{"attributes", doubling(60, "#a0 = 1", "#aNEXT = [#aI, #aI]") + `"a.b"() {a = #a60} : () -> ()`, false},
		{"types", doubling(60, "!a0 = i1", "!aNEXT = tuple<!aI, !aI>") + `"a.b"() : () -> !a60`, false},
		{"remembered types", doubling(20, "!a0 = i1", "!aNEXT = tuple<!aI, !aI>") + strings.Repeat("\"a.b\"() : () -> tuple<!a20>\n", 100), false},
		{"function types", doubling(60, "!a0 = i1", "!aNEXT = (!aI) -> !aI"), false},
		{"wide elements", `"a.b"() {a = dense<[` + strings.Repeat("-1,", 99) + `-1]> : tensor<100xi16777215>} : () -> ()`, false},
		{"some doubling", doubling(10, "#a0 = 1", "#aNEXT = [#aI, #aI]") + strings.Repeat("\"a.b\"() {a = #a10} : () -> ()\n", 1000), true},
		{"wide number", `"a.b"() {a = -1 : i16777215} : () -> ()`, true},
		{"locations", doubling(60, `#loc0 = loc("a")`, "#locNEXT = loc(callsite(#locI at #locI))") + `"a.b"() : () -> () loc(#loc60)`, true},
	} {
		ctx := ir.NewContext(testBuiltin)
		ctx.AllowUnregistered = true
		d, err := ParseDocument(ctx, []byte(c.src), "f", ParseOptions{})
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
		if err == nil {
			PrintDocument(d, PrintOptions{DebugInfo: true})
		}
	}
}

// TestManyErrors renders an error for every word of a long line.
func TestManyErrors(t *testing.T) {
	var b strings.Builder
	const n = 3000
	for i := range n {
		fmt.Fprintf(&b, `"a.é"(%%x%d) : (i32) -> () `, i)
	}
	src := b.String()
	ctx := ir.NewContext(testBuiltin)
	ctx.AllowUnregistered = true
	_, err := Parse(ctx, []byte(src), "f", ParseOptions{})
	r := Renderer{Sources: func(string) []byte { return []byte(src) }}
	out := string(r.Append(nil, err))
	if got := strings.Count(out, "use of undeclared SSA value name"); got != n {
		t.Errorf("%d errors", got)
	}
	if len(out) > n*1000 {
		t.Errorf("%d bytes of messages", len(out))
	}
	for _, l := range strings.SplitAfter(out, "\n") {
		if caret := strings.IndexByte(l, '^'); caret >= 0 && strings.TrimSpace(l) != "^" {
			t.Errorf("%q", l)
		}
	}
	lines := strings.Split(out, "\n")
	if len(lines) < 3*1500+3 {
		t.Fatal(len(lines))
	}
	shown, caret := lines[3*1500+1], strings.IndexByte(lines[3*1500+2], '^')
	// The caret counts columns: é is one, of two bytes.
	if caret < 0 || !strings.HasPrefix(string([]rune(shown)[caret:]), "%x1500)") || !strings.HasPrefix(shown, "...") || !strings.HasSuffix(shown, "...") {
		t.Errorf("caret at %d of %q", caret, shown)
	}
}
