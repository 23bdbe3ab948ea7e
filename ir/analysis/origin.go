package analysis

import (
	"freehold/ir"
	"freehold/ir/interfaces"
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
	// escapes tells whether it is known which buffers leave what can be seen; calls tells
	// what callees do, and may be nil.
	escapes bool
	calls   *CallSummaries
	kept    bool // some buffer leaves in one of the ways of [Kept]
	// at is the operation whose operands are looked at, and keepers the first one by which each value leaves in one of these ways.
	at         *ir.Op
	keepers    map[*ir.Value]*ir.Op
	successors lastSuccessors
	// carriers are values by which buffers can be reached that aren't followed yet.
	carriers []*ir.Value
	// globals holds the terminals of globals: one for all references to the same.
	globals map[globalRef]int32
	reached int32 // how many values Tarjan's algorithm reached
	// What Tarjan's algorithm works on: values that were reached and have no component yet,
	// and the path to the one it looks at. Empty between queries.
	open []int32
	path []pathEdge
	// together holds, for calls with several buffers as results, a number among those
	// of the terminals that stands for any buffer that is returned more than once, as those may be that
	// aren't known to be fresh.
	together map[*ir.Op]int
}

// originNode is what is known about a value.
type originNode struct {
	value       *ir.Value
	first, last int32 // of its edges, plus one; 0 if there are none
	escape      Escape
	carrier     bool  // no buffer, but gives access to those that it comes from
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

// DistinctAttr marks the arguments of functions of which no two, and no global, are the same buffer, as long as one of these is
// written: a unit attribute.
const DistinctAttr = "freehold.distinct"

// originKind is a kind of terminal. Different terminals may be the same buffer if their
// kinds add up to [meet] or more: what is allocated is neither a global nor what callers
// pass, and different globals are different buffers, but callers may pass a global, and
// one buffer as two arguments, unless they are marked by [DistinctAttr]: such arguments are as globals. A buffer of unknown origin is none that was allocated here
// and whose address never leaves what can be seen.
type originKind uint8

const (
	localOrigin originKind = iota
	allocatedOrigin
	globalOrigin
	argumentOrigin
	unknownOrigin
	unseenOrigin // of values that the analysis didn't see

	meet = 5
)

// mayMeet tells whether buffers of the two kinds may be the same though their terminals
// differ.
func (k originKind) mayMeet(l originKind) bool { return k+l >= meet }

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
// return one several times, unless calls, which may be nil, knows better). Control flow must not change while it
// is used.
func NewPreciseOrigins(root *ir.Op, calls *CallSummaries) *Origins {
	return newOrigins(root, &Origins{dom: ir.NewDominance(), calls: calls})
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

// isMade tells whether a value is the result of a call that returns a buffer which it has
// allocated, that nothing but results of the call can reach, unless it is an argument: as far as that is known of the callee, or by the
// function boundary ABI.
func (o *Origins) isMade(v *ir.Value) bool {
	op := v.DefiningOp()
	if op == nil || IsBorrowed(v) {
		return false
	}
	if o.dom != nil {
		return interfaces.Call.Has(op)
	}
	return o.calls.making(op, v.Index()) != unknownResult
}

func allocated(v *ir.Value) bool {
	op := v.DefiningOp()
	return op != nil && interfaces.HasEffect(op, interfaces.Allocate, v)
}

// isNew tells whether a value is a buffer that nothing else was before.
func (o *Origins) isNew(v *ir.Value) bool {
	return allocated(v) || o.isMade(v)
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
	return interfaces.Function.Has(v.ArgOwner().ParentOp())
}

// ViewBase follows views backwards to what they are views of.
func ViewBase(v *ir.Value) *ir.Value {
	var t ir.Trail
	for v.DefiningOp() != nil && !t.Returns(v) {
		m, ok := interfaces.ViewLike.Of(v.DefiningOp())
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
