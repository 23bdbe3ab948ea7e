package reuse

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"freehold/ir"
	"freehold/memory/plan"
)

// assigned is the part of a plan for several memories that is about one of them.
type assigned struct {
	offsets   []int64 // of the parts in it, in order
	peak      int64
	closeness closeness
}

// assign gives each part a memory, of those that there are, and the buffers of these the memory space of it. What the program itself has in a memory space stays there.
// It fails if there is no room. What is on the stack is in the default space.
func (f *functionPlanner) assign(stack int64) error {
	if len(f.options.Memories) == 0 {
		return nil
	}
	beside := f.withStack(slices.Clone(f.others), stack)
	if slices.ContainsFunc(beside, func(x other) bool { return f.memoryOf(x.space) < 0 }) {
		return f.fn.PlainErrorf("buffers of the function stay in the default memory space, and none of the memories has it: %s", f.named())
	}
	choices, err := f.choices()
	if err != nil {
		return err
	}
	// An arena is alive beside all that isn't in it; where there is no room for that, it may be divided.
	for _, whole := range []bool{true, false} {
		for _, c := range []closeness{asAsked, asNeeded} {
			problem, memories := f.memoryProblem(beside, c, whole)
			all := slices.Clone(choices)
			for i := range problem.Buffers[len(f.parts):] {
				all = append(all, plan.Choice{Allowed: []int{f.memoryOf(beside[i].space)}})
			}
			x, err := plan.SolveMemories(context.Background(), problem, memories, all, f.options.solve())
			if err == nil {
				err = plan.VerifyMemories(problem, memories, all, x)
			}
			if err == nil {
				f.take(x, c)
				if f.costsDiffer() && whole {
					f.addTransfers(memories, c)
				}
				return nil
			}
			var m *plan.MemoryError
			if !errors.As(err, &m) {
				return f.fn.PlainErrorf("no plan for the memory: %v", err)
			}
		}
	}
	return f.noRoom(beside, choices)
}

// memoryProblem returns the problem of the parts, and the memories with what there is for arenas: what is beside them may be alive for as long as they are, or, if not whole, is in the problem as well.
func (f *functionPlanner) memoryProblem(beside []other, c closeness, whole bool) (*plan.Problem, []plan.Memory) {
	p := &plan.Problem{}
	alignments := f.alignments(c)
	for i, x := range f.parts {
		p.Buffers = append(p.Buffers, plan.Buffer{Size: x.size, Alignment: alignments[i], Live: x.live})
	}
	memories := make([]plan.Memory, len(f.options.Memories))
	for k := range memories {
		m := &f.options.Memories[k]
		space := m.SpaceAttr(f.fn.Context())
		memories[k] = m.Memory
		memories[k].Capacity -= f.inGlobals[space] + bytesInSpace(f.reserves[f.fn], space)
		if whole {
			memories[k].Capacity -= f.peakOf(buffersIn(beside, space), nil)
		}
		memories[k].Capacity = max(0, memories[k].Capacity)
	}
	if !whole {
		for i := range beside {
			p.Buffers = append(p.Buffers, beside[i].Buffer)
		}
	}
	return p, memories
}

// choices returns in which memories the parts may be, and how often they are used. It fails if there is none for a part.
func (f *functionPlanner) choices() ([]plan.Choice, error) {
	out := make([]plan.Choice, len(f.parts))
	group, may := f.spaceGroups()
	for i := range f.parts {
		x := &f.parts[i]
		out[i].Uses = f.uses(x)
		if may[group[i]] {
			out[i].Group = group[i]
			continue
		}
		home := f.memoryOf(x.space)
		if home < 0 {
			return nil, f.madeBy(x).PlainErrorf("%s stays in the default memory space, and none of the memories has it: %s", x.what(), f.named())
		}
		out[i].Allowed = []int{home}
	}
	return out, nil
}

// costsDiffer tells whether a memory costs more than another one, so that transfers may pay.
func (f *functionPlanner) costsDiffer() bool {
	return slices.ContainsFunc(f.options.Memories, func(m Memory) bool { return m.Cost != f.options.Memories[0].Cost })
}

// take gives the parts the memories of a plan.
func (f *functionPlanner) take(x *plan.MemoryPlan, c closeness) {
	f.assigned = map[ir.Attribute]*assigned{}
	for i := range f.parts {
		p := &f.parts[i]
		k := x.Memory[i]
		space := f.options.Memories[k].SpaceAttr(f.fn.Context())
		if p.space != space {
			f.changeSpace(p, space)
			p.space = space
		}
		a := f.assigned[space]
		if a == nil {
			a = &assigned{closeness: c}
			f.assigned[space] = a
		}
		a.offsets = append(a.offsets, x.Offsets[i])
		a.peak = max(a.peak, x.Offsets[i]+p.size)
	}
}

// solution returns a plan for a problem whose buffers are the parts in the memory space, or the one by which they got their memory, if that is better.
func (f *functionPlanner) solution(p *plan.Problem, c closeness) (*plan.Solution, error) {
	s, err := plan.Solve(context.Background(), p, f.options.solve())
	a := f.assigned[f.space]
	if a == nil || len(a.offsets) != len(p.Buffers) || a.closeness != c || err == nil && s.Peak <= a.peak {
		return s, err
	}
	s = &plan.Solution{Offsets: a.offsets, Peak: a.peak, Bound: plan.LowerBound(p), Strategy: "several memories"}
	s.LowerBound = s.Bound.Bytes
	return s, nil
}

// peakAllowed returns what the function may need in the memory space: no more than it did; or, if there are memories, as much as there is, but in the default space, where buffers may be allocated
// one by one, no more than that takes.
func (f *functionPlanner) peakAllowed() int64 {
	if len(f.options.Memories) == 0 {
		return f.peakBefore()
	}
	room := f.options.Memories[f.memoryOf(f.space)].Capacity - f.inGlobals[f.space]
	if f.space == nil {
		return min(room, f.peakBefore())
	}
	return room
}

// withStack adds what is on the stack, which is there as long as the function is.
func (f *functionPlanner) withStack(all []other, bytes int64) []other {
	if bytes == 0 {
		return all
	}
	return append(all, other{Buffer: plan.Buffer{Size: bytes, Live: []plan.Interval{{Lower: 0, Upper: f.times.End()}}}})
}

// buffersIn returns the buffers in a memory space.
func buffersIn(all []other, space ir.Attribute) (out []plan.Buffer) {
	for i := range all {
		if all[i].space == space {
			out = append(out, all[i].Buffer)
		}
	}
	return out
}

// checkMemories checks that what the function needs keeps within the memories, and refuses it if it doesn't.
func (f *functionPlanner) checkMemories() error {
	for k := range f.options.Memories {
		m := &f.options.Memories[k]
		space := m.SpaceAttr(f.fn.Context())
		n := f.peakOf(f.othersIn(space), nil)
		for i := range f.planned {
			switch a := &f.planned[i]; {
			case a.Space != space:
			case a.kind == ArenaArgument:
				n += a.Solution.Peak
			case a.kind == ArenaGlobal:
				f.inGlobals[space] += a.Solution.Peak
			}
		}
		f.most[space] = max(f.most[space], n)
		if n += f.inGlobals[space]; n > m.Capacity {
			return f.fn.PlainErrorf("the memory %s has %d bytes, and %d are needed in it with an arena, %d too many", m.Name, m.Capacity, n, n-m.Capacity)
		}
	}
	return nil
}

// checkGlobals checks that all arenas in globals, and what is needed beside, keep within the memories.
func (p *memoryPlanner) checkGlobals() error {
	for _, m := range p.options.Memories {
		space := m.SpaceAttr(p.root.Context())
		if n := p.most[space] + p.inGlobals[space]; n > m.Capacity {
			return p.root.PlainErrorf("the memory %s has %d bytes, and the arenas in globals, with what functions need beside them, take %d, %d too many", m.Name, m.Capacity, n, n-m.Capacity)
		}
	}
	return nil
}

// mostNamed bounds how many buffers a message names.
const mostNamed = 5

// noRoom says that the parts, and what is beside them, don't fit into the memories, and what is alive where most is.
func (f *functionPlanner) noRoom(beside []other, choices []plan.Choice) error {
	d := f.tooLarge(choices)
	if d == nil {
		d = f.tooMany(beside, choices)
	}
	return d
}

// tooLarge returns that a buffer is larger than each memory that it may be in; nil if there is none.
func (f *functionPlanner) tooLarge(choices []plan.Choice) *ir.Diagnostic {
	for i := range f.parts {
		x := &f.parts[i]
		fits := func(k int) bool { return x.size <= f.options.Memories[k].Capacity }
		allowed := choices[i].Allowed
		switch {
		case len(allowed) == 0 && !slices.ContainsFunc(f.options.Memories, func(m Memory) bool { return x.size <= m.Capacity }):
			return f.madeBy(x).PlainErrorf("%s takes %d bytes, more than any of the memories has: %s", x.what(), x.size, f.named())
		case len(allowed) == 1 && !fits(allowed[0]):
			m := &f.options.Memories[allowed[0]]
			return f.madeBy(x).PlainErrorf("%s takes %d bytes, %d more than the memory %s has, and can't be in another one", x.what(), x.size, x.size-m.Capacity, m.Name)
		}
	}
	return nil
}

func (f *functionPlanner) madeBy(x *part) *ir.Op {
	if x.alloc != nil {
		return x.alloc
	}
	return x.call
}

func (x *part) what() string {
	if x.call != nil {
		return "what the function that is called here needs"
	}
	return "this buffer"
}

// tooMany returns that too much is alive at a time: in a memory, of what can't be elsewhere, or in all; or else that no plan was found.
func (f *functionPlanner) tooMany(beside []other, choices []plan.Choice) *ir.Diagnostic {
	var total int64
	for k := range f.options.Memories {
		m := &f.options.Memories[k]
		room := max(0, m.Capacity-f.inGlobals[m.SpaceAttr(f.fn.Context())])
		total = min(total+room, 1<<62)
		only := func(i int) bool { return slices.Equal(choices[i].Allowed, []int{k}) }
		if at, n := f.mostAlive(beside, only, func(o *other) bool { return f.memoryOf(o.space) == k }); n > room {
			d := f.times.At(at).PlainErrorf("the memory %s has %d bytes, and what is alive here and can't be elsewhere takes %d, %d too many", m.Name, room, n, n-room)
			return f.nameAlive(d, at, only)
		}
	}
	all := func(int) bool { return true }
	at, n := f.mostAlive(beside, all, func(*other) bool { return true })
	op := f.times.At(at)
	if n > total {
		return f.nameAlive(op.PlainErrorf("what is alive here takes %d bytes, %d more than all memories have: %s", n, n-total, f.named()), at, all)
	}
	d := op.PlainErrorf("no plan was found that keeps within the memories %s; what is alive here takes %d bytes of %d", f.named(), n, total)
	return f.nameAlive(d, at, all)
}

// mostAlive returns when most of some parts and others is alive, and how much that is.
func (f *functionPlanner) mostAlive(beside []other, parts func(i int) bool, others func(o *other) bool) (at, bytes int64) {
	var p plan.Problem
	for i := range f.parts {
		if parts(i) {
			p.Buffers = append(p.Buffers, plan.Buffer{Size: f.parts[i].size, Live: f.parts[i].live})
		}
	}
	for i := range beside {
		if others(&beside[i]) {
			p.Buffers = append(p.Buffers, beside[i].Buffer)
		}
	}
	b := plan.LowerBound(&p)
	return min(b.Time, f.times.End()-1), b.Bytes
}

// nameAlive adds the largest parts of some that are alive at a time to a message.
func (f *functionPlanner) nameAlive(d *ir.Diagnostic, at int64, parts func(i int) bool) *ir.Diagnostic {
	var alive []*part
	for i := range f.parts {
		if parts(i) && slices.ContainsFunc(f.parts[i].live, func(l plan.Interval) bool { return l.Lower <= at && at < l.Upper }) {
			alive = append(alive, &f.parts[i])
		}
	}
	slices.SortStableFunc(alive, func(x, y *part) int { return cmp.Compare(y.size, x.size) })
	for _, x := range alive[:min(len(alive), mostNamed)] {
		d = d.WithNote(f.madeBy(x).Loc(), "%s takes %d bytes and is alive then", x.what(), x.size)
	}
	return d
}
