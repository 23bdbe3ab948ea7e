package reuse

import (
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/shapes"
)

// mostViews limits the views of views that are looked at.
const mostViews = 16

// disjoint tells whether two views are known to have no element in common, since they are parts of different slices of one
// buffer.
func disjoint(v, w *ir.Value) bool {
	slices := subviewsOf(w)
	for _, a := range subviewsOf(v) {
		for _, b := range slices {
			if a.Source() == b.Source() && apart(a.Slice(), b.Slice()) {
				return true
			}
		}
	}
	return false
}

// subviewsOf lists the slices that a value is a part of, the smallest first.
func subviewsOf(v *ir.Value) (list []memref.SubViewOp) {
	for range mostViews {
		def := v.DefiningOp()
		if def == nil || viewed(def) == nil {
			break
		}
		if def.Is(memref.SubView) {
			list = append(list, memref.SubViewOp{Op: def})
		}
		v = viewed(def)
	}
	return list
}

// apart tells whether two slices of one shape are known not to meet: in some dimension one ends before the other begins.
func apart(a, b shapes.Slice) bool {
	for i := range a.Offsets {
		aFirst, aLast, ok := rangeOf(a, i)
		if !ok {
			continue
		}
		if bFirst, bLast, ok := rangeOf(b, i); ok && (aLast < bFirst || bLast < aFirst) {
			return true
		}
	}
	return false
}

// rangeOf returns the first and the last index of a slice in a dimension, if they are constants.
func rangeOf(s shapes.Slice, i int) (first, last int64, ok bool) {
	first, known := s.Offsets[i].Int()
	size, isConst := s.Sizes[i].Int()
	stride, isSteps := s.Strides[i].Int()
	if !known || !isConst || !isSteps || stride < 1 || first < 0 || size < 1 || first > 1<<31 || size > 1<<31 || stride > 1<<20 {
		return 0, 0, false
	}
	return first, first + (size-1)*stride, true
}

// sameSlice tells whether two views are the same part of one buffer, seen in the same way.
func sameSlice(v, w *ir.Value) bool {
	if v == w {
		return true
	}
	a, b := v.DefiningOp(), w.DefiningOp()
	if a == nil || b == nil || !a.Is(memref.SubView) || !b.Is(memref.SubView) || v.Type() != w.Type() || (memref.SubViewOp{Op: a}).Source() != (memref.SubViewOp{Op: b}).Source() {
		return false
	}
	x, y := memref.SubViewOp{Op: a}.Slice(), memref.SubViewOp{Op: b}.Slice()
	return shapes.SameList(x.Offsets, y.Offsets) && shapes.SameList(x.Sizes, y.Sizes) && shapes.SameList(x.Strides, y.Strides)
}
