package affine

import (
	"freehold/iface"
	"freehold/ir"
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
// the given scope: a loop counter, or a symbol.
func IsValidDim(v *ir.Value, scope *ir.Region) bool {
	if v.Type() != ir.Type(ir.Index) {
		return false
	}
	if IsValidSymbol(v, scope) {
		return true
	}
	op := v.DefiningOp()
	if op == nil {
		parent := v.ArgOwner().ParentOp()
		return parent != nil && (parent.Is(For) || parent.Is(Parallel))
	}
	if op.Is(Apply) {
		for i := range op.NumOperands() {
			if !IsValidDim(op.Operand(i), scope) {
				return false
			}
		}
		return true
	}
	return isValidSize(op, scope)
}

// IsValidSymbol tells whether the value may be a symbol of an affine map used in
// the given scope: it does not change while the scope runs.
func IsValidSymbol(v *ir.Value, scope *ir.Region) bool {
	if v == nil || v.Type() != ir.Type(ir.Index) {
		return false
	}
	if scope != nil && isTopLevel(v, scope) {
		return true
	}
	op := v.DefiningOp()
	if op == nil {
		return outerSymbol(v, scope)
	}
	if iface.Constant(v) != nil {
		return true
	}
	if op.Is(Apply) {
		ok := true
		for i := range op.NumOperands() {
			ok = ok && IsValidSymbol(op.Operand(i), scope)
		}
		return ok
	}
	return isValidSize(op, scope) || outerSymbol(v, scope)
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
	if !iface.IsDim(op) {
		return false
	}
	v := op.Operand(0)
	if scope != nil && isTopLevel(v, scope) {
		return true
	}
	if v.IsBlockArg() {
		return false
	}
	i, ok := iface.ConstantInt(op.Operand(1))
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
