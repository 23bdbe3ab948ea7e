package hlo

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// entryOperands returns position and number of the operands that an operation passes to
// its regions.
func entryOperands(op *ir.Op, m interfaces.RegionBranchModel) (start, n int) {
	for _, s := range m.Successors(op, interfaces.ParentPoint) {
		if start, n = m.EntryOperands(op, interfaces.RegionPoint{Region: s.Region}); n > 0 {
			return start, n
		}
	}
	return 0, 0
}

// appendOperands inserts operands at a position, which is the end of a group of operands.
func appendOperands(op *ir.Op, at int, values []*ir.Value) {
	if op.Has(ir.TraitAttrSizedOperandSegments) {
		for g := len(op.Def().Operands) - 1; g >= 0; g-- {
			if start, n := op.OperandGroupRange(g); start+n == at && op.Def().Operands[g].Arity == ir.Variadic {
				op.SetOperandGroup(g, append(op.OperandGroup(g).Values(), values...))
				return
			}
		}
	}
	op.InsertOperands(at, values...)
}
