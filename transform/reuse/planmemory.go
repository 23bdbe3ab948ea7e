package reuse

import (
	"context"
	"fmt"
	"time"

	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/plan"
)

// PlanOptions say how [PlanMemory] makes an arena.
type PlanOptions struct {
	// Alignment is what the offsets of buffers are multiples of whose allocation asks for
	// none, and that of the arena if no buffer needs more: a power of two, in bytes.
	Alignment int64
	Solver    plan.Solver
	// TimeLimit ends the search for a better plan; 0 is never. NodeLimit ends it after about
	// so many steps, whatever the machine.
	TimeLimit time.Duration
	NodeLimit int64
	// Capacity is what an arena must not exceed, in bytes; 0 is no limit.
	Capacity int64
}

// PlanMemory makes the buffers of static size that a function allocates and frees in one
// block each, also within branches and bodies of sequential loops, views at fixed offsets of
// one buffer, the arena: the pass plan-memory. Buffers that are never alive at the same time
// may share. Buffers stay as they are whose address leaves what can be seen, that are passed to
// functions of the program, that are in another memory space than the default one, or in bodies whose executions may overlap in time; and
// a function stays as it is whose peak would get larger, since the arena lives longer than
// what is in it, or that calls functions that allocate.
//
// It returns the number of buffers in arenas, the bytes of the arenas, and those of the lower
// bounds of their sizes. The error tells that there is no plan within the capacity.
func PlanMemory(fn *ir.Op, calls *analysis.CallSummaries, o PlanOptions) (n counts, err error) {
	p := &planner{options: o, fn: fn, problem: plan.Problem{Capacity: o.Capacity}}
	if !p.find(calls) {
		return n, nil
	}
	solution, err := plan.Solve(context.Background(), &p.problem, plan.Options{Solver: o.Solver, TimeLimit: o.TimeLimit, NodeLimit: o.NodeLimit, Threads: 1})
	if err != nil {
		return n, fn.PlainErrorf("no plan for the memory: %v", err)
	}
	if err := plan.Verify(&p.problem, solution); err != nil {
		return n, fn.PlainErrorf("a wrong plan for the memory: %v", err)
	}
	if solution.Peak == 0 || p.peakWith(solution.Peak) > p.peak() {
		return n, nil
	}
	p.rewrite(solution)
	return counts{int64(len(p.planned)), solution.Peak, solution.LowerBound}, nil
}

// planner plans the memory of one function.
type planner struct {
	options PlanOptions
	fn      *ir.Op
	planned []planned
	problem plan.Problem // a buffer for each of planned
	// others are the times of allocations of static size that are not planned.
	others    []plan.Buffer
	alignment int64 // of the arena
}

// planned is a buffer that becomes a part of the arena.
type planned struct{ alloc, free *ir.Op }

// find lists what can be planned and tells whether there is anything.
func (p *planner) find(calls *analysis.CallSummaries) bool {
	var allocs []*ir.Op
	sequential, time := true, int64(0)
	at := map[*ir.Op]int64{} // of allocations and frees
	var walk func(op *ir.Op, overlaps bool)
	walk = func(op *ir.Op, overlaps bool) {
		time++
		if _, call := iface.Call.Of(op); call && calls.Allocates(op) {
			sequential = false
		}
		effects, _ := iface.EffectsOf(op)
		for _, e := range effects {
			if e.Kind == iface.Allocate || e.Kind == iface.Free {
				at[op] = time
			}
		}
		if !overlaps && op.NumResults() == 1 && allocation(op.Result(0)) != nil {
			allocs = append(allocs, op)
		}
		if _, fn := iface.Function.Of(op); fn && op != p.fn {
			return
		}
		_, branch := iface.RegionBranch.Of(op)
		overlaps = overlaps || op != p.fn && (!branch || op.Has(ir.TraitParallelRegion))
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				for x := range b.Ops() {
					walk(x, overlaps)
				}
			}
		}
	}
	walk(p.fn, false)
	if !sequential || len(allocs) == 0 {
		return false
	}
	p.alignment = p.options.Alignment
	buffers := analysis.NewBuffers(p.fn, analysis.BufferOptions{Calls: calls})
	for _, alloc := range allocs {
		v := alloc.Result(0)
		size := bytesOf(v)
		if size >= 1<<62 {
			continue
		}
		b := plan.Buffer{Size: size, Alignment: p.options.Alignment, Live: []plan.Interval{{Lower: at[alloc], Upper: time + 1}}}
		free := p.onlyFree(buffers, calls, v)
		if free != nil {
			b.Live[0].Upper = at[free]
		}
		t := v.Type().(*ir.MemRefType)
		if free == nil || t.Space != nil || t.Layout != nil || size == 0 {
			p.others = append(p.others, b)
			continue
		}
		if a, ok := alloc.Attr(memref.AlignmentAttr).(*ir.IntegerAttr); ok {
			b.Alignment = a.Value
		}
		p.alignment = max(p.alignment, b.Alignment)
		b.ID = fmt.Sprint(len(p.planned))
		p.planned = append(p.planned, planned{alloc, free})
		p.problem.Buffers = append(p.problem.Buffers, b)
	}
	return len(p.planned) > 0
}

// onlyFree returns the operation that frees a buffer, if it is the only one that may, and
// neither another function of the program nor anything else gets hold of its address.
func (p *planner) onlyFree(buffers *analysis.Buffers, calls *analysis.CallSummaries, v *ir.Value) *ir.Op {
	free := onlyFree(v)
	if free == nil || buffers.Escapes(v) != 0 || !v.DefiningOp().IsBefore(free) {
		return nil
	}
	for _, u := range usesOf(buffers, v) {
		op := u.Owner()
		if op == free {
			continue
		}
		_, frees := iface.ConditionalFree.Of(op)
		if frees || calls.HasBody(op) || !ir.IsMemRef(u.Value().Type()) || iface.HasEffect(op, iface.Free, u.Value()) {
			return nil
		}
		if user := free.Block().AncestorIn(op); user == nil || !user.IsBefore(free) {
			return nil
		}
	}
	return free
}

// peak returns the largest sum of the sizes of buffers that are alive at the same time.
func (p *planner) peak() int64 {
	all := plan.Problem{}
	for _, list := range [][]plan.Buffer{p.problem.Buffers, p.others} {
		for _, b := range list {
			b.ID = ""
			all.Buffers = append(all.Buffers, b)
		}
	}
	return plan.LowerBound(&all).Bytes
}

// peakWith returns what the peak is with an arena of the given size, all the time.
func (p *planner) peakWith(arena int64) int64 {
	all := plan.Problem{Buffers: p.others}
	return arena + plan.LowerBound(&all).Bytes
}

// rewrite replaces the buffers by views of an arena.
func (p *planner) rewrite(s *plan.Solution) {
	c := p.fn.Context()
	b := ir.NewBuilder(c)
	first, last := p.planned[0].alloc, p.planned[0].free
	entry := p.fn.BodyBlock(0)
	single := p.fn.RegionAt(0).NumBlocks() == 1
	// In one block, the arena lives from the first buffer to the last free.
	for _, x := range p.planned {
		if a := entry.AncestorIn(x.alloc); single && a.IsBefore(entry.AncestorIn(first)) {
			first = x.alloc
		}
		if f := entry.AncestorIn(x.free); single && entry.AncestorIn(last).IsBefore(f) {
			last = x.free
		}
	}
	b.Loc = first.Loc()
	if single {
		b.SetBefore(entry.AncestorIn(first))
	} else {
		b.SetStart(entry)
	}
	arena := memref.NewAlloc(b, c.MemRef([]int64{s.Peak}, ir.I8), nil, p.alignment)
	if single {
		b.SetAfter(entry.AncestorIn(last))
		memref.NewDealloc(b, arena)
	} else {
		for block := range p.fn.RegionAt(0).Blocks() {
			if t := block.Last(); t != nil && t.Has(ir.TraitReturnLike) {
				b.SetBefore(t)
				memref.NewDealloc(b, arena)
			}
		}
	}
	for i, x := range p.planned {
		b.SetBefore(x.alloc)
		b.Loc = x.alloc.Loc()
		v := x.alloc.Result(0)
		view := memref.NewView(b, v.Type().(*ir.MemRefType), arena, arith.ConstantIndex(b, s.Offsets[i]))
		x.free.Erase()
		v.ReplaceAllUsesWith(view)
		x.alloc.Erase()
	}
}
