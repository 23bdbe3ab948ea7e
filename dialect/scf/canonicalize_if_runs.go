package scf

import (
	"freehold/ir"
	"freehold/ir/rewrite"
)

// ifRun are neighbouring conditionals on the same condition, or on one and its negation.
type ifRun struct {
	members []IfOp
	// flipped tells of each whether its condition is the negation of that of the first one.
	flipped []bool
	number  map[*ir.Op]int
}

// combineIfs joins neighbouring conditionals on the same condition, or on one and its negation: all that follow each other at once, so that what
// many of them compute is moved once. It takes the time of what is in them, but in the first one.
func combineIfs(r *rewrite.Rewriter, op *ir.Op) bool {
	if prev := op.Prev(); prev == nil || !prev.Is(If) {
		return false
	}
	run := ifRunAt(op)
	if run == nil {
		return false
	}
	run.forwardResults(r)
	last := run.members[len(run.members)-1]
	r.At(last.Op)
	var types []ir.Type
	for _, m := range run.members {
		types = append(types, m.Results().Types()...)
	}
	c := newBareIf(r, types, run.members[0].Condition())
	run.join(r, c)
	results := c.Results().Values()
	for _, m := range run.members {
		n := m.NumResults()
		r.Replace(m.Op, results[:n]...)
		results = results[n:]
	}
	return true
}

// ifRunAt returns the run that a conditional and the one before it are in; nil if that is another one.
func ifRunAt(op *ir.Op) *ifRun {
	first := op.Prev()
	for x := first; x != nil && x.Is(If) && sameOrNegated(x, op); x = x.Prev() {
		first = x
	}
	run := &ifRun{number: map[*ir.Op]int{}}
	for x := first; x != nil && x.Is(If); x = x.Next() {
		flipped := IfOp{x}.Condition() != IfOp{first}.Condition()
		if flipped && !sameOrNegated(first, x) {
			break
		}
		run.number[x] = len(run.members)
		run.members, run.flipped = append(run.members, IfOp{x}), append(run.flipped, flipped)
	}
	if n, ok := run.number[op]; !ok || n == 0 {
		return nil
	}
	return run
}

// sameOrNegated tells whether two conditionals have the same condition, or one that of the other negated.
func sameOrNegated(x, y *ir.Op) bool {
	a, b := IfOp{x}.Condition(), IfOp{y}.Condition()
	return a == b || negated(a) == b || negated(b) == a
}

// blocks returns the blocks of the conditionals that are executed if the condition of the first one holds (0), or if it doesn't (1).
func (run *ifRun) blocks(i int) (out []*ir.Block) {
	for k, m := range run.members {
		if b := m.RegionAt(run.side(k, i)).Entry(); b != nil {
			out = append(out, b)
		}
	}
	return out
}

// side returns the number of the region of member k that is executed where region i of the first one is.
func (run *ifRun) side(k, i int) int {
	if run.flipped[k] {
		return 1 - i
	}
	return i
}

// forwardResults has uses of results, in the conditionals that follow, be of what is yielded there.
func (run *ifRun) forwardResults(r *rewrite.Rewriter) {
	for k, m := range run.members {
		for i, v := range m.Results().Values() {
			for _, u := range v.Uses() {
				in := m.Block().AncestorIn(u.Owner())
				l, ok := run.number[in]
				if !ok || in == u.Owner() {
					continue
				}
				side := 0
				if in.RegionAt(1).IsAncestorOf(u.Owner().Region()) {
					side = 1
				}
				if run.flipped[l] != run.flipped[k] {
					side = 1 - side
				}
				r.Modify(u.Owner(), func() { u.Set(yieldOf(m.RegionAt(side).Entry()).Operand(i)) })
			}
		}
	}
}

// join moves what the conditionals do into the regions of a new one, which yields what they yield, in order.
func (run *ifRun) join(r *rewrite.Rewriter, c IfOp) {
	for i := range 2 {
		blocks := run.blocks(i)
		if len(blocks) == 0 {
			continue
		}
		into := blocks[0]
		moveBody(r, into.Region(), c.RegionAt(i))
		if len(blocks) == 1 {
			continue
		}
		values := yieldOf(into).Operands().Values()
		yields := []*ir.Op{yieldOf(into)}
		for _, b := range blocks[1:] {
			y := yieldOf(b)
			values, yields = append(values, y.Operands().Values()...), append(yields, y)
			r.MergeBlocks(b, into, nil)
		}
		r.SetEnd(into)
		r.Loc = yields[len(yields)-1].Loc()
		NewYield(r.Builder, values...)
		for _, y := range yields {
			r.Erase(y)
		}
	}
}
