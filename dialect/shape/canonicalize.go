package shape

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// Patterns that several operations on lists of shapes share.
var (
	removeDuplicates = rewrite.Pattern{Name: "RemoveDuplicateOperandsPattern", Rewrite: removeDuplicateOperands}
	removeEmpty      = rewrite.Pattern{Name: "RemoveEmptyShapeOperandsPattern", Rewrite: removeEmptyShapes}
	forwardCasts     = rewrite.Pattern{Name: "CanonicalizeCastExtentTensorOperandsPattern", Rewrite: forwardCastOperands}
)

// withOperands replaces an operation by one of the same kind with other operands.
func withOperands(r *rewrite.Rewriter, op *ir.Op, operands []*ir.Value, attrs ...ir.NamedAttr) {
	r.At(op)
	n := r.CreateOp(op.ID(), op.Results().Types(), operands, attrs...)
	r.Replace(op, n.Results().Values()...)
}

func removeDuplicateOperands(r *rewrite.Rewriter, op *ir.Op) bool {
	seen := map[*ir.Value]bool{}
	var unique []*ir.Value
	for _, v := range op.Operands().Values() {
		if !seen[v] {
			seen[v] = true
			unique = append(unique, v)
		}
	}
	if len(unique) == op.NumOperands() {
		return false
	}
	withOperands(r, op, unique, op.AllAttrs()...)
	return true
}

// removeEmptyShapes drops the shapes of scalars, which broadcast to anything.
func removeEmptyShapes(r *rewrite.Rewriter, op *ir.Op) bool {
	rest := slices.DeleteFunc(op.Operands().Values(), func(v *ir.Value) bool {
		if shape, ok := ir.ShapeOf(v.Type()); ok && shape[0] == 0 {
			return true
		}
		c := v.DefinedBy(ConstShape)
		if c == nil {
			return false
		}
		shape, ok := extents(c.Attr("shape"))
		return ok && len(shape) == 0
	})
	if len(rest) == op.NumOperands() {
		return false
	}
	withOperands(r, op, rest, op.AllAttrs()...)
	return true
}

// forwardCastOperands looks through casts that forget the number of extents.
func forwardCastOperands(r *rewrite.Rewriter, op *ir.Op) bool {
	changed := false
	operands := op.Operands().Values()
	for i, v := range operands {
		cast := v.DefinedBy(tensor.Cast)
		if cast == nil {
			continue
		}
		if shape, ok := ir.ShapeOf(v.Type()); ok && shape[0] == ir.Dynamic && isExtentTensor(tensor.CastOp{Op: cast}.Source().Type()) {
			operands[i], changed = tensor.CastOp{Op: cast}.Source(), true
		}
	}
	if changed {
		withOperands(r, op, operands)
	}
	return changed
}

// sameShapesHold replaces a condition on equal shapes by a witness that holds.
func sameShapesHold(r *rewrite.Rewriter, op *ir.Op) bool {
	for i := range op.NumOperands() {
		if op.Operand(i) != op.Operand(0) {
			return false
		}
	}
	r.At(op)
	r.Replace(op, newWitness(r.Builder, true))
	return true
}

func newWitness(b *ir.Builder, passing bool) *ir.Value {
	c := b.Context()
	return b.CreateOp(ConstWitness, []ir.Type{c.DialectTypeOf(c.Dialect(dialectName), "witness")}, nil,
		ir.NamedAttr{Name: "passing", Value: c.Bool(passing)}).Result(0)
}

// rankOfShapeOf takes the rank from the type of what has the shape.
func rankOfShapeOf(r *rewrite.Rewriter, op *ir.Op) bool {
	def := RankOp{op}.Shape().DefinedBy(ShapeOf)
	if def == nil {
		return false
	}
	t, ok := ShapeOfOp{def}.Arg().Type().(*ir.RankedTensorType)
	if !ok {
		return false
	}
	r.At(op)
	n, res := int64(len(t.Shape)), op.Result(0).Type()
	if res == ir.Type(ir.Index) {
		r.Replace(op, arith.ConstantIndex(r.Builder, n))
		return true
	}
	size := r.CreateOp(ConstSize, []ir.Type{res}, nil, ir.NamedAttr{Name: "value", Value: r.Context().IndexAttr(n)})
	r.Replace(op, size.Result(0))
	return true
}

// constantShapeOf replaces a shape that its operand's type tells. (mlir-opt crashes
// on one that isn't a tensor.)
func constantShapeOf(r *rewrite.Rewriter, op *ir.Op) bool {
	extents, ok := ir.ShapeOf(ShapeOfOp{op}.Arg().Type())
	if !ok || !ir.IsStaticShape(extents) {
		return false
	}
	r.At(op)
	want := op.Result(0).Type()
	t := want
	if ir.IsTensor(want) {
		t = extentTensorType(r.Context(), int64(len(extents)))
	}
	shape := r.CreateOp(ConstShape, []ir.Type{t}, nil,
		ir.NamedAttr{Name: "shape", Value: shapeAttr(r.Context(), extents)}).Result(0)
	if t != want {
		shape = tensor.NewCast(r.Builder, want, shape)
	}
	r.Replace(op, shape)
	return true
}

// shapeOfReshape takes the shape that a tensor was given.
func shapeOfReshape(r *rewrite.Rewriter, op *ir.Op) bool {
	reshape := ShapeOfOp{op}.Arg().DefinedBy(tensor.Reshape)
	want, ok := op.Result(0).Type().(*ir.RankedTensorType)
	if reshape == nil || !ok {
		return false
	}
	r.At(op)
	shape := tensor.ReshapeOp{Op: reshape}.Shape()
	if got := shape.Type(); got != ir.Type(want) {
		if ir.ElementType(got) == want.Elem {
			shape = tensor.NewCast(r.Builder, want, shape)
		} else {
			n, _ := ir.ShapeOf(got)
			index := r.Context().RankedTensor(n, ir.Index)
			shape = arith.NewCast(r.Builder, arith.IndexCast, index, shape)
			if ir.Type(index) != ir.Type(want) {
				shape = tensor.NewCast(r.Builder, want, shape)
			}
		}
	}
	r.Replace(op, shape)
	return true
}

// undoConversion folds a conversion of the result of the opposite one.
func undoConversion(inverse *ir.OpID) func(*rewrite.Rewriter, *ir.Op) bool {
	return func(r *rewrite.Rewriter, op *ir.Op) bool {
		def := op.OnlyOperand().DefinedBy(inverse)
		if def == nil || def.OnlyOperand().Type() != op.Result(0).Type() {
			return false
		}
		r.Replace(op, def.OnlyOperand())
		return true
	}
}

// castShapeOf gives a shape.shape_of the type that its result is cast to.
func castShapeOf(r *rewrite.Rewriter, cast *ir.Op) bool {
	t, ok := cast.Result(0).Type().(*ir.RankedTensorType)
	def := tensor.CastOp{Op: cast}.Source().DefinedBy(ShapeOf)
	if !ok || def == nil || len(t.Shape) != 1 {
		return false
	}
	arg, ok := ShapeOfOp{def}.Arg().Type().(*ir.RankedTensorType)
	if !ok || t.Shape[0] != ir.Dynamic && t.Shape[0] != int64(len(arg.Shape)) {
		return false
	}
	r.At(cast)
	r.Replace(cast, r.CreateOp(ShapeOf, []ir.Type{t}, []*ir.Value{ShapeOfOp{def}.Arg()}).Result(0))
	return true
}

// extractFromShapeOf reads one extent of a tensor's shape from the tensor.
func extractFromShapeOf(r *rewrite.Rewriter, op *ir.Op) bool {
	def := tensor.ExtractOp{Op: op}.Tensor().DefinedBy(ShapeOf)
	if def == nil || op.NumOperands() != 2 || !ir.IsTensor(ShapeOfOp{def}.Arg().Type()) {
		return false
	}
	r.At(op)
	r.Replace(op, r.CreateOp(tensor.Dim, []ir.Type{ir.Index}, []*ir.Value{ShapeOfOp{def}.Arg(), tensor.ExtractOp{Op: op}.Indices().At(0)}).Result(0))
	return true
}

// concretizeBroadcast computes the rank of the result, and forgets it again in a
// cast.
func concretizeBroadcast(r *rewrite.Rewriter, op *ir.Op) bool {
	t, ok := op.Result(0).Type().(*ir.RankedTensorType)
	if !ok || t.Shape[0] != ir.Dynamic {
		return false
	}
	rank := int64(0)
	for _, in := range op.Operands().Types() {
		if s, ok := in.(*ir.RankedTensorType); ok {
			if s.Shape[0] == ir.Dynamic {
				return false
			}
			rank = max(rank, s.Shape[0])
		}
	}
	r.At(op)
	n := r.CreateOp(Broadcast, []ir.Type{extentTensorType(r.Context(), rank)}, op.Operands().Values())
	r.Replace(op, tensor.NewCast(r.Builder, t, n.Result(0)))
	return true
}

// foldConstantShapes makes one of the constant shapes.
func foldConstantShapes(r *rewrite.Rewriter, op *ir.Op) bool {
	var folded []int64
	var rest []*ir.Value
	for _, v := range op.Operands().Values() {
		if c := v.DefinedBy(ConstShape); c != nil {
			if shape, ok := extents(c.Attr("shape")); ok {
				if joined, ok := broadcastShapes(folded, shape); ok {
					folded = joined
					continue
				}
			}
		}
		rest = append(rest, v)
	}
	if op.NumOperands()-len(rest) < 2 {
		return false
	}
	r.At(op)
	c := r.Context()
	constant := r.CreateOp(ConstShape, []ir.Type{extentTensorType(c, int64(len(folded)))}, nil,
		ir.NamedAttr{Name: "shape", Value: shapeAttr(c, folded)})
	withOperands(r, op, append(rest, constant.Result(0)))
	return true
}

// forwardSingleShape replaces the broadcast of a single shape by that.
func forwardSingleShape(r *rewrite.Rewriter, op *ir.Op) bool {
	if op.NumOperands() != 1 {
		return false
	}
	v, t := op.OnlyOperand(), op.Result(0).Type()
	r.At(op)
	switch {
	case v.Type() == t:
	case isShape(t):
		v = r.CreateOp(FromExtentTensor, []ir.Type{t}, []*ir.Value{v}).Result(0)
	case isShape(v.Type()):
		return false
	default:
		v = tensor.NewCast(r.Builder, t, v)
	}
	r.Replace(op, v)
	return true
}
