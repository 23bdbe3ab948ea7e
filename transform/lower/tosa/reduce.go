package tosa

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/dialect/tosa"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// reductions lists what combines the elements along a dimension: the operations on numbers, and
// the number that changes nothing.
var reductions = []struct {
	id              *ir.OpID
	float, integer  *ir.OpID
	initial         func(b *ir.Builder, t ir.Type) *ir.Value
	onlyForBooleans bool
}{
	{tosa.ReduceAll, nil, arith.AndI, func(b *ir.Builder, t ir.Type) *ir.Value { return arith.ConstantInt(b, t, -1) }, true},
	{tosa.ReduceAny, nil, arith.OrI, zero, true},
	{tosa.ReduceMax, arith.MaximumF, arith.MaxSI, lowest, false},
	{tosa.ReduceMin, arith.MinimumF, arith.MinSI, highest, false},
	{tosa.ReduceProd, arith.MulF, arith.MulI, func(b *ir.Builder, t ir.Type) *ir.Value { return number(b, t, 1) }, false},
	{tosa.ReduceSum, arith.AddF, arith.AddI, zero, false},
}

func zero(b *ir.Builder, t ir.Type) *ir.Value { return number(b, t, 0) }

func reductionPatterns() []rewrite.Pattern {
	var out []rewrite.Pattern
	for _, k := range reductions {
		out = append(out, rewrite.Pattern{Name: "ReduceConverter", Root: k.id, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			in, result := ranked(tosa.ReductionOp{Op: op}.Input().Type()), ranked(op.Result(0).Type())
			if in == nil || result == nil || tosa.Axis(op) >= int64(len(in.Shape)) || !hasLimits(in.Elem) || isUnsignedType(in.Elem) {
				return false
			}
			combine := k.integer
			if ir.IsFloat(in.Elem) {
				combine = k.float
			}
			if combine == nil || k.onlyForBooleans && in.Elem != ir.Type(ir.I1) || !k.onlyForBooleans && in.Elem == ir.Type(ir.I1) {
				return false
			}
			r.Loc = op.Loc()
			reduce(r, op, in, result, k.initial, combine)
			return true
		}})
	}
	return out
}

// without returns a shape that lacks a dimension.
func without(shape []int64, axis int) []int64 {
	out := make([]int64, 0, len(shape))
	return append(append(out, shape[:axis]...), shape[axis+1:]...)
}

// sizesWithout returns the sizes of v that aren't known, but for a dimension.
func sizesWithout(b *ir.Builder, v *ir.Value, axis int) []*ir.Value {
	var out []*ir.Value
	for i, d := range shapeOf(v) {
		if i != axis && d == ir.Dynamic {
			out = append(out, tensor.NewDim(b, v, int64(i)))
		}
	}
	return out
}

// reduce replaces a reduction by a linalg.reduce, whose result gets the dimension back.
func reduce(r *rewrite.Rewriter, op *ir.Op, in, result *ir.RankedTensorType, initial func(*ir.Builder, ir.Type) *ir.Value, combine *ir.OpID) {
	b, v, axis := r.Builder, tosa.ReductionOp{Op: op}.Input(), int(tosa.Axis(op))
	t := b.Context().RankedTensor(without(in.Shape, axis), result.Elem)
	empty := tensor.NewEmptyOf(b, t, sizesWithout(b, v, axis))
	init := linalg.NewFill(b, initial(b, in.Elem), empty).Result(0)
	reduced := linalg.NewReduce(b, []*ir.Value{v}, []*ir.Value{init}, []int64{int64(axis)}, func(b *ir.Builder, args []*ir.Value) []*ir.Value {
		return []*ir.Value{arith.New(b, combine, args[0], args[1])}
	}).Result(0)
	r.Replace(op, insertOne(b, reduced, axis, result))
}

// insertOne gives a tensor a dimension of size 1, at a place, and another type, which may say more or less of the sizes.
func insertOne(b *ir.Builder, v *ir.Value, axis int, result *ir.RankedTensorType) *ir.Value {
	t := ranked(v.Type())
	groups := make([][]int64, len(t.Shape))
	for i := range len(t.Shape) + 1 {
		g := i
		if i > axis || i == len(t.Shape) {
			g = i - 1
		}
		if len(groups) > 0 {
			groups[max(g, 0)] = append(groups[max(g, 0)], int64(i))
		}
	}
	if slices.Equal(shapes.CollapsedShape(result.Shape, groups), t.Shape) {
		return expand(b, result, v, groups)
	}
	shape := slices.Insert(slices.Clone(t.Shape), axis, 1)
	return castTo(b, expand(b, b.Context().RankedTensor(shape, t.Elem), v, groups), result)
}

// argMaxToGeneric looks for the first of the largest elements along a dimension: results are its
// position, and itself.
func argMaxToGeneric(r *rewrite.Rewriter, op *ir.Op) bool {
	b, v, axis := r.Builder, tosa.ArgMaxOp{Op: op}.Input(), int(tosa.Axis(op))
	in, result := ranked(v.Type()), ranked(op.Result(0).Type())
	if in == nil || result == nil || !hasLimits(in.Elem) || isUnsignedType(in.Elem) || isUnsignedType(result.Elem) {
		return false
	}
	b.Loc = op.Loc()
	c := b.Context()
	sizes := sizesWithout(b, v, axis)
	shape := without(in.Shape, axis)
	position := c.RankedTensor(shape, result.Elem)
	where := tensor.NewEmptyOf(b, position, sizes)
	where = linalg.NewFill(b, arith.ConstantInt(b, result.Elem, 0), where).Result(0)
	most := tensor.NewEmptyOf(b, c.RankedTensor(shape, in.Elem), sizes)
	most = linalg.NewFill(b, lowest(b, in.Elem), most).Result(0)

	iterators := parallel(len(in.Shape))
	iterators[axis] = interfaces.Reduction
	var rest []*ir.AffineExpr
	for i := range in.Shape {
		if i != axis {
			rest = append(rest, c.AffineDim(i))
		}
	}
	kept := c.AffineMap(len(in.Shape), 0, rest...)
	search := linalg.NewGeneric(b, []*ir.Value{v}, []*ir.Value{where, most}, []*ir.AffineMap{c.IdentityMap(len(in.Shape)), kept, kept}, iterators,
		func(b *ir.Builder, args []*ir.Value) []*ir.Value {
			x, index, largest := args[0], args[1], args[2]
			here := arith.NewCast(b, arith.IndexCast, index.Type(), linalg.NewIndex(b, axis))
			var more *ir.Value
			if ir.IsFloat(x.Type()) {
				more = arith.NewCmpF(b, arith.OGT, x, largest)
			} else {
				more = arith.NewCmpI(b, arith.SGT, x, largest)
			}
			most := arith.NewSelect(b, more, x, largest)
			return []*ir.Value{arith.NewSelect(b, more, here, index), most}
		})
	r.Replace(op, castTo(b, search.Result(0), result))
	return true
}
