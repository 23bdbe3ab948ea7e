package analysis_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"freehold/ir"
	"freehold/ir/analysis"
)

// The last use of a buffer that may be one of few, or of many, is the last of what queries say may be the same: whether or not so many meet it that they are
// looked at from the last one on.
func TestLastUsesOfSeveral(t *testing.T) {
	const allocs = 12
	for seed := range uint64(60) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		var b strings.Builder
		fmt.Fprintf(&b, "func.func @f(%%c: i1, %%i: index) {\n")
		var names []string
		add := func(format string, args ...any) {
			name := fmt.Sprintf("%%v%d", len(names))
			fmt.Fprintf(&b, "  %s = "+format+"\n", append([]any{name}, args...)...)
			names = append(names, name)
		}
		for range allocs {
			add("memref.alloc() : memref<4xi8>")
		}
		from := len(names)
		if seed%2 == 0 {
			from = allocs / 4 // so that few have most in common
		}
		for range 50 {
			if rnd.IntN(8) == 0 {
				from = len(names)
			}
			add("arith.select %%c, %s, %s : memref<4xi8>", names[rnd.IntN(from)], names[rnd.IntN(from)])
		}
		for i := range 120 {
			fmt.Fprintf(&b, "  %%l%d = memref.load %s[%%i] : memref<4xi8>\n", i, names[rnd.IntN(len(names))])
		}
		b.WriteString("  return\n}\n")
		m, _ := load(t, b.String())
		fn := m.RegionAt(0).Entry().First()
		buffers := analysis.NewBuffers(fn, analysis.BufferOptions{})
		last, first := buffers.NewLastUses(), buffers.NewFirstUses()
		var uses []*ir.Op
		var values []*ir.Value // by their names
		for op := range fn.RegionAt(0).Entry().Ops() {
			if op.Name() == "memref.load" {
				uses = append(uses, op)
				last.Add(op, nil)
				first.Add(op, nil)
			} else if op.NumResults() == 1 {
				values = append(values, op.Result(0))
			}
		}
		for i, v := range values {
			name := names[i]
			var wantFirst, wantLast *ir.Op
			for _, op := range uses {
				if buffers.Query(v, op.Operand(0)) == analysis.NeverAlias {
					continue
				}
				if wantLast = op; wantFirst == nil {
					wantFirst = op
				}
			}
			if got := last.Of(v); got != wantLast {
				t.Fatalf("seed %d: another last use of %s than by queries\n%s", seed, name, b.String())
			}
			if got := first.Of(v); got != wantFirst {
				t.Fatalf("seed %d: another first use of %s than by queries\n%s", seed, name, b.String())
			}
		}
	}
}
