package plan

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
)

// maxChanges is how many placings are tried for several memories without a limit.
const maxChanges = 500_000

// assigner looks for the memories of buffers.
type assigner struct {
	*model
	p        *Problem
	memories []Memory
	choices  []Choice // of the problem's buffers
	allowed  [][]int  // memories of the model's buffers, in the order in which they are tried
	near     [][]int32
	leader   []int32 // by buffer: the first of its group
	least    int64   // what using all buffers costs at least
}

// assignment is an order of buffers, and what came out of it.
type assignment struct {
	order   []int32
	skip    []uint8 // how many memories a buffer, or its group, leaves to others
	group   []int   // by the first buffer of a group: the memory of the group; -1 as long as none has it
	memory  []int
	offsets []int64
	peaks   []int64
	cost    int64
}

// maxMemoryPairs is the number of pairs of buffers alive at the same time up to which several memories are planned.
const maxMemoryPairs = 20_000_000

func newAssigner(p *Problem, m *model, memories []Memory, choices []Choice) (*assigner, error) {
	a := &assigner{model: m, p: p, memories: memories, choices: choices}
	near := newNeighbours(m)
	if near.pairs(maxMemoryPairs) >= maxMemoryPairs {
		return nil, fmt.Errorf("more than %d pairs of buffers are alive at the same time, too many for several memories", maxMemoryPairs)
	}
	leaders := map[int]int32{}
	for k, i := range m.index {
		a.leader = append(a.leader, int32(k))
		if g := choices[i].Group; g != 0 {
			if first, known := leaders[g]; known {
				a.leader[k] = first
			} else {
				leaders[g] = int32(k)
			}
		}
		allowed := slices.Clone(choices[i].allowed(memories))
		slices.SortStableFunc(allowed, func(x, y int) int {
			return cmp.Or(cmp.Compare(memories[x].Cost, memories[y].Cost), cmp.Compare(x, y))
		})
		a.allowed = append(a.allowed, allowed)
		a.least += memories[allowed[0]].Cost * choices[i].Uses * m.size[k]
		var list []int32
		for _, s := range m.spans[k] {
			near.visit(s, func(j int32) {
				if int(j) != k {
					list = append(list, j)
				}
			})
		}
		slices.Sort(list)
		a.near = append(a.near, slices.Compact(list))
	}
	return a, nil
}

// impossible returns an error if there is no plan for reasons that are easily seen: a buffer that is too large, or more that is alive than there is memory.
func (a *assigner) impossible(evs []event) error {
	var all int64
	for _, m := range a.memories {
		all = min(all, 1<<62) + min(m.Capacity, 1<<61)
	}
	for k, i := range a.index {
		if !slices.ContainsFunc(a.allowed[k], func(m int) bool { return a.size[k] <= a.memories[m].Capacity }) {
			return &MemoryError{Impossible: true, text: fmt.Sprintf("%s is larger than each memory that it may be in", a.p.name(int(i)))}
		}
	}
	if b := lowerBound(a.p, evs); b.Pinned < 0 && b.Granule == 1 && b.Bytes > all {
		return &MemoryError{Impossible: true, text: fmt.Sprintf("what is alive at time %d needs %d, and all memories have %d", b.Time, b.Bytes, all)}
	}
	return nil
}

// place carries out an assignment; it is false if a buffer has no room anywhere.
func (a *assigner) place(x *assignment) bool {
	x.cost = 0
	clear(x.peaks)
	placed := make([]bool, len(a.size))
	for i := range x.group {
		x.group[i] = -1
	}
	for pinned := 0; pinned < 2; pinned++ {
		for _, i := range x.order {
			if (a.pin[i] >= 0) != (pinned == 0) {
				continue
			}
			if !a.placeOne(x, i, placed) {
				return false
			}
		}
	}
	return true
}

// placeOne places a buffer in the first memory that has room, after those that it leaves to others.
func (a *assigner) placeOne(x *assignment, i int32, placed []bool) bool {
	var taken []block
	leader := a.leader[i]
	first := min(int(x.skip[leader]), len(a.allowed[i])-1)
	for _, k := range a.allowed[i][first:] {
		if g := x.group[leader]; g >= 0 && g != k {
			continue
		}
		taken = taken[:0]
		for _, j := range a.near[i] {
			if placed[j] && x.memory[j] == k {
				taken = append(taken, block{x.offsets[j], x.offsets[j] + a.size[j]})
			}
		}
		slices.SortFunc(taken, func(b, c block) int { return cmp.Compare(b.offset, c.offset) })
		at := a.pin[i]
		if at < 0 {
			at = lowestFrom(0, a.size[i], a.align[i], taken)
		}
		if at > a.memories[k].Capacity-a.size[i] {
			continue
		}
		placed[i], x.memory[i], x.offsets[i], x.group[leader] = true, k, at, k
		x.peaks[k] = max(x.peaks[k], at+a.size[i])
		x.cost += a.memories[k].Cost * a.choices[a.index[i]].Uses * a.size[i]
		return true
	}
	return false
}

// compareAssignments tells which one is better: what costs less, then what needs less of the last memory, and so on.
func compareAssignments(x, y *assignment) int {
	if c := cmp.Compare(x.cost, y.cost); c != 0 {
		return c
	}
	for k := len(x.peaks) - 1; k >= 0; k-- {
		if c := cmp.Compare(x.peaks[k], y.peaks[k]); c != 0 {
			return c
		}
	}
	return 0
}

// improve returns the best assignment that it finds by changes of orders, or nil.
func (a *assigner) improve(ctx context.Context, limit int64) *assignment {
	n := len(a.size)
	fresh := func(order []int32) *assignment {
		return &assignment{order: order, skip: make([]uint8, n), group: make([]int, n), memory: make([]int, n), offsets: make([]int64, n), peaks: make([]int64, len(a.memories))}
	}
	var best *assignment
	for k := range keyNames {
		if x := fresh(orderBy(key(a.model, k))); a.place(x) && (best == nil || compareAssignments(x, best) < 0) {
			best = x
		}
	}
	if n < 1 {
		return best
	}
	now := best
	if now == nil {
		now = fresh(orderBy(key(a.model, 0)))
	}
	rng := rand.New(rand.NewPCG(11, 12))
	for nodes := cmp.Or(limit, maxChanges); nodes > 0 && ctx.Err() == nil && (best == nil || !a.isBest(best)); nodes -= int64(n) {
		x := fresh(slices.Clone(now.order))
		copy(x.skip, now.skip)
		for range 1 + rng.IntN(3) {
			if i, j := rng.IntN(n), rng.IntN(n); rng.IntN(3) > 0 {
				x.order[i], x.order[j] = x.order[j], x.order[i]
			} else {
				x.skip[i] = uint8(rng.IntN(len(a.allowed[i])))
			}
		}
		if !a.place(x) {
			continue
		}
		if best == nil || compareAssignments(x, now) <= 0 {
			now = x
		}
		if best == nil || compareAssignments(x, best) < 0 {
			best = x
		}
	}
	return best
}

// isBest tells whether nothing is better than an assignment, once each memory is planned by itself: all is in the first memory, and nothing costs less.
func (a *assigner) isBest(x *assignment) bool {
	return x.cost == a.least && !slices.ContainsFunc(x.peaks[1:], func(n int64) bool { return n > 0 })
}

// polish plans each memory by itself, and returns the plan.
func (a *assigner) polish(ctx context.Context, best *assignment, o Options, evs []event) *MemoryPlan {
	out := &MemoryPlan{Memory: make([]int, len(a.p.Buffers)), Offsets: make([]int64, len(a.p.Buffers)), Peaks: make([]int64, len(a.memories))}
	for i := range out.Memory {
		// Of what is never alive, too, though it doesn't matter.
		out.Memory[i] = a.choices[i].allowed(a.memories)[0]
		out.Offsets[i] = a.p.Buffers[i].Offset
	}
	groups := map[int]int{}
	for k, i := range a.index {
		out.Memory[i], out.Offsets[i] = best.memory[k], best.offsets[k]
		groups[a.choices[i].Group] = best.memory[k]
	}
	for i, c := range a.choices {
		if k, known := groups[c.Group]; known && c.Group != 0 {
			out.Memory[i] = k
		}
	}
	o.TimeLimit = 0 // the context has it
	for k := range a.memories {
		part, places := out.part(a.p, a.memories, k)
		out.Peaks[k] = best.peaks[k]
		part.Capacity = 0
		s, err := Solve(ctx, part, o)
		if err == nil && s.Peak <= best.peaks[k] {
			out.Peaks[k] = s.Peak
			for j, i := range places {
				out.Offsets[i] = s.Offsets[j]
			}
		}
	}
	for i, k := range out.Memory {
		out.Cost += a.memories[k].Cost * a.choices[i].Uses * a.p.Buffers[i].Size
	}
	out.LastBound = a.lastBound(evs)
	return out
}

// lastBound returns what the last memory needs at least: at each time, what can't be elsewhere, and what all others have no room for.
func (a *assigner) lastBound(evs []event) int64 {
	last := len(a.memories) - 1
	var room int64
	for _, m := range a.memories[:last] {
		room = min(room, 1<<61) + min(m.Capacity, 1<<61)
	}
	only := make([]bool, len(a.p.Buffers))
	for k, i := range a.index {
		only[i] = !slices.ContainsFunc(a.allowed[k], func(m int) bool { return m != last && a.size[k] <= a.memories[m].Capacity })
	}
	free := make([]bool, len(a.p.Buffers)) // those that may be in it and elsewhere
	for k, i := range a.index {
		free[i] = !only[i] && slices.Contains(a.allowed[k], last)
	}
	var must, may, most int64
	for _, e := range evs {
		size := a.p.Buffers[e.buffer].Size
		if !e.start {
			size = -size
		}
		switch {
		case only[e.buffer]:
			must += size
		case free[e.buffer]:
			may += size
		}
		most = max(most, must+max(0, may-room))
	}
	return most
}
