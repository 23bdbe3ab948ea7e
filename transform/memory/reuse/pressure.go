package reuse

import (
	"cmp"
	"slices"

	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// pressure knows how many bytes of static size are alive at each time of a function, most often if buffers are freed after
// their last use, and follows changes.
type pressure struct {
	times  *analysis.Lifetimes
	alive  *analysis.Alive // as it was at first
	spans  map[*ir.Value][]analysis.Span
	sizes  map[*ir.Value]int64 // types change
	placed map[*ir.Op]int64    // the times of operations that moved
	named  map[*ir.Value]sized // what counts by names; see countNames
	// A Fenwick tree of the numbers of allocations at each time, where they were at first.
	allocated []int
	// A tree over the times: what is added in all of a part, and the largest sum in it without what is added
	// around it.
	added, most []int64
	leaves      int
}

// newPressure takes what [analysis.Lifetimes] takes.
func newPressure(fn *ir.Op, b *analysis.Buffers) *pressure {
	return pressureOf(analysis.NewLifetimesToLastUse(fn), b)
}

// pressureOf is newPressure of a function whose buffers are alive at given times.
func pressureOf(times *analysis.Lifetimes, b *analysis.Buffers) *pressure {
	p := &pressure{times: times, spans: map[*ir.Value][]analysis.Span{}, sizes: map[*ir.Value]int64{},
		placed: map[*ir.Op]int64{}, leaves: 1}
	for int64(p.leaves) < p.times.End() {
		p.leaves *= 2
	}
	p.allocated = make([]int, p.times.End()+1)
	p.added, p.most = make([]int64, 2*p.leaves), make([]int64, 2*p.leaves)
	p.alive = p.times.Buffers(b, func(v *ir.Value) bool { return interfaces.HasEffect(v.DefiningOp(), interfaces.Allocate, v) })
	for i := range p.alive.Buffers {
		x := &p.alive.Buffers[i]
		p.spans[x.Value], p.sizes[x.Value] = x.Spans, bytesOf(x.Value)
		p.add(x.Value, x.Spans, 1)
		p.count(p.begin(x.Value.DefiningOp()), 1)
	}
	return p
}

// begin returns when an operation begins.
func (p *pressure) begin(op *ir.Op) int64 {
	if at, ok := p.placed[op]; ok {
		return at
	}
	begin, _ := p.times.Of(op)
	return begin
}

// place notes that an operation moved to right before another one.
func (p *pressure) place(op, before *ir.Op) { p.placed[op] = p.begin(before) }

// quiet tells whether nothing but a source and its target is allocated from an operation up to
// another one of its block, or the target is there before anyway. Logarithmic in the number of
// operations.
func (p *pressure) quiet(first, op *ir.Op, source, target *ir.Value) bool {
	from, to := p.begin(first), p.begin(op)
	if kept := p.spans[target]; len(kept) == 0 || kept[0].Lower <= from {
		return true
	}
	n := p.allocations(to) - p.allocations(from+1)
	for _, v := range []*ir.Value{source, target} {
		if at, _ := p.times.Of(v.DefiningOp()); from < at && at < to {
			n--
		}
	}
	return n <= 0
}

// count adds to the number of allocations at a time.
func (p *pressure) count(at int64, n int) {
	for i := at + 1; i < int64(len(p.allocated)); i += i & -i {
		p.allocated[i] += n
	}
}

// allocations returns how many there are before a time.
func (p *pressure) allocations(before int64) (n int) {
	for i := before; i > 0; i -= i & -i {
		n += p.allocated[i]
	}
	return n
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

// longer returns the times at which v is alive besides those of its own if it holds what w holds, too, from its end on.
func (p *pressure) longer(v, w *ir.Value) []analysis.Span {
	first, then := p.spans[v], p.spans[w]
	more := slices.Clone(then)
	if len(first) > 0 && len(then) > 0 {
		if from, to := first[len(first)-1].Upper, then[0].Lower; from < to {
			more = append(more, analysis.Span{Lower: from, Upper: to})
		}
	}
	return more
}

// mayServe tells whether the function needs no more memory if v holds what w holds, too. Logarithmic in the number of
// operations.
func (p *pressure) mayServe(v, w *ir.Value) bool {
	limit, more := p.most[1], p.longer(v, w)
	p.add(v, more, 1)
	p.add(w, p.spans[w], -1)
	worse := p.most[1] > limit
	p.add(w, p.spans[w], 1)
	p.add(v, more, -1)
	return !worse
}

// serve notes that v holds what w held, too. Logarithmic in the number of operations.
func (p *pressure) serve(v, w *ir.Value) {
	more := p.longer(v, w)
	p.add(v, more, 1)
	p.add(w, p.spans[w], -1)
	delete(p.spans, w)
	all := append(slices.Clone(p.spans[v]), more...)
	slices.SortFunc(all, func(a, b analysis.Span) int { return cmp.Compare(a.Lower, b.Lower) })
	p.spans[v] = all
}

// merge notes that a buffer that was copied into another one is made there in the first place,
// for which that one is allocated before an operation if it isn't yet, and, if last isn't nil,
// freed after that one if it isn't later. It tells whether no more is needed than without; if
// it is, nothing is changed. Logarithmic in the number of operations.
func (p *pressure) merge(source, target *ir.Value, first, last *ir.Op) bool {
	limit := p.most[1]
	gone, kept := p.spans[source], p.spans[target]
	var more []analysis.Span
	if n := len(kept); n > 0 {
		// What a loop hands on is there before, too, from the iteration before.
		if begin, at := p.begin(first), p.begin(target.DefiningOp()); begin < at {
			more = append(more, analysis.Span{Lower: begin, Upper: at})
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
	at, _ := p.times.Of(source.DefiningOp())
	p.count(at, -1)
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
