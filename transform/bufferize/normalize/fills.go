package normalize

import (
	"freehold/dialect/linalg"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// SpecializeFills writes structured operations that give all elements of a tensor or buffer the same number as `linalg.fill`, by which all that follows knows them: as
// generic ones, and as `linalg.map`, they are what others make of it. It returns how many there were. Linear time.
func SpecializeFills(fn *ir.Op) (n int) {
	b := ir.NewBuilder(fn.Context())
	for _, op := range structuredIn(fn) {
		number := filledWith(op)
		if number == nil {
			continue
		}
		if constant := number.DefiningOp(); constant != nil && constant.Parent() == op {
			constant.MoveBefore(op)
		}
		b.SetBefore(op)
		b.Loc = op.Loc()
		op.ReplaceAllUsesWith(linalg.NewFill(b, number, interfaces.DpsInits(op).At(0)).Results().Values())
		op.Erase()
		n++
	}
	return n
}

// filledWith returns the number that an operation with another name than `linalg.fill` writes to all elements of its only init, or nil.
func filledWith(op *ir.Op) *ir.Value {
	inputs, inits := interfaces.DpsInputs(op), interfaces.DpsInits(op)
	if len(inits) != 1 || op.Is(linalg.Fill) || op.NumRegions() != 1 || !interfaces.AllParallel(op) || len(op.DiscardableAttrs()) > 0 || op.Attr("library_call") != nil {
		return nil
	}
	maps := interfaces.IndexingMaps(op)
	body := op.BodyBlock(0)
	if len(maps) != len(inputs)+1 || !maps[len(inputs)].IsPermutation() || body == nil || body.Last() == nil {
		return nil
	}
	for x := range body.Ops() {
		if x != body.Last() && !interfaces.IsPure(x) {
			return nil
		}
	}
	number := body.Last().OnlyOperand()
	if number != nil && number.DefiningOp() == nil && number.ParentBlock() == body {
		number = op.Operand(number.Index())
	}
	if number != nil && number.DefiningOp() != nil && number.ParentBlock() == body && !number.DefiningOp().Has(ir.TraitConstantLike) {
		return nil
	}
	if number == nil || number.Type() != ir.ElementType(inits.At(0).Type()) || number.Type() != ir.ElementType(number.Type()) {
		return nil
	}
	return number
}
