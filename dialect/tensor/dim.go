package tensor

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// Dim returns the size of a dimension.
var Dim = ir.NewOpID("tensor.dim")

func dimDef() *ir.OpDef {
	return &ir.OpDef{
		ID:         Dim,
		Operands:   []ir.OperandDef{ir.Operand("source", nonZeroRankTensor), ir.Operand("index", constraint.Index)},
		Results:    ir.SingleResult("result", constraint.Index),
		Traits:     ir.TraitNoMemoryEffect,
		Format:     "attr-dict $source `,` $index `:` type($source)",
		InferTypes: func(*ir.OpState) ([]ir.Type, error) { return []ir.Type{ir.Index}, nil },
		Models: []ir.Model{
			interfaces.Bufferizable.Model(dimBufferize{}),
			interfaces.ShapedDim.Model(func(op *ir.Op) (shaped, dimension *ir.Value) { return DimOp{op}.Source(), DimOp{op}.Index() }),
			named("dim"),
			interfaces.ConditionallySpeculatable.Model(dimSpeculatability),
			rewrite.Patterns(dimPatterns()...),
			exec.Executable.Model(executeDim),
		},
		Fold: foldDim,
	}
}

// DimOp is a tensor.dim.
type DimOp struct{ *ir.Op }

// Source returns the tensor.
func (o DimOp) Source() *ir.Value { return o.Operand(0) }

// Index returns the number of the dimension.
func (o DimOp) Index() *ir.Value { return o.Operand(1) }

// ConstantIndex returns the number of the dimension if it is a constant.
func (o DimOp) ConstantIndex() (int64, bool) { return ir.ConstantInt(o.Index()) }

// dimSpeculatability says that a dimension out of bounds is undefined behaviour.
func dimSpeculatability(op *ir.Op) interfaces.Speculatability {
	i, ok := DimOp{op}.ConstantIndex()
	t := ranked(DimOp{op}.Source().Type())
	if ok && t != nil && i >= 0 && i < int64(len(t.Shape)) {
		return interfaces.AlwaysSpeculatable
	}
	return interfaces.NotSpeculatable
}

// Rank returns the number of dimensions.
var Rank = ir.NewOpID("tensor.rank")

func rankDef() *ir.OpDef {
	return &ir.OpDef{
		ID:         Rank,
		Operands:   []ir.OperandDef{ir.Operand("tensor", constraint.AnyTensor)},
		Results:    ir.SingleResult("", constraint.Index),
		Traits:     ir.TraitPure,
		Format:     "$tensor attr-dict `:` type($tensor)",
		InferTypes: func(*ir.OpState) ([]ir.Type, error) { return []ir.Type{ir.Index}, nil },
		Models: []ir.Model{
			interfaces.Bufferizable.Model(rankBufferize{}),
			named("rank"),
			exec.Executable.Model(executeRank),
		},
		Fold: foldRank,
	}
}

// RankOp is a tensor.rank.
type RankOp struct{ *ir.Op }

// Tensor returns the tensor.
func (o RankOp) Tensor() *ir.Value { return o.Operand(0) }

func foldRank(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	if t := ranked(RankOp{op}.Tensor().Type()); t != nil {
		return ir.FoldAttr(op.Context().IndexAttr(int64(len(t.Shape))))
	}
	return nil
}
