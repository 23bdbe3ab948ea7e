package reuse

import (
	"freehold/dialect/memref"
	"freehold/iface"
	"freehold/ir"
)

// retype gives a buffer another type of the same shape, and what sees parts of it what follows
// from that. It returns what takes that back; false, and nothing is changed, if an operation
// that uses one of them, other than those that skip tells, doesn't accept it.
func retype(v *ir.Value, t *ir.MemRefType, skip func(op *ir.Op) bool) (undo func(), ok bool) {
	if v.Type() == t {
		return func() {}, true
	}
	r := &retyper{skip: skip}
	if !r.follow(v, t) || !r.accepted() {
		r.undo()
		return nil, false
	}
	return r.undo, true
}

type retyper struct {
	skip   func(op *ir.Op) bool
	values []*ir.Value
	before []ir.Type
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
			if call || branch || op.Has(ir.TraitTerminator) || !isPureView(u) && hasMemRefResults(op) || ir.VerifyOp(op) != nil {
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
