package exhaustive_test

import (
	"math/rand/v2"
	"testing"

	"freehold/ir"
	"freehold/pass"
	"freehold/transform"
)

// pipeline returns what runs a pipeline on a module.
func pipeline(text string) func(module *ir.Op) error {
	var registry pass.Registry
	transform.Register(&registry)
	m, err := registry.ParsePipeline("builtin.module(" + text + ")")
	return func(module *ir.Op) error {
		if err != nil {
			return err
		}
		return (&pass.Runner{Threads: 1}).Run(m, module)
	}
}

// TestPasses runs every pass with its default options on functions of one operation or two. Those that refuse to are left out.
func TestPasses(t *testing.T) {
	var registry pass.Registry
	transform.Register(&registry)
	changed := 0
	for _, tt := range []struct{ types string }{{"i1 i3 index"}, {"i1 i4 bf16 f32"}, {"tensor<2xi1> tensor<2xi3> tensor<2xf16>"}, {"f16 complex<f16>"}} {
		w := newWorld(tt.types, true)
		for _, p := range registry.Passes() {
			b := newBatch(t, w, pipeline(p.Name))
			r := rand.New(rand.NewPCG(*seed, 5))
			b.runs = 100
			some := 25
			if *all {
				some = 20000
			}
			for range some {
				x := w.instances[r.IntN(len(w.instances))]
				list, _ := w.randomLeaves(r, x.in, nil)
				b.addAll(x, list)
			}
			b.twins(r, some)
			changed += b.rewritten
			if b.rewritten > 0 {
				t.Logf("%s: %d programs, %d changed, %d executions", p.Name, b.tried, b.rewritten, b.executed)
			}
		}
	}
	if changed == 0 {
		t.Error("no pass changed anything")
	}
}
