package analysis

import "freehold/ir"

// FreeGroups are the buffers of a function by what may free them: two are in the same group if one operation may free either,
// or if there are others between them of which that is so.
type FreeGroups struct {
	b *Buffers
	// parent is the union-find by node; freed tells which nodes something may free.
	parent []int32
	freed  []bool
}

// NewFreeGroups finds the groups. Near-linear in the uses of buffers.
func (b *Buffers) NewFreeGroups() *FreeGroups {
	g := &FreeGroups{b, make([]int32, len(b.nodes)), b.mayBeFreed(MayFree)}
	for i := range g.parent {
		g.parent[i] = int32(i)
	}
	// Whatever a node may be, its targets may be; so what frees one of these may free all of it.
	for i := range b.nodes {
		for _, t := range b.targets[b.first[i]:b.first[i+1]] {
			if g.freed[t] {
				g.parent[g.find(t)] = g.find(int32(i))
			}
		}
	}
	return g
}

// Of returns the number of the group of what a value may be; false if nothing may free that.
func (g *FreeGroups) Of(v *ir.Value) (group int, ok bool) {
	i := g.b.numbers.Value(v)
	if i < 0 || i >= len(g.freed) || !g.freed[i] {
		return 0, false
	}
	return int(g.find(int32(i))), true
}

func (g *FreeGroups) find(i int32) int32 {
	for g.parent[i] != i {
		g.parent[i] = g.parent[g.parent[i]]
		i = g.parent[i]
	}
	return i
}

// mayBeFreed tells of each node whether something may free what it is, by that name or another one, given which
// operations may free an operand.
func (b *Buffers) mayBeFreed(by func(op *ir.Op, operand int) bool) []bool {
	return Summarize(b, nil, func(v *ir.Value) bool {
		for u := v.FirstUse(); u != nil; u = u.Next() {
			if by(u.Owner(), u.Index()) {
				return true
			}
		}
		return false
	}, func(x, y bool) bool { return x || y }).list
}
