// Package linalg lowers structured operations: to their generic form, and to
// loops.
package linalg

import (
	"freehold/dialect/linalg"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// GeneralizePatterns returns the pattern that replaces structured operations by
// linalg.generic. It leaves linalg.map alone, whose body does not get the elements
// of the init.
func GeneralizePatterns() []rewrite.Pattern {
	return []rewrite.Pattern{{Name: "LinalgGeneralizationPattern", Applies: isNamed, Rewrite: generalize}}
}

func isStructured(n *ir.OpName) bool {
	_, ok := interfaces.Structured.OfName(n)
	return ok
}

func isNamed(n *ir.OpName) bool {
	return isStructured(n) && n.ID() != linalg.Generic && n.ID() != linalg.Map
}

func generalize(r *rewrite.Rewriter, op *ir.Op) bool {
	o, ok := linalg.AsStructured(op)
	if !ok || op.NumRegions() != 1 {
		return false
	}
	r.Loc = op.Loc()
	generic := linalg.NewGenericWithoutBody(r.Builder, o.Inputs().Values(), o.Inits().Values(), o.IndexingMaps(), o.Iterators())
	r.InlineRegionBefore(op.RegionAt(0), generic.RegionAt(0), nil)
	r.Replace(op, generic.Results().Values()...)
	return true
}
