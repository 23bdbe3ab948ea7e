package tensor

import (
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// sliceWithin is what LLVM 22 revised of operations on a slice of a shape: that it is within the shape is verified.
func sliceWithin(verify func(*ir.Op) error, shape func(*ir.Op) []int64) []ir.Revision {
	return []ir.Revision{{Since: 22, Verify: func(op *ir.Op) error {
		if err := verify(op); err != nil {
			return err
		}
		return interfaces.VerifyWithin(op, shape(op))
	}}}
}

// insertedInto returns the shape of the destination of an insertion.
func insertedInto(op *ir.Op) []int64 { return InsertSliceOp{op}.DestType().Shape }

// sliceOfUnpack unpacks to a slice of the destination rather than taking a slice of what was unpacked, if that has all tiles that
// the slice does.
func sliceOfUnpack(r *rewrite.Rewriter, op *ir.Op) bool {
	o := ExtractSliceOp{op}
	u := o.Source().DefinedBy(Unpack)
	s := o.Slice()
	if u == nil || !u.Result(0).HasOneUse() || !shapes.AllConst(s.Offsets, 0) || !shapes.AllConst(s.Strides, 1) || len(s.Sizes) != len(o.Type().Shape) ||
		!sameTiles(RelayoutOp{u}, shapes.StaticOf(s.Sizes)) {
		return false
	}
	b := r.At(op)
	n := b.CloneWithoutRegions(u, ir.NewMapping())
	n.Remove()
	n.SetOperand(1, NewExtractSlice(b, o.Type(), RelayoutOp{u}.Dest(), s))
	n.Result(0).SetType(o.Type())
	b.Insert(n)
	r.Replace(op, n.Result(0))
	return true
}

// sameTiles tells whether a tensor of the sizes, from the start of what is unpacked, is known to be of the same tiles.
func sameTiles(u RelayoutOp, sizes []int64) bool {
	outer, whole, tiles := u.Packed().Shape, u.Unpacked().Shape, make([]int64, len(sizes))
	for i, t := range u.InnerTiles() {
		n, ok := t.Int()
		if !ok || n <= 0 {
			return false
		}
		tiles[u.InnerDimsPos()[i]] = n
	}
	perm := u.OuterDimsPerm()
	for i := range sizes {
		d := i
		if len(perm) > 0 {
			d = int(perm[i])
		}
		switch n := sizes[d]; {
		case n == ir.Dynamic || outer[i] == ir.Dynamic:
			return false
		case tiles[d] == 0 && n != whole[d], tiles[d] > 0 && (n+tiles[d]-1)/tiles[d] != outer[i]:
			return false
		}
	}
	return true
}
