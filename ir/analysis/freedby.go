package analysis

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// Freers knows which operations free the buffers of an operation's regions: nearly all memref.dealloc, and some that of
// their allocation ([interfaces.FreedBy]). The nil pointer is for those without such allocations.
type Freers struct{ origins *Origins }

// NewFreers looks at everything in root.
func NewFreers(root *ir.Op) *Freers {
	found := false
	root.Walk(func(op *ir.Op) bool {
		found = found || interfaces.FreedBy.Has(op)
		return !found
	})
	if !found {
		return nil
	}
	return &Freers{NewOrigins(root)}
}

// Of returns the allocation that tells how to free what v may be; nil if that is done by memref.dealloc. If that depends, it
// returns an error at the allocation.
func (f *Freers) Of(v *ir.Value) (alloc *ir.Op, err error) {
	if f == nil {
		return nil, nil
	}
	first := true
	f.origins.Terminals(v, func(t *ir.Value) {
		var by *ir.Op
		if op := t.DefiningOp(); op != nil && interfaces.FreedBy.Has(op) {
			by = op
		}
		switch {
		case first:
			alloc, first = by, false
		case err == nil && ((by == nil) != (alloc == nil) || by != nil && by.Name() != alloc.Name()):
			at := alloc
			if at == nil {
				at = by
			}
			err = at.PlainErrorf("what frees this buffer can't free others that are freed in the same place")
		}
	})
	return alloc, err
}

// Any returns an allocation that v's buffer may come from, and that tells how to free it; nil if there is none.
func (f *Freers) Any(v *ir.Value) (alloc *ir.Op) {
	if !ir.IsMemRef(v.Type()) {
		return nil
	}
	f.origins.Terminals(v, func(t *ir.Value) {
		if op := t.DefiningOp(); op != nil && interfaces.FreedBy.Has(op) {
			alloc = op
		}
	})
	return alloc
}
