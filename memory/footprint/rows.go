package footprint

import (
	"cmp"
	"slices"

	"freehold/ir/analysis"
)

// Row is what takes memory in a function: a buffer, a tensor, or what a call needs.
type Row struct {
	Item
	// Spans are when it is alive, in order, with gaps between them.
	Spans []analysis.Span
}

// Rows returns all that takes memory in the function, in the order in which it appears.
// Buffers stand for themselves, also where values may be one of several.
func (f *Function) Rows() []Row {
	var out []Row
	for i := range f.timeline.items {
		x := &f.timeline.items[i]
		if x.joined || x.cluster == 0 {
			out = append(out, Row{x.Item, x.spans})
		}
	}
	slices.SortStableFunc(out, func(a, b Row) int { return cmp.Compare(firstTime(a), firstTime(b)) })
	return out
}

func firstTime(r Row) int64 {
	if len(r.Spans) == 0 {
		return 0
	}
	return r.Spans[0].Lower
}

// Lifetimes returns the times of the function's operations.
func (f *Function) Lifetimes() *analysis.Lifetimes { return f.lifetimes }
