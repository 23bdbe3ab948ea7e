package shapes

import "freehold/ir"

// ReassociationOf reads an array of arrays of integers.
func ReassociationOf(a ir.Attribute) [][]int64 {
	arr, ok := a.(*ir.ArrayAttr)
	if !ok {
		return nil
	}
	total := 0
	for _, e := range arr.Elems {
		g, ok := e.(*ir.ArrayAttr)
		if !ok {
			return nil
		}
		total += len(g.Elems)
	}
	out, dims := make([][]int64, len(arr.Elems)), make([]int64, total)
	for i, e := range arr.Elems {
		g := e.(*ir.ArrayAttr)
		n := len(g.Elems)
		out[i], dims = dims[:n:n], dims[n:]
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

// ComposeReassociation returns the groups of two reshapes in the same direction,
// one after the other, as one; false if there are none.
func ComposeReassociation(producer, consumer [][]int64) (groups [][]int64, ok bool) {
	if len(producer) == len(consumer) {
		return nil, false
	}
	if len(producer) < len(consumer) {
		producer, consumer = consumer, producer
	}
	if len(consumer) == 0 {
		return nil, true
	}
	n := 0
	for _, g := range consumer {
		n += len(g)
	}
	if n != len(producer) {
		return nil, false
	}
	for _, g := range consumer {
		var joined []int64
		for _, i := range g {
			joined = append(joined, producer[i]...)
		}
		groups = append(groups, joined)
	}
	return groups, true
}

// UpTo returns the numbers from 0 up to, and without, n, such as all dimensions of a rank.
func UpTo(n int) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(i)
	}
	return out
}

// GroupsForCollapse returns the groups of dimensions of the shape that collapse
// it to the target shape; false if there are none that are certain.
func GroupsForCollapse(shape, target []int64) (groups [][]int64, ok bool) {
	if len(shape) <= len(target) {
		return nil, false
	}
	d := 0
	for d < len(shape) && len(groups) < len(target) {
		want, n := target[len(groups)], int64(1)
		var g []int64
		for d < len(shape)-1 && shape[d] != ir.Dynamic && n*shape[d] < want {
			n *= shape[d]
			g = append(g, int64(d))
			d++
		}
		switch {
		case shape[d] == ir.Dynamic && (want != ir.Dynamic || n != 1),
			want == ir.Dynamic && shape[d] != ir.Dynamic,
			shape[d] != ir.Dynamic && n*shape[d] != want:
			return nil, false
		}
		groups = append(groups, append(g, int64(d)))
		d++
	}
	if len(groups) != len(target) {
		return nil, false
	}
	for ; d < len(shape); d++ {
		if shape[d] != ir.Dynamic && shape[d] != 1 {
			return nil, false
		}
		if len(groups) > 0 {
			groups[len(groups)-1] = append(groups[len(groups)-1], int64(d))
		}
	}
	return groups, true
}

// GroupsOfExpandThenCollapse returns the groups of the single reshape that
// expanding with the first groups and collapsing with the second ones amounts to,
// seen from the shape of higher rank (many) and that of lower rank (few).
func GroupsOfExpandThenCollapse(many, few [][]int64) (groups [][]int64, ok bool) {
	next := 0
	for _, g := range few {
		if len(g) == 0 {
			return nil, false
		}
		last := g[len(g)-1]
		var joined []int64
		for next < len(many) {
			if len(many[next]) == 0 {
				return nil, false
			}
			right := many[next][len(many[next])-1]
			if right > last {
				return nil, false
			}
			joined = append(joined, int64(next))
			next++
			if right == last {
				break
			}
		}
		groups = append(groups, joined)
	}
	return groups, true
}

// GroupsOfCollapseThenExpand returns the groups that collapse a shape directly to
// the target, given the groups by which each of them collapses to the shape in
// between; false if there are none that are certain, or if a group has no more dimensions
// than the target has there (so mlir-opt does). same tells of two dimensions of unknown size, one of the shape and one of
// the target, whether their sizes are known to be the same.
func GroupsOfCollapseThenExpand(groups, targetGroups [][]int64, shape, target []int64, same func(dim, targetDim int) bool) ([][]int64, bool) {
	if len(groups) == 0 {
		return GroupsForCollapse(shape, target)
	}
	var out [][]int64
	for i := range min(len(groups), len(targetGroups)) {
		g, t := groups[i], targetGroups[i]
		if len(g) == 0 || len(t) == 0 {
			return nil, false
		}
		sub, subTarget := shape[g[0]:g[0]+int64(len(g))], target[t[0]:t[0]+int64(len(t))]
		inner, ok := GroupsForCollapse(sub, subTarget)
		if !ok || !certain(inner, sub, subTarget, func(d, td int) bool { return same(int(g[0])+d, int(t[0])+td) }) {
			return nil, false
		}
		for _, x := range inner {
			for j := range x {
				x[j] += g[0]
			}
			out = append(out, x)
		}
	}
	return out, true
}

// certain tells whether the sizes of the groups of a shape are those of the target, if both have the same number of elements.
func certain(groups [][]int64, shape, target []int64, same func(dim, targetDim int) bool) bool {
	unknown, empty := 0, false
	for _, n := range target {
		empty = empty || n == 0
		if n == ir.Dynamic {
			unknown++
		}
	}
	for i, g := range groups {
		dims := 0
		for _, d := range g {
			if shape[d] != ir.Dynamic {
				continue
			}
			dims++
			switch {
			case target[i] != ir.Dynamic && (unknown > 0 || empty), dims > 1 && (unknown > 1 || empty):
				return false // more than the target has there, unless it is 1
			case target[i] == ir.Dynamic && (unknown > 1 || empty) && !same(int(d), i):
				return false
			}
		}
	}
	return true
}

// SameGroups tells whether two lists of groups are the same.
func SameGroups(a, b [][]int64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if len(a[i]) != len(b[i]) {
			return false
		}
		for j := range a[i] {
			if a[i][j] != b[i][j] {
				return false
			}
		}
	}
	return true
}
