package analysis

import (
	"freehold/iface"
	"freehold/ir"
)

// Alias is the answer of an alias query.
type Alias uint8

// The answers: the buffers are from different allocations, may or may not be from
// the same, or are from the same allocation.
const (
	NeverAlias Alias = iota
	MayAlias
	MustAlias
)

// Origins tells from which allocations the buffers of memref values may come: it
// follows views, branches, region control flow and calls backwards to where
// buffers appear, such as allocations and function arguments (terminals). It
// corresponds to MLIR's BufferOriginAnalysis on BufferViewFlowAnalysis.
//
// Building it is linear in the program. The sets of terminals are made when a query
// needs them. They share what they have in common, so that a chain of values each
// of which may be one buffer more takes n log n steps; n values that are n
// unrelated choices among n buffers take n*n/64.
type Origins struct {
	numbers ir.Numbering // of the values
	nodes   []originNode // by number
	edges   []originEdge
	order   []*ir.Value // the terminals by number
	// dom is nil unless precise answers are wanted.
	dom *ir.Dominance
	// upstream keeps the analysis from knowing more than MLIR's.
	upstream bool
	// globals holds the terminals of globals: one for all references to the same.
	globals map[globalRef]int32
	reached int32 // how many values Tarjan's algorithm reached
	// What Tarjan's algorithm works on: values that were reached and have no component yet,
	// and the path to the one it looks at. Empty between queries.
	open []int32
	path []pathEdge
	// together holds, for calls with several buffers as results, a number among those
	// of the terminals that stands for any buffer that is returned more than once.
	together map[*ir.Op]int
}

// originNode is what is known about a value.
type originNode struct {
	value       *ir.Value
	first, last int32 // of its edges, plus one; 0 if there are none
	terminal    int32 // number plus one; 0 if it is none
	// index and low are those of Tarjan's algorithm; index is 0 if the value was not
	// reached.
	index, low int32
	comp       *originSet // once it is known
}

// originEdge leads to a value that a value's buffer may come from.
type originEdge struct{ source, next int32 } // next is the number of the next one, plus one

// pathEdge is a node and its next edge.
type pathEdge struct{ node, edge int32 }

// globalRef names a global: a symbol, and the operation with the symbol table that it is
// looked up in.
type globalRef struct {
	table  *ir.Op
	symbol *ir.SymbolRefAttr
}

// originKind is a kind of terminal. Different terminals may be the same buffer if their
// kinds add up to unknownOrigin or more: what is allocated is neither a global nor what
// callers pass, and different globals are different buffers, but callers may pass a
// global, and one buffer as two arguments.
type originKind uint8

const (
	allocatedOrigin originKind = iota
	globalOrigin
	argumentOrigin
	unknownOrigin
)

// mayMeet tells whether buffers of the two kinds may be the same though their terminals
// differ.
func (k originKind) mayMeet(l originKind) bool { return k+l >= unknownOrigin }

// originSet is what a strongly connected component of values has in common.
type originSet struct {
	terminals *intSet
	kind      originKind // the largest of the terminals
}

// NewOrigins analyses everything in root.
func NewOrigins(root *ir.Op) *Origins { return newOrigins(root, &Origins{}) }

// NewUpstreamOrigins analyses everything in root and gives the answers of MLIR's analysis
// where they are visible: nothing is known about globals.
func NewUpstreamOrigins(root *ir.Op) *Origins { return newOrigins(root, &Origins{upstream: true}) }

// NewPreciseOrigins analyses everything in root and knows more: what an allocation
// returns is none of the buffers that there were before, and the caller owns what a call
// returns, by the function boundary ABI, so that it is a new buffer, too (but a call may
// return one several times). Control flow must not change while it is used.
func NewPreciseOrigins(root *ir.Op) *Origins {
	return newOrigins(root, &Origins{dom: ir.NewDominance()})
}

func newOrigins(root *ir.Op, o *Origins) *Origins {
	o.analyse(root)
	return o
}

// Reset makes o an analysis of everything in another operation, as precise as it was and
// in the memory that it has.
func (o *Origins) Reset(root *ir.Op) {
	if o.dom != nil {
		o.dom = ir.NewDominance()
	}
	o.numbers.Reset()
	o.nodes, o.edges, o.order = o.nodes[:0], o.edges[:0], o.order[:0]
	o.reached, o.together, o.globals = 0, nil, nil
	o.analyse(root)
}

func (o *Origins) analyse(root *ir.Op) {
	root.Walk(func(op *ir.Op) bool {
		o.visit(op)
		return true
	})
}

func (o *Origins) depends(from, to *ir.Value) {
	if ir.IsMemRef(from.Type()) && ir.IsMemRef(to.Type()) {
		source, i := o.node(from), o.node(to)
		n := &o.nodes[i]
		o.edges = append(o.edges, originEdge{source: source})
		e := int32(len(o.edges))
		if n.first == 0 {
			n.first = e
		} else {
			o.edges[n.last-1].next = e
		}
		n.last = e
	}
}

// node returns the number of a value.
func (o *Origins) node(v *ir.Value) int32 {
	i, added := o.numbers.AddValue(v)
	if added {
		o.nodes = append(o.nodes, originNode{value: v})
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
	m, ok := iface.GlobalBuffer.Of(op)
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
	if m, ok := iface.BufferViewFlow.Of(op); ok {
		m.Dependencies(op, o.depends)
		for i := range op.NumResults() {
			if r := op.Result(i); m.MayBeTerminalBuffer(op, r) {
				o.markTerminal(r)
			}
		}
		return
	}
	if m, ok := iface.ViewLike.Of(op); ok {
		for i := range op.NumResults() {
			o.depends(m(op), op.Result(i))
		}
		return
	}
	if m, ok := iface.Branch.Of(op); ok {
		for i := range op.NumSuccessors() {
			start, n, produced := m.SuccessorOperands(op, i)
			for j := range n {
				o.depends(op.Operand(start+j), op.Successor(i).Arg(produced+j))
			}
		}
		return
	}
	if m, ok := iface.RegionBranch.Of(op); ok {
		o.visitRegions(op, m)
		return
	}
	if iface.IsRegionTerminator(op) {
		return
	}
	o.markTerminals(op)
	_, call := iface.Call.Of(op)
	if call && o.dom != nil && op.NumResults() > 1 {
		if o.together == nil {
			o.together = map[*ir.Op]int{}
		}
		o.together[op] = len(o.order)
		o.order = append(o.order, op.Result(0))
	}
	if call && o.dom == nil {
		// The callee may return what it was given, or something new.
		for i := range op.NumOperands() {
			for j := range op.NumResults() {
				o.depends(op.Operand(i), op.Result(j))
			}
		}
	}
}

func (o *Origins) visitRegions(op *ir.Op, m iface.RegionBranchModel) {
	for _, s := range m.Successors(op, iface.ParentPoint) {
		start, n := m.EntryOperands(op, iface.RegionPoint{Region: s.Region})
		o.pass(op.Operands()[start:start+n], s)
	}
	for _, r := range op.Regions() {
		for _, s := range m.Successors(op, iface.RegionPoint{Region: r}) {
			for b := range r.Blocks() {
				if t := b.Last(); t != nil && iface.IsRegionTerminator(t) {
					start, n := iface.TerminatorOperands(t, iface.RegionPoint{Region: s.Region})
					o.pass(t.Operands()[start:start+n], s)
				}
			}
		}
	}
}

func (o *Origins) pass(values ir.Operands, to iface.RegionSuccessor) {
	for i := range values {
		if i < len(to.Inputs) {
			o.depends(values.At(i), to.Inputs[i])
		}
	}
}

// setOf returns the component of a value, computing components by Tarjan's
// algorithm, without recursion, for what was not reached yet.
func (o *Origins) setOf(v *ir.Value) *originSet {
	root := o.node(v)
	if c := o.nodes[root].comp; c != nil {
		return c
	}
	stack, frames := o.open, o.path
	reach := func(i int32) {
		n := &o.nodes[i]
		o.reached++
		n.index, n.low = o.reached, o.reached
		stack = append(stack, i)
		frames = append(frames, pathEdge{i, n.first})
	}
	reach(root)
	for len(frames) > 0 {
		f := &frames[len(frames)-1]
		n := &o.nodes[f.node]
		if f.edge != 0 {
			e := o.edges[f.edge-1]
			f.edge = e.next
			switch s := &o.nodes[e.source]; {
			case s.comp != nil:
			case s.index == 0:
				reach(e.source)
			default:
				n.low = min(n.low, s.index)
			}
			continue
		}
		done := f.node
		frames = frames[:len(frames)-1]
		if len(frames) > 0 {
			p := &o.nodes[frames[len(frames)-1].node]
			p.low = min(p.low, n.low)
		}
		if n.low == n.index {
			k := len(stack) - 1
			for stack[k] != done {
				k--
			}
			o.finish(stack[k:])
			stack = stack[:k]
		}
	}
	o.open, o.path = stack, frames
	return o.nodes[root].comp
}

// finish makes a component of its members, whose sources have components already.
func (o *Origins) finish(members []int32) {
	c := &originSet{}
	for _, i := range members {
		o.nodes[i].comp = c
	}
	for _, i := range members {
		n := &o.nodes[i]
		if n.terminal != 0 {
			c.terminals = c.terminals.union(oneInt(int(n.terminal - 1)))
			if t, ok := o.together[n.value.DefiningOp()]; ok {
				c.terminals = c.terminals.union(oneInt(t))
			}
			c.kind = max(c.kind, o.kindOf(n.value))
		}
		for e := n.first; e != 0; e = o.edges[e-1].next {
			d := o.nodes[o.edges[e-1].source].comp
			c.terminals = c.terminals.union(d.terminals)
			c.kind = max(c.kind, d.kind)
		}
	}
	if c.terminals == nil {
		// Nothing is known about where the buffer comes from.
		c.kind = unknownOrigin
	}
}

func (o *Origins) kindOf(terminal *ir.Value) originKind {
	switch _, global := globalOf(terminal); {
	case o.isNew(terminal):
		return allocatedOrigin
	case global && !o.upstream:
		return globalOrigin
	case isFunctionArg(terminal):
		return argumentOrigin
	}
	return unknownOrigin
}

func allocated(v *ir.Value) bool {
	op := v.DefiningOp()
	return op != nil && iface.HasEffect(op, iface.Allocate, v)
}

// isNew tells whether a value is a buffer that nothing else was before.
func (o *Origins) isNew(v *ir.Value) bool {
	if op := v.DefiningOp(); op != nil && o.dom != nil {
		if _, call := iface.Call.Of(op); call {
			return true
		}
	}
	return allocated(v)
}

// newer tells whether one of two buffers appeared when there was the other already:
// its operation is dominated by the other's definition. So in every iteration of
// the loops around both, it is the later one.
func (o *Origins) newer(v, w *ir.Value) bool {
	return o.dom != nil && (o.isNew(v) && o.dom.ValueDominates(w, v.DefiningOp()) || o.isNew(w) && o.dom.ValueDominates(v, w.DefiningOp()))
}

func isFunctionArg(v *ir.Value) bool {
	if !v.IsBlockArg() || !v.ArgOwner().IsEntry() {
		return false
	}
	_, ok := iface.Function.Of(v.ArgOwner().ParentOp())
	return ok
}

// ViewBase follows views backwards to what they are views of.
func ViewBase(v *ir.Value) *ir.Value {
	for v.DefiningOp() != nil {
		m, ok := iface.ViewLike.Of(v.DefiningOp())
		if !ok {
			break
		}
		v = m(v.DefiningOp())
	}
	return v
}

// Query tells whether two buffers come from the same allocation.
func (o *Origins) Query(v, w *ir.Value) Alias {
	if v, w = ViewBase(v), ViewBase(w); v == w {
		return MustAlias
	}
	if o.newer(v, w) {
		return NeverAlias
	}
	a, b := o.setOf(v), o.setOf(w)
	if t, ok := a.terminals.only(); ok {
		if u, ok := b.terminals.only(); ok && t == u {
			return MustAlias
		}
	}
	if a.kind.mayMeet(b.kind) || a.terminals.intersects(b.terminals) {
		return MayAlias
	}
	return NeverAlias
}

// Terminals calls fn for each value at which the buffer may have appeared, in
// program order.
func (o *Origins) Terminals(v *ir.Value, fn func(terminal *ir.Value)) {
	o.setOf(v).terminals.each(func(t int) { fn(o.order[t]) })
}

// AliasIndex is a collection of buffers that can be asked whether any of them may
// alias another one, faster than by one query each.
type AliasIndex struct {
	o     *Origins
	kinds [unknownOrigin + 1]int // numbers of members by kind
	many  map[*intSet]int        // members with several terminals, by these
	one   map[int]int            // members with that terminal alone
	ones  *intSet                // the keys of one
}

// NewIndex returns an empty index.
func (o *Origins) NewIndex() *AliasIndex {
	return &AliasIndex{o: o, many: map[*intSet]int{}, one: map[int]int{}}
}

// Add adds a buffer; Remove removes one that was added.
func (x *AliasIndex) Add(v *ir.Value)    { x.add(v, 1) }
func (x *AliasIndex) Remove(v *ir.Value) { x.add(v, -1) }

func (x *AliasIndex) add(v *ir.Value, n int) {
	c := x.o.setOf(v)
	x.kinds[c.kind] += n
	if t, ok := c.terminals.only(); ok {
		switch x.one[t] += n; {
		case x.one[t] == 0:
			delete(x.one, t)
			x.ones = x.ones.without(t)
		case n > 0:
			x.ones = x.ones.union(oneInt(t))
		}
	} else if c.terminals != nil {
		if x.many[c.terminals] += n; x.many[c.terminals] == 0 {
			delete(x.many, c.terminals)
		}
	}
}

// MayAlias tells whether a member may come from the same allocation as v. It
// takes as many steps as there are different sets of several origins.
func (x *AliasIndex) MayAlias(v *ir.Value) bool {
	c := x.o.setOf(v)
	for k, n := range x.kinds {
		if n > 0 && c.kind.mayMeet(originKind(k)) {
			return true
		}
	}
	if c.terminals.intersects(x.ones) {
		return true
	}
	for m := range x.many {
		if c.terminals.intersects(m) {
			return true
		}
	}
	return false
}
