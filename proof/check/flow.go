package check

import "slices"

// flow is a graph that control follows: the blocks of a region, or the regions of
// an operation. Node 0 is the entry.
type flow struct {
	// exit is the number of the exit, which is the number of nodes.
	exit int
	// order lists the nodes so that each comes after its predecessors, but for the
	// back edges of loops.
	order []component
	// dispatch are the nodes, numbered from exit+1 on, that were added as the heads of
	// loops with several entries: every edge to one of these goes to the new node
	// instead, which passes control on to the entry that was meant.
	dispatch [][]int
	// dispatchOf is the added node for an entry.
	dispatchOf map[int]int
}

// component is a node, or a loop: its head with the components of the rest.
type component struct {
	node int
	loop bool
	body []component
}

// newFlow orders a graph. Finding loops takes O(nodes and edges * depth of loops).
func newFlow(nodes int, succs [][]int) *flow {
	g := &flow{exit: nodes, dispatchOf: map[int]int{}}
	all := make([]int, nodes)
	for i := range all {
		all[i] = i
	}
	succs = append(slices.Clone(succs), nil) // the exit
	g.order = g.components(all, &succs, func(n int) bool { return n == 0 })
	return g
}

// components splits the subgraph of the given nodes into its strongly connected
// components, in topological order, and these, without their heads, again (a weak
// topological order in the sense of Bourdoncle). entered tells whether a node is
// entered from outside the subgraph.
func (g *flow) components(nodes []int, succs *[][]int, entered func(int) bool) []component {
	in := map[int]bool{}
	for _, n := range nodes {
		in[n] = true
	}
	comps := stronglyConnected(nodes, *succs, in)
	compOf := map[int]int{}
	for i, c := range comps {
		for _, n := range c {
			compOf[n] = i
		}
	}
	enters := map[int]bool{}
	for _, n := range nodes {
		for _, s := range (*succs)[n] {
			if in[s] && compOf[s] != compOf[n] {
				enters[s] = true
			}
		}
	}
	var out []component
	for _, c := range comps {
		if len(c) == 1 && !slices.Contains((*succs)[c[0]], c[0]) {
			out = append(out, component{node: c[0]})
			continue
		}
		slices.Sort(c)
		var heads []int
		for _, n := range c {
			if entered(n) || enters[n] {
				heads = append(heads, n)
			}
		}
		if len(heads) == 0 { // the loop is unreachable
			continue
		}
		head := heads[0]
		if len(heads) > 1 {
			head = g.addDispatch(heads, c, succs)
		}
		rest := slices.DeleteFunc(slices.Clone(c), func(n int) bool { return n == head })
		fromHead := map[int]bool{}
		for _, s := range (*succs)[head] {
			fromHead[s] = true
		}
		out = append(out, component{node: head, loop: true,
			body: g.components(rest, succs, func(n int) bool { return fromHead[n] })})
	}
	return out
}

// addDispatch adds a node through which control enters a loop.
func (g *flow) addDispatch(entries, loop []int, succs *[][]int) int {
	d := len(*succs)
	*succs = append(*succs, entries)
	g.dispatch = append(g.dispatch, entries)
	for _, e := range entries {
		g.dispatchOf[e] = d
	}
	for _, n := range loop {
		old := (*succs)[n]
		kept := slices.DeleteFunc(slices.Clone(old), func(s int) bool { return slices.Contains(entries, s) })
		if len(kept) < len(old) {
			kept = append(kept, d)
		}
		(*succs)[n] = kept
	}
	return d
}

// stronglyConnected is Tarjan's algorithm on a subgraph, without recursion. The
// result is in topological order.
func stronglyConnected(nodes []int, succs [][]int, in map[int]bool) [][]int {
	type frame struct{ node, next int }
	index, low, on := map[int]int{}, map[int]int{}, map[int]bool{}
	var stack []int
	var out [][]int
	for _, root := range nodes {
		if _, seen := index[root]; seen {
			continue
		}
		frames := []frame{{root, 0}}
		for len(frames) > 0 {
			f := &frames[len(frames)-1]
			n := f.node
			if f.next == 0 {
				index[n] = len(index)
				low[n] = index[n]
				stack = append(stack, n)
				on[n] = true
			}
			if f.next < len(succs[n]) {
				s := succs[n][f.next]
				f.next++
				if !in[s] {
					continue
				}
				if _, seen := index[s]; !seen {
					frames = append(frames, frame{s, 0})
				} else if on[s] {
					low[n] = min(low[n], index[s])
				}
				continue
			}
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				p := frames[len(frames)-1].node
				low[p] = min(low[p], low[n])
			}
			if low[n] == index[n] {
				k := len(stack) - 1
				for stack[k] != n {
					k--
				}
				comp := slices.Clone(stack[k:])
				for _, m := range comp {
					on[m] = false
				}
				stack = stack[:k]
				out = append(out, comp)
			}
		}
	}
	slices.Reverse(out)
	return out
}
