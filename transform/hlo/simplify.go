package hlo

import (
	"freehold/dialect/deallocation"
	"freehold/dialect/memref"
	"freehold/ir"
)

// Simplify is the pass hlo-deallocation-simplification: it drops what owners that are
// known to be null, or known not to be null, make unnecessary. It returns whether it
// changed anything. Near-linear.
func Simplify(fn *ir.Op) bool {
	f := analyzeOwners(fn)
	b := ir.NewBuilder(fn.Context())
	changed := false
	fn.Walk(func(op *ir.Op) bool {
		if op.Is(deallocation.Retain) {
			changed = f.simplifyRetain(b, deallocation.RetainOp{Op: op}) || changed
		}
		return true
	})
	return dropOwners(b, fn) || changed
}

// simplifyRetain replaces a retain by something simpler, and tells whether it did.
func (f *ownerFlow) simplifyRetain(b *ir.Builder, op deallocation.RetainOp) bool {
	b.SetBefore(op.Op)
	b.Loc = op.Loc()
	owners, retained := op.Owners().Values(), op.Retained()
	known := mayBeNull
	for _, o := range owners {
		known |= f.null[o]
	}
	if known == mayBeNull {
		if op.NumResults() > 0 {
			null := deallocation.NewNull(b)
			f.null[null] = mayBeNull
			for i := range op.NumResults() {
				op.Result(i).ReplaceAllUsesWith(null)
			}
		}
		op.Erase()
		return true
	}
	if len(owners) != 1 || len(retained) > 1 {
		return false
	}
	o := owners[0]
	if len(retained) == 1 {
		// What is retained is the very buffer.
		if !f.together(o, retained.At(0)) {
			return false
		}
		op.ReplaceAllUsesWith([]*ir.Value{o})
		op.Erase()
		return true
	}
	if f.null[o] != mayOwn {
		return false
	}
	m := f.bufferOf(o)
	if m == nil {
		return false
	}
	memref.NewDealloc(b, m)
	op.Erase()
	return true
}

// dropOwners erases owners without use, and makes those null that are only handed around
// between regions.
func dropOwners(b *ir.Builder, fn *ir.Op) bool {
	needed := neededOwners(fn)
	changed := false
	var made []*ir.Op
	fn.Walk(func(op *ir.Op) bool {
		if op.Is(deallocation.Own) || op.Is(deallocation.Null) {
			made = append(made, op)
		}
		return true
	})
	for _, op := range made {
		switch {
		case !op.HasUses():
			op.Erase()
			changed = true
		case op.Is(deallocation.Own) && !needed[op.Result(0)]:
			b.SetBefore(op)
			b.Loc = op.Loc()
			op.ReplaceAllUsesWith([]*ir.Value{deallocation.NewNull(b)})
			op.Erase()
			changed = true
		}
	}
	return changed
}

// neededOwners returns the owners that matter to operations other than those that hand
// them from region to region.
func neededOwners(fn *ir.Op) map[*ir.Value]bool {
	f := analyzeOwners(fn)
	handed := map[*ir.Use]bool{}
	forEachRegionBranch(fn, func(operands ir.Operands, inputs []*ir.Value) {
		for i := range min(len(operands), len(inputs)) {
			handed[&operands[i]] = true
		}
	})
	needed := map[*ir.Value]bool{}
	var work []*ir.Value
	for o := range f.null {
		for u := o.FirstUse(); u != nil; u = u.Next() {
			if !handed[u] && !needed[o] {
				needed[o] = true
				work = append(work, o)
			}
		}
	}
	for len(work) > 0 {
		o := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range f.into[o] {
			if !needed[s.from] {
				needed[s.from] = true
				work = append(work, s.from)
			}
		}
	}
	return needed
}
