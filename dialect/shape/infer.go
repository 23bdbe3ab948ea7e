package shape

import (
	"freehold/dialect/tensor"
	"freehold/ir"
)

func isShape(t ir.Type) bool { return isType(t, "shape") }
func isSize(t ir.Type) bool  { return isType(t, "size") }

func shapeTypeIn(c *ir.Context) ir.Type { return c.DialectTypeOf(c.Dialect(dialectName), "shape") }
func sizeTypeIn(c *ir.Context) ir.Type  { return c.DialectTypeOf(c.Dialect(dialectName), "size") }

// extentTensorType is the type of tensors of n extents.
func extentTensorType(c *ir.Context, n int64) *ir.RankedTensorType {
	return c.RankedTensor([]int64{n}, ir.Index)
}

// inferSize infers that the result is a size if an operand satisfies the condition,
// and an index otherwise.
func inferSize(ifOperand func(ir.Type) bool) func(s *ir.OpState) ([]ir.Type, error) {
	return func(s *ir.OpState) ([]ir.Type, error) {
		for _, v := range s.Operands {
			if ifOperand(v.Type()) {
				return []ir.Type{sizeTypeIn(s.Name.Context())}, nil
			}
		}
		return []ir.Type{ir.Index}, nil
	}
}

func noType(ir.Type) bool { return false }

// isSizeOrIndex accepts a size or index in place of whatever was inferred.
func isSizeOrIndex(_, actual ir.Type) bool { return isSize(actual) || actual == ir.Type(ir.Index) }

// pairs lifts a relation of types to lists of one type.
func pairs(compatible func(inferred, actual ir.Type) bool) func(inferred, actual []ir.Type) bool {
	return func(inferred, actual []ir.Type) bool {
		return len(inferred) == 1 && len(actual) == 1 && compatible(inferred[0], actual[0])
	}
}

// oneIsShape accepts a shape in place of whatever was inferred.
func oneIsShape(inferred, actual ir.Type) bool { return isShape(inferred) || isShape(actual) }

func inferExtremum(s *ir.OpState) ([]ir.Type, error) {
	if t := s.Operands[0].Type(); t == s.Operands[1].Type() {
		return []ir.Type{t}, nil
	}
	return []ir.Type{sizeTypeIn(s.Name.Context())}, nil
}

func inferShapeOf(s *ir.OpState) ([]ir.Type, error) {
	c, t := s.Name.Context(), s.Operands[0].Type()
	if isType(t, "value_shape") {
		return []ir.Type{shapeTypeIn(c)}, nil
	}
	n := ir.Dynamic
	if shape, ok := ir.ShapeOf(t); ok {
		n = int64(len(shape))
	}
	return []ir.Type{extentTensorType(c, n)}, nil
}

func inferConstShape(s *ir.OpState) ([]ir.Type, error) {
	d, ok := s.Attr("shape").(*ir.DenseElementsAttr)
	if !ok {
		return nil, ir.Errorf(s.Loc, "expects the extents of a shape")
	}
	return []ir.Type{extentTensorType(s.Name.Context(), d.Len())}, nil
}

// inferMeet combines the operands' types, from the first to the last: what can be
// an error stays so, and the more static tensor type wins.
func inferMeet(s *ir.OpState) ([]ir.Type, error) {
	acc := s.Operands[0].Type()
	for _, v := range s.Operands[1:] {
		l, r := acc, v.Type()
		if !isShape(l) && !isSize(l) {
			l, r = r, l
		}
		fits := false
		switch {
		case isSize(l):
			fits = isSize(r) || r == ir.Type(ir.Index)
		case l == ir.Type(ir.Index):
			fits = r == ir.Type(ir.Index)
		case isShape(l):
			fits = isShape(r) || isExtentTensor(r)
		case isExtentTensor(l) && isExtentTensor(r):
			m, n := l.(*ir.RankedTensorType).Shape[0], r.(*ir.RankedTensorType).Shape[0]
			switch {
			case m == ir.Dynamic || m == n:
			case n == ir.Dynamic:
				l = r
			default:
				return nil, ir.Errorf(s.Loc, "unequal shape cardinality")
			}
			fits = true
		}
		if !fits {
			return nil, ir.Errorf(s.Loc, "requires all sizes or shapes")
		}
		acc = l
	}
	return []ir.Type{acc}, nil
}

func meetCompatible(l, r ir.Type) bool {
	if !isShape(l) && !isSize(l) {
		l, r = r, l
	}
	switch {
	case isSize(l):
		return isSize(r) || r == ir.Type(ir.Index)
	case isShape(l):
		return isShape(r) || ir.IsTensor(r)
	}
	return l == r || tensor.CastCompatible(l, r)
}
