package tensor

import (
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// subset is the part of a tensor that a slice operation reads or overwrites.
type subset struct{}

// Container returns the tensor: the source of an extraction, else the destination.
func (subset) Container(op *ir.Op) *ir.Use {
	if op.Is(ExtractSlice) {
		return op.OperandUse(0)
	}
	return op.OperandUse(1)
}

// Accessed returns the slice.
func (subset) Accessed(op *ir.Op) (shapes.Slice, bool) { return interfaces.SliceOf(op), true }

type subsetInsertion struct{ subset }

// EquivalentSubset implements interfaces.SubsetInsertionModel.
func (subsetInsertion) EquivalentSubset(op *ir.Op, candidate *ir.Value, equivalent func(a, b *ir.Value) bool) bool {
	def := candidate.DefiningOp()
	if def == nil {
		return false
	}
	_, ok := interfaces.SubsetExtraction.Of(def)
	return ok && candidate.Type() == InsertSliceOp{op}.Source().Type() && interfaces.EquivalentSubsets(op, def, equivalent)
}

func (subsetInsertion) Source(op *ir.Op) *ir.Use      { return op.OperandUse(0) }
func (subsetInsertion) Destination(op *ir.Op) *ir.Use { return op.OperandUse(1) }

func (subsetInsertion) BuildExtraction(b *ir.Builder, op *ir.Op) *ir.Value {
	return NewExtractSlice(b, InsertSliceOp{op}.Source().Type().(*ir.RankedTensorType), InsertSliceOp{op}.Dest(), interfaces.SliceOf(op))
}

func (subsetInsertion) ValuesNeeded(op *ir.Op) []*ir.Value {
	values := []*ir.Value{InsertSliceOp{op}.Dest()}
	s := interfaces.SliceOf(op)
	for _, list := range [][]shapes.OpFoldResult{s.Offsets, s.Sizes, s.Strides} {
		for _, x := range list {
			if x.Value != nil {
				values = append(values, x.Value)
			}
		}
	}
	return values
}
