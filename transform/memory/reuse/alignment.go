package reuse

import (
	"slices"

	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// closeness says how close to each other parts of an arena may be: what their offsets are multiples of.
type closeness int

const (
	asAsked    closeness = iota // what the allocation asks for
	asSized                     // at most a power of two that is no less than the size: no access to the part takes more at once
	asAnywhere                  // at most what buffers are aligned to that ask for nothing
	asNeeded                    // what the elements, and the accesses to the part, need
)

// alignments returns the alignments of the parts in the memory space.
func (f *functionPlanner) alignments(c closeness) []int64 {
	out := make([]int64, len(f.parts))
	for i := range f.parts {
		x := &f.parts[i]
		if out[i] = x.alignment; c == asAsked || x.alloc == nil {
			continue
		}
		need := f.neededAlignment(x)
		most := min(x.alignment, powerOfTwoFrom(x.size))
		switch c {
		case asAnywhere:
			most = min(most, f.options.Alignment)
		case asNeeded:
			most = need
		}
		out[i] = max(need, most)
	}
	return out
}

// neededAlignment returns the alignment without which what is done with a buffer would be wrong: that of its elements, of vectors that are read or
// written, and what operations say that it has. What is done elsewhere may need all that the allocation asks for.
func (f *functionPlanner) neededAlignment(x *part) int64 {
	v := x.alloc.Result(0)
	if n, known := f.needed[v]; known {
		return n
	}
	n := ir.StorageAlignment(ir.ElementType(v.Type()))
	f.buffers.Uses(v, func(u *ir.Use) { n = max(n, alignmentForUse(u.Owner(), x.alignment)) })
	if f.needed == nil {
		f.needed = map[*ir.Value]int64{}
	}
	f.needed[v] = n
	return n
}

// alignmentForUse returns the alignment that an operation needs of a buffer that asks for one.
func alignmentForUse(op *ir.Op, asked int64) int64 {
	_, call := interfaces.Call.Of(op)
	_, known := interfaces.EffectsOf(op)
	if call || !known || op.Is(memref.ExtractAlignedPointerAsIndex) {
		return asked
	}
	n := int64(1)
	if a, ok := op.Attr(memref.AlignmentAttr).(*ir.IntegerAttr); ok {
		n = max(n, a.Value)
	}
	accessed := func(t ir.Type) {
		if v, vector := t.(*ir.VectorType); vector {
			if n = max(n, powerOfTwoFrom(ir.StorageBytes(v))); slices.Contains(v.Scalable, true) {
				n = asked
			}
		}
	}
	for _, v := range op.Operands().Values() {
		accessed(v.Type())
	}
	for _, v := range op.Results().Values() {
		accessed(v.Type())
	}
	return min(n, asked)
}

// powerOfTwoFrom returns the least power of two that is no less than a size.
func powerOfTwoFrom(size int64) int64 {
	n := int64(1)
	for n < size {
		n *= 2
	}
	return n
}
