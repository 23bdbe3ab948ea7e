package rewrite

import (
	"freehold/iface"
	"freehold/ir"
)

// mergeIdenticalBlocks merges blocks with the same successors that do the same,
// up to operands from outside, which become arguments of the merged block.
func mergeIdenticalBlocks(r *Rewriter, regions []*ir.Region) bool {
	changed := false
	work := append([]*ir.Region(nil), regions...)
	for len(work) > 0 {
		reg := work[len(work)-1]
		work = work[:len(work)-1]
		changed = mergeBlocksOf(r, reg) || changed
		for b := range reg.Blocks() {
			for op := range b.Ops() {
				work = append(work, op.Regions()...)
			}
		}
	}
	return changed
}

func mergeBlocksOf(r *Rewriter, reg *ir.Region) bool {
	if reg.NumBlocks() < 3 {
		return false
	}
	// Blocks that could be equal have equal hashes.
	type group struct{ clusters []*cluster }
	groups := map[uint64]*group{}
	var order []*cluster
	for b := range reg.Blocks() {
		if b.IsEntry() || !mergeable(b) {
			continue
		}
		s := newBlockShape(b)
		g := groups[s.hash]
		if g == nil {
			g = &group{}
			groups[s.hash] = g
		}
		added := false
		for _, c := range g.clusters {
			if added = c.add(s); added {
				break
			}
		}
		if !added {
			c := &cluster{leader: s, differing: map[[2]int]bool{}}
			g.clusters = append(g.clusters, c)
			order = append(order, c)
		}
	}
	changed := false
	for _, c := range order {
		changed = c.merge(r) || changed
	}
	return changed
}

// mergeable tells whether a block has no regions and no arguments that other
// blocks use.
func mergeable(b *ir.Block) bool {
	for op := range b.Ops() {
		for _, reg := range op.Regions() {
			if !reg.Empty() {
				return false
			}
		}
	}
	for _, a := range b.Args() {
		if usedOutside(a, b) {
			return false
		}
	}
	return true
}

func usedOutside(v *ir.Value, b *ir.Block) bool {
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if u.Owner().Block() != b {
			return true
		}
	}
	return false
}

// blockShape is a block with what is needed to compare it.
type blockShape struct {
	block *ir.Block
	hash  uint64
	order map[*ir.Value]int // number of each value that the block defines
}

func newBlockShape(b *ir.Block) *blockShape {
	s := &blockShape{block: b, order: map[*ir.Value]int{}}
	for _, a := range b.Args() {
		s.order[a] = len(s.order)
		s.hash = s.hash*31 + uint64(ir.HashType(a.Type()))
	}
	for op := range b.Ops() {
		s.hash = s.hash*31 + ir.ShapeHash(op)
		for i := range op.NumResults() {
			s.order[op.Result(i)] = len(s.order)
		}
	}
	return s
}

// cluster is a set of blocks that can be merged into the first of them.
type cluster struct {
	leader    *blockShape
	others    []*ir.Block
	differing map[[2]int]bool // operands, by operation and number, that differ
}

func (c *cluster) add(s *blockShape) bool {
	lead, blk := c.leader.block, s.block
	if lead.NumArgs() != blk.NumArgs() {
		return false
	}
	for i, a := range lead.Args() {
		if a.Type() != blk.Arg(i).Type() {
			return false
		}
	}
	var differing [][2]int
	x, y := lead.First(), blk.First()
	for n := 0; x != nil && y != nil; n++ {
		if !ir.SameShape(x, y) {
			return false
		}
		for i := range x.NumOperands() {
			v, w := x.Operand(i), y.Operand(i)
			if v == w {
				continue
			}
			if v.Type() != w.Type() || (v.ParentBlock() == lead) != (w.ParentBlock() == blk) {
				return false
			}
			if v.ParentBlock() != lead {
				differing = append(differing, [2]int{n, i})
			} else if c.leader.order[v] != s.order[w] {
				return false
			}
		}
		for i := range x.NumResults() {
			if usedOutside(x.Result(i), lead) || usedOutside(y.Result(i), blk) {
				return false
			}
		}
		x, y = x.Next(), y.Next()
	}
	if x != nil || y != nil {
		return false
	}
	for _, d := range differing {
		c.differing[d] = true
	}
	c.others = append(c.others, blk)
	return true
}

func (c *cluster) merge(r *Rewriter) bool {
	if len(c.others) == 0 {
		return false
	}
	lead := c.leader.block
	blocks := append([]*ir.Block{lead}, c.others...)
	if len(c.differing) > 0 {
		for _, b := range blocks {
			for u := b.FirstPred(); u != nil; u = u.NextPred() {
				if _, ok := iface.Branch.Of(u.Owner()); !ok {
					return false
				}
			}
		}
		own := lead.NumArgs()
		passed := make([][]*ir.Value, len(blocks))
		at := make([]*ir.Op, len(blocks))
		for i, b := range blocks {
			at[i] = b.First()
		}
		for n := 0; at[0] != nil; n++ {
			for i := range at[0].NumOperands() {
				if !c.differing[[2]int{n, i}] {
					continue
				}
				// Operands that are the same everywhere share an argument.
				arg := -1
				for col := 0; col < len(passed[0]) && arg < 0; col++ {
					arg = col
					for k := range blocks {
						if passed[k][col] != at[k].Operand(i) {
							arg = -1
						}
					}
				}
				if arg < 0 {
					arg = len(passed[0])
					for k := range blocks {
						passed[k] = append(passed[k], at[k].Operand(i))
					}
					v := at[0].Operand(i)
					lead.AddArg(v.Type(), v.Loc())
				}
				at[0].SetOperand(i, lead.Arg(own+arg))
			}
			for k := range at {
				at[k] = at[k].Next()
			}
		}
		for k, b := range blocks {
			for u := b.FirstPred(); u != nil; u = u.NextPred() {
				m, _ := iface.Branch.Of(u.Owner())
				start, count, _ := m.SuccessorOperands(u.Owner(), u.Index())
				values := append(u.Owner().Operands()[start:start+count].Values(), passed[k]...)
				m.SetSuccessorOperands(u.Owner(), u.Index(), values)
			}
		}
	}
	for _, b := range c.others {
		b.ReplaceAllUsesWith(lead)
		r.EraseBlock(b)
	}
	return true
}

// dropRedundantArguments drops block arguments to which all predecessors pass the
// same value.
func dropRedundantArguments(r *Rewriter, regions []*ir.Region) bool {
	changed := false
	work := append([]*ir.Region(nil), regions...)
	for len(work) > 0 {
		reg := work[len(work)-1]
		work = work[:len(work)-1]
		for b := range reg.Blocks() {
			if !b.IsEntry() {
				changed = dropArgumentsOf(r, b) || changed
			}
			for op := range b.Ops() {
				work = append(work, op.Regions()...)
			}
		}
	}
	return changed
}

func dropArgumentsOf(r *Rewriter, b *ir.Block) bool {
	drop := make([]bool, b.NumArgs())
	found := false
	for i, a := range b.Args() {
		if v := commonSource(b, i); v != nil && v != a {
			drop[i], found = true, true
			r.ReplaceUses(a, v)
		}
	}
	if !found {
		return false
	}
	for u := b.FirstPred(); u != nil; u = u.NextPred() {
		m, _ := iface.Branch.Of(u.Owner())
		start, count, produced := m.SuccessorOperands(u.Owner(), u.Index())
		var kept []*ir.Value
		for i := range count {
			if !drop[produced+i] {
				kept = append(kept, u.Owner().Operand(start+i))
			}
		}
		m.SetSuccessorOperands(u.Owner(), u.Index(), kept)
	}
	b.EraseArgs(func(i int) bool { return drop[i] })
	return true
}

// commonSource returns the value that all predecessors pass to argument i, or nil.
func commonSource(b *ir.Block, i int) *ir.Value {
	var common *ir.Value
	for u := b.FirstPred(); u != nil; u = u.NextPred() {
		m, ok := iface.Branch.Of(u.Owner())
		if !ok {
			return nil
		}
		start, count, produced := m.SuccessorOperands(u.Owner(), u.Index())
		if i < produced || i-produced >= count {
			return nil
		}
		v := u.Owner().Operand(start + i - produced)
		if common != nil && v != common {
			return nil
		}
		common = v
	}
	return common
}
