package analysis

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// Escape is a set of ways on which a buffer leaves what can be seen.
type Escape uint8

// The ways.
const (
	// Returned buffers are passed on by the function's terminator.
	Returned Escape = 1 << iota
	// Stored buffers are put into memory, from where they may be loaded.
	Stored
	// Passed buffers are given to an operation of which nothing is known, or to a function
	// that keeps them.
	Passed
	// AddressKept tells that a number, pointer or tensor by which the buffer can be reached
	// is stored or passed.
	AddressKept
	// AddressReturned tells that the function returns such a number, pointer or tensor.
	AddressReturned
)

// addressed tells that something computes the buffer's address. It is noted like a way, but is none.
const addressed Escape = 1 << 7

// Kept are the ways on which a buffer may be reached later without it being seen in the function.
const Kept = Stored | Passed | AddressKept | AddressReturned

// Has tells whether one of the ways is in the set.
func (e Escape) Has(ways Escape) bool { return e&ways != 0 }

// leaves notes that a value's buffer leaves.
func (o *Origins) leaves(v *ir.Value, way Escape) {
	o.nodes[o.node(v)].escape |= way
	if !way.Has(Kept) {
		return
	}
	o.kept = true
	if o.keepers == nil {
		o.keepers = map[*ir.Value]*ir.Op{}
	}
	if o.keepers[v] == nil {
		o.keepers[v] = o.at
	}
}

// carries notes that a value that is no buffer gives access to that of another one.
func (o *Origins) carries(from, to *ir.Value) {
	if to.Type() == ir.Type(ir.I1) {
		return // says something about an address, such as the result of a comparison
	}
	if !ir.IsTensor(to.Type()) {
		o.leaves(from, addressed)
	}
	o.flow(from, to)
	n := &o.nodes[o.node(to)]
	if !n.carrier {
		n.carrier = true
		o.carriers = append(o.carriers, to)
	}
}

// isCarrier tells whether a value that is no buffer gives access to one.
func (o *Origins) isCarrier(v *ir.Value) bool {
	if !o.escapes {
		return false
	}
	i := o.numbers.Value(v)
	return i >= 0 && o.nodes[i].carrier
}

// findEscapes looks for ways on which the buffers among the operands of op leave.
func (o *Origins) findEscapes(op *ir.Op) {
	for i := range op.NumOperands() {
		if v := op.Operand(i); ir.IsMemRef(v.Type()) {
			o.use(op, i, v)
		}
	}
	o.findPending(op)
}

// use looks at one operand, a buffer or a value that carries one.
func (o *Origins) use(op *ir.Op, i int, v *ir.Value) {
	o.at = op
	buffer := ir.IsMemRef(v.Type())
	if m, ok := interfaces.Branch.Of(op); ok {
		passed := false
		for s := range op.NumSuccessors() {
			start, n, produced := m.SuccessorOperands(op, s)
			if i >= start && i < start+n {
				passed = true
				o.hand(v, op.Successor(s).Arg(produced+i-start))
			}
		}
		if !passed {
			o.leaves(v, AddressKept)
		}
		return
	}
	if m, ok := interfaces.RegionBranch.Of(op); ok {
		passed := false
		for _, s := range o.successors.of(op, m, interfaces.ParentPoint) {
			start, n := m.EntryOperands(op, interfaces.RegionPoint{Region: s.Region})
			passed = o.handTo(v, i, start, n, s) || passed
		}
		if passed {
			return
		}
	}
	if interfaces.IsRegionTerminator(op) {
		o.terminate(op, i, v)
		return
	}
	if m, ok := interfaces.Call.Of(op); ok {
		o.call(op, m, i, v)
		return
	}
	if buffer {
		_, flow := interfaces.BufferViewFlow.Of(op)
		_, view := interfaces.ViewLike.Of(op)
		_, other := interfaces.OtherView.Of(op)
		if flow || view || other || interfaces.IsShapeOnly(op) {
			return
		}
	}
	o.operate(op, i, v)
}

// operate is use for operations that are no control flow.
func (o *Origins) operate(op *ir.Op, i int, v *ir.Value) {
	if interfaces.ConditionalFree.Has(op) {
		return
	}
	if m, ok := interfaces.Asynchronous.Of(op); ok {
		token := m.Token(op)
		start, n := m.Dependencies(op)
		if i >= start && i < start+n {
			if token != nil {
				o.pends(v, token)
			}
			return
		}
		if _, known := interfaces.EffectsOf(op); known {
			return
		}
	}
	if m, ok := interfaces.LocalMemory.Of(op); ok {
		if m == interfaces.UntilWait {
			o.leaves(v, Passed)
			return
		}
		if op.NumResults() == 0 {
			return // keeps nothing, whatever effects are declared
		}
	}
	if !ir.IsMemRef(v.Type()) {
		for _, t := range interfaces.Tokens(op) {
			o.pends(v, t)
		}
	}
	own, writes := ir.IsMemRef(v.Type()) && interfaces.AccessesOperands.Has(op), false
	if !own {
		effects, known := interfaces.EffectsOf(op)
		if !known {
			o.leaves(v, Passed)
			return
		}
		for _, e := range effects {
			own = own || e.IsOn(i)
			writes = writes || e.Kind == interfaces.Write
		}
	}
	if writes && !own {
		o.leaves(v, Stored)
	}
	for _, r := range op.Regions() {
		if !r.Empty() {
			for _, a := range r.Entry().Args() {
				if ir.IsMemRef(a.Type()) {
					o.leaves(v, Passed)
				}
			}
		}
	}
	for j := range op.NumResults() {
		switch r := op.Result(j); {
		case ir.IsMemRef(r.Type()):
			if !interfaces.HasEffect(op, interfaces.Allocate, r) && !(own && isElement(r, v)) {
				o.leaves(v, AddressKept)
			}
		case ir.IsTensor(r.Type()):
			o.carries(v, r) // read later, whatever the operation itself does
		case !own && !ir.IsTensor(v.Type()):
			o.carries(v, r)
		}
	}
}

// isElement tells whether a value can be what an operation reads in a buffer of buffers.
func isElement(v, in *ir.Value) bool {
	return ir.IsMemRef(in.Type()) && ir.ElementType(in.Type()) == v.Type()
}

// call is use for calls.
func (o *Origins) call(op *ir.Op, m interfaces.CallModel, i int, v *ir.Value) {
	start, n := m.Args(op)
	switch {
	case !ir.IsMemRef(v.Type()):
		o.leaves(v, AddressKept)
	case i < start || i >= start+n:
	case o.calls == nil || o.calls.ReturnsAddress(op, i-start):
		// The callee uses it only until it returns, but may return something computed from
		// its address.
		if o.calls.Keeps(op, i-start) {
			o.leaves(v, Passed)
		}
		for j := range op.NumResults() {
			if r := op.Result(j); !ir.IsMemRef(r.Type()) {
				o.carries(v, r)
			}
		}
	case o.calls.Keeps(op, i-start):
		o.leaves(v, Passed)
	}
}

// terminate is use for terminators of regions.
func (o *Origins) terminate(op *ir.Op, i int, v *ir.Value) {
	parent := op.Parent()
	if m, ok := interfaces.RegionBranch.Of(parent); ok {
		for _, s := range o.successors.of(parent, m, interfaces.RegionPoint{Region: op.Region()}) {
			start, n := interfaces.TerminatorOperands(op, interfaces.RegionPoint{Region: s.Region})
			o.handTo(v, i, start, n, s)
		}
		return
	}
	_, function := interfaces.Function.Of(parent)
	switch {
	case function && !ir.IsMemRef(v.Type()):
		o.leaves(v, AddressReturned)
	case !ir.IsMemRef(v.Type()):
		o.leaves(v, AddressKept)
	case function:
		o.leaves(v, Returned)
	default:
		o.leaves(v, Stored)
	}
}

// lastSuccessors keeps those that were asked for last, since each operand of an operation asks for the same.
type lastSuccessors struct {
	op   *ir.Op
	from interfaces.RegionPoint
	list []interfaces.RegionSuccessor
}

// of returns where control may go from a point.
func (l *lastSuccessors) of(op *ir.Op, m interfaces.RegionBranchModel, from interfaces.RegionPoint) []interfaces.RegionSuccessor {
	if l.op != op || l.from != from {
		*l = lastSuccessors{op, from, m.Successors(op, from)}
	}
	return l.list
}

// handTo hands v on if operand i is among those that the successor gets.
func (o *Origins) handTo(v *ir.Value, i, start, n int, s interfaces.RegionSuccessor) bool {
	if i < start || i >= start+n || i-start >= len(s.Inputs) {
		return false
	}
	o.hand(v, s.Inputs[i-start])
	return true
}

// hand notes that v is passed on as another value; that of buffers is known.
func (o *Origins) hand(v, to *ir.Value) {
	if !ir.IsMemRef(v.Type()) {
		o.carries(v, to)
	}
}

// spreadEscapes follows the values that carry buffers, and then tells the origins of each
// value that leaves that they do. Linear.
func (o *Origins) spreadEscapes() {
	for len(o.carriers) > 0 {
		v := o.carriers[len(o.carriers)-1]
		o.carriers = o.carriers[:len(o.carriers)-1]
		for u := v.FirstUse(); u != nil; u = u.Next() {
			o.use(u.Owner(), u.Index(), v)
		}
	}
	var work []int32
	for i := range o.nodes {
		if o.nodes[i].escape != 0 {
			work = append(work, int32(i))
		}
	}
	o.spread(work)
}

// spread tells the origins of some nodes that these leave. It returns whether that was new of a way of [Kept].
func (o *Origins) spread(work []int32) (kept bool) {
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		way := o.nodes[i].escape
		for e := o.nodes[i].first; e != 0; e = o.edges[e-1].next {
			s := o.edges[e-1].source
			if n := &o.nodes[s]; n.escape|way != n.escape {
				kept = kept || (way &^ n.escape).Has(Kept)
				n.escape |= way
				work = append(work, s)
			}
		}
	}
	return kept
}
