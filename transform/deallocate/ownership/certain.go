package ownership

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/interfaces"
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
	for _, want := range []bool{true, false} {
		var constant *ir.Value
		certain := p.always(want)
		for _, v := range p.order {
			if !certain[v] || !v.HasUses() {
				continue
			}
			if constant == nil {
				b := ir.NewBuilder(fn.Context())
				b.SetStart(fn.RegionAt(0).Entry())
				b.Loc = fn.Loc()
				constant = arith.ConstantBool(b, want)
			}
			v.ReplaceAllUsesWith(constant)
			changed = true
		}
	}
	return changed
}

// passed are the truth values that go from region to region, from block to block, or to functions.
type passed struct {
	order []*ir.Value // what gets one
	// sources are what each of these may be, targets the other way around.
	sources, targets map[*ir.Value][]*ir.Value
}

func newPassed() *passed {
	return &passed{sources: map[*ir.Value][]*ir.Value{}, targets: map[*ir.Value][]*ir.Value{}}
}

// addEdges adds what is passed on in a function.
func (p *passed) addEdges(fn *ir.Op) {
	fn.Walk(func(op *ir.Op) bool {
		if m, ok := interfaces.RegionBranch.Of(op); ok {
			interfaces.ForEachRegionEdge(op, m, p.pass)
		}
		m, known := interfaces.Branch.Of(op)
		for i := range op.NumSuccessors() {
			args := op.Successor(i).Args()
			produced := len(args)
			if known {
				var start, n int
				start, n, produced = m.SuccessorOperands(op, i)
				p.pass(op.Operands()[start:start+n], args[produced:])
			}
			for _, v := range args[:produced] {
				p.add(nil, v)
			}
		}
		return true
	})
}

func (p *passed) pass(values ir.Operands, inputs []*ir.Value) {
	for i, v := range inputs {
		if i < len(values) {
			p.add(values.At(i), v)
		}
	}
}

// add adds that v may get a value, which is nil if it isn't known.
func (p *passed) add(value, v *ir.Value) {
	if v.Type() != ir.I1 {
		return
	}
	if p.sources[v] == nil {
		p.order = append(p.order, v)
	}
	p.sources[v] = append(p.sources[v], value)
	p.targets[value] = append(p.targets[value], v)
}

// always returns what is a constant on all ways: all that nothing else reaches.
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
