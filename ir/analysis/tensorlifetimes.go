package analysis

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// Tensors returns the lifetimes of the tensors that operations of the function compute, each
// as a buffer of its own, in their order. What only passes tensors on, such as control flow
// and casts, computes none; own tells for other results. Those of an operation with regions are alive while these are executed. It takes as many steps as the values that
// tensors are passed on as have uses, and for each tensor those of up to some hundreds of such values.
func (l *Lifetimes) Tensors(own func(v *ir.Value) bool) (out []Lifetime) {
	p := passedOn{l: l, number: map[*ir.Value]int{}}
	for i, op := range l.seq {
		if i > 0 && l.times[op].Lower != int64(2*i) || op == l.fn || interfaces.IsCast(op) {
			continue
		}
		given := givenResults(op)
		for _, v := range op.Results().Values() {
			if ir.IsTensor(v.Type()) && (given == nil || !given[v]) && own(v) {
				out = append(out, Lifetime{Value: v})
				p.add(v)
			}
		}
	}
	hulls := p.hulls()
	for i := range out {
		first := p.number[out[i].Value]
		reached := p.reach(first)
		if len(reached) > mostHolders {
			out[i].Spans = []Span{hulls[first].hull(l.times[out[i].Value.DefiningOp()])}
			continue
		}
		s := spanner{l: l}
		if op := out[i].Value.DefiningOp(); op.NumRegions() > 0 {
			s.add(l.times[op].Lower, l.defined(out[i].Value))
		}
		for _, k := range reached {
			s.spans = append(s.spans, p.spans[k]...)
		}
		out[i].Spans = s.merged()
	}
	return out
}

// passedOn is what values are passed on as.
type passedOn struct {
	l      *Lifetimes
	number map[*ir.Value]int
	values []*ir.Value
	// targets are what each value is passed on as, spans when it is live.
	targets [][]int
	spans   [][]Span
}

// add adds a value and all that it is passed on as.
func (p *passedOn) add(v *ir.Value) {
	note := func(v *ir.Value) int {
		n, known := p.number[v]
		if !known {
			n = len(p.values)
			p.number[v], p.values = n, append(p.values, v)
		}
		return n
	}
	for next, _ := len(p.values), note(v); next < len(p.values); next++ {
		s := spanner{l: p.l}
		s.value(p.values[next])
		var targets []int
		for u := p.values[next].FirstUse(); u != nil; u = u.Next() {
			forEachPassed(u, func(to *ir.Value) { targets = append(targets, note(to)) })
		}
		p.spans, p.targets = append(p.spans, s.merged()), append(p.targets, targets)
	}
}

// reach returns a value and what it is passed on as; some more than mostHolders if there are more.
func (p *passedOn) reach(first int) []int {
	out, seen := []int{first}, map[int]bool{first: true}
	for i := 0; i < len(out) && len(out) <= mostHolders; i++ {
		for _, to := range p.targets[out[i]] {
			if !seen[to] {
				seen[to], out = true, append(out, to)
			}
		}
	}
	return out
}

// hulls returns, for each value, the times from the first to the last at which it or what it is
// passed on as is live.
func (p *passedOn) hulls() []Span {
	out, done := make([]Span, len(p.values)), make([]bool, len(p.values))
	for _, comp := range components(len(p.values), func(i, j int) (int, bool) {
		if j < len(p.targets[i]) {
			return p.targets[i][j], true
		}
		return 0, false
	}) {
		hull := p.spans[comp[0]][0]
		for _, i := range comp {
			hull = hull.hull(p.spans[i][0]).hull(p.spans[i][len(p.spans[i])-1])
			for _, to := range p.targets[i] {
				if done[to] {
					hull = hull.hull(out[to])
				}
			}
		}
		for _, i := range comp {
			out[i], done[i] = hull, true
		}
	}
	return out
}

// givenResults returns the results of an operation that are values that its operands or regions pass to it, as those of most control flow
// are; nil if there are none. The others it computes, such as those of scf.forall.
func givenResults(op *ir.Op) map[*ir.Value]bool {
	m, ok := interfaces.RegionBranch.Of(op)
	if !ok || op.NumResults() == 0 {
		return nil
	}
	given := map[*ir.Value]bool{}
	interfaces.ForEachRegionEdge(op, m, func(operands ir.Operands, inputs []*ir.Value) {
		for i, v := range inputs {
			if v.DefiningOp() == op && i < len(operands) {
				given[v] = true
			}
		}
	})
	return given
}

// forEachPassed calls fn for what a use passes its value on as.
func forEachPassed(u *ir.Use, fn func(to *ir.Value)) {
	op, i := u.Owner(), u.Index()
	pass := func(start, n int, s interfaces.RegionSuccessor) {
		if i >= start && i < start+n && i-start < len(s.Inputs) {
			fn(s.Inputs[i-start])
		}
	}
	if interfaces.IsCast(op) && op.NumResults() == 1 {
		fn(op.Result(0))
		return
	}
	if m, ok := interfaces.Branch.Of(op); ok {
		for s := range op.NumSuccessors() {
			if start, n, produced := m.SuccessorOperands(op, s); i >= start && i < start+n {
				fn(op.Successor(s).Arg(produced + i - start))
			}
		}
		return
	}
	if m, ok := interfaces.RegionBranch.Of(op); ok {
		for _, s := range m.Successors(op, interfaces.ParentPoint) {
			start, n := m.EntryOperands(op, interfaces.RegionPoint{Region: s.Region})
			pass(start, n, s)
		}
	}
	if interfaces.IsRegionTerminator(op) && op.Parent() != nil {
		if m, ok := interfaces.RegionBranch.Of(op.Parent()); ok {
			for _, s := range m.Successors(op.Parent(), interfaces.RegionPoint{Region: op.Region()}) {
				start, n := interfaces.TerminatorOperands(op, interfaces.RegionPoint{Region: s.Region})
				pass(start, n, s)
			}
		}
	}
}
