package reuse

import (
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// ElideCopies removes copies of buffers from a function in which every buffer is freed: the
// pass elide-copies.
//
//   - A copy of a constant of one value becomes a fill; so does one of a buffer that holds
//     what it was filled with, which goes if nothing else reads it.
//   - The source of a copy after which it is not used is made in the target in the first
//     place, if nothing else uses the target meanwhile. The target may be a part of a buffer,
//     whose allocation moves up, unless the function would need more memory at a time then. The source may still be
//     read after the copy, as long as the target isn't written.
//
// With near, copies stay for which the target would be there while other buffers are allocated: what there is room for is known better once operations
// work in place.
//
// It returns how many copies became fills, how many went, and for how many of these the target is there earlier, while other buffers are allocated. Near-linear in the
// uses of the buffers.
func ElideCopies(fn *ir.Op, calls *analysis.CallSummaries, near bool) (filled, elided, early int) {
	var copies bool
	f := &filler{tables: ir.NewSymbolTables(), fn: fn, constants: map[ir.Attribute]*ir.Value{}}
	blocks := blocksIn(fn)
	for _, b := range blocks {
		for op := b.First(); op != nil; {
			next := op.Next()
			if _, ok := copyOf(op); ok {
				if f.fill(op) {
					filled++
				} else {
					copies = true
				}
			}
			op = next
		}
	}
	if !copies {
		return filled, 0, 0
	}
	buffers := analysis.NewBuffers(fn, analysis.BufferOptions{Calls: calls})
	if n := f.fillAgain(buffers, blocks); n > 0 {
		filled += n
		buffers = nil
	}
	elided, early = inParts(fn, calls, buffers, near, func(op *ir.Op) []copied {
		if m, ok := copyOf(op); ok {
			return []copied{m}
		}
		return nil
	})
	return filled, elided, early
}

// copied are the buffers of a copy.
type copied struct{ source, target *ir.Value }

// copyOf returns what an operation copies, if it does nothing else.
func copyOf(op *ir.Op) (copied, bool) {
	m, ok := interfaces.Copy.Of(op)
	if !ok || op.NumResults() > 0 {
		return copied{}, false
	}
	s, t := m(op)
	return copied{s, t}, s != t && ir.IsMemRef(s.Type()) && ir.IsMemRef(t.Type())
}
