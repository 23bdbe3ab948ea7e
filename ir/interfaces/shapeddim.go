package interfaces

import "freehold/ir"

// ShapedDim is implemented by operations that return the size of a dimension,
// operand 1, of a shaped value, operand 0.
var ShapedDim = ir.NewInterface[struct{}]("ShapedDimOpInterface")

// ShapeOnly is implemented by operations whose results depend on the shapes of their operands only, not on the elements or
// where they are.
var ShapeOnly = ir.NewInterface[struct{}]("ShapeOnly")

// IsShapeOnly tells whether the operation implements ShapeOnly, or ShapedDim, which implies it.
func IsShapeOnly(op *ir.Op) bool { _, ok := ShapeOnly.Of(op); return ok || IsDim(op) }

// IsDim tells whether the operation implements ShapedDim.
func IsDim(op *ir.Op) bool { _, ok := ShapedDim.Of(op); return ok }
