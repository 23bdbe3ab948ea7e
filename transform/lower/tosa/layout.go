package tosa

import (
	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/dialect/tosa"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// reverseToGeneric reads the elements from the end of a dimension.
func reverseToGeneric(r *rewrite.Rewriter, op *ir.Op) bool {
	v, axis := tosa.ReverseOp{Op: op}.Input(), int(tosa.Axis(op))
	t, result := ranked(v.Type()), ranked(op.Result(0).Type())
	if t == nil || result == nil {
		return false
	}
	if len(t.Shape) == 0 {
		r.Replace(op, v)
		return true
	}
	b := r.Builder
	b.Loc = op.Loc()
	sizes := sizesLike(b, t.Shape, v)
	size := tensor.NewDim(b, v, int64(axis))
	empty := tensor.NewEmptyOf(b, b.Context().RankedTensor(t.Shape, t.Elem), sizes)
	maps := []*ir.AffineMap{b.Context().IdentityMap(len(t.Shape))}
	reversed := generic(b, nil, empty, maps, func(b *ir.Builder, _ []*ir.Value) *ir.Value {
		at := make([]*ir.Value, len(t.Shape))
		for i := range at {
			at[i] = linalg.NewIndex(b, i)
			if i == axis {
				last := arith.New(b, arith.SubI, size, arith.ConstantIndex(b, 1))
				at[i] = arith.New(b, arith.SubI, last, at[i])
			}
		}
		return tensor.NewExtract(b, v, at...)
	})
	r.Replace(op, castTo(b, reversed, result))
	return true
}

// tileToGeneric repeats a tensor along new dimensions, in front of its own, and joins each with
// that behind it.
func tileToGeneric(r *rewrite.Rewriter, op *ir.Op) bool {
	v := tosa.TileOp{Op: op}.Input1()
	t, result := ranked(v.Type()), ranked(op.Result(0).Type())
	multiples := op.Attr("multiples").(*ir.DenseArrayAttr).Ints()
	if t == nil || result == nil {
		return false
	}
	b := r.Builder
	b.Loc = op.Loc()
	c := b.Context()
	var shape []int64
	var source []*ir.AffineExpr
	for i, d := range t.Shape {
		if multiples[i] < 0 {
			return false
		}
		shape = append(shape, multiples[i], d)
		source = append(source, c.AffineDim(2*i+1))
	}
	empty := tensor.NewEmptyOf(b, c.RankedTensor(shape, result.Elem), sizesLike(b, t.Shape, v))
	maps := []*ir.AffineMap{c.AffineMap(len(shape), 0, source...), c.IdentityMap(len(shape))}
	repeated := generic(b, []*ir.Value{v}, empty, maps, first)
	joined := b.CreateOp(tosa.Reshape, []ir.Type{result}, []*ir.Value{repeated},
		ir.NamedAttr{Name: "new_shape", Value: c.DenseI64Array(result.Shape...)})
	r.Replace(op, joined.Result(0))
	return true
}

// gatherToGeneric reads rows whose numbers are given.
func gatherToGeneric(r *rewrite.Rewriter, op *ir.Op) bool {
	values, rows := tosa.GatherOp{Op: op}.Values(), tosa.GatherOp{Op: op}.Indices()
	in, at, result := ranked(values.Type()), ranked(rows.Type()), ranked(op.Result(0).Type())
	if in == nil || at == nil || result == nil {
		return false
	}
	b := r.Builder
	b.Loc = op.Loc()
	c := b.Context()
	var sizes []*ir.Value
	for i, from := range []*ir.Value{values, rows, values} {
		if result.Shape[i] == ir.Dynamic {
			sizes = append(sizes, tensor.NewDim(b, from, int64(i)))
		}
	}
	maps := []*ir.AffineMap{c.AffineMap(3, 0, c.AffineDim(0), c.AffineDim(1)), c.IdentityMap(3)}
	gathered := generic(b, []*ir.Value{rows}, tensor.NewEmptyOf(b, result, sizes), maps, func(b *ir.Builder, args []*ir.Value) *ir.Value {
		batch := linalg.NewIndex(b, 0)
		row := arith.NewCast(b, arith.IndexCast, ir.Index, args[0])
		return tensor.NewExtract(b, values, batch, row, linalg.NewIndex(b, 2))
	})
	r.Replace(op, gathered)
	return true
}

// tableToGeneric looks numbers up: those of 8 bits in a list of all 256; between the elements of
// a list of 513 those of 16 bits, whose lower 7 bits say how far it is to the next one.
func tableToGeneric(r *rewrite.Rewriter, op *ir.Op) bool {
	v, table := tosa.TableOp{Op: op}.Input(), tosa.TableOp{Op: op}.Table()
	in, list, result := ranked(v.Type()), ranked(table.Type()), ranked(op.Result(0).Type())
	if in == nil || list == nil || result == nil {
		return false
	}
	var lookup func(b *ir.Builder, args []*ir.Value) *ir.Value
	switch {
	case in.Elem == ir.Type(ir.I8) && list.Elem == ir.Type(ir.I8) && result.Elem == ir.Type(ir.I8):
		lookup = func(b *ir.Builder, args []*ir.Value) *ir.Value {
			index := arith.NewCast(b, arith.IndexCast, ir.Index, args[0])
			return tensor.NewExtract(b, table, arith.New(b, arith.AddI, index, arith.ConstantIndex(b, 128)))
		}
	case in.Elem == ir.Type(ir.I16) && list.Elem == ir.Type(ir.I16) && result.Elem == ir.Type(ir.I32):
		lookup = func(b *ir.Builder, args []*ir.Value) *ir.Value { return interpolate(b, table, args[0]) }
	default:
		return false
	}
	b := r.Builder
	b.Loc = op.Loc()
	identity := b.Context().IdentityMap(len(in.Shape))
	empty := tensor.NewEmptyOf(b, result, sizesLike(b, result.Shape, v))
	r.Replace(op, generic(b, []*ir.Value{v}, empty, []*ir.AffineMap{identity, identity}, lookup))
	return true
}

// interpolate computes what is between two elements of a table, in units of 1/128.
func interpolate(b *ir.Builder, table, x *ir.Value) *ir.Value {
	x = arith.NewCast(b, arith.ExtSI, ir.I32, x)
	i32 := func(n int64) *ir.Value { return arith.ConstantInt(b, ir.I32, n) }
	offset, seven, one, mask := i32(32768), i32(7), i32(1), i32(127)
	x = arith.New(b, arith.AddI, x, offset)
	index := arith.New(b, arith.ShRUI, x, seven)
	fraction := arith.New(b, arith.AndI, x, mask)
	next := arith.New(b, arith.AddI, index, one)
	index = arith.NewCast(b, arith.IndexCast, ir.Index, index)
	next = arith.NewCast(b, arith.IndexCast, ir.Index, next)
	base := tensor.NewExtract(b, table, index)
	after := tensor.NewExtract(b, table, next)
	base = arith.NewCast(b, arith.ExtSI, ir.I32, base)
	after = arith.NewCast(b, arith.ExtSI, ir.I32, after)
	scaled := arith.New(b, arith.ShLI, base, seven)
	slope := arith.New(b, arith.SubI, after, base)
	return arith.New(b, arith.AddI, scaled, arith.New(b, arith.MulI, slope, fraction))
}
