package exhaustive_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"freehold/ir"
)

// TestConstants folds operations on vectors that have all pairs of numbers of a small floating-point format.
func TestConstants(t *testing.T) {
	r := rand.New(rand.NewPCG(*seed, 2))
	for _, f := range ir.FloatTypes() {
		if f.Width > 8 {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			values := 1 << f.Width
			n, first, step := values*values, 0, 1
			if !*all && n > 997 {
				n, first, step = 997, r.IntN(n), 2*r.IntN(n/2)+1
			}
			elem := fmt.Sprintf("vector<%dx%s>", n, f.Name)
			w := newWorld(fmt.Sprintf("%s vector<%dxi1> vector<%dxi4> vector<%dxf16>", elem, n, n, n), false)
			var sides [2][]byte
			for i := range n {
				k := (first + i*step) % (values * values)
				sides[0], sides[1] = append(sides[0], byte(k%values)), append(sides[1], byte(k/values))
			}
			b := newBatch(t, w, canonicalizer(w))
			typ := w.types[0]
			for _, x := range w.instances {
				if slices.ContainsFunc(x.in, func(in ir.Type) bool { return in != typ }) || len(x.in) > 2 || x.sloppy || x.free {
					continue
				}
				var kids []*tree
				for i := range x.in {
					kids = append(kids, &tree{constant: w.ctx.DenseElements(typ, sides[i]), typ: typ})
				}
				b.addAll(x, kids)
				if len(b.list) > 20 {
					b.judge()
				}
			}
			b.judge()
			b.log()
			if b.rewritten == 0 {
				t.Error("nothing was folded")
			}
		})
	}
}
