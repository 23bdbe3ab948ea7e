package emitc

import (
	"freehold/dialect/linalg"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// delays tells whether a fill is left to the nest that follows, which combines elements with those of the buffer: it begins with the number where it keeps them in
// registers.
func (f *function) delays(fill *ir.Op) bool {
	if !fill.Is(linalg.Fill) || fill.NumOperands() != 2 {
		return false
	}
	value, buffer := fill.Operand(0), fill.Operand(1)
	if ir.IsShaped(value.Type()) || value.Type() != ir.ElementType(buffer.Type()) {
		return false
	}
	for op := fill.Next(); op != nil; op = op.Next() {
		switch {
		case interfaces.Structured.Has(op):
			if !combines(op, buffer) {
				return false
			}
			f.fills[op] = fill
			return true
		case !op.Is(memref.Alloc) && !(op.Has(ir.TraitPure) && op.NumRegions() == 0):
			return false
		}
		for _, v := range op.Operands().Values() {
			if v == buffer {
				return false
			}
		}
	}
	return false
}

// combines tells whether a nest writes all elements of a buffer, and nothing else, each in several iterations.
func combines(op *ir.Op, buffer *ir.Value) bool {
	last := op.NumOperands() - 1
	if operations().emitters[op.ID()] != nil || len(interfaces.DpsInits(op)) != 1 || op.Operand(last) != buffer {
		return false
	}
	for i := range last {
		if op.Operand(i) == buffer {
			return false
		}
	}
	maps := interfaces.IndexingMaps(op)
	m := maps[len(maps)-1]
	return m.IsProjectedPermutation(false) && len(m.Results) < len(interfaces.Iterators(op))
}

// fillFirst writes the fill that was left to the nest.
func (n *nest) fillFirst() {
	if n.fill != nil {
		n.f.newNest(n.fill).best()
		n.fill = nil
	}
}
