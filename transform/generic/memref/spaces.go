package memref

import (
	"freehold/dialect/memref"
	"freehold/dialect/vector"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// A buffer in a memory space is often cast to the default space where it is made. What views and accesses it can do so in its own space,
// of which machines may have better instructions.

// spaceUsers are the operations that take a buffer of any memory space, with the operand group that it is. Results that are buffers are
// in the same space.
var spaceUsers = func() map[*ir.OpID]int {
	users := map[*ir.OpID]int{
		memref.AtomicRMW: 1, memref.AssumeAlignment: 0,
		vector.Gather: 0, vector.Scatter: 0, vector.CompressStore: 0, vector.ExpandLoad: 0,
	}
	for _, id := range []*ir.OpID{memref.SubView, memref.ExpandShape, memref.CollapseShape, memref.Cast, memref.Transpose, memref.ReinterpretCast,
		memref.View, memref.Reshape} {
		users[id] = 0
	}
	for id, a := range accesses {
		users[id] = a.buffer
	}
	return users
}()

// SpaceCastPatterns returns the patterns that move casts to the default memory space below what uses them.
func SpaceCastPatterns() []rewrite.Pattern {
	var list []rewrite.Pattern
	for id := range spaceUsers {
		list = append(list, rewrite.Pattern{Name: "BubbleDownCastsPattern", Root: id, Rewrite: useBeforeSpaceCast})
	}
	return list
}

// useBeforeSpaceCast lets an operation use a buffer in its own space, and casts its result instead.
func useBeforeSpaceCast(r *rewrite.Rewriter, op *ir.Op) bool {
	at, _ := op.OperandGroupRange(spaceUsers[op.ID()])
	cast := op.Operand(at).DefiningOp()
	if cast == nil || !cast.Is(memref.MemorySpaceCast) || spaceOf(cast.Result(0).Type()) != nil {
		return false
	}
	source := memref.MemorySpaceCastOp{Op: cast}.Source()
	r.Modify(op, func() { op.SetOperand(at, source) })
	if op.NumResults() != 1 || !ir.IsMemRef(op.Result(0).Type()) {
		return true
	}
	usual := op.Result(0).Type()
	r.Modify(op, func() { op.Result(0).SetType(inSpace(op.Context(), usual, spaceOf(source.Type()))) })
	b := r.At(op)
	b.SetAfter(op)
	b.Loc = op.Loc()
	back := b.CreateOp(memref.MemorySpaceCast, []ir.Type{usual}, []*ir.Value{op.Result(0)})
	r.ReplaceUsesExcept(op.Result(0), back.Result(0), back)
	return true
}

// spaceOf returns the memory space of a buffer's type; nil is the default one.
func spaceOf(t ir.Type) ir.Attribute {
	switch t := t.(type) {
	case *ir.MemRefType:
		return t.Space
	case *ir.UnrankedMemRefType:
		return t.Space
	}
	return nil
}

// inSpace returns the type of a buffer in another memory space.
func inSpace(c *ir.Context, t ir.Type, space ir.Attribute) ir.Type {
	switch t := t.(type) {
	case *ir.MemRefType:
		return c.MemRefOf(t.Shape, t.Elem, t.Layout, space)
	case *ir.UnrankedMemRefType:
		return c.UnrankedMemRef(t.Elem, space)
	}
	return t
}
