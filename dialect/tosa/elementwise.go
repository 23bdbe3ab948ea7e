package tosa

import (
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/rewrite"
)

// functional is the syntax of most operations.
const functional = "operands attr-dict `:` functional-type(operands, results)"

// op declares an operation with one result and operands of the names, all of which accept
// the type.
func op(id *ir.OpID, result string, t ir.TypeConstraint, operands ...string) *ir.OpDef {
	def := &ir.OpDef{ID: id, Results: ir.SingleResult(result, t), Traits: ir.TraitPure, Format: functional}
	for _, name := range operands {
		def.Operands = append(def.Operands, ir.Operand(name, t))
	}
	return def
}

// elementwise declares an operation on the elements of its operands, which are broadcast
// along dimensions of size 1.
func elementwise(id *ir.OpID, result string, t ir.TypeConstraint, operands ...string) *ir.OpDef {
	return op(id, result, t, operands...).With(ir.OpDef{
		Traits: ir.TraitResultsBroadcastable,
		Models: []ir.Model{ShapeInference.Model(inferBroadcast)},
	})
}

func unary(id *ir.OpID, operand string) *ir.OpDef {
	return elementwise(id, "output", anyTensor, operand).With(ir.OpDef{Traits: ir.TraitSameOperandsAndResultElementType})
}

func binary(id *ir.OpID) *ir.OpDef {
	return elementwise(id, "output", anyTensor, "input1", "input2").With(ir.OpDef{Traits: ir.TraitSameOperandsAndResultElementType, Later: later(nil, printRanks)})
}

func commutative(id *ir.OpID) *ir.OpDef {
	return binary(id).With(ir.OpDef{Traits: ir.TraitCommutative})
}

func logical(id *ir.OpID) *ir.OpDef {
	return elementwise(id, "z", boolTensor, "input1", "input2").With(ir.OpDef{
		Traits: ir.TraitSameOperandsAndResultElementType | ir.TraitCommutative,
		Later:  later(nil, printRanks),
	})
}

func comparison(id *ir.OpID) *ir.OpDef {
	return elementwise(id, "output", anyTensor, "input1", "input2").With(ir.OpDef{
		Results: ir.SingleResult("output", boolTensor),
		Traits:  ir.TraitSameOperandsElementType,
		Later:   later(nil, printRanks),
	})
}

// Operations on the elements of one tensor.
var (
	Abs        = ir.NewOpID("tosa.abs")
	BitwiseNot = ir.NewOpID("tosa.bitwise_not")
	Ceil       = ir.NewOpID("tosa.ceil")
	Clamp      = ir.NewOpID("tosa.clamp")
	Clz        = ir.NewOpID("tosa.clz")
	Cos        = ir.NewOpID("tosa.cos")
	Erf        = ir.NewOpID("tosa.erf")
	Exp        = ir.NewOpID("tosa.exp")
	Floor      = ir.NewOpID("tosa.floor")
	Log        = ir.NewOpID("tosa.log")
	LogicalNot = ir.NewOpID("tosa.logical_not")
	Negate     = ir.NewOpID("tosa.negate")
	Reciprocal = ir.NewOpID("tosa.reciprocal")
	Rsqrt      = ir.NewOpID("tosa.rsqrt")
	Sigmoid    = ir.NewOpID("tosa.sigmoid")
	Sin        = ir.NewOpID("tosa.sin")
	Tanh       = ir.NewOpID("tosa.tanh")
)

func absDef() *ir.OpDef {
	return unary(Abs, "input1").With(ir.OpDef{Fold: foldAbs})
}

func bitwiseNotDef() *ir.OpDef {
	return unary(BitwiseNot, "input1")
}

func ceilDef() *ir.OpDef {
	return unary(Ceil, "input1")
}

func clzDef() *ir.OpDef {
	return unary(Clz, "input1")
}

func expDef() *ir.OpDef {
	return unary(Exp, "input1")
}

func floorDef() *ir.OpDef {
	return unary(Floor, "input1")
}

func logDef() *ir.OpDef {
	return unary(Log, "input1")
}

func reciprocalDef() *ir.OpDef {
	return unary(Reciprocal, "input1").With(ir.OpDef{Fold: foldReciprocal})
}

func rsqrtDef() *ir.OpDef {
	return unary(Rsqrt, "input1")
}

func tanhDef() *ir.OpDef {
	return unary(Tanh, "input")
}

func sigmoidDef() *ir.OpDef {
	return elementwise(Sigmoid, "output", anyTensor, "input")
}

func cosDef() *ir.OpDef {
	return elementwise(Cos, "output", floatTensor, "input").With(ir.OpDef{Traits: ir.TraitSameOperandsAndResultElementType})
}

func sinDef() *ir.OpDef {
	return elementwise(Sin, "output", floatTensor, "input").With(ir.OpDef{Traits: ir.TraitSameOperandsAndResultElementType})
}

func logicalNotDef() *ir.OpDef {
	return elementwise(LogicalNot, "output", boolTensor, "input1").With(ir.OpDef{Traits: ir.TraitSameOperandsAndResultElementType})
}

func negateDef() *ir.OpDef {
	return unary(Negate, "input1").With(ir.OpDef{Attrs: []ir.AttrDef{unaryQuantAttr}, Fold: foldNegate, Later: without(later(readPoints(unaryQuant, 1), printPoints(0, -1)), quantName)})
}

func erfDef() *ir.OpDef {
	return op(Erf, "output", anyTensor, "input").With(ir.OpDef{Models: []ir.Model{ShapeInference.Model(inferBroadcast)}})
}

func clampDef() *ir.OpDef {
	return elementwise(Clamp, "output", anyTensor, "input").With(ir.OpDef{
		Attrs:     []ir.AttrDef{attr("min_int", constraint.I64Attr), attr("max_int", constraint.I64Attr), attr("min_fp", floatAttr), attr("max_fp", floatAttr)},
		Verify:    verifyClamp,
		Revisions: revised(verifyClampOf22),
		// The limit of tosa.reluN is the upper one.
		Earlier: []ir.Spelling{{Until: 15, Name: "tosa.reluN", Without: []string{"min_int", "min_fp"}, Upgrade: func(b *ir.Builder, s *ir.OpState) error {
			if s.Attr("min_int") == nil && s.Attr("min_fp") == nil && s.Attr("max_int") != nil && s.Attr("max_fp") != nil {
				c := b.Context()
				s.SetAttr("min_int", c.I64Attr(0))
				s.SetAttr("min_fp", c.FloatAttr(ir.F32, 0))
			}
			return nil
		}}},
		Later: without(wordy(later(readClamp, printClamp, minName, maxName, nanModeName)), "max_fp", "max_int", "min_fp", "min_int"),
		Models: []ir.Model{rewrite.Patterns(
			rewrite.Pattern{Name: "ClampIsNoOp", Rewrite: removeClamp},
			rewrite.Pattern{Name: "ClampClampOptimization", Rewrite: joinClamps},
		)},
	})
}

// Operations on the elements of two tensors.
var (
	Add                  = ir.NewOpID("tosa.add")
	ArithmeticRightShift = ir.NewOpID("tosa.arithmetic_right_shift")
	BitwiseAnd           = ir.NewOpID("tosa.bitwise_and")
	BitwiseOr            = ir.NewOpID("tosa.bitwise_or")
	BitwiseXor           = ir.NewOpID("tosa.bitwise_xor")
	Equal                = ir.NewOpID("tosa.equal")
	Greater              = ir.NewOpID("tosa.greater")
	GreaterEqual         = ir.NewOpID("tosa.greater_equal")
	IntDiv               = ir.NewOpID("tosa.int_div")
	LogicalAnd           = ir.NewOpID("tosa.logical_and")
	LogicalLeftShift     = ir.NewOpID("tosa.logical_left_shift")
	LogicalOr            = ir.NewOpID("tosa.logical_or")
	LogicalRightShift    = ir.NewOpID("tosa.logical_right_shift")
	LogicalXor           = ir.NewOpID("tosa.logical_xor")
	Maximum              = ir.NewOpID("tosa.maximum")
	Minimum              = ir.NewOpID("tosa.minimum")
	Mul                  = ir.NewOpID("tosa.mul")
	Pow                  = ir.NewOpID("tosa.pow")
	Sub                  = ir.NewOpID("tosa.sub")
)

func addDef() *ir.OpDef {
	return commutative(Add).With(ir.OpDef{Fold: foldAdd})
}

func bitwiseAndDef() *ir.OpDef {
	return commutative(BitwiseAnd)
}

func bitwiseOrDef() *ir.OpDef {
	return commutative(BitwiseOr)
}

func bitwiseXorDef() *ir.OpDef {
	return commutative(BitwiseXor)
}

func logicalAndDef() *ir.OpDef {
	return logical(LogicalAnd)
}

func logicalLeftShiftDef() *ir.OpDef {
	return binary(LogicalLeftShift)
}

func logicalOrDef() *ir.OpDef {
	return logical(LogicalOr)
}

func logicalRightShiftDef() *ir.OpDef {
	return binary(LogicalRightShift)
}

func logicalXorDef() *ir.OpDef {
	return logical(LogicalXor)
}

func maximumDef() *ir.OpDef {
	return commutative(Maximum).With(ir.OpDef{Later: wordy(later(readNaN, printRanks, nanModeName))})
}

func minimumDef() *ir.OpDef {
	return commutative(Minimum).With(ir.OpDef{Later: wordy(later(readNaN, printRanks, nanModeName))})
}

func subDef() *ir.OpDef {
	return binary(Sub).With(ir.OpDef{Fold: foldSub})
}

func greaterDef() *ir.OpDef {
	return comparison(Greater).With(ir.OpDef{Fold: foldGreater})
}

func greaterEqualDef() *ir.OpDef {
	return comparison(GreaterEqual).With(ir.OpDef{Fold: foldGreaterEqual})
}

func equalDef() *ir.OpDef {
	return comparison(Equal).With(ir.OpDef{
		Traits: ir.TraitCommutative, Fold: foldEqual, InferTypes: inferEqual, CompatibleTypes: compatibleShapes,
	})
}

func arithmeticRightShiftDef() *ir.OpDef {
	return binary(ArithmeticRightShift).With(ir.OpDef{Attrs: []ir.AttrDef{attr("round", constraint.BoolAttr)}})
}

func intDivDef() *ir.OpDef {
	return elementwise(IntDiv, "output", i32Tensor, "input1", "input2").With(ir.OpDef{
		Traits: ir.TraitSameOperandsAndResultElementType, Fold: foldIntDiv,
		Earlier: []ir.Spelling{{Until: 18, Name: "tosa.div"}},
		Later:   []ir.Spelling{{Since: 22, Name: "tosa.intdiv", Replace: printRanks}},
	})
}

func mulDef() *ir.OpDef {
	return elementwise(Mul, "output", anyTensor, "input1", "input2").With(ir.OpDef{
		Traits: ir.TraitCommutative, Attrs: []ir.AttrDef{attr("shift", shiftAttr)}, Verify: verifyMul, Fold: foldMul,
		Later: without(later(readMul, printMul), "shift"),
	})
}

func powDef() *ir.OpDef {
	return elementwise(Pow, "z", anyTensor, "input1", "input2").With(ir.OpDef{
		Traits: ir.TraitSameOperandsAndResultElementType, Later: later(nil, printRanks),
	})
}

// Select takes each element from one of two tensors, as a third one says.
var Select = ir.NewOpID("tosa.select")

func selectDef() *ir.OpDef {
	return elementwise(Select, "output", anyTensor, "pred", "on_true", "on_false").With(ir.OpDef{
		Operands: []ir.OperandDef{ir.Operand("pred", boolTensor), ir.Operand("on_true", anyTensor), ir.Operand("on_false", anyTensor)},
		Format:   "$pred `,` $on_true `,` $on_false attr-dict `:` `(` type($pred) `,` type($on_true) `,` type($on_false) `)` `->` type($output)",
		Models:   []ir.Model{rewrite.Patterns(rewrite.Pattern{Name: "canonicalize", Rewrite: selectOfNot})},
		Fold:     foldSelect,
		Later:    later(nil, printRanks),
	})
}
