package check_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"freehold/internal/irgen"
	"freehold/ir"
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

var programs = flag.Int("programs", 60, "the number of random programs of each property")

func checks(t *testing.T, property func(t *rapid.T)) {
	f := flag.Lookup("rapid.checks")
	old := f.Value.String()
	if old == f.DefValue {
		flag.Set("rapid.checks", fmt.Sprint(*programs))
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

// What deallocation makes of a program is proved to be safe.
func TestDeallocatedProgramsAreSafe(t *testing.T) {
	checks(t, func(rt *rapid.T) {
		src, pipeline := generated(rt, t)
		if v := verdict(load(src)); v != "safe" {
			rt.Fatalf("%s: %s\n%s", pipeline, v, src)
		}
	})
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
		what := plant(f, b, rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "place"), 0)), &quiet, &planted)
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
