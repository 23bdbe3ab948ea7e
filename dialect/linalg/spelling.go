package linalg

import (
	"slices"

	"freehold/ir"
	"freehold/ir/constraint"
)

// isDim tells whether an expression is the dimension that is the result of a map.
func isDim(e *ir.AffineExpr, r mapResult) bool {
	return e.Kind == ir.AffineDim && e.Value == int64(r.a) && r.b < 0
}

// later is the spelling of LLVM 22, which doesn't have some operations, and in which the
// indexing maps of others are attributes. They have to be those that the operation has here.
func (s *spec) later() []ir.Spelling {
	if s.replace != nil {
		return []ir.Spelling{{Since: 22, Replace: s.replace}}
	}
	if !s.spelled {
		return nil
	}
	own := func(a ir.Attribute) bool {
		maps, ok := a.(*ir.ArrayAttr)
		if !ok || len(maps.Elems) != len(s.compiled) {
			return false
		}
		for i, e := range maps.Elems {
			m, ok := e.(*ir.AffineMapAttr)
			if !ok || m.Map.Dims != len(s.iterators) || !slices.EqualFunc(m.Map.Results, s.compiled[i], isDim) {
				return false
			}
		}
		return true
	}
	attrs := []ir.AttrDef{{Name: "indexing_maps", Optional: true,
		Type: ir.AttrConstraint{Summary: "the operation's own indexing maps", Match: own, Class: own}}}
	if !slices.ContainsFunc(s.attrs, func(d ir.AttrDef) bool { return d.Name == castAttr.Name }) {
		attrs = append(attrs, ir.AttrDef{Name: castAttr.Name, Type: constraint.Unsupported, Optional: true})
	}
	return []ir.Spelling{{Since: 22, Attrs: attrs}}
}
