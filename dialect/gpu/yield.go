package gpu

import (
	"freehold/ir"
	"freehold/ir/constraint"
)

// Yield is gpu.yield, which ends what threads of a gpu execute together, and passes values on.
var Yield = ir.NewOpID("gpu.yield")

func yieldDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Yield,
		Operands: []ir.OperandDef{ir.VariadicOperand("values", constraint.AnyType)},
		Traits:   ir.TraitPure | ir.TraitReturnLike | ir.TraitTerminator,
		Format:   "attr-dict ($values^ `:` type($values))?",
	}
}
