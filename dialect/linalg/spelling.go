package linalg

import (
	"errors"
	"slices"

	"freehold/ir"
	"freehold/ir/asm"
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
	generic := genericState(b, s.Operands[:n-1], s.Operands[n-1:], maps, iteratorsOf(maps))
	generic.Loc, generic.Types, generic.Regions = s.Loc, s.Types, s.Regions
	generic.Attrs = append(generic.Attrs, s.Attrs...)
	*s = generic
	return nil
}

// iteratorsOf returns the kinds of the dimensions of operations that don't say them: those that the last map, of the result, has are
// parallel.
func iteratorsOf(maps []*ir.AffineMap) []interfaces.Iterator {
	if len(maps) == 0 {
		return nil
	}
	result := maps[len(maps)-1]
	iterators := make([]interfaces.Iterator, result.Dims)
	for i := range iterators {
		iterators[i] = interfaces.Reduction
	}
	for _, e := range result.Results {
		if e.Kind == ir.AffineDim {
			iterators[e.Value] = interfaces.Parallel
		}
	}
	return iterators
}

// withMaps is the operation of LLVM 22, in which the maps and conversions that others have as linalg.generic are attributes.
func (s *spec) withMaps() *spec {
	chosen := *s
	chosen.spelled, chosen.chosen = false, true
	chosen.body = castMulAdd
	chosen.attrs = []ir.AttrDef{{Name: indexingMapsAttr, Type: constraint.AffineMapArray, Optional: true}, castAttr}
	return &chosen
}

// printHead prints the maps of an operation that chose other ones than its own.
func (s *spec) printHead(p *asm.Printer, op *ir.Op) {
	if maps := op.Attr(indexingMapsAttr); s.chosen && maps != nil && maps != ir.Attribute(MapsAttr(op.Context(), s.computeMaps(op))) {
		printMaps(p, maps)
	}
}

// verifyChosen checks that the maps of factors have dimensions of the operation's own maps, or lack some that aren't summed over.
func (s *spec) verifyChosen(op *ir.Op) error {
	maps := mapsOf(op.Attr(indexingMapsAttr))
	if len(maps) != op.NumOperands() || op.NumOperands() != s.numArgs() {
		return nil // an error of the other checks
	}
	own, product := s.computeMaps(op), s.id == Matmul
	for i, m := range maps[:2] {
		for _, e := range m.Results {
			switch {
			case slices.Contains(own[i].Results, e):
			case product:
				return op.Errorf("Unexpected dim expression in map result.")
			default:
				return op.Errorf("Unexpected result dim expression (outside the set of default result dims).")
			}
		}
		if summed := op.Context().AffineDim(len(s.iterators) - 1); product && len(m.Results) == 1 && m.Results[0] != summed {
			return op.Errorf("Invalid broadcast requested, should be (d%d).", summed.Value)
		}
	}
	if !product && maps[2] != own[2] {
		return op.Errorf("Invalid output map result dimension.")
	}
	return nil
}
