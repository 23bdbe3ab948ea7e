package arith

import (
	"freehold/iface"
	"freehold/ir"
)

// linear says how an operation combines the linear forms of its operands.
func linear(combine func(l, r iface.Linear) (iface.Linear, bool)) ir.Model {
	return iface.LinearValue.Model(func(op *ir.Op, of func(*ir.Value) iface.Linear) (iface.Linear, bool) {
		// Other integers wrap around where sizes of tensors don't.
		if op.Result(0).Type() != ir.Type(ir.Index) {
			return iface.Linear{}, false
		}
		return combine(of(op.Operand(0)), of(op.Operand(1)))
	})
}
