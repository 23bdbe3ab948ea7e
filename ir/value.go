package ir

import (
	"slices"
	"unsafe"
)

// Value is the result of an operation or the argument of a block.
type Value struct {
	typ  Type
	uses *Use // first use; the last use added comes first
	// owner is the *Op whose result this is, or, with ofBlock set, the *Block whose
	// argument it is. Two pointers would make values a sixth larger.
	owner unsafe.Pointer
	slot  slot // see Numbering
}

// ofBlock marks the index of a block argument.
const ofBlock = 1 << 31

// op returns the operation whose result the value is, or nil.
func (v *Value) op() *Op {
	if v.slot.index&ofBlock != 0 {
		return nil
	}
	return (*Op)(v.owner)
}

// block returns the block whose argument the value is, or nil.
func (v *Value) block() *Block {
	if v.slot.index&ofBlock == 0 {
		return nil
	}
	return (*Block)(v.owner)
}

// setResult makes the value result i of an operation.
func (v *Value) setResult(o *Op, i int) { v.owner, v.slot.index = unsafe.Pointer(o), uint32(i) }

// setArg makes the value argument i of a block.
func (v *Value) setArg(b *Block, i int) { v.owner, v.slot.index = unsafe.Pointer(b), uint32(i)|ofBlock }

// blockArg is a value that is a block argument.
type blockArg struct {
	Value
	loc Location // nil means unknown
}

// arg returns the argument that the value is; it must be one.
func (v *Value) arg() *blockArg { return (*blockArg)(unsafe.Pointer(v)) }

// Type returns the value's type.
func (v *Value) Type() Type { return v.typ }

// SetType changes the value's type. The caller sees to it that all uses accept
// it. O(uses).
func (v *Value) SetType(t Type) {
	if v.typ == t {
		return
	}
	v.typ = t
	if o := v.op(); o != nil {
		o.changed()
	} else {
		v.block().changed()
	}
	for u := v.uses; u != nil; u = u.next {
		u.owner.changed()
	}
}

// DefiningOp returns the operation whose result the value is, or nil for a block
// argument.
func (v *Value) DefiningOp() *Op { return v.op() }

// ArgOwner returns the block whose argument the value is, or nil for a result.
func (v *Value) ArgOwner() *Block { return v.block() }

// IsBlockArg tells whether the value is a block argument.
func (v *Value) IsBlockArg() bool { return v.slot.index&ofBlock != 0 }

// Index returns the number of the result or argument.
func (v *Value) Index() int { return int(v.slot.index &^ ofBlock) }

// ParentBlock returns the block in which the value is defined; nil for the
// result of a detached operation.
func (v *Value) ParentBlock() *Block {
	if o := v.op(); o != nil {
		return o.block
	}
	return v.block()
}

// DefinedBy returns the operation that defines the value if it is of the given
// identity, else nil.
func (v *Value) DefinedBy(id *OpID) *Op {
	if op := v.DefiningOp(); op != nil && op.Is(id) {
		return op
	}
	return nil
}

// ParentRegion returns the region in which the value is defined, or nil.
func (v *Value) ParentRegion() *Region {
	if b := v.ParentBlock(); b != nil {
		return b.region
	}
	return nil
}

// Loc returns where the value comes from.
func (v *Value) Loc() Location {
	if o := v.op(); o != nil {
		return o.loc
	}
	if v.owner == nil {
		return Unknown
	}
	if l := v.arg().loc; l != nil {
		return l
	}
	return Unknown
}

// SetArgLoc sets the location of a block argument.
func (v *Value) SetArgLoc(l Location) { v.arg().loc = l }

// HasUses tells whether anything uses the value.
func (v *Value) HasUses() bool { return v.uses != nil }

// HasOneUse tells whether the value has exactly one use.
func (v *Value) HasOneUse() bool { return v.uses != nil && v.uses.next == nil }

// FirstUse returns the first use, or nil; follow [Use.Next] for the others. The
// use that was added last comes first.
func (v *Value) FirstUse() *Use { return v.uses }

// Uses returns all uses. The slice is a copy, so uses may be changed while it is
// read.
func (v *Value) Uses() []*Use {
	var out []*Use
	for u := v.uses; u != nil; u = u.next {
		out = append(out, u)
	}
	return out
}

// UsesWithin returns the uses by operations nested in o. It looks at the uses or at
// these operations, whichever are fewer; the last one comes first.
func (v *Value) UsesWithin(o *Op) []*Use {
	rest := v.uses
	if out, all := v.usesNested(o, &rest, nil); all {
		slices.Reverse(out)
		return out
	}
	var out []*Use
	for u := v.uses; u != nil; u = u.next {
		if u.owner != o && o.IsAncestorOf(u.owner) {
			out = append(out, u)
		}
	}
	return out
}

// usesNested appends the uses by operations nested in o, unless these operations are as many as the
// uses that are left.
func (v *Value) usesNested(o *Op, left **Use, out []*Use) (_ []*Use, all bool) {
	for _, r := range o.Regions() {
		for b := r.first; b != nil; b = b.next {
			for x := b.first; x != nil; x = x.next {
				if *left == nil {
					return nil, false
				}
				*left = (*left).next
				for i := range x.Operands() {
					if u := &x.Operands()[i]; u.value == v {
						out = append(out, u)
					}
				}
				if x.NumRegions() > 0 {
					if out, all = v.usesNested(x, left, out); !all {
						return nil, false
					}
				}
			}
		}
	}
	return out, true
}

// UsesIn returns the uses by operations of the block, without those nested in
// them. It looks at the uses or at the operations, whichever are fewer.
func (v *Value) UsesIn(b *Block) []*Use {
	var out []*Use
	u, o := v.uses, b.last
	for u != nil && o != nil {
		u, o = u.next, o.prev
	}
	if u == nil {
		for u := v.uses; u != nil; u = u.next {
			if u.owner.block == b {
				out = append(out, u)
			}
		}
		return out
	}
	for o := b.last; o != nil; o = o.prev {
		for i := len(o.Operands()) - 1; i >= 0; i-- {
			if o.Operands()[i].value == v {
				out = append(out, &o.Operands()[i])
			}
		}
	}
	return out
}

// ReplaceAllUsesWith makes every use of v a use of w. O(uses).
func (v *Value) ReplaceAllUsesWith(w *Value) {
	if v == w {
		return
	}
	for v.uses != nil {
		v.uses.Set(w)
	}
}

// TakeUses makes every use of w a use of v. They come before the uses that v had,
// in the order they have. O(uses of w).
func (v *Value) TakeUses(w *Value) {
	if w.uses == nil || v == w {
		return
	}
	last := w.uses
	for u := w.uses; u != nil; u = u.next {
		u.value = v
		if v.typ != w.typ {
			u.owner.changed()
		}
		last = u
	}
	if last.next = v.uses; v.uses != nil {
		v.uses.prev = last
	}
	v.uses, w.uses = w.uses, nil
}

// OrderUses gives the uses another order: the use that is number i becomes number
// places[i]. It returns false, and does nothing, if that is no permutation of the uses.
// O(uses).
func (v *Value) OrderUses(places []uint32) bool {
	ordered := make([]*Use, len(places))
	i := 0
	for u := v.uses; u != nil; u = u.next {
		if i == len(places) || places[i] >= uint32(len(places)) || ordered[places[i]] != nil {
			return false
		}
		ordered[places[i]] = u
		i++
	}
	if i < len(places) {
		return false
	}
	v.uses = nil
	for _, u := range slices.Backward(ordered) {
		u.link(v)
	}
	return true
}

// ReplaceUsesIf makes the uses of v that the predicate chooses uses of w.
func (v *Value) ReplaceUsesIf(w *Value, choose func(*Use) bool) {
	for u := v.uses; u != nil; {
		next := u.next
		if choose(u) {
			u.Set(w)
		}
		u = next
	}
}

// Use is an operand of an operation: one use of a value.
type Use struct {
	value      *Value
	owner      *Op
	next, prev *Use
	index      int32
	hint       uint32 // see Hint
}

// Value returns the value that is used.
func (u *Use) Value() *Value { return u.value }

// Owner returns the operation that uses the value.
func (u *Use) Owner() *Op { return u.owner }

// Index returns the number of the operand.
func (u *Use) Index() int { return int(u.index) }

// Hint returns what [Use.SetHint] set last, or 0. It is for tables of uses, which leave
// there where the use is in the table; another table may have overwritten that since,
// so a table looks whether it finds the use at that place. Only one goroutine at a time
// may fill tables with the uses of a program.
func (u *Use) Hint() uint32 { return u.hint }

// SetHint sets what [Use.Hint] returns.
func (u *Use) SetHint(h uint32) { u.hint = h }

// Next returns the next use of the same value, or nil.
func (u *Use) Next() *Use { return u.next }

// Set makes this a use of v.
func (u *Use) Set(v *Value) {
	if v == nil || u.value == nil || v.typ != u.value.typ {
		u.owner.changed()
	}
	u.unlink()
	u.link(v)
}

func (u *Use) link(v *Value) {
	u.value = v
	if v == nil {
		return
	}
	u.prev, u.next = nil, v.uses
	if v.uses != nil {
		v.uses.prev = u
	}
	v.uses = u
}

func (u *Use) unlink() {
	if u.value == nil {
		return
	}
	if u.prev != nil {
		u.prev.next = u.next
	} else {
		u.value.uses = u.next
	}
	if u.next != nil {
		u.next.prev = u.prev
	}
	u.value, u.prev, u.next = nil, nil, nil
}

// relocate moves the use u, which keeps its place in the value's list, to dst.
func (u *Use) relocate(dst *Use) {
	*dst = *u
	if dst.prev != nil {
		dst.prev.next = dst
	} else if dst.value != nil {
		dst.value.uses = dst
	}
	if dst.next != nil {
		dst.next.prev = dst
	}
}

// Operands is a list of consecutive operands of an operation.
type Operands []Use

// At returns the value of operand i of the list.
func (o Operands) At(i int) *Value { return o[i].value }

// Equal tells whether the operands are just these values.
func (o Operands) Equal(values []*Value) bool {
	if len(o) != len(values) {
		return false
	}
	for i := range o {
		if o[i].value != values[i] {
			return false
		}
	}
	return true
}

// Values returns the values of the operands.
func (o Operands) Values() []*Value {
	out := make([]*Value, len(o))
	for i := range o {
		out[i] = o[i].value
	}
	return out
}

// Types returns the types of the operands.
func (o Operands) Types() []Type {
	out := make([]Type, len(o))
	for i := range o {
		out[i] = o[i].value.typ
	}
	return out
}

// Results is a list of consecutive results of an operation.
type Results []Value

// At returns result i of the list.
func (r Results) At(i int) *Value { return &r[i] }

// Values returns the results as a list.
func (r Results) Values() []*Value {
	out := make([]*Value, len(r))
	for i := range r {
		out[i] = &r[i]
	}
	return out
}

// haveTypes tells whether the results have just these types.
func (r Results) haveTypes(types []Type) bool {
	if len(r) != len(types) {
		return false
	}
	for i := range r {
		if r[i].typ != types[i] {
			return false
		}
	}
	return true
}

// Types returns the types of the results.
func (r Results) Types() []Type {
	out := make([]Type, len(r))
	for i := range r {
		out[i] = r[i].typ
	}
	return out
}

// TypesOf returns the types of the values.
func TypesOf(values []*Value) []Type {
	out := make([]Type, len(values))
	for i, v := range values {
		out[i] = v.typ
	}
	return out
}
