// Package boundary changes the signatures of functions on buffers, and their calls.
package boundary

import (
	funcd "freehold/dialect/funcd"
	"freehold/ir"
)

// functions calls fn for each function that stands directly in the module and may be changed,
// in order; with public false these are the private ones with a body. Functions that are used as values, whose type has to
// stay, may not be.
func functions(module *ir.Op, public bool, fn func(*ir.Op) error) error {
	values := usedAsValues(module)
	for _, r := range module.Regions() {
		for b := range r.Blocks() {
			for o := range b.Ops() {
				if !o.Is(funcd.Func) || !public && (!ir.IsPrivate(o) || funcd.Body(o).Empty()) || values[o] {
					continue
				}
				if err := fn(o); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// usedAsValues returns the functions that func.constant makes values of.
func usedAsValues(module *ir.Op) map[*ir.Op]bool {
	found := map[*ir.Op]bool{}
	tables := ir.NewSymbolTables()
	ir.SymbolUses(module, func(user *ir.Op, ref *ir.SymbolRefAttr) {
		if user.Is(funcd.Constant) {
			found[tables.Lookup(user, ref)] = true
		}
	})
	return found
}

// calls returns the calls in the module of each function, in the order of the text.
func calls(module *ir.Op) (list []call) {
	tables := ir.NewSymbolTables()
	module.Walk(func(o *ir.Op) bool {
		if o.Is(funcd.Call) {
			if callee := tables.Lookup(o, funcd.Callee(o)); callee != nil {
				list = append(list, call{o, callee})
			}
		}
		return true
	})
	return list
}

// call is a call and the function that it calls.
type call struct{ op, callee *ir.Op }

// replace puts a call with other operands and results before the call, and erases that. Result i is
// replaced by results[i], or by the next result of the new call if that is nil.
func (c call) replace(b *ir.Builder, operands, results []*ir.Value) {
	var types []ir.Type
	for i, r := range results {
		if r == nil {
			types = append(types, c.op.Result(i).Type())
		}
	}
	s := b.State(funcd.Call)
	s.SetAttr("callee", funcd.Callee(c.op))
	s.Operands, s.Types = operands, types
	next := b.Create(s)
	kept := 0
	for i, r := range results {
		if r == nil {
			r = next.Result(kept)
			kept++
		}
		c.op.Result(i).ReplaceAllUsesWith(r)
	}
	c.op.Erase()
}

// returns lists the returns of a function, in order.
func returns(fn *ir.Op) (list []*ir.Op) {
	for b := range funcd.Body(fn).Blocks() {
		if t := b.Last(); t != nil && t.Is(funcd.Return) {
			list = append(list, t)
		}
	}
	return list
}

// operands returns the operands of an operation, in a slice that may be changed.
func operands(op *ir.Op) []*ir.Value { return append([]*ir.Value(nil), op.Operands().Values()...) }
