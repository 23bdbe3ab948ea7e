package transform_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"freehold/exec/interp"
	"freehold/internal/testing/irgen"
	"freehold/ir"
	"freehold/transform/memory/schedule"
)

// Ordered programs compute the same, each block has the operations that it had, and none needs more than before.
func TestScheduleInPrograms(t *testing.T) {
	moved := 0
	for seed := range *programs {
		rnd := rand.New(rand.NewPCG(seed, 31))
		for _, g := range irgen.Generators {
			if g.Idle || g.Mutants || g.Odd {
				continue
			}
			src := g.Generate(rnd.IntN, 25)
			if !strings.Contains(src, "tensor<") {
				continue
			}
			want := execute(t, parse(t, src), g)
			m := parse(t, src)
			before := operationsOf(m)
			results, err := schedule.Run(m, schedule.Options{StepLimit: 20000})
			if err != nil {
				t.Fatalf("%s %d: %v\n%s", g.Name, seed, err, src)
			}
			if err := ir.Verify(m); err != nil {
				t.Fatalf("%s %d: %v\n%s", g.Name, seed, err, src)
			}
			if !slices.Equal(before, operationsOf(m)) {
				t.Fatalf("%s %d: other operations than before\n%s", g.Name, seed, src)
			}
			for _, r := range results {
				if r.After > r.Before || r.Bound > r.After {
					t.Fatalf("%s %d: %d became %d, bound %d\n%s", g.Name, seed, r.Before, r.After, r.Bound, src)
				}
				moved += r.Moved
			}
			if got := execute(t, m, g); !interp.Equal(want.Values, got.Values) {
				t.Fatalf("%s %d: another result\n%s", g.Name, seed, src)
			}
		}
	}
	if moved == 0 {
		t.Error("nothing was ordered")
	}
}

// operationsOf returns the names of the operations of each block, sorted.
func operationsOf(m *ir.Op) (out []string) {
	m.Walk(func(op *ir.Op) bool {
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				var names []string
				for o := range b.Ops() {
					names = append(names, o.Name())
				}
				slices.Sort(names)
				out = append(out, strings.Join(names, " "))
			}
		}
		return true
	})
	slices.Sort(out)
	return out
}
