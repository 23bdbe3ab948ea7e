package ownership

import (
	"freehold/dialect/arith"
	"freehold/dialect/bufferization"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// existing finds the deallocations that a program has and that must go. A program
// that frees its buffers correctly means the same without, once the pass has given
// each buffer an owner who frees it.
type existing struct {
	module  *module
	origins map[*ir.Op]*analysis.Origins // by function
	// owned holds what is known of the arguments of functions.
	owned map[*ir.Value]bool
}

func newExisting(m *module) *existing {
	return &existing{m, map[*ir.Op]*analysis.Origins{}, map[*ir.Value]bool{}}
}

// DropDeallocs removes what frees buffers in a program whose buffers will get owners by another pass: deallocations of what the functions in root own, and
// memref.realloc, of which an allocation and a copy is left. The other deallocations are left to the program, and marked so. It fails if a function frees what both
// unknown callers and calls in root pass to it. Linear time.
func DropDeallocs(root *ir.Op) error {
	functions := functionsIn(root)
	e := newExpander(root.Context(), nil, &reallocOptions{foldSizes: true, copyArguments: true})
	for _, fn := range functions {
		if _, err := e.function(fn); err != nil {
			return err
		}
	}
	m := &module{tables: ir.NewSymbolTables()}
	m.findCalls(root, functions)
	return m.removeDeallocs(functions)
}

// FreesBuffers tells whether an operation frees a buffer in a way that [DropDeallocs] knows.
func FreesBuffers(op *ir.Op) bool { return isDealloc(op) || op.Is(memref.Realloc) }

func isDealloc(op *ir.Op) bool {
	return op.Is(bufferization.Dealloc) || op.Is(memref.Dealloc) || interfaces.OtherFree.Has(op)
}

// removeDeallocs removes the deallocations of buffers that the functions own. Those
// of other buffers, and those that never happen because of their conditions, are
// left to the program. It is an error if a function frees what both unknown callers
// and calls in the module pass to it, since nobody can own that.
func (m *module) removeDeallocs(functions []*ir.Op) error {
	e := newExisting(m)
	var remove, keep []*ir.Op
	for _, fn := range functions {
		var err error
		fn.Walk(func(op *ir.Op) bool {
			if err != nil || !isDealloc(op) || op.Attr(bufferization.ManualDeallocationAttr) != nil {
				return err == nil
			}
			freed := op.Operands().Values()
			if op.Is(bufferization.Dealloc) {
				freed = dealloc(op).MemRefs().Values()
			}
			owned := op.Is(bufferization.Dealloc) && len(freed) == 0
			for _, v := range freed {
				var o bool
				if !isMemRef(v) {
					continue
				}
				if o, err = e.isOwned(fn, op, v); err != nil {
					return false
				}
				owned = owned || o
			}
			if owned {
				remove = append(remove, op)
			} else {
				keep = append(keep, op)
			}
			return true
		})
		if err != nil {
			return err
		}
	}
	for _, op := range remove {
		e.remove(op)
	}
	for _, op := range keep {
		if op.Is(bufferization.Dealloc) {
			lowerKept(op)
		} else {
			op.SetAttr(bufferization.ManualDeallocationAttr, ir.Unit)
		}
	}
	return nil
}

// lowerKept lowers a bufferization.dealloc that is left to the program, which has no other way to say so, with all that this takes.
func lowerKept(op *ir.Op) {
	h := newHelper(functionAround(op).Parent(), true)
	h.look(functionAround(op))
	h.add()
	b := ir.NewBuilder(op.Context())
	b.SetBefore(op)
	b.Loc = op.Loc()
	before := op.Prev()
	results, ok := (&lowering{b, h.name, nil}).lower(op)
	if !ok {
		return // it is refused
	}
	for lowered := op.Prev(); lowered != before; lowered = lowered.Prev() {
		lowered.Walk(func(op *ir.Op) bool {
			if op.Is(memref.Alloc) || op.Is(memref.Dealloc) {
				op.SetAttr(bufferization.ManualDeallocationAttr, ir.Unit)
			}
			return true
		})
	}
	op.ReplaceAllUsesWith(results)
	op.Erase()
}

// remove erases a deallocation. Nobody owns what it would have retained: it is the
// pass that finds owners.
func (e *existing) remove(op *ir.Op) {
	if m, ok := interfaces.OtherFree.Of(op); ok {
		b := ir.NewBuilder(op.Context())
		b.SetBefore(op)
		b.Loc = op.Loc()
		op.ReplaceAllUsesWith(m(b, op))
	} else if op.HasUses() {
		b := ir.NewBuilder(op.Context())
		b.SetBefore(op)
		b.Loc = op.Loc()
		no := arith.ConstantBool(b, false)
		for i := range op.NumResults() {
			op.Result(i).ReplaceAllUsesWith(no)
		}
	}
	op.Erase()
}

// isOwned tells whether some function owns one of the buffers that v, in fn, may
// be. The error is about op, which frees it.
func (e *existing) isOwned(fn, op *ir.Op, v *ir.Value) (owned bool, err error) {
	o := e.origins[fn]
	if o == nil {
		o = analysis.NewOrigins(fn)
		e.origins[fn] = o
	}
	o.Terminals(v, func(t *ir.Value) {
		if owned {
			return
		}
		var problem error
		if owned, problem = e.terminal(fn, op, t); err == nil {
			err = problem
		}
	})
	if owned {
		return true, nil
	}
	return false, err
}

// terminal is isOwned for the buffer that appears at t.
func (e *existing) terminal(fn, op *ir.Op, t *ir.Value) (owned bool, err error) {
	if def := t.DefiningOp(); def != nil {
		if interfaces.Call.Has(def) {
			return !analysis.IsBorrowed(t), nil // the caller owns results
		}
		effects, _ := interfaces.EffectsOf(def)
		for _, a := range effects {
			owned = owned || a.Kind == interfaces.Allocate && a.Value(def) == t && a.On() != interfaces.AutomaticAllocationScopeResource && def.Attr(bufferization.ManualDeallocationAttr) == nil
		}
		return owned, nil
	}
	if t.ArgOwner() != fn.BodyBlock(0) {
		return false, nil
	}
	if known, ok := e.owned[t]; ok {
		return known, nil
	}
	e.owned[t] = false // while callers that call themselves are looked at
	for _, call := range e.module.callers.Calls(fn) {
		c, _ := interfaces.Call.Of(call)
		start, n := c.Args(call)
		caller := functionAround(call)
		if t.Index() >= n || caller == nil {
			continue
		}
		if e.owned[t], err = e.isOwned(caller, op, call.Operand(start+t.Index())); err != nil {
			return false, err
		}
		if e.owned[t] {
			break
		}
	}
	if e.owned[t] && e.module.open[fn] {
		return false, op.PlainErrorf("frees a buffer that callers own").WithNote(t.Loc(), "the buffer may be this argument, which callers in this module pass, and maybe others; make the function private")
	}
	return e.owned[t], nil
}

// functionAround returns the outermost function that holds op, or nil.
func functionAround(op *ir.Op) (fn *ir.Op) {
	for p := op.Parent(); p != nil; p = p.Parent() {
		if interfaces.Function.Has(p) {
			fn = p
		}
	}
	return fn
}
