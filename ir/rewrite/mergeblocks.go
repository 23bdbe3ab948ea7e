package rewrite

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// mergeIdenticalBlocks merges blocks with the same successors that do the same,
// up to operands from outside, which become arguments of the merged block. Linear
// time, but for the arguments of merged blocks.
func mergeIdenticalBlocks(r *Rewriter, regions []*ir.Region) bool {
	changed := false
	work := append([]*ir.Region(nil), regions...)
	for len(work) > 0 {
		reg := work[len(work)-1]
		work = work[:len(work)-1]
		changed = mergeBlocksOf(r, reg) || changed
		for b := reg.Entry(); b != nil; b = b.Next() {
			for op := b.First(); op != nil; op = op.Next() {
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
	shapes := blockShapes{number: map[*ir.Block]uint64{}}
	for b := reg.Entry(); b != nil; b = b.Next() {
		shapes.number[b] = uint64(len(shapes.number))
	}
	var candidates []*ir.Block
	for b := reg.Entry().Next(); b != nil; b = b.Next() {
		if mergeable(b) {
			candidates = append(candidates, b)
		}
	}
	groups := map[uint64][]*cluster{}
	var order []*cluster
	for _, b := range candidates {
		h := shapes.hash(b)
		added := false
		for _, c := range groups[h] {
			if added = c.add(b); added {
				break
			}
		}
		if !added {
			c := &cluster{leader: b, differing: map[[2]int]bool{}}
			groups[h] = append(groups[h], c)
			order = append(order, c)
		}
	}
	for _, b := range candidates {
		for op := b.First(); op != nil; op = op.Next() {
			op.SetMark(0)
		}
	}
	changed := false
	for _, c := range order {
		changed = c.merge(r) || changed
	}
	return changed
}

// mergeable tells whether a block has no regions and defines nothing that other
// blocks use.
func mergeable(b *ir.Block) bool {
	for _, a := range b.Args() {
		if usedOutside(a, b) {
			return false
		}
	}
	for op := b.First(); op != nil; op = op.Next() {
		for _, reg := range op.Regions() {
			if !reg.Empty() {
				return false
			}
		}
		for i := range op.NumResults() {
			if usedOutside(op.Result(i), b) {
				return false
			}
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

// blockShapes hashes the blocks of a region, so that those that can be merged have
// the same hash.
type blockShapes struct {
	number map[*ir.Block]uint64
}

// hash returns the hash of a block, and leaves the number of each operation in its
// mark.
func (s *blockShapes) hash(b *ir.Block) uint64 {
	h := uint64(b.NumArgs())
	for _, a := range b.Args() {
		h = h*31 + uint64(ir.HashType(a.Type()))
	}
	n := uint32(0)
	for op := b.First(); op != nil; op = op.Next() {
		n++
		op.SetMark(n)
		h = h*31 + ir.ShapeHash(op)
		for i := range op.NumOperands() {
			v := op.Operand(i)
			switch {
			case v.ParentBlock() != b:
				h = h*31 + uint64(ir.HashType(v.Type()))
			case v.IsBlockArg():
				h = h*31 + uint64(v.Index())
			default:
				h = h*31 + uint64(v.DefiningOp().Mark())<<8 + uint64(v.Index())
			}
		}
		for i := range op.NumSuccessors() {
			h = h*31 + s.number[op.Successor(i)]
		}
	}
	return h ^ h>>32
}

// cluster is a set of blocks that can be merged into the first of them.
type cluster struct {
	leader    *ir.Block
	others    []*ir.Block
	differing map[[2]int]bool // operands, by operation and number, that differ
}

// add adds a block if it can be merged with the leader. Both are mergeable, and the
// marks of their operations are their numbers.
func (c *cluster) add(blk *ir.Block) bool {
	lead := c.leader
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
		for i := range x.NumSuccessors() {
			if x.Successor(i) != y.Successor(i) {
				return false
			}
		}
		for i := range x.NumOperands() {
			v, w := x.Operand(i), y.Operand(i)
			if v == w {
				continue
			}
			local := v.ParentBlock() == lead
			if v.Type() != w.Type() || local != (w.ParentBlock() == blk) {
				return false
			}
			if !local {
				differing = append(differing, [2]int{n, i})
			} else if !sameNumber(v, w) {
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

// sameNumber tells whether two values are the same argument or result of their
// blocks.
func sameNumber(v, w *ir.Value) bool {
	if v.IsBlockArg() || w.IsBlockArg() {
		return v.IsBlockArg() && w.IsBlockArg() && v.Index() == w.Index()
	}
	return v.DefiningOp().Mark() == w.DefiningOp().Mark() && v.Index() == w.Index()
}

func (c *cluster) merge(r *Rewriter) bool {
	if len(c.others) == 0 {
		return false
	}
	lead := c.leader
	blocks := append([]*ir.Block{lead}, c.others...)
	if len(c.differing) > 0 {
		for _, b := range blocks {
			for u := b.FirstPred(); u != nil; u = u.NextPred() {
				if !interfaces.Branch.Has(u.Owner()) {
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
				m, _ := interfaces.Branch.Of(u.Owner())
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
		for b := reg.Entry(); b != nil; b = b.Next() {
			if !b.IsEntry() && b.NumArgs() > 0 {
				changed = dropArgumentsOf(r, b) || changed
			}
			for op := b.First(); op != nil; op = op.Next() {
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
		m, _ := interfaces.Branch.Of(u.Owner())
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
		m, ok := interfaces.Branch.Of(u.Owner())
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
