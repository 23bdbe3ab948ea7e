package testd

import (
	"freehold/ir"
	"freehold/ir/constraint"
)

// operand and variadic declare a group of operands, result and results one of
// results.
func operand(name string, t ir.TypeConstraint) ir.OperandDef {
	return ir.OperandDef{Name: name, Type: t}
}

func variadic(name string, t ir.TypeConstraint) ir.OperandDef {
	return ir.OperandDef{Name: name, Type: t, Arity: ir.Variadic}
}

func result(name string, t ir.TypeConstraint) ir.ResultDef {
	return ir.ResultDef{Name: name, Type: t}
}

func results(name string, t ir.TypeConstraint) ir.ResultDef {
	return ir.ResultDef{Name: name, Type: t, Arity: ir.Variadic}
}

// Cast is test.cast, of any number of operands to one result.
var Cast = &ir.OpDef{
	Name:     "test.cast",
	Operands: []ir.OperandDef{variadic("inputs", constraint.AnyType)},
	Results:  []ir.ResultDef{result("res", constraint.AnyType)},
}

// Constant is test.constant, which has the value of its attribute.
var Constant = &ir.OpDef{
	Name:    "test.constant",
	Results: []ir.ResultDef{result("res", constraint.AnyType)},
	Attrs:   []ir.AttrDef{{Name: "value", Type: constraint.AnyAttr}},
	Traits:  ir.TraitConstantLike | ir.TraitNoMemoryEffect,
}

// onI32 declares an operation on n operands of type i32 with an i32 as result.
func onI32(name string, n int, traits ir.Traits) *ir.OpDef {
	d := &ir.OpDef{Name: name, Results: []ir.ResultDef{result("", constraint.I32)}, Traits: traits}
	for range n {
		d.Operands = append(d.Operands, operand("", constraint.I32))
	}
	return d
}

// Operations on i32 that exercise folding by traits.
var (
	Commutative          = onI32("test.op_commutative", 4, ir.TraitCommutative)
	Commutative2         = onI32("test.op_commutative2", 2, ir.TraitCommutative)
	Idempotent           = onI32("test.op_idempotent_trait", 1, ir.TraitIdempotent|ir.TraitSameOperandsAndResultType|ir.TraitNoMemoryEffect)
	IdempotentBinary     = onI32("test.op_idempotent_trait_binary", 2, ir.TraitIdempotent|ir.TraitSameOperandsAndResultType|ir.TraitNoMemoryEffect)
	Involution           = onI32("test.op_involution_trait_no_operation_fold", 1, ir.TraitInvolution|ir.TraitSameOperandsAndResultType|ir.TraitNoMemoryEffect)
	FailingInvolution    = onI32("test.op_involution_trait_failing_operation_fold", 1, ir.TraitInvolution|ir.TraitSameOperandsAndResultType|ir.TraitNoMemoryEffect)
	SuccessfulInvolution = onI32("test.op_involution_trait_succesful_operation_fold", 1, ir.TraitInvolution|ir.TraitSameOperandsAndResultType|ir.TraitNoMemoryEffect)
	// FoldAnchor uses what an operation that folds in place has computed.
	FoldAnchor = onI32("test.op_in_place_fold_anchor", 1, 0)
	// InPlaceFold notes the constant that its operand is as an attribute.
	InPlaceFold = onI32("test.op_in_place_fold", 1, 0)
)

func init() {
	InPlaceFold.Attrs = []ir.AttrDef{{Name: "attr", Type: constraint.AnyAttr, Optional: true}}
	// What it was computed from has precedence over the trait.
	SuccessfulInvolution.Fold = func(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
		if op.Operand(0).DefiningOp() == nil {
			return nil
		}
		return ir.FoldValue(op.Operand(0))
	}
	FoldAdaptor.Fold = weightedSum
	InPlaceFold.Fold = func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
		if len(operands) == 0 || operands[0] == nil || op.Attr("attr") != nil {
			return nil
		}
		op.SetAttr("attr", operands[0])
		return ir.FoldedInPlace()
	}
}

// weightedSum adds up the constants among the operands of each group and the
// number of blocks in the body, with the weights 1 to 4.
func weightedSum(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	sum, weight := int64(0), int64(1)
	for g := range op.Def().Operands {
		start, n := op.OperandGroupRange(g)
		for _, a := range operands[start : start+n] {
			if i, ok := a.(*ir.IntegerAttr); ok {
				sum += weight * i.Value
			}
		}
		weight++
	}
	for range op.RegionAt(0).Blocks() {
		sum += weight
	}
	return ir.FoldAttr(op.Context().IntegerAttr(ir.I32, sum))
}
