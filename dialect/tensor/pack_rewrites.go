package tensor

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// foldPack folds packing a splat that is padded with the same value.
func foldPack(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if len(operands) == 0 {
		return nil
	}
	d, ok := operands[0].(*ir.DenseElementsAttr)
	if !ok || !d.Splat {
		return nil
	}
	if (RelayoutOp{op}).Padding() != nil && (len(operands) < 3 || operands[2] == nil || operands[2] != d.Elem(op.Context(), 0)) {
		return nil
	}
	return foldSplatSource(op, operands)
}

func foldUnpack(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	return foldSplatSource(op, operands)
}

// inverseTiles tells whether a pack and an unpack tile the same dimensions in the
// same way.
func inverseTiles(a, b RelayoutOp) bool {
	return slices.Equal(a.InnerDimsPos(), b.InnerDimsPos()) && samePerm(a.OuterDimsPerm(), b.OuterDimsPerm()) &&
		shapes.SameList(a.InnerTiles(), b.InnerTiles())
}

// samePerm compares permutations; the identity may be empty.
func samePerm(a, b []int64) bool {
	return slices.Equal(a, b) || identityPerm(a) && identityPerm(b)
}

func identityPerm(p []int64) bool {
	for i, x := range p {
		if x != int64(i) {
			return false
		}
	}
	return true
}

func packPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "PackOfUnpack", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			o := RelayoutOp{op}
			u := o.Source().DefinedBy(Unpack)
			if u == nil || o.Padding() != nil {
				return false
			}
			src := RelayoutOp{u}.Source()
			if src.Type() != op.Result(0).Type() || !inverseTiles(o, RelayoutOp{u}) {
				return false
			}
			r.Replace(op, src)
			return true
		}},
		{Name: "DropPackPadding", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			o := RelayoutOp{op}
			if o.Padding() == nil || !o.fullTiles() {
				return false
			}
			r.Modify(op, func() { op.SetOperandGroup(2, nil) })
			return true
		}},
		{Name: "StaticPack", Rewrite: staticRelayout},
	}
}

func unpackPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "UnpackOfPack", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			o := RelayoutOp{op}
			p := o.Source().DefinedBy(Pack)
			if p == nil || (RelayoutOp{p}).Padding() != nil {
				return false
			}
			src := RelayoutOp{p}.Source()
			if src.Type() != op.Result(0).Type() || !inverseTiles(o, RelayoutOp{p}) {
				return false
			}
			r.Replace(op, src)
			return true
		}},
		{Name: "UnpackToInitOfDestStyle", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			o := RelayoutOp{op}
			init := interfaces.TiedInit(o.Dest())
			if init == nil {
				return false
			}
			v := init.Value()
			r.Modify(op, func() { op.SetOperand(1, v) })
			return true
		}},
		{Name: "StaticUnpack", Rewrite: staticRelayout},
	}
}

// fullTiles tells whether all tiles are static and divide the sizes.
func (o RelayoutOp) fullTiles() bool {
	shape, tiles := o.Unpacked().Shape, interfaces.StaticInts(o.Op, staticInnerTiles)
	if !ir.IsStaticShape(tiles) {
		return false
	}
	for i, p := range o.InnerDimsPos() {
		if shape[p] == ir.Dynamic || shape[p]%tiles[i] != 0 {
			return false
		}
	}
	return true
}

// takeStaticTiles says the sizes of tiles as the type of the packed side does, where they were values.
func (o RelayoutOp) takeStaticTiles() {
	tiles, packed := o.InnerTiles(), o.Packed().Shape
	for i, n := range packed[len(packed)-len(tiles):] {
		if n != ir.Dynamic && tiles[i].Value != nil {
			tiles[i] = shapes.ConstSize(n)
		}
	}
	static, dynamic := shapes.SplitMixed(tiles)
	o.SetAttr(staticInnerTiles, o.Context().DenseI64Array(static...))
	o.SetOperandGroup(o.Def().OperandIndex("inner_tiles"), dynamic)
}

// staticRelayout takes sizes of dimensions that aren't tiled from the side on
// which they are static to the other one.
func staticRelayout(r *rewrite.Rewriter, op *ir.Op) bool {
	o := RelayoutOp{op}
	up, pk := o.Unpacked(), o.Packed()
	us, ps := append([]int64(nil), up.Shape...), append([]int64(nil), pk.Shape...)
	tiled := make([]bool, len(us))
	for _, p := range o.InnerDimsPos() {
		tiled[p] = true
	}
	perm := o.OuterDimsPerm()
	for i := range us {
		d := i
		if len(perm) > 0 {
			d = int(perm[i])
		}
		switch {
		case tiled[d]:
		case us[d] == ir.Dynamic:
			us[d] = ps[i]
		case ps[i] == ir.Dynamic:
			ps[i] = us[d]
		}
	}
	if slices.Equal(us, up.Shape) && slices.Equal(ps, pk.Shape) {
		return false
	}
	c, b := op.Context(), r.At(op)
	cast := func(v *ir.Value, t *ir.RankedTensorType, shape []int64) *ir.Value {
		if slices.Equal(shape, t.Shape) {
			return v
		}
		return NewCast(b, c.RankedTensorOf(shape, t.Elem, t.Encoding), v)
	}
	n := b.CloneWithoutRegions(op, ir.NewMapping())
	n.Remove()
	if o.Is(Pack) {
		n.SetOperand(0, cast(o.Source(), up, us))
		n.SetOperand(1, cast(o.Dest(), pk, ps))
	} else {
		n.SetOperand(0, cast(o.Source(), pk, ps))
		n.SetOperand(1, cast(o.Dest(), up, us))
	}
	n.Result(0).SetType(RelayoutOp{n}.Dest().Type())
	b.Insert(n)
	replaceCast(r, op, n.Result(0))
	return true
}
