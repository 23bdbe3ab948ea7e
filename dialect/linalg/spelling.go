package linalg

import (
	"errors"
	"slices"

	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// later is the spelling of LLVM 22, which doesn't have some operations, and in which the
// indexing maps of others, and the conversions to the type of the result, can be chosen.
func (s *spec) later() []ir.Spelling {
	if s.replace != nil {
		return []ir.Spelling{{Since: 22, Replace: s.replace}}
	}
	if !s.spelled {
		return nil
	}
	sp := ir.Spelling{Since: 22, Attrs: []ir.AttrDef{{Name: indexingMapsAttr, Type: constraint.AffineMapArray, Optional: true}},
		Discardable: []string{indexingMapsAttr}, Upgrade: s.otherMaps, Without: []string{memoizedMaps}, Spelled: func(op *ir.Op) []ir.NamedAttr {
			return []ir.NamedAttr{{Name: indexingMapsAttr, Value: MapsAttr(op.Context(), s.IndexingMaps(op))}}
		}}
	if !s.casts() {
		sp.Attrs = append(sp.Attrs, castAttr)
		sp.Discardable = append(sp.Discardable, castAttr.Name)
	}
	return []ir.Spelling{sp}
}

// casts tells whether the operation says how it converts to the type of the result.
func (s *spec) casts() bool {
	return slices.ContainsFunc(s.attrs, func(d ir.AttrDef) bool { return d.Name == castAttr.Name })
}

// otherMaps makes a state with indexing maps, or conversions, that the operation doesn't have
// here that of a linalg.generic.
func (s *spec) otherMaps(b *ir.Builder, state *ir.OpState) error {
	chosen, converts := state.Attr(indexingMapsAttr), !s.casts() && state.Attr(castAttr.Name) != nil
	if chosen == nil && !converts {
		return nil
	}
	state.Attrs = slices.DeleteFunc(slices.Clone(state.Attrs), func(a ir.NamedAttr) bool {
		return a.Name == indexingMapsAttr || converts && a.Name == castAttr.Name
	})
	maps := make([]*ir.AffineMap, len(s.compiled()))
	for i, results := range s.compiled() {
		exprs := make([]*ir.AffineExpr, len(results))
		for k, r := range results {
			exprs[k] = b.Context().AffineDim(r.a)
		}
		maps[i] = b.Context().AffineMap(len(s.iterators), 0, exprs...)
	}
	own := true
	if chosen != nil {
		own = slices.Equal(mapsOf(chosen), maps)
		maps = mapsOf(chosen)
	}
	switch {
	case len(maps) != len(s.compiled()) || slices.ContainsFunc(maps, func(m *ir.AffineMap) bool { return m.Dims != len(s.iterators) }):
		return errors.New("expects an indexing map for each operand, with as many dimensions each")
	case own && !converts, len(state.Operands) != len(maps):
		return nil
	}
	return toGeneric(b, state, maps)
}

// toGeneric makes a state with one result, and a body, that of a linalg.generic with the
// maps. Dimensions that the result has are parallel.
func toGeneric(b *ir.Builder, s *ir.OpState, maps []*ir.AffineMap) error {
	n := len(s.Operands)
	iterators := make([]interfaces.Iterator, maps[n-1].Dims)
	for i := range iterators {
		iterators[i] = interfaces.Reduction
	}
	for _, e := range maps[n-1].Results {
		if e.Kind == ir.AffineDim {
			iterators[e.Value] = interfaces.Parallel
		}
	}
	generic := genericState(b, s.Operands[:n-1], s.Operands[n-1:], maps, iterators)
	generic.Loc, generic.Types, generic.Regions = s.Loc, s.Types, s.Regions
	generic.Attrs = append(generic.Attrs, s.Attrs...)
	*s = generic
	return nil
}
