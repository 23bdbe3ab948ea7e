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

// expander expands what is in one function after another.
type expander struct {
	partial
	*reallocOptions
	// parts are the reallocs of the function whose source may be what another one has left of a buffer.
	parts map[*ir.Op]bool
}

// newExpander returns what replaces memref.realloc by an allocation and a copy where the
// buffer grows, and by a view of it where it doesn't. As in MLIR's pass, operations of dialects other than those that
// it produces are folded on the way.
func newExpander(c *ir.Context, a *ir.Arena, o *reallocOptions) *expander {
	target := conversion.NewTarget()
	target.LegalDialects("arith", "memref", "scf")
	target.Illegal(memref.Realloc)
	e := &expander{reallocOptions: o}
	e.init(c, a, target, rewrite.Pattern{Name: "ExpandReallocOpPattern", Root: memref.Realloc, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
		r.Loc = op.Loc()
		r.Replace(op, e.expand(r.Builder, memref.ReallocOp{Op: op}))
		return true
	}})
	return e
}

// function expands what is in a function.
func (e *expander) function(fn *ir.Op) (bool, error) {
	if e.emitDeallocs {
		e.freeWhole(fn)
	}
	return e.convert(fn)
}

// freeWhole has what frees the result of a realloc in a function, by whatever name, free the buffer by its base: where it doesn't grow, the result will be a view of
// a part, and buffers are freed as a whole. Linear time.
func (e *expander) freeWhole(fn *ir.Op) {
	e.parts = map[*ir.Op]bool{}
	left := leftParts(fn)
	if len(left) == 0 {
		return
	}
	b := ir.NewBuilder(fn.Context())
	fn.Walk(func(op *ir.Op) bool {
		switch {
		case op.Is(memref.Realloc) && left[memref.ReallocOp{Op: op}.Source()]:
			e.parts[op] = true
		case op.Is(memref.Dealloc):
			if freed := (memref.DeallocOp{Op: op}).MemRef(); left[freed] && memref.IsStrided(freed.Type()) {
				b.SetBefore(op)
				b.Loc = op.Loc()
				op.SetOperand(0, memref.NewExtractStridedMetadata(b, freed).BaseBuffer())
			}
		}
		return true
	})
}

// leftParts returns the buffers in a function that may be what a realloc has left of another one.
func leftParts(fn *ir.Op) map[*ir.Value]bool {
	var work []*ir.Value
	fn.Walk(func(op *ir.Op) bool {
		if mayShrink(op) {
			work = append(work, op.Result(0))
		}
		return true
	})
	if work == nil {
		return nil
	}
	buffers, left := analysis.NewBuffers(fn, analysis.BufferOptions{}), map[*ir.Value]bool{}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if !left[v] {
			left[v] = true
			buffers.Flows(v, func(to *ir.Value) {
				if ir.IsMemRef(to.Type()) {
					work = append(work, to)
				}
			})
		}
	}
	return left
}

// mayShrink tells whether an operation is a realloc that isn't known to make its buffer larger.
func mayShrink(op *ir.Op) bool {
	if !op.Is(memref.Realloc) {
		return false
	}
	old, next := memref.ReallocOp{Op: op}.Source().Type().(*ir.MemRefType).Shape[0], op.Result(0).Type().(*ir.MemRefType).Shape[0]
	return old == ir.Dynamic || next == ir.Dynamic || old >= next
}

// expand creates what does the same as a realloc, and returns the buffer.
func (e *expander) expand(b *ir.Builder, op memref.ReallocOp) *ir.Value {
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
	enlarged := func(b *ir.Builder) []*ir.Value { return []*ir.Value{e.move(b, op.Op, t, old, next, old, alignment)} }
	kept := func(b *ir.Builder) []*ir.Value {
		if e.copyArguments && isArgument(source) {
			return []*ir.Value{e.move(b, op.Op, t, old, next, next, alignment)}
		}
		return []*ir.Value{memref.NewReinterpretCast(b, t, source, slice(next))}
	}
	switch {
	case !e.foldSizes || old.Value != nil || next.Value != nil:
		grows := arith.NewCmpI(b, arith.ULT, value(old), value(next))
		return scf.NewIf(b, grows, []ir.Type{t}, enlarged, kept).Result(0)
	case old.Const < next.Const:
		return enlarged(b)[0]
	}
	return kept(b)[0]
}

// move creates a new buffer of type t and size next, to which the first copied of the old elements of a realloc's source are copied.
func (e *expander) move(b *ir.Builder, op *ir.Op, t *ir.MemRefType, old, next, copied shapes.OpFoldResult, alignment int64) *ir.Value {
	var dynamic []*ir.Value
	if next.Value != nil {
		dynamic = append(dynamic, next.Value)
	}
	alloc := memref.NewAlloc(b, t, dynamic, alignment)
	source := op.Operand(0)
	from, to := source, alloc
	if copied != next {
		to = memref.NewSubView(b, nil, alloc, slice(copied))
	}
	if copied != old {
		from = memref.NewSubView(b, nil, source, slice(copied))
	}
	memref.NewCopy(b, from, to)
	if e.emitDeallocs {
		if e.parts[op] {
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
