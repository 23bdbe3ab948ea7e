package check_test

import (
	"flag"
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"freehold/internal/testing/irgen"
	"freehold/ir"
	"freehold/proof/check"
)

// pipelines free the buffers of a program that frees none.
var pipelines = []string{
	"ownership-based-buffer-deallocation",
	"ownership-based-buffer-deallocation{private-function-dynamic-ownership=true}",
	"ownership-based-buffer-deallocation,buffer-deallocation-simplification",
	"ownership-based-buffer-deallocation,bufferization-lower-deallocations",
	"buffer-deallocation-pipeline",
	"buffer-deallocation-pipeline{private-function-dynamic-ownership=true}",
	"complete-buffer-deallocation-pipeline",
	"buffer-deallocation-pipeline,convert-scf-to-cf",
}

var (
	programs = flag.Int("programs", 20, "the number of random programs of each property")
	first    = flag.Uint64("first", 0, "the seed of the first of them, where they have seeds")
)

// seeds are those of the first n random programs.
func seeds(n int) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for i := range uint64(n) {
			if !yield(*first + i) {
				return
			}
		}
	}
}

func checks(t *testing.T, property func(t *rapid.T)) { checksOf(t, *programs, property) }

// checksOf tries a property on n programs, where the flags of rapid don't say how many.
func checksOf(t *testing.T, n int, property func(t *rapid.T)) {
	f := flag.Lookup("rapid.checks")
	old := f.Value.String()
	if old == f.DefValue {
		flag.Set("rapid.checks", fmt.Sprint(n))
		defer flag.Set("rapid.checks", old)
	}
	rapid.Check(t, property)
}

// generated returns a random program with its buffers freed by a random pipeline.
func generated(t *rapid.T, tb testing.TB) (src []byte, pipeline string) {
	for {
		pipeline := rapid.SampledFrom(pipelines).Draw(t, "pipeline")
		complete := pipeline == "complete-buffer-deallocation-pipeline"
		src := irgen.Buffers(func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "") }, irgen.BufferKnobs{Size: 20, Loops: complete, Switches: complete})
		if m := transformed(tb, load([]byte(src)), pipeline); m != nil {
			return []byte(text(m)), pipeline
		}
	}
}

// What the passes make is never called unsafe, and hardly ever too hard to judge: such as a
// loop that can be entered in two places.
func TestDeallocatedProgramsAreSafe(t *testing.T) {
	all, open := 0, 0
	// Of few programs, several may be too hard by chance.
	checksOf(t, max(*programs, 200), func(rt *rapid.T) {
		src, pipeline := generated(rt, t)
		all++
		switch v := verdict(load(src)); v {
		case "unsafe":
			rt.Fatalf("%s: %s\n%s", pipeline, v, src)
		case "not judged":
			open++
		}
	})
	if 20*open > all {
		t.Errorf("%d of %d programs are not judged", open, all)
	}
}

// A program in which a free was removed, doubled or moved is not called safe if an
// execution shows that it isn't.
func TestPlantedBugsAreFound(t *testing.T) {
	wrong := 0
	checks(t, func(rt *rapid.T) {
		src, pipeline := generated(rt, t)
		m := load(src)
		frees := freesIn(m)
		if len(frees) == 0 {
			return
		}
		f := frees[rapid.IntRange(0, len(frees)-1).Draw(rt, "free")]
		b := bug(rapid.IntRange(0, int(bugs)-1).Draw(rt, "bug"))
		var quiet bool
		var planted *ir.Op
		what := mutate(f, b, rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "place"), 0)), &quiet, &planted)
		if what == "" || ir.Verify(m) != nil {
			return
		}
		for _, fn := range functions(m) {
			for seed := range uint64(4) {
				if found := refuted(m, fn, seed); found != nil {
					wrong++
					if v := verdict(m); v == "safe" {
						rt.Fatalf("%s, %s: %v\n%s", pipeline, what, found.Diagnostic, text(m))
					}
					return
				}
			}
		}
	})
	if wrong == 0 {
		t.Error("no program was broken")
	}
}

// Each buffer of a long chain may be the one before; who frees it is found out from
// conditions and addresses, at the end. The proof needs no search: the solver may
// look at nothing.
func TestChainsAreCheap(t *testing.T) {
	var b strings.Builder
	b.WriteString("func.func @f(%lb: index) {\n  %r0 = memref.alloc() : memref<4xf32>\n")
	for i := range 60 {
		fmt.Fprintf(&b, `  %%k%[1]d = arith.constant %[1]d : index
  %%c%[1]d = arith.cmpi slt, %%lb, %%k%[1]d : index
  %%r%[2]d = scf.if %%c%[1]d -> memref<4xf32> {
    %%n = memref.alloc() : memref<4xf32>
    memref.copy %%r%[1]d, %%n : memref<4xf32> to memref<4xf32>
    scf.yield %%n : memref<4xf32>
  } else {
    scf.yield %%r%[1]d : memref<4xf32>
  }
`, i, i+1)
	}
	b.WriteString("  return\n}\n")
	for _, pipeline := range []string{"ownership-based-buffer-deallocation", "buffer-deallocation-pipeline"} {
		m := transformed(t, load([]byte(b.String())), pipeline)
		if m == nil {
			t.Fatalf("%s fails", pipeline)
		}
		if r := check.Module(m, check.Options{Threads: 1, MaxSolved: 1}); !r.Safe() {
			t.Errorf("%s: %d findings, not judged: %v", pipeline, len(r.Findings), r.Unjudged)
		}
	}
}

// However little work is allowed, a wrong program isn't called safe.
func TestBoundsAreNoProof(t *testing.T) {
	var b strings.Builder
	b.WriteString("func.func @f(%lb: index) -> (memref<4xf32>, memref<4xf32>) {\n  %r0 = memref.alloc() : memref<4xf32>\n  %leaks = memref.alloc() : memref<4xf32>\n")
	for i := range 6 {
		fmt.Fprintf(&b, `  %%k%[1]d = arith.constant %[1]d : index
  %%c%[1]d = arith.cmpi slt, %%lb, %%k%[1]d : index
  %%n%[1]d = memref.alloc() : memref<4xf32>
  %%r%[2]d = arith.select %%c%[1]d, %%r%[1]d, %%n%[1]d : memref<4xf32>
`, i, i+1)
	}
	b.WriteString("  return %r6, %r5 : memref<4xf32>, memref<4xf32>\n}\n")
	m := load([]byte(b.String()))
	for n := 1; n < 200; n++ {
		for _, o := range []check.Options{{MaxSteps: n}, {MaxNodes: n}, {MaxSolved: n}} {
			o.Threads = 1
			if check.Module(m, o).Safe() {
				t.Fatalf("called safe with %+v", o)
			}
		}
	}
}
