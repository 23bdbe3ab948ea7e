package stablehlo

import (
	"freehold/ir"
	"freehold/ir/constraint"
)

// Operations on the elements of one tensor.
var (
	Abs                 = ir.NewOpID("stablehlo.abs")
	Cbrt                = ir.NewOpID("stablehlo.cbrt")
	Ceil                = ir.NewOpID("stablehlo.ceil")
	Convert             = ir.NewOpID("stablehlo.convert")
	Cosine              = ir.NewOpID("stablehlo.cosine")
	CountLeadingZeros   = ir.NewOpID("stablehlo.count_leading_zeros")
	Exponential         = ir.NewOpID("stablehlo.exponential")
	ExponentialMinusOne = ir.NewOpID("stablehlo.exponential_minus_one")
	Floor               = ir.NewOpID("stablehlo.floor")
	Imag                = ir.NewOpID("stablehlo.imag")
	IsFinite            = ir.NewOpID("stablehlo.is_finite")
	Log                 = ir.NewOpID("stablehlo.log")
	LogPlusOne          = ir.NewOpID("stablehlo.log_plus_one")
	Logistic            = ir.NewOpID("stablehlo.logistic")
	Negate              = ir.NewOpID("stablehlo.negate")
	Not                 = ir.NewOpID("stablehlo.not")
	PopCount            = ir.NewOpID("stablehlo.popcnt")
	Real                = ir.NewOpID("stablehlo.real")
	ReducePrecision     = ir.NewOpID("stablehlo.reduce_precision")
	RoundNearestAfz     = ir.NewOpID("stablehlo.round_nearest_afz")
	RoundNearestEven    = ir.NewOpID("stablehlo.round_nearest_even")
	Rsqrt               = ir.NewOpID("stablehlo.rsqrt")
	Sign                = ir.NewOpID("stablehlo.sign")
	Sine                = ir.NewOpID("stablehlo.sine")
	Sqrt                = ir.NewOpID("stablehlo.sqrt")
	Tan                 = ir.NewOpID("stablehlo.tan")
	Tanh                = ir.NewOpID("stablehlo.tanh")
	UniformDequantize   = ir.NewOpID("stablehlo.uniform_dequantize")
	UniformQuantize     = ir.NewOpID("stablehlo.uniform_quantize")
)

// Operations on the elements of several tensors.
var (
	Add                  = ir.NewOpID("stablehlo.add")
	And                  = ir.NewOpID("stablehlo.and")
	Atan2                = ir.NewOpID("stablehlo.atan2")
	Clamp                = ir.NewOpID("stablehlo.clamp")
	Compare              = ir.NewOpID("stablehlo.compare")
	Complex              = ir.NewOpID("stablehlo.complex")
	Divide               = ir.NewOpID("stablehlo.divide")
	Maximum              = ir.NewOpID("stablehlo.maximum")
	Minimum              = ir.NewOpID("stablehlo.minimum")
	Multiply             = ir.NewOpID("stablehlo.multiply")
	Or                   = ir.NewOpID("stablehlo.or")
	Power                = ir.NewOpID("stablehlo.power")
	Remainder            = ir.NewOpID("stablehlo.remainder")
	Select               = ir.NewOpID("stablehlo.select")
	ShiftLeft            = ir.NewOpID("stablehlo.shift_left")
	ShiftRightArithmetic = ir.NewOpID("stablehlo.shift_right_arithmetic")
	ShiftRightLogical    = ir.NewOpID("stablehlo.shift_right_logical")
	Subtract             = ir.NewOpID("stablehlo.subtract")
	Xor                  = ir.NewOpID("stablehlo.xor")
)

// The syntax that most operations have.
const (
	functional  = "operands attr-dict `:` functional-type(operands, results)"
	unaryFormat = "$operand attr-dict `:` custom<Same>(type($operand), type($result))"
	fromTo      = "$operand attr-dict `:` functional-type(operands, results)"
)

// op declares an operation with operands of these names, all of which have elements of some kinds, and one such result.
func op(id *ir.OpID, k kinds, operands ...string) *ir.OpDef {
	t := tensorOf(k)
	def := &ir.OpDef{ID: id, Results: ir.SingleResult("result", t), Traits: ir.TraitPure, Format: functional}
	for _, name := range operands {
		def.Operands = append(def.Operands, ir.Operand(name, t))
	}
	return def
}

// unary declares an operation on the elements of a tensor whose result has the same type.
func unary(id *ir.OpID, k kinds, attrs ...ir.AttrDef) *ir.OpDef {
	return op(id, k, "operand").With(ir.OpDef{Attrs: attrs, Format: unaryFormat, Traits: elementwise,
		InferTypes: inferFirst, CompatibleTypes: compatible})
}

// cast declares an operation on the elements of a tensor whose result has elements of another type.
func cast(id *ir.OpID, from, to kinds) *ir.OpDef {
	return op(id, from, "operand").With(ir.OpDef{Results: ir.SingleResult("result", tensorOf(to)), Format: fromTo, Traits: elementwise})
}

// elementwise are the traits of operations that compute each element of the result from the elements in its place.
const elementwise = ir.TraitElementwise | ir.TraitSameOperandsAndResultShape

// binary declares an operation on the elements of two tensors whose result has the same type.
func binary(id *ir.OpID, k kinds, traits ir.Traits) *ir.OpDef {
	return op(id, k, "lhs", "rhs").With(ir.OpDef{
		Format: "$lhs `,` $rhs attr-dict `:` custom<Same>(type($lhs), type($rhs), type($result))",
		Traits: elementwise | traits, Verify: verifySameElements, VerifyAlone: true, InferTypes: inferJoined, CompatibleTypes: compatible,
	})
}

func elementwiseOps() []*ir.OpDef {
	logical, commutative := bools|ints, ir.TraitCommutative
	functionsOf := floats | complexes | quantized
	return []*ir.OpDef{
		unary(Abs, signed|floats|complexes|quantized).With(ir.OpDef{InferTypes: inferReal}),
		unary(Cbrt, functionsOf, accuracy),
		unary(Ceil, floats|quantized),
		cast(Convert, bools|ints|floats|complexes|indices, bools|ints|floats|complexes|indices).With(ir.OpDef{Format: unaryFormat}),
		unary(Cosine, functionsOf, accuracy),
		unary(CountLeadingZeros, ints),
		unary(Exponential, functionsOf, accuracy),
		unary(ExponentialMinusOne, functionsOf, accuracy),
		unary(Floor, floats|quantized),
		unary(Imag, floats|complexes).With(ir.OpDef{InferTypes: inferReal}),
		unary(IsFinite, floats|quantized).With(ir.OpDef{Format: fromTo, Results: ir.SingleResult("result", boolTensor), InferTypes: inferBools}),
		unary(Log, functionsOf, accuracy),
		unary(LogPlusOne, functionsOf, accuracy),
		unary(Logistic, functionsOf, accuracy),
		unary(Negate, numbers),
		unary(Not, logical),
		unary(PopCount, ints),
		unary(Real, floats|complexes).With(ir.OpDef{InferTypes: inferReal}),
		unary(ReducePrecision, floats|quantized, required("exponent_bits", constraint.I32Attr), required("mantissa_bits", constraint.I32Attr)).With(ir.OpDef{
			Format: "$operand `,` `format` `=` custom<Format>($exponent_bits, $mantissa_bits) attr-dict `:` custom<Same>(type($operand), type($result))",
			Verify: verifyReducePrecision, VerifyAlone: true,
		}),
		unary(RoundNearestAfz, floats|quantized),
		unary(RoundNearestEven, floats|quantized),
		unary(Rsqrt, functionsOf, accuracy),
		unary(Sign, signed|functionsOf),
		unary(Sine, functionsOf, accuracy),
		unary(Sqrt, functionsOf, accuracy),
		unary(Tan, functionsOf, accuracy),
		unary(Tanh, functionsOf, accuracy),
		cast(UniformDequantize, quantized|perAxis, floats).With(ir.OpDef{InferTypes: inferExpressed, CompatibleTypes: compatible}),
		cast(UniformQuantize, floats|quantized|perAxis, quantized|perAxis).With(ir.OpDef{Format: unaryFormat, Verify: verifyQuantized, VerifyAlone: true}),

		binary(Add, bools|numbers|perAxis, commutative).With(ir.OpDef{Verify: verifyAdd}),
		binary(And, logical, commutative),
		binary(Atan2, functionsOf, 0),
		op(Clamp, bools|numbers, "min", "operand", "max").With(ir.OpDef{
			Format: "$min `,` $operand `,` $max attr-dict `:` custom<Same>(type($min), type($operand), type($max), type($result))",
			Verify: verifyClamp, VerifyAlone: true,
		}),
		binary(Compare, anything, 0).With(ir.OpDef{
			Attrs:   []ir.AttrDef{required("comparison_direction", enumAttr(ComparisonDirection)), optional("compare_type", enumAttr(ComparisonType))},
			Format:  "custom<Word>($comparison_direction) `,` $lhs `,` $rhs `` custom<Word>($compare_type, \"optional\") attr-dict `:` functional-type(operands, results)",
			Results: ir.SingleResult("result", boolTensor), InferTypes: inferBools,
		}),
		binary(Complex, floats, 0).With(ir.OpDef{
			Format:  "$lhs `,` $rhs attr-dict `:` custom<Complex>(type($lhs), type($rhs), type($result))",
			Results: ir.SingleResult("result", tensorOf(complexes)), InferTypes: inferComplex, Verify: verifyComplex,
		}),
		binary(Divide, numbers, 0),
		binary(Maximum, bools|numbers, commutative),
		binary(Minimum, bools|numbers, commutative),
		binary(Multiply, bools|numbers, commutative),
		binary(Or, logical, commutative),
		binary(Power, numbers, 0),
		binary(Remainder, numbers, 0),
		op(Select, anything, "pred", "on_true", "on_false").With(ir.OpDef{
			Operands: []ir.OperandDef{ir.Operand("pred", boolTensor), ir.Operand("on_true", anyTensor), ir.Operand("on_false", anyTensor)},
			Format:   "$pred `,` $on_true `,` $on_false attr-dict `:` custom<Select>(type($pred), type($on_true), type($on_false), type($result))",
			Verify:   verifySelect, VerifyAlone: true,
		}),
		binary(ShiftLeft, ints, 0),
		binary(ShiftRightArithmetic, ints, 0),
		binary(ShiftRightLogical, ints, 0),
		binary(Subtract, numbers, 0),
		binary(Xor, logical, commutative),
	}
}
