package lsp

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"freehold/driver"
)

// draftedProgram has what lines may be in: functions, branches, loops, nested regions, groups of results, aliases, and operations
// of several lines.
func draftedProgram() string {
	var b strings.Builder
	b.WriteString("!t = tensor<8xf32>\n#map = affine_map<(d0) -> (d0)>\n")
	b.WriteString("func.func private @sink(index)\n")
	for f := range 2 {
		fmt.Fprintf(&b, "func.func @f%d(%%i: index, %%x: f32, %%t: !t, %%c: i1) -> !t {\n", f)
		b.WriteString("  %n0 = arith.addi %i, %i : index\n")
		for i := 1; i < 6; i++ {
			fmt.Fprintf(&b, "  %%n%d = arith.muli %%n%d, %%i : index\n", i, i-1)
			fmt.Fprintf(&b, "  %%e%d = tensor.insert %%x into %%t[%%n%d] : !t\n", i, i)
			fmt.Fprintf(&b, "  %%p%d:2 = scf.if %%c -> (index, f32) {\n    %%in = arith.addi %%n%d, %%i : index\n    scf.yield %%in, %%x : index, f32\n  } else {\n    %%in = arith.subi %%i, %%i : index\n    scf.yield %%in, %%x : index, f32\n  }\n", i, i)
			fmt.Fprintf(&b, "  call @sink(%%p%d#0) : (index) -> ()\n", i)
			fmt.Fprintf(&b, "  scf.for %%k = %%i to %%n%d step %%i {\n    %%y = arith.addf %%x, %%p%d#1 : f32\n    // a note\n\n  }\n", i, i)
			fmt.Fprintf(&b, "  %%g%d = linalg.generic {indexing_maps = [#map, #map], iterator_types = [\"parallel\"]}\n      ins(%%t : !t)\n      outs(%%e%d : !t) {\n", i, i)
			b.WriteString("    ^bb0(%a: f32, %b: f32):\n      %s = arith.addf %a, %b : f32\n      linalg.yield %s : f32\n  } -> !t\n")
		}
		b.WriteString("  return %g5 : !t\n}\n")
	}
	return b.String()
}

// says tells whether a hover says what another one does, except how often something is used, if it doesn't say that. Of a program with
// errors the other one may know less, since what can't be read has no uses, no blocks and isn't in anything.
func says(got, want string, errors bool) bool {
	if got == want {
		return true
	}
	if counts := strings.LastIndex(want, ", used "); counts > 0 {
		want = want[:counts]
	}
	if counts := strings.LastIndex(got, ", used "); errors && counts > 0 {
		got = got[:counts]
	}
	return got == want || errors && (want == "nothing" || strings.HasPrefix(got, want) || strings.Contains(got, "}Block with "))
}

// What a draft says is what the analysis of the same text says, but for uses that are not known yet; and drafts know most of it.
func TestDraftsAreRight(t *testing.T) {
	s := NewServer(driver.Freehold(), "builtin.module(canonicalize)", "test")
	rng := rand.New(rand.NewPCG(1, 2))
	base := s.analyze("f", 1, newText(draftedProgram(), true))
	if len(base.pieces[0].errs) > 0 {
		t.Fatal(base.pieces[0].errs)
	}
	replaced := [][2]string{{"addi", "subi"}, {"addf", "mulf"}, {"index", "i32"}, {"%n1", "%n2"}, {"%x", "%z"}, {"%i", "%n0"}, {"%n", "%m"}, {"%c", "%t"}, {"}", ""}, {"{", ""}, {":", ""},
		{" = ", " = \n"}, {"#0", "#1"}, {"arith.", "ar"}, {"!t", "f32"}, {"@sink", "@f1"}, {"8", "9"}, {"\n", "\n  %w = arith.addi %i, %n0 : index\n"}, {"\n", "\n  call @sink(%i) : (index) -> ()\n"}, {"  %", "  // %"},
		{"%y", "%y0"}, {"%in =", "%in0 ="}, {"f32", "f64"}, {"\n", "\n  }\n"}, {"  ", "  \"a.b\"() ({"}, {"step", "}) step"}, {":2", ""}}
	same := s.draftOf(base, newText(base.src, true))
	if h, ok := same.hover(position{4, 3}); !ok || h == nil || h.Contents.Value != base.hover(position{4, 3}).Contents.Value {
		t.Errorf("of the same text, a draft says %+v", h)
	}
	known, asked, whole := 0, 0, 0
	for round := range 300 {
		src := base.src
		r := replaced[rng.IntN(len(replaced))]
		at := rng.IntN(len(src))
		i := strings.Index(src[at:], r[0])
		if i < 0 {
			continue
		}
		src = src[:at+i] + r[1] + src[at+i+len(r[0]):]
		text := newText(src, true)
		x := s.draftOf(base, text)
		full := s.analyze("f", 2, text)
		if x != nil {
			whole++
			for offset := 0; offset < len(src); offset += 1 + rng.IntN(12) {
				where := text.position(offset)
				want, got := "nothing", "nothing"
				if w := full.hover(where); w != nil {
					want = fmt.Sprint(w.Range, w.Contents.Value)
					asked++
				}
				h, ok := x.hover(where)
				if !ok {
					continue
				}
				if h != nil {
					known++
				}
				if h != nil {
					got = fmt.Sprint(h.Range, h.Contents.Value)
				}
				if !says(got, want, len(full.pieces[0].errs) > 0) {
					t.Errorf("round %d: %q for %q, at %v (line %q): %s\nand not %s", round, r[1], r[0], where, text.line(where.Line), got, want)
				}
			}
			line := text.position(at + i).Line
			for n := max(line-2, 0); n < line+3; n++ {
				where := position{n, rng.IntN(len(text.line(n)) + 1)}
				got, _ := json.Marshal(x.complete(where))
				want, _ := json.Marshal(full.complete(where))
				if len(full.pieces[0].errs) == 0 && string(got) != string(want) {
					t.Errorf("round %d: %q for %q, completion at %v (line %q): %.300s\nand not %.300s", round, r[1], r[0], where, text.line(n), got, want)
				}
			}
		}
		if round%3 == 0 {
			base = full
		}
		if round%9 == 8 {
			base = s.analyze("f", 1, newText(draftedProgram(), true))
		}
	}
	t.Logf("%d of 300 rounds have drafts; %d of %d names are known", whole, known, asked)
	if whole < 200 || 10*known < 8*asked {
		t.Errorf("%d of 300 rounds have drafts; %d of %d names are known", whole, known, asked)
	}
}
