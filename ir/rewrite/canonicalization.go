package rewrite

import (
	"slices"
	"strings"

	"freehold/ir"
)

// CanonicalizationOf returns the canonicalization patterns of an operation, with
// their roots filled in.
func CanonicalizationOf(n *ir.OpName) []Pattern {
	patterns, _ := Canonicalization.OfName(n)
	out := make([]Pattern, len(patterns))
	for i, p := range patterns {
		if p.Root == nil && p.Applies == nil {
			p.Root = n.ID()
		}
		out[i] = p
	}
	return out
}

// canonicalizations is the key of [Canonicalizations] in a context.
type canonicalizations struct{}

// Canonicalizations returns the canonicalization patterns of all that is registered in a context: those of dialects, and then those of operations, both in the
// order of names. The list is the context's.
func Canonicalizations(c *ir.Context) []Pattern {
	return c.Memo(canonicalizations{}, func() any {
		var out []Pattern
		for _, d := range c.Dialects() {
			ps, _ := DialectCanonicalization.OfDialect(d)
			out = append(out, ps...)
		}
		names := slices.DeleteFunc(c.OpNames(), func(n *ir.OpName) bool {
			_, ok := Canonicalization.OfName(n)
			return !ok
		})
		slices.SortFunc(names, func(a, b *ir.OpName) int { return strings.Compare(a.String(), b.String()) })
		for _, n := range names {
			out = append(out, CanonicalizationOf(n)...)
		}
		return out
	}).([]Pattern)
}
