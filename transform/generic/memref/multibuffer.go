package memref

import (
	"slices"

	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// UsedInLoops tells whether all that uses an allocation, but for frees, is in a loop.
func UsedInLoops(alloc *ir.Op) bool {
	return !slices.ContainsFunc(users(alloc.Result(0)), func(op *ir.Op) bool { return !op.Is(memref.Dealloc) && loopAround(op) == nil })
}

// MultiBuffer replaces an allocation of constant shape by one of as many buffers as factor says, which the iterations of a loop take in turns, and
// returns it; nil if it can't. The first use in each iteration must be a copy that overwrites the buffer, unless all uses are in the loop and unchecked says
// that what they read is of the same iteration. It takes time in the uses of the buffer and of its parts, squared for the former.
func MultiBuffer(alloc *ir.Op, factor int64, unchecked bool) *ir.Op {
	old := alloc.Result(0)
	t, ok := old.Type().(*ir.MemRefType)
	if !ok || slices.Contains(t.Shape, ir.Dynamic) || alloc.NumOperands() > 0 {
		return nil
	}
	dominance := ir.NewDominance()
	loop := bufferLoop(alloc, dominance, unchecked)
	if loop == nil || !dominance.ProperlyDominates(alloc, loop) {
		return nil
	}
	b := ir.NewBuilder(alloc.Context())
	b.Loc = alloc.Loc()
	counter, lower, step := counterOf(b, loop)
	if counter == nil {
		return nil
	}
	c := b.Context()
	body := b.InsertionPoint()
	b.SetBefore(alloc)
	s := b.State(memref.Alloc)
	s.Types = []ir.Type{c.MemRefOf(append([]int64{factor}, t.Shape...), t.Elem, nil, t.Space)}
	for i, a := range alloc.Props() {
		if a != nil {
			s.SetAttr(alloc.Def().Attrs[i].Name, a)
		}
	}
	s.Attrs = append(s.Attrs, alloc.DiscardableAttrs()...)
	buffers := b.Create(s)
	b.SetInsertionPoint(body)
	turn := c.AffineMod(c.AffineFloorDiv(c.AffineAdd(c.AffineDim(0), c.AffineMul(c.AffineDim(1), c.AffineConstant(-1))), c.AffineSymbol(0)), c.AffineConstant(factor))
	part := shapes.Slice{Offsets: []shapes.OpFoldResult{affine.FoldedApply(b, 2, turn, shapes.SizeOf(counter), shapes.SizeOf(lower), shapes.SizeOf(step))},
		Sizes: []shapes.OpFoldResult{shapes.ConstSize(1)}, Strides: []shapes.OpFoldResult{shapes.ConstSize(1)}}
	for _, n := range t.Shape {
		part.Offsets, part.Sizes, part.Strides = append(part.Offsets, shapes.ConstSize(0)), append(part.Sizes, shapes.ConstSize(n)), append(part.Strides, shapes.ConstSize(1))
	}
	all := buffers.Result(0)
	one := memref.NewSubView(b, memref.RankReducedSubViewType(c, t.Shape, all.Type().(*ir.MemRefType), part), all, part)
	for _, op := range users(old) {
		if op.Is(memref.Dealloc) {
			op.SetOperand(0, all)
		}
	}
	replaceBuffer(b, old, one)
	alloc.Erase()
	return buffers
}

// users returns the operations that use a value, each once.
func users(v *ir.Value) (out []*ir.Op) {
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if !slices.Contains(out, u.Owner()) {
			out = append(out, u.Owner())
		}
	}
	return out
}

// loopAround returns the innermost loop around an operation; nil if there is none.
func loopAround(op *ir.Op) *ir.Op {
	for p := op.Parent(); p != nil; p = p.Parent() {
		if interfaces.LoopLike.Has(p) {
			return p
		}
	}
	return nil
}

// bufferLoop returns the loop whose iterations could have buffers of their own; nil if there is none.
func bufferLoop(alloc *ir.Op, dominance *ir.Dominance, unchecked bool) (found *ir.Op) {
	list := users(alloc.Result(0))
	for _, op := range list {
		loop := loopAround(op)
		if loop == nil {
			if op.Is(memref.Dealloc) {
				continue
			}
			return nil
		}
		if found != nil {
			continue
		}
		overwrites := op.Is(memref.Copy) && memref.CopyOp{Op: op}.Target() == alloc.Result(0) && memref.CopyOp{Op: op}.Source() != alloc.Result(0)
		switch {
		case unchecked && !slices.ContainsFunc(list, func(x *ir.Op) bool { return !x.Is(memref.Dealloc) && !loop.IsProperAncestorOf(x) }),
			!unchecked && overwrites && !slices.ContainsFunc(list, func(x *ir.Op) bool { return !dominance.Dominates(op, x) }):
			found = loop
		}
	}
	return found
}

// counterOf returns the counter of a loop, its first value and the difference between two iterations, and leaves the builder at the start of the body; nil for
// loops without a counter, or with several.
func counterOf(b *ir.Builder, loop *ir.Op) (counter, lower, step *ir.Value) {
	switch {
	case loop.Is(scf.For):
		o := scf.ForOp{Op: loop}
		if o.InductionVar().Type() != ir.Type(ir.Index) || o.Unsigned() {
			return nil, nil, nil
		}
		b.SetStart(o.Body())
		return o.InductionVar(), o.LowerBound(), o.Step()
	case loop.Is(affine.For):
		o := affine.ForOp{Op: loop}
		m := o.LowerMap()
		if len(m.Results) != 1 || m.Results[0].Kind != ir.AffineConst {
			return nil, nil, nil
		}
		b.SetStart(loop.BodyBlock(0))
		return loop.BodyBlock(0).Arg(0), arith.ConstantIndex(b, m.Results[0].Value), arith.ConstantIndex(b, o.Step())
	case loop.Is(scf.Forall):
		o := scf.ForallOp{Op: loop}
		if o.Rank() != 1 {
			return nil, nil, nil
		}
		b.SetStart(o.Body())
		return o.InductionVars()[0], arith.ValueOf(b, o.LowerBounds()[0]), arith.ValueOf(b, o.Steps()[0])
	case loop.Is(scf.Parallel):
		o := scf.ParallelOp{Op: loop}
		if len(o.InductionVars()) != 1 {
			return nil, nil, nil
		}
		b.SetStart(o.Body())
		return o.InductionVars()[0], o.LowerBounds().At(0), o.Steps().At(0)
	}
	return nil, nil, nil
}

// replaceBuffer replaces a buffer by one of another type, and its parts by such parts.
func replaceBuffer(b *ir.Builder, old, new *ir.Value) {
	for _, op := range users(old) {
		if !op.Is(memref.SubView) {
			for i := range op.NumOperands() {
				if op.Operand(i) == old {
					op.SetOperand(i, new)
				}
			}
			continue
		}
		o := memref.SubViewOp{Op: op}
		b.SetBefore(op)
		b.Loc = op.Loc()
		s := o.Slice()
		v := memref.NewSubView(b, memref.RankReducedSubViewType(b.Context(), o.Type().Shape, new.Type().(*ir.MemRefType), s), new, s)
		replaceBuffer(b, op.Result(0), v)
		op.Erase()
	}
}
