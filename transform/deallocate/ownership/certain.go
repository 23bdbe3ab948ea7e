package ownership

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/ir"
)

// replaceCertain replaces the truth values that a function passes on between its regions and
// blocks, and that are the same constant on all ways, by that constant, also where they go round
// in loops: what starts as true and stays what it is, is true. It tells whether there are any.
// Linear in the size of the function.
func replaceCertain(fn *ir.Op) (changed bool) {
	if fn.RegionAt(0).Empty() {
		return false
	}
	p := newPassed()
	p.addEdges(fn)
	c := constants{}
	for _, want := range []bool{true, false} {
		certain := p.always(want)
		for _, v := range p.order {
			changed = certain[v] && c.replace(v, fn, want) || changed
		}
	}
	return changed
}

// constants are those that functions start with, once they are needed.
type constants map[constantIn]*ir.Value

type constantIn struct {
	fn    *ir.Op
	value bool
}

// replace has a constant used instead of v, which is in fn. It tells whether v had uses.
func (c constants) replace(v *ir.Value, fn *ir.Op, value bool) bool {
	if !v.HasUses() {
		return false
	}
	v.ReplaceAllUsesWith(c.at(fn, value))
	return true
}

// at returns the constant of a function.
func (c constants) at(fn *ir.Op, value bool) *ir.Value {
	constant := c[constantIn{fn, value}]
	if constant == nil {
		b := ir.NewBuilder(fn.Context())
		b.SetStart(fn.RegionAt(0).Entry())
		b.Loc = fn.Loc()
		constant = arith.ConstantBool(b, value)
		c[constantIn{fn, value}] = constant
	}
	return constant
}

// always returns what is a constant on all ways: all that nothing else reaches. Linear in what is passed.
func (p *passed) always(want bool) map[*ir.Value]bool {
	certain := make(map[*ir.Value]bool, len(p.order))
	for _, v := range p.order {
		certain[v] = true
	}
	var work []*ir.Value
	for _, v := range p.order {
		if slices.ContainsFunc(p.sources[v], func(s *ir.Value) bool {
			return s == nil || p.sources[s] == nil && !ir.IsConstantBool(s, want)
		}) {
			certain[v] = false
			work = append(work, v)
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, w := range p.targets[v] {
			if certain[w] {
				certain[w] = false
				work = append(work, w)
			}
		}
	}
	return certain
}
