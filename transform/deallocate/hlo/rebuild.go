package hlo

import (
	"slices"

	"freehold/ir"
)

// rebuild replaces an operation by one with other operands and with further results after
// those that it has, and returns it. It takes the regions, as they are.
func rebuild(b *ir.Builder, op *ir.Op, operands []*ir.Value, types []ir.Type) *ir.Op {
	b.SetBefore(op)
	s := ir.OpState{Name: op.OpName(), Loc: op.Loc(), Operands: operands, Types: types,
		Props: slices.Clone(op.Props()), Attrs: slices.Clone(op.DiscardableAttrs()), Properties: op.PropertiesDict()}
	for i := range op.NumRegions() {
		s.AddRegion().TakeBody(op.RegionAt(i))
	}
	n := b.Insert(b.CreateExact(&s))
	n.SetMark(op.Mark())
	op.ReplaceAllUsesWith(n.Results().Values()[:op.NumResults()])
	op.Erase()
	return n
}
