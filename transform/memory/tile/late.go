package tile

import (
	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
)

// placeLate moves destinations without contents, fills of such, and slices of such, right before what uses them first: where they stand, they may become memory that is there already. Steps were
// written between them and their uses. Linear in the block and the uses of these.
func placeLate(block *ir.Block) {
	var places []*ir.Op
	for op := range block.Ops() {
		if isDestination(op) {
			places = append(places, op)
		}
	}
	for i := len(places) - 1; i >= 0; i-- {
		op := places[i]
		var first *ir.Op
		for u := op.Result(0).FirstUse(); u != nil; u = u.Next() {
			user := block.AncestorIn(u.Owner())
			if user == nil {
				first = nil
				break
			}
			if first == nil || user.IsBefore(first) {
				first = user
			}
		}
		if first != nil && op.Next() != first {
			op.MoveBefore(first)
		}
	}
}

// isDestination tells whether an operation makes a tensor for others to write to, or a slice of such.
func isDestination(op *ir.Op) bool {
	switch {
	case op.Is(tensor.Empty):
		return true
	case op.Is(linalg.Fill):
		return op.NumResults() == 1 && isPlace(op.Result(0))
	case op.Is(tensor.ExtractSlice):
		return isPlace(op.Operand(0))
	}
	return false
}
