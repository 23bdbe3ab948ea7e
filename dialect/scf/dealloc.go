package scf

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// endDealloc frees at the end of a region from which no buffer is passed on.
type endDealloc struct{}

func (endDealloc) Deallocate(op *ir.Op, s interfaces.DeallocationState) error {
	_, err := s.DeallocBeforeReturn(op, nil)
	return err
}

// reduceReturnDealloc frees at the end of a reduction, whose result may not
// be a buffer.
type reduceReturnDealloc struct{}

func (reduceReturnDealloc) Deallocate(op *ir.Op, s interfaces.DeallocationState) error {
	for i := range op.NumOperands() {
		if ir.IsMemRef(op.Operand(i).Type()) {
			return op.PlainErrorf("only supported when operand is not a MemRef")
		}
	}
	return endDealloc{}.Deallocate(op, s)
}
