package tosa

import "freehold/ir"

// ConstantOf returns the elements of a value that is a constant, whatever operation made it,
// or nil.
func ConstantOf(v *ir.Value) *ir.DenseElementsAttr {
	op := v.DefiningOp()
	if op == nil || !op.Has(ir.TraitConstantLike) && !op.Is(ConstShape) {
		return nil
	}
	d, ok := op.Prop(0).(*ir.DenseElementsAttr)
	if ok && op.Is(ConstShape) {
		return asNumbers(op.Context(), d)
	}
	return d
}

// Ints returns the elements of a constant as numbers; nil if they are no integers. Linear in
// their number.
func Ints(d *ir.DenseElementsAttr) []int64 {
	if !ir.IsInteger(ir.ElementType(d.Type)) {
		return nil
	}
	shape, _ := ir.ShapeOf(d.Type)
	n, _ := ir.NumElements(shape)
	out := make([]int64, n)
	for i := range out {
		out[i] = signed(d.Raw(int64(i)))
	}
	return out
}

// signed returns the number whose bytes these are, the lowest first.
func signed(raw string) int64 {
	var v int64
	for i := min(len(raw), 8) - 1; i >= 0; i-- {
		if i == len(raw)-1 {
			v = int64(int8(raw[i]))
		} else {
			v = v<<8 | int64(raw[i])
		}
	}
	return v
}
