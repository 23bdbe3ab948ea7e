package rewrite

import "freehold/ir"

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
