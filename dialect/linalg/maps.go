package linalg

import (
	"strings"

	"freehold/ir"
)

// mapResult is a result of an indexing map of a [spec]: dimension a, or the sum
// of a and b, scaled by a stride and a dilation if window is not negative.
type mapResult struct {
	a, b, window int
}

// compileMaps reads the maps of a specification.
func compileMaps(maps string) [][]mapResult {
	var out [][]mapResult
	for _, m := range strings.Split(maps, ",") {
		results, windows := []mapResult{}, 0
		for _, f := range strings.Fields(m) {
			r := mapResult{a: int(f[0] - '0'), b: -1, window: -1}
			if len(f) > 1 {
				r.b = int(f[2] - '0')
				if f[1] == '~' {
					r.window = windows
					windows++
				}
			}
			results = append(results, r)
		}
		out = append(out, results)
	}
	return out
}

// indexingMap builds a map over dims dimensions.
func indexingMap(c *ir.Context, dims int, results []mapResult, strides, dilations []int64) *ir.AffineMap {
	exprs := make([]*ir.AffineExpr, len(results))
	for i, r := range results {
		e := c.AffineDim(r.a)
		if r.b >= 0 {
			f := c.AffineDim(r.b)
			if r.window >= 0 {
				e = c.AffineMul(e, c.AffineConstant(strides[r.window]))
				f = c.AffineMul(f, c.AffineConstant(dilations[r.window]))
			}
			e = c.AffineAdd(e, f)
		}
		exprs[i] = e
	}
	return c.AffineMap(dims, 0, exprs...)
}

// rankOf returns the rank of a ranked tensor or memref, 0 for other types.
func rankOf(t ir.Type) int {
	if bodyType(t) == t {
		return 0
	}
	shape, _ := ir.ShapeOf(t)
	return len(shape)
}

// elementwiseMap is the identity, or, for scalars and tensors of rank 0, the map
// to nothing.
func elementwiseMap(c *ir.Context, dims int, t ir.Type) *ir.AffineMap {
	if rankOf(t) == 0 {
		return c.AffineMap(dims, 0)
	}
	return c.IdentityMap(dims)
}

// windowParams returns the strides or dilations of an operation, ones if it has
// none.
func windowParams(a ir.Attribute, n int) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = 1
	}
	if d, ok := a.(*ir.DenseElementsAttr); ok && d.Len() == int64(n) && ir.ElementType(d.Type) == ir.Type(ir.I64) {
		for i := range out {
			raw := d.Raw(int64(i))
			v := uint64(0)
			for j := 7; j >= 0; j-- {
				v = v<<8 | uint64(raw[j])
			}
			out[i] = int64(v)
		}
	}
	return out
}
