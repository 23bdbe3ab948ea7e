package analysis

import "freehold/ir"

// LoopNest knows the loops of a region's control flow and how they are nested: a loop is a strongly connected
// component; the loops in it are those of what is left without its headers, the blocks by which it is entered
// (Steensgaard, "Sequentializing Program Dependence Graphs for Irreducible Programs").
type LoopNest struct {
	blocks  ir.Numbering
	loop    []int32 // by block: the innermost loop, or 0
	reached []bool  // by block: whether control comes to it from the entry
}

// NewLoopNest finds the loops of a region. It takes as many steps as the region has blocks and edges, times the depth
// of the nest.
func NewLoopNest(r *ir.Region) *LoopNest {
	n := r.NumBlocks()
	nest := &LoopNest{loop: make([]int32, n), reached: make([]bool, n)}
	nest.blocks.Reserve(n)
	blocks := make([]*ir.Block, 0, n)
	all := make([]int, 0, n)
	for b := range r.Blocks() {
		nest.blocks.AddBlock(b)
		all = append(all, len(blocks))
		blocks = append(blocks, b)
	}
	nest.reach(r)
	// place is the position of a block in the set that is being looked at; set is the number of that set.
	place, set := make([]int, n), make([]int, n)
	sets, loops := 0, int32(0)
	for work := [][]int{all}; len(work) > 0; {
		members := work[len(work)-1]
		work = work[:len(work)-1]
		sets++
		for i, m := range members {
			place[m], set[m] = i, sets
		}
		succ := func(i, j int) (int, bool) {
			last := blocks[members[i]].Last()
			if last == nil || j >= last.NumSuccessors() {
				return 0, false
			}
			if s := last.Successor(j); s != nil && s.Region() == r && set[nest.blocks.Block(s)] == sets {
				return place[nest.blocks.Block(s)], true
			}
			return -1, true
		}
		var inner [][]int
		for _, comp := range components(len(members), succ) {
			if len(comp) == 1 && !leadsTo(blocks[members[comp[0]]], blocks[members[comp[0]]]) {
				continue
			}
			loops++
			for _, i := range comp {
				nest.loop[members[i]] = loops
			}
			var rest []int
			for _, i := range comp {
				if !nest.entered(blocks[members[i]], loops) {
					rest = append(rest, members[i])
				}
			}
			if len(rest) == len(comp) {
				rest = rest[1:] // unreachable: any block is as good a header as another one
			}
			if len(rest) > 0 {
				inner = append(inner, rest)
			}
		}
		work = append(work, inner...)
	}
	return nest
}

// entered tells whether control may come to a block of a loop from outside of the loop.
func (n *LoopNest) entered(b *ir.Block, loop int32) bool {
	if b.IsEntry() {
		return true
	}
	for u := b.FirstPred(); u != nil; u = u.NextPred() {
		if p := n.blocks.Block(u.Owner().Block()); p >= 0 && n.reached[p] && n.loop[p] != loop {
			return true
		}
	}
	return false
}

// reach notes which blocks control comes to.
func (n *LoopNest) reach(r *ir.Region) {
	if r.Empty() {
		return
	}
	n.reached[0] = true
	for work := []*ir.Block{r.Entry()}; len(work) > 0; {
		last := work[len(work)-1].Last()
		work = work[:len(work)-1]
		for i := 0; last != nil && i < last.NumSuccessors(); i++ {
			if s := n.blocks.Block(last.Successor(i)); s >= 0 && !n.reached[s] {
				n.reached[s] = true
				work = append(work, last.Successor(i))
			}
		}
	}
}

func leadsTo(from, to *ir.Block) bool {
	last := from.Last()
	for i := 0; last != nil && i < last.NumSuccessors(); i++ {
		if last.Successor(i) == to {
			return true
		}
	}
	return false
}

// SameLoop tells whether two blocks are in the same innermost loop, or both in none. Then a block that
// dominates the other one is executed before it each time.
func (n *LoopNest) SameLoop(a, b *ir.Block) bool {
	i, j := n.blocks.Block(a), n.blocks.Block(b)
	return i >= 0 && j >= 0 && n.loop[i] == n.loop[j]
}
