package naive_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"freehold/exec"
	"freehold/exec/interp"
	"freehold/ir"
)

// What is allocated and not freed is told, in the order of the allocations.
func TestLeaksOfPrograms(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 5))
		var b strings.Builder
		b.WriteString("func.func @f() {\n")
		line, next := 2, 0
		live := map[int]int{} // the lines of allocations by their numbers
		var order []int
		for range 4 + r.IntN(20) {
			if len(order) > 0 && r.IntN(2) == 0 {
				k := r.IntN(len(order))
				fmt.Fprintf(&b, "  memref.dealloc %%m%d : memref<%dxi8>\n", order[k], order[k]%3)
				delete(live, order[k])
				order = append(order[:k], order[k+1:]...)
			} else {
				fmt.Fprintf(&b, "  %%m%d = memref.alloc() : memref<%dxi8>\n", next, next%3)
				live[next] = line
				order = append(order, next)
				next++
			}
			line++
		}
		b.WriteString("  return\n}\n")
		m, err := load(b.String())
		if err != nil {
			t.Fatal(err)
		}
		res, err := interp.Run(m, entry(t, m), nil, interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var want, got []int
		for _, k := range order {
			want = append(want, live[k])
		}
		for _, f := range res.Findings {
			if f.Kind != exec.Leak {
				t.Errorf("%v\n%s", f, b.String())
			}
			loc, _ := f.Loc.(*ir.FileLineColLoc)
			if loc == nil {
				t.Fatalf("no place: %v", f)
			}
			got = append(got, int(loc.Line))
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("leaks of lines %v, not %v\n%s", got, want, b.String())
		}
	}
}
