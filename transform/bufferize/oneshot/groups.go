package oneshot

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// groups knows of each set of aliases, while decisions are taken, how its buffer is used.
//
// Whether a read conflicts with a write depends on no decision, and as long as an operand
// is only made to work in place if that adds no conflict, no set has one. So only pairs are
// looked at of which one side is new: from two sets that a decision would join, or the
// operand's own write.
type groups struct {
	*analysis
	of     []group // by the number of the set's root
	links  []link  // by the plan's entries
	order  order
	spans  []span  // by the plan's entries
	sinces []since // by the numbers of values
}

// group is what is known of a set of aliases. Its uses are lists of the plan's entries.
type group struct {
	known    bool
	readOnly *ir.Value // a member that is not writable, if there is one
	// reads lists the uses that lead to a read; writes those that write in place.
	reads, writes useList
	reach         reach
}

// useList is a list of entries, as their positions plus one. Links lead from each to the
// next.
type useList struct{ first, last uint32 }

type link struct{ read, write uint32 }

// root returns the number of the root of a value's set, and sees to it that the group is
// known.
func (g *groups) root(v *ir.Value) int32 {
	root := g.plan.aliases.root(v)
	g.of = grow(g.of, int(root), cap(g.plan.values.values))
	if !g.of[root].known {
		g.fill(root, v)
	}
	return root
}

// fill finds out about the set of v.
func (g *groups) fill(root int32, v *ir.Value) {
	found := group{known: true}
	g.plan.aliases.each(v, func(w *ir.Value) {
		if found.readOnly == nil && !g.isWritable(w) {
			found.readOnly = w
		}
		for u := w.FirstUse(); u != nil; u = u.Next() {
			i := g.entry(u)
			if g.leadsToRead(u) {
				g.addRead(&found.reads, i)
			}
			if g.IsInPlace(u) && g.Writes(u) {
				g.addWrite(&found.writes, i)
			}
		}
	})
	g.of[root] = found
}

// entry returns the position plus one of the plan's entry of a use. A use outside of what
// is analyzed gets one, too.
func (g *groups) entry(u *ir.Use) uint32 {
	if g.plan.at(u) == nil {
		g.plan.add(u)
	}
	i := u.Hint() + 1
	g.links = grow(g.links, int(i)-1, cap(g.plan.entries))
	return i
}

// grow returns the list with an element i, or with room for all of which there may be
// elements.
func grow[T any](list []T, i, room int) []T {
	if i < len(list) {
		return list
	}
	n := len(list)
	list = slices.Grow(list, max(i+1, room)-n)
	list = list[:cap(list)]
	clear(list[n:])
	return list
}

func (g *groups) addRead(l *useList, i uint32) {
	g.links[i-1].read = 0
	if l.first == 0 {
		l.first = i
	} else {
		g.links[l.last-1].read = i
	}
	l.last = i
}

func (g *groups) addWrite(l *useList, i uint32) {
	g.links[i-1].write = 0
	if l.first == 0 {
		l.first = i
	} else {
		g.links[l.last-1].write = i
	}
	l.last = i
}

// write makes the use, which works in place from now on, a write of its group if it
// writes.
func (g *groups) write(u *ir.Use) {
	if g.Writes(u) {
		root, i := g.root(u.Value()), g.entry(u)
		g.addWrite(&g.of[root].writes, i)
		g.of[root].reach.write(g.order.extentOf(u.Owner()))
	}
}

// join makes the sets of two values one.
func (g *groups) join(a, b *ir.Value) {
	x, y := g.root(a), g.root(b)
	if x == y {
		return
	}
	one, two := g.of[x], g.of[y]
	one.reach = g.joined(&one, &two)
	g.plan.aliases.join(a, b)
	if one.readOnly == nil {
		one.readOnly = two.readOnly
	}
	if one.reads.first == 0 {
		one.reads = two.reads
	} else if two.reads.first != 0 {
		g.links[one.reads.last-1].read = two.reads.first
		one.reads.last = two.reads.last
	}
	if one.writes.first == 0 {
		one.writes = two.writes
	} else if two.writes.first != 0 {
		g.links[one.writes.last-1].write = two.writes.first
		one.writes.last = two.writes.last
	}
	g.of[g.plan.aliases.root(a)] = one
}

// conflict tells whether anything forbids that the operand, which may share its buffer
// with the given values, bufferizes in place, and what, of several things any. O(reads * writes) of the sets that would
// become one, as far as they are in the same part of the program, or O(reads) if there is one.
func (g *groups) conflict(u *ir.Use, values []interfaces.AliasingValue) (Reason, bool) {
	var buffer [4]int32
	roots := append(buffer[:0], g.root(u.Value()))
	for _, alias := range values {
		if r := g.root(alias.Value); !slices.Contains(roots, r) {
			roots = append(roots, r)
		}
	}
	written, read := g.Writes(u), false
	var readOnly *ir.Value
	for _, r := range roots {
		written = written || g.of[r].writes.first != 0
		read = read || g.of[r].reads.first != 0
		if readOnly == nil {
			readOnly = g.of[r].readOnly
		}
	}
	switch {
	case !written:
		return Reason{}, false
	case readOnly != nil:
		return Reason{Rule: g.whyReadOnly(readOnly), Write: u, Definition: readOnly}, true
	case !read:
		return Reason{}, false
	}
	for _, find := range []func(*ir.Use, []int32) (Reason, bool){g.conflictOfThreads, g.conflictOfUse, g.conflictOfGroups} {
		if reason, ok := find(u, roots); ok {
			return reason, true
		}
	}
	return Reason{}, false
}

// conflictOfThreads tells whether threads would write what they share. There is a read in
// one of the groups.
func (g *groups) conflictOfThreads(u *ir.Use, roots []int32) (Reason, bool) {
	if !g.threads {
		return Reason{}, false
	}
	if g.Writes(u) {
		if reason, ok := g.writesOfThreads(u); ok {
			return reason, true
		}
	}
	for _, r := range roots {
		if g.of[r].reads.first != 0 {
			continue // its writes are known to be none of that kind
		}
		for w := g.of[r].writes.first; w != 0; w = g.links[w-1].write {
			if reason, ok := g.writesOfThreads(g.plan.entries[w-1].use); ok {
				return reason, true
			}
		}
	}
	return Reason{}, false
}

// conflictOfUse tells whether the use, if it writes, conflicts with a read.
func (g *groups) conflictOfUse(u *ir.Use, roots []int32) (Reason, bool) {
	if !g.Writes(u) {
		return Reason{}, false
	}
	w := g.order.extentOf(u.Owner())
	for _, root := range roots {
		if g.reachOf(root).apart(w.from, w.to) {
			continue
		}
		for r := g.of[root].reads.first; r != 0; r = g.links[r-1].read {
			if g.apart(r, w) {
				continue
			}
			if reason, ok := g.analysis.conflict(g.plan.entries[r-1].use, u); ok {
				return reason, true
			}
		}
	}
	return Reason{}, false
}

// conflictOfGroups tells whether a read of one group conflicts with a write of another.
func (g *groups) conflictOfGroups(u *ir.Use, roots []int32) (Reason, bool) {
	var buffer [4]int32
	for _, y := range roots {
		near := buffer[:0]
		for _, x := range roots {
			if writes := g.reachOf(y); x != y && !g.reachOf(x).apart(writes.first, writes.last) {
				near = append(near, x)
			}
		}
		for w := g.of[y].writes.first; w != 0 && len(near) > 0; w = g.links[w-1].write {
			write := g.plan.entries[w-1].use
			at := g.order.extentOf(write.Owner())
			for _, x := range near {
				if g.reachOf(x).apart(at.from, at.to) {
					continue
				}
				for r := g.of[x].reads.first; r != 0; r = g.links[r-1].read {
					if g.apart(r, at) {
						continue
					}
					if reason, ok := g.analysis.conflict(g.plan.entries[r-1].use, write); ok {
						return reason, true
					}
				}
			}
		}
	}
	return Reason{}, false
}
