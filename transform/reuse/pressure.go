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
	spans map[*ir.Value][]analysis.Span
	// limit is the largest sum there was at first.
	limit int64
	// A tree over the times: what is added in all of a part, and the largest sum in it without what is added
	// around it.
	added, most []int64
	leaves      int
}

// newPressure takes what [analysis.Lifetimes] takes.
func newPressure(fn *ir.Op, b *analysis.Buffers) *pressure {
	p := &pressure{times: analysis.NewLifetimesToLastUse(fn), spans: map[*ir.Value][]analysis.Span{}, leaves: 1}
	for int64(p.leaves) < p.times.End() {
		p.leaves *= 2
	}
	p.added, p.most = make([]int64, 2*p.leaves), make([]int64, 2*p.leaves)
	alive := p.times.Buffers(b, func(v *ir.Value) bool { return iface.HasEffect(v.DefiningOp(), iface.Allocate, v) })
	for i := range alive.Buffers {
		x := &alive.Buffers[i]
		p.spans[x.Value] = x.Spans
		p.add(x.Value, x.Spans, 1)
	}
	p.limit = p.most[1]
	return p
}

// add adds n times the size of a buffer where it is alive; nothing if the size isn't known.
func (p *pressure) add(v *ir.Value, spans []analysis.Span, n int64) {
	size := bytesOf(v)
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
// allocated before an operation if it isn't yet, and tells whether no more is needed than at first. If it is,
// nothing is changed. Logarithmic in the number of operations.
func (p *pressure) merge(source, target *ir.Value, first *ir.Op) bool {
	gone, kept := p.spans[source], p.spans[target]
	p.add(source, gone, -1)
	begin, _ := p.times.Of(first)
	if len(kept) == 0 || kept[0].Lower <= begin {
		delete(p.spans, source)
		return true
	}
	earlier := analysis.Span{Lower: begin, Upper: kept[0].Lower}
	p.add(target, []analysis.Span{earlier}, 1)
	if p.most[1] > p.limit {
		p.add(target, []analysis.Span{earlier}, -1)
		p.add(source, gone, 1)
		return false
	}
	delete(p.spans, source)
	p.spans[target] = append([]analysis.Span{earlier}, kept...)
	return true
}
