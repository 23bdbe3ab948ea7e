package plan

import (
	"cmp"
	"slices"
)

// repairWork is how many pairs of buffers alive at the same time a repair may look at, for
// each buffer and at least.
const (
	repairWork    = 256
	minRepairWork = 4_000_000
)

// repair makes a plan lower where it is highest. What ends above a height between the bound
// and the peak is put together with what is alive about then only, and first-fit places that
// again, between everything else, which stays. If no order and no wider section of time brings it
// below the height, the height is raised, else lowered. What is high at few times, as in long
// problems whose memory varies, is so brought close to the bound at a cost that depends on how
// much is high. It changes the plan, and ends when stop says so.
func repair(m *model, near *neighbours, offsets []int64, bound int64, stop func() bool) {
	r := &repairer{m: m, near: near, offsets: offsets, stop: stop, seen: make([]bool, len(m.size))}
	r.work = max(minRepairWork, repairWork*len(m.size))
	peak, low := m.peak(offsets), bound-1 // low is a height that wasn't reached
	for step := (peak - low) / 16; r.goOn(); {
		if step = min(step, (peak-low)/2); step <= bound>>12 {
			return
		}
		height := peak - step
		if r.lowerTo(height) {
			peak = m.peak(offsets)
			step *= 2
		} else {
			low = height
			step /= 2
		}
	}
}

// repairer is the state of repair.
type repairer struct {
	m       *model
	near    *neighbours
	offsets []int64
	work    int
	stop    func() bool
	seen    []bool
	wins    [len(keyNames)]int // how often the orders by the keys were good
}

func (r *repairer) goOn() bool { return r.work > 0 && !r.stop() }

// lowerTo brings all buffers below a height, or says that it can't; some may then be lower
// than they were.
func (r *repairer) lowerTo(height int64) bool {
	var high []int32
	for i, o := range r.offsets {
		if o > height-r.m.size[i] {
			high = append(high, int32(i))
		}
	}
	slices.SortFunc(high, func(x, y int32) int {
		return cmp.Or(cmp.Compare(r.m.hull(x).lo, r.m.hull(y).lo), cmp.Compare(x, y))
	})
	for k := 0; k < len(high); {
		section := r.m.hull(high[k])
		for k++; k < len(high) && r.m.hull(high[k]).lo < section.hi; k++ {
			section = section.union(r.m.hull(high[k]))
		}
		if !r.lowerSection(section, height) {
			return false
		}
	}
	return true
}

// widenings are by how many lengths a section is widened on both sides, one after the other.
var widenings = []int{0, 1, 4, 16, 64}

// lowerSection brings what is alive in a section below a height.
func (r *repairer) lowerSection(section span, height int64) bool {
	length := int(section.hi-section.lo) + 1
	for _, by := range widenings {
		wide := span{int32(max(int(section.lo)-by*length, 0)), int32(min(int(section.hi)+by*length, r.m.points))}
		part := r.part(wide)
		around := newNeighbours(part)
		cost := around.pairs(r.work)
		for _, k := range r.orders() {
			if r.work -= cost; !r.goOn() {
				return false
			}
			if found := firstFit(part, around, orderBy(key(part, k)), height, r.stop); found != nil {
				for j, i := range part.index {
					r.offsets[i] = found[j]
				}
				r.wins[k]++
				return true
			}
		}
		if wide.lo == 0 && int(wide.hi) == r.m.points {
			break
		}
	}
	return false
}

// orders returns the keys, first those that were good most often.
func (r *repairer) orders() []int {
	out := make([]int, len(keyNames))
	for k := range out {
		out[k] = k
	}
	slices.SortStableFunc(out, func(x, y int) int { return cmp.Compare(r.wins[y], r.wins[x]) })
	return out
}

// part returns the model of what is alive in a section of time; what is alive outside, too, is
// pinned. Its index has the places in the whole model.
func (r *repairer) part(section span) *model {
	part := &model{points: int(section.hi - section.lo)}
	r.near.visit(section, func(i int32) {
		if !r.seen[i] {
			r.seen[i] = true
			part.index = append(part.index, i)
		}
	})
	var all []span
	for _, i := range part.index {
		r.seen[i] = false
		pin := r.m.pin[i]
		if hull := r.m.hull(i); hull.lo < section.lo || hull.hi > section.hi {
			pin = r.offsets[i]
		}
		part.pin = append(part.pin, pin)
		part.size = append(part.size, r.m.size[i])
		part.align = append(part.align, r.m.align[i])
		part.life = append(part.life, r.m.life[i])
		from := len(all)
		for _, s := range r.m.spans[i] {
			if s = (span{max(s.lo, section.lo) - section.lo, min(s.hi, section.hi) - section.lo}); s.lo < s.hi {
				all = append(all, s)
			}
		}
		part.spans = append(part.spans, all[from:len(all):len(all)])
	}
	return part
}
