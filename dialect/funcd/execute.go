package funcd

import (
	"freehold/exec"
	"freehold/ir"
)

// executeConstant is how func.constant executes.
func executeConstant(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	ref, _ := op.Prop(0).(*ir.SymbolRefAttr)
	target := ir.LookupSymbol(op, ref)
	if target == nil {
		return nil, op.Errorf("refers to @%s, which is not defined", ref.Leaf())
	}
	c.Constant(op.Result(0), c.Program().Function(target))
	return nil, nil
}
