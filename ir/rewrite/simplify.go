package rewrite

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// SimplifyLevel is how much [SimplifyRegions] does.
type SimplifyLevel uint8

const (
	// SimplifyAggressive also merges blocks that do the same, and drops block
	// arguments that all predecessors pass the same value to.
	SimplifyAggressive SimplifyLevel = iota
	// SimplifyNormal erases unreachable blocks, and dead operations and arguments.
	SimplifyNormal
	// SimplifyNothing does nothing.
	SimplifyNothing
)

// regionSimplifier simplifies regions again and again.
type regionSimplifier struct {
	r        *Rewriter
	liveness liveness
}

// simplify simplifies the control flow of regions and all regions nested in them. It
// returns whether it erased anything other than arguments.
func (s *regionSimplifier) simplify(regions []*ir.Region, level SimplifyLevel) bool {
	if level == SimplifyNothing {
		return false
	}
	changed := s.liveness.erase(s.r, regions)
	if level == SimplifyAggressive {
		changed = mergeIdenticalBlocks(s.r, regions) || changed
		changed = dropRedundantArguments(s.r, regions) || changed
	}
	return changed
}

// EraseUnreachableBlocks erases the blocks, in the regions and those nested in
// them, that control can't reach. It returns whether there were any.
func EraseUnreachableBlocks(r *Rewriter, regions []*ir.Region) bool {
	erased := false
	work := append([]*ir.Region(nil), regions...)
	for len(work) > 0 {
		reg := work[len(work)-1]
		work = work[:len(work)-1]
		e, _ := eraseUnreachableIn(r, reg)
		erased = erased || e
		for b := reg.Entry(); b != nil; b = b.Next() {
			for op := b.First(); op != nil; op = op.Next() {
				work = append(work, op.Regions()...)
			}
		}
	}
	return erased
}

// eraseUnreachableIn is [EraseUnreachableBlocks] for the blocks of one region. If there
// are several, it also returns the others in the order of [postOrder].
func eraseUnreachableIn(r *Rewriter, reg *ir.Region) (erased bool, reachable []*ir.Block) {
	if reg.NumBlocks() <= 1 {
		return false, nil
	}
	reachable = postOrder(reg)
	if len(reachable) == reg.NumBlocks() {
		return false, reachable
	}
	for _, b := range reachable {
		b.SetMark(1)
	}
	var dead []*ir.Block
	for b := range reg.Blocks() {
		if b.Mark() == 0 {
			dead = append(dead, b)
			for _, a := range b.Args() {
				dropValueUses(a)
			}
			for op := range b.Ops() {
				dropResultUses(op)
			}
		}
	}
	for _, b := range reachable {
		b.SetMark(0)
	}
	for _, b := range dead {
		for u := b.FirstPred(); u != nil; u = b.FirstPred() {
			u.Drop()
		}
		r.EraseBlock(b)
	}
	return true, reachable
}

func dropValueUses(v *ir.Value) {
	for u := v.FirstUse(); u != nil; u = v.FirstUse() {
		u.Set(nil)
	}
}

// erase erases the blocks that are unreachable, and then operations whose results no
// live operation needs, and block arguments (not those of entries) that nothing live
// needs, also where they only need each other. It returns whether it erased a block or
// an operation. Linear time.
//
// An operation is live if it is a terminator or has effects, or if a live
// operation uses it. A value that a terminator passes to a successor is needed
// only if the successor's argument is.
func (l *liveness) erase(r *Rewriter, regions []*ir.Region) bool {
	return !l.allLive(regions) && l.eraseAll(r, regions)
}

// eraseAll is erase where there probably is dead code.
func (l *liveness) eraseAll(r *Rewriter, regions []*ir.Region) bool {
	erased := false
	for _, reg := range regions {
		erased = l.seed(r, reg) || erased
	}
	l.propagate()
	for _, reg := range regions {
		erased = l.eraseDead(r, reg) || erased
	}
	l.args.Reset()
	clear(l.orders)
	return erased
}

// liveness finds what is live. Live operations have a mark until they are visited to
// erase what is dead.
type liveness struct {
	ops    []*ir.Op     // live, and their operands are to be looked at
	values []*ir.Value  // live block arguments whose sources are to be looked at
	args   ir.Numbering // live block arguments
	passed []bool       // scratch
	chase  []*ir.Value  // see needed
	budget int          // of values that needed looks at
	// orders keeps the post-orders of regions with several blocks, as far as they are
	// known from the search for unreachable blocks.
	orders map[*ir.Region][]*ir.Block
}

// seed erases the blocks that can't be reached, tells whether there were any, and marks the
// operations that are live by themselves.
func (l *liveness) seed(r *Rewriter, reg *ir.Region) bool {
	erased := false
	if reg.NumBlocks() > 1 {
		var order []*ir.Block
		erased, order = eraseUnreachableIn(r, reg)
		if l.orders == nil {
			l.orders = map[*ir.Region][]*ir.Block{}
		}
		l.orders[reg] = order
	}
	for b := reg.Entry(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			for _, nested := range op.Regions() {
				erased = l.seed(r, nested) || erased
			}
			l.seedOp(op)
		}
	}
	return erased
}

func (l *liveness) seedOp(op *ir.Op) {
	if !op.Has(ir.TraitTerminator) && interfaces.WouldBeTriviallyDead(op) {
		return
	}
	if op.Mark() == 0 {
		// Its operands are marked while it is in the processor's cache.
		op.SetMark(1)
		l.markOperands(op)
	}
	if !op.Has(ir.TraitTerminator) {
		return
	}
	m, known := interfaces.Branch.Of(op)
	for i := range op.NumSuccessors() {
		args := op.Successor(i).Args()
		if known {
			_, _, produced := m.SuccessorOperands(op, i)
			args = args[:produced]
		}
		for _, a := range args {
			l.markArg(a)
		}
	}
}

func (l *liveness) markOp(op *ir.Op) {
	if op.Mark() == 0 {
		op.SetMark(1)
		l.ops = append(l.ops, op)
	}
}

func (l *liveness) markArg(v *ir.Value) {
	if v.ArgOwner().IsEntry() {
		return
	}
	if _, added := l.args.AddValue(v); added {
		l.values = append(l.values, v)
	}
}

func (l *liveness) markValue(v *ir.Value) {
	switch {
	case v == nil:
	case v.DefiningOp() != nil:
		l.markOp(v.DefiningOp())
	default:
		l.markArg(v)
	}
}

func (l *liveness) propagate() {
	for len(l.ops) > 0 || len(l.values) > 0 {
		if n := len(l.ops); n > 0 {
			op := l.ops[n-1]
			l.ops = l.ops[:n-1]
			l.markOperands(op)
			continue
		}
		n := len(l.values)
		v := l.values[n-1]
		l.values = l.values[:n-1]
		for u := v.ArgOwner().FirstPred(); u != nil; u = u.NextPred() {
			m, ok := interfaces.Branch.Of(u.Owner())
			if !ok {
				continue
			}
			start, count, produced := m.SuccessorOperands(u.Owner(), u.Index())
			if i := v.Index() - produced; i >= 0 && i < count {
				l.markValue(u.Owner().Operand(start + i))
			}
		}
	}
}

// markOperands marks the operands of a live operation, except those that it passes
// to successors.
func (l *liveness) markOperands(op *ir.Op) {
	n := op.NumOperands()
	m, ok := interfaces.Branch.Of(op)
	if !ok || op.NumSuccessors() == 0 {
		for i := range n {
			l.markValue(op.Operand(i))
		}
		return
	}
	if cap(l.passed) < n {
		l.passed = make([]bool, n)
	}
	passed := l.passed[:n]
	clear(passed)
	for s := range op.NumSuccessors() {
		start, count, _ := m.SuccessorOperands(op, s)
		for i := range count {
			passed[start+i] = true
		}
	}
	for i := range n {
		if !passed[i] {
			l.markValue(op.Operand(i))
		}
	}
}

func (l *liveness) eraseDead(r *Rewriter, reg *ir.Region) bool {
	entry := reg.Entry()
	if entry == nil {
		return false
	}
	if entry.Next() == nil {
		return l.eraseDeadIn(r, entry)
	}
	erased := false
	order := l.orders[reg]
	if order == nil {
		order = postOrder(reg)
	}
	for _, b := range order {
		l.eraseSuccessorOperands(b.Last())
		erased = l.eraseDeadIn(r, b) || erased
	}
	for b := entry.Next(); b != nil; b = b.Next() {
		if b.NumArgs() == 0 {
			continue
		}
		b.EraseArgs(func(i int) bool {
			if l.args.Value(b.Arg(i)) >= 0 {
				return false
			}
			dropValueUses(b.Arg(i))
			return true
		})
	}
	return erased
}

func (l *liveness) eraseDeadIn(r *Rewriter, b *ir.Block) bool {
	erased := false
	for op := b.Last(); op != nil; {
		prev := op.Prev()
		if op.Mark() == 0 {
			erased = true
			// What is nested may be live by itself.
			op.WalkPostOrder(func(o *ir.Op) { o.SetMark(0) })
			dropResultUses(op)
			r.Erase(op)
		} else {
			op.SetMark(0)
			for _, nested := range op.Regions() {
				erased = l.eraseDead(r, nested) || erased
			}
		}
		op = prev
	}
	return erased
}

// eraseSuccessorOperands drops what a terminator passes to dead arguments.
func (l *liveness) eraseSuccessorOperands(term *ir.Op) {
	if term == nil {
		return
	}
	m, ok := interfaces.Branch.Of(term)
	if !ok {
		return
	}
	for s := range term.NumSuccessors() {
		start, count, produced := m.SuccessorOperands(term, s)
		var kept []*ir.Value
		for i := range count {
			if l.args.Value(term.Successor(s).Arg(produced+i)) >= 0 {
				kept = append(kept, term.Operand(start+i))
			}
		}
		if len(kept) < count {
			m.SetSuccessorOperands(term, s, kept)
		}
	}
}
