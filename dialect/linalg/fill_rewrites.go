package linalg

import (
	"freehold/dialect/affine"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// fillOf returns the linalg.fill on tensors that defines v, or nil.
func fillOf(v *ir.Value) *ir.Op {
	if op := v.DefiningOp(); op != nil && op.Is(Fill) && op.NumOperands() == 2 {
		return op
	}
	return nil
}

// refill replaces op by a fill of dest with the scalar of another fill.
func refill(r *rewrite.Rewriter, op, fill *ir.Op, dest *ir.Value) {
	n := NewFill(r.At(op), FillOp{fill}.Value(), dest)
	v := n.Results().Values()
	if len(v) == 1 && op.NumResults() == 1 && v[0].Type() != op.Result(0).Type() {
		v[0] = tensor.NewCast(r.Builder, op.Result(0).Type(), v[0])
	}
	r.Replace(op, v...)
}

func fillPatterns() []rewrite.Pattern {
	reshape := func(r *rewrite.Rewriter, op *ir.Op) bool {
		fill := fillOf(tensor.ReassociationOp{Op: op}.Src())
		if fill == nil {
			return false
		}
		b := r.At(fill)
		r.SetBefore(op)
		dest := b.Clone(op, ir.NewMapping())
		dest.SetOperand(0, FillOp{fill}.Output())
		refill(r, op, fill, dest.Result(0))
		return true
	}
	return []rewrite.Pattern{
		{Name: "FoldFillWithCopy", Root: Copy, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			if fill := fillOf(copyOp{op}.Input()); fill != nil {
				refill(r, op, fill, copyOp{op}.Output())
				return true
			}
			if fill := fillOf(copyOp{op}.Output()); fill != nil {
				r.Replace(op, NewCopy(r.At(op), copyOp{op}.Input(), FillOp{fill}.Output()).Results().Values()...)
				return true
			}
			return false
		}},
		{Name: "FoldFillWithTensorExtract", Root: tensor.Extract, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			fill := fillOf(tensor.ExtractOp{Op: op}.Tensor())
			if fill == nil || (FillOp{fill}).Value().Type() != op.Result(0).Type() {
				return false
			}
			r.Replace(op, FillOp{fill}.Value())
			return true
		}},
		{Name: "FoldFillWithPack", Root: tensor.Pack, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			o := tensor.RelayoutOp{Op: op}
			fill := fillOf(o.Source())
			if fill == nil || !o.Dest().HasOneUse() {
				return false
			}
			if p := o.Padding(); p != nil && p != (FillOp{fill}).Value() {
				return false
			}
			refill(r, op, fill, o.Dest())
			return true
		}},
		{Name: "FoldFillWithPad", Root: tensor.Pad, Rewrite: fillOfPad},
		{Name: "FoldFillWithTensorReshape", Root: tensor.CollapseShape, Rewrite: reshape},
		{Name: "FoldFillWithTensorReshape", Root: tensor.ExpandShape, Rewrite: reshape},
		{Name: "FoldConcatsOfFill", Root: tensor.Concat, Since: 20, Rewrite: concatOfFills},
		{Name: "FoldInsertPadIntoFill", Root: tensor.InsertSlice, Rewrite: insertPadIntoFill},
		{Name: "FoldFillWithTranspose", Root: Transpose, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			o := TransposeOp{StructuredOp{op}}
			fill := fillOf(o.Input())
			if fill == nil {
				return false
			}
			refill(r, op, fill, o.Init())
			return true
		}},
	}
}

// concatOfFills fills what the tensors are that are joined after they were filled with the same value.
func concatOfFills(r *rewrite.Rewriter, op *ir.Op) bool {
	var first *ir.Op
	var dests []*ir.Value
	for _, v := range op.Operands().Values() {
		fill := fillOf(v)
		if fill == nil || first != nil && (FillOp{fill}).Value() != (FillOp{first}).Value() {
			return false
		}
		if first == nil {
			first = fill
		}
		dests = append(dests, FillOp{fill}.Output())
	}
	if first == nil {
		return false
	}
	joined := r.At(op).Clone(op, ir.NewMapping())
	for i, v := range dests {
		joined.SetOperand(i, v)
	}
	refill(r, op, first, joined.Result(0))
	return true
}

// fillOfPad turns padding of a filled tensor with the same value into a fill.
func fillOfPad(r *rewrite.Rewriter, op *ir.Op) bool {
	o := tensor.PadOp{Op: op}
	fill := fillOf(o.Source())
	if fill == nil || o.ConstantPadding() != (FillOp{fill}).Value() {
		return false
	}
	reify, ok := interfaces.ReifyShapes.Of(op)
	if !ok {
		return false
	}
	b := r.At(op)
	sizes := reify(b, op)
	if len(sizes) != 1 {
		return false
	}
	refill(r, op, fill, tensor.NewEmpty(b, sizes[0], o.Type().Elem, nil))
	return true
}

// insertPadIntoFill inserts the source of a tensor.pad, instead of its result,
// into a tensor that is filled with the padding value.
func insertPadIntoFill(r *rewrite.Rewriter, op *ir.Op) bool {
	o := tensor.InsertSliceOp{Op: op}
	def := o.Source().DefiningOp()
	if def == nil || !def.Is(tensor.Pad) || len(o.SourceType().Shape) != len(o.DestType().Shape) {
		return false
	}
	pad, s := tensor.PadOp{Op: def}, o.Slice()
	if !shapes.AllConst(s.Strides, 1) || pad.Nofold() {
		return false
	}
	value := pad.ConstantPadding()
	if value == nil {
		return false
	}
	// Insertions in between that touch nothing of this slice may be skipped.
	fill := fillOf(skipDisjointInsertions(o))
	if fill == nil || (FillOp{fill}).Value() != value {
		return false
	}
	b, c := r.At(op), op.Context()
	low, offsets := pad.Low(), make([]shapes.OpFoldResult, len(s.Offsets))
	for i := range offsets {
		offsets[i] = affine.FoldedApply(b, 2, c.AffineAdd(c.AffineDim(0), c.AffineDim(1)), low[i], s.Offsets[i])
	}
	sizes := tensor.MixedSizes(b, pad.Source())
	r.Replace(op, tensor.NewInsertSlice(b, pad.Source(), o.Dest(), shapes.Slice{Offsets: offsets, Sizes: sizes, Strides: s.Strides}))
	return true
}

// skipDisjointInsertions walks up the destinations of insertions whose static
// slices are disjoint from that of o.
func skipDisjointInsertions(o tensor.InsertSliceOp) *ir.Value {
	dest, s := o.Dest(), o.Slice()
	var t ir.Trail
	for {
		def := dest.DefiningOp()
		if def == nil || !def.Is(tensor.InsertSlice) || t.Returns(dest) {
			return dest
		}
		p := tensor.InsertSliceOp{Op: def}
		if !disjoint(s, p.Slice()) {
			return dest
		}
		dest = p.Dest()
	}
}

// disjoint tells whether two slices with unit strides are known not to overlap.
func disjoint(a, b shapes.Slice) bool {
	if !shapes.AllConst(b.Strides, 1) || len(a.Offsets) != len(b.Offsets) {
		return false
	}
	for i := range a.Offsets {
		ao, ok1 := a.Offsets[i].Int()
		as, ok2 := a.Sizes[i].Int()
		bo, ok3 := b.Offsets[i].Int()
		bs, ok4 := b.Sizes[i].Int()
		if ok1 && ok2 && ok3 && ok4 && (ao+as <= bo || bo+bs <= ao) {
			return true
		}
	}
	return false
}
