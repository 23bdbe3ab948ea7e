package affine

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// Scope returns the region of the closest enclosing affine scope, or nil.
func Scope(op *ir.Op) *ir.Region {
	for op != nil {
		parent := op.Parent()
		if parent == nil {
			return nil
		}
		if parent.Has(ir.TraitAffineScope) {
			return op.Region()
		}
		op = parent
	}
	return nil
}

// isTopLevel tells whether the value is defined right in the region.
func isTopLevel(v *ir.Value, region *ir.Region) bool {
	if v.IsBlockArg() {
		return v.ArgOwner().Region() == region
	}
	return v.DefiningOp().Region() == region
}

// IsValidDim tells whether the value may be a dimension of an affine map used in
// the given scope: a loop counter, or a symbol. It takes time linear in the number of
// affine.apply that the value is made by.
func IsValidDim(v *ir.Value, scope *ir.Region) bool {
	return throughApplies(v, scope, func(v *ir.Value) bool {
		if validSymbol(v, scope) {
			return true
		}
		op := v.DefiningOp()
		if op == nil {
			parent := v.ArgOwner().ParentOp()
			return parent != nil && (parent.Is(For) || parent.Is(Parallel))
		}
		return isValidSize(op, scope)
	})
}

// IsValidSymbol tells whether the value may be a symbol of an affine map used in
// the given scope: it does not change while the scope runs. It takes time linear in the
// number of affine.apply that the value is made by.
func IsValidSymbol(v *ir.Value, scope *ir.Region) bool {
	return throughApplies(v, scope, func(v *ir.Value) bool { return validSymbol(v, scope) })
}

// throughApplies tells whether v is an index that is valid in the scope. That is decided
// by the values that the operations that compute indices, below the scope's top level, make v of. Programs
// that aren't verified yet may have an affine.apply that uses itself.
func throughApplies(v *ir.Value, scope *ir.Region, valid func(v *ir.Value) bool) bool {
	var seen map[*ir.Op]bool
	for work := []*ir.Value{v}; len(work) > 0; {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if v == nil || v.Type() != ir.Type(ir.Index) {
			return false
		}
		op := v.DefiningOp()
		switch {
		case scope != nil && isTopLevel(v, scope), seen[op]:
		case op == nil || !computesIndex(op):
			if !valid(v) {
				return false
			}
		default:
			if seen == nil {
				seen = map[*ir.Op]bool{}
			}
			seen[op] = true
			work = append(work, op.Operands().Values()...)
		}
	}
	return true
}

// computesIndex tells whether the results of an operation may be used as what it computes them of may: an affine.apply and, since
// LLVM 22, what splits and joins digits.
func computesIndex(op *ir.Op) bool {
	return op.Is(Apply) || op.Context().LLVM() >= symbolsSince && (op.Is(DelinearizeIndex) || op.Is(LinearizeIndex))
}

// validSymbol tells whether an index that is neither defined at the top level of the
// scope nor by an operation that computes indices is a symbol.
func validSymbol(v *ir.Value, scope *ir.Region) bool {
	op := v.DefiningOp()
	if op == nil {
		return outerSymbol(v, scope)
	}
	return ir.ConstantOf(v) != nil || isPureOfSymbols(op, scope) || isValidSize(op, scope) || outerSymbol(v, scope)
}

// symbolsSince is the first version of LLVM in which what is computed from symbols, without effects, is a symbol, and in which the
// symbols of an affine.apply may not be dimensions.
const symbolsSince = 22

// isPureOfSymbols goes by the trait, too: for LLVM, a remainder may be speculated.
func isPureOfSymbols(op *ir.Op, scope *ir.Region) bool {
	if op.Context().LLVM() < symbolsSince || !interfaces.IsMemoryEffectFree(op) || !op.Has(ir.TraitPure) && !interfaces.IsSpeculatable(op) {
		return false
	}
	for i := range op.NumOperands() {
		if !IsValidSymbol(op.Operand(i), scope) {
			return false
		}
	}
	return true
}

// outerSymbol asks the scope around, if values of it can be used inside.
func outerSymbol(v *ir.Value, scope *ir.Region) bool {
	if scope == nil || scope.Op() == nil || scope.Op().Has(ir.TraitIsolatedFromAbove) || scope.Op().Region() == nil {
		return false
	}
	return IsValidSymbol(v, scope.Op().Region())
}

// isValidSize tells whether the operation is the size of a dimension that can't
// change in the scope: of a value defined at its top level, or of an allocation with
// such a size.
func isValidSize(op *ir.Op, scope *ir.Region) bool {
	m, ok := interfaces.ShapedDim.Of(op)
	if !ok {
		return false
	}
	v, dimension := m(op)
	if scope != nil && isTopLevel(v, scope) {
		return true
	}
	if v.IsBlockArg() {
		return false
	}
	i, ok := ir.ConstantInt(dimension)
	shape, ranked := ir.ShapeOf(v.Type())
	if !ok || !ranked || i < 0 || i >= int64(len(shape)) {
		return false
	}
	if shape[i] != ir.Dynamic {
		return true
	}
	return false
}

// verifyDimsAndSymbols checks that operands of a map, first dimensions, then
// symbols, may be used as such.
func verifyDimsAndSymbols(op *ir.Op, operands ir.Operands, dims int) error {
	scope := Scope(op)
	for i := range operands {
		v := operands.At(i)
		switch {
		case i < dims && !IsValidDim(v, scope):
			return op.Errorf("operand cannot be used as a dimension id")
		case i >= dims && !IsValidSymbol(v, scope):
			return op.Errorf("operand cannot be used as a symbol")
		}
	}
	return nil
}
