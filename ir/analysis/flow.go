package analysis

import (
	"freehold/internal/slab"
	"freehold/ir"
	"freehold/ir/interfaces"
)

func (o *Origins) analyse(root *ir.Op) {
	root.Walk(func(op *ir.Op) bool {
		if op.NumRegions() == 0 && !interfaces.HasMemRefTypes(op) { // as most, in the bodies of structured operations
			if o.escapes {
				o.findPending(op)
			}
			return true
		}
		o.visit(op)
		if o.escapes {
			o.findEscapes(op)
		}
		return true
	})
	if o.escapes {
		o.spreadEscapes()
	}
}

func (o *Origins) depends(from, to *ir.Value) {
	if ir.IsMemRef(from.Type()) && ir.IsMemRef(to.Type()) {
		o.flow(from, to)
	}
}

// flow adds an edge to the graph.
func (o *Origins) flow(from, to *ir.Value) {
	source, i := o.node(from), o.node(to)
	n := &o.nodes[i]
	o.edges = slab.Append(o.edges, originEdge{source: source})
	e := int32(len(o.edges))
	if n.first == 0 {
		n.first = e
	} else {
		o.edges[n.last-1].next = e
	}
	n.last = e
}

// node returns the number of a value.
func (o *Origins) node(v *ir.Value) int32 {
	i, added := o.numbers.AddValue(v)
	if added {
		o.nodes = slab.Append(o.nodes, originNode{value: v})
	}
	return int32(i)
}

func (o *Origins) markTerminal(v *ir.Value) {
	if !ir.IsMemRef(v.Type()) {
		return
	}
	i := o.node(v)
	n := &o.nodes[i]
	if n.terminal != 0 {
		return
	}
	if g, ok := globalOf(v); ok && !o.upstream {
		if n.terminal = o.globals[g]; n.terminal != 0 {
			return
		}
		if o.globals == nil {
			o.globals = map[globalRef]int32{}
		}
		o.globals[g] = int32(len(o.order) + 1)
	}
	o.order = append(o.order, v)
	n.terminal = int32(len(o.order))
}

// globalOf returns the global that a value is the buffer of.
func globalOf(v *ir.Value) (globalRef, bool) {
	op := v.DefiningOp()
	if op == nil {
		return globalRef{}, false
	}
	m, ok := interfaces.GlobalBuffer.Of(op)
	if !ok {
		return globalRef{}, false
	}
	return globalRef{ir.SymbolTableOp(op), m(op)}, true
}

// markTerminals makes all buffers that appear at an operation terminals.
func (o *Origins) markTerminals(op *ir.Op) {
	for i := range op.NumResults() {
		o.markTerminal(op.Result(i))
	}
	for _, r := range op.Regions() {
		if !r.Empty() {
			for _, a := range r.Entry().Args() {
				o.markTerminal(a)
			}
		}
	}
}

func (o *Origins) visit(op *ir.Op) {
	if m, ok := interfaces.BufferViewFlow.Of(op); ok {
		m.Dependencies(op, o.depends)
		for i := range op.NumResults() {
			if r := op.Result(i); m.MayBeTerminalBuffer(op, r) {
				o.markTerminal(r)
			}
		}
		return
	}
	if m, ok := interfaces.OtherView.Of(op); ok && !o.upstream {
		o.depends(m(op), op.Result(0))
		return
	}
	if m, ok := interfaces.ViewLike.Of(op); ok {
		for i := range op.NumResults() {
			o.depends(m(op), op.Result(i))
		}
		return
	}
	if m, ok := interfaces.Branch.Of(op); ok {
		for i := range op.NumSuccessors() {
			start, n, produced := m.SuccessorOperands(op, i)
			for j := range n {
				o.depends(op.Operand(start+j), op.Successor(i).Arg(produced+j))
			}
		}
		return
	}
	if m, ok := interfaces.RegionBranch.Of(op); ok {
		interfaces.ForEachRegionEdge(op, m, o.pass)
		return
	}
	if interfaces.IsRegionTerminator(op) {
		return
	}
	o.markTerminals(op)
	m, call := interfaces.Call.Of(op)
	if call {
		o.lend(op, m)
	}
	if call && o.dom != nil && op.NumResults() > 1 {
		if o.together == nil {
			o.together = map[*ir.Op]int{}
		}
		o.together[op] = len(o.order)
		o.order = append(o.order, op.Result(0))
	}
	if call && o.dom == nil {
		// The callee may return what it was given, or something new.
		start, _ := m.Args(op)
		for i := range op.NumOperands() {
			for j := range op.NumResults() {
				if r := op.Result(j); o.calls.making(op, j) != madeByFunction && !o.calls.Stays(op, i-start) {
					o.depends(op.Operand(i), r)
				}
			}
		}
		o.joinMade(op)
	}
}

// joinMade notes which results of a call may be one buffer, of those that are no unknown ones.
func (o *Origins) joinMade(call *ir.Op) {
	var first *ir.Value
	for j := range call.NumResults() {
		r := call.Result(j)
		if o.calls.making(call, j) == unknownResult || o.calls.Fresh(call, j) {
			continue
		}
		if first == nil {
			first = r
			continue
		}
		o.depends(first, r)
		o.depends(r, first)
	}
}

func (o *Origins) pass(values ir.Operands, inputs []*ir.Value) {
	for i := range values {
		if i < len(inputs) {
			o.depends(values.At(i), inputs[i])
		}
	}
}
