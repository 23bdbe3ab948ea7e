package arith

import (
	"math"

	"freehold/exec"
	"freehold/ir"
)

// elementwise returns how an operation computes an element.
func elementwise(op string) exec.ScalarModel {
	switch op {
	case "arith.addi":
		return onInts(exec.Add)
	case "arith.subi":
		return onInts(exec.Sub)
	case "arith.muli":
		return onInts(exec.Mul)
	case "arith.divsi":
		return onInts(exec.DivS)
	case "arith.divui":
		return onInts(exec.DivU)
	case "arith.ceildivsi":
		return onInts(exec.CeilDivS)
	case "arith.ceildivui":
		return onInts(exec.CeilDivU)
	case "arith.floordivsi":
		return onInts(exec.FloorDivS)
	case "arith.remsi":
		return onInts(exec.RemS)
	case "arith.remui":
		return onInts(exec.RemU)
	case "arith.andi":
		return onInts(exec.And)
	case "arith.ori":
		return onInts(exec.Or)
	case "arith.xori":
		return onInts(exec.Xor)
	case "arith.shli":
		return onInts(exec.Shl)
	case "arith.shrsi":
		return onInts(exec.ShrS)
	case "arith.shrui":
		return onInts(exec.ShrU)
	case "arith.maxsi":
		return onInts(exec.MaxS)
	case "arith.maxui":
		return onInts(exec.MaxU)
	case "arith.minsi":
		return onInts(exec.MinS)
	case "arith.minui":
		return onInts(exec.MinU)
	case "arith.addf":
		return onFloats(exec.FAdd)
	case "arith.subf":
		return onFloats(exec.FSub)
	case "arith.mulf":
		return onFloats(exec.FMul)
	case "arith.divf":
		return onFloats(exec.FDiv)
	case "arith.remf":
		return onFloats(func(t *ir.FloatType) exec.Scalar { return exec.FloatBinary(t, math.Mod) })
	case "arith.maximumf":
		return onFloats(exec.FMaximum)
	case "arith.minimumf":
		return onFloats(exec.FMinimum)
	case "arith.maxnumf":
		return onFloats(exec.FMaxNum)
	case "arith.minnumf":
		return onFloats(exec.FMinNum)
	case "arith.negf":
		return onFloats(exec.FNeg)
	case "arith.cmpi":
		return func(op *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
			// The numbers of the predicates are the same.
			return exec.Compare(exec.Predicate(Predicate(op)), exec.Width(in[0])), ir.IsIntOrIndex(in[0])
		}
	case "arith.cmpf":
		return func(op *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
			t, ok := wordFloat(in[0])
			if !ok {
				return exec.Scalar{}, false
			}
			// The outcomes have the same bits.
			return exec.FCompare(t, exec.FloatPredicate(FPredicate(op).outcomes())), true
		}
	case "arith.select":
		return func(op *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) { return exec.Choose(), true }
	case "arith.extsi", "arith.index_cast":
		return resize(true)
	case "arith.extui", "arith.index_castui", "arith.trunci":
		return resize(false)
	case "arith.extf", "arith.truncf":
		return convert
	case "arith.sitofp", "arith.uitofp":
		isSigned := op == "arith.sitofp"
		return func(_ *ir.Op, in []ir.Type, out ir.Type) (exec.Scalar, bool) {
			t, ok := wordFloat(out)
			if !ok || !exec.IsWord(in[0]) {
				return exec.Scalar{}, false
			}
			return exec.IntToFloat(exec.Width(in[0]), t, isSigned), true
		}
	case "arith.fptosi", "arith.fptoui":
		isSigned := op == "arith.fptosi"
		return func(_ *ir.Op, in []ir.Type, out ir.Type) (exec.Scalar, bool) {
			t, ok := wordFloat(in[0])
			if !ok || !exec.IsWord(out) || exec.Width(out) == 0 {
				return exec.Scalar{}, false
			}
			return exec.FloatToInt(t, exec.Width(out), isSigned), true
		}
	case "arith.bitcast":
		return func(_ *ir.Op, in []ir.Type, out ir.Type) (exec.Scalar, bool) {
			return exec.Scalar{F1: func(a uint64) uint64 { return a }}, exec.IsWord(in[0]) && exec.IsWord(out)
		}
	}
	return nil
}

// execute returns how an operation that elementwise doesn't know executes.
func execute(op string) exec.Model {
	switch op {
	case "arith.addui_extended":
		return extended(func(a, b uint64, width int) (lo, hi uint64) {
			lo = exec.Mask(a+b, width)
			if lo < a {
				hi = 1
			}
			return lo, hi
		})
	case "arith.mulsi_extended", "arith.mului_extended":
		isSigned := op == "arith.mulsi_extended"
		return extended(func(a, b uint64, width int) (lo, hi uint64) {
			return exec.Mask(a*b, width), exec.MulHigh(a, b, width, isSigned)
		})
	case "arith.select":
		return executeSelect
	}
	return nil
}

func onInts(fn func(width int) exec.Scalar) exec.ScalarModel {
	return func(_ *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
		return fn(exec.Width(in[0])), ir.IsIntOrIndex(in[0])
	}
}

func wordFloat(t ir.Type) (*ir.FloatType, bool) {
	f, ok := t.(*ir.FloatType)
	return f, ok && f.Width <= 64
}

func onFloats(fn func(t *ir.FloatType) exec.Scalar) exec.ScalarModel {
	return func(_ *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
		t, ok := wordFloat(in[0])
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

func convert(op *ir.Op, in []ir.Type, out ir.Type) (exec.Scalar, bool) {
	from, ok1 := wordFloat(in[0])
	to, ok2 := wordFloat(out)
	mode, _ := op.Attr("roundingmode").(*ir.IntegerAttr)
	if !ok1 || !ok2 || mode != nil && mode.Value != 0 {
		return exec.Scalar{}, false
	}
	return exec.FConvert(from, to), true
}

func extended(fn func(a, b uint64, width int) (lo, hi uint64)) exec.Model {
	return func(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
		t := op.Operand(0).Type()
		if !exec.IsWord(t) {
			return nil, exec.Unsupported(op, "its types are not supported")
		}
		a, b := c.Word(op.Operand(0)), c.Word(op.Operand(1))
		lo, hi, width := c.Word(op.Result(0)), c.Word(op.Result(1)), exec.Width(t)
		return func(f *exec.Frame) error {
			f.W[lo], f.W[hi] = fn(f.W[a], f.W[b], width)
			return nil
		}, nil
	}
}

// executeSelect chooses between objects by an i1; other selections are
// elementwise.
func executeSelect(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	if op.Operand(0).Type() != ir.Type(ir.I1) || exec.IsWord(op.Result(0).Type()) {
		return c.Elementwise(op, elementwise(op.Name()))
	}
	cond, res := c.Word(op.Operand(0)), []exec.Reg{c.Reg(op.Result(0))}
	yes := c.Move(op.Operands()[1:2], res)
	no := c.Move(op.Operands()[2:3], res)
	return func(f *exec.Frame) error {
		if f.W[cond] != 0 {
			return yes(f)
		}
		return no(f)
	}, nil
}
