package ownership

import (
	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/iface"
	"freehold/ir"
)

// ExpandRealloc replaces memref.realloc by an allocation and a copy where the
// buffer grows, and by a view of it where it doesn't: the pass expand-realloc. With
// emitDeallocs, the old buffer is freed where it is copied.
func ExpandRealloc(root *ir.Op, emitDeallocs bool) error {
	b := ir.NewBuilder(root.Context())
	root.Walk(func(op *ir.Op) bool {
		if op.Is(memref.Realloc) {
			expandRealloc(b, memref.ReallocOp{Op: op}, emitDeallocs)
		}
		return true
	})
	return nil
}

func expandRealloc(b *ir.Builder, op memref.ReallocOp, emitDeallocs bool) {
	b.SetBefore(op.Op)
	b.Loc = op.Loc()
	source := op.Source()
	t := op.Result(0).Type().(*ir.MemRefType)
	src := source.Type().(*ir.MemRefType)
	size := func(d int64, dynamic func() *ir.Value) iface.OpFoldResult {
		if d != ir.Dynamic {
			return iface.ConstSize(d)
		}
		return iface.SizeOf(dynamic())
	}
	value := func(s iface.OpFoldResult) *ir.Value {
		if s.Value != nil {
			return s.Value
		}
		return arith.ConstantIndex(b, s.Const)
	}
	old := size(src.Shape[0], func() *ir.Value { return memref.NewDim(b, source, 0) })
	next := size(t.Shape[0], op.DynamicSize)
	grows := arith.NewCmpI(b, arith.ULT, value(old), value(next))
	var alignment int64
	if a, ok := op.Attr("alignment").(*ir.IntegerAttr); ok {
		alignment = a.Value
	}
	r := scf.NewIf(b, grows, []ir.Type{t}, func(b *ir.Builder) []*ir.Value {
		var dynamic []*ir.Value
		if next.Value != nil {
			dynamic = append(dynamic, next.Value)
		}
		alloc := memref.NewAlloc(b, t, dynamic, alignment)
		part := memref.NewSubView(b, nil, alloc, slice(old))
		memref.NewCopy(b, source, part)
		if emitDeallocs {
			memref.NewDealloc(b, source)
		}
		return []*ir.Value{alloc}
	}, func(b *ir.Builder) []*ir.Value {
		return []*ir.Value{memref.NewReinterpretCast(b, t, source, slice(next))}
	})
	op.Result(0).ReplaceAllUsesWith(r.Result(0))
	op.Erase()
}

// slice is the start of a buffer of one dimension.
func slice(size iface.OpFoldResult) iface.Slice {
	return iface.Slice{Offsets: []iface.OpFoldResult{iface.ConstSize(0)}, Sizes: []iface.OpFoldResult{size}, Strides: []iface.OpFoldResult{iface.ConstSize(1)}}
}
