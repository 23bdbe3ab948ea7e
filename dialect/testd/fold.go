package testd

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/constraint"
)

// Cast is test.cast, of any number of operands to one result.
var Cast = ir.NewOpID("test.cast")

func castDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Cast,
		Operands: []ir.OperandDef{ir.VariadicOperand("inputs", constraint.AnyType)},
		Results:  []ir.ResultDef{ir.Result("res", constraint.AnyType)},
	}
}

// Constant is test.constant, which has the value of its attribute.
var Constant = ir.NewOpID("test.constant")

func constantDef() *ir.OpDef {
	return &ir.OpDef{
		ID:      Constant,
		Results: []ir.ResultDef{ir.Result("res", constraint.AnyType)},
		Attrs:   []ir.AttrDef{{Name: "value", Type: constraint.AnyAttr}},
		Traits:  ir.TraitConstantLike | ir.TraitNoMemoryEffect,
	}
}

// onI32 declares an operation on n operands of type i32 with an i32 as result.
func onI32(id *ir.OpID, n int, traits ir.Traits) *ir.OpDef {
	d := &ir.OpDef{ID: id, Results: []ir.ResultDef{ir.Result("", constraint.I32)}, Traits: traits}
	for range n {
		d.Operands = append(d.Operands, ir.Operand("", constraint.I32))
	}
	return d
}

// Operations on i32 that exercise folding by traits.
var (
	Commutative          = ir.NewOpID("test.op_commutative")
	Commutative2         = ir.NewOpID("test.op_commutative2")
	Idempotent           = ir.NewOpID("test.op_idempotent_trait")
	IdempotentBinary     = ir.NewOpID("test.op_idempotent_trait_binary")
	Involution           = ir.NewOpID("test.op_involution_trait_no_operation_fold")
	FailingInvolution    = ir.NewOpID("test.op_involution_trait_failing_operation_fold")
	SuccessfulInvolution = ir.NewOpID("test.op_involution_trait_succesful_operation_fold")
	// FoldAnchor uses what an operation that folds in place has computed.
	FoldAnchor = ir.NewOpID("test.op_in_place_fold_anchor")
	// InPlaceFold notes the constant that its operand is as an attribute.
	InPlaceFold = ir.NewOpID("test.op_in_place_fold")
)

func commutativeDef() *ir.OpDef {
	return onI32(Commutative, 4, ir.TraitCommutative).With(ir.OpDef{
		Models: []ir.Model{
			exec.Executable.Model(executeCommutative),
		},
	})
}

func commutative2Def() *ir.OpDef {
	return onI32(Commutative2, 2, ir.TraitCommutative).With(ir.OpDef{
		Models: []ir.Model{
			exec.Executable.Model(executeCommutative),
		},
	})
}

func idempotentDef() *ir.OpDef {
	return onI32(Idempotent, 1, ir.TraitIdempotent|ir.TraitSameOperandsAndResultType|ir.TraitNoMemoryEffect).With(ir.OpDef{
		Models: []ir.Model{
			exec.Executable.Model(executeIdempotent),
		},
	})
}

func idempotentBinaryDef() *ir.OpDef {
	return onI32(IdempotentBinary, 2, ir.TraitIdempotent|ir.TraitSameOperandsAndResultType|ir.TraitNoMemoryEffect).With(ir.OpDef{
		Models: []ir.Model{
			exec.Executable.Model(executeIdempotent),
		},
	})
}

func involutionDef() *ir.OpDef {
	return onI32(Involution, 1, ir.TraitInvolution|ir.TraitSameOperandsAndResultType|ir.TraitNoMemoryEffect).With(ir.OpDef{
		Models: []ir.Model{
			exec.Executable.Model(executeIdempotent),
		},
	})
}

func failingInvolutionDef() *ir.OpDef {
	return onI32(FailingInvolution, 1, ir.TraitInvolution|ir.TraitSameOperandsAndResultType|ir.TraitNoMemoryEffect).With(ir.OpDef{
		Models: []ir.Model{
			exec.Executable.Model(executeIdempotent),
		},
	})
}

func successfulInvolutionDef() *ir.OpDef {
	return onI32(SuccessfulInvolution, 1, ir.TraitInvolution|ir.TraitSameOperandsAndResultType|ir.TraitNoMemoryEffect).With(ir.OpDef{
		// What it was computed from has precedence over the trait.
		Fold: func(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
			if op.Operand(0).DefiningOp() == nil {
				return nil
			}
			return ir.FoldValue(op.Operand(0))
		},
		Models: []ir.Model{
			exec.Executable.Model(executeIdempotent),
		},
	})
}

func foldAnchorDef() *ir.OpDef {
	return onI32(FoldAnchor, 1, 0).With(ir.OpDef{
		Models: []ir.Model{
			exec.Executable.Model(executeIdempotent),
		},
	})
}

func inPlaceFoldDef() *ir.OpDef {
	return onI32(InPlaceFold, 1, 0).With(ir.OpDef{
		Attrs: []ir.AttrDef{{Name: "attr", Type: constraint.AnyAttr, Optional: true}},
		Fold: func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
			if len(operands) == 0 || operands[0] == nil || op.Attr("attr") != nil {
				return nil
			}
			op.SetAttr("attr", operands[0])
			return ir.FoldedInPlace()
		},
	})
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
