package prepare

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/scf"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// A tensor.pack or tensor.unpack is a structured operation on the destination: an affine
// map says which element of the source each element is, without a copy in between. The map
// of a tensor.unpack divides by the sizes of tiles. Where the affine maps of structured
// operations can't say it (tiles of dynamic sizes, and partial tiles, which have padding),
// the body computes the position and reads the source.
func relayout(r *rewrite.Rewriter, op *ir.Op) bool {
	o := tensor.RelayoutOp{Op: op}
	r.Loc = op.Loc()
	b := r.Builder
	rank := len(o.Dest().Type().(*ir.RankedTensorType).Shape)
	id := b.Context().IdentityMap(rank)
	inits, iterators := []*ir.Value{o.Dest()}, make([]interfaces.Iterator, rank)
	var generic *ir.Op
	if m := sourceMap(b.Context(), o); m != nil {
		generic = linalg.NewGeneric(b, []*ir.Value{o.Source()}, inits, []*ir.AffineMap{m, id}, iterators,
			func(_ *ir.Builder, args []*ir.Value) []*ir.Value { return args[:1] })
	} else {
		sizes := tensor.MixedSizes(b, o.Source())
		generic = linalg.NewGeneric(b, nil, inits, []*ir.AffineMap{id}, iterators, func(b *ir.Builder, _ []*ir.Value) []*ir.Value {
			return []*ir.Value{readSource(b, o, sizes)}
		})
	}
	r.Replace(op, generic.Result(0))
	return true
}

// outerPositions returns, for each dimension of the unpacked tensor, its place among the
// outer dimensions of the packed one.
func outerPositions(o tensor.RelayoutOp) []int {
	out := make([]int, len(o.Unpacked().Shape))
	perm := o.OuterDimsPerm()
	for i := range out {
		out[i] = i
		if len(perm) > 0 {
			out[i] = slices.Index(perm, int64(i))
		}
	}
	return out
}

// sourceMap returns the map from positions in the destination to those in the source; nil
// if it is not affine, or leaves the source.
func sourceMap(c *ir.Context, o tensor.RelayoutOp) *ir.AffineMap {
	unpacked, packed, outer := o.Unpacked().Shape, o.Packed().Shape, outerPositions(o)
	exprs := make([]*ir.AffineExpr, len(unpacked))
	inner := make([]*ir.AffineExpr, len(o.InnerDimsPos()))
	for d := range exprs {
		exprs[d] = c.AffineDim(d)
		if o.Is(tensor.Pack) {
			exprs[d] = c.AffineDim(outer[d])
			if o.Padding() != nil && !exactlyCovered(o, d, outer[d]) {
				return nil
			}
			if unpacked[d] != packed[outer[d]] && !slices.Contains(o.InnerDimsPos(), int64(d)) {
				return nil
			}
		}
	}
	for k, d := range o.InnerDimsPos() {
		tile, ok := o.InnerTiles()[k].Int()
		if !ok {
			return nil
		}
		if n := packed[outer[d]]; o.Is(tensor.Pack) && (n == ir.Dynamic) == (unpacked[d] == ir.Dynamic) && (n == ir.Dynamic || n*tile == unpacked[d]) {
			exprs[d] = c.AffineAdd(c.AffineMul(exprs[d], c.AffineConstant(tile)), c.AffineDim(len(unpacked)+k))
		} else if !o.Is(tensor.Pack) {
			inner[k] = c.AffineMod(exprs[d], c.AffineConstant(tile))
			exprs[d] = c.AffineFloorDiv(exprs[d], c.AffineConstant(tile))
		} else {
			return nil
		}
	}
	if o.Is(tensor.Pack) {
		return c.AffineMap(len(packed), 0, exprs...)
	}
	results := make([]*ir.AffineExpr, len(unpacked), len(packed))
	for d, e := range exprs {
		results[outer[d]] = e
	}
	return c.AffineMap(len(unpacked), 0, append(results, inner...)...)
}

// readSource computes, in the body of an operation on the destination, the element of
// the source that belongs to the current position, or the padding. sizes are those of the
// source.
func readSource(b *ir.Builder, o tensor.RelayoutOp, sizes []shapes.OpFoldResult) *ir.Value {
	outer, tiles := outerPositions(o), o.InnerTiles()
	position := make([]*ir.Value, len(sizes))
	if !o.Is(tensor.Pack) {
		for d := range outer {
			position[outer[d]] = linalg.NewIndex(b, d)
		}
		for k, d := range o.InnerDimsPos() {
			i, tile := position[outer[d]], arith.ValueOf(b, tiles[k])
			position[outer[d]] = arith.New(b, arith.DivUI, i, tile)
			position[len(outer)+k] = arith.New(b, arith.RemUI, i, tile)
		}
		return tensor.NewExtract(b, o.Source(), position...)
	}
	for d := range outer {
		position[d] = linalg.NewIndex(b, outer[d])
	}
	for k, d := range o.InnerDimsPos() {
		first := arith.New(b, arith.MulI, position[d], arith.ValueOf(b, tiles[k]))
		position[d] = arith.New(b, arith.AddI, first, linalg.NewIndex(b, len(outer)+k))
	}
	if o.Padding() == nil {
		return tensor.NewExtract(b, o.Source(), position...)
	}
	inside := arith.ConstantBool(b, true)
	for d, i := range position {
		if exactlyCovered(o, d, outer[d]) {
			continue
		}
		inside = arith.New(b, arith.AndI, inside, arith.NewCmpI(b, arith.SLT, i, arith.ValueOf(b, sizes[d])))
	}
	return scf.NewIf(b, inside, []ir.Type{o.Padding().Type()}, func(b *ir.Builder) []*ir.Value {
		return []*ir.Value{tensor.NewExtract(b, o.Source(), position...)}
	}, func(*ir.Builder) []*ir.Value {
		return []*ir.Value{o.Padding()}
	}).Result(0)
}

// exactlyCovered tells whether no position in dimension d of the unpacked tensor, whose
// place among the outer dimensions is given, is known to be outside of it.
func exactlyCovered(o tensor.RelayoutOp, d, outer int) bool {
	have, want := o.Unpacked().Shape[d], o.Packed().Shape[outer]
	if k := slices.Index(o.InnerDimsPos(), int64(d)); k >= 0 {
		tile, ok := o.InnerTiles()[k].Int()
		if !ok || want == ir.Dynamic {
			return false
		}
		want *= tile
	}
	return have != ir.Dynamic && want != ir.Dynamic && want <= have
}
