package ub

import (
	"freehold/exec"
	"freehold/ir"
)

// execute returns how an operation executes. A poison tensor has undefined
// elements; a poison number is zero.
func execute(op string) exec.Model {
	if op != "ub.poison" {
		return nil
	}
	return func(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
		t := op.Result(0).Type()
		shape, ranked := ir.ShapeOf(t)
		switch {
		case exec.IsWord(t):
			c.Constant(op.Result(0), uint64(0))
		case ranked && !ir.IsMemRef(t) && ir.IsStaticShape(shape):
			c.Constant(op.Result(0), exec.NewTensor(exec.ElemOf(ir.ElementType(t)), shape, false).Share())
		default:
			return nil, exec.Unsupported(op, "its type is not supported")
		}
		return nil, nil
	}
}
