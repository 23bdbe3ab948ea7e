package prepare

import (
	"freehold/iface"
	"freehold/ir"
)

// callers are the calls of functions with a body.
type callers struct {
	calls map[*ir.Op][]*ir.Op
	other map[*ir.Op]bool // functions to which something else refers
}

// newCallers finds the calls in an operation with a symbol table.
func newCallers(root *ir.Op) *callers {
	c := &callers{map[*ir.Op][]*ir.Op{}, map[*ir.Op]bool{}}
	tables := ir.NewSymbolTables()
	root.Walk(func(op *ir.Op) bool {
		var callee *ir.SymbolRefAttr
		if m, ok := iface.Call.Of(op); ok {
			callee, _ = m.Callee(op)
		}
		ir.OpSymbolUses(op, func(ref *ir.SymbolRefAttr) {
			fn := tables.Lookup(op, ref)
			switch {
			case fn == nil || fn.NumRegions() == 0 || fn.RegionAt(0).Empty():
			case ref == callee:
				c.calls[fn] = append(c.calls[fn], op)
			default:
				c.other[fn] = true
			}
		})
		return true
	})
	return c
}
