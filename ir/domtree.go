package ir

import "slices"

// DomTree is the dominator tree of the blocks of a region: block a dominates
// block b if every path from the entry to b passes through a. Queries take
// constant time. The tree doesn't see later changes to the control flow.
type DomTree struct {
	post   bool
	blocks []*Block  // nodes in depth-first order; if post, node 0 is a virtual root (nil)
	nodes  Numbering // of the reachable blocks; see node
	idom   []int32   // immediate dominator of each node; the root's is itself
	pre    []int32   // interval of each node's subtree in the tree: a dominates b
	last   []int32   // if pre[a] <= pre[b] <= last[a]
}

// NewDomTree computes the dominator tree of a region.
func NewDomTree(r *Region) *DomTree { return newDomTree(r, false) }

// NewPostDomTree computes the post-dominator tree of a region: block a
// post-dominates b if every path from b to an exit passes through a. A virtual
// node before all exits is the root. Of a cycle that can't be left, one block
// counts as an exit: the one that a depth-first search comes to last. Quadratic in
// the number of such cycles.
func NewPostDomTree(r *Region) *DomTree { return newDomTree(r, true) }

// The tree is built with the semi-NCA algorithm of Georgiadis and Tarjan,
// "Finding Dominators in Practice", which is near-linear for all but contrived
// graphs.
func newDomTree(r *Region, post bool) *DomTree {
	n := r.NumBlocks()
	t := &DomTree{post: post}
	if n == 0 {
		return t
	}
	parent := make([]int32, 0, n+1)
	t.blocks = make([]*Block, 0, n+1)
	t.nodes.Reserve(n)
	visit := func(b *Block, p int32) {
		if b != nil {
			t.nodes.AddBlock(b)
		}
		t.blocks = append(t.blocks, b)
		parent = append(parent, p)
	}
	if !post {
		visit(r.first, 0)
		t.depthFirst(r, &parent)
	} else {
		start := func(b *Block) {
			if t.nodes.Block(b) < 0 {
				visit(b, 0)
				t.depthFirst(r, &parent)
			}
		}
		startExits := func() {
			visit(nil, 0)
			for b := r.first; b != nil; b = b.next {
				if b.last == nil || b.last.NumSuccessors() == 0 {
					start(b)
				}
			}
		}
		startExits()
		var ends []*Block // of endless cycles
		for b := r.first; b != nil; b = b.next {
			if t.nodes.Block(b) < 0 {
				reached := reachableFrom(b)
				end := reached[len(reached)-1]
				ends = append(ends, end)
				start(end)
			}
		}
		if len(ends) > 1 {
			// One that leads to another is in a cycle that can be left after all.
			t.nodes.Reset()
			t.blocks, parent = t.blocks[:0], parent[:0]
			startExits()
			for _, b := range withoutPathToOthers(ends) {
				start(b)
			}
		}
	}
	t.computeIdoms(parent)
	t.number()
	return t
}

// reachableFrom returns the blocks to which paths lead from b, in the order of a
// depth-first search that takes the successors last in the region first. This is
// the order of LLVM's GenericDomTreeConstruction, on which the choice of the blocks
// that count as exits depends.
func reachableFrom(b *Block) []*Block {
	position := map[*Block]int{}
	for x := b.region.first; x != nil; x = x.next {
		position[x] = len(position)
	}
	seen := make(map[*Block]bool)
	var out []*Block
	for stack := []*Block{b}; len(stack) > 0; {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[x] {
			continue
		}
		seen[x] = true
		out = append(out, x)
		succs := slices.DeleteFunc(slices.Clone(x.Succs()), func(s *Block) bool { return s == nil || s.region != b.region })
		slices.SortFunc(succs, func(x, y *Block) int { return position[x] - position[y] })
		stack = append(stack, succs...)
	}
	return out
}

// withoutPathToOthers returns those of the blocks from which no path leads to
// another of them.
func withoutPathToOthers(blocks []*Block) []*Block {
	return slices.DeleteFunc(slices.Clone(blocks), func(b *Block) bool {
		return slices.ContainsFunc(reachableFrom(b)[1:], func(x *Block) bool { return slices.Contains(blocks, x) })
	})
}

// depthFirst continues the depth-first numbering from the node that was visited
// last.
func (t *DomTree) depthFirst(r *Region, parent *[]int32) {
	type frame struct {
		node int32
		succ int
		use  *BlockUse
	}
	start := func() frame {
		n := int32(len(t.blocks) - 1)
		f := frame{node: n}
		if t.post {
			f.use = t.blocks[n].preds
		}
		return f
	}
	stack := []frame{start()}
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		var next *Block
		if t.post {
			if f.use == nil {
				stack = stack[:len(stack)-1]
				continue
			}
			next = f.use.owner.block
			f.use = f.use.next
		} else {
			last := t.blocks[f.node].last
			if last == nil || f.succ >= last.NumSuccessors() {
				stack = stack[:len(stack)-1]
				continue
			}
			next = last.Successor(f.succ)
			f.succ++
		}
		if next == nil || next.region != r {
			continue
		}
		if _, added := t.nodes.AddBlock(next); added {
			t.blocks = append(t.blocks, next)
			*parent = append(*parent, f.node)
			stack = append(stack, start())
		}
	}
}

// incoming calls fn for the nodes from which edges of the (possibly reversed)
// graph lead to node w.
func (t *DomTree) incoming(w int32, fn func(v int32)) {
	b := t.blocks[w]
	if !t.post {
		for u := b.preds; u != nil; u = u.next {
			if v, ok := t.node(u.owner.block); ok && u.owner.block.last == u.owner {
				fn(v)
			}
		}
		return
	}
	if b.last != nil {
		for i := range b.last.NumSuccessors() {
			if v, ok := t.node(b.last.Successor(i)); ok {
				fn(v)
			}
		}
	}
}

func (t *DomTree) computeIdoms(parent []int32) {
	n := int32(len(t.blocks))
	semi, label, anc := make([]int32, n), make([]int32, n), make([]int32, n)
	for i := range n {
		semi[i], label[i], anc[i] = i, i, -1
	}
	var path []int32
	eval := func(v int32) int32 {
		if anc[v] < 0 {
			return v
		}
		path = path[:0]
		for u := v; anc[anc[u]] >= 0; u = anc[u] {
			path = append(path, u)
		}
		for i := len(path) - 1; i >= 0; i-- {
			u := path[i]
			a := anc[u]
			if semi[label[a]] < semi[label[u]] {
				label[u] = label[a]
			}
			anc[u] = anc[a]
		}
		return label[v]
	}
	for w := n - 1; w > 0; w-- {
		s := parent[w]
		t.incoming(w, func(v int32) {
			if x := semi[eval(v)]; x < s {
				s = x
			}
		})
		semi[w] = s
		anc[w] = parent[w]
	}
	t.idom = parent
	for w := int32(1); w < n; w++ {
		// A virtual root reaches its children by no listed edge.
		d := t.idom[w]
		for d > semi[w] {
			d = t.idom[d]
		}
		t.idom[w] = d
	}
}

// number gives each node the interval of its subtree.
func (t *DomTree) number() {
	n := len(t.blocks)
	size := make([]int32, n)
	for i := n - 1; i >= 0; i-- {
		size[i]++
		if i > 0 {
			size[t.idom[i]] += size[i]
		}
	}
	t.pre, t.last = make([]int32, n), make([]int32, n)
	next := make([]int32, n) // first free number of the children
	for i := range n {
		if i > 0 {
			d := t.idom[i]
			t.pre[i] = next[d]
			next[d] += size[i]
		}
		t.last[i] = t.pre[i] + size[i] - 1
		next[i] = t.pre[i] + 1
	}
}

// IsReachable tells whether the block is in the tree, that is, whether a path
// from the entry leads to it.
func (t *DomTree) IsReachable(b *Block) bool { _, ok := t.node(b); return ok }

// node returns the node of a block, if that is reachable.
func (t *DomTree) node(b *Block) (n int32, ok bool) {
	if b == nil {
		return 0, false
	}
	i := t.nodes.Block(b)
	if t.post {
		return int32(i + 1), i >= 0
	}
	return int32(i), i >= 0
}

// Dominates tells whether a dominates b. An unreachable block is dominated by
// every block.
func (t *DomTree) Dominates(a, b *Block) bool {
	if a == b {
		return true
	}
	j, ok := t.node(b)
	if !ok {
		return true
	}
	i, ok := t.node(a)
	return ok && t.pre[i] <= t.pre[j] && t.pre[j] <= t.last[i]
}

// Idom returns the immediate dominator, or nil for the root and for unreachable
// blocks.
func (t *DomTree) Idom(b *Block) *Block {
	i, ok := t.node(b)
	if !ok || i == 0 {
		return nil
	}
	return t.blocks[t.idom[i]]
}

// NearestCommonDominator returns the closest block that dominates both; nil if
// there is none, or a block is unreachable and the other is not the entry. Linear
// in the depth of the tree.
func (t *DomTree) NearestCommonDominator(a, b *Block) *Block {
	if !t.post && (a.IsEntry() || b.IsEntry()) {
		return a.region.first
	}
	i, ok := t.node(a)
	j, ok2 := t.node(b)
	if !ok || !ok2 {
		return nil
	}
	for i != j {
		if i < j {
			i, j = j, i
		}
		i = t.idom[i]
	}
	return t.blocks[i]
}

// Preorder returns the reachable blocks, each after its immediate dominator. The
// children of a block come in depth-first order of the control flow.
func (t *DomTree) Preorder() []*Block {
	out := make([]*Block, len(t.blocks))
	for i, b := range t.blocks {
		out[t.pre[i]] = b
	}
	if len(out) > 0 && out[0] == nil {
		out = out[1:]
	}
	return out
}

// Walk calls enter for each block of a dominator tree in the order of [DomTree.Preorder],
// and leave for a block after all that it dominates.
func (t *DomTree) Walk(enter, leave func(b *Block)) {
	order := t.Preorder()
	var open []*Block
	for _, b := range order {
		for n := len(open); n > 0 && !t.Dominates(open[n-1], b); n = len(open) {
			leave(open[n-1])
			open = open[:n-1]
		}
		enter(b)
		open = append(open, b)
	}
	for n := len(open) - 1; n >= 0; n-- {
		leave(open[n])
	}
}
