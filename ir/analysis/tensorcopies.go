package analysis

import (
	"cmp"
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// TensorCopy is a copy of a tensor that bufferization and deallocation may have to make where a value is passed on that can't
// give its buffer away: it may have none of its own, as arguments and constants, or still be needed after that, or be passed on twice, or not
// belong to where it is passed on. Bufferization copies what loops hand on as well.
type TensorCopy struct {
	// From is what is copied, To what control flow passes it on as; nil if it is there at the time of the operation alone.
	From, To *ir.Value
	// By is the operation that passes it on.
	By *ir.Op
	// Spans are when it may be alive, in order, with gaps between them.
	Spans []Span
	// kept tells that it is alive as long as what it is passed on as; else something else counts then
	// of which, or of the copy, there is only one.
	kept bool
}

// handover is a way on which an operation passes operands on.
type handover struct {
	by       *ir.Op
	operands ir.Operands
	inputs   []*ir.Value // nil if they leave the function
	block    *ir.Block   // where they go to, if that is a block of the same region
}

// forEachHandover calls fn for all ways on which operations of the function pass operands on, in the order of the text.
func (l *Lifetimes) forEachHandover(fn func(x handover)) {
	for i, op := range l.seq {
		if l.places[op][0] != uint32(i) || op == l.fn {
			continue
		}
		if m, ok := interfaces.Branch.Of(op); ok {
			for s := range op.NumSuccessors() {
				start, n, produced := m.SuccessorOperands(op, s)
				fn(handover{op, op.Operands()[start : start+n], op.Successor(s).Args()[produced:], op.Successor(s)})
			}
		}
		if m, ok := interfaces.RegionBranch.Of(op); ok && op.NumRegions() > 0 {
			for _, s := range m.Successors(op, interfaces.ParentPoint) {
				start, n := m.EntryOperands(op, interfaces.RegionPoint{Region: s.Region})
				fn(handover{by: op, operands: op.Operands()[start : start+n], inputs: s.Inputs})
			}
		}
		switch {
		case !interfaces.IsRegionTerminator(op):
		case op.Parent() == l.fn:
			fn(handover{by: op, operands: op.Operands()})
		default:
			if m, ok := interfaces.RegionBranch.Of(op.Parent()); ok {
				for _, s := range m.Successors(op.Parent(), interfaces.RegionPoint{Region: op.Region()}) {
					start, n := interfaces.TerminatorOperands(op, interfaces.RegionPoint{Region: s.Region})
					fn(handover{by: op, operands: op.Operands()[start : start+n], inputs: s.Inputs})
				}
			}
		}
	}
}

// copies returns what may have to be copied, one for each value that something is passed on as, with the times at which it is passed on.
// It is linear in the operands that are passed on, and the uses of each of these.
func (p *passedOn) copies(own func(v *ir.Value) bool, written func(call *ir.Op, operand int) bool) (out []TensorCopy) {
	l := p.l
	live := map[*ir.Value][]Span{}
	byTarget := map[*ir.Value]int{} // what is copied, plus one
	moved := map[*ir.Value]bool{}   // results that get a tensor of the same size that a region gives away
	type passed struct {
		by *ir.Op
		i  int
	}
	yielded := map[passed]bool{}
	l.forEachHandover(func(x handover) {
		begin, end := l.Of(x.by)
		seen := map[*ir.Value]bool{}
		for i, v := range x.operands.Values() {
			if !ir.IsTensor(v.Type()) || x.inputs != nil && i >= len(x.inputs) {
				continue
			}
			root := uncast(v)
			gives := !seen[root] && p.has(root, own) && (x.by.Parent() == l.fn && x.inputs == nil || p.givesAway(root, x, live))
			if moved[root] && byTarget[root] > 0 {
				gives = false // whether it has a buffer depends on which way was taken
			}
			seen[root] = true
			if x.inputs == nil {
				if !gives {
					out = append(out, TensorCopy{From: v, By: x.by, Spans: []Span{{begin, end + 1}}})
				}
				continue
			}
			to := x.inputs[i]
			var at []Span
			if to.DefiningOp() != x.by { // else it is there when the operation ends
				at = []Span{{begin, begin + 2}}
			}
			switch n := byTarget[to]; {
			case gives:
				inside := to.DefiningOp() != nil && to.DefiningOp() == x.by.Parent()
				moved[to] = moved[to] || inside && to.Type() == v.Type()
				// What a loop hands on is copied before it is freed, unless it is in the place of what the loop was given.
				if k := (passed{x.by, i}); interfaces.IsRegionTerminator(x.by) && x.by.Parent() != l.fn && !entersOnce(x.by.Parent()) && !yielded[k] {
					yielded[k] = true
					out = append(out, TensorCopy{From: v, By: x.by, Spans: []Span{{begin, end + 1}}})
				}
			case n > 0:
				out[n-1].Spans = append(out[n-1].Spans, at...)
			default:
				out = append(out, TensorCopy{From: v, To: to, By: x.by, Spans: at})
				byTarget[to] = len(out)
			}
		}
	})
	for i, op := range l.seq {
		if m, ok := interfaces.Call.Of(op); ok && l.places[op][0] == uint32(i) {
			out = append(out, p.copiesForCall(op, m, own, written, live)...)
		}
	}
	for i := range out {
		c := &out[i]
		s := spanner{l: l, spans: c.Spans}
		c.Spans = s.merged()
		// Of what leaves an operation on one of several ways there is one: what a region gives away, or else the copy.
		c.kept = c.To != nil && !moved[c.To]
	}
	slices.SortStableFunc(out, func(a, b TensorCopy) int { return cmp.Compare(l.places[a.By][0], l.places[b.By][0]) })
	return out
}

// copiesForCall returns what may have to be copied for a call, since what it calls may write it.
func (p *passedOn) copiesForCall(op *ir.Op, m interfaces.CallModel, own func(v *ir.Value) bool, written func(call *ir.Op, operand int) bool, live map[*ir.Value][]Span) (out []TensorCopy) {
	start, n := m.Args(op)
	begin, end := p.l.Of(op)
	type count struct{ all, written int }
	counts := map[*ir.Value]count{} // by what is given
	for i := start; i < start+n; i++ {
		if v := op.Operand(i); ir.IsTensor(v.Type()) {
			c := counts[uncast(v)]
			c.all++
			if written(op, i) {
				c.written++
			}
			counts[uncast(v)] = c
		}
	}
	for i := start; i < start+n; i++ {
		v := op.Operand(i)
		if !ir.IsTensor(v.Type()) || !written(op, i) {
			continue
		}
		root := uncast(v)
		c := counts[root]
		if c.all == c.written && p.has(root, own) && p.givesAway(root, handover{by: op}, live) {
			counts[root] = count{c.all + 1, c.written} // to one
			continue
		}
		out = append(out, TensorCopy{From: v, By: op, Spans: []Span{{begin, end + 1}}})
	}
	return out
}

// has tells whether a value has a buffer, of its own or one that it was given.
func (p *passedOn) has(v *ir.Value, own func(v *ir.Value) bool) bool {
	if v.IsBlockArg() {
		return v.ParentBlock().ParentOp() != p.l.fn || v.ParentBlock() != v.ParentBlock().Region().Entry()
	}
	return p.isGiven(v) || own(v)
}

// givesAway tells whether a value, which isn't cast from another one, belongs to where it is passed on, and isn't needed after that.
func (p *passedOn) givesAway(root *ir.Value, x handover, live map[*ir.Value][]Span) bool {
	region := x.by.Region()
	if root.ParentRegion() != region {
		return false
	}
	spans, known := live[root]
	if !known {
		s := spanner{l: p.l}
		values := []*ir.Value{root}
		for i := 0; i < len(values); i++ {
			s.value(values[i])
			for u := values[i].FirstUse(); u != nil; u = u.Next() {
				if op := u.Owner(); interfaces.IsCast(op) && op.NumResults() == 1 {
					values = append(values, op.Result(0))
				}
			}
		}
		spans = s.merged()
		live[root] = spans
	}
	begin, end := p.l.Of(x.by)
	switch {
	case x.block != nil:
		return !SpansHave(spans, p.l.blockStart(x.block))
	case region.NumBlocks() == 1:
		return spans[len(spans)-1].Upper <= begin+1
	}
	for time := begin + 1; time <= end+1; time++ {
		if SpansHave(spans, time) {
			return false
		}
	}
	return true
}

// uncast returns what a value is cast from.
func uncast(v *ir.Value) *ir.Value {
	for op := v.DefiningOp(); op != nil && interfaces.IsCast(op) && op.NumResults() == 1 && op.OnlyOperand() != nil && ir.IsTensor(op.OnlyOperand().Type()); op = v.DefiningOp() {
		v = op.OnlyOperand()
	}
	return v
}

// Written tells whether the buffer of an argument of the function may be written there, or in what it calls, or be returned. called tells
// whether what a call calls may write an operand. It takes as many steps as the values that have the buffer, or parts of it, have uses.
func (l *Lifetimes) Written(arg *ir.Value, called func(call *ir.Op, operand int) bool) bool {
	p := passedOn{given: map[*ir.Op]map[*ir.Value]bool{}}
	values, seen := []*ir.Value{arg}, map[*ir.Value]bool{arg: true}
	note := func(v *ir.Value) {
		if !seen[v] {
			seen[v], values = true, append(values, v)
		}
	}
	for i := 0; i < len(values); i++ {
		for u := values[i].FirstUse(); u != nil; u = u.Next() {
			op := u.Owner()
			switch {
			case interfaces.TiedResult(u) != nil, op.Parent() == l.fn && interfaces.IsRegionTerminator(op):
				return true
			case interfaces.Call.Has(op):
				if called(op, u.Index()) {
					return true
				}
			case op.Has(ir.TraitParallelRegion) && op.NumResults() > 0:
				return true // as results are written in the place of operands
			}
			forEachPassed(u, note)
			forEachSharing(u, true, p.isGiven, func(to *ir.Value, _ bool) { note(to) })
		}
	}
	return false
}
