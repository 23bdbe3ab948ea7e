package interp_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"freehold/exec/interp"
	"freehold/ir"
)

// TestWrong runs the programs in testdata/wrong, each of which does one thing wrong,
// in the line with a comment that says of what kind it is, or nothing: what comes
// first is all that a program is told.
func TestWrong(t *testing.T) {
	files, err := filepath.Glob("testdata/wrong/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		line := 0
		for _, program := range strings.Split(string(text), "\n// -----\n") {
			checkWrong(t, path, line, program)
			line += strings.Count(program, "\n") + 2
		}
	}
}

// checkWrong runs a program that starts after a number of lines of a file.
func checkWrong(t *testing.T, path string, first int, program string) {
	want, wantLine := "", 0
	for i, l := range strings.Split(program, "\n") {
		if _, kind, ok := strings.Cut(l, "// !! "); ok {
			want, wantLine = kind, i+1
		}
	}
	m := load(t, program)
	fn, err := interp.Entry(m, "")
	if err != nil {
		t.Fatalf("%s:%d: %v", path, first+1, err)
	}
	args, _, err := interp.Generator{Seed: 1}.Arguments(fn)
	if err != nil {
		t.Fatal(err)
	}
	for _, oneByOne := range []bool{false, true} {
		res, err := interp.Run(m, fn, args, interp.Options{MaxSteps: 10000, OneByOne: oneByOne})
		if err != nil {
			t.Errorf("%s:%d: %v", path, first+1, err)
			return
		}
		got, gotLine := "", 0
		// A program that is stopped can't free what it has.
		for _, f := range res.Findings {
			p, _ := ir.SourcePos(f.Loc)
			got, gotLine = f.Kind.String(), int(p.Line)
			break
		}
		if got != want || gotLine != wantLine {
			t.Errorf("%s: got %q in line %d, not %q in line %d\n%s", path, got, first+gotLine, want, first+wantLine, describe(res.Findings))
			return
		}
	}
}
