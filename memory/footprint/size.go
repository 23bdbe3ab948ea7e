package footprint

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"freehold/ir"
)

// Size is a number of bytes: a number, and for what is dynamic products of sizes that are not
// known, each times a number.
type Size struct {
	Bytes int64
	// Terms are in the order of their products.
	Terms []Term
}

// Term is a number of bytes times the product of unknown sizes.
type Term struct {
	Bytes int64
	// Sizes names the factors, in order.
	Sizes []string
}

func (t Term) product() string { return strings.Join(t.Sizes, "*") }

// bytes returns a size that is known.
func bytes(n int64) Size { return Size{Bytes: n} }

// isAtom tells whether the size is one that isn't known, by itself.
func (s Size) isAtom() bool {
	return s.Bytes == 0 && len(s.Terms) == 1 && s.Terms[0].Bytes == 1 && len(s.Terms[0].Sizes) == 1
}

// IsStatic tells whether the size is known.
func (s Size) IsStatic() bool { return len(s.Terms) == 0 }

func (s Size) isZero() bool { return s.IsStatic() && s.Bytes == 0 }

// Plus returns the sum. Sums above the largest int64 are that.
func (s Size) Plus(t Size) Size {
	out := Size{Bytes: plus(s.Bytes, t.Bytes)}
	if len(s.Terms)+len(t.Terms) == 0 {
		return out
	}
	out.Terms = combine(s.Terms, t.Terms, plus)
	return out
}

// Max returns the smallest size that is at least both.
func (s Size) Max(t Size) Size {
	return Size{Bytes: max(s.Bytes, t.Bytes), Terms: combine(s.Terms, t.Terms, func(a, b int64) int64 { return max(a, b) })}
}

// AtLeast tells whether s is at least t, whatever the unknown sizes are.
func (s Size) AtLeast(t Size) bool {
	if s.Bytes < t.Bytes {
		return false
	}
	for _, x := range t.Terms {
		i, ok := slices.BinarySearchFunc(s.Terms, x, compareTerms)
		if !ok || s.Terms[i].Bytes < x.Bytes {
			return false
		}
	}
	return true
}

// Minus returns a sum without one of its summands.
func (s Size) Minus(t Size) Size {
	out := Size{Bytes: s.Bytes - t.Bytes}
	for _, x := range combine(s.Terms, t.Terms, func(a, b int64) int64 { return a - b }) {
		if x.Bytes != 0 {
			out.Terms = append(out.Terms, x)
		}
	}
	return out
}

func compareTerms(a, b Term) int { return slices.Compare(a.Sizes, b.Sizes) }

func combine(a, b []Term, with func(a, b int64) int64) (out []Term) {
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && compareTerms(a[0], b[0]) < 0:
			out, a = append(out, Term{with(a[0].Bytes, 0), a[0].Sizes}), a[1:]
		case len(a) == 0 || compareTerms(a[0], b[0]) > 0:
			out, b = append(out, Term{with(0, b[0].Bytes), b[0].Sizes}), b[1:]
		default:
			out, a, b = append(out, Term{with(a[0].Bytes, b[0].Bytes), a[0].Sizes}), a[1:], b[1:]
		}
	}
	return out
}

func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

func times(a, b int64) int64 {
	if a != 0 && b > math.MaxInt64/a {
		return math.MaxInt64
	}
	return a * b
}

// String returns the size as text, such as 4*d0*d1 + 1.5 KiB.
func (s Size) String() string {
	var parts []string
	for _, t := range s.Terms {
		if t.Bytes == 1 {
			parts = append(parts, t.product())
		} else {
			parts = append(parts, fmt.Sprintf("%d*%s", t.Bytes, t.product()))
		}
	}
	if s.Bytes != 0 || len(parts) == 0 {
		parts = append(parts, Bytes(s.Bytes))
	}
	return strings.Join(parts, " + ")
}

// Bytes returns a number of bytes as text with a unit that fits.
func Bytes(n int64) string {
	switch {
	case n == math.MaxInt64:
		return "8 EiB or more"
	case n < 1<<10:
		return strconv.FormatInt(n, 10) + " B"
	}
	x, unit := float64(n)/(1<<10), 0
	// What rounds to 1024 takes the next unit.
	for x >= 1023.95 && unit < 5 {
		x, unit = x/1024, unit+1
	}
	return fmt.Sprintf("%.1f %ciB", x, "KMGTPE"[unit])
}

// factor is the size of a dimension: a number, the name of an unknown one, or what is computed from others.
type factor struct {
	number int64
	name   string
	sum    *Size
}

// sizeOf returns the size of a tensor or buffer; dim tells its dynamic sizes, by their
// number, or, if not even their number is known, that of all elements as number -1. It is
// false for types whose elements are of unknown size, which count as words.
func sizeOf(t ir.Type, dim func(i int) factor) (Size, bool) {
	elem, known := elementOf(t)
	if n, ok := extent(t); ok {
		return bytes(times(n, elem)), known
	}
	return contentsOf(t, dim), known
}

// elementOf returns what an element takes, and whether that is known.
func elementOf(t ir.Type) (size int64, known bool) {
	if n := ir.StorageBytes(ir.ElementType(t)); n > 0 {
		return n, true
	}
	return ir.WordBytes, false
}

// contentsOf returns the size of all elements, without what lies between them.
func contentsOf(t ir.Type, dim func(i int) factor) Size {
	shape, ranked := ir.ShapeOf(t)
	elem, _ := elementOf(t)
	if ranked && ir.IsStaticShape(shape) {
		// The usual case makes no list: sizes are asked for each value, many times over.
		n := elem
		for _, d := range shape {
			n = times(n, d)
		}
		return bytes(n)
	}
	factors := []factor{{number: elem}}
	if !ranked {
		factors = append(factors, dim(-1))
	}
	for i, d := range shape {
		if d == ir.Dynamic {
			factors = append(factors, dim(i))
		} else {
			factors = append(factors, factor{number: d})
		}
	}
	return product(factors)
}

// extent returns from the start of the buffer to its last element, in elements, where a
// layout tells how far apart the elements are; false for others, and if it isn't known.
func extent(t ir.Type) (int64, bool) {
	m, ok := t.(*ir.MemRefType)
	if !ok || m.Layout == nil || !ir.IsStaticShape(m.Shape) {
		return 0, false
	}
	strides, offset, ok := m.StridesAndOffset()
	if !ok || offset == ir.Dynamic {
		return 0, false
	}
	n := plus(offset, 1)
	for i, d := range m.Shape {
		switch {
		case d == 0:
			return 0, true
		case strides[i] == ir.Dynamic || strides[i] < 0:
			return 0, false
		}
		n = plus(n, times(d-1, strides[i]))
	}
	return n, true
}

func product(factors []factor) Size {
	n := int64(1)
	var unknown []string
	for i, f := range factors {
		if f.sum != nil {
			return product(slices.Delete(slices.Clone(factors), i, i+1)).by(*f.sum)
		}
		if f.name != "" {
			unknown = append(unknown, f.name)
		} else {
			if f.number <= 0 {
				return Size{}
			}
			n = times(n, f.number)
		}
	}
	if len(unknown) == 0 {
		return bytes(n)
	}
	slices.Sort(unknown)
	return Size{Terms: []Term{{n, unknown}}}
}

// SizeOfType returns the size of a tensor or buffer of a type, whose dynamic sizes, by their number among these, have the names
// that name tells. Those that have none, and the number of elements of what has no rank, are "?".
func SizeOfType(t ir.Type, name func(i int) string) Size {
	shape, _ := ir.ShapeOf(t)
	return contentsOf(t, func(i int) factor {
		dynamic := 0
		for _, d := range shape[:max(i, 0)] {
			if d == ir.Dynamic {
				dynamic++
			}
		}
		if i < 0 || name(dynamic) == "" {
			return factor{name: "?"}
		}
		return factor{name: name(dynamic)}
	})
}

// StaticSize returns how many bytes a tensor or buffer of a type takes, and whether that is
// known from the type.
func StaticSize(t ir.Type) (int64, bool) {
	s, ok := sizeOf(t, func(int) factor { return factor{name: "?"} })
	return s.Bytes, ok && s.IsStatic()
}
