package arith

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/constraint"
)

// Conversions of numbers that share an exponent in blocks, such as those of the OCP's microscaling formats
// (https://www.opencompute.org/documents/ocp-microscaling-formats-mx-v1-0-spec-final-pdf).
var (
	// ScalingExtF makes a number wider, and multiplies it by the power of two that the second operand is.
	ScalingExtF = ir.NewOpID("arith.scaling_extf")
	// ScalingTruncF divides a number by the power of two that the second operand is, and makes it narrower.
	ScalingTruncF = ir.NewOpID("arith.scaling_truncf")
)

func scalingExtFDef() *ir.OpDef {
	return scaling(ScalingExtF, wider(floatCast),
		"$in `,` $scale (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `,` type($scale) `to` type($out)",
		exec.Elementwise.Model(computeScalingExtF), optionalFastMath)
}

func scalingTruncFDef() *ir.OpDef {
	return scaling(ScalingTruncF, narrower(floatCast),
		"$in `,` $scale ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `,` type($scale) `to` type($out)",
		exec.Elementwise.Model(computeScalingTruncF), roundingAttr, optionalFastMath)
}

// scaling defines such a conversion. LLVM 22 has them.
func scaling(id *ir.OpID, compatible func(in, out ir.Type) bool, format string, compute ir.Model, attrs ...ir.AttrDef) *ir.OpDef {
	return &ir.OpDef{
		ID:       id,
		Since:    22,
		Operands: []ir.OperandDef{ir.Operand("in", constraint.FloatLike), ir.Operand("scale", constraint.FloatLike)},
		Results:  []ir.ResultDef{ir.Result("out", constraint.FloatLike)},
		Attrs:    attrs,
		Traits:   ir.TraitPure | ir.ElementwiseMappable,
		Format:   format,
		Verify: func(op *ir.Op) error {
			if in, out := (scalingOp{op}).In().Type(), op.Result(0).Type(); !compatible(in, out) {
				return op.Errorf("operand types '%s', '%s' and result type '%s' are cast incompatible", in, scalingOp{op}.Scale().Type(), out)
			}
			return nil
		},
		Models: []ir.Model{compute},
	}
}

// scalingTypes returns the types of the elements. Only a scale that is a power of two by its type is known to mean the same everywhere.
func scalingTypes(in []ir.Type, out ir.Type) (from, to *ir.FloatType, ok bool) {
	from, ok1 := in[0].(*ir.FloatType)
	to, ok2 := out.(*ir.FloatType)
	return from, to, ok1 && ok2 && in[1] == ir.Type(ir.F8E8M0FNU) && from.Width <= 64 && to.Width <= 64
}

func computeScalingExtF(op *ir.Op, in []ir.Type, out ir.Type) (exec.Scalar, bool) {
	from, to, ok := scalingTypes(in, out)
	if !ok {
		return exec.Scalar{}, false
	}
	extend, scale, multiply := exec.FConvert(from, to, exec.ToNearestEven).F1, exec.FConvert(ir.F8E8M0FNU, to, exec.ToNearestEven).F1, exec.FMul(to).F2
	return exec.Scalar{F2: func(a, b uint64) uint64 { return multiply(extend(a), scale(b)) }}.PromisedScaling(from, ir.F8E8M0FNU, to, FastMath(op)), true
}

func computeScalingTruncF(op *ir.Op, in []ir.Type, out ir.Type) (exec.Scalar, bool) {
	from, to, ok := scalingTypes(in, out)
	if !ok {
		return exec.Scalar{}, false
	}
	truncate, scale, divide := exec.FConvert(from, to, roundingOf(op)).F1, exec.FConvert(ir.F8E8M0FNU, from, exec.ToNearestEven).F1, exec.FDiv(from).F2
	return exec.Scalar{F2: func(a, b uint64) uint64 { return truncate(divide(a, scale(b))) }}.PromisedScaling(from, ir.F8E8M0FNU, to, FastMath(op)), true
}
