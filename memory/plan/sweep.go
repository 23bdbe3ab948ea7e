package plan

import "math"

// Sweep knows when the buffers of a problem become and stop being alive, so that sums for many subsets of them are found without sorting
// again.
type Sweep struct {
	buffers []Buffer
	events  []event
}

// NewSweep takes n log n steps for n intervals.
func NewSweep(p *Problem) *Sweep {
	return &Sweep{p.Buffers, events(p, func(*Buffer) bool { return true })}
}

// Peak returns the largest sum of the sizes of what is alive at the same time: of the buffers that in tells, by number, and of a further one
// that is alive all of an interval. It is linear. Sums beyond the largest int64 aren't looked at, as by [LowerBound].
func (s *Sweep) Peak(in func(i int) bool, size int64, live Interval) int64 {
	var sum, most int64
	grow := func(n int64) bool {
		if n > math.MaxInt64-sum {
			return false
		}
		sum += n
		most = max(most, sum)
		return true
	}
	before, inside := true, false // of the interval
	if live.Lower >= live.Upper {
		before = false
	}
	for _, e := range s.events {
		if !in(int(e.buffer)) {
			continue
		}
		if before && (e.time > live.Lower || e.time == live.Lower && e.start) {
			if before, inside = false, true; !grow(size) {
				return most
			}
		}
		if inside && e.time >= live.Upper {
			inside = false
			sum -= size
		}
		if !e.start {
			sum -= s.buffers[e.buffer].Size
		} else if !grow(s.buffers[e.buffer].Size) {
			return most
		}
	}
	if before {
		grow(size)
	}
	return most
}
