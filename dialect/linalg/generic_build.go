package linalg

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// NewGenericWithoutBody creates a linalg.generic whose region is empty. The caller
// must put a block there.
func NewGenericWithoutBody(b *ir.Builder, inputs, inits []*ir.Value, maps []*ir.AffineMap, iterators []interfaces.Iterator) *ir.Op {
	s := genericState(b, inputs, inits, maps, iterators)
	s.AddRegion()
	return b.Create(s)
}

// genericState is the state of a linalg.generic that lacks its region.
func genericState(b *ir.Builder, inputs, inits []*ir.Value, maps []*ir.AffineMap, iterators []interfaces.Iterator) ir.OpState {
	c := b.Context()
	s := b.State(Generic)
	s.Operands = append(append([]*ir.Value(nil), inputs...), inits...)
	s.Types = tensorTypes(inits)
	s.SetAttr(indexingMapsAttr, MapsAttr(c, maps))
	s.SetAttr(iteratorTypesAttr, IteratorAttr(c, iterators))
	s.SetAttr(ir.OperandSegmentsAttr, c.DenseI32Array(int32(len(inputs)), int32(len(inits))))
	return s
}
