package driver

import (
	"slices"
	"strings"
	"testing"

	"freehold/ir"
)

func TestSplitInput(t *testing.T) {
	for _, c := range []struct {
		src, marker string
		want        []string // name and text of the pieces
		warn        string
		llvm        int
	}{
		{"a\n// -----\nb\n", "", []string{"f", "a\n// -----\nb\n"}, "", 0},
		{"a\n// -----\nb\n", "// -----", []string{"within split at f:1 offset ", "a\n", "within split at f:2 offset ", "\nb\n"}, "", 0},
		{"a\n// -----\nb\n", "// -----", []string{"f", "a\n", "f", "\n\nb\n"}, "", 22},
		{"", "//", nil, "", 0},
		{"//a\n\n//", "//", []string{"within split at f:1 offset ", "a\n\n"}, "", 0},
		{"a\nb // ---- c\n// -----\nd", "// -----", []string{"within split at f:1 offset ", "a\nb // ---- c\n", "within split at f:3 offset ", "\nd"},
			"f:2:9: near miss with file split marker", 0},
		{"a// -----\nb\n// --- d", "// -----", []string{"within split at f:1 offset ", "a", "within split at f:1 offset ", "\nb\n// --- d"},
			"f:3:7: near miss with file split marker", 0},
	} {
		pieces, warnings := splitInput([]byte(c.src), "f", c.marker, c.llvm)
		var got []string
		for _, p := range pieces {
			got = append(got, p.name, string(p.placed().src))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q", c.src, got)
		}
		if text := ir.Diagnostics(warnings).Error(); text != c.warn {
			t.Errorf("%q: warnings %q", c.src, text)
		}
	}
}

func TestExpectations(t *testing.T) {
	const src = `// expected-error@+1 {{one}}
x
y // expected-warning-re {{t{{w|v}}o}}
// expected-remark@below {{three}}
// expected-note@below {{four}}
z
// expected-error@above {{five}}
// expected-error@-2 {{six}}
// expected-error@unknown {{seven}}
`
	at := func(sev ir.Severity, line uint32, msg string) *ir.Diagnostic {
		return &ir.Diagnostic{Severity: sev, Loc: ir.FileLineCol("f", line, 1), Message: msg}
	}
	all := []*ir.Diagnostic{at(ir.Error, 2, "is one."), at(ir.Warning, 3, "tvo"), at(ir.Remark, 6, "three"),
		at(ir.Error, 6, "five"), at(ir.Error, 6, "six"), {Loc: ir.Unknown, Message: "seven"}}
	all[3].Notes = []*ir.Diagnostic{at(ir.Note, 6, "four")}
	for skip := -1; skip < len(all); skip++ {
		var shown []string
		show := func(d *ir.Diagnostic) { shown = append(shown, d.Message) }
		e := parseExpectations(piece{src: []byte(src), name: "f"}, show)
		for i, d := range all {
			if i != skip {
				e.match(d, show)
			}
		}
		if ok := e.finish(show); ok != (skip < 0) || skip < 0 && shown != nil {
			t.Errorf("without %d: %v, %q", skip, ok, shown)
		}
	}
	var shown []string
	show := func(d *ir.Diagnostic) { shown = append(shown, d.Message) }
	e := parseExpectations(piece{src: []byte(src), name: "f"}, show)
	e.match(at(ir.Warning, 2, "one"), show)
	e.match(at(ir.Error, 20, "new"), show)
	if len(shown) != 2 || shown[0] != "'warning' diagnostic emitted when expecting a 'error'" || shown[1] != "unexpected error: new" {
		t.Errorf("%q", shown)
	}
	shown = nil
	bad := "// expected-error-re {{a{{b}}\n// expected-error-re@+9999999999999999999 {{a{{[}}b}}\n// expected-error@-7 {{x}}"
	e = parseExpectations(piece{src: []byte(bad), name: "f"}, show)
	if len(shown) != 2 || shown[0] != "found start of regex with no end '}}'" || !strings.HasPrefix(shown[1], "invalid regex: ") {
		t.Errorf("%q", shown)
	}
	if e.finish(show) || len(shown) != 3 {
		t.Errorf("%q", shown)
	}
}
