package analysis

import (
	"freehold/iface"
	"freehold/ir"
)

// LastUses knows for one block which of its operations is the last that uses a
// buffer or one that may come from the same allocation. It doesn't see later
// changes.
type LastUses struct {
	o *Origins
	// end is the block's last operation, which counts as a use of what is live at
	// the end of the block.
	end   *ir.Op
	kinds [unknownOrigin + 1]*ir.Op // the last uses of buffers by kind
	one   map[int]*ir.Op            // of buffers with that terminal alone
	many  map[*intSet]*ir.Op        // of buffers with those terminals
}

// NewLastUses looks at the operations of a block, with what is nested in them, but
// for those that ignore tells to leave out. Linear in the number of uses.
func NewLastUses(o *Origins, l *Liveness, b *ir.Block, ignore func(*ir.Op) bool) *LastUses {
	u := &LastUses{o: o, end: b.Last(), one: map[int]*ir.Op{}, many: map[*intSet]*ir.Op{}}
	for _, v := range l.LiveOut(b) {
		u.add(v, u.end)
	}
	for op := range b.Ops() {
		op.Walk(func(x *ir.Op) bool {
			if ignore(x) {
				return true
			}
			at := op
			if takesAddress(x) {
				at = u.end
			}
			for i := range x.NumOperands() {
				u.add(x.Operand(i), at)
			}
			return true
		})
	}
	return u
}

// takesAddress tells whether results that are no buffers may give access to the
// buffers among the operands, as pointers and tensors do.
func takesAddress(op *ir.Op) bool {
	other := false
	for i := range op.NumResults() {
		t := op.Result(i).Type()
		if ir.IsTensor(t) {
			return true // read later, whatever the operation itself does
		}
		other = other || !ir.IsMemRef(t)
	}
	if !other {
		return false
	}
	if _, dim := iface.ShapedDim.Of(op); dim {
		return false
	}
	if _, view := iface.ViewLike.Of(op); view {
		return false
	}
	if _, call := iface.Call.Of(op); call {
		return false // arguments are lent to a function until it returns
	}
	effects, known := iface.EffectsOf(op)
	return !known || len(effects) == 0 && op.NumRegions() == 0
}

func (u *LastUses) add(v *ir.Value, op *ir.Op) {
	if !ir.IsMemRef(v.Type()) {
		return
	}
	c := u.o.setOf(v)
	u.kinds[c.kind] = later(u.kinds[c.kind], op)
	if t, ok := c.terminals.only(); ok {
		u.one[t] = later(u.one[t], op)
	} else if c.terminals != nil {
		u.many[c.terminals] = later(u.many[c.terminals], op)
	}
}

// later returns the operation that comes later in the block; nil is before all.
func later(a, b *ir.Op) *ir.Op {
	if a == nil || b != nil && a.IsBefore(b) {
		return b
	}
	return a
}

// Of returns the last operation of the block that may use the buffer, itself or
// in its regions; the last operation if the buffer may be live at the block's end,
// nil if nothing uses it. It takes as many steps as v has terminals and there are
// different sets of several terminals in the block.
func (u *LastUses) Of(v *ir.Value) *ir.Op {
	c := u.o.setOf(v)
	if c.kind == unknownOrigin {
		return u.end
	}
	var last *ir.Op
	for k, op := range u.kinds {
		if c.kind.mayMeet(originKind(k)) {
			last = later(last, op)
		}
	}
	c.terminals.each(func(t int) { last = later(last, u.one[t]) })
	for s, op := range u.many {
		if last != op && later(last, op) == op && c.terminals.intersects(s) {
			last = op
		}
	}
	return last
}
