package analysis

import "freehold/ir"

// Cycles knows which blocks of a region control can come back to.
type Cycles struct {
	component map[*ir.Block]int
	cyclic    []bool // by component
}

// NewCycles finds the cycles of a region's control flow, as strongly connected
// components (Tarjan, "Depth-first search and linear graph algorithms").
func NewCycles(r *ir.Region) *Cycles {
	var blocks []*ir.Block
	index := map[*ir.Block]int{}
	for b := range r.Blocks() {
		index[b] = len(blocks)
		blocks = append(blocks, b)
	}
	comps := components(len(blocks), func(i int) []int {
		var out []int
		for _, s := range blocks[i].Succs() {
			if j, ok := index[s]; ok {
				out = append(out, j)
			}
		}
		return out
	})
	c := &Cycles{map[*ir.Block]int{}, make([]bool, len(comps))}
	for n, comp := range comps {
		c.cyclic[n] = len(comp) > 1
		for _, i := range comp {
			c.component[blocks[i]] = n
			for _, s := range blocks[i].Succs() {
				c.cyclic[n] = c.cyclic[n] || s == blocks[i]
			}
		}
	}
	return c
}

// InCycle tells whether control can come back to the block.
func (c *Cycles) InCycle(b *ir.Block) bool {
	n, ok := c.component[b]
	return ok && c.cyclic[n]
}

// SameCycle tells whether control can go from each of the blocks to the other.
func (c *Cycles) SameCycle(a, b *ir.Block) bool {
	n, ok := c.component[a]
	m, ok2 := c.component[b]
	return ok && ok2 && n == m && c.cyclic[n]
}

// components returns the strongly connected components of a graph, each after
// those that it leads to.
func components(n int, succs func(i int) []int) [][]int {
	type frame struct {
		node int
		list []int
	}
	num, low := make([]int, n), make([]int, n)
	onStack := make([]bool, n)
	var stack []int
	var out [][]int
	next := 0
	for root := range n {
		if num[root] != 0 {
			continue
		}
		visit := func(i int) frame {
			next++
			num[i], low[i] = next, next
			stack = append(stack, i)
			onStack[i] = true
			return frame{i, succs(i)}
		}
		frames := []frame{visit(root)}
		for len(frames) > 0 {
			f := &frames[len(frames)-1]
			if len(f.list) > 0 {
				j := f.list[0]
				f.list = f.list[1:]
				if num[j] == 0 {
					frames = append(frames, visit(j))
				} else if onStack[j] {
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
			var comp []int
			for {
				j := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				onStack[j] = false
				comp = append(comp, j)
				if j == i {
					break
				}
			}
			out = append(out, comp)
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
