package arith

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// linear says how an operation combines the linear forms of its operands.
func linear(combine func(l, r interfaces.Linear) (interfaces.Linear, bool)) ir.Model {
	return interfaces.LinearValue.Model(func(op *ir.Op, of func(*ir.Value) interfaces.Linear) (interfaces.Linear, bool) {
		// Other integers wrap around where sizes of tensors don't.
		if op.Result(0).Type() != ir.Type(ir.Index) {
			return interfaces.Linear{}, false
		}
		return combine(of(BinaryOp{op}.LHS()), of(BinaryOp{op}.RHS()))
	})
}
