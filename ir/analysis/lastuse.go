package analysis

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// LastUses tells, of the operations of a block that were added, which one is the last that
// uses a buffer, or one that may come from the same allocation; or the first.
type LastUses struct {
	o     *Origins
	first bool
	kinds [unseenOrigin + 1]*ir.Op // the last uses of buffers by kind
	one   recent[int]              // of buffers with that terminal alone
	// fresh holds the last uses of allocations by their own names, which aren't in one.
	fresh recent[int]
	many  recent[*intSet] // of buffers with those terminals
	// few is many for small sets, which are found by their terminals.
	few        recent[*intSet]
	byTerminal setIndex
	// opaque is the last operation that may use memory in a way that its operands don't
	// tell.
	opaque *ir.Op
	// moved holds the operations that came later when they were added.
	moved map[*ir.Op]bool
}

// NewLastUses returns a table without uses.
func (o *Origins) NewLastUses() *LastUses {
	return &LastUses{o: o}
}

// NewFirstUses returns a table that tells the first uses.
func (o *Origins) NewFirstUses() *LastUses {
	u := o.NewLastUses()
	u.first = true
	return u
}

// Add adds the buffers that an operation uses, itself or in its regions: by the operands
// that which tells, or by all if it is nil.
func (u *LastUses) Add(op *ir.Op, which func(x *ir.Op, operand int) bool) {
	op.Walk(func(x *ir.Op) bool {
		for i := range x.NumOperands() {
			// Most operands are numbers, in the bodies of structured operations.
			if v := x.Operand(i); u.o.mayReach(v) && (which == nil || which(x, i)) {
				u.AddValue(v, op)
			}
		}
		if u.o.escapes && isOpaque(x) {
			u.opaque = u.later(u.opaque, op)
		}
		return true
	})
}

// Moved says that an operation whose uses were added was moved towards the start of the block. A table of first uses can't follow that.
func (u *LastUses) Moved(op *ir.Op) {
	if u.moved == nil {
		u.moved = map[*ir.Op]bool{}
	}
	u.moved[op] = true
}

// mayReach tells whether a value is a buffer, or carries the address of one.
func (o *Origins) mayReach(v *ir.Value) bool { return ir.IsMemRef(v.Type()) || o.isCarrier(v) }

// AddValue adds a use of the buffer that a value is, or that it carries the address of.
func (u *LastUses) AddValue(v *ir.Value, op *ir.Op) {
	if !u.o.mayReach(v) {
		return
	}
	c := u.o.setOf(v)
	u.kinds[c.kind] = u.later(u.kinds[c.kind], op)
	if t, ok := c.terminals.only(); ok && ViewBase(v) == u.o.order[t] {
		u.fresh.put(t, op, u)
	} else if ok {
		u.one.put(t, op, u)
	} else if c.terminals == nil {
		return
	} else if c.terminals.isSmall() {
		if u.byTerminal == nil {
			u.byTerminal = setIndex{}
		}
		if _, known := u.few.at[c.terminals]; !known {
			u.byTerminal.add(c.terminals)
		}
		u.few.put(c.terminals, op, u)
	} else {
		u.many.put(c.terminals, op, u)
	}
}

// ExistsBefore tells whether a value has been computed whenever an operation in its block, or nested in that, is
// executed. So it isn't what the operation makes then, but may be what it made in an iteration before.
func ExistsBefore(v *ir.Value, op *ir.Op) bool {
	x := v.ParentBlock().AncestorIn(op)
	return x != nil && (v.IsBlockArg() || v.DefiningOp() != x && v.DefiningOp().IsBefore(x))
}

// isAllocatedAnew tells whether a value is what an operation allocates, or what a call does that nothing else can reach.
func (o *Origins) isAllocatedAnew(v *ir.Value) bool {
	return allocated(v) || v.DefiningOp() != nil && o.calls.Fresh(v.DefiningOp(), v.Index())
}

// isOpaque tells whether an operation itself may use memory in a way that its operands
// don't tell.
func isOpaque(op *ir.Op) bool {
	if !interfaces.AccessesOperands.Has(op) {
		effects, known := interfaces.EffectsOf(op)
		if !known && !interfaces.ConditionalFree.Has(op) && !interfaces.IsRegionTerminator(op) {
			return true
		}
		for _, e := range effects {
			if v := e.Value(op); e.Kind != interfaces.Allocate && (v == nil || !ir.IsMemRef(v.Type())) {
				return true
			}
		}
	}
	for i := range op.NumOperands() {
		if ir.IsTensor(op.Operand(i).Type()) {
			return true
		}
	}
	return false
}

// later returns the operation that comes later in the block, or earlier if the table tells
// the first; nil is none.
func (u *LastUses) later(a, b *ir.Op) *ir.Op {
	if a == nil || b != nil && a != b && a.IsBefore(b) != u.first {
		return b
	}
	return a
}

// Of returns the last operation that may use the buffer, itself or in its regions; nil if
// there is none. By [Buffers], other uses of memory count where the buffer can be reached
// by other ways than values; under the function boundary ABI, arguments can't. It takes as
// many steps as v has terminals, or buffers were used later, if these are fewer, and as different sets of several terminals were.
func (u *LastUses) Of(v *ir.Value) *ir.Op {
	c := u.o.setOf(v)
	var last *ir.Op
	if byABI := u.o.dom != nil && c.kind < unknownOrigin && c.kind != allocatedOrigin; c.kind != localOrigin && !byABI {
		last = u.opaque
	}
	for k, op := range u.kinds {
		if c.kind.mayMeet(originKind(k)) {
			last = u.later(last, op)
		}
	}
	base := ViewBase(v)
	// What was allocated after v came about, such as by a loop that hands it on, is another buffer.
	isOther := func(t int) bool {
		return u.o.isAllocatedAnew(u.o.order[t]) && ExistsBefore(base, u.o.order[t].DefiningOp())
	}
	if c.terminals.fewerThan(len(u.one.at) + len(u.fresh.at)) {
		c.terminals.each(func(t int) {
			last = u.later(last, u.one.get(t))
			if op := u.fresh.get(t); last != op && u.later(last, op) == op && !isOther(t) {
				last = op
			}
		})
	} else {
		last = u.one.last(last, u, c.terminals.has)
		last = u.fresh.last(last, u, func(t int) bool { return c.terminals.has(t) && !isOther(t) })
	}
	if u.byTerminal.fewMeet(c.terminals) {
		c.terminals.each(func(t int) {
			for _, s := range u.byTerminal[t] {
				last = u.later(last, u.few.get(s))
			}
		})
	} else {
		last = u.few.last(last, u, c.terminals.intersects)
	}
	return u.many.last(last, u, c.terminals.intersects)
}
