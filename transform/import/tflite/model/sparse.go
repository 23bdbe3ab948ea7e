package model

// Fields of the tables about sparsity, by their place in the schema.
const (
	sparsityOrder, sparsityBlocks, sparsityDimensions = 0, 1, 2

	dimensionFormat, dimensionSize, dimensionSegmentsType, dimensionSegments = 0, 1, 2, 3
	dimensionIndicesType, dimensionIndices                                   = 4, 5
)

// level is a dimension in the order in which the elements of a sparse tensor are stored. It has a size, or lists of the positions that there are.
type level struct {
	// of is the dimension of the tensor, and times what an index is multiplied by: blocks are counted by an outer level.
	of, times int64
	size      int64
	sparse    bool
	segments  []int64
	indices   []int64
}

// expansion is how much larger the tensors of a file may be than the file, where they are sparse.
const expansion = 64

// expand makes the elements of a sparse constant, those that aren't stored being 0.
func (f *file) expand(s table, x *Tensor) {
	elements := int64(1)
	for _, n := range x.Shape {
		elements *= n
	}
	size := x.Type.Size()
	if size == 0 || x.Type.bytes(1) != size || size == 1 && x.Type == Int4 {
		x.Unsupported = "is sparse"
		return
	}
	if f.expanded += elements * size; f.expanded > expansion*int64(len(f.data)) {
		f.fail("the sparse tensors up to %q are larger than %d times the file", x.Name, expansion)
		return
	}
	levels := f.levels(s, x)
	if f.err != nil {
		return
	}
	w := &expander{levels: levels, shape: x.Shape, size: size, from: x.Data, to: make([]byte, elements*size), steps: elements*size + int64(len(f.data))}
	if !w.expand(0, 0, make([]int64, len(x.Shape))) {
		f.fail("what is said of the places of the elements of the sparse tensor %q doesn't fit its shape and its contents", x.Name)
		return
	}
	x.Data, x.Expanded = w.to, true
}

// levels reads how the elements of a sparse tensor are stored.
func (f *file) levels(s table, x *Tensor) []level {
	rank := int64(len(x.Shape))
	order, blocks := s.int32s(sparsityOrder), s.int32s(sparsityBlocks)
	var levels []level
	s.list(sparsityDimensions, func(_ int, t table) {
		l := level{size: int64(t.int32(dimensionSize, 0)), sparse: t.int8(dimensionFormat) == 1}
		if l.sparse {
			l.segments = f.positions(t, dimensionSegmentsType, dimensionSegments)
			l.indices = f.positions(t, dimensionIndicesType, dimensionIndices)
		}
		levels = append(levels, l)
	})
	if f.err != nil {
		return nil
	}
	ok := int64(len(order)) == rank+int64(len(blocks)) && len(levels) == len(order)
	seen := map[int32]bool{}
	for i := 0; ok && i < len(order); i++ {
		d := order[i]
		ok = d >= 0 && int64(d) < int64(len(order)) && !seen[d] && (levels[i].sparse || levels[i].size >= 0)
		seen[d] = true
		if ok && int64(d) >= rank {
			b := blocks[int64(d)-rank]
			ok = b >= 0 && int64(b) < rank && !levels[i].sparse
			levels[i].of, levels[i].times = int64(b), 1
		} else {
			levels[i].of, levels[i].times = int64(d), 1
		}
	}
	for i := 0; ok && i < len(order); i++ {
		if int64(order[i]) >= rank {
			continue
		}
		for k, d := range order {
			if int64(d) >= rank && levels[k].of == levels[i].of {
				levels[i].times = levels[k].size
			}
		}
	}
	if !ok {
		f.fail("what is said of the dimensions of the sparse tensor %q doesn't fit its shape", x.Name)
		return nil
	}
	return levels
}

// positions reads a list of numbers of 32, 16 or 8 bits.
func (f *file) positions(t table, kind, field int) []int64 {
	v, ok := t.sub(field)
	if !ok {
		return nil
	}
	width, ok := map[int8]int{1: 4, 2: 2, 3: 1}[t.int8(kind)]
	if !ok {
		f.fail("a list of a sparse tensor has a type that isn't known")
		return nil
	}
	b := v.vector(0, width)
	out := make([]int64, len(b)/width)
	for i := range out {
		for k := width - 1; k >= 0; k-- {
			out[i] = out[i]<<8 | int64(b[i*width+k])
		}
		if width == 4 {
			out[i] = int64(int32(out[i]))
		}
	}
	return out
}

// expander writes the elements of a sparse tensor where they belong.
type expander struct {
	levels   []level
	shape    []int64
	size     int64
	from, to []byte
	// steps is how many steps may still be taken.
	steps int64
}

// expand writes the elements of the levels from n on. before is where in the level before they are, and at the place in the tensor so far.
func (w *expander) expand(n int, before int64, at []int64) bool {
	if w.steps--; w.steps < 0 {
		return false
	}
	if n == len(w.levels) {
		place := int64(0)
		for d, i := range at {
			if i < 0 || i >= w.shape[d] {
				return false
			}
			place = place*w.shape[d] + i
		}
		if before < 0 || (before+1)*w.size > int64(len(w.from)) {
			return false
		}
		copy(w.to[place*w.size:(place+1)*w.size], w.from[before*w.size:])
		return true
	}
	l := w.levels[n]
	visit := func(index, next int64) bool {
		at[l.of] += index * l.times
		ok := w.expand(n+1, next, at)
		at[l.of] -= index * l.times
		return ok
	}
	if !l.sparse {
		for i := range l.size {
			if !visit(i, before*l.size+i) {
				return false
			}
		}
		return true
	}
	if before < 0 || before+1 >= int64(len(l.segments)) {
		return false
	}
	first, end := l.segments[before], l.segments[before+1]
	if first < 0 || end < first || end > int64(len(l.indices)) {
		return false
	}
	for i := first; i < end; i++ {
		if !visit(l.indices[i], i) {
			return false
		}
	}
	return true
}
