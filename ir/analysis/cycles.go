package analysis

import "freehold/ir"

// Cycles knows which blocks of a region control can come back to.
type Cycles struct {
	blocks    ir.Numbering
	component []int32 // by block
	cyclic    []bool  // by component
}

// NewCycles finds the cycles of a region's control flow, as strongly connected
// components (Tarjan, "Depth-first search and linear graph algorithms").
func NewCycles(r *ir.Region) *Cycles { return NewCyclesWithout(r, nil) }

// NewCyclesWithout is NewCycles for the region without one block.
func NewCyclesWithout(r *ir.Region, except *ir.Block) *Cycles {
	n := r.NumBlocks()
	c := &Cycles{component: make([]int32, n)}
	c.blocks.Reserve(n)
	blocks := make([]*ir.Block, 0, n)
	for b := range r.Blocks() {
		c.blocks.AddBlock(b)
		blocks = append(blocks, b)
	}
	comps := components(n, func(i, j int) (next int, more bool) {
		last := blocks[i].Last()
		if last == nil || blocks[i] == except || j >= last.NumSuccessors() {
			return 0, false
		}
		if s := last.Successor(j); s != nil && s != except && s.Region() == r {
			return c.blocks.Block(s), true
		}
		return -1, true
	})
	c.cyclic = make([]bool, len(comps))
	for k, comp := range comps {
		c.cyclic[k] = len(comp) > 1
		for _, i := range comp {
			c.component[i] = int32(k)
			for last, j := blocks[i].Last(), 0; last != nil && blocks[i] != except && j < last.NumSuccessors(); j++ {
				c.cyclic[k] = c.cyclic[k] || last.Successor(j) == blocks[i]
			}
		}
	}
	return c
}

// of returns the component of a block, or -1.
func (c *Cycles) of(b *ir.Block) int32 {
	if i := c.blocks.Block(b); i >= 0 {
		return c.component[i]
	}
	return -1
}

// InCycle tells whether control can come back to the block.
func (c *Cycles) InCycle(b *ir.Block) bool {
	n := c.of(b)
	return n >= 0 && c.cyclic[n]
}

// SameCycle tells whether control can go from each of the blocks to the other.
func (c *Cycles) SameCycle(a, b *ir.Block) bool {
	n := c.of(a)
	return n >= 0 && n == c.of(b) && c.cyclic[n]
}

// MayLead tells whether the order of the components allows a path from one block to
// another one; false is certain.
func (c *Cycles) MayLead(from, to *ir.Block) bool { return c.of(from) >= c.of(to) }

// components returns the strongly connected components of a graph of n nodes, each after
// those that it leads to. succ returns the node at the end of edge number j of node i, or
// -1 if that doesn't count, and whether there is such an edge.
func components(n int, succ func(i, j int) (node int, ok bool)) [][]int {
	type frame struct{ node, edge int }
	num, low := make([]int32, n), make([]int32, n)
	onStack := make([]bool, n)
	stack, done := make([]int, 0, n), make([]int, 0, n)
	out := make([][]int, 0, n) // most are one node each
	var frames []frame
	next := int32(0)
	visit := func(i int) {
		next++
		num[i], low[i] = next, next
		stack = append(stack, i)
		onStack[i] = true
		frames = append(frames, frame{node: i})
	}
	for root := range n {
		if num[root] != 0 {
			continue
		}
		visit(root)
		for len(frames) > 0 {
			f := &frames[len(frames)-1]
			if j, ok := succ(f.node, f.edge); ok {
				f.edge++
				switch {
				case j < 0:
				case num[j] == 0:
					visit(j)
				case onStack[j]:
					low[f.node] = min(low[f.node], num[j])
				}
				continue
			}
			i := f.node
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				p := frames[len(frames)-1].node
				low[p] = min(low[p], low[i])
			}
			if low[i] != num[i] {
				continue
			}
			start := len(done)
			for {
				j := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				onStack[j] = false
				done = append(done, j)
				if j == i {
					break
				}
			}
			out = append(out, done[start:len(done):len(done)])
		}
	}
	return out
}

// Any tells whether there is a cycle at all.
func (c *Cycles) Any() bool {
	for _, x := range c.cyclic {
		if x {
			return true
		}
	}
	return false
}

// HasLoop tells whether control can come back to a block that it can come to from the region's entry. It uses the marks
// of the blocks, so that nothing else may be working on the region, and leaves them zero.
func HasLoop(r *ir.Region) bool {
	if r.NumBlocks() < 2 {
		return false
	}
	const fresh, open, done = 0, 1, 2
	unmark := func() {
		for b := range r.Blocks() {
			b.SetMark(fresh)
		}
	}
	unmark()
	defer unmark()
	type frame struct {
		b    *ir.Block
		next int
	}
	r.Entry().SetMark(open)
	for stack := []frame{{b: r.Entry()}}; len(stack) > 0; {
		f := &stack[len(stack)-1]
		last := f.b.Last()
		if last == nil || f.next >= last.NumSuccessors() {
			f.b.SetMark(done)
			stack = stack[:len(stack)-1]
			continue
		}
		s := last.Successor(f.next)
		f.next++
		switch {
		case s == nil || s.Region() != r:
		case s.Mark() == open:
			return true
		case s.Mark() == fresh:
			s.SetMark(open)
			stack = append(stack, frame{b: s})
		}
	}
	return false
}
