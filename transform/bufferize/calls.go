package bufferize

import (
	"freehold/iface"
	"freehold/ir"
)

// calls knows whom calls call. Symbol tables are built, and callees looked up, once.
type calls struct {
	tables  *ir.SymbolTables
	callees map[*ir.Op]*ir.Op
	order   []*ir.Op // the functions of the module, see callOrder; nil if not known
	module  *ir.Op
}

func newCalls() *calls {
	return &calls{tables: ir.NewSymbolTables(), callees: map[*ir.Op]*ir.Op{}}
}

// callee returns the symbol that an operation calls, or nil if it isn't a call of one.
func (c *calls) callee(op *ir.Op) *ir.Op {
	if fn, ok := c.callees[op]; ok {
		return fn
	}
	m, ok := iface.Call.Of(op)
	if !ok {
		return nil
	}
	ref, _ := m.Callee(op)
	if ref == nil {
		return nil
	}
	fn := c.tables.Lookup(op, ref)
	c.callees[op] = fn
	return fn
}

// callOrder lists the functions of a module so that callees come before their callers.
func (c *calls) callOrder(module *ir.Op) ([]*ir.Op, error) {
	if c.module == module {
		return c.order, nil
	}
	var funcs []*ir.Op
	for op := range module.BodyBlock(0).Ops() {
		if _, ok := iface.Function.Of(op); ok && op.Dialect() != nil && op.Dialect().Name == "func" {
			if !op.RegionAt(0).Empty() && uniqueReturn(op) == nil {
				return nil, op.PlainErrorf("cannot bufferize a FuncOp with tensors and without a unique ReturnOp")
			}
			funcs = append(funcs, op)
		}
	}
	pending := map[*ir.Op]int{} // callees left to do
	callers := map[*ir.Op][]*ir.Op{}
	for _, fn := range funcs {
		callees := map[*ir.Op]bool{}
		fn.Walk(func(op *ir.Op) bool {
			if _, ok := iface.Call.Of(op); ok && iface.HasTensorTypes(op) {
				if callee := c.callee(op); callee != nil && !callees[callee] {
					callees[callee] = true
					callers[callee] = append(callers[callee], fn)
					pending[fn]++
				}
			}
			return true
		})
	}
	var order []*ir.Op
	for _, fn := range funcs {
		if pending[fn] == 0 {
			order = append(order, fn)
		}
	}
	for i := 0; i < len(order); i++ {
		for _, caller := range callers[order[i]] {
			if pending[caller]--; pending[caller] == 0 {
				order = append(order, caller)
			}
		}
	}
	if len(order) != len(funcs) {
		return nil, module.Errorf("expected callgraph to be free of circular dependencies.")
	}
	c.module, c.order = module, order
	return order, nil
}
