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

// Evaluate returns the constants that the results of an operation without regions are if its operands are the given
// constants; nil if its definition's fold doesn't tell. Op itself isn't changed, which folding may do: a copy is folded,
// of which nothing is known but the operands.
func Evaluate(op *Op, operands []Attribute) []Attribute {
	if op.Def().Fold == nil || op.NumRegions() > 0 {
		return nil
	}
	var a Arena
	m := NewMapping()
	unknown := &Block{}
	for _, v := range op.Operands().Values() {
		m.Map(v, unknown.AddArg(v.Type(), v.Loc()))
	}
	c := a.clone(op, m, false)
	folded := c.Def().Fold(c, operands)
	if len(folded) == 0 || len(folded) != op.NumResults() {
		return nil
	}
	out := make([]Attribute, len(folded))
	for i, f := range folded {
		out[i] = f.Attr
		for j, x := range operands {
			if f.Value != nil && f.Value == m.Value(op.Operand(j)) {
				out[i] = x
			}
		}
	}
	return out
}
