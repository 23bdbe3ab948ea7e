package verify

import (
	"fmt"
	"slices"

	"freehold/proof/kernel"
)

// backEdge is the state in which control goes back to the head of a loop.
type backEdge struct {
	*cut
	next kernel.Edge
	// points are, of each value, the objects made by the loop that it points to, and by the values, in order, by object.
	points [][]kernel.Target
	by     map[int][]int
}

// close checks that the head allows the state in which control goes back to it, and that nothing gets lost.
func (c *cut) close(next kernel.Edge) {
	b := &backEdge{cut: c, next: next, points: make([][]kernel.Target, len(next.Values)), by: map[int][]int{}}
	for k := range next.Values {
		if c.head.Values[k].Kind == kernel.Pointer { // as a number, it names no object
			b.passOn(k)
		}
	}
	now := &moment{values: next.Values, live: next.St.Live, names: b.names, lives: b.lives}
	for k := range next.Values {
		b.checkNames(k)
	}
	c.compare(next, now, "after an iteration")
	for o := c.before; o < len(c.v.Objects); o++ {
		if c.made(o) {
			b.checkLost(o)
		}
	}
}

// passOn finds out which objects made by the loop value k passes on.
func (b *backEdge) passOn(k int) {
	x := b.next.Values[k]
	for _, t := range b.v.Targets(x) {
		if b.made(t.Object) {
			b.points[k] = append(b.points[k], t)
			b.by[t.Object] = append(b.by[t.Object], k)
			if len(b.trees[k]) < len(b.c.About(k).To) && b.v.HoldsAddresses(b.next.St, x) {
				b.refuse("it carries a buffer with addresses")
			}
		}
		if t.Object >= b.before && b.v.Objects[t.Object].Kind == kernel.Stack {
			b.refuse("it carries a buffer on the stack that it reserves")
		}
	}
}

// sharing returns the values up to j that point to an object of value k, in order: with others it has nothing in common.
func (b *backEdge) sharing(k, j int) (out []int) {
	for _, t := range b.points[k] {
		for _, i := range b.by[t.Object] {
			if i > j {
				break
			}
			out = append(out, i)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// same returns the condition that two values point to the same object made by the loop.
func (b *backEdge) same(i, j int) kernel.Lit {
	out := kernel.No
	for _, s := range b.points[i] {
		for _, t := range b.points[j] {
			if s.Object == t.Object {
				out = b.v.F.Or(out, b.v.F.And(s.Guard, t.Guard))
			}
		}
	}
	return out
}

// names returns the condition that value k points to the object that value j is the first to point to.
func (b *backEdge) names(k, j int) kernel.Lit {
	out := kernel.No
	for _, t := range b.points[k] {
		out = b.v.F.Or(out, t.Guard)
	}
	for _, i := range b.sharing(k, j-1) {
		out = b.v.F.And(out, b.same(k, i).Not())
	}
	if j < k {
		out = b.v.F.And(out, b.same(k, j))
	}
	return out
}

// lives returns the condition that value j names an object that lives.
func (b *backEdge) lives(j int) kernel.Lit {
	out := kernel.No
	for _, t := range b.points[j] {
		out = b.v.F.Or(out, b.v.F.And(t.Guard, b.next.St.Live.Get(t.Object)))
	}
	return b.v.F.And(b.names(j, j), out)
}

// checkNames checks that value k points to nothing that values name to which it must not point, and that what it names lives.
func (b *backEdge) checkNames(k int) {
	r := b.c.About(k)
	if len(r.To) > 0 {
		for _, j := range b.sharing(k, k) {
			if !slices.Contains(r.To, fmt.Sprint("own:", j)) {
				b.require(b.names(k, j), "value %d points to what value %d names", k, j)
			}
		}
	}
	if _, ok := b.own[k]; ok && !r.Free {
		b.require(b.v.F.And(b.names(k, k), b.lives(k).Not()), "what value %d names lives", k)
	}
}

// checkLost checks that an object made by the loop is dead, or a value points to it.
func (b *backEdge) checkLost(o int) {
	lost := b.next.St.Live.Get(o)
	for _, k := range b.by[o] {
		if lost != kernel.No {
			lost = b.v.F.And(lost, b.v.PointsTo(b.next.Values[k], o).Not())
		}
	}
	b.require(lost, "an object is lost")
}
