package analysis

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// Tensors returns the lifetimes of the tensors that operations of the function compute, each
// as a buffer of its own, in their order. What only passes tensors on, such as control flow
// and casts, computes none; own tells for other results. Those of an operation with regions are alive while these are executed. What is
// a part of a tensor, such as a slice, keeps it alive as well. It takes as many steps as the values that
// tensors are passed on as have uses, and for each tensor those of up to some hundreds of such values.
//
// A value that is passed on can't always give its buffer away; copies are what has to be there then.
// written tells whether what a call gives as an operand may be written by what it calls.
func (l *Lifetimes) Tensors(own func(v *ir.Value) bool, written func(call *ir.Op, operand int) bool) (tensors []Lifetime, copies []TensorCopy) {
	p := &passedOn{l: l, number: map[passedValue]int{}, given: map[*ir.Op]map[*ir.Value]bool{}}
	for i, op := range l.seq {
		if i > 0 && l.places[op][0] != uint32(i) || op == l.fn || interfaces.IsCast(op) {
			continue
		}
		for _, v := range op.Results().Values() {
			if ir.IsTensor(v.Type()) && !p.isGiven(v) && own(v) {
				tensors = append(tensors, Lifetime{Value: v})
				p.add(v)
			}
		}
	}
	copies = p.copies(own, written)
	for _, c := range copies {
		if c.kept {
			p.add(c.To)
		}
	}
	hulls := p.hulls()
	for i := range tensors {
		tensors[i].Spans = p.alive(tensors[i].Value, hulls)
		tensors[i].Returned = p.returned(tensors[i].Value)
	}
	for i := range copies {
		if c := &copies[i]; c.kept {
			c.Spans = united(c.Spans, p.alive(c.To, hulls))
		}
	}
	return tensors, copies
}

// passedOn is what values are passed on as.
type passedOn struct {
	l      *Lifetimes
	number map[passedValue]int
	values []passedValue
	// targets are what each value is passed on as, spans when it is live.
	targets [][]int
	spans   [][]Span
	given   map[*ir.Op]map[*ir.Value]bool // as givenResults says
}

// passedValue is a value that stands for a tensor, or for a part of it.
type passedValue struct {
	v    *ir.Value
	part bool
}

// isGiven tells whether a result is a value that control flow passes to it.
func (p *passedOn) isGiven(v *ir.Value) bool {
	op := v.DefiningOp()
	given, known := p.given[op]
	if !known {
		given = givenResults(op)
		p.given[op] = given
	}
	return given[v]
}

// add adds a value and all that it is passed on as.
func (p *passedOn) add(v *ir.Value) {
	note := func(x passedValue) int {
		n, known := p.number[x]
		if !known {
			n = len(p.values)
			p.number[x], p.values = n, append(p.values, x)
		}
		return n
	}
	for next, _ := len(p.values), note(passedValue{v, false}); next < len(p.values); next++ {
		x := p.values[next]
		s := spanner{l: p.l}
		s.value(x.v)
		if op := x.v.DefiningOp(); op != nil && op.NumRegions() > 0 && !p.isGiven(x.v) {
			begin, _ := p.l.Of(op)
			s.add(begin, p.l.defined(x.v))
		}
		var targets []int
		for u := x.v.FirstUse(); u != nil; u = u.Next() {
			forEachPassed(u, func(to *ir.Value) { targets = append(targets, note(passedValue{to, x.part})) })
			forEachSharing(u, x.part, p.isGiven, func(to *ir.Value, part bool) { targets = append(targets, note(passedValue{to, part})) })
		}
		p.spans, p.targets = append(p.spans, s.merged()), append(p.targets, targets)
	}
}

// alive returns when a value that was added, or what it is passed on as, is live, in order.
func (p *passedOn) alive(v *ir.Value, hulls []Span) []Span {
	first := p.number[passedValue{v, false}]
	reached := p.reach(first)
	if len(reached) > mostHolders {
		return []Span{hulls[first]}
	}
	s := spanner{l: p.l}
	for _, k := range reached {
		s.spans = append(s.spans, p.spans[k]...)
	}
	return s.merged()
}

// returned returns which results of the function may be a part of a value that was added, or, as that may be a part itself, what a call
// returned. Of many values that one is passed on as, it looks at some.
func (p *passedOn) returned(v *ir.Value) (out []int) {
	call := interfaces.Call.Has(v.DefiningOp())
	for _, k := range p.reach(p.number[passedValue{v, false}]) {
		if !call && !p.values[k].part {
			continue
		}
		for u := p.values[k].v.FirstUse(); u != nil; u = u.Next() {
			if op := u.Owner(); op.Parent() == p.l.fn && interfaces.IsRegionTerminator(op) {
				out = append(out, u.Index())
			}
		}
	}
	return out
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

// forEachSharing calls fn for what may have the buffer, or a part of it, of a tensor that a use is of, or of a part of one if part is true,
// though it isn't passed on as that: the parts that an operation takes of it, what one chooses of several tensors, and
// what is computed in the place of a part. What may be computed in the place of a tensor as a whole is no less than that, and counts itself.
// given tells of results that they are values that control flow passes to them.
func forEachSharing(u *ir.Use, part bool, given func(v *ir.Value) bool, fn func(to *ir.Value, part bool)) {
	op := u.Owner()
	if op.NumResults() == 0 || !ir.IsTensor(u.Value().Type()) || interfaces.IsCast(op) || interfaces.Call.Has(op) {
		return
	}
	takes := interfaces.SubsetExtraction.Has(op)
	if interfaces.DestinationStyle.Has(op) {
		if r := interfaces.TiedResult(u); r != nil && part {
			fn(r, true)
		}
		return
	}
	m, ok := interfaces.Bufferizable.Of(op)
	if !ok || !part && !takes && (op.NumRegions() > 0 || !choosesTensor(op)) {
		return
	}
	for _, r := range op.Results().Values() {
		if ir.IsTensor(r.Type()) && !given(r) && !m.Allocates(r) {
			fn(r, part || takes)
		}
	}
}

// choosesTensor tells whether an operation has several tensors as operands.
func choosesTensor(op *ir.Op) bool {
	tensors := 0
	for _, v := range op.Operands().Values() {
		if ir.IsTensor(v.Type()) {
			tensors++
		}
	}
	return tensors > 1
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
