package rewrite

import "freehold/ir"

// CanonicalizationOf returns the canonicalization patterns of an operation, with
// their roots filled in.
func CanonicalizationOf(def *ir.OpDef) []Pattern {
	patterns, _ := Canonicalization.OfDef(def)
	out := make([]Pattern, len(patterns))
	for i, p := range patterns {
		if p.Root == nil && p.Applies == nil {
			p.Root = def
		}
		out[i] = p
	}
	return out
}
