package tosa

import (
	"freehold/dialect/arith"
	"freehold/dialect/scf"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// elementwisePatterns returns the patterns for operations on the elements of tensors.
func elementwisePatterns(types *conversion.TypeConverter) []rewrite.Pattern {
	var out []rewrite.Pattern
	for _, s := range scalars {
		out = append(out, conversion.Pattern(rewrite.Pattern{Name: "PointwiseConverter", Root: s.id}, types,
			func(r *conversion.Rewriter, op *ir.Op, a conversion.Adaptor) bool {
				return elementwiseToGeneric(r, op, a.Values(), s.compute)
			}))
	}
	return out
}

// elementwiseToGeneric replaces an operation by a linalg.generic whose body computes one
// element. Operands get the same rank; those whose size is 1 where others' isn't, which may
// come out only at run time, are broadcast.
func elementwiseToGeneric(r *conversion.Rewriter, op *ir.Op, operands []*ir.Value, compute scalar) bool {
	b := r.Builder
	b.Loc = op.Loc()
	rank := 0
	for _, v := range operands {
		t := ranked(v.Type())
		if t == nil {
			return false
		}
		rank = max(rank, len(t.Shape))
	}
	result := ranked(r.Types().ConvertOne(op.Result(0).Type()))
	if result == nil || len(result.Shape) != rank {
		return false
	}
	for i, v := range operands {
		operands[i] = expandLeading(b, v, rank)
	}
	e := broadcaster{b: b, pool: newIndices(b), operands: operands}
	targets := make([]shapes.OpFoldResult, rank)
	from := make([]*ir.Value, rank)
	for d := range targets {
		targets[d], from[d] = e.target(d)
	}
	for i := range operands {
		for d := range targets {
			e.broadcastAt(i, d, targets[d], from[d])
		}
	}
	maps := make([]*ir.AffineMap, 0, len(operands)+1)
	for _, v := range operands {
		maps = append(maps, mapWithOnes(b.Context(), shapeOf(v)))
	}
	maps = append(maps, b.Context().IdentityMap(rank))
	computed := true
	init := tensor.NewEmpty(b, targets, result.Elem, nil)
	value := generic(b, operands, init, maps, func(b *ir.Builder, args []*ir.Value) *ir.Value {
		if v := compute(b, op, args[:len(operands)], result.Elem); v != nil {
			return v
		}
		computed = false
		return args[0]
	})
	if !computed {
		return false
	}
	r.Replace(op, castTo(b, value, result))
	return true
}

// castTo gives a tensor another type with the same elements, if it hasn't it.
func castTo(b *ir.Builder, v *ir.Value, t ir.Type) *ir.Value {
	if v.Type() == t {
		return v
	}
	return tensor.NewCast(b, t, v)
}

// mapWithOnes is the map to the elements of a tensor that is repeated where its size is 1.
func mapWithOnes(c *ir.Context, shape []int64) *ir.AffineMap {
	results := make([]*ir.AffineExpr, len(shape))
	for i, d := range shape {
		results[i] = c.AffineDim(i)
		if d == 1 {
			results[i] = c.AffineConstant(0)
		}
	}
	return c.AffineMap(len(shape), 0, results...)
}

// broadcaster finds out the sizes that operands have together.
type broadcaster struct {
	b        *ir.Builder
	pool     *indices
	operands []*ir.Value
}

// target is the size of the result in a dimension: a known size that isn't 1, or the largest one
// at run time; and the operand that alone it is of, if there is such a one.
func (e *broadcaster) target(dim int) (shapes.OpFoldResult, *ir.Value) {
	var unknown []*ir.Value
	for _, v := range e.operands {
		switch d := shapeOf(v)[dim]; d {
		case 1:
		case ir.Dynamic:
			unknown = append(unknown, v)
		default:
			return shapes.ConstSize(d), v
		}
	}
	if len(unknown) == 0 {
		return shapes.ConstSize(1), e.operands[0]
	}
	size := e.pool.size(unknown[0], dim)
	if len(unknown) == 1 {
		return shapes.SizeOf(size), unknown[0]
	}
	for _, v := range unknown[1:] {
		size = arith.New(e.b, arith.MaxUI, size, e.pool.size(v, dim))
	}
	return shapes.SizeOf(size), nil
}

// broadcastAt repeats operand i in a dimension if its size there is 1 at run time and another
// operand's may be another. What was repeated in a dimension before isn't the operand any more that the size is of: it
// is compared again, as the reference does.
func (e *broadcaster) broadcastAt(i, dim int, target shapes.OpFoldResult, from *ir.Value) {
	v := e.operands[i]
	t := ranked(v.Type())
	if t.Shape[dim] != ir.Dynamic || v == from {
		return
	}
	one := e.pool.of(1)
	isOne := arith.NewCmpI(e.b, arith.EQ, e.pool.size(v, dim), one)
	e.operands[i] = scf.NewIf(e.b, isOne, []ir.Type{t}, func(b *ir.Builder) []*ir.Value {
		sizes := make([]shapes.OpFoldResult, len(t.Shape))
		for d, n := range t.Shape {
			switch {
			case d == dim:
				sizes[d] = target
			case n == ir.Dynamic:
				sizes[d] = shapes.SizeOf(tensor.NewDim(b, v, int64(d)))
			default:
				sizes[d] = shapes.ConstSize(n)
			}
		}
		maps := []*ir.AffineMap{onesAt(b.Context(), len(t.Shape), dim), b.Context().IdentityMap(len(t.Shape))}
		repeated := generic(b, []*ir.Value{v}, tensor.NewEmpty(b, sizes, t.Elem, nil), maps, first)
		return []*ir.Value{castTo(b, repeated, t)}
	}, func(*ir.Builder) []*ir.Value {
		return []*ir.Value{v}
	}).Result(0)
}

// onesAt is the identity but for a dimension in which the first element is taken.
func onesAt(c *ir.Context, rank, dim int) *ir.AffineMap {
	results := make([]*ir.AffineExpr, rank)
	for i := range results {
		results[i] = c.AffineDim(i)
	}
	results[dim] = c.AffineConstant(0)
	return c.AffineMap(rank, 0, results...)
}
