package order

import "slices"

// item is one step or several that are done in a row.
type item struct {
	steps []int32
	moves []move
}

// move is what a step of an item does.
type move struct {
	made        []int32
	born, extra int64
	// ends are the buffers that no later step of the item touches, and that aren't kept.
	ends  []int32
	pairs [][2]int
}

// reduced is a graph of items: of the steps that matter.
type reduced struct {
	items         []item
	before, after [][]int32
	size          []int64
	// by are the items that touch a buffer; one that is never to die has outside set.
	by      [][]int32
	outside []bool
	// start is what is alive before the first item.
	start int64
	// rest are the steps that are in no item: they need no memory.
	rest []bool
}

// reduce takes steps that touch no memory out of a graph, and joins one that makes something of nothing, for one other step, with that: it
// is best done just before it.
func reduce(g *Graph, l *links) *reduced {
	r := &reduced{size: make([]int64, len(g.Buffers)), by: make([][]int32, len(g.Buffers)), outside: make([]bool, len(g.Buffers)), rest: make([]bool, len(g.Steps))}
	order := l.topological()
	for i := range g.Steps {
		r.rest[i] = g.Steps[i].Extra == 0 && len(l.touched[i]) == 0
	}
	for k, b := range g.Buffers {
		if r.size[k], r.outside[k] = b.Size, b.Kept; b.Maker < 0 && (len(l.by[k]) > 0 || b.Kept) {
			r.start += b.Size
		}
	}
	before := throughRest(l, order, r.rest)
	after := make([][]int32, len(before))
	for i, list := range before {
		for _, p := range list {
			after[p] = append(after[p], int32(i))
		}
	}
	// joined is the step whose item a step belongs to.
	joined := make([]int32, len(g.Steps))
	parts := make([][]int32, len(g.Steps))
	for _, i := range order {
		joined[i] = i
		if r.rest[i] {
			continue
		}
		if len(before[i]) == 0 && len(after[i]) == 1 && len(l.touched[i]) == len(l.made[i]) && g.Steps[i].Extra == 0 &&
			!slices.ContainsFunc(l.made[i], func(b int32) bool { return g.Buffers[b].Kept || len(l.by[b]) == 1 }) {
			joined[i] = after[i][0]
		}
		parts[joined[i]] = append(parts[joined[i]], i)
	}
	number := make([]int32, len(g.Steps))
	for _, i := range order {
		if !r.rest[i] && joined[i] == i {
			number[i] = int32(len(r.items))
			r.items = append(r.items, item{steps: parts[i]})
		}
	}
	r.before, r.after = make([][]int32, len(r.items)), make([][]int32, len(r.items))
	for k := range r.items {
		for _, i := range r.items[k].steps {
			for _, p := range before[i] {
				if q := number[joined[p]]; int(q) != k {
					r.before[k] = append(r.before[k], q)
				}
			}
		}
		r.before[k] = sortedSet(r.before[k])
		for _, p := range r.before[k] {
			r.after[p] = append(r.after[p], int32(k))
		}
		r.items[k].moves = moves(g, l, r.items[k].steps)
	}
	for b := range l.by {
		for _, i := range l.by[b] {
			r.by[b] = append(r.by[b], number[joined[i]])
		}
		r.by[b] = sortedSet(r.by[b])
	}
	return r
}

// throughRest returns which steps with memory each such step must come after, also through those without: only the nearest.
func throughRest(l *links, order []int32, rest []bool) [][]int32 {
	out, nearest := make([][]int32, len(rest)), make([][]int32, len(rest))
	for _, i := range order {
		var list []int32
		for _, p := range l.before[i] {
			if rest[p] {
				list = append(list, nearest[p]...)
			} else {
				list = append(list, p)
			}
		}
		list = sortedSet(list)
		if rest[i] {
			nearest[i] = list
		} else {
			out[i] = list
		}
	}
	return out
}

// moves returns what the steps of an item do.
func moves(g *Graph, l *links, steps []int32) []move {
	out := make([]move, len(steps))
	seen := map[int32]bool{}
	for k := len(steps) - 1; k >= 0; k-- {
		i := steps[k]
		m := &out[k]
		m.made, m.extra, m.pairs = l.made[i], g.Steps[i].Extra, g.Steps[i].InPlace
		for _, b := range l.made[i] {
			m.born += g.Buffers[b].Size
		}
		for _, b := range l.touched[i] {
			if !seen[b] && !g.Buffers[b].Kept {
				m.ends = append(m.ends, b)
			}
			seen[b] = true
		}
	}
	return out
}

// do returns what is alive while an item is done at most, and after it: live is what is alive before, done tells which items are; nil stands for all.
func (r *reduced) do(k int32, live int64, done func(item int32) bool) (peak, after int64) {
	var buffer [32]int32
	for i := range r.items[k].moves {
		m := &r.items[k].moves[i]
		dying := buffer[:0]
		var freed int64
		for _, b := range m.ends {
			if r.dies(b, k, done) {
				dying, freed = append(dying, b), freed+r.size[b]
			}
		}
		live += m.born
		need := live + m.extra
		if len(m.pairs) > 0 && len(dying) > 0 {
			need -= overlaid(m.pairs, func(b int) int64 { return r.size[b] }, func(b int) bool { return slices.Contains(dying, int32(b)) })
		}
		peak, live = max(peak, need), live-freed
	}
	return peak, live
}

// dies tells whether a buffer dies with an item that touches it, when others are done.
func (r *reduced) dies(b, k int32, done func(item int32) bool) bool {
	if r.outside[b] {
		return false
	}
	if done == nil {
		return true
	}
	for _, i := range slices.Backward(r.by[b]) { // the last ones are done last, as a rule
		if i != k && !done(i) {
			return false
		}
	}
	return true
}
