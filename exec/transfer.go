package exec

import "freehold/ir"

// TransferSide is a buffer of a transfer, or its tag, with the words of its indices.
type TransferSide struct {
	Ref   *ir.Value
	Index []int
}

// Transfer compiles a transfer of elements that follow each other in memory, from
// the indices on. count is the number of elements, or that number, a stride and
// the number of elements per stride: then the elements in the memory space of the
// lower number, which is the slower one, come in runs of so many, a stride apart.
// The transfer is over at once; its tag must be there all the same.
func (c *Compiler) Transfer(op *ir.Op, src, dst, tag TransferSide, count []*ir.Value) Step {
	from, to, tagged := c.Object(src.Ref), c.Object(dst.Ref), c.Wait(op, tag)
	words := make([]int, len(count))
	for i, v := range count {
		words[i] = c.Word(v)
	}
	slowSource := memorySpace(src.Ref.Type()) <= memorySpace(dst.Ref.Type())
	return func(f *Frame) error {
		a, b := f.O[from].(*MemRef), f.O[to].(*MemRef)
		p, err := a.position(op, indexValues(f, src.Index))
		if err != nil {
			return err
		}
		if err := b.Writable(op); err != nil {
			return err
		}
		q, err := b.position(op, indexValues(f, dst.Index))
		if err != nil {
			return err
		}
		if err := tagged(f); err != nil {
			return err
		}
		n := int64(f.W[words[0]])
		stride, run := int64(1), int64(1)
		if len(words) == 3 {
			stride, run = int64(f.W[words[1]]), int64(f.W[words[2]])
		}
		if n < 0 || run < 1 {
			return Findf(SizeMismatch, op, "a transfer has %d elements, in runs of %d", n, run)
		}
		if err := f.M.Charge(op, n); err != nil {
			return err
		}
		u := a.Elem.unit()
		for k := range n {
			strided := k/run*stride + k%run
			x, y := p+k*u, q+k*u
			if slowSource {
				x = p + strided*u
			} else {
				y = q + strided*u
			}
			if !a.Alloc.inside(x, u) {
				return a.beyond(op)
			}
			if !b.Alloc.inside(y, u) {
				return b.beyond(op)
			}
			b.Alloc.setValue(y, b.Elem, a.Alloc.value(x, a.Elem))
		}
		f.M.CountCopy(op, b.Alloc, a.Alloc, n*a.Elem.Bytes)
		return nil
	}
}

// Wait compiles the wait for a transfer with the tag, which is over: the tag must be
// an element of a live buffer.
func (c *Compiler) Wait(op *ir.Op, tag TransferSide) Step {
	ref := c.Object(tag.Ref)
	return func(f *Frame) error {
		_, err := f.O[ref].(*MemRef).position(op, indexValues(f, tag.Index))
		return err
	}
}

// memorySpace returns the number of a memory space; 0 if it has none.
func memorySpace(t ir.Type) int64 {
	if m, ok := t.(*ir.MemRefType); ok {
		if i, ok := m.Space.(*ir.IntegerAttr); ok {
			return i.Value
		}
	}
	return 0
}
