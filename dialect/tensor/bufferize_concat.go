package tensor

import (
	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// concatBufferize copies the parts into a new buffer, one after the other.
type concatBufferize struct{ readsBufferize }

func (concatBufferize) Allocates(*ir.Value) bool { return true }

func (concatBufferize) BufferType(v *ir.Value, t interfaces.BufferTyper) (ir.Type, error) {
	o := ConcatOp{v.DefiningOp()}
	var common ir.Attribute
	for i, in := range o.Inputs().Values() {
		_, space, err := sourceSpace(in, t)
		if err != nil {
			return nil, err
		}
		if i > 0 && space != common {
			return nil, o.Errorf("joins buffers of several memory spaces")
		}
		common = space
	}
	return t.IdentityType(v.Type(), common), nil
}

func (concatBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	o, c := ConcatOp{op}, op.Context()
	t, err := b.BufferType(op.Result(0))
	if err != nil {
		return err
	}
	sizes := reifyConcat(b.Builder(), op)[0]
	var dynamic []*ir.Value
	for i, n := range o.Type().Shape {
		if n == ir.Dynamic {
			dynamic = append(dynamic, arith.ValueOf(b.Builder(), sizes[i]))
		}
	}
	joined, err := b.Alloc(t.(*ir.MemRefType), dynamic)
	if err != nil {
		return err
	}
	var s shapes.Slice
	for i := range sizes {
		s.Offsets = append(s.Offsets, shapes.ConstSize(0))
		s.Strides = append(s.Strides, shapes.ConstSize(1))
		if int64(i) == o.Dim() {
			s.Sizes = append(s.Sizes, shapes.OpFoldResult{})
		} else {
			s.Sizes = append(s.Sizes, memref.SizeOf(b.Builder(), joined, i))
		}
	}
	for _, in := range o.Inputs().Values() {
		part, err := b.Buffer(in)
		if err != nil {
			return err
		}
		if n := ranked(in.Type()).Shape[o.Dim()]; n != ir.Dynamic {
			s.Sizes[o.Dim()] = shapes.ConstSize(n)
		} else {
			s.Sizes[o.Dim()] = memref.KnownSizeOf(b.Builder(), part, int(o.Dim()))
		}
		if err := b.Copy(part, memref.NewSubView(b.Builder(), nil, joined, s)); err != nil {
			return err
		}
		s.Offsets[o.Dim()] = affine.FoldedApply(b.Builder(), 0, c.AffineAdd(c.AffineSymbol(0), c.AffineSymbol(1)), s.Offsets[o.Dim()], s.Sizes[o.Dim()])
	}
	b.Replace(op, joined)
	return nil
}
