// Package shape lowers computations with shapes: to fewer operations of the shape dialect,
// to assertions, and to arithmetic on tensors of extents.
package shape

import (
	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/dialect/shape"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// StdPatterns returns the patterns that replace operations on tensors of extents, and on
// sizes that are of type index, by those of tensor, arith and scf. Shapes that may be
// invalid, and sizes that may be, stay: no value of other dialects stands for them.
func StdPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "AnyOpConversion", Root: shape.Any, Rewrite: onExtents(anyToFirst)},
		{Name: "BinaryOpConversion", Root: shape.Add, Rewrite: onExtents(toArith(arith.AddI))},
		{Name: "BinaryOpConversion", Root: shape.Mul, Rewrite: onExtents(toArith(arith.MulI))},
		{Name: "BroadcastOpConverter", Root: shape.Broadcast, Rewrite: onExtents(broadcastToGenerate)},
		{Name: "ConstShapeOpConverter", Root: shape.ConstShape, Rewrite: onExtents(constShapeToElements)},
		{Name: "ConstSizeOpConversion", Root: shape.ConstSize, Rewrite: constSizeToIndex},
		{Name: "CstrBroadcastableToRequire", Root: shape.CstrBroadcastable, Rewrite: requireOnTensors(shape.IsBroadcastable, broadcastableMessage)},
		{Name: "CstrEqToRequire", Root: shape.CstrEq, Rewrite: requireOnTensors(shape.ShapeEq, equalMessage)},
		{Name: "DimOpConverter", Root: shape.Dim, Rewrite: onExtents(dimToExtent)},
		{Name: "IsBroadcastableOpConverter", Root: shape.IsBroadcastable, Rewrite: onExtents(isBroadcastableToLoop)},
		{Name: "GetExtentOpConverter", Root: shape.GetExtent, Rewrite: onExtents(getExtentToExtract)},
		{Name: "RankOpConverter", Root: shape.Rank, Rewrite: onExtents(rankToDim)},
		{Name: "ReduceOpConverter", Root: shape.Reduce, Rewrite: onExtents(reduceToLoop)},
		{Name: "ShapeEqOpConverter", Root: shape.ShapeEq, Rewrite: onExtents(shapeEqToLoops)},
		{Name: "ShapeOfOpConversion", Root: shape.ShapeOf, Rewrite: onExtents(shapeOfToElements)},
		{Name: "SplitAtOpConversion", Root: shape.SplitAt, Rewrite: onExtents(splitToSlices)},
		{Name: "ToExtentTensorOpConversion", Root: shape.ToExtentTensor, Rewrite: onExtents(toExtentTensorToCast)},
		{Name: "SizeToIndexOfIndex", Root: shape.SizeToIndex, Rewrite: onExtents(func(r *rewrite.Rewriter, op *ir.Op) bool {
			r.Replace(op, shape.SizeToIndexOp{Op: op}.Arg())
			return true
		})},
	}
}

// ConvertToStd replaces what it can of the operations of shape in op by those of tensor,
// arith and scf. It is convert-shape-to-std. Linear time.
func ConvertToStd(op *ir.Op, patterns *rewrite.PatternSet, report func(*ir.Diagnostic)) error {
	t := conversion.NewTarget()
	t.LegalDialects("arith", "scf", "tensor", "memref")
	t.Legal(shape.CstrRequire)
	return conversion.Partial(op, t, patterns, conversion.Config{Report: report})
}

// onExtents restricts a pattern to operations all of whose shapes are tensors, and all of
// whose sizes are of type index.
func onExtents(apply func(*rewrite.Rewriter, *ir.Op) bool) func(*rewrite.Rewriter, *ir.Op) bool {
	return func(r *rewrite.Rewriter, op *ir.Op) bool {
		for _, t := range append(op.Operands().Types(), op.Results().Types()...) {
			if d, ok := t.(*ir.DialectType); ok && d.Dialect.Name == "shape" {
				return false
			}
		}
		r.Loc = op.Loc()
		return apply(r, op)
	}
}

// requireOnTensors makes a witness one of a condition that is computed first.
func requireOnTensors(id *ir.OpID, message string) func(*rewrite.Rewriter, *ir.Op) bool {
	return func(r *rewrite.Rewriter, op *ir.Op) bool {
		for _, v := range op.Operands().Values() {
			if !ir.IsTensor(v.Type()) {
				return false
			}
		}
		r.Loc = op.Loc()
		holds := r.CreateOp(id, []ir.Type{ir.I1}, op.Operands().Values())
		witness := r.CreateOp(shape.CstrRequire, op.Results().Types(), holds.Results().Values(), ir.NamedAttr{Name: "msg", Value: r.Context().StringAttr(message)})
		r.Replace(op, witness.Result(0))
		return true
	}
}

func toArith(id *ir.OpID) func(*rewrite.Rewriter, *ir.Op) bool {
	return func(r *rewrite.Rewriter, op *ir.Op) bool {
		r.Replace(op, arith.New(r.Builder, id, op.Operand(0), op.Operand(1)))
		return true
	}
}

// anyToFirst chooses the first of the shapes.
func anyToFirst(r *rewrite.Rewriter, op *ir.Op) bool {
	if op.NumOperands() == 0 {
		return false
	}
	r.Replace(op, castTo(r.Builder, op.Result(0).Type(), op.Operand(0)))
	return true
}

// castTo casts a tensor, unless it has the type.
func castTo(b *ir.Builder, t ir.Type, v *ir.Value) *ir.Value {
	if v.Type() == t {
		return v
	}
	return tensor.NewCast(b, t, v)
}

func constShapeToElements(r *rewrite.Rewriter, op *ir.Op) bool {
	d, ok := op.Attr("shape").(*ir.DenseElementsAttr)
	if !ok {
		return false
	}
	extents := make([]*ir.Value, d.Len())
	for i := range extents {
		extents[i] = arith.NewConstant(r.Builder, d.Elem(r.Context(), int64(i))).Result(0)
	}
	list := tensor.NewFromElements(r.Builder, extentTensor(r.Context(), len(extents)), extents...)
	r.Replace(op, tensor.NewCast(r.Builder, op.Result(0).Type(), list))
	return true
}

func extentTensor(c *ir.Context, n int) *ir.RankedTensorType {
	return c.RankedTensor([]int64{int64(n)}, ir.Index)
}

// constSizeToIndex makes a number of a constant size, which is valid.
func constSizeToIndex(r *rewrite.Rewriter, op *ir.Op) bool {
	n, ok := op.Attr("value").(*ir.IntegerAttr)
	if !ok {
		return false
	}
	r.Loc = op.Loc()
	size := r.CreateOp(shape.IndexToSize, op.Results().Types(), []*ir.Value{arith.NewConstant(r.Builder, n).Result(0)})
	r.Replace(op, size.Result(0))
	return true
}

func dimToExtent(r *rewrite.Rewriter, op *ir.Op) bool {
	v := shape.DimOp{Op: op}.Value()
	t := ir.Type(r.Context().RankedTensor([]int64{ir.Dynamic}, ir.Index))
	if ranked, ok := v.Type().(*ir.RankedTensorType); ok {
		t = extentTensor(r.Context(), len(ranked.Shape))
	}
	extents := r.CreateOp(shape.ShapeOf, []ir.Type{t}, []*ir.Value{v}).Result(0)
	r.Replace(op, r.CreateOp(shape.GetExtent, op.Results().Types(), []*ir.Value{extents, shape.DimOp{Op: op}.Index()}).Result(0))
	return true
}

// getExtentToExtract reads an extent, or the size of the value whose shape it is.
func getExtentToExtract(r *rewrite.Rewriter, op *ir.Op) bool {
	extents, dim := shape.GetExtentOp{Op: op}.Shape(), shape.GetExtentOp{Op: op}.Dim()
	if of := extents.DefinedBy(shape.ShapeOf); of != nil {
		if v := sizeAt(r.Builder, shape.ShapeOfOp{Op: of}.Arg(), dim); v != nil {
			r.Replace(op, v)
			return true
		}
	}
	r.Replace(op, tensor.NewExtract(r.Builder, extents, dim))
	return true
}

// sizeAt returns the size of a tensor or buffer in a dimension; nil if it is neither.
func sizeAt(b *ir.Builder, v, dim *ir.Value) *ir.Value {
	switch {
	case ir.IsTensor(v.Type()):
		return tensor.NewDimOf(b, v, dim)
	case ir.IsMemRef(v.Type()):
		return b.CreateOp(memref.Dim, []ir.Type{ir.Index}, []*ir.Value{v, dim}).Result(0)
	}
	return nil
}

func rankToDim(r *rewrite.Rewriter, op *ir.Op) bool {
	r.Replace(op, tensor.NewDim(r.Builder, shape.RankOp{Op: op}.Shape(), 0))
	return true
}

// shapeOfToElements lists the sizes of a tensor or buffer.
func shapeOfToElements(r *rewrite.Rewriter, op *ir.Op) bool {
	v, b, c := shape.ShapeOfOp{Op: op}.Arg(), r.Builder, r.Context()
	var sizes []int64
	switch t := v.Type().(type) {
	case *ir.RankedTensorType:
		sizes = t.Shape
	case *ir.MemRefType:
		sizes = t.Shape
	case *ir.UnrankedTensorType, *ir.UnrankedMemRefType:
		rank := tensor.Rank
		if ir.IsMemRef(t) {
			rank = memref.Rank
		}
		n := r.CreateOp(rank, []ir.Type{ir.Index}, []*ir.Value{v}).Result(0)
		generated := tensor.NewGenerate(b, c.RankedTensor([]int64{ir.Dynamic}, ir.Index), []*ir.Value{n}, func(b *ir.Builder, indices []*ir.Value) *ir.Value {
			return sizeAt(b, v, indices[0])
		})
		r.Replace(op, castTo(b, op.Result(0).Type(), generated))
		return true
	default:
		return false
	}
	extents := make([]*ir.Value, len(sizes))
	for i, n := range sizes {
		if n != ir.Dynamic {
			extents[i] = arith.ConstantIndex(b, n)
		} else {
			extents[i] = sizeAt(b, v, arith.ConstantIndex(b, int64(i)))
		}
	}
	list := tensor.NewFromElements(b, extentTensor(c, len(extents)), extents...)
	r.Replace(op, tensor.NewCast(b, op.Result(0).Type(), list))
	return true
}

// reduceToLoop folds the extents in a loop.
func reduceToLoop(r *rewrite.Rewriter, op *ir.Op) bool {
	b, extents := r.Builder, shape.ReduceOp{Op: op}.Shape()
	zero, one := arith.ConstantIndex(b, 0), arith.ConstantIndex(b, 1)
	rank := tensor.NewDimOf(b, extents, zero)
	loop := scf.NewFor(b, zero, rank, one, op.Operands()[1:].Values(), func(b *ir.Builder, iv *ir.Value, args []*ir.Value) []*ir.Value {
		body, m := op.BodyBlock(0), ir.NewMapping()
		m.Map(body.Arg(0), iv)
		m.Map(body.Arg(1), tensor.NewExtract(b, extents, iv))
		for i, a := range args {
			m.Map(body.Arg(2+i), a)
		}
		for o := body.First(); o != body.Last(); o = o.Next() {
			b.Clone(o, m)
		}
		yielded := make([]*ir.Value, len(args))
		for i, v := range body.Last().Operands().Values() {
			yielded[i] = m.Value(v)
		}
		return yielded
	})
	r.Replace(op, loop.Results().Values()...)
	return true
}

// shapeEqToLoops compares the ranks of each shape and the first, and then the extents.
func shapeEqToLoops(r *rewrite.Rewriter, op *ir.Op) bool {
	b := r.Builder
	if op.NumOperands() <= 1 {
		r.Replace(op, arith.ConstantBool(b, true))
		return true
	}
	first, zero := op.Operand(0), arith.ConstantIndex(b, 0)
	rank := tensor.NewDimOf(b, first, zero)
	var all *ir.Value
	for _, other := range op.Operands().Values()[1:] {
		same := arith.NewCmpI(b, arith.EQ, rank, tensor.NewDimOf(b, other, zero))
		equal := scf.NewIf(b, same, []ir.Type{ir.I1}, func(b *ir.Builder) []*ir.Value {
			one, yes := arith.ConstantIndex(b, 1), arith.ConstantBool(b, true)
			loop := scf.NewFor(b, zero, rank, one, []*ir.Value{yes}, func(b *ir.Builder, iv *ir.Value, args []*ir.Value) []*ir.Value {
				eq := arith.NewCmpI(b, arith.EQ, tensor.NewExtract(b, first, iv), tensor.NewExtract(b, other, iv))
				return []*ir.Value{arith.New(b, arith.AndI, args[0], eq)}
			})
			return []*ir.Value{loop.Result(0)}
		}, func(b *ir.Builder) []*ir.Value {
			return []*ir.Value{arith.ConstantBool(b, false)}
		}).Result(0)
		if all == nil {
			all = equal
		} else {
			all = arith.New(b, arith.AndI, all, equal)
		}
	}
	r.Replace(op, all)
	return true
}

// splitToSlices takes two slices; a negative index counts from the end.
func splitToSlices(r *rewrite.Rewriter, op *ir.Op) bool {
	b, c, extents, index := r.Builder, r.Context(), shape.SplitAtOp{Op: op}.OperandValue(), shape.SplitAtOp{Op: op}.Index()
	zero := arith.ConstantIndex(b, 0)
	rank := tensor.NewDimOf(b, extents, zero)
	fromEnd := arith.New(b, arith.AddI, index, rank)
	at := arith.NewSelect(b, arith.NewCmpI(b, arith.SLT, index, zero), fromEnd, index)
	one := arith.ConstantIndex(b, 1)
	part := func(t ir.Type, offset, size *ir.Value) *ir.Value {
		s := shapes.Slice{Offsets: []shapes.OpFoldResult{{Value: offset}}, Sizes: []shapes.OpFoldResult{{Value: size}}, Strides: []shapes.OpFoldResult{{Value: one}}}
		return castTo(b, t, tensor.NewExtractSlice(b, c.RankedTensor([]int64{ir.Dynamic}, ir.Index), extents, s))
	}
	head := part(op.Result(0).Type(), zero, at)
	r.Replace(op, head, part(op.Result(1).Type(), at, arith.New(b, arith.SubI, rank, at)))
	return true
}

func toExtentTensorToCast(r *rewrite.Rewriter, op *ir.Op) bool {
	r.Replace(op, castTo(r.Builder, op.Result(0).Type(), shape.ToExtentTensorOp{Op: op}.Input()))
	return true
}
