package tosa

import (
	"freehold/dialect/arith"
	"freehold/dialect/tensor"
	"freehold/dialect/tosa"
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// TensorPatterns returns the patterns of tosa-to-tensor.
func TensorPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "ConcatConverter", Root: tosa.Concat, Rewrite: concatToInsertions},
		{Name: "PadConverter", Root: tosa.Pad, Rewrite: padToPad},
		{Name: "ReshapeConverter", Root: tosa.Reshape, Rewrite: reshapeToCollapse},
		{Name: "SliceConverter", Root: tosa.Slice, Rewrite: sliceToSlice},
	}
}

// ToTensor replaces concatenations, padding, reshapes and slices in op by operations of tensor. It
// is tosa-to-tensor, and an error if one can't be replaced. Linear time.
func ToTensor(op *ir.Op, patterns *rewrite.PatternSet, report func(*ir.Diagnostic)) error {
	t := conversion.NewTarget()
	t.LegalDialects("arith", "tensor")
	t.Illegal(tosa.Concat, tosa.Pad, tosa.Reshape, tosa.Slice)
	return conversion.Partial(op, t, patterns, conversion.Config{Report: report})
}

// orFold creates an operation with a result of type index, or what it folds to.
func orFold(b *ir.Builder, id *ir.OpID, operands ...*ir.Value) *ir.Value {
	return orFoldTo(b, id, ir.Index, operands...)
}

func orFoldTo(b *ir.Builder, id *ir.OpID, t ir.Type, operands ...*ir.Value) *ir.Value {
	s := b.State(id)
	s.Types, s.Operands = []ir.Type{t}, operands
	return rewrite.CreateOrFold(b, s)[0]
}

// foldNew creates an operation with one result, or what it folds to.
func foldNew(b *ir.Builder, create func() *ir.Value) *ir.Value {
	return rewrite.OrFold(b, func() *ir.Op { return create().DefiningOp() })[0]
}

// ones are the strides of slices.
func ones(n int) []shapes.OpFoldResult {
	out := make([]shapes.OpFoldResult, n)
	for i := range out {
		out[i] = shapes.ConstSize(1)
	}
	return out
}

// concatToInsertions inserts one tensor behind the other.
func concatToInsertions(r *rewrite.Rewriter, op *ir.Op) bool {
	result := ranked(op.Result(0).Type())
	axis := int(tosa.Axis(op))
	if result == nil || op.NumOperands() == 0 || axis < 0 || axis >= len(result.Shape) {
		return false
	}
	for _, v := range op.Operands().Values() {
		if t := ranked(v.Type()); t == nil || len(t.Shape) != len(result.Shape) {
			return false
		}
	}
	b := r.Builder
	b.Loc = op.Loc()
	at := arith.ConstantIndex(b, int64(axis))
	sizes := tensor.MixedSizes(b, op.Operand(0))
	places := []shapes.OpFoldResult{shapes.ConstSize(0)}
	for _, v := range op.Operands().Values()[1:] {
		size := orFold(b, tensor.Dim, v, at)
		places = append(places, sizes[axis])
		sizes[axis] = constantOr(orFold(b, arith.AddI, arith.ValueOf(b, sizes[axis]), size))
	}
	var open []*ir.Value
	for i, d := range result.Shape {
		if d == ir.Dynamic {
			open = append(open, arith.ValueOf(b, sizes[i]))
		}
	}
	joined := tensor.NewEmptyOf(b, result, open)
	for i, v := range op.Operands().Values() {
		offsets := constants(make([]int64, len(result.Shape)))
		offsets[axis] = places[i]
		slice := shapes.Slice{Offsets: offsets, Sizes: tensor.MixedSizes(b, v), Strides: ones(len(offsets))}
		joined = foldNew(b, func() *ir.Value { return tensor.NewInsertSlice(b, v, joined, slice) })
	}
	r.Replace(op, joined)
	return true
}

// constantOr is the number that a value is, or the value.
func constantOr(v *ir.Value) shapes.OpFoldResult {
	if c := v.DefinedBy(arith.Constant); c != nil {
		if n, ok := c.Prop(0).(*ir.IntegerAttr); ok {
			return shapes.ConstSize(n.Value)
		}
	}
	return shapes.SizeOf(v)
}

// sliceToSlice: a size of -1 is all that follows.
func sliceToSlice(r *rewrite.Rewriter, op *ir.Op) bool {
	v := tosa.SliceOp{Op: op}.Input()
	in, result := ranked(v.Type()), ranked(op.Result(0).Type())
	if in == nil || result == nil || len(result.Shape) != len(in.Shape) {
		return false
	}
	b := r.Builder
	b.Loc = op.Loc()
	starts, sizes := intsOf(op, "start"), intsOf(op, "size")
	mixed := make([]shapes.OpFoldResult, len(sizes))
	for i, d := range sizes {
		switch {
		case starts[i] < 0:
			return false
		case d != -1:
			mixed[i] = shapes.ConstSize(d)
		case in.Shape[i] != ir.Dynamic:
			mixed[i] = shapes.ConstSize(in.Shape[i] - starts[i])
		default:
			size := tensor.NewDim(b, v, int64(i))
			start := arith.ConstantIndex(b, starts[i])
			mixed[i] = constantOr(orFold(b, arith.SubI, size, start))
		}
	}
	s := shapes.Slice{Offsets: constants(starts), Sizes: mixed, Strides: ones(len(starts))}
	r.Replace(op, castTo(b, tensor.NewExtractSlice(b, nil, v, s), result))
	return true
}

// padToPad reads how much is added from a tensor: two numbers for each dimension.
func padToPad(r *rewrite.Rewriter, op *ir.Op) bool {
	v, padding := tosa.PadOp{Op: op}.Input1(), tosa.PadOp{Op: op}.Padding()
	in, list, result := ranked(v.Type()), ranked(padding.Type()), ranked(op.Result(0).Type())
	if len(in.Shape) != len(result.Shape) || list == nil || len(list.Shape) != 2 || isUnsignedType(in.Elem) {
		return false
	}
	b := r.Builder
	b.Loc = op.Loc()
	var with *ir.Value
	switch points, quantized := tosa.ZeroPoints(op); {
	case tosa.PadOp{Op: op}.PadConst() != nil:
		with = orFoldTo(b, tensor.Extract, in.Elem, tosa.PadOp{Op: op}.PadConst())
	case quantized && ir.IsInteger(in.Elem):
		with = number(b, in.Elem, points[0])
	default:
		with = zero(b, in.Elem)
	}
	before, after := arith.ConstantIndex(b, 0), arith.ConstantIndex(b, 1)
	var low, high []shapes.OpFoldResult
	for i := range in.Shape {
		dim := arith.ConstantIndex(b, int64(i))
		l := orFoldTo(b, tensor.Extract, list.Elem, padding, dim, before)
		h := orFoldTo(b, tensor.Extract, list.Elem, padding, dim, after)
		low = append(low, shapes.SizeOf(orFold(b, arith.IndexCast, l)))
		high = append(high, shapes.SizeOf(orFold(b, arith.IndexCast, h)))
	}
	r.Replace(op, tensor.NewPad(b, result, v, low, high, with, false).Result(0))
	return true
}
