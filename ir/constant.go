package ir

// ConstantOf returns the attribute that the value is known to be: that of the
// constant-like operation that defines it, or nil.
func ConstantOf(v *Value) Attribute {
	op := v.DefiningOp()
	if op == nil || !op.Has(TraitConstantLike) {
		return nil
	}
	return op.Prop(0)
}

// IsConstantBool tells whether the value, an i1, is known to be as wanted.
func IsConstantBool(v *Value, want bool) bool {
	n, ok := ConstantInt(v)
	return ok && (n != 0) == want
}

// ConstantInt returns the integer that the value is known to be.
func ConstantInt(v *Value) (int64, bool) {
	a, ok := ConstantOf(v).(*IntegerAttr)
	if !ok || a.Big != nil {
		return 0, false
	}
	return a.Value, true
}
