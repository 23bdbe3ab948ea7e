package reuse

import (
	"slices"

	"freehold/memory/plan"
)

// mostWindows limits the times at which it is tried to end an arena, or to start it.
const mostWindows = 64

// window keeps apart what is alive after some time, or before it, so that the arena isn't alive beside what would make the
// peak larger, such as a result. It takes the time that leaves most bytes in the arena, and tells whether there is one for
// which a plan at the lower bound would be worthwhile. The number of windows limits the time: each takes n log n for n
// buffers.
func (f *functionPlanner) window(kind ArenaKind, before int64) bool {
	var times []int64
	for i := range f.parts {
		live := f.parts[i].live
		times = append(times, live[0].Lower, live[len(live)-1].Upper)
	}
	slices.Sort(times)
	times = slices.Compact(times)
	all, others := f.parts, f.others
	var best []part
	var apart []other
	most := int64(0)
	step := max(1, len(times)/mostWindows)
	for i := 0; i < len(times); i += step {
		for _, starts := range []bool{false, true} {
			parts, left, bytes := within(all, times[i], starts)
			if bytes <= most || len(parts) == len(all) {
				continue
			}
			f.parts, f.others = parts, append(slices.Clone(others), left...)
			if f.worthwhile(kind, f.peakOf(nil, parts), before) {
				most, best, apart = bytes, parts, f.others
			}
		}
	}
	f.parts, f.others = all, others
	if best == nil {
		return false
	}
	f.parts, f.others = best, apart
	return true
}

// within separates what is only alive before a time, or, if starts, only from that time on, from the rest. What can't stand
// apart stays. It also returns the sum of the sizes of the buffers that stay.
func within(all []part, time int64, starts bool) (parts []part, left []other, bytes int64) {
	for _, x := range all {
		in := x.live[len(x.live)-1].Upper <= time
		if starts {
			in = time <= x.live[0].Lower
		}
		if in || !x.alone() || x.call != nil {
			parts = append(parts, x)
			bytes += x.size
			continue
		}
		left = append(left, other{Buffer: plan.Buffer{Size: x.size, Live: x.live}, space: x.space})
	}
	return parts, left, bytes
}
