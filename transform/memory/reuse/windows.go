package reuse

import (
	"math"
	"slices"

	"freehold/memory/plan"
)

// mostWindows limits the times at which it is tried to end an arena, to start it, or both.
const mostWindows = 64

// window keeps apart what is alive after some time, or before one, so that the arena isn't alive beside what would make the
// peak larger, such as a result, or what is there for long. It takes the times that leave most bytes in the arena, and tells whether there are such for
// which a plan at the lower bound would be worthwhile. The number of windows limits the time: n log n for n buffers, and n for each
// window.
func (f *functionPlanner) window(kind ArenaKind, before int64) bool {
	var times []int64
	for i := range f.parts {
		live := f.parts[i].live
		times = append(times, live[0].Lower, live[len(live)-1].Upper)
	}
	slices.Sort(times)
	times = slices.Compact(times)
	all := f.parts
	problem := plan.Problem{Buffers: f.otherBuffers()}
	beside := len(problem.Buffers)
	for _, x := range all {
		problem.Buffers = append(problem.Buffers, plan.Buffer{Size: x.size, Live: x.live})
	}
	sweep := plan.NewSweep(&problem)
	var best []bool
	most := int64(0)
	// try takes an arena of what is only alive from one time to another, if that is worthwhile, and tells whether it doesn't need too much.
	try := func(from, to int64) bool {
		in, n, bytes := within(all, from, to)
		if n == len(all) || n == 0 {
			return n == 0
		}
		inside := func(i int) bool { return i >= beside && in[i-beside] }
		total := sweep.Peak(inside, 0, plan.Interval{})
		f.parts, _ = divide(all, in)
		fits := f.isAskedFor(kind) || sweep.Peak(func(i int) bool { return !inside(i) }, total, f.timeOf(kind)) <= before
		if fits && bytes > most && f.isMore(kind, total) {
			most, best = bytes, in
		}
		return fits
	}
	step := max(1, len(times)/mostWindows)
	for i := 0; i < len(times); i += step {
		try(math.MinInt64, times[i])
		try(times[i], math.MaxInt64)
	}
	// From each time on as far as that fits: further than from the one before.
	for i, j := 0, 0; i < len(times); i += step {
		for j = max(j, i+step); j < len(times) && try(times[i], times[j]); j += step {
		}
	}
	f.parts = all
	if best == nil {
		return false
	}
	var apart []part
	f.parts, apart = divide(all, best)
	f.others = slices.Clone(f.others)
	for _, x := range apart {
		f.others = append(f.others, other{Buffer: plan.Buffer{Size: x.size, Live: x.live}, space: x.space})
	}
	return true
}

// within tells what is only alive from one time to another; what can't stand
// apart stays as well. It also returns how many stay, and the sum of their sizes.
func within(all []part, from, to int64) (in []bool, n int, bytes int64) {
	in = make([]bool, len(all))
	for i := range all {
		x := &all[i]
		if in[i] = from <= x.live[0].Lower && x.live[len(x.live)-1].Upper <= to || !x.alone() || x.call != nil; in[i] {
			n++
			bytes += x.size
		}
	}
	return in, n, bytes
}

// divide separates what is in from the rest.
func divide(all []part, in []bool) (parts, rest []part) {
	for i, x := range all {
		if in[i] {
			parts = append(parts, x)
		} else {
			rest = append(rest, x)
		}
	}
	return parts, rest
}
