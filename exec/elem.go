package exec

import (
	"math"

	"freehold/ir"
)

// Elem says how elements of a type are kept in registers and in memory.
type Elem struct {
	// Type is the element type.
	Type ir.Type
	// Size is the number of bytes in memory, 1, 2, 4 or 8; it is 0 for elements that
	// are objects.
	Size int64
	// Bytes is the size that statistics count.
	Bytes int64
	// Mask covers the bits of an integer's width.
	Mask uint64
	// Float is the floating-point type, or nil.
	Float *ir.FloatType
}

// IsWord tells whether values of the type are kept in word registers.
func IsWord(t ir.Type) bool {
	switch t := t.(type) {
	case *ir.IntegerType:
		return t.Width <= 64
	case *ir.IndexType:
		return true
	case *ir.FloatType:
		return t.Width <= 64
	}
	return false
}

// Width returns the number of bits of an integer or float type, and 64 for index.
func Width(t ir.Type) int {
	switch t := t.(type) {
	case *ir.IntegerType:
		return t.Width
	case *ir.FloatType:
		return t.Width
	}
	return 64
}

// ElemOf returns how elements of the type are kept.
func ElemOf(t ir.Type) *Elem {
	e := &Elem{Type: t, Mask: math.MaxUint64, Bytes: ir.StorageBytes(t)}
	if f, ok := t.(*ir.FloatType); ok {
		e.Float = f
	}
	if e.Bytes == 0 {
		e.Bytes = ir.WordBytes
	}
	if !IsWord(t) {
		return e
	}
	w := Width(t)
	if w < 64 {
		e.Mask = 1<<w - 1
	}
	switch {
	case w <= 8:
		e.Size = 1
	case w <= 16:
		e.Size = 2
	case w <= 32:
		e.Size = 4
	default:
		e.Size = 8
	}
	return e
}

// unit returns how far apart neighbouring elements are in a store: bytes, or
// one for objects.
func (e *Elem) unit() int64 {
	if e.Size == 0 {
		return 1
	}
	return e.Size
}

// SignExtend returns the word of an integer of the given width as a signed
// number.
func SignExtend(v uint64, width int) int64 {
	if width == 0 {
		return 0
	}
	return int64(v<<(64-width)) >> (64 - width)
}

// Mask returns v cut to the given width.
func Mask(v uint64, width int) uint64 {
	if width >= 64 {
		return v
	}
	return v & (1<<width - 1)
}

// FloatOf returns the number that a word of the floating-point type holds.
func FloatOf(t *ir.FloatType, w uint64) float64 {
	switch t {
	case ir.F32:
		return float64(math.Float32frombits(uint32(w)))
	case ir.F64:
		return math.Float64frombits(w)
	}
	return t.Format.ToFloat64(w)
}

// FloatWord returns x, rounded to the floating-point type, as a word.
func FloatWord(t *ir.FloatType, x float64) uint64 {
	switch t {
	case ir.F32:
		return uint64(math.Float32bits(float32(x)))
	case ir.F64:
		return math.Float64bits(x)
	}
	w, _ := t.Format.FromFloat64(x)
	return w
}

// WordOf returns the word of a constant of an integer, index or floating-point
// type, and whether the attribute is one.
func WordOf(a ir.Attribute) (uint64, bool) {
	switch a := a.(type) {
	case *ir.IntegerAttr:
		return Mask(uint64(a.Value), Width(a.Type)), IsWord(a.Type)
	case *ir.FloatAttr:
		return a.Lo, a.Type.Width <= 64
	}
	return 0, false
}

func wordTo32(w uint64) float32 { return math.Float32frombits(uint32(w)) }
func wordTo64(w uint64) float64 { return math.Float64frombits(w) }
func wordOf32(x float32) uint64 { return uint64(math.Float32bits(x)) }
func wordOf64(x float64) uint64 { return math.Float64bits(x) }
