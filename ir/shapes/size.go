// Package shapes has the algebra of shapes: sizes that are constants or values, lists of
// them, slices, and the groups of dimensions of reshapes.
package shapes

import "freehold/ir"

// OpFoldResult is a size, offset or stride: a constant or a value.
type OpFoldResult struct {
	Const int64
	Value *ir.Value // nil for a constant
}

// ConstSize returns the constant v.
func ConstSize(v int64) OpFoldResult { return OpFoldResult{Const: v} }

// ConstSizes returns constants.
func ConstSizes(list []int64) []OpFoldResult {
	out := make([]OpFoldResult, len(list))
	for i, n := range list {
		out[i] = ConstSize(n)
	}
	return out
}

// SizeOf returns the value v.
func SizeOf(v *ir.Value) OpFoldResult { return OpFoldResult{Value: v} }

// Mixed joins static values with the values that stand for those that are
// ir.Dynamic.
func Mixed(static []int64, dynamic []*ir.Value) []OpFoldResult {
	return mixed(len(static), func(i int) int64 { return static[i] }, len(dynamic), func(i int) *ir.Value { return dynamic[i] })
}

// MixedOperands is [Mixed] for the values of an attribute and the operands of a group.
func MixedOperands(static *ir.DenseArrayAttr, dynamic ir.Operands) []OpFoldResult {
	return mixed(static.Len(), static.Int, len(dynamic), dynamic.At)
}

func mixed(n int, static func(i int) int64, dynamics int, dynamic func(i int) *ir.Value) []OpFoldResult {
	out := make([]OpFoldResult, n)
	d := 0
	for i := range out {
		if s := static(i); s == ir.Dynamic && d < dynamics {
			out[i] = SizeOf(dynamic(d))
			d++
		} else {
			out[i] = ConstSize(s)
		}
	}
	return out
}

// SplitMixed is the inverse of [Mixed].
func SplitMixed(mixed []OpFoldResult) (static []int64, dynamic []*ir.Value) {
	static = make([]int64, len(mixed))
	for i, m := range mixed {
		if m.Value != nil {
			static[i] = ir.Dynamic
			dynamic = append(dynamic, m.Value)
		} else {
			static[i] = m.Const
		}
	}
	return static, dynamic
}

// StaticOf returns the constants of the list, and ir.Dynamic for values.
func StaticOf(mixed []OpFoldResult) []int64 {
	static, _ := SplitMixed(mixed)
	return static
}

// IsConst tells whether r is the constant v, or a value known to be it.
func (r OpFoldResult) IsConst(v int64) bool {
	x, ok := r.Int()
	return ok && x == v
}

// Int returns the number that r is known to be: a constant, or the value of a
// constant operation.
func (r OpFoldResult) Int() (int64, bool) {
	if r.Value != nil {
		return ir.ConstantInt(r.Value)
	}
	return r.Const, true
}

// Same tells whether r and s are known to be equal.
func (r OpFoldResult) Same(s OpFoldResult) bool {
	if r.Value != nil && r.Value == s.Value {
		return true
	}
	a, ok1 := r.Int()
	b, ok2 := s.Int()
	return ok1 && ok2 && a == b
}

// SameList tells whether two lists are known to be equal.
func SameList(a, b []OpFoldResult) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].Same(b[i]) {
			return false
		}
	}
	return true
}

// AllConst tells whether all are known to be the number v.
func AllConst(list []OpFoldResult, v int64) bool {
	for _, r := range list {
		if !r.IsConst(v) {
			return false
		}
	}
	return true
}

// FoldConstants replaces values that are constants by their numbers and tells
// whether there were any. With nonNegative, only numbers from 0 on are taken, and
// with nonZero only numbers other than 0.
func FoldConstants(list []OpFoldResult, nonNegative, nonZero bool) bool {
	changed := false
	for i, r := range list {
		if r.Value == nil {
			continue
		}
		if v, ok := ir.ConstantInt(r.Value); ok && (!nonNegative || v >= 0) && (!nonZero || v != 0) {
			list[i] = ConstSize(v)
			changed = true
		}
	}
	return changed
}

// FoldConstantSizes returns a shape in which the dynamic dimensions have become
// static whose sizes are constants, but for negative ones, and the sizes of those
// that are left. sizes has one value for each dynamic dimension.
func FoldConstantSizes(shape []int64, sizes []*ir.Value) (static []int64, dynamic []*ir.Value) {
	static = append([]int64(nil), shape...)
	n := 0
	for i, d := range shape {
		if d != ir.Dynamic {
			continue
		}
		if k, ok := ir.ConstantInt(sizes[n]); ok && k >= 0 {
			static[i] = k
		} else {
			dynamic = append(dynamic, sizes[n])
		}
		n++
	}
	return static, dynamic
}
