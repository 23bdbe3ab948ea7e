package analysis_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"freehold/ir"
	"freehold/ir/analysis"
)

// forwardBlocks is a function of n blocks that go to random later ones, and use random buffers that are there.
func forwardBlocks(r *rand.Rand, n int) string {
	var s strings.Builder
	s.WriteString("func.func @f(%c: i1) {\n  %x = memref.alloc() : memref<4xf32>\n")
	reached := map[int]bool{0: true}
	froms := map[int][]int{}
	for i := range n {
		if i > 0 {
			fmt.Fprintf(&s, "^b%d:\n", i)
		}
		fmt.Fprintf(&s, "  %%a%d = memref.alloc() : memref<4xf32>\n", i)
		// A buffer of a block that all ways lead through.
		at := i
		for range r.IntN(4) {
			if list := froms[at]; len(list) == 1 {
				at = list[0]
			}
		}
		fmt.Fprintf(&s, "  memref.copy %%a%d, %%x : memref<4xf32> to memref<4xf32>\n", at)
		go1, go2 := i+1, min(i+1+r.IntN(3), n)
		if i == n-1 || i > 2 && r.IntN(9) == 0 && reached[i+1] {
			s.WriteString("  return\n")
			continue
		}
		go1, go2 = min(go1, n-1), min(go2, n-1)
		for _, k := range []int{go1, go2} {
			reached[k] = true
			if !slices.Contains(froms[k], i) {
				froms[k] = append(froms[k], i)
			}
		}
		fmt.Fprintf(&s, "  cf.cond_br %%c, ^b%d, ^b%d\n", go1, go2)
	}
	s.WriteString("}\n")
	return s.String()
}

// Where control only goes forward, values are found to be live where they are found to be otherwise.
func TestForward(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		src := forwardBlocks(r, 2+r.IntN(14))
		m, _ := load(t, src)
		fn := m.BodyBlock(0).First()
		b := analysis.NewBuffers(fn, analysis.BufferOptions{})
		fast, slow := analysis.NewLifetimes(fn), analysis.NewLifetimes(fn)
		slow.ForgetForward()
		if !fast.GoesForward() {
			t.Fatalf("control goes back:\n%s", src)
		}
		never := func(*ir.Value) bool { return false }
		one, other := fast.Reach(b, never), slow.Reach(b, never)
		fn.Walk(func(op *ir.Op) bool {
			if op.NumResults() == 1 && ir.IsMemRef(op.Result(0).Type()) {
				if x, y := one.Of(op.Result(0)), other.Of(op.Result(0)); !slices.Equal(x, y) {
					t.Fatalf("%v is live at %v, not %v:\n%s", op.Loc(), y, x, src)
				}
			}
			return true
		})
	}
}
