package check_test

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"freehold/exec"
	"freehold/exec/interp"
	"freehold/ir"
	"freehold/ir/interfaces"
)

var ownersEvery = flag.Int("owners-every", 0, "take each n-th program of the corpus for the test of owners (0: few enough for a quick test)")

const (
	// beforeOwners makes programs on buffers, without frees.
	beforeOwners = "prepare-bufferization,func.func(hlo-split-alloc-tensors),one-shot-bufferize{bufferize-function-boundaries " +
		"function-boundary-type-conversion=identity-layout-map allow-return-allocs-from-loops recursive-functions external-results copy-around-regions},canonicalize"
	simplifyOwners = ",func.func(hlo-deallocation-simplification)"
)

// ownerStages are pipelines that free by owners: that of MLIR-HLO after each of its passes, and
// with each of its transformations on and off.
var ownerStages = func() []string {
	out := []string{"hlo-deallocate", "hlo-deallocate" + simplifyOwners, "hlo-deallocate" + simplifyOwners + ",func.func(hlo-buffer-reuse)",
		"hlo-deallocate,func.func(hlo-deallocation-to-scf)", "hlo-deallocation-pipeline"}
	for _, option := range strings.Fields("copy-elision=false reuse=false hoisting=false double-buffering=false double-buffering-before=false loop-simplification=false promotion=false") {
		out = append(out, "hlo-deallocation-pipeline{"+option+"}")
	}
	return out
}()

// withoutRule matches programs with operations that have no rule: asynchronous copies, which go on
// after the operation, and results of types that nothing is known about.
var withoutRule = regexp.MustCompile(`\.dma_|!test\.`)

// runs executes the public functions of a program that can be executed on random arguments. It
// returns how many there are, and the worst that one of them does wrong.
func runs(m *ir.Op) (n int, wrong *exec.Finding) {
	for _, fn := range functions(m) {
		f, _ := interfaces.Function.Of(fn)
		var args []interp.Value
		ok := true
		for i, in := range f.Type(fn).Inputs {
			text := "random"
			if shape, ranked := ir.ShapeOf(in); ranked && ir.IsShaped(in) && !ir.IsStaticShape(shape) {
				text += ":" + strings.TrimSuffix(strings.Repeat("4x", len(shape)), "x")
			}
			v, err := interp.Parse(m.Context(), text, in, rand.New(rand.NewPCG(1, uint64(i))))
			ok = ok && err == nil
			args = append(args, v)
		}
		if !ok {
			continue
		}
		if res, err := interp.Run(m, fn, args, interp.Options{MaxSteps: 200_000}); err == nil {
			n++
			for _, f := range res.Findings {
				if wrong == nil || wrong.Kind == exec.Leak {
					wrong = f
				}
			}
		}
	}
	return n, wrong
}

// Programs that can be executed can be after MLIR-HLO's deallocation, at each stage of it, do
// nothing wrong, and are proved to be right; and what is proved has a certificate.
func TestOwnersInCorpus(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join("..", "..", "..", "shared", "corpus", "core", "*.mlir"))
	if len(files) == 0 {
		t.Skip("needs the corpus")
	}
	every := *ownersEvery
	if every == 0 {
		every = 12
	}
	var s shares
	ran, judged, safe := 0, 0, 0
	for i := 0; i < len(files); i += every {
		src, err := os.ReadFile(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if withoutRule.Match(src) {
			continue
		}
		m := load(src)
		if m == nil {
			continue
		}
		before, wrong := runs(m)
		if wrong != nil && wrong.Kind != exec.Leak {
			continue
		}
		if m = transformed(t, m, beforeOwners); m == nil {
			continue
		}
		src = []byte(text(m))
		for _, stage := range ownerStages {
			m := transformed(t, load(src), stage)
			if m == nil {
				continue
			}
			judged++
			v := verdict(m)
			if v == "safe" {
				safe++
				text, why := certify(t, m)
				if s.add(text, why); why != "" {
					t.Logf("%s after %s: %s", filepath.Base(files[i]), stage, why)
				}
			}
			n, wrong := runs(m)
			switch {
			case wrong != nil && wrong.Kind != exec.Leak && v == "safe":
				t.Errorf("%s after %s: %s, but %v", files[i], stage, v, wrong.Diagnostic)
			case before == 0:
			case n < before:
				t.Errorf("%s after %s: %d functions can be executed, not %d", files[i], stage, n, before)
			case wrong != nil:
				t.Errorf("%s after %s: %v", files[i], stage, wrong.Diagnostic)
			case v != "safe":
				t.Errorf("%s after %s: %s", files[i], stage, v)
			default:
				ran++
			}
		}
	}
	t.Logf("%d of %d safe; %d of programs that can be executed, all right", safe, judged, ran)
	s.atLeast(t, 100)
}
