package math

import (
	"math"

	"freehold/dialect/arith"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/fold"
)

// What kind of number a floating-point number is. LLVM 20 added these operations.
var (
	IsFinite = ir.NewOpID("math.isfinite")
	IsInf    = ir.NewOpID("math.isinf")
	IsNaN    = ir.NewOpID("math.isnan")
	IsNormal = ir.NewOpID("math.isnormal")
)

func isFiniteDef() *ir.OpDef {
	return classify(IsFinite).With(classified(func(_ *ir.FloatType, x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }))
}

func isInfDef() *ir.OpDef {
	return classify(IsInf).With(classified(func(_ *ir.FloatType, x float64) bool { return math.IsInf(x, 0) }))
}

func isNaNDef() *ir.OpDef {
	return classify(IsNaN).With(classified(func(_ *ir.FloatType, x float64) bool { return math.IsNaN(x) }))
}

func isNormalDef() *ir.OpDef {
	return classify(IsNormal).With(classified(func(t *ir.FloatType, x float64) bool {
		return math.Abs(x) >= math.Ldexp(1, 1-t.Format.Bias) && !math.IsInf(x, 0)
	}))
}

// classify is an operation that tells whether numbers are of a kind.
func classify(id *ir.OpID) *ir.OpDef {
	return &ir.OpDef{
		ID:       id,
		Since:    20,
		Operands: []ir.OperandDef{ir.Operand("operand", constraint.FloatLike)},
		Results:  ir.SingleResult("result", constraint.BoolLike),
		Attrs:    []ir.AttrDef{arith.FastMathAttr},
		Traits:   traits,
		TypeRules: []ir.TypeRule{{From: "operand", To: "result", TransformIn: arith.BoolsLike,
			Summary: "result type has i1 element type and same shape as operands"}},
		Format: "$operand attr-dict `:` type($operand)",
		InferTypes: func(s *ir.OpState) ([]ir.Type, error) {
			return []ir.Type{arith.BoolsLike(s.Name.Context(), s.Operands[0].Type())}, nil
		},
	}
}

// classified is how such an operation computes an element of a type.
func classified(is func(t *ir.FloatType, x float64) bool) ir.OpDef {
	return ir.OpDef{Fold: foldClass(is), Models: []ir.Model{exec.Elementwise.Model(func(_ *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
		t, ok := in[0].(*ir.FloatType)
		if !ok || t.Width > 64 {
			return exec.Scalar{}, false
		}
		return exec.Scalar{F1: func(bits uint64) uint64 {
			if is(t, exec.FloatOf(t, bits)) {
				return 1
			}
			return 0
		}}, true
	})}}
}

// foldClass folds whether constants are of a kind; as in LLVM 22, not of vectors of different numbers.
func foldClass(is func(t *ir.FloatType, x float64) bool) func(*ir.Op, []ir.Attribute) []ir.FoldResult {
	return func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
		if p := poisoned(operands); p != nil {
			return p
		}
		if d, ok := operands[0].(*ir.DenseElementsAttr); ok && !d.Splat {
			return nil
		}
		c := op.Context()
		return folded(fold.Elementwise(c, op.Result(0).Type(), operands, func(args []ir.Attribute) ir.Attribute {
			a, ok := args[0].(*ir.FloatAttr)
			if !ok || a.Type.Width > 64 {
				return nil
			}
			return c.Bool(is(a.Type, exec.FloatOf(a.Type, a.Lo)))
		}))
	}
}
