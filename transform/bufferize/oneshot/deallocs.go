package oneshot

import (
	"freehold/dialect/memref"
	"freehold/ir"
	buffers "freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// runWithDeallocs is [Run] without TestAnalysisOnly, and frees what it allocates: at the end
// of the block, unless the buffer is used elsewhere, or passed on. The others have no owner
// that is known here.
func runWithDeallocs(module *ir.Op, p *Plan, o *Options) error {
	var allocs []*ir.Op
	with := *o
	with.Made = func(op *ir.Op, origin Origin) {
		if op.Is(memref.Alloc) {
			allocs = append(allocs, op)
		}
		if o.Made != nil {
			o.Made(op, origin)
		}
	}
	if err := Rewrite(module, p, &with); err != nil {
		return err
	}
	known := map[*ir.Op]*buffers.Buffers{}
	var local []*ir.Op
	for _, alloc := range allocs {
		fn := functionAround(alloc)
		if fn == nil {
			continue // erased again, or outside of functions
		}
		if known[fn] == nil {
			known[fn] = buffers.NewBuffers(fn, buffers.BufferOptions{})
		}
		if staysInBlock(known[fn], alloc) {
			local = append(local, alloc)
		}
	}
	b := ir.NewBuilder(module.Context())
	for _, alloc := range local {
		b.Loc = alloc.Loc()
		b.SetEnd(alloc.Block())
		if t := alloc.Block().Last(); t.Has(ir.TraitTerminator) {
			b.SetBefore(t)
		}
		memref.NewDealloc(b, alloc.Result(0))
	}
	return nil
}

// functionAround returns the innermost function that an operation is in, or nil.
func functionAround(op *ir.Op) *ir.Op {
	for op = op.Parent(); op != nil; op = op.Parent() {
		if interfaces.Function.Has(op) {
			return op
		}
	}
	return nil
}

// staysInBlock tells whether a buffer is used only by operations in the block that allocates
// it, and the block's terminator doesn't pass it on.
func staysInBlock(known *buffers.Buffers, alloc *ir.Op) bool {
	block, v := alloc.Block(), alloc.Result(0)
	if known.Escapes(v).Has(buffers.Returned | buffers.Kept) {
		return false
	}
	stays := true
	known.Uses(v, func(u *ir.Use) {
		at := block.AncestorIn(u.Owner())
		stays = stays && at != nil && !(at == u.Owner() && at.Has(ir.TraitTerminator))
	})
	return stays
}
