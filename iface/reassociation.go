package iface

import "freehold/ir"

// ReassociationAttr is the attribute of reshapes that collapse or expand
// dimensions: for each dimension of the collapsed shape, the list of dimensions of
// the expanded shape it stands for.
const ReassociationAttr = "reassociation"

// Reassociation returns the groups of dimensions of a reshape operation.
func Reassociation(op *ir.Op) [][]int64 { return ReassociationOf(op.Attr(ReassociationAttr)) }

// ReassociationOf reads an array of arrays of integers.
func ReassociationOf(a ir.Attribute) [][]int64 {
	arr, ok := a.(*ir.ArrayAttr)
	if !ok {
		return nil
	}
	out := make([][]int64, len(arr.Elems))
	for i, e := range arr.Elems {
		g, ok := e.(*ir.ArrayAttr)
		if !ok {
			return nil
		}
		out[i] = make([]int64, len(g.Elems))
		for j, x := range g.Elems {
			if n, ok := x.(*ir.IntegerAttr); ok {
				out[i][j] = n.Value
			}
		}
	}
	return out
}

// NewReassociation returns the attribute for groups of dimensions.
func NewReassociation(c *ir.Context, groups [][]int64) *ir.ArrayAttr {
	elems := make([]ir.Attribute, len(groups))
	for i, g := range groups {
		inner := make([]ir.Attribute, len(g))
		for j, x := range g {
			inner[j] = c.I64Attr(x)
		}
		elems[i] = c.ArrayAttr(inner...)
	}
	return c.ArrayAttr(elems...)
}

// CollapsedShape returns the shape that results when the groups of dimensions
// are collapsed: dynamic where a dimension of the group is.
func CollapsedShape(shape []int64, groups [][]int64) []int64 {
	out := make([]int64, len(groups))
	for i, g := range groups {
		n := int64(1)
		for _, d := range g {
			if d < 0 || d >= int64(len(shape)) {
				continue
			}
			if shape[d] == ir.Dynamic {
				n = ir.Dynamic
				break
			}
			n *= shape[d]
		}
		out[i] = n
	}
	return out
}

// VerifyReassociation checks a reshape between an expanded and a collapsed type:
// that the groups cover the expanded dimensions in order, and that the shapes
// agree with them.
func VerifyReassociation(op *ir.Op, expanded, collapsed ir.Type) error {
	es, _ := ir.ShapeOf(expanded)
	cs, _ := ir.ShapeOf(collapsed)
	if len(es) < len(cs) {
		return op.Errorf("expected the expanded type, '%s' to have a higher (or same) rank than the collapsed type, '%s'.", expanded, collapsed)
	}
	groups := Reassociation(op)
	if len(cs) != len(groups) {
		return op.Errorf("expected collapsed rank (%d) to equal the number of reassociation maps (%d).", len(cs), len(groups))
	}
	last := int64(-1)
	for _, g := range groups {
		for _, d := range g {
			last = max(last, d)
		}
	}
	if len(groups) > 0 && last+1 != int64(len(es)) {
		return op.Errorf("expected reassociation map #0 to have size equal to the expanded rank (%d), but it is %d.", len(es), last+1)
	}
	next := int64(0)
	for i, g := range groups {
		for _, d := range g {
			if d != next {
				return op.Errorf("expected reassociation map #%d to be valid and contiguous.", i)
			}
			next++
		}
	}
	next = 0
	for i, g := range groups {
		dynamic, n := false, int64(1)
		for range g {
			if es[next] == ir.Dynamic {
				dynamic = true
			} else {
				n *= es[next]
			}
			next++
		}
		switch {
		case dynamic && cs[i] != ir.Dynamic:
			return op.Errorf("expected dimension %d of collapsed type to be dynamic since one or more of the corresponding dimensions in the expanded type is dynamic", i)
		case !dynamic && cs[i] != n:
			return op.Errorf("expected dimension %d of collapsed type to be static value of %d", i, n)
		}
	}
	return nil
}

// RankReduction returns which dimensions of the shape, all of size 1, must be
// dropped to get the reduced shape, and false if that isn't possible.
func RankReduction(shape, reduced []int64) (dropped []bool, ok bool) {
	dropped = make([]bool, len(shape))
	j := 0
	for i, d := range shape {
		if j < len(reduced) && d == reduced[j] {
			j++
			continue
		}
		if d != 1 {
			return nil, false
		}
		dropped[i] = true
	}
	return dropped, j == len(reduced)
}
