package reuse

import (
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// carried is what a loop hands on from iteration to iteration at one place: in one block another value takes
// its place, and everywhere else it is only passed on.
type carried struct {
	loop *ir.Op
	k    int // its number among what the loop hands on
	// block is where another value takes its place: the body of scf.for, or either block of scf.while.
	block *ir.Block
	old   *ir.Value // the argument of the block
	next  *ir.Value // the operand of the terminator
	at    int       // and its number
	args  []*ir.Value
	// result is the number of the loop's result that is the last one. It is below 0 if a truth value is known
	// where the loop may end, and no longer passed on.
	result int
}

// carriedIn returns how many values a loop hands on.
func carriedIn(loop *ir.Op) int {
	m, _ := interfaces.LoopLike.Of(loop)
	_, n := m.Inits(loop)
	return n
}

// carriedAt returns one of what a loop hands on; nil if it takes other ways.
func carriedAt(loop *ir.Op, k int) *carried {
	c := &carried{loop: loop, k: k}
	if loop.Is(scf.For) {
		o := scf.ForOp{Op: loop}
		c.block, c.old, c.next, c.at, c.result = o.Body(), o.IterArgs()[k], o.Yield().Operand(k), k, k
		c.args = []*ir.Value{c.old}
		return c
	}
	o := scf.WhileOp{Op: loop}
	first, yielded := o.Before().Arg(k), o.Yield().Operand(k)
	if yielded.ArgOwner() == o.After() {
		// The first block makes the next one.
		j := yielded.Index()
		c.block, c.old, c.next, c.at, c.result = o.Before(), first, o.Condition().Args().At(j), j+1, j
		c.args = []*ir.Value{first, yielded}
		return c
	}
	// The second block does; the first one passes the old one on, once.
	j := -1
	for i, v := range o.Condition().Args().Values() {
		if v == first {
			if j >= 0 {
				return nil
			}
			j = i
		}
	}
	if j < 0 {
		// Truth values that are known in the second block aren't passed through it.
		c.block, c.old, c.next, c.result = o.Before(), first, yielded, -1
		c.args = []*ir.Value{first}
		return c
	}
	c.block, c.old, c.next, c.at, c.result = o.After(), o.After().Arg(j), yielded, k, j
	c.args = []*ir.Value{first, c.old}
	return c
}

// carriedAs returns what a loop hands on as a value of its body; nil if it is none of them.
func carriedAs(loop *ir.Op, old *ir.Value) *carried {
	if !old.IsBlockArg() || old.ArgOwner().ParentOp() != loop {
		return nil
	}
	if loop.Is(scf.For) {
		if k := old.Index() - 1; k >= 0 { // the first is the induction variable
			return carriedAt(loop, k)
		}
		return nil
	}
	for k := range carriedIn(loop) {
		if c := carriedAt(loop, k); c != nil && c.old == old {
			return c
		}
	}
	return nil
}

// start returns the first value.
func (c *carried) start() *ir.Value {
	m, _ := interfaces.LoopLike.Of(c.loop)
	start, _ := m.Inits(c.loop)
	return c.loop.Operand(start + c.k)
}

// usedOnce tells whether the value is only passed on, and used once where another one takes its place.
func (c *carried) usedOnce() bool {
	for _, v := range c.args {
		if !v.HasOneUse() {
			return false
		}
	}
	return true
}

// addSpare lets the loop hand on a second value, which takes the place of the next one, and becomes the old one. It
// returns the loop, whose last result is that value.
func (c *carried) addSpare(b *ir.Builder, init *ir.Value) *ir.Op {
	swap := func(_ *ir.Builder, args []*ir.Value) []*ir.Value {
		block := args[0].ArgOwner()
		old := block.Arg(c.old.Index())
		c.next.ReplaceUsesIf(args[0], func(u *ir.Use) bool { return block.AncestorIn(u.Owner()) != nil })
		return []*ir.Value{old}
	}
	pass := func(_ *ir.Builder, args []*ir.Value) []*ir.Value { return args }
	switch m, _ := interfaces.LoopLike.Of(c.loop); {
	case c.loop.Is(scf.For):
		return m.AddInits(b, c.loop, []*ir.Value{init}, swap)
	case c.block == (scf.WhileOp{Op: c.loop}).Before():
		return scf.WhileOp{Op: c.loop}.AddInits(b, []*ir.Value{init}, swap, pass).Op
	default:
		return scf.WhileOp{Op: c.loop}.AddInits(b, []*ir.Value{init}, pass, swap).Op
	}
}
