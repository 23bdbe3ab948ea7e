package check_test

import (
	"os"
	"testing"

	"freehold/proof/check"
)

// An allocation that only what a block gets points to is gathered, too: no value of the program has been noted for it.
func TestGatherUnheld(t *testing.T) {
	src, err := os.ReadFile("testdata/unheld.mlir")
	if err != nil {
		t.Fatal(err)
	}
	m := load(src)
	if m == nil {
		t.Fatal("the program is not valid")
	}
	if check.Module(m, check.Options{Threads: 1, MaxTargets: 2}).Safe() {
		t.Error("called safe, though buffers are freed twice")
	}
}
