package memref

import (
	"freehold/dialect/memref"
	"freehold/ir"
)

// normalForm is how buffers of a type that has a layout are addressed without it.
type normalForm struct {
	to *ir.MemRefType
	// at says where an element is, by its position and the symbols of the layout.
	at *ir.AffineMap
	// sizes are those of the dynamic dimensions of to, by all sizes of the type with the layout.
	sizes []*ir.AffineExpr
}

// normalFormOf returns the normal form of a type with a layout, nil if there is none: where an element is must be known to be from 0 on and
// below some constant in each dimension, or the layout divides dynamic dimensions into tiles.
func normalFormOf(c *ir.Context, t *ir.MemRefType) *normalForm {
	m := layoutMap(c, t)
	if m == nil || len(t.Shape) == 0 || len(m.Results) == 0 || !ir.IsStaticShape(t.Shape) && !tiles(m) {
		return nil
	}
	f := &normalForm{at: m}
	shape := make([]int64, len(m.Results))
	for i, e := range m.Results {
		if usesDynamic(e, t.Shape) {
			size := tiledSize(c, e)
			if size == nil {
				return nil
			}
			f.sizes = append(f.sizes, size)
			shape[i] = ir.Dynamic
			continue
		}
		last, ok := lastPosition(e, t.Shape)
		if !ok {
			return nil
		}
		shape[i] = last + 1
	}
	if _, ok := ir.NumElements(shape); ir.IsStaticShape(shape) && !ok {
		return nil
	}
	f.to = c.MemRefOf(shape, t.Elem, nil, t.Space)
	return f
}

// layoutMap returns the layout of a type as a map; nil if there is none, or not all strides are constants.
func layoutMap(c *ir.Context, t *ir.MemRefType) *ir.AffineMap {
	switch l := t.Layout.(type) {
	case *ir.AffineMapAttr:
		return l.Map
	case *ir.StridedLayoutAttr:
		if m := memref.LayoutMap(c, l); m.Dims > 0 && m.Syms == 0 {
			return m
		}
	}
	return nil
}

// tiles tells whether a layout divides positions into tiles: there are quotients, for each there is the remainder, and the dividends aren't
// positions by themselves.
func tiles(m *ir.AffineMap) bool {
	found := false
	for _, q := range m.Results {
		if q.Kind != ir.AffineFloorDiv {
			continue
		}
		remainder := false
		for _, e := range m.Results {
			if e == q.LHS {
				return false
			}
			remainder = remainder || e.Kind == ir.AffineMod && e.LHS == q.LHS && e.RHS == q.RHS
		}
		if !remainder {
			return false
		}
		found = true
	}
	return found
}

// usesDynamic tells whether an expression has a dynamic dimension of the shape.
func usesDynamic(e *ir.AffineExpr, shape []int64) bool {
	found := false
	e.Walk(func(x *ir.AffineExpr) {
		found = found || x.Kind == ir.AffineDim && shape[x.Value] == ir.Dynamic
	})
	return found
}

// tiledSize returns the size of a dimension whose positions are e, by the sizes instead of the positions; nil if e isn't a sum of
// dimensions, or a quotient or remainder of one by a constant.
func tiledSize(c *ir.Context, e *ir.AffineExpr) *ir.AffineExpr {
	switch e.Kind {
	case ir.AffineFloorDiv, ir.AffineMod:
		if e.RHS.Kind != ir.AffineConst || e.RHS.Value < 1 || !increasing(e.LHS) {
			return nil
		}
		if e.Kind == ir.AffineMod {
			return e.RHS
		}
		return c.AffineCeilDiv(e.LHS, e.RHS)
	}
	if !increasing(e) {
		return nil
	}
	return e
}

// increasing tells whether a sum is larger by one at least if all dimensions are larger by one, and never negative.
func increasing(e *ir.AffineExpr) bool {
	switch e.Kind {
	case ir.AffineDim:
		return true
	case ir.AffineMul:
		return increasing(e.LHS) && e.RHS.Kind == ir.AffineConst && e.RHS.Value > 0
	case ir.AffineAdd:
		return increasing(e.LHS) && (increasing(e.RHS) || e.RHS.Kind == ir.AffineConst && e.RHS.Value >= 0)
	}
	return false
}
