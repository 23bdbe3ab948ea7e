package plan

import "math"

// span is a half-open range of points.
type span struct{ lo, hi int32 }

// union returns the smallest range with both.
func (s span) union(t span) span { return span{min(s.lo, t.lo), max(s.hi, t.hi)} }

// model is a problem as the strategies see it: without buffers that are in nobody's way,
// and with time compressed to points, at which a buffer became alive just before others
// stop being so. Buffers are alive at the same time just if they are at the same point.
type model struct {
	index  []int32 // places of the buffers in the problem
	size   []int64
	align  []int64
	spans  [][]span // sorted, with gaps between them
	pin    []int64  // offset, or -1
	life   []float64
	points int

	gaps    bool // some buffer has more than one span
	aligned bool // some alignment isn't 1
	pinned  bool // some buffer is pinned
}

func newModel(p *Problem, evs []event) *model {
	m := &model{}
	place := make([]int32, len(p.Buffers)) // in the model, plus one
	count := make([]int32, len(p.Buffers))
	for _, e := range evs {
		if e.start {
			count[e.buffer]++
		}
	}
	n := 0
	for _, c := range count {
		if c > 0 {
			n++
		}
	}
	m.index, m.size, m.align = make([]int32, 0, n), make([]int64, 0, n), make([]int64, 0, n)
	m.pin, m.spans, m.life = make([]int64, 0, n), make([][]span, 0, n), make([]float64, n)
	all := make([]span, 0, len(evs)/2)
	for i := range p.Buffers {
		b := &p.Buffers[i]
		if count[i] == 0 {
			continue
		}
		m.index = append(m.index, int32(i))
		place[i] = int32(len(m.index))
		m.size = append(m.size, b.Size)
		m.align = append(m.align, max(1, b.Alignment))
		pin := int64(-1)
		if b.Pinned {
			pin = b.Offset
			m.pinned = true
		}
		m.pin = append(m.pin, pin)
		m.aligned = m.aligned || b.Alignment > 1
		m.gaps = m.gaps || count[i] > 1
		from := len(all)
		all = all[:from+int(count[i])]
		m.spans = append(m.spans, all[from:from:len(all)])
	}
	point := int32(-1)
	started := false
	for _, e := range evs {
		i := place[e.buffer] - 1
		if e.start {
			if !started {
				point++
			}
			m.spans[i] = append(m.spans[i], span{lo: point})
			m.life[i] -= float64(e.time)
		} else {
			m.spans[i][len(m.spans[i])-1].hi = point + 1
			m.life[i] += float64(e.time)
		}
		started = e.start
	}
	m.points = int(point) + 1
	return m
}

// hull returns the range from the buffer's first point to its last.
func (m *model) hull(i int32) span {
	ss := m.spans[i]
	return span{ss[0].lo, ss[len(ss)-1].hi}
}

// length returns at how many points a buffer is alive.
func (m *model) length(i int32) int {
	n := 0
	for _, s := range m.spans[i] {
		n += int(s.hi - s.lo)
	}
	return n
}

// classes returns a number for each buffer, which those share that differ in nothing that
// matters for a plan.
func classes(m *model) []int32 {
	type key struct {
		span
		size, align int64
	}
	out := make([]int32, len(m.size))
	first := make(map[key]int32, len(m.size))
	for i := range out {
		out[i] = int32(i)
		if len(m.spans[i]) > 1 || m.pin[i] >= 0 {
			continue
		}
		k := key{m.spans[i][0], m.size[i], m.align[i]}
		if j, ok := first[k]; ok {
			out[i] = j
		} else {
			first[k] = int32(i)
		}
	}
	return out
}

// isCountable tells whether searches can add up places and sizes: no buffer need lie where that would be above what int64 can hold.
func (m *model) isCountable() bool {
	sum := int64(0)
	for i := range m.size {
		for _, n := range [...]int64{m.size[i], m.align[i], max(m.pin[i], 0)} {
			if n > math.MaxInt64/2-sum {
				return false
			}
			sum += n
		}
	}
	return true
}

// isSmallAndMixed tells whether a problem has few buffers, and some that are pinned, have gaps, or another alignment than the others.
func (m *model) isSmallAndMixed() bool {
	if len(m.size) > maxWindows {
		return false
	}
	if m.pinned || m.gaps {
		return true
	}
	for _, a := range m.align {
		if a != m.align[0] {
			return true
		}
	}
	return false
}

// only returns the model with some of its buffers, in another order.
func (m *model) only(buffers []int32) *model {
	out := &model{points: m.points, gaps: m.gaps, aligned: m.aligned, pinned: m.pinned}
	for _, i := range buffers {
		out.index = append(out.index, m.index[i])
		out.size = append(out.size, m.size[i])
		out.align = append(out.align, m.align[i])
		out.spans = append(out.spans, m.spans[i])
		out.pin = append(out.pin, m.pin[i])
		out.life = append(out.life, m.life[i])
	}
	return out
}
