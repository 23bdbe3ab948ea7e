package math

import (
	"math/big"

	"freehold/dialect/arith"
	"freehold/exec"
	"freehold/internal/elementary"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

// Functions that LLVM 22 has, and 19 doesn't.
var (
	// ClampF is math.clampf, the number between two others that is nearest to a number.
	ClampF = ir.NewOpID("math.clampf")
	// Erfc is math.erfc, the complementary error function.
	Erfc = ir.NewOpID("math.erfc")
	// SinCos is math.sincos, sine and cosine of a number.
	SinCos = ir.NewOpID("math.sincos")
)

func clampFDef() *ir.OpDef {
	return float(ClampF, "value", "min", "max").With(ir.OpDef{
		Since:  22,
		Format: "$value `to` ` ` `[` $min `,` $max `]` (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
		Models: []ir.Model{
			exec.Elementwise.Model(computeClampF),
		},
	})
}

func erfcDef() *ir.OpDef {
	return function(Erfc, elementary.Erfc, foldFunction).With(ir.OpDef{Since: 22})
}

func sinCosDef() *ir.OpDef {
	return &ir.OpDef{
		ID:        SinCos,
		Since:     22,
		Operands:  []ir.OperandDef{ir.Operand("operand", constraint.FloatLike)},
		Results:   []ir.ResultDef{ir.Result("sin", constraint.FloatLike), ir.Result("cos", constraint.FloatLike)},
		Attrs:     []ir.AttrDef{arith.FastMathAttr},
		Traits:    traits,
		TypeRules: []ir.TypeRule{{Same: []string{"operand", "sin", "cos"}, Summary: "all of {operand, sin, cos} have same type"}},
		Format:    "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($operand)",
		InferTypes: func(s *ir.OpState) ([]ir.Type, error) {
			t := s.Operands[0].Type()
			return []ir.Type{t, t}, nil
		},
		Models: []ir.Model{
			asm.ResultNames.Model(func(op *ir.Op, name func(*ir.Value, string)) {
				name(op.Result(0), "sin")
				name(op.Result(1), "cos")
			}),
			exec.Executable.Model(executeSinCos),
		},
	}
}

// computeClampF computes the greater of the lower bound and the lesser of a number and the upper bound: NaN if one of the three is.
func computeClampF(op *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
	t, ok := in[0].(*ir.FloatType)
	if !ok || t.Width > 64 {
		return exec.Scalar{}, false
	}
	lesser, greater := exec.FMinimum(t).F2, exec.FMaximum(t).F2
	s := exec.Scalar{F3: func(x, low, high uint64) uint64 { return greater(lesser(x, high), low) }}
	return s.Promised(t, arith.FastMath(op)), true
}

// executeSinCos computes both functions of each number.
func executeSinCos(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	t, ok := ir.ElementType(SinCosOp{op}.OperandValue().Type()).(*ir.FloatType)
	if !ok || t.Width > 64 {
		return nil, exec.Unsupported(op, "its type is not supported")
	}
	sin, cos := exec.FElementary(t, elementary.Sin).F1, exec.FElementary(t, elementary.Cos).F1
	return c.MapIntegers(op, func(args []*big.Int) []*big.Int {
		x := args[0].Uint64()
		return []*big.Int{new(big.Int).SetUint64(sin(x)), new(big.Int).SetUint64(cos(x))}
	})
}
