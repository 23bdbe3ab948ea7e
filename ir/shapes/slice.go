package shapes

// Slice is a strided part of a shaped value.
type Slice struct {
	Offsets, Sizes, Strides []OpFoldResult
}

// Stride returns the stride of dimension i, which is 1 if there are none.
func (s Slice) Stride(i int) OpFoldResult {
	if s.Strides == nil {
		return ConstSize(1)
	}
	return s.Strides[i]
}
