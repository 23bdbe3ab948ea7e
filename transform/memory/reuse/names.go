package reuse

import (
	"slices"

	"freehold/ir"
	"freehold/ir/analysis"
)

// sized is a size at the times of spans.
type sized struct {
	size  int64
	spans []analysis.Span
}

// addAll adds n times sizes.
func (p *pressure) addAll(list []sized, n int64) {
	for _, x := range list {
		p.addSize(x.size, x.spans, n)
	}
}

// countNames counts buffers by the names that may be one of them: each is one buffer at a time.
func (p *pressure) countNames(in map[*ir.Value]bool) {
	for v := range in {
		p.add(v, p.spans[v], -1)
	}
	held := analysis.Held(p.alive, func(i int) int64 {
		if v := p.alive.Buffers[i].Value; in[v] && p.sizes[v] < unknownBytes {
			return p.sizes[v]
		}
		return 0
	}, func(x, y int64) int64 { return max(x, y) })
	p.named = map[*ir.Value]sized{}
	for i := range p.alive.Holders {
		if h := &p.alive.Holders[i]; held[i] > 0 {
			p.addSize(held[i], h.Spans, 1)
			p.named[h.Value] = sized{held[i], h.Spans}
		}
	}
}

// change notes that something is alive, and that some names only count until a time, if no more is needed then, and tells whether
// that is so. Logarithmic in the number of operations.
func (p *pressure) change(more sized, until map[*ir.Value]int64) bool {
	before := p.most[1]
	p.addSize(more.size, more.spans, 1)
	for v, time := range until {
		p.addSize(p.named[v].size, since(p.named[v].spans, time), -1)
	}
	if p.most[1] > before {
		p.addSize(more.size, more.spans, -1)
		for v, time := range until {
			p.addSize(p.named[v].size, since(p.named[v].spans, time), 1)
		}
		return false
	}
	for v, time := range until {
		if x, ok := p.named[v]; ok {
			x.spans = slices.DeleteFunc(slices.Clone(x.spans), func(s analysis.Span) bool { return s.Lower >= time })
			if n := len(x.spans); n > 0 {
				x.spans[n-1].Upper = min(x.spans[n-1].Upper, time)
			}
			p.named[v] = x
		}
	}
	return true
}

// since returns the parts of spans from a time on.
func since(spans []analysis.Span, from int64) (out []analysis.Span) {
	for _, s := range spans {
		if s.Lower = max(s.Lower, from); s.Lower < s.Upper {
			out = append(out, s)
		}
	}
	return out
}
