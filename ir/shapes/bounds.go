package shapes

import "freehold/ir"

// Overrun is where a slice leaves a shape: dimension Dim, at position At, which is that of its first element if First is set, and of
// its last one otherwise.
type Overrun struct {
	Dim   int
	At    int64
	First bool
}

// FindOverrun returns the first dimension in which a slice is known to leave a shape; nil if there is none. ir.Dynamic stands for
// what isn't known. It takes linear time.
func FindOverrun(offsets, sizes, strides, shape []int64) *Overrun {
	for i, n := range shape {
		switch {
		case n == ir.Dynamic || offsets[i] == ir.Dynamic:
			continue
		case offsets[i] >= n:
			return &Overrun{i, offsets[i], true}
		case sizes[i] == ir.Dynamic || strides[i] == ir.Dynamic:
			continue
		}
		if last := offsets[i] + (sizes[i]-1)*strides[i]; last >= n {
			return &Overrun{i, last, false}
		}
	}
	return nil
}

// FoldConstants makes offsets, sizes and strides that are the values of constants such, and tells whether there were any.
func (s Slice) FoldConstants() bool {
	offsets := FoldConstants(s.Offsets, true, false)
	return s.foldExtent() || offsets
}

func (s Slice) foldExtent() bool {
	sizes := FoldConstants(s.Sizes, true, false)
	return FoldConstants(s.Strides, false, true) || sizes
}

// FoldConstantsWithin is [Slice.FoldConstants] for a slice of a shape, which leaves alone what shows that the slice leaves that.
func (s Slice) FoldConstantsWithin(shape []int64) bool {
	over, changed := FindOverrun(known(s.Offsets), known(s.Sizes), known(s.Strides), shape), false
	unknown := make([]int64, len(s.Sizes))
	for i := range unknown {
		unknown[i] = ir.Dynamic
	}
	if FindOverrun(known(s.Offsets), unknown, unknown, shape) == nil {
		changed = FoldConstants(s.Offsets, true, false)
	}
	if over == nil {
		changed = s.foldExtent() || changed
	}
	return changed
}

// Within tells whether no static part of the slice is known to be outside of the shape.
func (s Slice) Within(shape []int64) bool {
	return FindOverrun(StaticOf(s.Offsets), StaticOf(s.Sizes), StaticOf(s.Strides), shape) == nil
}

// KnownWithin tells whether all of the slice is known to be inside of the shape.
func (s Slice) KnownWithin(shape []int64) bool {
	for i := range s.Sizes {
		offset, known := s.Offsets[i].Int()
		size, sized := s.Sizes[i].Int()
		stride, steps := s.Stride(i).Int()
		if !known || !sized || !steps || offset < 0 || size > 0 && (stride < 1 || offset >= shape[i] || (size-1) > (shape[i]-1-offset)/stride) {
			return false
		}
	}
	return true
}

// Anywhere tells that a slice may be outside of the shape, as versions of LLVM before 22 have it.
func (s Slice) Anywhere([]int64) bool { return true }

// known returns the numbers that are known, and ir.Dynamic for others.
func known(list []OpFoldResult) []int64 {
	out := make([]int64, len(list))
	for i, r := range list {
		n, ok := r.Int()
		if !ok {
			n = ir.Dynamic
		}
		out[i] = n
	}
	return out
}
