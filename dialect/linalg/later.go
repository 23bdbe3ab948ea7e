package linalg

import (
	"fmt"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// replaceByGeneric puts a linalg.generic in the place of a structured operation that LLVM 22
// doesn't have.
func replaceByGeneric(b *ir.Builder, op *ir.Op) {
	o, ok := AsStructured(op)
	if !ok || op.NumRegions() != 1 {
		return
	}
	generic := NewGenericWithoutBody(b, o.Inputs().Values(), o.Inits().Values(), o.IndexingMaps(), o.Iterators())
	generic.RegionAt(0).TakeBody(op.RegionAt(0))
	for i := range op.NumResults() {
		op.Result(i).ReplaceAllUsesWith(generic.Result(i))
	}
	op.Erase()
}

// replaceConvertingFill replaces fills that convert their number, which LLVM 22 refuses.
func replaceConvertingFill(b *ir.Builder, op *ir.Op) {
	if op.NumOperands() == 2 && (FillOp{op}).Value().Type() != ir.ElementType(FillOp{op}.Output().Type()) {
		replaceByGeneric(b, op)
	}
}

// passInit gives the body of a linalg.map the element of the init, which LLVM 22 passes, too.
func passInit(_ *ir.Builder, op *ir.Op) {
	if body := op.BodyBlock(0); body != nil && body.NumArgs() == op.NumOperands()-1 {
		body.AddArg(bodyType(op.Operand(op.NumOperands()-1).Type()), op.Loc())
	}
}

// initPassed is the version of LLVM since which the body of a linalg.map gets the element of the init.
const initPassed = 22

// verifyInitPassed refuses bodies that LLVM 22 refuses: what is left of them is one for earlier versions.
func verifyInitPassed(body *ir.Block, operands []*ir.Value) error {
	n := len(operands)
	if body.NumArgs() != n {
		return fmt.Errorf("expects number of operands to match the arity of mapper, but got: %d and %d", n, body.NumArgs())
	}
	if t, want := body.Arg(n-1).Type(), bodyType(operands[n-1].Type()); t != want {
		return fmt.Errorf("expected type of bb argument #%d ('%s') to match element or self type of the corresponding operand ('%s')", n-1, t, want)
	}
	return nil
}

// takeInit makes of the state of a linalg.map whose body gets the element of the init, as in
// LLVM 22, one whose body doesn't; a linalg.generic if it uses it.
func takeInit(b *ir.Builder, s *ir.OpState) error {
	if len(s.Regions) != 1 || s.Regions[0].NumBlocks() != 1 || len(s.Operands) == 0 {
		return nil
	}
	body, n := s.Regions[0].Entry(), len(s.Operands)
	if b.Context().LLVM() >= initPassed {
		if err := verifyInitPassed(body, s.Operands); err != nil {
			return err
		}
	}
	if body.NumArgs() != n {
		return nil
	}
	init := body.Arg(n - 1)
	if !init.HasUses() {
		body.EraseArg(n - 1)
		return nil
	}
	shape, ok := ir.ShapeOf(s.Operands[n-1].Type())
	if !ok {
		return nil
	}
	c := b.Context()
	maps := make([]*ir.AffineMap, n)
	for i := range maps {
		maps[i] = c.IdentityMap(len(shape))
	}
	generic := genericState(b, s.Operands[:n-1], s.Operands[n-1:], maps, make([]interfaces.Iterator, len(shape)))
	generic.Loc, generic.Types, generic.Regions = s.Loc, s.Types, s.Regions
	generic.Attrs = append(generic.Attrs, s.Attrs...)
	*s = generic
	return nil
}

// foldIndex is how LLVM 22 folds the index of a dimension of size 1.
func foldIndex(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	parent := op.Parent()
	if parent == nil || !interfaces.Structured.Has(parent) {
		return nil
	}
	sizes, ok := StructuredOp{parent}.StaticLoopRanges()
	if d := (IndexOp{op}).Dim(); !ok || d >= int64(len(sizes)) || sizes[d] != 1 {
		return nil
	}
	return ir.FoldAttr(op.Context().IndexAttr(0))
}
