package reuse

import (
	"slices"

	"freehold/memory/plan"
)

// mostWindows limits the times at which it is tried to end an arena, or to start it.
const mostWindows = 64

// window keeps apart what is alive after some time, or before it, so that the arena isn't alive beside what would make the
// peak larger, such as a result. It takes the time that leaves most bytes in the arena, and tells whether there is one for
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
	step := max(1, len(times)/mostWindows)
	for i := 0; i < len(times); i += step {
		for _, starts := range []bool{false, true} {
			in, n, bytes := within(all, times[i], starts)
			if bytes <= most || n == len(all) {
				continue
			}
			inside := func(i int) bool { return i >= beside && in[i-beside] }
			total := sweep.Peak(inside, 0, plan.Interval{})
			f.parts, _ = divide(all, in)
			if f.isMore(kind, total) && (f.isAskedFor(kind) || sweep.Peak(func(i int) bool { return !inside(i) }, total, f.timeOf(kind)) <= before) {
				most, best = bytes, in
			}
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

// within tells what is only alive before a time, or, if starts, only from that time on; what can't stand
// apart stays as well. It also returns how many stay, and the sum of their sizes.
func within(all []part, time int64, starts bool) (in []bool, n int, bytes int64) {
	in = make([]bool, len(all))
	for i := range all {
		x := &all[i]
		in[i] = x.live[len(x.live)-1].Upper <= time
		if starts {
			in[i] = time <= x.live[0].Lower
		}
		if in[i] = in[i] || !x.alone() || x.call != nil; in[i] {
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
