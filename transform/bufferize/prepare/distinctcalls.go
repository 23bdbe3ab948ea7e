package prepare

import (
	"slices"

	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// MarkDistinctByCalls marks the arguments of private functions whose buffers, in all calls, are those of no other argument and of no
// global: what was allocated, or what the caller has marked arguments for. Functions that call themselves are left alone. It
// returns how many it marked. Near-linear time.
func MarkDistinctByCalls(op *ir.Op) (n int) {
	if !op.Has(ir.TraitSymbolTable) {
		return 0
	}
	callers := analysis.NewCallers(op, ir.NewSymbolTables())
	c := &callMarker{origins: map[*ir.Op]*analysis.Origins{}}
	for _, group := range slices.Backward(analysis.NewCallGraph(op).BottomUp()) {
		fn := group[0]
		if len(group) > 1 || !ir.IsPrivate(fn) || !callers.OnlyCalled(fn) {
			continue
		}
		if calls := callers.Calls(fn); len(calls) > 0 && !slices.ContainsFunc(calls, fn.IsAncestorOf) {
			if c.summaries == nil {
				c.summaries = analysis.NewCallSummaries(op)
			}
			n += c.mark(fn, calls)
		}
	}
	return n
}

// callMarker marks the arguments of functions, callers first.
type callMarker struct {
	summaries *analysis.CallSummaries
	origins   map[*ir.Op]*analysis.Origins // by caller
}

// mark marks the arguments of a function whose callers are done.
func (c *callMarker) mark(fn *ir.Op, calls []*ir.Op) (n int) {
	entry := fn.RegionAt(0).Entry()
	distinct := make([]bool, entry.NumArgs())
	for i := range distinct {
		distinct[i] = ir.IsMemRef(entry.Arg(i).Type())
	}
	for _, call := range calls {
		c.compare(call, distinct)
	}
	interfaces.EditArgAttrs(fn, func(i int, attrs []ir.NamedAttr) []ir.NamedAttr {
		if !distinct[i] || analysis.IsDistinct(entry.Arg(i)) {
			return attrs
		}
		n++
		return append(attrs, ir.NamedAttr{Name: analysis.DistinctAttr, Value: ir.Unit})
	})
	return n
}

// compare notes which arguments of a call may be the buffers of others, or of globals.
func (c *callMarker) compare(call *ir.Op, distinct []bool) {
	m, _ := interfaces.Call.Of(call)
	start, _ := m.Args(call)
	caller := call.Parent()
	for caller != nil && !interfaces.Function.Has(caller) {
		caller = caller.Parent()
	}
	if caller == nil {
		clear(distinct)
		return
	}
	o := c.origins[caller]
	if o == nil {
		o = analysis.NewPreciseOrigins(caller, c.summaries)
		c.origins[caller] = o
	}
	first := map[*ir.Value]int{} // the argument that a buffer is
	given, unknown := false, false
	for i := range distinct {
		v := call.Operand(start + i)
		if !ir.IsMemRef(v.Type()) {
			continue
		}
		o.Terminals(v, func(t *ir.Value) {
			if op := t.DefiningOp(); op != nil && !c.summaries.Fresh(op, t.Index()) && interfaces.Call.Has(op) {
				t = op.Result(0) // it may return one buffer several times
			}
			if j, ok := first[t]; ok && j != i {
				distinct[i], distinct[j] = false, false
			} else {
				first[t] = i
			}
			switch {
			case isNew(t) || analysis.IsDistinct(t):
			case t.IsBlockArg() && t.ArgOwner() == caller.RegionAt(0).Entry():
				given = true
				distinct[i] = false
			default:
				unknown = true
			}
		})
	}
	for t, i := range first {
		// What callers pass to the caller may be a marked argument of it, and what isn't known anything.
		if unknown || given && !isNew(t) {
			distinct[i] = false
		}
	}
}

// isNew tells whether a value is a buffer that nothing else was before: what is allocated, or what a call returns, which is the
// caller's.
func isNew(v *ir.Value) bool {
	op := v.DefiningOp()
	if op == nil {
		return false
	}
	return interfaces.Call.Has(op) || interfaces.HasEffect(op, interfaces.Allocate, v)
}
