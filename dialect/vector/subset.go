package vector

import (
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// subset is the part of a tensor that a transfer reads or overwrites.
type subset struct{}

// Container returns the tensor or memref.
func (subset) Container(op *ir.Op) *ir.Use {
	start, _ := op.OperandGroupRange(op.Def().OperandIndex("source"))
	return op.OperandUse(start)
}

// Accessed returns the part that the vector covers when nothing is masked or out of
// bounds.
func (subset) Accessed(op *ir.Op) (shapes.Slice, bool) {
	o := TransferOp{op}
	m, v := o.PermutationMap(), o.VectorType()
	if m == nil || v == nil || len(m.Results) > len(v.Shape) {
		return shapes.Slice{}, false
	}
	s := shapes.Slice{Sizes: make([]shapes.OpFoldResult, m.Dims)}
	for i := range s.Sizes {
		s.Sizes[i] = shapes.ConstSize(1)
	}
	for i, e := range m.Results {
		if e.Kind == ir.AffineDim {
			s.Sizes[e.Value] = shapes.ConstSize(v.Shape[i])
		}
	}
	for _, v := range o.Indices().Values() {
		s.Offsets = append(s.Offsets, shapes.SizeOf(v))
	}
	return s, len(s.Offsets) == len(s.Sizes)
}

// speculateTransfer allows a transfer that is known to be within bounds where it has to be: where it says so, and in the dimensions that the vector doesn't go along.
func speculateTransfer(op *ir.Op) interfaces.Speculatability {
	o := TransferOp{op}
	shape, ranked := ir.ShapeOf(o.Source().Type())
	s, ok := subset{}.Accessed(op)
	if !ok || !ranked || len(shape) != len(s.Sizes) {
		return interfaces.NotSpeculatable
	}
	free, within := make([]bool, len(shape)), o.InBounds()
	for i, e := range o.PermutationMap().Results {
		if e.Kind == ir.AffineDim {
			free[e.Value] = i >= len(within) || !within[i]
		}
	}
	for i := range shape {
		one := shapes.Slice{Offsets: s.Offsets[i:][:1], Sizes: s.Sizes[i:][:1]}
		if n, known := s.Offsets[i].Int(); !one.KnownWithin(shape[i:][:1]) && !(free[i] && known && n >= 0) {
			return interfaces.NotSpeculatable
		}
	}
	return interfaces.AlwaysSpeculatable
}

type subsetInsertion struct{}

// Source implements interfaces.SubsetInsertionModel.
func (subsetInsertion) Source(op *ir.Op) *ir.Use { return op.OperandUse(0) }

// Destination implements interfaces.SubsetInsertionModel.
func (subsetInsertion) Destination(op *ir.Op) *ir.Use { return subset{}.Container(op) }

// EquivalentSubset implements interfaces.SubsetInsertionModel. The candidate must be read
// in the same arrangement and under the same mask.
func (subsetInsertion) EquivalentSubset(op *ir.Op, candidate *ir.Value, equivalent func(a, b *ir.Value) bool) bool {
	def := candidate.DefiningOp()
	if def == nil || !def.Is(TransferRead) || candidate.Type() != (TransferWriteOp{op}).Vector().Type() {
		return false
	}
	w, r := TransferOp{op}, TransferOp{def}
	return w.PermutationMap() == r.PermutationMap() && w.Mask() == r.Mask() && interfaces.EquivalentSubsets(op, def, equivalent)
}

// BuildExtraction returns nil: which padding a read would have is not known.
func (subsetInsertion) BuildExtraction(*ir.Builder, *ir.Op) *ir.Value { return nil }

// ValuesNeeded implements interfaces.SubsetInsertionModel.
func (subsetInsertion) ValuesNeeded(*ir.Op) []*ir.Value { return nil }
