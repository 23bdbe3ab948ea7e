package reuse

import (
	"slices"

	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/analysis"
)

// joinArms lets branches of control flow, of which one is executed, make what they pass on in one buffer, which is allocated before,
// unless the function would need more memory at a time then. A branch that passes on something else frees it first.
// So there is one life of a buffer where there were several of which each may be the one that goes on.
// Those of a block are decided on one analysis.
func joinArms(fn *ir.Op, calls *analysis.CallSummaries) {
	blocks := blocksIn(fn)
	slices.Reverse(blocks)
	var j *joining // nil if something in the blocks that follow changed
	for _, b := range blocks {
		changed := false
		for op := range b.Ops() {
			if !op.Is(scf.If) && !op.Is(scf.IndexSwitch) {
				continue
			}
			for k := range op.NumResults() {
				x := joinOf(op, k)
				if x == nil {
					continue
				}
				if j == nil {
					j = newJoining(fn, calls)
				}
				if j.needsNoMore(x) {
					x.join()
					changed = true
				}
			}
		}
		if changed {
			j = nil
		}
	}
}

// joining is what is known of a function while choices that aren't in each other change.
type joining struct {
	buffers  *analysis.Buffers
	pressure *pressure
	alive    map[*ir.Value]*analysis.Lifetime
}

func newJoining(fn *ir.Op, calls *analysis.CallSummaries) *joining {
	j := &joining{buffers: analysis.NewBuffers(fn, analysis.BufferOptions{Calls: calls}), alive: map[*ir.Value]*analysis.Lifetime{}}
	j.pressure = pressureOf(analysis.NewLifetimes(fn), j.buffers)
	for i := range j.pressure.alive.Buffers {
		x := &j.pressure.alive.Buffers[i]
		j.alive[x.Value] = x
	}
	return j
}

// joined is what several branches make and pass on.
type joined struct {
	op     *ir.Op
	allocs []*ir.Op
	others []*ir.Block // of branches that pass on something else
}

// joinOf returns what branches make that becomes result k of an operation; nil if they can't make it in one buffer.
func joinOf(op *ir.Op, k int) *joined {
	x := &joined{op: op}
	for _, r := range op.Regions() {
		if r.NumBlocks() != 1 {
			return nil
		}
		b := r.Entry()
		v := b.Last().Operand(k)
		alloc := allocation(v)
		if alloc == nil || !alloc.Is(memref.Alloc) || alloc.Block() != b {
			x.others = append(x.others, b)
			continue
		}
		passed := 0
		for u := v.FirstUse(); u != nil; u = u.Next() {
			if u.Owner() == b.Last() {
				passed++
			}
		}
		if passed > 1 || alloc.NumOperands() > 0 || len(x.allocs) > 0 && v.Type() != x.allocs[0].Result(0).Type() {
			return nil
		}
		x.allocs = append(x.allocs, alloc)
	}
	if len(x.allocs) < 2 {
		return nil
	}
	return x
}

// needsNoMore tells whether the buffer can be there from before the branches on, and notes that it is.
func (j *joining) needsNoMore(x *joined) bool {
	p := j.pressure
	begin, end := p.times.Of(x.op)
	size := p.sizes[x.allocs[0].Result(0)]
	var after []analysis.Span
	for i, alloc := range x.allocs {
		l := j.alive[alloc.Result(0)]
		if l == nil || l.Overlaps || l.Escape != 0 {
			return false
		}
		var outside []analysis.Span
		for _, s := range l.Spans {
			if s.Lower < begin {
				return false
			}
			if s.Lower = max(s.Lower, end); s.Lower < s.Upper {
				outside = append(outside, s)
			}
		}
		if i > 0 && !slices.Equal(outside, after) {
			return false
		}
		after = outside
		mayBeFreed := false
		j.buffers.Uses(alloc.Result(0), func(u *ir.Use) {
			mayBeFreed = mayBeFreed || x.op.IsProperAncestorOf(u.Owner()) && analysis.MayFree(u.Owner(), u.Index())
		})
		if mayBeFreed {
			return false
		}
	}
	var less []sized
	for range x.allocs[1:] {
		less = append(less, sized{size, after}) // one of them goes on
	}
	p.addAll(less, -1)
	more := []sized{{size, []analysis.Span{{Lower: begin, Upper: begin + 1}}}}
	for _, alloc := range x.allocs {
		if from, to := p.begin(alloc.Block().First()), p.begin(alloc); from < to {
			more = append(more, sized{size, []analysis.Span{{Lower: from, Upper: to}}})
		}
	}
	before := p.most[1]
	p.addAll(more, 1)
	if p.most[1] <= before {
		return true
	}
	p.addAll(more, -1)
	p.addAll(less, 1)
	return false
}

// join lets all branches make it in one buffer.
func (x *joined) join() {
	b := ir.NewBuilder(x.op.Context())
	b.Loc = x.allocs[0].Loc()
	first := x.allocs[0]
	first.MoveBefore(x.op)
	for _, alloc := range x.allocs[1:] {
		align(first, alloc)
		alloc.Result(0).ReplaceAllUsesWith(first.Result(0))
		alloc.Erase()
	}
	for _, other := range x.others {
		b.SetStart(other)
		memref.NewDealloc(b, first.Result(0))
	}
}
