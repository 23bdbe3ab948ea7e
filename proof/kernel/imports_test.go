package kernel_test

import (
	"os/exec"
	"strings"
	"testing"
)

// The kernel knows no dialect and no pass, neither what finds proofs nor what checks them, and no solver.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for path := range strings.FieldsSeq(string(out)) {
		for _, bad := range []string{"dialect", "transform", "exec", "memory", "proof/check", "proof/verify", "proof/models", "proof/sat"} {
			if path = strings.TrimPrefix(path, "freehold/"); path == bad || strings.HasPrefix(path, bad+"/") {
				t.Errorf("it imports %s", path)
			}
		}
	}
}
