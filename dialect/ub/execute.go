package ub

import (
	"freehold/exec"
	"freehold/ir"
)

// executePoison makes poison. A poison tensor or vector has undefined elements.
func executePoison(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	t := op.Result(0).Type()
	shape, ranked := ir.ShapeOf(t)
	switch {
	case !ir.IsShaped(t):
		r := c.Reg(op.Result(0))
		return func(f *exec.Frame) error {
			f.SetPoison(r)
			return nil
		}, nil
	case ranked && !ir.IsMemRef(t) && ir.IsStaticShape(shape):
		if err := exec.CheckConstantSize(op, t); err != nil {
			return nil, err
		}
		c.Constant(op.Result(0), exec.NewTensor(exec.ElemOf(ir.ElementType(t)), shape, false).Share())
		return nil, nil
	}
	return nil, exec.Unsupported(op, "its type is not supported")
}

// executeUnreachable is how ub.unreachable executes.
func executeUnreachable(_ *exec.Compiler, op *ir.Op) (exec.Step, error) {
	return func(*exec.Frame) error {
		return exec.Findf(exec.Undefined, op, "control reaches what it must not reach")
	}, nil
}
