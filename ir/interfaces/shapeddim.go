package interfaces

import "freehold/ir"

// ShapedDim is implemented by operations that return the size of a dimension of a shaped value: the model returns this value, and
// the number of the dimension.
var ShapedDim = ir.NewInterface[func(op *ir.Op) (shaped, dimension *ir.Value)]("ShapedDimOpInterface")

// ShapeOnly is implemented by operations whose results depend on the shapes of their operands only, not on the elements or
// where they are.
var ShapeOnly = ir.NewInterface[struct{}]("ShapeOnly")

// IsShapeOnly tells whether the operation implements ShapeOnly, or ShapedDim, which implies it.
func IsShapeOnly(op *ir.Op) bool { _, ok := ShapeOnly.Of(op); return ok || IsDim(op) }

// IsDim tells whether the operation implements ShapedDim.
func IsDim(op *ir.Op) bool { _, ok := ShapedDim.Of(op); return ok }

// ConstantDim returns the shaped value of which the operation returns a size, and which dimension that is. It is not ok if the operation doesn't
// implement ShapedDim, or the dimension isn't a constant that may be one.
func ConstantDim(op *ir.Op) (shaped *ir.Value, dimension int, ok bool) {
	m, ok := ShapedDim.Of(op)
	if !ok {
		return nil, 0, false
	}
	shaped, i := m(op)
	n, ok := ir.ConstantInt(i)
	return shaped, int(n), ok && n >= 0
}
