package explain

import (
	"cmp"
	"strings"

	"freehold/exec"
	"freehold/footprint"
	"freehold/ir"
)

// Size is how much memory a buffer takes.
type Size struct {
	// Bytes is the size, or, if there are Factors, what it is a multiple of.
	Bytes int64
	// Factors are the dynamic sizes: names of values, or "?".
	Factors []string
}

// Known tells whether the size is a number.
func (s Size) Known() bool { return len(s.Factors) == 0 }

// String returns the size as people write it: "4.0 KiB", "64 B * %n * ?".
func (s Size) String() string {
	if s.Known() {
		return footprint.Bytes(s.Bytes)
	}
	return footprint.Bytes(s.Bytes) + " * " + strings.Join(s.Factors, " * ")
}

// compare orders sizes; what isn't known is larger than what is.
func (s Size) compare(t Size) int {
	return cmp.Or(cmp.Compare(len(s.Factors), len(t.Factors)), cmp.Compare(s.Bytes, t.Bytes))
}

// sizeOf returns the size of a buffer of a type; name returns the name of its i-th dynamic
// size, or "".
func sizeOf(t ir.Type, name func(i int) string) Size {
	shape, ok := ir.ShapeOf(t)
	if !ok {
		return Size{1, []string{"?"}}
	}
	s := Size{Bytes: int64(exec.ElemOf(ir.ElementType(t)).Bytes)}
	dynamic := 0
	for _, d := range shape {
		if d != ir.Dynamic {
			s.Bytes *= d
			continue
		}
		factor := name(dynamic)
		if factor == "" {
			factor = "?"
		}
		s.Factors = append(s.Factors, factor)
		dynamic++
	}
	return s
}
