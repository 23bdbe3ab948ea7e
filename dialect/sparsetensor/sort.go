package sparsetensor

import (
	"errors"
	"slices"

	"freehold/ir"
	"freehold/ir/constraint"
)

// Attributes of sparse_tensor.sort_coo: the rank of what is sorted, and whether the order of equals stays.
const (
	sortRank   = "nx"
	sortStable = "stable"
	// sortGroups has how many arrays are sorted in sparse_tensor.sort of LLVM 16.
	sortGroups = "operand_segment_sizes"
)

// sortCOO is how LLVM 16 spells the sorting of coordinates that are stored together: by all of them, in their order. LLVM 17 has
// the name, too, so that mlir-opt-19 is tested to refuse it: it is read where an earlier version is asked for.
var sortCOO = ir.Spelling{
	Until: 17, Name: "sparse_tensor.sort_coo",
	Format: "(`stable` $stable^)? $n `,` $xy (`jointly` $ys^)? attr-dict `:` type($xy) (`jointly` type($ys)^)?",
	Attrs: []ir.AttrDef{{Name: sortRank, Type: constraint.IndexAttr, Optional: true},
		{Name: sortStable, Type: constraint.UnitAttr, Optional: true}},
	Discardable: []string{sortRank, sortStable},
	Upgrade: func(b *ir.Builder, s *ir.OpState) error {
		if s.Attr("algorithm") != nil {
			return nil // not in this spelling
		}
		if groups, ok := s.Attr(sortGroups).(*ir.DenseArrayAttr); ok && groups.Len() == 3 && groups.Int(1) != 1 {
			return errors.New("sorts several arrays of coordinates, where LLVM 19 has one")
		}
		c := b.Context()
		rank, algorithm := int64(1), "hybrid_quick_sort"
		if n, ok := s.Attr(sortRank).(*ir.IntegerAttr); ok {
			rank = n.Value
		}
		if s.Attr(sortStable) != nil {
			algorithm = "insertion_sort_stable"
		}
		kind, _ := SortKind.Parse(algorithm)
		s.SetAttr("algorithm", c.EnumAttr(SortKind, kind))
		if rank < 1 || rank > maxSortRank {
			return nil // an error of the verifier
		}
		s.Attrs = slices.DeleteFunc(slices.Clone(s.Attrs), func(a ir.NamedAttr) bool { return a.Name == sortRank || a.Name == sortStable || a.Name == sortGroups })
		s.SetAttr("perm_map", c.AffineMapAttr(c.IdentityMap(int(rank))))
		return nil
	},
}

// sortOne is how LLVM 16 spells the sorting of one array of coordinates, with others that are moved alike.
var sortOne = func() ir.Spelling {
	sp := sortCOO
	sp.Until, sp.Name = 16, ""
	return sp
}()

// maxSortRank is more than tensors have dimensions: a map with more results isn't made.
const maxSortRank = 1 << 10
