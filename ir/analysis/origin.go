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
	sources  map[*ir.Value][]*ir.Value // where a value's buffer may come from
	terminal map[*ir.Value]int         // number of each terminal
	order    []*ir.Value               // the terminals by number
	comp     map[*ir.Value]*originSet
	// dom is nil unless precise answers are wanted.
	dom *ir.Dominance
	// together holds, for calls with several buffers as results, a number among those
	// of the terminals that stands for any buffer that is returned more than once.
	together map[*ir.Op]int
}

// originSet is what a strongly connected component of values has in common.
type originSet struct {
	terminals *intSet
	// allocs tells that all terminals are allocations, entries that they are
	// allocations or arguments of functions.
	allocs, entries bool
}

// NewOrigins analyses everything in root.
func NewOrigins(root *ir.Op) *Origins { return newOrigins(root, nil) }

// NewPreciseOrigins analyses everything in root and knows more than MLIR's
// analysis: what an allocation returns is none of the buffers that there were
// before, and the caller owns what a call returns, by the function boundary ABI, so
// that it is a new buffer, too (but a call may return one several times). Control flow must not change while it is used.
func NewPreciseOrigins(root *ir.Op) *Origins { return newOrigins(root, ir.NewDominance()) }

func newOrigins(root *ir.Op, dom *ir.Dominance) *Origins {
	o := &Origins{sources: map[*ir.Value][]*ir.Value{}, terminal: map[*ir.Value]int{}, comp: map[*ir.Value]*originSet{}, dom: dom, together: map[*ir.Op]int{}}
	root.Walk(func(op *ir.Op) bool {
		o.visit(op)
		return true
	})
	return o
}

func (o *Origins) depends(from, to *ir.Value) {
	if ir.IsMemRef(from.Type()) && ir.IsMemRef(to.Type()) {
		o.sources[to] = append(o.sources[to], from)
	}
}

func (o *Origins) markTerminal(v *ir.Value) {
	if !ir.IsMemRef(v.Type()) {
		return
	}
	if _, ok := o.terminal[v]; !ok {
		o.terminal[v] = len(o.order)
		o.order = append(o.order, v)
	}
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
	if c := o.comp[v]; c != nil {
		return c
	}
	type frame struct {
		v    *ir.Value
		next int
	}
	index := map[*ir.Value]int{}
	low := map[*ir.Value]int{}
	var stack []*ir.Value
	onStack := map[*ir.Value]bool{}
	frames := []frame{{v: v}}
	for len(frames) > 0 {
		f := &frames[len(frames)-1]
		if f.next == 0 {
			index[f.v] = len(index)
			low[f.v] = index[f.v]
			stack = append(stack, f.v)
			onStack[f.v] = true
		}
		if f.next < len(o.sources[f.v]) {
			s := o.sources[f.v][f.next]
			f.next++
			if o.comp[s] != nil {
				continue
			}
			if _, seen := index[s]; !seen {
				frames = append(frames, frame{v: s})
			} else if onStack[s] {
				low[f.v] = min(low[f.v], index[s])
			}
			continue
		}
		done := *f
		frames = frames[:len(frames)-1]
		if len(frames) > 0 {
			p := frames[len(frames)-1].v
			low[p] = min(low[p], low[done.v])
		}
		if low[done.v] == index[done.v] {
			var members []*ir.Value
			for {
				w := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				onStack[w] = false
				members = append(members, w)
				if w == done.v {
					break
				}
			}
			o.finish(members)
		}
	}
	return o.comp[v]
}

// finish makes a component of its members, whose sources have components already.
func (o *Origins) finish(members []*ir.Value) {
	c := &originSet{allocs: true, entries: true}
	for _, v := range members {
		o.comp[v] = c
	}
	for _, v := range members {
		if t, ok := o.terminal[v]; ok {
			c.terminals = c.terminals.union(oneInt(t))
			if t, ok := o.together[v.DefiningOp()]; ok {
				c.terminals = c.terminals.union(oneInt(t))
			}
			alloc := o.isNew(v)
			c.allocs = c.allocs && alloc
			c.entries = c.entries && (alloc || isFunctionArg(v))
		}
		for _, s := range o.sources[v] {
			d := o.comp[s]
			c.terminals = c.terminals.union(d.terminals)
			c.allocs = c.allocs && d.allocs
			c.entries = c.entries && d.entries
		}
	}
	if c.terminals == nil {
		// Nothing is known about where the buffer comes from.
		c.allocs, c.entries = false, false
	}
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
	if (a.allocs && b.entries || a.entries && b.allocs) && !a.terminals.intersects(b.terminals) {
		return NeverAlias
	}
	return MayAlias
}

// Terminals calls fn for each value at which the buffer may have appeared, in
// program order.
func (o *Origins) Terminals(v *ir.Value, fn func(terminal *ir.Value)) {
	o.setOf(v).terminals.each(func(t int) { fn(o.order[t]) })
}

// AliasIndex is a collection of buffers that can be asked whether any of them may
// alias another one, faster than by one query each.
type AliasIndex struct {
	o *Origins
	// Numbers of members: all, those that don't come from allocations alone, those
	// that don't come from allocations and arguments alone.
	size, notAllocs, notEntries int
	many                        map[*intSet]int // members with several terminals, by these
	one                         map[int]int     // members with that terminal alone
	ones                        *intSet         // the keys of one
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
	x.size += n
	if !c.allocs {
		x.notAllocs += n
	}
	if !c.entries {
		x.notEntries += n
	}
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
	if x.size == 0 {
		return false
	}
	c := x.o.setOf(v)
	switch {
	case !c.entries && !c.allocs,
		c.allocs && x.notEntries > 0,
		!c.allocs && x.notAllocs > 0,
		c.terminals.intersects(x.ones):
		return true
	}
	for m := range x.many {
		if c.terminals.intersects(m) {
			return true
		}
	}
	return false
}
