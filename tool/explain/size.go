package explain

import (
	"cmp"

	"freehold/memory/footprint"
)

// compareSizes orders sizes; what isn't known is larger than what is.
func compareSizes(a, b footprint.Size) int {
	return cmp.Or(cmp.Compare(len(unknown(a)), len(unknown(b))), cmp.Compare(multiple(a), multiple(b)))
}

// unknown returns the names of the sizes that a size is the product of.
func unknown(s footprint.Size) []string {
	if s.IsStatic() {
		return nil
	}
	return s.Terms[0].Sizes
}

// multiple returns what a size is a multiple of.
func multiple(s footprint.Size) int64 {
	if s.IsStatic() {
		return s.Bytes
	}
	return s.Terms[0].Bytes
}
