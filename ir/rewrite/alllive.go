package rewrite

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// stepsPerArg bounds how many values are looked at, for each block argument, to see that
// all arguments are needed.
const stepsPerArg = 8

// allLive tells whether it is sure that the regions hold no dead code, which is so after
// most rewrites: no operation without effects is without uses, and every block argument
// is needed by an operation that is live by itself. Then no operation is dead, since the
// last one of a chain of dead operations would have no uses; dominance forbids cycles
// that don't lead through block arguments. Blocks that can't be reached count as dead code
// as well. It takes linear time and looks at far less memory than the search for what is
// live: not at operands.
func (l *liveness) allLive(regions []*ir.Region) bool {
	l.budget = stepsPerArg
	live := true
	for _, r := range regions {
		if live = l.regionLive(r); !live {
			break
		}
	}
	l.args.Reset()
	return live
}

func (l *liveness) regionLive(r *ir.Region) bool {
	if r.NumBlocks() > 1 && len(postOrder(r)) != r.NumBlocks() {
		return false
	}
	ssa := ir.HasSSADominance(r)
	// Arguments are mostly needed by operations that come later: from the end on, these
	// are known.
	for b := r.Last(); b != nil; b = b.Prev() {
		for op := b.First(); op != nil; op = op.Next() {
			if (!ssa || !op.HasUses()) && interfaces.WouldBeTriviallyDead(op) {
				return false
			}
			for _, nested := range op.Regions() {
				if !l.regionLive(nested) {
					return false
				}
			}
		}
		if b.IsEntry() {
			continue
		}
		l.budget += stepsPerArg * b.NumArgs()
		for _, a := range b.Args() {
			if !l.needed(a) {
				return false
			}
		}
	}
	return true
}

// needed tells whether it is sure that an argument of a block is needed, which it is if
// one of its uses is by an operation that is live by itself, or leads to one by way of
// results and arguments.
func (l *liveness) needed(arg *ir.Value) bool {
	if l.args.Value(arg) >= 0 {
		return true
	}
	l.chase = append(l.chase[:0], arg)
	for i := 0; i < len(l.chase); i++ {
		if l.budget -= 1 + i/stepsPerArg; l.budget < 0 {
			return false
		}
		for u := l.chase[i].FirstUse(); u != nil; u = u.Next() {
			if l.rooted(u) {
				l.args.AddValue(arg)
				return true
			}
		}
	}
	return false
}

// rooted tells whether a use makes a value needed. If that depends on other values, it
// adds them to those that are looked at.
func (l *liveness) rooted(u *ir.Use) bool {
	op := u.Owner()
	if op.NumSuccessors() == 0 {
		if op.Has(ir.TraitTerminator) || !interfaces.WouldBeTriviallyDead(op) {
			return true
		}
		for i := range op.NumResults() {
			l.chase = append(l.chase, op.Result(i))
		}
		return false
	}
	m, ok := interfaces.Branch.Of(op)
	if !ok {
		return true
	}
	passed := false
	for s := range op.NumSuccessors() {
		start, count, produced := m.SuccessorOperands(op, s)
		i := u.Index() - start
		if i < 0 || i >= count {
			continue
		}
		passed = true
		a := op.Successor(s).Arg(produced + i)
		if l.args.Value(a) >= 0 {
			return true
		}
		if !slices.Contains(l.chase, a) {
			l.chase = append(l.chase, a)
		}
	}
	return !passed
}
