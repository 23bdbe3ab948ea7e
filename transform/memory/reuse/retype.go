package reuse

import (
	"slices"

	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// retype gives a buffer another type of the same shape, and what sees parts of it what follows
// from that. It returns what takes that back, unless it is finished; nil, and nothing is changed, if an operation
// that uses one of them, other than those that skip tells, addresses its elements in a way that doesn't allow it.
func retype(v *ir.Value, t *ir.MemRefType, skip func(op *ir.Op) bool) *retyper {
	r := &retyper{skip: skip}
	if !(r.follow(v, t) && r.accepted()) {
		r.undo()
		return nil
	}
	return r
}

// retyper has given values other types.
type retyper struct {
	skip   func(op *ir.Op) bool
	values []*ir.Value
	before []ir.Type
	// collapses are those that become several operations.
	collapses []*ir.Op
}

// follow changes the type of a value and of its views, and tells whether all uses allow it. Types that stay the same may stand for other
// strides than before, so that what they don't say has to be followed, too.
func (r *retyper) follow(v *ir.Value, t *ir.MemRefType) bool {
	type view struct {
		v *ir.Value
		t *ir.MemRefType
	}
	before, ok := v.Type().(*ir.MemRefType)
	if !ok {
		return false
	}
	if before == t && interfaces.SameStrides(t, t) {
		return true
	}
	var views []view
	for u := v.FirstUse(); u != nil; u = u.Next() {
		op := u.Owner()
		if r.skip(op) {
			continue
		}
		addressing := interfaces.AddressingOf(u)
		if !addressing.Allows(before, t) {
			return false
		}
		if addressing != interfaces.AsViewed {
			continue
		}
		vt := memref.ViewType(op, t) // which depends on the types as they are
		if vt == nil || !isPureView(u) {
			return false
		}
		if op.Is(memref.CollapseShape) && !memref.GuaranteedCollapsible(op.Context(), t, memref.CollapseShapeOp{Op: op}.Reassociation()) {
			r.collapses = append(r.collapses, op)
		}
		views = append(views, view{op.Result(0), vt})
	}
	r.values, r.before = append(r.values, v), append(r.before, v.Type())
	v.SetType(t)
	for _, x := range views {
		if !r.follow(x.v, x.t) {
			return false
		}
	}
	return true
}

// accepted tells whether the operations that use the values are valid.
func (r *retyper) accepted() bool {
	for _, v := range r.values {
		for u := v.FirstUse(); u != nil; u = u.Next() {
			if op := u.Owner(); !r.skip(op) && !slices.Contains(r.collapses, op) && ir.VerifyOp(op) != nil {
				return false
			}
		}
	}
	return true
}

func (r *retyper) undo() {
	for i, v := range r.values {
		v.SetType(r.before[i])
	}
}

// finish makes valid operations of those that aren't. The values that they defined are gone.
func (r *retyper) finish() {
	for _, op := range r.collapses {
		b := ir.NewBuilder(op.Context())
		b.Loc = op.Loc()
		b.SetBefore(op)
		if v := op.Result(0); v.HasUses() {
			v.ReplaceAllUsesWith(memref.NewCollapsed(b, memref.CollapseShapeOp{Op: op}.Source(), memref.CollapseShapeOp{Op: op}.Reassociation()))
		}
		op.Erase()
	}
}
