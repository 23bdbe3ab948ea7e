package exhaustive_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"freehold/ir"
)

// TestAffineMaps tries the operations that have an affine map as their attribute, and compute numbers of type index, with random maps, on
// arguments and on results of each other.
func TestAffineMaps(t *testing.T) {
	for name, change := range map[string]func(w *world) func(module *ir.Op) error{
		"canonicalize": canonicalizer,
		"lower-affine": func(*world) func(module *ir.Op) error { return pipeline("lower-affine") },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld("index", true)
			var names []*ir.OpName
			for _, x := range w.instances {
				hasMap := slices.ContainsFunc(x.attrs, func(a ir.NamedAttr) bool { _, ok := a.Value.(*ir.AffineMapAttr); return ok })
				if hasMap && !slices.Contains(names, x.name) {
					names = append(names, x.name)
				}
			}
			if len(names) == 0 {
				t.Fatal("there are no such operations")
			}
			b := newBatch(t, w, change(w))
			b.runs = 50
			r := rand.New(rand.NewPCG(*seed, 4))
			n := 3000
			if *all {
				n = 300000
				b.runs = 200
			}
			for range n {
				x := w.randomMapped(r, names[r.IntN(len(names))])
				var kids []*tree
				for i := range x.in {
					kid := &tree{arg: i, typ: ir.Index}
					if r.IntN(3) == 0 {
						// The values of maps are dimensions and symbols.
						y := w.randomMapped(r, names[r.IntN(len(names))])
						kid = &tree{of: y}
						for range y.in {
							kid.kids = append(kid.kids, &tree{arg: r.IntN(3), typ: ir.Index})
						}
					} else if r.IntN(6) == 0 {
						kid = &tree{constant: w.ctx.IndexAttr(int64(r.IntN(11) - 3)), typ: ir.Index}
					}
					kids = append(kids, kid)
				}
				b.add(&tree{of: x, kids: kids})
			}
			b.judge()
			b.log()
		})
	}
}

// randomMapped returns an instance of an operation with a random map of up to three operands.
func (w *world) randomMapped(r *rand.Rand, n *ir.OpName) *instance {
	c := w.ctx
	dims, syms := 1+r.IntN(2), r.IntN(2)
	var expr func(depth int) *ir.AffineExpr
	expr = func(depth int) *ir.AffineExpr {
		k := func(least, most int) *ir.AffineExpr { return c.AffineConstant(int64(least + r.IntN(most-least+1))) }
		if depth == 0 || r.IntN(6) == 0 {
			switch v := r.IntN(dims + syms + 1); {
			case v < dims:
				return c.AffineDim(v)
			case v < dims+syms:
				return c.AffineSymbol(v - dims)
			}
			return k(-5, 6)
		}
		by := k(1, 6)
		if syms > 0 && r.IntN(8) == 0 {
			by = c.AffineSymbol(0)
		}
		switch e := expr(depth - 1); r.IntN(7) {
		case 0:
			return c.AffineMul(e, k(-4, 6))
		case 1:
			return c.AffineMod(e, by)
		case 2:
			return c.AffineFloorDiv(e, by)
		case 3:
			return c.AffineCeilDiv(e, by)
		default:
			return c.AffineAdd(e, expr(depth-1))
		}
	}
	def := n.Def()
	x := &instance{name: n, out: []ir.Type{ir.Index}, unverified: true}
	for range dims + syms {
		x.in = append(x.in, ir.Index)
	}
	results := []*ir.AffineExpr{expr(3)}
	for _, d := range def.Attrs {
		for range max(0, r.IntN(4)-1) {
			results = append(results, expr(2))
		}
		m := c.AffineMapAttr(c.AffineMap(dims, syms, results...))
		if d.Accepts(m) {
			x.attrs = append(x.attrs, ir.NamedAttr{Name: d.Name, Value: m})
		}
	}
	return x
}
