package layout_test

import (
	"os/exec"
	"strings"
	"testing"

	"freehold/internal/testing/layout"
)

// Arrows between packages go down only.
func TestArrowsGoDown(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "freehold/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := 0
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		from := strings.TrimPrefix(words[0], "freehold/")
		if packages++; layout.Room(from) < 0 {
			t.Errorf("%s is in no room", from)
		}
		for _, w := range words[1:] {
			if to, ours := strings.CutPrefix(w, "freehold/"); ours && !layout.MayImport(from, to) {
				t.Errorf("%s imports %s, which stands above it", from, to)
			}
		}
	}
	if packages < 80 {
		t.Errorf("only %d packages were looked at", packages)
	}
}

// Dialects know no pass, and what verifies proofs knows neither what finds them nor a pass.
func TestMayImport(t *testing.T) {
	for _, tt := range []struct {
		from, to string
		may      bool
	}{
		{"dialect/arith", "ir/interfaces", true},
		{"dialect/arith", "exec", true},
		{"dialect/arith", "transform/bufferize/oneshot", false},
		{"dialect/arith", "exec/interp", false},
		{"ir", "ir/asm", true},
		{"transform", "compile", false},
		{"compile", "transform", true},
		{"proof/semantics", "dialect/memref", false},
		{"tool/lsp", "cmd/cli", false},
		{"cmd/cli", "internal/testing/campaign", true},
		{"driver", "nowhere", false},
	} {
		if got := layout.MayImport(tt.from, tt.to); got != tt.may {
			t.Errorf("that %s may import %s is %v", tt.from, tt.to, got)
		}
	}
}
