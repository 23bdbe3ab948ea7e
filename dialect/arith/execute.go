package arith

import (
	"math/big"

	"freehold/exec"
	"freehold/ir"
)

// fromInt converts an integer.
func fromInt(bySign bool) exec.ScalarModel {
	return func(_ *ir.Op, in []ir.Type, out ir.Type) (exec.Scalar, bool) {
		t, ok := out.(*ir.FloatType)
		if !ok {
			return exec.Scalar{}, false
		}
		return exec.IntToFloat(exec.Width(in[0]), t, bySign), true
	}
}

// toInt converts to an integer.
func toInt(bySign bool) exec.ScalarModel {
	return func(_ *ir.Op, in []ir.Type, out ir.Type) (exec.Scalar, bool) {
		t, ok := in[0].(*ir.FloatType)
		if !ok || exec.Width(out) == 0 {
			return exec.Scalar{}, false
		}
		return exec.FloatToInt(t, exec.Width(out), bySign), true
	}
}

// computeCmpI is how arith.cmpi computes an element.
func computeCmpI(op *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
	// The numbers of the predicates are the same.
	return exec.Compare(exec.Predicate(Predicate(op)), exec.Width(in[0])), ir.IsIntOrIndex(in[0])
}

// computeCmpF is how arith.cmpf computes an element.
func computeCmpF(op *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
	t, ok := in[0].(*ir.FloatType)
	if !ok {
		return exec.Scalar{}, false
	}
	return exec.FCompare(t, FPredicate(op).Outcomes()).Promised(t, FastMath(op)&^exec.NoInfs), true
}

// computeBitcast is how arith.bitcast computes an element.
func computeBitcast(_ *ir.Op, in []ir.Type, out ir.Type) (exec.Scalar, bool) {
	return exec.Reinterpret(in[0], out), true
}

// executeMulSIExtended is how arith.mulsi_extended executes.
var executeMulSIExtended exec.Model = extended(func(a, b *big.Int, width int) *big.Int {
	return new(big.Int).Mul(exec.Signed(a, width), exec.Signed(b, width))
})

func onInts(fn func(width int) exec.Scalar) exec.ScalarModel {
	return func(_ *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
		return fn(exec.Width(in[0])), ir.IsIntOrIndex(in[0])
	}
}

// wrapping is onInts for operations with overflow flags.
func wrapping(fn func(width int) exec.Scalar) exec.ScalarModel {
	return func(op *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
		s := fn(exec.Width(in[0]))
		if flags, ok := op.Attr("overflowFlags").(*ir.EnumAttr); ok {
			// The flags have the same bits.
			s = s.NoOverflow(exec.Width(in[0]), exec.Overflow(flags.Value))
		}
		return s, ir.IsIntOrIndex(in[0])
	}
}

func onFloats(fn func(t *ir.FloatType) exec.Scalar) exec.ScalarModel {
	return func(op *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
		t, ok := in[0].(*ir.FloatType)
		if !ok {
			return exec.Scalar{}, false
		}
		return fn(t).Promised(t, FastMath(op)), true
	}
}

// FastMath returns the promises of an operation's fast-math flags that make its
// result poison where they don't hold.
func FastMath(op *ir.Op) exec.FastMath {
	flags, ok := op.Attr("fastmath").(*ir.EnumAttr)
	var out exec.FastMath
	if ok && flags.Value&NoNaNs != 0 {
		out |= exec.NoNaNs
	}
	if ok && flags.Value&NoInfs != 0 {
		out |= exec.NoInfs
	}
	return out
}

func resize(bySign bool) exec.ScalarModel {
	return func(_ *ir.Op, in []ir.Type, out ir.Type) (exec.Scalar, bool) {
		return exec.Resize(exec.Width(in[0]), exec.Width(out), bySign), ir.IsIntOrIndex(in[0])
	}
}

func convert(op *ir.Op, in []ir.Type, out ir.Type) (exec.Scalar, bool) {
	from, ok1 := in[0].(*ir.FloatType)
	to, ok2 := out.(*ir.FloatType)
	if !ok1 || !ok2 {
		return exec.Scalar{}, false
	}
	return exec.FConvert(from, to, roundingOf(op)).PromisedCast(from, to, FastMath(op)), true
}

// roundingOf returns how an operation that makes numbers narrower rounds.
func roundingOf(op *ir.Op) exec.Rounding {
	switch a := op.Attr(roundingAttr.Name).(type) {
	case *ir.IntegerAttr:
		return exec.Rounding(a.Value) // The numbers of the modes are the same.
	case *ir.EnumAttr:
		return exec.Rounding(a.Value)
	}
	return exec.ToNearestEven
}

// extended compiles an operation with a result that is twice as wide as its
// operands, of which it returns the low part and what is above.
func extended(fn func(a, b *big.Int, width int) *big.Int) exec.Model {
	return func(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
		width := exec.Width(ir.ElementType(BinaryOp{op}.LHS().Type()))
		return c.MapIntegers(op, func(args []*big.Int) []*big.Int {
			full := fn(args[0], args[1], width)
			// Results are cut to their widths.
			return []*big.Int{full, new(big.Int).Rsh(full, uint(width))}
		})
	}
}

// computeSelect is how arith.select computes an element.
func computeSelect(*ir.Op, []ir.Type, ir.Type) (exec.Scalar, bool) { return exec.Choose(), true }

// executeSelect chooses between values of any type by an i1; other selections are
// elementwise.
func executeSelect(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	if (SelectOp{op}).Condition().Type() != ir.Type(ir.I1) || exec.IsWord(op.Result(0).Type()) {
		return c.Elementwise(op, computeSelect)
	}
	cond, res := c.Word(SelectOp{op}.Condition()), []exec.Reg{c.Reg(op.Result(0))}
	yes := c.Move(op.Operands()[1:2], res)
	no := c.Move(op.Operands()[2:3], res)
	return func(f *exec.Frame) error {
		switch {
		case f.P[cond]:
			return exec.Findf(exec.PoisonUse, op, "the condition is poison")
		case f.W[cond] != 0:
			return yes(f)
		}
		return no(f)
	}, nil
}
