package ownership

import (
	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// newExpander returns what replaces memref.realloc by an allocation and a copy where the
// buffer grows, and by a view of it where it doesn't. With emitDeallocs, the old buffer is
// freed where it is copied. As in MLIR's pass, operations of dialects other than those that
// it produces are folded on the way.
func newExpander(c *ir.Context, a *ir.Arena, emitDeallocs bool) *partial {
	target := conversion.NewTarget()
	target.LegalDialects("arith", "memref", "scf")
	target.Illegal(memref.Realloc)
	p := &partial{}
	p.init(c, a, target, rewrite.Pattern{Name: "ExpandReallocOpPattern", Root: memref.Realloc, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
		r.Loc = op.Loc()
		r.Replace(op, expandRealloc(r.Builder, memref.ReallocOp{Op: op}, emitDeallocs))
		return true
	}})
	return p
}

// expandRealloc creates what does the same as a realloc, and returns the buffer.
func expandRealloc(b *ir.Builder, op memref.ReallocOp, emitDeallocs bool) *ir.Value {
	source := op.Source()
	t := op.Result(0).Type().(*ir.MemRefType)
	src := source.Type().(*ir.MemRefType)
	size := func(d int64, dynamic func() *ir.Value) shapes.OpFoldResult {
		if d != ir.Dynamic {
			return shapes.ConstSize(d)
		}
		return shapes.SizeOf(dynamic())
	}
	value := func(s shapes.OpFoldResult) *ir.Value {
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
	return r.Result(0)
}

// slice is the start of a buffer of one dimension.
func slice(size shapes.OpFoldResult) shapes.Slice {
	return shapes.Slice{Offsets: []shapes.OpFoldResult{shapes.ConstSize(0)}, Sizes: []shapes.OpFoldResult{size}, Strides: []shapes.OpFoldResult{shapes.ConstSize(1)}}
}
