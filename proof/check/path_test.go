package check_test

import (
	"fmt"
	"strings"
	"testing"

	"freehold/proof/check"
)

// Of a long path, the ends are shown: a reader gets lost in a thousand branches, which are
// seldom the reason.
func TestLongPaths(t *testing.T) {
	for _, c := range []struct{ branches, notes int }{{3, 3}, {11, 11}, {12, 11}, {1000, 11}} {
		var b strings.Builder
		b.WriteString("func.func @f(%c: i1, %m: memref<1xf32>, %x: f32, %i: index) {\n  %a = memref.alloc() : memref<4xf32>\n")
		for range c.branches {
			b.WriteString("  scf.if %c {\n    memref.store %x, %m[%i] : memref<1xf32>\n  }\n")
		}
		b.WriteString("  return\n}\n")
		findings := check.Module(load([]byte(b.String())), check.Options{}).Findings
		if len(findings) != 1 {
			t.Fatalf("%d findings", len(findings))
		}
		notes := findings[0].Diagnostic.Notes
		if len(notes) != c.notes+2 { // allocated, and the end of the function
			t.Errorf("%d branches: %d notes", c.branches, len(notes))
		}
		hidden := fmt.Sprintf("%d more branches from here on, not shown", c.branches-10)
		if got := strings.Contains(notes[6%len(notes)].Message, hidden); got != (c.branches > 11) {
			t.Errorf("%d branches: note %q", c.branches, notes[6%len(notes)].Message)
		}
	}
}
