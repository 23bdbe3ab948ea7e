package ownership

import (
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// checkForeign rejects buffers that memref.dealloc can't free ([interfaces.FreedBy]) where the function that is to free them doesn't
// know that: they are returned to callers in the module, or passed to functions that may own their arguments.
func (m *module) checkForeign(root *ir.Op, functions []*ir.Op, o Options) error {
	callers := m.callers
	for _, fn := range functions {
		freers := analysis.NewFreers(fn)
		if freers == nil {
			continue
		}
		if callers == nil {
			callers = analysis.NewCallers(root, m.tables)
		}
		called := !callers.OnlyCalled(fn) || len(callers.Calls(fn)) > 0
		check := func(values ir.Operands, what string) (err error) {
			for _, v := range values.Values() {
				if alloc := freers.Any(v); alloc != nil && err == nil {
					err = alloc.PlainErrorf("what frees this buffer isn't known to the functions that %s", what)
				}
			}
			return err
		}
		var err error
		fn.Walk(func(op *ir.Op) bool {
			if call, ok := interfaces.Call.Of(op); ok && err == nil {
				start, n := call.Args(op)
				ref, _ := call.Callee(op)
				if callee := m.calleeOf(op, ref); callee == nil || m.takesOwnership(callee, o) || o.PrivateFunctionDynamicOwnership && ir.IsPrivate(callee) {
					err = check(op.Operands()[start:start+n], "it is passed to")
				}
			}
			if op.Parent() == fn && err == nil && interfaces.IsRegionTerminator(op) && called {
				err = check(op.Operands(), "get it from this one")
			}
			return err == nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (m *module) calleeOf(op *ir.Op, ref *ir.SymbolRefAttr) *ir.Op {
	if ref == nil {
		return nil
	}
	return m.lookup(op, ref)
}
