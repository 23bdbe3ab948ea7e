package compile

import (
	"freehold/dialect/bufferization"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// left are the buffers of a module that are freed by other means, or by none, as the program says, or a step that has warned of it: those of
// operations that say so ([bufferization.ManualDeallocationAttr]), results of calls that aren't freed though the function gives them to its caller, and
// what these functions allocate for it.
type left map[madeBy]bool

// madeBy is a buffer by the operation that makes it, or calls a function that does.
type madeBy struct {
	op     *ir.Op
	result int
}

// findLeft returns those of a module. Functions that return what others return are followed as often as different calls of them have such results.
func findLeft(module *ir.Op) left {
	l := left{}
	tables, seen := ir.NewSymbolTables(), map[madeBy]bool{}
	module.Walk(func(op *ir.Op) bool {
		manual := op.Attr(bufferization.ManualDeallocationAttr) != nil
		for i, v := range op.Results().Values() {
			if manual {
				l[madeBy{op, i}] = true
			}
			if analysis.IsBorrowed(v) {
				l.follow(v, tables, seen)
			}
		}
		return true
	})
	return l
}

// follow adds a result of a call, and what the function allocates for it. seen are the results of functions that were followed.
func (l left) follow(result *ir.Value, tables *ir.SymbolTables, seen map[madeBy]bool) {
	call := result.DefiningOp()
	m, ok := interfaces.Call.Of(call)
	if !ok {
		return
	}
	ref, _ := m.Callee(call)
	if ref == nil {
		return
	}
	fn := tables.Lookup(call, ref)
	at := madeBy{fn, result.Index()}
	if fn == nil || !interfaces.Function.Has(fn) || interfaces.LendsResult(fn, at.result) {
		return
	}
	if l[madeBy{call, at.result}] = true; seen[at] {
		return
	}
	seen[at] = true
	origins := analysis.NewOrigins(fn)
	for b := range fn.RegionAt(0).Blocks() {
		t := b.Last()
		if t == nil || !interfaces.IsRegionTerminator(t) || at.result >= t.NumOperands() {
			continue
		}
		origins.Terminals(t.Operand(at.result), func(v *ir.Value) {
			switch op := v.DefiningOp(); {
			case op == nil:
			case interfaces.Call.Has(op):
				l.follow(v, tables, seen)
			case interfaces.HasEffect(op, interfaces.Allocate, v):
				l[madeBy{op, v.Index()}] = true
			}
		})
	}
}
