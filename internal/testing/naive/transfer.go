package naive

import "freehold/ir"

func transferOperations() map[string]func(f *frame, op *ir.Op) {
	return map[string]func(f *frame, op *ir.Op){
		"memref.dma_start": transfer,
		"memref.dma_wait":  wait,
	}
}

// wait looks at the tag; the transfer is over.
func wait(f *frame, op *ir.Op) {
	var idx []int64
	m := f.memref(op, 0)
	for i := range m.Sizes {
		idx = append(idx, f.number(op, op.Operand(1+i)))
	}
	f.place(op, m, idx)
}

// transfer copies elements that follow each other in memory. Those in the memory space of the lower number come
// in runs that are a stride apart.
func transfer(f *frame, op *ir.Op) {
	at := 0
	side := func() (*MemRef, int64) {
		m := f.memref(op, at)
		var idx []int64
		for range m.Sizes {
			at++
			idx = append(idx, f.number(op, op.Operand(at)))
		}
		at++
		return m, f.place(op, m, idx)
	}
	src, p := side()
	dst, q := side()
	n := f.number(op, op.Operand(at))
	at++
	side() // the tag
	stride, run := int64(1), int64(1)
	if at < op.NumOperands() {
		stride, run = f.number(op, op.Operand(at)), f.number(op, op.Operand(at+1))
	}
	if n < 0 || run < 1 {
		f.wrong(op, SizeMismatch, "a transfer of %d elements in runs of %d", n, run)
	}
	space := func(m *ir.Value) int64 {
		if a, ok := m.Type().(*ir.MemRefType).Space.(*ir.IntegerAttr); ok {
			return a.Value
		}
		return 0
	}
	slow := space(op.Operand(0)) <= space(op.Operand(1+len(src.Sizes)))
	size := max(bytesOf(src.Type), 1)
	for k := range n {
		x, y := k, k
		if slow {
			x = k/run*stride + k%run
		} else {
			y = k/run*stride + k%run
		}
		element := func(m *MemRef, p int64) *MemRef {
			return &MemRef{Memory: m.Memory, Type: m.Type, start: p}
		}
		f.store(op, element(dst, q+y*size), nil, f.load(op, element(src, p+x*size), nil))
	}
}
