package tosa

import (
	"slices"

	"freehold/ir"
)

// ShapeInference is implemented by operations that know more about the types of their results
// than these say: the model returns a type for each result, unranked where nothing is known,
// or nothing if the operands don't fit each other.
var ShapeInference = ir.NewInterface[func(op *ir.Op) []ir.Type]("InferShapedTypeOpInterface")

// inferredTypes is the shape inference of operations whose result types are always inferred.
func inferredTypes(op *ir.Op) []ir.Type {
	s := ir.OpState{Name: op.OpName(), Loc: op.Loc(), Operands: op.Operands().Values(), Props: op.Props(), Attrs: op.DiscardableAttrs()}
	types, err := op.Def().InferTypes(&s)
	if err != nil {
		return nil
	}
	return types
}

// resultOf is the type of the only result, with a shape; of any shape, if that is nil.
func resultOf(op *ir.Op, shape []int64) []ir.Type {
	return []ir.Type{tensorOfShape(op.Context(), shape, ir.ElementType(op.Result(0).Type()))}
}

func tensorOfShape(c *ir.Context, shape []int64, elem ir.Type) ir.Type {
	if shape == nil {
		return c.UnrankedTensor(elem)
	}
	return c.RankedTensor(shape, elem)
}

// unknown is a shape of which only the rank is known.
func unknown(rank int) []int64 {
	shape := make([]int64, rank)
	for i := range shape {
		shape[i] = ir.Dynamic
	}
	return shape
}

// shapeOf returns the shape of a tensor, or nil; that of a number isn't nil.
func shapeOf(v *ir.Value) []int64 {
	t := tensorType(v)
	if t == nil {
		return nil
	}
	return append(make([]int64, 0, len(t.Shape)), t.Shape...)
}

// broadcastOf returns the shape that tensors have together, aligned at the last dimension:
// nil if that of one is unknown, or a size that isn't known meets another one that isn't 1, as in the reference; and
// false if they don't fit.
func broadcastOf(values []*ir.Value) ([]int64, bool) {
	rank := 0
	for _, v := range values {
		s := shapeOf(v)
		if s == nil {
			return nil, true
		}
		rank = max(rank, len(s))
	}
	out := slices.Repeat([]int64{1}, rank)
	uncertain := false
	for _, v := range values {
		s := shapeOf(v)
		for i, d := range s {
			i += rank - len(s)
			switch {
			case out[i] == d || d == 1:
			case out[i] == 1:
				out[i] = d
			case out[i] == ir.Dynamic || d == ir.Dynamic:
				uncertain = true
			default:
				return nil, false
			}
		}
	}
	if uncertain {
		return nil, true
	}
	return out, true
}

func inferBroadcast(op *ir.Op) []ir.Type {
	shape, ok := broadcastOf(op.Operands().Values())
	if !ok {
		return nil
	}
	return resultOf(op, shape)
}

// inferEqual infers the type of a comparison, which is verified.
func inferEqual(s *ir.OpState) ([]ir.Type, error) {
	shape, ok := broadcastOf(s.Operands)
	if !ok {
		return nil, ir.Errorf(s.Loc, "'tosa.equal' op operands don't have broadcast-compatible shapes")
	}
	return []ir.Type{tensorOfShape(s.Name.Context(), shape, ir.I1)}, nil
}

// compatibleShapes tells whether each type has a shape that the inferred one allows.
func compatibleShapes(inferred, actual []ir.Type) bool {
	return slices.EqualFunc(inferred, actual, func(a, b ir.Type) bool {
		x, ok := ir.ShapeOf(a)
		y, also := ir.ShapeOf(b)
		if !ok || !also {
			return true
		}
		return slices.EqualFunc(x, y, ir.SameSize)
	})
}

// compatibleTensors also compares the element types.
func compatibleTensors(inferred, actual []ir.Type) bool {
	return compatibleShapes(inferred, actual) &&
		slices.EqualFunc(inferred, actual, func(a, b ir.Type) bool { return ir.ElementType(a) == ir.ElementType(b) })
}

// inferReduction infers a result whose size is 1 along the axis.
func inferReduction(s *ir.OpState) ([]ir.Type, error) {
	shape := shapeOf(s.Operands[0])
	if axis, ok := s.Attr("axis").(*ir.IntegerAttr); ok && axis.Value >= 0 && axis.Value < int64(len(shape)) {
		shape[axis.Value] = 1
	}
	return []ir.Type{tensorOfShape(s.Name.Context(), shape, ir.ElementType(s.Operands[0].Type()))}, nil
}

// inferConcat adds up the sizes along the axis.
func inferConcat(s *ir.OpState) ([]ir.Type, error) {
	axis := s.Attr("axis").(*ir.IntegerAttr).Value
	c := s.Name.Context()
	if len(s.Operands) == 0 {
		return nil, ir.Errorf(s.Loc, "'tosa.concat' op requires at least one input")
	}
	elem := ir.ElementType(s.Operands[0].Type())
	var shape []int64
	for _, v := range s.Operands {
		t := tensorType(v)
		if t == nil {
			continue
		}
		if shape == nil {
			shape = unknown(len(t.Shape))
		}
		for i, d := range t.Shape {
			switch {
			case int64(i) == axis || d == ir.Dynamic:
			case i >= len(shape) || shape[i] != ir.Dynamic && d != shape[i]:
				return nil, ir.Errorf(s.Loc, "Cannot concat tensors with different sizes on the non-axis dimension %d", i)
			}
			if i < len(shape) && shape[i] == ir.Dynamic {
				shape[i] = d
			}
		}
	}
	if shape == nil {
		return []ir.Type{c.UnrankedTensor(elem)}, nil
	}
	if axis < 0 || axis >= int64(len(shape)) {
		return []ir.Type{c.RankedTensor(shape, elem)}, nil
	}
	shape[axis] = 0
	for _, v := range s.Operands {
		t := tensorType(v)
		if t == nil || axis >= int64(len(t.Shape)) || t.Shape[axis] == ir.Dynamic {
			shape[axis] = ir.Dynamic
			break
		}
		shape[axis] += t.Shape[axis]
	}
	return []ir.Type{c.RankedTensor(shape, elem)}, nil
}

// inferReshape computes the size that is left open.
func inferReshape(s *ir.OpState) ([]ir.Type, error) {
	shape := s.Attr("new_shape").(*ir.DenseArrayAttr).Ints()
	for i, d := range shape {
		if d < 0 {
			shape[i] = ir.Dynamic
		}
	}
	elem := ir.ElementType(s.Operands[0].Type())
	in := shapeOf(s.Operands[0])
	if in != nil && ir.IsStaticShape(in) {
		n, ok := ir.NumElements(in)
		known := int64(1)
		for _, d := range shape {
			if d != ir.Dynamic {
				known *= d
			}
		}
		for i, d := range shape {
			if d == ir.Dynamic && ok && known > 0 {
				shape[i] = n / known
			}
		}
	}
	return []ir.Type{s.Name.Context().RankedTensor(shape, elem)}, nil
}
