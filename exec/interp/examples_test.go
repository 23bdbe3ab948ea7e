package interp_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"freehold/exec"
	"freehold/exec/interp"
)

// TestExamples runs the example programs. Only branches.mlir, which shows a
// program without frees, may leak.
func TestExamples(t *testing.T) {
	paths, err := filepath.Glob("../../examples/*.mlir")
	if err != nil || len(paths) == 0 {
		t.Fatal("no examples", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			m := load(t, string(src))
			fn, err := interp.Entry(m, "")
			if err != nil {
				t.Fatal(err)
			}
			var args []interp.Value
			for i, typ := range exec.NewProgram(m).Function(fn).Type().Inputs {
				v, err := interp.Random(typ, nil, rand.New(rand.NewPCG(1, uint64(i))))
				if err != nil {
					t.Fatal(err)
				}
				args = append(args, v)
			}
			res, err := interp.Run(m, fn, args, interp.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(res.Values) == 0 {
				t.Error("there is no result")
			}
			for _, f := range res.Findings {
				if f.Kind != exec.Leak || filepath.Base(path) != "branches.mlir" {
					t.Error(f)
				}
			}
		})
	}
}
