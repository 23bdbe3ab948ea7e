package iface

import "freehold/ir"

// OffsetsModel says which operand groups of an operation hold the dynamic
// offsets, sizes and strides of a slice. The static ones, with ir.Dynamic for
// those that are operands, are in the attributes static_offsets, static_sizes and
// static_strides.
type OffsetsModel struct {
	Offsets, Sizes, Strides int
	// Rank returns the expected number of offsets, sizes and strides.
	Rank func(op *ir.Op) (offsets, sizes, strides int)
}

// OffsetSizeAndStride is implemented by operations that take a slice of a tensor
// or memref.
var OffsetSizeAndStride = ir.NewInterface[OffsetsModel]("OffsetSizeAndStrideOpInterface")

// Names of the attributes with the static parts of a slice.
const (
	StaticOffsets = "static_offsets"
	StaticSizes   = "static_sizes"
	StaticStrides = "static_strides"
)

// Slice is a strided part of a shaped value.
type Slice struct {
	Offsets, Sizes, Strides []OpFoldResult
}

// SliceOf returns the slice of an operation that implements
// [OffsetSizeAndStride].
func SliceOf(op *ir.Op) Slice { return Slice{MixedOffsets(op), MixedSizes(op), MixedStrides(op)} }

// MixedOffsets returns the offsets of an [OffsetSizeAndStride] operation.
func MixedOffsets(op *ir.Op) []OpFoldResult {
	m, _ := OffsetSizeAndStride.Of(op)
	return MixedList(op, m.Offsets, StaticOffsets)
}

// MixedSizes returns the sizes of an [OffsetSizeAndStride] operation.
func MixedSizes(op *ir.Op) []OpFoldResult {
	m, _ := OffsetSizeAndStride.Of(op)
	return MixedList(op, m.Sizes, StaticSizes)
}

// MixedStrides returns the strides of an [OffsetSizeAndStride] operation.
func MixedStrides(op *ir.Op) []OpFoldResult {
	m, _ := OffsetSizeAndStride.Of(op)
	return MixedList(op, m.Strides, StaticStrides)
}

// StaticInts returns the elements of a dense i64 array attribute of the
// operation; it is nil if there is none.
func StaticInts(op *ir.Op, attr string) []int64 {
	a, _ := op.Attr(attr).(*ir.DenseArrayAttr)
	if a == nil {
		return nil
	}
	return a.Ints()
}

// MixedList joins the static values of a dense i64 array attribute with the
// operands of the group that stand for its dynamic entries.
func MixedList(op *ir.Op, group int, attr string) []OpFoldResult {
	return Mixed(StaticInts(op, attr), op.OperandGroup(group).Values())
}

// Mixed joins static values with the values that stand for those that are
// ir.Dynamic.
func Mixed(static []int64, dynamic []*ir.Value) []OpFoldResult {
	out := make([]OpFoldResult, len(static))
	d := 0
	for i, s := range static {
		if s == ir.Dynamic && d < len(dynamic) {
			out[i] = SizeOf(dynamic[d])
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
		return ConstantInt(r.Value)
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
		if v, ok := ConstantInt(r.Value); ok && (!nonNegative || v >= 0) && (!nonZero || v != 0) {
			list[i] = ConstSize(v)
			changed = true
		}
	}
	return changed
}

// VerifyOffsetSizeAndStride checks that the static and dynamic parts of a slice
// fit together and the rank that the model expects.
func VerifyOffsetSizeAndStride(op *ir.Op) error {
	m, ok := OffsetSizeAndStride.Of(op)
	if !ok {
		return nil
	}
	offsets, sizes, strides := StaticInts(op, StaticOffsets), StaticInts(op, StaticSizes), StaticInts(op, StaticStrides)
	ro, rs, rt := m.Rank(op)
	if !(len(offsets) == 1 && ro == 1) && len(offsets) != len(sizes) {
		return op.PlainErrorf("expected mixed offsets rank to match mixed sizes rank (%d vs %d) so the rank of the result type is well-formed.",
			len(offsets), len(sizes))
	}
	if len(sizes) != len(strides) {
		return op.PlainErrorf("expected mixed sizes rank to match mixed strides rank (%d vs %d) so the rank of the result type is well-formed.",
			len(sizes), len(strides))
	}
	if err := VerifyMixedList(op, "offset", ro, offsets, m.Offsets); err != nil {
		return err
	}
	if err := VerifyMixedList(op, "size", rs, sizes, m.Sizes); err != nil {
		return err
	}
	if err := VerifyMixedList(op, "stride", rt, strides, m.Strides); err != nil {
		return err
	}
	for _, v := range offsets {
		if v < 0 && v != ir.Dynamic {
			return op.PlainErrorf("expected offsets to be non-negative, but got %d", v)
		}
	}
	for _, v := range sizes {
		if v < 0 && v != ir.Dynamic {
			return op.PlainErrorf("expected sizes to be non-negative, but got %d", v)
		}
	}
	return nil
}

// VerifyMixedList checks that there are n static values, and as many operands in
// the group as dynamic entries.
func VerifyMixedList(op *ir.Op, name string, n int, static []int64, group int) error {
	if len(static) != n {
		return op.PlainErrorf("expected %d %s values, got %d", n, name, len(static))
	}
	dynamic := ir.NumDynamic(static)
	if len(op.OperandGroup(group)) != dynamic {
		return op.PlainErrorf("expected %d dynamic %s values", dynamic, name)
	}
	return nil
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
		if k, ok := ConstantInt(sizes[n]); ok && k >= 0 {
			static[i] = k
		} else {
			dynamic = append(dynamic, sizes[n])
		}
		n++
	}
	return static, dynamic
}
