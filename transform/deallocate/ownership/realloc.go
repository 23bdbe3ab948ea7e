package ownership

import (
	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/conversion"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// newExpander returns what replaces memref.realloc by an allocation and a copy where the
// buffer grows, and by a view of it where it doesn't. As in MLIR's pass, operations of dialects other than those that
// it produces are folded on the way.
func newExpander(c *ir.Context, a *ir.Arena, o *reallocOptions) *partial {
	target := conversion.NewTarget()
	target.LegalDialects("arith", "memref", "scf")
	target.Illegal(memref.Realloc)
	p := &partial{}
	p.init(c, a, target, rewrite.Pattern{Name: "ExpandReallocOpPattern", Root: memref.Realloc, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
		r.Loc = op.Loc()
		r.Replace(op, o.expand(r.Builder, memref.ReallocOp{Op: op}))
		return true
	}})
	return p
}

// freeWhole has what frees the result of a realloc in a function free the buffer by its base: where it doesn't grow, the result will be a view of a part, and
// buffers are freed as a whole. Linear time.
func freeWhole(fn *ir.Op) {
	b := ir.NewBuilder(fn.Context())
	fn.Walk(func(op *ir.Op) bool {
		if !mayShrink(op) {
			return true
		}
		var frees []*ir.Op
		for u := op.Result(0).FirstUse(); u != nil; u = u.Next() {
			if u.Owner().Is(memref.Dealloc) {
				frees = append(frees, u.Owner())
			}
		}
		for _, f := range frees {
			b.SetBefore(f)
			b.Loc = f.Loc()
			f.SetOperand(0, memref.NewExtractStridedMetadata(b, op.Result(0)).BaseBuffer())
		}
		return true
	})
}

// mayShrink tells whether an operation is a realloc that isn't known to make its buffer larger.
func mayShrink(op *ir.Op) bool {
	if !op.Is(memref.Realloc) {
		return false
	}
	old, next := op.Operand(0).Type().(*ir.MemRefType).Shape[0], op.Result(0).Type().(*ir.MemRefType).Shape[0]
	return old == ir.Dynamic || next == ir.Dynamic || old >= next
}

// mayBePart tells whether a value may be what a realloc has left of its buffer, whether that has been expanded or not.
func mayBePart(v *ir.Value) bool {
	op := v.DefiningOp()
	switch {
	case op == nil:
		return false
	case op.Is(scf.If):
		for _, r := range op.Regions() {
			if t := r.Entry().Terminator(); t != nil && mayBePart(t.Operand(v.Index())) {
				return true
			}
		}
		return false
	}
	return mayShrink(op) || op.Is(memref.ReinterpretCast)
}

// expand creates what does the same as a realloc, and returns the buffer.
func (o *reallocOptions) expand(b *ir.Builder, op memref.ReallocOp) *ir.Value {
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
	var alignment int64
	if a, ok := op.Attr("alignment").(*ir.IntegerAttr); ok {
		alignment = a.Value
	}
	enlarged := func(b *ir.Builder) []*ir.Value { return []*ir.Value{o.move(b, source, t, old, next, old, alignment)} }
	kept := func(b *ir.Builder) []*ir.Value {
		if o.copyArguments && isArgument(source) {
			return []*ir.Value{o.move(b, source, t, old, next, next, alignment)}
		}
		return []*ir.Value{memref.NewReinterpretCast(b, t, source, slice(next))}
	}
	switch {
	case !o.foldSizes || old.Value != nil || next.Value != nil:
		grows := arith.NewCmpI(b, arith.ULT, value(old), value(next))
		return scf.NewIf(b, grows, []ir.Type{t}, enlarged, kept).Result(0)
	case old.Const < next.Const:
		return enlarged(b)[0]
	}
	return kept(b)[0]
}

// move creates a new buffer of type t and size next, to which the first copied of the source's old elements are copied.
func (o *reallocOptions) move(b *ir.Builder, source *ir.Value, t *ir.MemRefType, old, next, copied shapes.OpFoldResult, alignment int64) *ir.Value {
	var dynamic []*ir.Value
	if next.Value != nil {
		dynamic = append(dynamic, next.Value)
	}
	alloc := memref.NewAlloc(b, t, dynamic, alignment)
	from, to := source, alloc
	if copied != next {
		to = memref.NewSubView(b, nil, alloc, slice(copied))
	}
	if copied != old {
		from = memref.NewSubView(b, nil, source, slice(copied))
	}
	memref.NewCopy(b, from, to)
	if o.emitDeallocs {
		if mayBePart(source) {
			source = memref.NewExtractStridedMetadata(b, source).BaseBuffer()
		}
		memref.NewDealloc(b, source)
	}
	return alloc
}

// isArgument tells whether a value is an argument of a function, or a view of one.
func isArgument(v *ir.Value) bool {
	base := analysis.ViewBase(v)
	return base.IsBlockArg() && base.ParentBlock().IsEntry() && interfaces.Function.Has(base.ArgOwner().ParentOp())
}

// slice is the start of a buffer of one dimension.
func slice(size shapes.OpFoldResult) shapes.Slice {
	return shapes.Slice{Offsets: []shapes.OpFoldResult{shapes.ConstSize(0)}, Sizes: []shapes.OpFoldResult{size}, Strides: []shapes.OpFoldResult{shapes.ConstSize(1)}}
}
