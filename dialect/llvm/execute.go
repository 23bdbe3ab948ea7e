package llvm

import (
	"freehold/exec"
	"freehold/ir"
)

func convertFloat(_ *ir.Op, in []ir.Type, out ir.Type) (exec.Scalar, bool) {
	from, ok1 := in[0].(*ir.FloatType)
	to, ok2 := out.(*ir.FloatType)
	if !ok1 || !ok2 {
		return exec.Scalar{}, false
	}
	return exec.FConvert(from, to, exec.ToNearestEven), true
}

func intToFloat(bySign bool) exec.ScalarModel {
	return func(_ *ir.Op, in []ir.Type, out ir.Type) (exec.Scalar, bool) {
		t, ok := out.(*ir.FloatType)
		if !ok {
			return exec.Scalar{}, false
		}
		return exec.IntToFloat(exec.Width(in[0]), t, bySign), true
	}
}

func floatToInt(bySign bool) exec.ScalarModel {
	return func(_ *ir.Op, in []ir.Type, out ir.Type) (exec.Scalar, bool) {
		t, ok := in[0].(*ir.FloatType)
		if !ok || exec.Width(out) == 0 {
			return exec.Scalar{}, false
		}
		return exec.FloatToInt(t, exec.Width(out), bySign), true
	}
}

// computeBitcast is how llvm.bitcast computes an element.
func computeBitcast(_ *ir.Op, in []ir.Type, out ir.Type) (exec.Scalar, bool) {
	return exec.Reinterpret(in[0], out), exec.IsWord(in[0]) && exec.IsWord(out) && exec.Width(in[0]) == exec.Width(out)
}

// computeICmp is how llvm.icmp computes an element.
func computeICmp(op *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
	// The numbers of the predicates are the same.
	return exec.Compare(exec.Predicate(predicate(op)), exec.Width(in[0])), ir.IsIntOrIndex(in[0])
}

func onInts(fn func(width int) exec.Scalar) exec.ScalarModel {
	return func(op *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
		width := exec.Width(in[0])
		s := fn(width)
		if flags, ok := op.Attr(overflowFlags.Name).(*ir.EnumAttr); ok {
			// The flags have the same bits.
			s = s.NoOverflow(width, exec.Overflow(flags.Value))
		}
		return s, ir.IsIntOrIndex(in[0])
	}
}

func onFloats(fn func(t *ir.FloatType) exec.Scalar) exec.ScalarModel {
	return func(_ *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
		t, ok := in[0].(*ir.FloatType)
		if !ok {
			return exec.Scalar{}, false
		}
		return fn(t), true
	}
}

func resize(bySign bool) exec.ScalarModel {
	return func(_ *ir.Op, in []ir.Type, out ir.Type) (exec.Scalar, bool) {
		return exec.Resize(exec.Width(in[0]), exec.Width(out), bySign), ir.IsIntOrIndex(in[0])
	}
}

func predicate(op *ir.Op) int64 {
	a, _ := op.Attr("predicate").(*ir.IntegerAttr)
	return a.Value
}

// executeUnreachable is how llvm.unreachable executes.
func executeUnreachable(_ *exec.Compiler, op *ir.Op) (exec.Step, error) {
	return func(*exec.Frame) error {
		return exec.Findf(exec.Undefined, op, "control reaches what it must not reach")
	}, nil
}

func executeConstant(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	a := op.Attr("value")
	if d, ok := a.(*ir.DenseElementsAttr); ok && d.Type == op.Result(0).Type() && ir.IsVector(d.Type) {
		c.Constant(op.Result(0), exec.TensorOf(d).Share())
		return nil, nil
	}
	number, ok := exec.NumberOf(a)
	if !ok || ir.TypeOfAttr(a) != op.Result(0).Type() {
		return nil, exec.Unsupported(op, "its type is not supported")
	}
	c.Constant(op.Result(0), number)
	return nil, nil
}

func executeCondBranch(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	cond := c.Word(CondBrOp{op}.Condition())
	yes, no := c.Goto(op.Successor(0), op.OperandGroup(1)), c.Goto(op.Successor(1), op.OperandGroup(2))
	return func(f *exec.Frame) error {
		if f.W[cond] != 0 {
			return yes(f)
		}
		return no(f)
	}, nil
}
