package reuse

import (
	"slices"

	"freehold/dialect/memref"
	"freehold/iface"
	"freehold/ir"
)

// retype gives a buffer another type of the same shape, and what sees parts of it what follows
// from that. It returns what takes that back, unless it is finished; nil, and nothing is changed, if an operation
// that uses one of them, other than those that skip tells, doesn't accept it.
func retype(v *ir.Value, t *ir.MemRefType, skip func(op *ir.Op) bool) *retyper {
	r := &retyper{skip: skip}
	if v.Type() != t && !(r.follow(v, t) && r.accepted()) {
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

// follow changes the type of a value and of its views.
func (r *retyper) follow(v *ir.Value, t *ir.MemRefType) bool {
	type view struct {
		v *ir.Value
		t *ir.MemRefType
	}
	var views []view
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if !isPureView(u) || r.skip(u.Owner()) {
			continue
		}
		vt := memref.ViewType(u.Owner(), t) // which depends on the types as they are
		if vt == nil {
			return false
		}
		if u.Owner().Is(memref.CollapseShape) && !memref.GuaranteedCollapsible(u.Owner().Context(), t, memref.CollapseShapeOp{Op: u.Owner()}.Reassociation()) {
			r.collapses = append(r.collapses, u.Owner())
		}
		if x := u.Owner().Result(0); x.Type() != vt {
			views = append(views, view{x, vt})
		}
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

// accepted tells whether the operations that use the values are valid, and don't pass on what has another type now.
func (r *retyper) accepted() bool {
	for _, v := range r.values {
		for u := v.FirstUse(); u != nil; u = u.Next() {
			op := u.Owner()
			if r.skip(op) {
				continue
			}
			_, call := iface.Call.Of(op)
			_, branch := iface.RegionBranch.Of(op)
			if call || branch || op.Has(ir.TraitTerminator) || !isPureView(u) && hasMemRefResults(op) ||
				!slices.Contains(r.collapses, op) && ir.VerifyOp(op) != nil {
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
			v.ReplaceAllUsesWith(memref.NewCollapsed(b, op.Operand(0), memref.CollapseShapeOp{Op: op}.Reassociation()))
		}
		op.Erase()
	}
}
