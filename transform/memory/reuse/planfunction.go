package reuse

import (
	"fmt"
	"slices"

	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
	"freehold/memory/footprint"
	"freehold/memory/plan"
)

// functionPlanner plans the memory of one function.
type functionPlanner struct {
	*memoryPlanner
	fn        *ir.Op
	recursive bool
	buffers   *analysis.Buffers
	times     *analysis.Lifetimes
	groups    *analysis.FreeGroups
	alive     *analysis.Alive

	sequential []*ir.Op // allocations that are executed one after the other
	calling    []*ir.Op // calls of functions with a body, in order
	frees      []*ir.Op

	lifetimes map[*ir.Value]*analysis.Lifetime
	parts     []part
	others    []other // what is not planned
	// space is the memory space that is at work; parts, and hosts, are those of an arena in it.
	space     ir.Attribute
	hosts     []host
	planned   []plannedArena
	addresses map[*ir.Value]bool  // whether addresses are written to a buffer
	needed    map[*ir.Value]int64 // the alignment that a buffer needs
	// entry are sizes when the function begins; nil if nothing is dynamic.
	entry   *entrySizes
	anyway  []footprint.Term       // see [functionPlanner.thereAnyway]; nil if not asked for yet
	alone   []part                 // what calls need that they can't get from an arena
	brought map[*ir.Op][]*ir.Value // what calls get, by position
	// assigned are the plans by which parts got their memories, by space.
	assigned map[ir.Attribute]*assigned
}

// plannedArena is an arena with what becomes a part of it, or of the hosts that are allocated with it.
type plannedArena struct {
	Arena
	kind  ArenaKind
	parts []part
	hosts []host
	// The arena is in use from the first to the last of these operations of the function's only block; nil if there are several.
	first, last *ir.Op
}

// function returns the planner of a function.
func (p *memoryPlanner) function(fn *ir.Op, recursive bool) *functionPlanner {
	f := &functionPlanner{memoryPlanner: p, fn: fn, recursive: recursive}
	f.buffers = analysis.NewBuffers(fn, analysis.BufferOptions{Calls: p.calls})
	f.times = analysis.NewLifetimes(fn)
	f.groups = f.buffers.NewFreeGroups()
	f.scan()
	p.freed[fn] = f.freedArguments()
	return f
}

// scan lists the allocations, calls and frees of the function.
func (f *functionPlanner) scan() {
	var walk func(op *ir.Op, overlaps bool)
	walk = func(op *ir.Op, overlaps bool) {
		if _, fn := interfaces.Function.Of(op); fn && op != f.fn {
			return
		}
		if !overlaps && op.NumResults() == 1 && op.Is(memref.Alloc) {
			f.sequential = append(f.sequential, op)
		}
		if callee := f.callee(op); callee != nil {
			f.calling = append(f.calling, op)
			f.concurrent[callee] = f.concurrent[callee] || overlaps || f.recursive
		}
		for i := range op.NumOperands() {
			if analysis.MayFree(op, i) {
				f.frees = append(f.frees, op)
				break
			}
		}
		_, branch := interfaces.RegionBranch.Of(op)
		overlaps = overlaps || op != f.fn && op.NumRegions() > 0 && (!branch || op.Has(ir.TraitParallelRegion))
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				for x := range b.Ops() {
					walk(x, overlaps)
				}
			}
		}
	}
	walk(f.fn, false)
}

// plan plans the function and rewrites it.
func (f *functionPlanner) plan() error {
	f.alive = f.times.Buffers(f.buffers, func(v *ir.Value) bool {
		_, call := interfaces.Call.Of(v.DefiningOp())
		return call || interfaces.HasEffect(v.DefiningOp(), interfaces.Allocate, v)
	})
	f.lifetimes = map[*ir.Value]*analysis.Lifetime{}
	for i := range f.alive.Buffers {
		f.lifetimes[f.alive.Buffers[i].Value] = &f.alive.Buffers[i]
	}
	need := &callNeeds{dynamic: f.isDynamic()}
	f.needs[f.fn] = need
	kind := f.kind()
	plan := f.planStatic
	if len(f.options.Memories) == 0 {
		plan = f.planAny
	} else if err := f.refuseUnbounded(); err != nil {
		return err
	}
	if err := plan(kind); err != nil {
		return err
	}
	f.rewriteAll()
	need.others = f.besideArenas()
	return f.checkMemories()
}

// planAny plans the buffers whose sizes are known when the function begins, or, if not all are planned by that, those of static size.
func (f *functionPlanner) planAny(kind ArenaKind) error {
	if done, err := f.planDynamic(kind); done || err != nil {
		return err
	}
	return f.planStatic(kind)
}

// besideArenas returns how much is needed in each memory space beside the arenas that callers bring.
func (f *functionPlanner) besideArenas() (out []spaceBytes) {
	var spaces []ir.Attribute
	for i := range f.others {
		if space := f.others[i].space; !slices.Contains(spaces, space) {
			spaces = append(spaces, space)
		}
	}
	for _, space := range spaces {
		if n := f.peakOf(f.othersIn(space), nil); n > 0 {
			out = append(out, spaceBytes{space, n})
		}
	}
	return out
}

// planStatic plans the buffers of static size.
func (f *functionPlanner) planStatic(kind ArenaKind) error {
	f.alone = nil
	f.find(f.alive, f.canPlan)
	f.parts = slices.DeleteFunc(f.parts, func(x part) bool {
		if x.bytes != nil { // an arena whose size is a number has no place for it
			f.alone = append(f.alone, x)
		}
		return x.bytes != nil
	})
	stack := int64(0)
	var kept []part
	for _, x := range f.parts {
		if x.stack {
			f.promote(x)
			stack += x.size
			f.out.Promoted++
		} else {
			kept = append(kept, x)
		}
	}
	f.parts = kept
	if err := f.assign(stack); err != nil {
		return err
	}
	all := f.parts
	for _, space := range spacesOf(all) {
		f.space = space
		f.parts = nil
		for _, x := range all {
			if x.space == space {
				f.parts = append(f.parts, x)
			}
		}
		if err := f.planSpace(kind); err != nil {
			return err
		}
	}
	f.others = f.withStack(f.others, stack)
	return nil
}

// mostArenas limits the arenas of a memory space: those after the first one are for what had to stay apart from it.
const mostArenas = 8

// planSpace plans the parts, which are those in the memory space.
func (f *functionPlanner) planSpace(kind ArenaKind) error {
	before := f.peakAllowed()
	for range mostArenas {
		parts, others := f.parts, len(f.others)
		f.hosts = nil
		a, ok, err := f.arena(kind, before)
		if err != nil {
			return err
		}
		if !ok && kind == ArenaArgument {
			// Not before the function begins, or after it ends.
			kind = ArenaAlloc
			a, ok, err = f.arena(kind, before)
			if err != nil {
				return err
			}
		}
		if !ok {
			break
		}
		x := plannedArena{Arena: a, kind: kind, parts: f.parts, hosts: f.hosts}
		x.first, x.last = f.firstAndLast()
		f.planned = append(f.planned, x)
		if kind != ArenaAlloc {
			f.parts = nil
			break
		}
		from, to := f.range_()
		f.others = append(f.others[:others:others], other{Buffer: plan.Buffer{Size: a.Solution.Peak, Live: []plan.Interval{{Lower: from, Upper: to}}}, space: f.space})
		in := map[*ir.Op]bool{}
		for _, x := range f.parts {
			in[x.alloc] = true
		}
		for _, h := range f.hosts {
			for _, x := range h.guests {
				in[x.alloc] = true
			}
		}
		f.parts = slices.DeleteFunc(slices.Clone(parts), func(x part) bool { return x.alloc == nil || in[x.alloc] })
	}
	for _, x := range f.parts {
		if x.transfer != nil {
			continue // without an arena, nothing is transferred
		}
		if x.call != nil {
			f.bringAlone(x)
		}
		f.others = append(f.others, other{Buffer: plan.Buffer{Size: x.size, Live: x.live}, space: x.space})
	}
	f.parts = nil
	return nil
}

// mostLeftOut limits the number of buffers that stay apart for an arena of the others.
const mostLeftOut = 4

// arena finds an arena for the parts in the memory space that is better than what there was: a peak before. Parts
// without which it is stay apart: a few large ones, or all that are alive at its end, or start, and what paths join. It is false if there is none.
func (f *functionPlanner) arena(kind ArenaKind, before int64) (a Arena, ok bool, err error) {
	parts, others := f.parts, slices.Clone(f.others)
	a, ok, err = f.arenaOfMost(kind, before, f.options.Capacity > 0)
	if !ok && err == nil && f.leaveOutJoined() {
		a, ok, err = f.arenaOfMost(kind, before, false)
	}
	if !ok {
		f.parts, f.others = parts, others
	}
	return a, ok, err
}

// arenaOfMost finds an arena for the parts, or for most of them. If always, it fails if there is no plan for all.
func (f *functionPlanner) arenaOfMost(kind ArenaKind, before int64, always bool) (a Arena, ok bool, err error) {
	parts, others := f.parts, slices.Clone(f.others)
	for i := range mostLeftOut + 1 {
		a, ok, err = f.arenaOf(kind, before, i == 0 && always)
		if ok || err != nil {
			return a, ok, err
		}
		if !f.leaveOut() {
			break
		}
	}
	f.parts, f.others = parts, others
	if f.window(kind, before) {
		if a, ok, err = f.arenaOf(kind, before, false); ok || err != nil {
			return a, ok, err
		}
	}
	f.parts, f.others = parts, others
	return a, false, nil
}

// arenaOf finds an arena for what is a part now, if a plan at its lower bound would be better, or always.
func (f *functionPlanner) arenaOf(kind ArenaKind, before int64, always bool) (a Arena, ok bool, err error) {
	parts, hosts, others := f.parts, f.hosts, slices.Clone(f.others)
	if kind != ArenaArgument {
		f.findHosts(before)
	}
	if always || f.worthwhile(kind, f.peakOf(nil, f.parts), before) {
		if a, ok, err = f.solve(kind, before, always); ok || err != nil {
			return a, ok, err
		}
	}
	f.parts, f.hosts, f.others = parts, hosts, others
	return a, false, nil
}

// leaveOut keeps the largest part apart that is alive when the parts need most, and tells whether there is one.
func (f *functionPlanner) leaveOut() bool {
	problem := plan.Problem{Buffers: make([]plan.Buffer, len(f.parts))}
	for i, x := range f.parts {
		problem.Buffers[i] = plan.Buffer{Size: x.size, Live: x.live}
	}
	time := plan.LowerBound(&problem).Time
	largest := -1
	for i := range f.parts {
		x := &f.parts[i]
		alive := slices.ContainsFunc(x.live, func(l plan.Interval) bool { return l.Lower <= time && time < l.Upper })
		if alive && x.alone() && x.call == nil && (largest < 0 || x.size > f.parts[largest].size) {
			largest = i
		}
	}
	if largest < 0 {
		return false
	}
	x := f.parts[largest]
	f.parts = slices.Concat(f.parts[:largest], f.parts[largest+1:])
	f.others = append(f.others, other{Buffer: plan.Buffer{Size: x.size, Live: x.live}, space: x.space})
	return true
}

// leaveOutJoined keeps apart what shares frees with others, since paths join, and tells whether there is any. Apart, these are counted
// by the values that may be one of them, of which there are fewer at a time.
func (f *functionPlanner) leaveOutJoined() bool {
	joined := map[*ir.Value]int64{}
	var rest []part
	for _, x := range f.parts {
		if x.alloc != nil && !x.alone() {
			joined[x.alloc.Result(0)] = x.size
		} else {
			rest = append(rest, x)
		}
	}
	if len(joined) == 0 || len(rest) == 0 {
		return false
	}
	f.parts = rest
	most := analysis.Held(f.alive, func(i int) int64 { return joined[f.alive.Buffers[i].Value] }, func(x, y int64) int64 { return max(x, y) })
	for i, n := range most {
		if n > 0 {
			f.others = append(f.others, other{Buffer: plan.Buffer{Size: n, Live: intervals(f.alive.Holders[i].Spans)}, space: f.space})
		}
	}
	return true
}

// spacesOf returns the memory spaces of parts, in their order.
func spacesOf(parts []part) (spaces []ir.Attribute) {
	for _, x := range parts {
		if !slices.Contains(spaces, x.space) {
			spaces = append(spaces, x.space)
		}
	}
	return spaces
}

// kind returns where the arena of the function comes from.
func (f *functionPlanner) kind() ArenaKind {
	switch {
	case f.recursive:
		return ArenaAlloc
	case f.known[f.fn] && !f.anyParallelCall():
		return ArenaArgument
	case f.options.Arena == ArenaGlobal && !f.comesBack[f.fn] && !f.concurrent[f.fn] && len(f.callers[f.fn]) == 0:
		return ArenaGlobal
	}
	return ArenaAlloc
}

// peakBefore returns the peak, in the memory space, of the function without an arena.
func (f *functionPlanner) peakBefore() int64 {
	sum := f.peakOf(f.otherBuffers(), f.parts)
	// What joins paths is counted better there.
	if x := f.before.Of(f.fn); x != nil && x.Peak().IsStatic() && !x.Unknown {
		sum = min(sum, x.Peak().Bytes)
	}
	return sum
}

// worthwhile tells whether an arena of total bytes is better than what there was: a peak before.
func (f *functionPlanner) worthwhile(kind ArenaKind, total, before int64) bool {
	return f.isMore(kind, total) && (f.isAskedFor(kind) || f.needsNoMore(kind, total, before))
}

// isMore tells whether an arena of total bytes is more than a single buffer, which is an arena itself.
func (f *functionPlanner) isMore(kind ArenaKind, total int64) bool {
	return total != 0 && !(kind == ArenaAlloc && len(f.parts) == 1 && f.parts[0].alloc != nil && !interfaces.InLoop(f.parts[0].alloc))
}

// isAskedFor tells whether there is an arena whatever it takes.
func (f *functionPlanner) isAskedFor(kind ArenaKind) bool {
	return kind == ArenaArgument && f.options.Arena == ArenaArgument
}

// needsNoMore tells whether the function's peak with an arena of total bytes is no larger than one before.
func (f *functionPlanner) needsNoMore(kind ArenaKind, total, before int64) bool {
	whole := plan.Buffer{Size: total, Live: []plan.Interval{f.timeOf(kind)}}
	return f.peakOf(append(f.otherBuffers(), whole), nil) <= before
}

// timeOf returns when an arena of the parts is alive.
func (f *functionPlanner) timeOf(kind ArenaKind) plan.Interval {
	if kind != ArenaAlloc {
		return plan.Interval{Lower: 0, Upper: f.times.End()}
	}
	from, to := f.range_()
	return plan.Interval{Lower: from, Upper: to}
}

// peakOf returns the largest sum of the sizes of what is alive at the same time.
func (f *functionPlanner) peakOf(others []plan.Buffer, parts []part) int64 {
	all := plan.Problem{Buffers: slices.Clone(others)}
	for _, x := range parts {
		all.Buffers = append(all.Buffers, plan.Buffer{Size: x.size, Live: x.live})
	}
	return plan.LowerBound(&all).Bytes
}

// solve finds the offsets of the parts in the memory space, if that is better than what there was: a peak before, or fails if
// always. The parts are aligned as they ask, but closer if the peak would else be larger.
func (f *functionPlanner) solve(kind ArenaKind, before int64, always bool) (best Arena, ok bool, err error) {
	var alignments []int64
	for c := asAsked; c <= asNeeded; c++ {
		previous := alignments
		if alignments = f.alignments(c); slices.Equal(alignments, previous) {
			continue
		}
		a := f.problem(alignments)
		asked := best.Solution == nil && (always || f.isAskedFor(kind))
		if !asked && !f.needsNoMore(kind, plan.LowerBound(a.Problem).Bytes, before) {
			continue
		}
		solution, failed := f.solution(a.Problem, c)
		if failed != nil {
			if err == nil {
				err = f.fn.PlainErrorf("no plan for the memory: %v", failed)
			}
			continue
		}
		a.Solution = solution
		if err := plan.Verify(a.Problem, a.Solution); err != nil {
			return a, false, f.fn.PlainErrorf("a wrong plan for the memory: %v", err)
		}
		if f.needsNoMore(kind, a.Solution.Peak, before) {
			return a, true, nil
		}
		if best.Solution == nil || a.Solution.Peak < best.Solution.Peak {
			best = a
		}
	}
	if best.Solution == nil {
		return best, false, err
	}
	return best, f.worthwhile(kind, best.Solution.Peak, before), nil
}

// problem returns the arena of the parts in the memory space, with alignments, without a plan.
func (f *functionPlanner) problem(alignments []int64) Arena {
	a := Arena{Function: f.fn, Space: f.space, Problem: &plan.Problem{Capacity: f.options.Capacity}, Alignment: f.options.Alignment}
	for i, x := range f.parts {
		a.Problem.Buffers = append(a.Problem.Buffers, plan.Buffer{ID: fmt.Sprint(i), Size: x.size, Alignment: alignments[i], Live: x.live})
		a.Alignment = max(a.Alignment, alignments[i])
	}
	return a
}
