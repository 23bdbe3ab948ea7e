package tensor

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// replaceCast replaces op by v, cast to the type of op's result if it differs.
func replaceCast(r *rewrite.Rewriter, op *ir.Op, v *ir.Value) {
	if t := op.Result(0).Type(); v.Type() != t {
		v = NewCast(r.Builder, t, v)
	}
	r.Replace(op, v)
}

// PreservesStatic tells whether the target type knows statically at least what
// the source type does about a tensor.
func PreservesStatic(source, target ir.Type) bool {
	s, t := ranked(source), ranked(target)
	if s == nil || t == nil || s.Elem != t.Elem || len(s.Shape) != len(t.Shape) || s.Encoding != t.Encoding {
		return false
	}
	for i, d := range s.Shape {
		if d != ir.Dynamic && t.Shape[i] == ir.Dynamic {
			return false
		}
	}
	return true
}

// FoldableCast returns the tensor.cast that defines v if users of v can use its
// source instead: one that forgets static sizes. Otherwise it returns nil.
func FoldableCast(v *ir.Value) *ir.Op {
	op := v.DefinedBy(Cast)
	if op == nil || !PreservesStatic(op.Result(0).Type(), CastOp{op}.Source().Type()) {
		return nil
	}
	return op
}

// foldsIntoProducer tells whether the producer of a cast's source could produce
// the cast's type: one that adds static sizes.
func foldsIntoProducer(cast *ir.Op) bool {
	return PreservesStatic(CastOp{cast}.Source().Type(), cast.Result(0).Type())
}

// foldOperandCasts makes the operation use the sources of casts that define its
// operands, and tells whether there were any.
func foldOperandCasts(op *ir.Op) bool {
	folded := false
	for i := range op.NumOperands() {
		if cast := FoldableCast(op.Operand(i)); cast != nil {
			op.SetOperand(i, CastOp{cast}.Source())
			folded = true
		}
	}
	return folded
}

// staticSizes turns the dynamic sizes that are constants into static ones; it
// returns the new type, which is t if there were none, and the remaining sizes.
func staticSizes(c *ir.Context, t *ir.RankedTensorType, dynamic []*ir.Value) (*ir.RankedTensorType, []*ir.Value) {
	mixed := shapes.Mixed(t.Shape, dynamic)
	shapes.FoldConstants(mixed, true, false)
	static, rest := shapes.SplitMixed(mixed)
	return c.RankedTensorOf(static, t.Elem, t.Encoding), rest
}

// hasConstantIndex tells whether an operand is a constant index, which other
// patterns make static first.
func hasConstantIndex(op *ir.Op) bool {
	for i := range op.NumOperands() {
		v := op.Operand(i)
		if v.Type() == ir.Type(ir.Index) {
			if _, ok := ir.ConstantInt(v); ok {
				return true
			}
		}
	}
	return false
}

// resizedSplat returns the splat constant a as a constant of the static type t,
// or nil.
func resizedSplat(c *ir.Context, a ir.Attribute, t ir.Type) ir.Attribute {
	d, ok := a.(*ir.DenseElementsAttr)
	rt := ranked(t)
	if !ok || !d.Splat || rt == nil || !ir.IsStaticShape(rt.Shape) || rt.Elem != ir.ElementType(d.Type) {
		return nil
	}
	if n, ok := ir.NumElements(rt.Shape); !ok || n == 0 {
		return nil
	}
	return c.DenseElements(t, []byte(d.Data))
}

func foldSplatSource(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if len(operands) == 0 || operands[0] == nil {
		return nil
	}
	if a := resizedSplat(op.Context(), operands[0], op.Result(0).Type()); a != nil {
		return ir.FoldAttr(a)
	}
	return nil
}

// sameSlice tells whether two slices have the same offsets, sizes and strides:
// equal constants or the same values.
func sameSlice(a, b *ir.Op) bool {
	return slices.Equal(interfaces.MixedOffsets(a), interfaces.MixedOffsets(b)) && slices.Equal(interfaces.MixedSizes(a), interfaces.MixedSizes(b)) &&
		slices.Equal(interfaces.MixedStrides(a), interfaces.MixedStrides(b))
}

// wholeSlice tells whether a slice is known to be all of a tensor of the shape.
func wholeSlice(op *ir.Op, shape []int64) bool {
	sizes := interfaces.MixedSizes(op)
	if !shapes.AllConst(interfaces.MixedOffsets(op), 0) || !shapes.AllConst(interfaces.MixedStrides(op), 1) || len(sizes) < len(shape) {
		return false
	}
	for i, d := range shape {
		if !sizes[i].IsConst(d) {
			return false
		}
	}
	return true
}
