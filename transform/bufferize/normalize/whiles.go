package normalize

import (
	"math"

	"freehold/dialect/arith"
	"freehold/dialect/scf"
	"freehold/ir"
)

// UpliftWhiles writes loops with a condition that count up to a number as `scf.for`, of which more is known: how often they run, and in which iteration an
// element is looked at. Frontends such as JAX write no other loops. It returns how many there were. Linear time.
func UpliftWhiles(fn *ir.Op) (n int) {
	b := ir.NewBuilder(fn.Context())
	fn.WalkPostOrder(func(op *ir.Op) {
		if !op.Is(scf.While) || len(op.DiscardableAttrs()) > 0 {
			return
		}
		if l := countingOf(scf.WhileOp{Op: op}); l != nil {
			l.uplift(b)
			n++
		}
	})
	return n
}

// counting is a loop with a condition that does nothing but to compare a counter, which its body counts up.
type counting struct {
	scf.WhileOp
	counter     int // which of what the loop carries
	upper, step *ir.Value
	// forwarded are the arguments of the condition that each argument of the body is, or -1 for a value from before the loop.
	forwarded []int
}

// countingOf returns a loop as one that counts, or nil.
func countingOf(w scf.WhileOp) *counting {
	condition := w.Condition()
	compare := condition.Condition().DefiningOp()
	if compare == nil || !compare.Is(arith.CmpI) || compare.Block() != w.Before() {
		return nil
	}
	for op := range w.Before().Ops() {
		if op != compare && op != condition.Op && !op.Has(ir.TraitConstantLike) {
			return nil
		}
	}
	o := arith.CmpIOp{Op: compare}
	counter, upper := o.LHS(), o.RHS()
	switch arith.Predicate(compare) {
	case arith.SLT:
	case arith.SGT:
		counter, upper = upper, counter
	default:
		return nil
	}
	if counter.ParentBlock() != w.Before() || counter.DefiningOp() != nil {
		return nil
	}
	l := &counting{WhileOp: w, counter: counter.Index()}
	for _, v := range condition.Args().Values() {
		i := -1
		switch {
		case v.ParentBlock() != w.Before():
		case v.DefiningOp() == nil:
			i = v.Index()
		case !v.DefiningOp().Has(ir.TraitConstantLike):
			return nil
		}
		l.forwarded = append(l.forwarded, i)
	}
	if l.upper = l.invariant(upper); l.upper == nil || !l.counts() {
		return nil
	}
	return l
}

// invariant returns what a value of the condition is in all iterations, or nil.
func (l *counting) invariant(v *ir.Value) *ir.Value {
	if v.ParentBlock() != l.Before() || v.DefiningOp() != nil {
		return v // constants in the condition can be moved out
	}
	if next := l.Yield().Operand(v.Index()); next.ParentBlock() == l.After() && next.DefiningOp() == nil && l.forwarded[next.Index()] == v.Index() {
		return l.Inits().At(v.Index())
	}
	return nil
}

// counts tells whether the body counts up by a number that is known, and that doesn't go beyond the end of the type: a loop with a
// condition would begin again at its other end there.
func (l *counting) counts() bool {
	add := l.Yield().Operand(l.counter).DefiningOp()
	if add == nil || !add.Is(arith.AddI) || add.Block() != l.After() {
		return false
	}
	o := arith.BinaryOp{Op: add}
	counter, step := o.LHS(), o.RHS()
	if !l.isCounter(counter) {
		counter, step = step, counter
	}
	by, ok := ir.ConstantOf(step).(*ir.IntegerAttr)
	if !ok || by.Big != nil || !l.isCounter(counter) {
		return false
	}
	l.step = step
	most := largest(step.Type())
	switch n := by.Value; {
	case n == 1:
		return most > 0
	case n > 1:
		to, ok := ir.ConstantOf(l.upper).(*ir.IntegerAttr)
		return ok && to.Big == nil && !l.counterLeaves() && to.Value <= most-n
	}
	return false
}

// largest returns the largest number with a sign of a type, or, if its width isn't known or large, one that it certainly has.
func largest(t ir.Type) int64 {
	if t, ok := t.(*ir.IntegerType); ok && t.Width < 32 {
		return 1<<(t.Width-1) - 1
	}
	return math.MaxInt32
}

// isCounter tells whether a value of the body is the counter.
func (l *counting) isCounter(v *ir.Value) bool {
	return v.ParentBlock() == l.After() && v.DefiningOp() == nil && l.forwarded[v.Index()] == l.counter
}

// counterLeaves tells whether somebody asks for the counter after the loop.
func (l *counting) counterLeaves() bool {
	for i, from := range l.forwarded {
		if from == l.counter && l.Result(i).HasUses() {
			return true
		}
	}
	return false
}

// uplift puts a loop with a counter in the place of one with a condition.
func (l *counting) uplift(b *ir.Builder) {
	for _, block := range []*ir.Block{l.Before(), l.After()} {
		for op := range block.Ops() {
			if op.Has(ir.TraitConstantLike) {
				op.MoveBefore(l.Op)
			}
		}
	}
	b.SetBefore(l.Op)
	b.Loc = l.Loc()
	var inits []*ir.Value
	place := make([]int, len(l.Inits())) // of what the loop carries, among what the new one does
	for i, v := range l.Inits().Values() {
		if i != l.counter {
			place[i] = len(inits)
			inits = append(inits, v)
		}
	}
	lower := l.Inits().At(l.counter)
	made := scf.NewFor(b, lower, l.upper, l.step, inits, func(b *ir.Builder, counter *ir.Value, args []*ir.Value) (next []*ir.Value) {
		yield := l.Yield()
		for i, arg := range l.After().Args() {
			arg.ReplaceAllUsesWith(l.forward(i, counter, args, place))
		}
		for op := range l.After().Ops() {
			if op != yield {
				op.MoveToEnd(counter.ParentBlock())
			}
		}
		for i, v := range yield.Operands().Values() {
			if i != l.counter {
				next = append(next, v)
			}
		}
		return next
	})
	var last *ir.Value
	if l.counterLeaves() {
		b.SetBefore(l.Op)
		last = arith.New(b, arith.MaxSI, lower, l.upper)
	}
	for i := range l.NumResults() {
		if r := l.Result(i); r.HasUses() {
			r.ReplaceAllUsesWith(l.forward(i, last, made.Results().Values(), place))
		}
	}
	l.Erase()
}

// forward returns what the condition hands on as number i, for a counter and values of the rest of what the loop carries.
func (l *counting) forward(i int, counter *ir.Value, carried []*ir.Value, place []int) *ir.Value {
	switch from := l.forwarded[i]; from {
	case -1:
		return l.Condition().Args().At(i)
	case l.counter:
		return counter
	default:
		return carried[place[from]]
	}
}
