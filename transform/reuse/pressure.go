package reuse

import (
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/analysis"
)

// pressure knows how many bytes of static size are alive at each time of a function, if buffers are freed after their
// last use, and follows changes.
type pressure struct {
	times *analysis.Lifetimes
	alive *analysis.Alive // as it was at first
	spans map[*ir.Value][]analysis.Span
	sizes map[*ir.Value]int64 // types change
	// A tree over the times: what is added in all of a part, and the largest sum in it without what is added
	// around it.
	added, most []int64
	leaves      int
}

// newPressure takes what [analysis.Lifetimes] takes.
func newPressure(fn *ir.Op, b *analysis.Buffers) *pressure {
	p := &pressure{times: analysis.NewLifetimesToLastUse(fn), spans: map[*ir.Value][]analysis.Span{}, sizes: map[*ir.Value]int64{}, leaves: 1}
	for int64(p.leaves) < p.times.End() {
		p.leaves *= 2
	}
	p.added, p.most = make([]int64, 2*p.leaves), make([]int64, 2*p.leaves)
	p.alive = p.times.Buffers(b, func(v *ir.Value) bool { return iface.HasEffect(v.DefiningOp(), iface.Allocate, v) })
	for i := range p.alive.Buffers {
		x := &p.alive.Buffers[i]
		p.spans[x.Value], p.sizes[x.Value] = x.Spans, bytesOf(x.Value)
		p.add(x.Value, x.Spans, 1)
	}
	return p
}

// add adds n times the size of a buffer where it is alive; nothing if the size isn't known.
func (p *pressure) add(v *ir.Value, spans []analysis.Span, n int64) { p.addSize(p.sizes[v], spans, n) }

// addSize adds n times a size at the times of spans; nothing if it isn't known.
func (p *pressure) addSize(size int64, spans []analysis.Span, n int64) {
	if size >= unknownBytes/int64(p.leaves) {
		return
	}
	for _, s := range spans {
		p.addIn(1, 0, int64(p.leaves), s, n*size)
	}
}

// addIn adds a number at the times of a span in the part from one time up to another.
func (p *pressure) addIn(part int, from, to int64, s analysis.Span, n int64) {
	switch {
	case s.Upper <= from || to <= s.Lower:
		return
	case s.Lower <= from && to <= s.Upper:
		p.added[part] += n
		p.most[part] += n
		return
	}
	middle := (from + to) / 2
	p.addIn(2*part, from, middle, s, n)
	p.addIn(2*part+1, middle, to, s, n)
	p.most[part] = p.added[part] + max(p.most[2*part], p.most[2*part+1])
}

// merge notes that a buffer that was copied into another one is made there in the first place, for which that one is
// allocated before an operation if it isn't yet, and, if last isn't nil, freed after that one if it isn't later. It tells whether no
// more is needed than without; if it is, nothing is changed. Logarithmic in the number of operations.
func (p *pressure) merge(source, target *ir.Value, first, last *ir.Op) bool {
	limit := p.most[1]
	gone, kept := p.spans[source], p.spans[target]
	var more []analysis.Span
	if n := len(kept); n > 0 {
		if begin, _ := p.times.Of(first); begin < kept[0].Lower {
			more = append(more, analysis.Span{Lower: begin, Upper: kept[0].Lower})
		}
		if last != nil {
			if _, end := p.times.Of(last); kept[n-1].Upper <= end {
				more = append(more, analysis.Span{Lower: kept[n-1].Upper, Upper: end + 1})
			}
		}
	}
	p.add(source, gone, -1)
	p.add(target, more, 1)
	if p.most[1] > limit {
		p.add(target, more, -1)
		p.add(source, gone, 1)
		return false
	}
	delete(p.spans, source)
	for _, x := range more {
		if x.Lower < kept[0].Lower {
			kept = append([]analysis.Span{x}, kept...)
		} else {
			kept = append(kept, x)
		}
	}
	p.spans[target] = kept
	return true
}
