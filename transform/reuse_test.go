package transform_test

import (
	"flag"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"

	"freehold/dialect"
	"freehold/driver"
	"freehold/exec/interp"
	"freehold/internal/testing/irgen"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
	"freehold/pass"
	"freehold/proof/check"
)

const (
	fromTensors = "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops function-boundary-type-conversion=identity-layout-map},"
	deallocated = "complete-buffer-deallocation-pipeline"
)

// What the passes make of programs computes the same, does nothing wrong with memory, and is
// safe for all that check can tell.
func TestReuseInPrograms(t *testing.T) {
	passes := []string{
		"plan-memory", "plan-memory{arena=global alignment=1}", "plan-memory{stack-below=16},canonicalize,cse",
		"elide-copies,views-for-moves,reuse-buffers{static=false},free-after-last-use,plan-memory",
		"reuse-buffers", "reuse-buffers{in-place=false static=false},plan-memory", "elide-copies,views-for-moves,reuse-buffers,free-after-last-use",
	}
	arenas := 0
	for seed := range *programs {
		rnd := rand.New(rand.NewPCG(seed, 11))
		for _, g := range irgen.Generators {
			if g.Idle || g.Mutants || g.Odd {
				continue
			}
			src := g.Generate(rnd.IntN, 25)
			want := execute(t, parse(t, src), g)
			for i := range passes {
				if i != int(seed)%len(passes) {
					continue
				}
				before := deallocated
				if strings.Contains(src, "tensor<") {
					before = fromTensors + deallocated
				}
				m := parse(t, src)
				if run(m, before) != nil {
					continue // what bufferization and deallocation don't take
				}
				judged := check.Module(m, check.Options{})
				pipeline := passes[i]
				if err := run(m, pipeline); err != nil {
					t.Fatalf("%s %d: %s: %v\n%s", g.Name, seed, pipeline, err, src)
				}
				after := string(asm.Print(m, asm.PrintOptions{}))
				arenas += strings.Count(after, "freehold.arena")
				got := execute(t, m, g)
				if len(got.Findings) > 0 {
					t.Fatalf("%s %d: %s\n%v\n%s\n%s", g.Name, seed, pipeline, got.Findings[0].Diagnostic, src, after)
				}
				if !interp.Equal(want.Values, got.Values) {
					t.Fatalf("%s %d: %s computes something else\n%s\n%s", g.Name, seed, pipeline, src, after)
				}
				if r := check.Module(m, check.Options{}); len(r.Findings) > len(judged.Findings) {
					t.Fatalf("%s %d: %s: %v\n%s\n%s", g.Name, seed, pipeline, r.Findings[0], src, after)
				}
			}
		}
	}
	if t.Logf("%d arenas", arenas); arenas == 0 {
		t.Error("no program has an arena")
	}
}

var programs = flag.Uint64("programs", 15, "the number of random programs of each property, or of each generator")

// context is that of all programs.
var context = sync.OnceValue(func() *ir.Context { return ir.NewContext(dialect.All()...) })

func parse(t *testing.T, src string) *ir.Op {
	t.Helper()
	m, err := asm.Parse(context(), []byte(src), "p.mlir", asm.ParseOptions{})
	if err == nil {
		err = ir.Verify(m)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return m
}

func run(m *ir.Op, passes string) error {
	pm, err := driver.Freehold().Registry().ParsePipeline("builtin.module(" + passes + ")")
	if err != nil {
		return err
	}
	return (&pass.Runner{VerifyEach: true}).Run(pm, m)
}

func execute(t *testing.T, m *ir.Op, g irgen.Generator) *interp.Result {
	t.Helper()
	return executeTraced(t, m, g).Result
}

func executeTraced(t *testing.T, m *ir.Op, g irgen.Generator) traced {
	t.Helper()
	fn, err := interp.Entry(m, "main")
	if err != nil {
		t.Fatal(err)
	}
	function, _ := interfaces.Function.Of(fn)
	var args []interp.Value
	for i, in := range function.Type(fn).Inputs {
		text := "random"
		if shape, ok := ir.ShapeOf(in); ok && !ir.IsStaticShape(shape) && g.Sizes != nil {
			text += ":"
			for k, n := range g.Sizes(len(shape)) {
				if k > 0 {
					text += "x"
				}
				text += strconv.FormatInt(n, 10)
			}
		}
		v, err := interp.Parse(m.Context(), text, in, rand.New(rand.NewPCG(1, uint64(i))))
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, v)
	}
	trace := &interp.MemoryTrace{}
	res, err := interp.Run(m, fn, args, interp.Options{MaxSteps: 3_000_000, Memory: trace})
	if err != nil {
		t.Fatal(err)
	}
	return traced{res, trace}
}

// What is reused in a block never makes a program need more memory at a time, whatever the sizes are that aren't known.
func TestReuseNeedsNoMore(t *testing.T) {
	served := 0
	for seed := range *programs {
		rnd := rand.New(rand.NewPCG(1080+seed, 13))
		for _, g := range irgen.Generators {
			if g.Sizes == nil {
				continue
			}
			src := g.Generate(rnd.IntN, 40)
			m := parse(t, src)
			if run(m, fromTensors+deallocated+",free-after-last-use") != nil {
				continue
			}
			before := string(asm.Print(m, asm.PrintOptions{}))
			want := execute(t, m, g)
			if err := run(m, "reuse-buffers{static=false rotate=false},free-after-last-use"); err != nil {
				t.Fatalf("%s %d: %v\n%s", g.Name, seed, err, src)
			}
			after := string(asm.Print(m, asm.PrintOptions{}))
			if before == after {
				continue
			}
			served++
			if got := execute(t, m, g); got.Stats.PeakBytes > want.Stats.PeakBytes {
				t.Errorf("%s %d: %d bytes at a time, and %d before\n%s\n%s", g.Name, seed, got.Stats.PeakBytes, want.Stats.PeakBytes, before, after)
			}
		}
	}
	if t.Logf("%d programs reuse buffers", served); served == 0 {
		t.Error("none reuses any")
	}
}
