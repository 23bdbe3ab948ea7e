package testd

import (
	"freehold/exec"
	"freehold/ir"
)

// executeCommutative is how test.op_commutative, test.op_commutative2 execute.
func executeCommutative(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	return c.Elementwise(op, func(_ *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
		return exec.Add(exec.Width(in[0])), ir.IsIntOrIndex(in[0])
	})
}

// executeIdempotent is how test.op_idempotent_trait, test.op_involution_trait_no_operation_fold, test.op_idempotent_trait_binary, test.op_involution_trait_failing_operation_fold, test.op_involution_trait_succesful_operation_fold, test.op_in_place_fold_anchor execute.
func executeIdempotent(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	if op.NumOperands() == 0 || op.NumResults() != 1 || op.Operand(0).Type() != op.Result(0).Type() {
		return nil, exec.Unsupported(op, "")
	}
	return c.Forward(op, 0, 0), nil
}

// meaningless tells whether an operation, of which only its syntax or its types
// are known, is executed as an unknown one.
func meaningless(op *ir.Op) bool { return op.NumRegions() == 0 && op.NumSuccessors() == 0 }

// executeCopy copies the first operand to the second. For operations that compute
// one buffer from another in an unknown way it is an example.
func executeCopy(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	src, dst := op.Operand(0), op.Operand(1)
	if !ir.IsMemRef(src.Type()) || !ir.IsMemRef(dst.Type()) || ir.ElementType(src.Type()) != ir.ElementType(dst.Type()) {
		return nil, exec.Unsupported(op, "its operands are no buffers of the same elements")
	}
	from, to := c.Object(src), c.Object(dst)
	return func(f *exec.Frame) error {
		return exec.CopyMemRef(f, op, f.O[to].(*exec.MemRef), f.O[from].(*exec.MemRef))
	}, nil
}

// executeRegionIf executes the first region, and then the last.
func executeRegionIf(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	then, join := op.BodyBlock(0), op.BodyBlock(2)
	if then == nil || join == nil {
		return nil, exec.Unsupported(op, "")
	}
	enter := c.MoveTo(op.Operands(), then.Args())
	first, err := c.Region(op.RegionAt(0), c.Regs(join.Args()))
	if err != nil {
		return nil, err
	}
	last, err := c.Region(op.RegionAt(2), c.Regs(op.Results().Values()))
	if err != nil {
		return nil, err
	}
	return exec.Sequence(enter, first.Run, last.Run), nil
}
