package verify_test

import (
	"os/exec"
	"strings"
	"testing"
)

// What verifies neither guesses nor searches: it has nothing of the checker, of a solver, nor of passes and
// the analyses they use.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for path := range strings.FieldsSeq(string(out)) {
		for _, bad := range []string{"freehold/proof/check", "freehold/proof/sat", "freehold/transform", "freehold/exec/interp"} {
			if path == bad || strings.HasPrefix(path, bad+"/") {
				t.Errorf("it imports %s", path)
			}
		}
	}
}
