package footprint

import (
	"slices"

	"freehold/ir"
)

// Summary is what a program does with memory, as its text tells.
type Summary struct {
	// Allocations counts buffers and tensors; Copies, and ConditionalFrees, which stand under a
	// condition, count once.
	Allocations, Copies, ConditionalFrees int
	Copied                                Size
	// Function is the one with the largest peak, Peak that, and Bound the least without other
	// changes: the largest sum of what is alive at a time, without gaps in arenas.
	Function    string
	Peak, Bound Size
	// Peaks and Bounds are several where sizes aren't known; Peak and Bound are sizes that all of them keep within.
	Peaks, Bounds Sizes
	// Arenas counts those that are no part of another one, ArenaBuffers the buffers in all of them; the sizes are those of the largest, in bytes.
	Arenas, ArenaBuffers   int
	ArenaBytes, ArenaBound int64
	// ArenaSize is that of the largest where it is dynamic.
	ArenaSize Size
	largest   *Function
}

// Summarize adds up all functions of a program. It takes linear time in their number.
func (p *Program) Summarize() (s Summary) {
	for _, f := range p.Functions {
		s.Allocations += f.Allocations + f.Tensors
		s.Copies += f.Copies
		s.ConditionalFrees += f.ConditionalFrees
		s.Copied = s.Copied.Plus(f.Copied)
	}
	if f := p.Largest(); f != nil {
		s.Function, s.Peak, s.Bound, s.largest = f.Name, f.Peak(), f.Peak(), f
		s.Peaks = f.PeakSizes()
		s.Bounds = s.Peaks
	}
	return s
}

// WithArenas adds what arenas there are: their number, and the size of the largest. Those of callees are parts of their callers'.
func (s Summary) WithArenas(arenas []*Arena) Summary {
	var largest *Arena
	for _, a := range arenas {
		s.ArenaBuffers += len(a.Parts)
		if !a.Buffer.IsBlockArg() {
			s.Arenas++
		}
		if largest == nil || largerFirst(a.Size, largest.Size) < 0 {
			largest = a
		}
		if a.dynamic == nil && s.largest.holdsAtPeak(a.Buffer) && s.Bound.Bytes >= a.Bytes {
			gaps := a.Bytes - a.Bound.Bytes
			s.Bound.Bytes -= gaps
			s.Bounds = s.Bounds.Each(func(x Size) Size {
				if x.Bytes >= a.Bytes {
					x.Bytes -= gaps
				}
				return x
			})
		}
	}
	if largest != nil {
		s.Arenas = max(s.Arenas, 1)
		s.ArenaBytes, s.ArenaBound = largest.Bytes, largest.Bound.Bytes
		s.ArenaSize = largest.Size
	}
	return s
}

// holdsAtPeak tells whether a buffer is alive at a peak of the function. f may be nil.
func (f *Function) holdsAtPeak(buffer *ir.Value) bool {
	return f != nil && slices.ContainsFunc(f.Peaks, func(p Peak) bool {
		return slices.ContainsFunc(f.At(p.Time), func(x Item) bool { return x.Value == buffer })
	})
}
