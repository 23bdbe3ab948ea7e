package footprint

import (
	"fmt"
	"maps"
	"slices"

	"freehold/ir"
)

// Named returns what the sizes that are unknown in a function are called where values have names: value tells that of a value, "" if it has none. A
// dimension is %x[0], and a number %n; where names don't tell two apart, such as those of two loops, %n@7:12. What has no name keeps that of the
// function's sizes. It takes near-linear time in the number of those.
func (f *Function) Named(value func(v *ir.Value) string) func(name string) string {
	names := f.distinct(func(x symbol) string { return value(x.value) }, func(x symbol) string {
		if p, ok := ir.SourcePos(x.value.Loc()); ok {
			return fmt.Sprintf("%s@%d:%d", value(x.value), p.Line, p.Col)
		}
		return ""
	})
	return func(name string) string {
		if n, ok := names[name]; ok {
			return n
		}
		return name
	}
}

// distinct names each unknown size by the first way of naming values that tells it apart from all others; what has no name, and what none tells apart,
// keeps its own.
func (f *Function) distinct(ways ...func(x symbol) string) map[string]string {
	names, left := map[string]string{}, slices.Sorted(maps.Keys(f.symbols.taken))
	for _, way := range ways {
		count := map[string]int{}
		for _, own := range left {
			names[own] = own
			if x := f.symbols.taken[own]; x.value != nil && way(x) != "" {
				names[own] = x.dimension(way(x))
			}
			count[names[own]]++
		}
		left = slices.DeleteFunc(left, func(own string) bool { return count[names[own]] < 2 })
	}
	for _, own := range left {
		names[own] = own
	}
	return names
}

// dimension is the name of a dimension of a value of a name, or of how many elements it has.
func (x symbol) dimension(of string) string {
	switch {
	case x.dim >= 0:
		return fmt.Sprintf("%s[%d]", of, x.dim)
	case ir.IsTensor(x.value.Type()) || ir.IsMemRef(x.value.Type()):
		return of + "[…]"
	}
	return of
}
