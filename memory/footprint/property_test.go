package footprint_test

import (
	"math/rand/v2"
	"sync"
	"testing"

	"freehold/dialect"
	"freehold/driver"
	"freehold/exec/interp"
	"freehold/internal/testing/irgen"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
	"freehold/memory/footprint"
	"freehold/pass"
)

// The peak is never below what executions need.
func TestPeakIsBound(t *testing.T) {
	pipelines := []string{
		"builtin.module()", // nothing is freed
		"builtin.module(complete-buffer-deallocation-pipeline)",
		"builtin.module(complete-buffer-deallocation-pipeline,elide-copies,views-for-moves,free-after-last-use)",
		"builtin.module(complete-buffer-deallocation-pipeline,plan-memory)",
	}
	tight := 0
	for seed := range uint64(50) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		for _, g := range irgen.Generators {
			if g.Odd || g.Name == "tensors" || g.Name == "limits" || g.Name == "loops" || g.Name == "calls" {
				continue
			}
			src := g.Generate(rnd.IntN, 20)
			m := parse(t, src)
			if g.Name != "rare" { // frees buffers
				run(t, m, pipelines[seed%uint64(len(pipelines))])
			}
			fn, err := interp.Entry(m, "main")
			if err != nil {
				t.Fatal(err)
			}
			f := footprint.Analyze(m).Of(fn)
			need := execute(t, fn, g)
			if peak := f.Peak(); peak.IsStatic() && !f.Unknown {
				if peak.Bytes < need {
					t.Fatalf("%s %d: the peak is %d, but an execution needs %d\n%s", g.Name, seed, peak.Bytes, need, asm.Print(m, asm.PrintOptions{}))
				}
				if peak.Bytes == need && need > 0 {
					tight++
				}
			}
		}
	}
	t.Logf("%d programs need exactly their peak", tight)
	if tight < 20 {
		t.Errorf("the peak is nearly never what is needed")
	}
}

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

func run(t *testing.T, m *ir.Op, pipeline string) {
	t.Helper()
	pm, err := driver.Freehold().Registry().ParsePipeline(pipeline)
	if err == nil {
		err = (&pass.Runner{VerifyEach: true}).Run(pm, m)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// execute returns how many bytes an execution of a function on random arguments needs.
func execute(t *testing.T, fn *ir.Op, g irgen.Generator) int64 {
	t.Helper()
	m, _ := interfaces.Function.Of(fn)
	var args []interp.Value
	for i, in := range m.Type(fn).Inputs {
		v, err := interp.Parse(fn.Context(), "random", in, rand.New(rand.NewPCG(1, uint64(i))))
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, v)
	}
	res, err := interp.Run(fn.Parent(), fn, args, interp.Options{MaxSteps: 1_000_000})
	if err != nil {
		t.Fatal(err)
	}
	return res.Stats.PeakBytes
}
