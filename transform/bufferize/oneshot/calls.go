package oneshot

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// calls knows whom calls call. Symbol tables are built, and callees looked up, once.
type calls struct {
	tables  *ir.SymbolTables
	callees map[*ir.Op]*ir.Op
	order   []*ir.Op // the functions of the module, see callOrder; nil if not known
	module  *ir.Op
	// calledBefore has the functions that are called by others that come before them in the
	// order, or by themselves.
	calledBefore map[*ir.Op]bool
	// refs are the names that operations of the module refer to; nil if not known.
	refs map[string]bool
}

func newCalls() *calls {
	return &calls{tables: ir.NewSymbolTables(), callees: map[*ir.Op]*ir.Op{}}
}

// callee returns the symbol that an operation calls, or nil if it isn't a call of one.
func (c *calls) callee(op *ir.Op) *ir.Op {
	if fn, ok := c.callees[op]; ok {
		return fn
	}
	m, ok := interfaces.Call.Of(op)
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

// referenced tells whether anything in the module refers to the name of a function.
// References are looked up once: bufferization adds none to a function.
func (c *calls) referenced(module, fn *ir.Op) bool {
	if c.refs == nil {
		c.refs = map[string]bool{}
		ir.SymbolUses(module, func(_ *ir.Op, ref *ir.SymbolRefAttr) { c.refs[ref.Root] = true })
	}
	name, _ := ir.SymbolName(fn)
	return c.refs[name]
}

// callOrder lists the functions of a module so that callees come before their callers. In a
// cycle one of the functions comes first, if the options let there be cycles.
func (c *calls) callOrder(module *ir.Op, o *Options) ([]*ir.Op, error) {
	if c.module == module {
		return c.order, nil
	}
	var funcs []*ir.Op
	for op := range o.functions(module) {
		if err := o.checkReturns(op); err != nil {
			return nil, err
		}
		funcs = append(funcs, op)
	}
	pending := map[*ir.Op]int{} // callees left to do
	callers := map[*ir.Op][]*ir.Op{}
	for _, fn := range funcs {
		callees := map[*ir.Op]bool{}
		fn.Walk(func(op *ir.Op) bool {
			if interfaces.Call.Has(op) && interfaces.HasTensorTypes(op) {
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
	listed := map[*ir.Op]bool{} // in cycles
	next := 0                   // of funcs
	for i := 0; len(order) < len(funcs) || i < len(order); i++ {
		if i == len(order) {
			if !o.recursive() {
				return nil, module.Errorf("expected callgraph to be free of circular dependencies.")
			}
			for pending[funcs[next]] == 0 || listed[funcs[next]] {
				next++
			}
			listed[funcs[next]] = true
			order = append(order, funcs[next])
		}
		for _, caller := range callers[order[i]] {
			if pending[caller]--; pending[caller] == 0 && !listed[caller] {
				order = append(order, caller)
			}
		}
	}
	c.calledBefore = map[*ir.Op]bool{}
	place := make(map[*ir.Op]int, len(order))
	for i, fn := range order {
		place[fn] = i
	}
	for callee, by := range callers {
		c.calledBefore[callee] = slices.ContainsFunc(by, func(caller *ir.Op) bool { return place[caller] <= place[callee] })
	}
	c.module, c.order = module, order
	return order, nil
}
