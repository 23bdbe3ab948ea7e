package llvm

import (
	"freehold/exec"
	"freehold/ir"
)

// elementwise returns how an operation computes an element.
func elementwise(op string) exec.ScalarModel {
	switch op {
	case "llvm.add":
		return onInts(exec.Add)
	case "llvm.sub":
		return onInts(exec.Sub)
	case "llvm.mul":
		return onInts(exec.Mul)
	case "llvm.shl":
		return onInts(exec.Shl)
	case "llvm.udiv":
		return onInts(exec.DivU)
	case "llvm.sdiv":
		return onInts(exec.DivS)
	case "llvm.urem":
		return onInts(exec.RemU)
	case "llvm.srem":
		return onInts(exec.RemSOfQuotient)
	case "llvm.and":
		return onInts(exec.And)
	case "llvm.or":
		return onInts(exec.Or)
	case "llvm.xor":
		return onInts(exec.Xor)
	case "llvm.lshr":
		return onInts(exec.ShrU)
	case "llvm.ashr":
		return onInts(exec.ShrS)
	case "llvm.intr.smax":
		return onInts(exec.MaxS)
	case "llvm.intr.smin":
		return onInts(exec.MinS)
	case "llvm.intr.umax":
		return onInts(exec.MaxU)
	case "llvm.intr.umin":
		return onInts(exec.MinU)
	case "llvm.fadd":
		return onFloats(exec.FAdd)
	case "llvm.fsub":
		return onFloats(exec.FSub)
	case "llvm.fmul":
		return onFloats(exec.FMul)
	case "llvm.fdiv":
		return onFloats(exec.FDiv)
	case "llvm.frem":
		return onFloats(exec.FRem)
	case "llvm.fneg":
		return onFloats(exec.FNeg)
	case "llvm.intr.maximum":
		return onFloats(exec.FMaximum)
	case "llvm.intr.minimum":
		return onFloats(exec.FMinimum)
	case "llvm.intr.maxnum":
		return onFloats(exec.FMaxNum)
	case "llvm.intr.minnum":
		return onFloats(exec.FMinNum)
	case "llvm.sext":
		return resize(true)
	case "llvm.zext", "llvm.trunc":
		return resize(false)
	case "llvm.fpext", "llvm.fptrunc":
		return func(_ *ir.Op, in []ir.Type, out ir.Type) (exec.Scalar, bool) {
			from, ok1 := in[0].(*ir.FloatType)
			to, ok2 := out.(*ir.FloatType)
			if !ok1 || !ok2 {
				return exec.Scalar{}, false
			}
			return exec.FConvert(from, to, exec.ToNearestEven), true
		}
	case "llvm.sitofp", "llvm.uitofp":
		return func(_ *ir.Op, in []ir.Type, out ir.Type) (exec.Scalar, bool) {
			t, ok := out.(*ir.FloatType)
			if !ok {
				return exec.Scalar{}, false
			}
			return exec.IntToFloat(exec.Width(in[0]), t, op == "llvm.sitofp"), true
		}
	case "llvm.fptosi", "llvm.fptoui":
		return func(_ *ir.Op, in []ir.Type, out ir.Type) (exec.Scalar, bool) {
			t, ok := in[0].(*ir.FloatType)
			if !ok || exec.Width(out) == 0 {
				return exec.Scalar{}, false
			}
			return exec.FloatToInt(t, exec.Width(out), op == "llvm.fptosi"), true
		}
	case "llvm.bitcast":
		return func(_ *ir.Op, in []ir.Type, out ir.Type) (exec.Scalar, bool) {
			return exec.Reinterpret(in[0], out), exec.IsWord(in[0]) && exec.IsWord(out)
		}
	case "llvm.icmp":
		return func(op *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
			// The numbers of the predicates are the same.
			return exec.Compare(exec.Predicate(predicate(op)), exec.Width(in[0])), ir.IsIntOrIndex(in[0])
		}
	}
	return nil
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

// execute returns how an operation that elementwise doesn't know executes.
func execute(op string) exec.Model {
	switch op {
	case "llvm.mlir.constant":
		return executeConstant
	case "llvm.br":
		return func(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
			return c.Goto(op.Successor(0), op.Operands()), nil
		}
	case "llvm.cond_br":
		return executeCondBranch
	case "llvm.unreachable":
		return func(_ *exec.Compiler, op *ir.Op) (exec.Step, error) {
			return func(*exec.Frame) error {
				return exec.Findf(exec.Undefined, op, "control reaches what it must not reach")
			}, nil
		}
	case "llvm.call":
		return exec.Call
	case "llvm.alloca":
		return executeAlloca
	case "llvm.load":
		return executeLoad
	case "llvm.store":
		return executeStore
	case "llvm.getelementptr":
		return executeGEP
	}
	return nil
}

func executeConstant(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	w, ok := exec.WordOf(op.Attr("value"))
	if !ok || !exec.IsWord(op.Result(0).Type()) {
		return nil, exec.Unsupported(op, "its type is not supported")
	}
	c.Constant(op.Result(0), w)
	return nil, nil
}

func executeCondBranch(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	cond := c.Word(op.Operand(0))
	yes, no := c.Goto(op.Successor(0), op.OperandGroup(1)), c.Goto(op.Successor(1), op.OperandGroup(2))
	return func(f *exec.Frame) error {
		if f.W[cond] != 0 {
			return yes(f)
		}
		return no(f)
	}, nil
}
