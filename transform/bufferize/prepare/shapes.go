package prepare

import (
	"freehold/dialect/arith"
	"freehold/dialect/shape"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/rewrite"
	shapes "freehold/transform/lower/shape"
)

// shapePatterns replace operations on tensors of extents that convert-shape-to-std leaves
// alone.
func shapePatterns() []rewrite.Pattern {
	mixed := []*ir.OpID{shape.Broadcast, shape.CstrEq, shape.CstrBroadcastable, shape.ShapeEq, shape.IsBroadcastable, shape.Any, shape.Concat,
		shape.Meet, shape.NumElements, shape.Rank, shape.ShapeOf}
	list := make([]rewrite.Pattern, len(mixed))
	for i, id := range mixed {
		list[i] = rewrite.Pattern{Name: "ShapesOfTensors", Root: id, Rewrite: shapesOfTensors}
	}
	return append(list, []rewrite.Pattern{
		{Name: "NumElements", Root: shape.NumElements, Rewrite: onTensors(shapes.NumElementsToReduce)},
		{Name: "ConcatExtents", Root: shape.Concat, Rewrite: onTensors(concatExtents)},
		{Name: "ExtentTensorOfExtents", Root: shape.ToExtentTensor, Rewrite: elementsOfExtents},
	}...)
}

// maxRank is the most extents that are listed one by one: more than any shape has, few enough
// to write down.
const maxRank = 1 << 12

// shapesOfTensors makes shapes of the tensors that an operation on shapes is given with
// them: of tensors of extents whose number is known, and of tensors whose shape is asked
// for.
func shapesOfTensors(r *rewrite.Rewriter, op *ir.Op) bool {
	var shapeType ir.Type
	for _, t := range append(op.Operands().Types(), op.Results().Types()...) {
		if d, ok := t.(*ir.DialectType); ok && d.Dialect.Name == "shape" && d.Mnemonic == "shape" {
			shapeType = t
		}
	}
	if shapeType == nil {
		return false
	}
	r.Loc = op.Loc()
	changed := false
	for i, v := range op.Operands().Values() {
		t, ok := v.Type().(*ir.RankedTensorType)
		if !ok {
			continue
		}
		var extents []*ir.Value
		switch {
		case op.Is(shape.ShapeOf):
			extents = arith.ValuesOf(r.Builder, tensor.MixedSizes(r.Builder, v))
		case t.Shape[0] == ir.Dynamic || t.Shape[0] > maxRank:
			continue
		default:
			for j := range t.Shape[0] {
				extents = append(extents, tensor.NewExtract(r.Builder, v, arith.ConstantIndex(r.Builder, j)))
			}
		}
		s := r.CreateOp(shape.FromExtents, []ir.Type{shapeType}, extents).Result(0)
		if op.Is(shape.ShapeOf) {
			r.Replace(op, s)
			return true
		}
		r.Modify(op, func() { op.SetOperand(i, s) })
		changed = true
	}
	return changed
}

func concatExtents(r *rewrite.Rewriter, op *ir.Op) bool {
	t, ok := op.Result(0).Type().(*ir.RankedTensorType)
	for _, v := range op.Operands().Values() {
		_, ranked := v.Type().(*ir.RankedTensorType)
		ok = ok && ranked
	}
	if !ok {
		return false
	}
	r.Loc = op.Loc()
	joined := r.CreateOp(tensor.Concat, []ir.Type{t}, op.Operands().Values(), ir.NamedAttr{Name: "dim", Value: r.Context().I64Attr(0)})
	r.Replace(op, joined.Result(0))
	return true
}

// elementsOfExtents makes a tensor of the extents that a shape was made of.
func elementsOfExtents(r *rewrite.Rewriter, op *ir.Op) bool {
	from := shape.ToExtentTensorOp{Op: op}.Input().DefinedBy(shape.FromExtents)
	if from == nil {
		return false
	}
	for _, v := range from.Operands().Values() {
		if v.Type() != ir.Type(ir.Index) {
			return false
		}
	}
	r.Loc = op.Loc()
	extents := from.Operands().Values()
	v := tensor.NewFromElements(r.Builder, r.Context().RankedTensor([]int64{int64(len(extents))}, ir.Index), extents...)
	if t := op.Result(0).Type(); v.Type() != t {
		v = tensor.NewCast(r.Builder, t, v)
	}
	r.Replace(op, v)
	return true
}
