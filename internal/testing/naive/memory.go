package naive

import (
	"fmt"
	"math/big"
	"slices"

	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// Memory is an allocation. Elements with bits are kept as bytes, others as they are, in
// place of one byte each; what is missing was never written.
type Memory struct {
	bytes           map[int64]byte
	objects         map[int64]any
	size            int64 // in bytes, or objects
	first           int64 // the offset of the first element
	freed, readOnly bool
	heap            bool
	number          int64 // for its address
}

// MemRef is a view of memory: the element with indices i is at byte
// start + (offset + sum of i*stride) * bytes per element.
type MemRef struct {
	Memory         *Memory
	Type           ir.Type // of the elements
	start, offset  int64
	base           bool // it stands for its memory as a whole
	Sizes, Strides []int64
}

// bytesOf returns how many bytes an element takes; 0 for those that have no bits.
func bytesOf(t ir.Type) int64 {
	switch t.(type) {
	case *ir.IntegerType, *ir.IndexType, *ir.FloatType:
		n := int64(1)
		for n*8 < int64(width(t)) {
			n *= 2
		}
		return n
	}
	return 0
}

func newMemory(t ir.Type, count int64) *Memory {
	m := &Memory{bytes: map[int64]byte{}, objects: map[int64]any{}, size: count * max(bytesOf(t), 1)}
	return m
}

// place returns where an element is.
func (f *frame) place(op *ir.Op, m *MemRef, idx []int64) int64 {
	f.alive(op, m)
	for i, x := range idx {
		if x < 0 || x >= m.Sizes[i] {
			f.wrong(op, OutOfBounds, "index %v is out of bounds %v", idx, m.Sizes)
		}
	}
	return f.address(op, m, idx, 0)
}

// address returns where the element is that lies k elements behind one, which needn't be within the sizes.
func (f *frame) address(op *ir.Op, m *MemRef, idx []int64, k int64) int64 {
	f.alive(op, m)
	p := m.offset + k
	for i, x := range idx {
		p += x * m.Strides[i]
	}
	n := max(bytesOf(m.Type), 1)
	p = m.start + p*n
	if p < 0 || p+n > m.Memory.size {
		f.wrong(op, OutOfBounds, "an element is outside of its memory")
	}
	return p
}

// alive checks that memory wasn't freed, of which nothing else needs to be said then.
func (f *frame) alive(op *ir.Op, m *MemRef) {
	if m.Memory.freed {
		f.wrong(op, UseAfterFree, "memory is used that was freed")
	}
}

func (f *frame) load(op *ir.Op, m *MemRef, idx []int64) any {
	return f.loadFrom(m, f.place(op, m, idx))
}

func (f *frame) loadFrom(m *MemRef, p int64) any {
	n := bytesOf(m.Type)
	if n == 0 {
		if v, ok := m.Memory.objects[p]; ok {
			return v
		}
		return Undefined{}
	}
	raw := make([]byte, n)
	for i := range raw {
		b, ok := m.Memory.bytes[p+int64(i)]
		if !ok {
			return Undefined{}
		}
		raw[i] = b
	}
	return FromBits(m.Type, fromBytes(string(raw)))
}

func (f *frame) store(op *ir.Op, m *MemRef, idx []int64, v any) {
	f.storeTo(op, m, f.place(op, m, idx), v)
}

func (f *frame) storeTo(op *ir.Op, m *MemRef, p int64, v any) {
	if m.Memory.readOnly {
		f.wrong(op, Unspecified, "a constant is written")
	}
	n := bytesOf(m.Type)
	if n == 0 {
		m.Memory.objects[p] = v
		if v == (Undefined{}) {
			delete(m.Memory.objects, p)
		}
		return
	}
	for i := range n {
		if v == (Undefined{}) {
			delete(m.Memory.bytes, p+i)
			continue
		}
		bits := Bits(m.Type, v)
		m.Memory.bytes[p+i] = byte(new(big.Int).Rsh(bits, uint(8*i)).Uint64() & 255)
	}
}

func rowMajor(sizes []int64) []int64 {
	out := make([]int64, len(sizes))
	n := int64(1)
	for i := len(sizes) - 1; i >= 0; i-- {
		out[i] = n
		n *= sizes[i]
	}
	return out
}

// NewMemRef returns memory with the elements of a tensor.
func NewMemRef(t *Tensor) *MemRef {
	m := &MemRef{Memory: newMemory(t.Type, count(t.Sizes)), Type: t.Type, Sizes: t.Sizes, Strides: rowMajor(t.Sizes)}
	f := &frame{program: &program{Machine: &Machine{}}}
	points(t.Sizes, func(idx []int64) { f.store(nil, m, idx, t.at(idx)) })
	return m
}

// Contents returns the elements of a memref.
func (m *MemRef) Contents() *Tensor {
	f := &frame{program: &program{Machine: &Machine{}}}
	return build(m.Type, m.Sizes, func(idx []int64) any { return f.load(nil, m, idx) })
}

// Fill writes the elements of a tensor of the same sizes.
func (m *MemRef) Fill(t *Tensor) {
	f := &frame{program: &program{Machine: &Machine{}}}
	points(m.Sizes, func(idx []int64) { f.store(nil, m, idx, t.at(idx)) })
}

func (f *frame) memref(op *ir.Op, i int) *MemRef { return f.operand(op, i).(*MemRef) }

func (f *frame) allocate(op *ir.Op, heap bool) {
	t := op.Result(0).Type().(*ir.MemRefType)
	sizes := f.mixed(op, shapes.Mixed(t.Shape, op.OperandGroup(0).Values()))
	m := f.allocated(op, t, sizes, heap)
	if f.values[op.Result(0)] = m; !heap {
		f.stack = append(f.stack, m.Memory)
	}
}

func (f *frame) allocated(op *ir.Op, t *ir.MemRefType, sizes []int64, heap bool) *MemRef {
	n := int64(1)
	for _, s := range sizes {
		if s < 0 {
			f.wrong(op, SizeMismatch, "a negative size")
		}
		if n *= s; n > 1<<20 {
			panic(ErrSteps)
		}
	}
	m := laidOut(t, sizes)
	if heap {
		f.onHeap(m.Memory)
	}
	return m
}

// laidOut returns memory for a buffer, as large as its layout demands.
func laidOut(t *ir.MemRefType, sizes []int64) *MemRef {
	n := count(sizes)
	m := &MemRef{Type: t.Elem, Sizes: sizes, Strides: rowMajor(sizes)}
	if strides, offset, ok := t.StridesAndOffset(); t.Layout != nil && ok && offset != ir.Dynamic && ir.IsStaticShape(strides) && n > 0 {
		m.Strides, m.offset = strides, offset
		n = offset + 1
		for i, s := range sizes {
			n += (s - 1) * strides[i]
		}
	}
	m.Memory = newMemory(t.Elem, n)
	m.Memory.first = m.offset
	return m
}

// onHeap notes that memory must be freed.
func (f *frame) onHeap(m *Memory) {
	m.heap = true
	f.Allocations++
}

// whole tells whether a memref sees its memory from the first element to the last, or is the base of one.
func (m *MemRef) whole() bool {
	elements, first, extent, bytes := int64(1), m.offset, m.offset+1, max(bytesOf(m.Type), 1)
	for i, n := range m.Sizes {
		elements *= n
		extent += max(0, (n-1)*m.Strides[i])
		first += min(0, (n-1)*m.Strides[i])
	}
	if elements == 0 {
		first, extent = m.offset, 0
	}
	starts := first == m.Memory.first || m.Memory.size == 0
	return m.base || m.start == 0 && (first == 0 && elements*bytes == m.Memory.size || starts && extent*bytes == m.Memory.size)
}

func (f *frame) free(op *ir.Op, m *MemRef) {
	if m.Memory.freed || !m.Memory.heap {
		f.wrong(op, InvalidFree, "an invalid free")
	}
	if !m.whole() {
		f.wrong(op, InvalidFree, "a part is freed")
	}
	m.Memory.freed = true
	f.Frees++
}

// copyElements copies what may overlap as a whole.
func (f *frame) copyElements(op *ir.Op, dst, src *MemRef) {
	if !equal(dst.Sizes, src.Sizes) {
		f.wrong(op, SizeMismatch, "a copy of other sizes")
	}
	t := f.contents(op, src)
	points(dst.Sizes, func(idx []int64) { f.store(op, dst, idx, t.at(idx)) })
}

// overlap tells whether memrefs of the same sizes share an element that doesn't have the same indices in both.
func (f *frame) overlap(op *ir.Op, a, b *MemRef) bool {
	if a.Memory != b.Memory {
		return false
	}
	places, same, shared := map[int64]bool{}, true, false
	points(a.Sizes, func(idx []int64) { places[f.place(op, a, idx)] = true })
	points(b.Sizes, func(idx []int64) {
		p := f.place(op, b, idx)
		same = same && p == f.place(op, a, idx)
		shared = shared || places[p]
	})
	return shared && !same
}

func (f *frame) contents(op *ir.Op, m *MemRef) *Tensor {
	return build(m.Type, m.Sizes, func(idx []int64) any { return f.load(op, m, idx) })
}

// fits stops where a memref isn't what its type says.
func (f *frame) fits(op *ir.Op, m *MemRef, t ir.Type) {
	mt, ok := t.(*ir.MemRefType)
	if !ok {
		return
	}
	if len(mt.Shape) != len(m.Sizes) {
		f.wrong(op, SizeMismatch, "another rank")
	}
	for i, n := range mt.Shape {
		if n != ir.Dynamic && n != m.Sizes[i] {
			f.wrong(op, SizeMismatch, "another size")
		}
	}
	strides, offset, ok := mt.StridesAndOffset()
	if !ok {
		return
	}
	if mt.Layout == nil {
		strides = rowMajor(m.Sizes)
	}
	if offset != ir.Dynamic && offset != m.offset {
		f.wrong(op, SizeMismatch, "another offset")
	}
	for i, n := range strides {
		if n != ir.Dynamic && n != m.Strides[i] && m.Sizes[i] > 1 && !slices.Contains(m.Sizes, 0) {
			f.wrong(op, SizeMismatch, "another stride")
		}
	}
}

// aligned checks that a place is a multiple of a number of bytes.
func (f *frame) aligned(op *ir.Op, place, bytes int64) {
	if bytes > 0 && place%bytes != 0 {
		f.wrong(op, Unspecified, "memory that is not aligned")
	}
}

// slice returns a part of a memref.
func (f *frame) slice(op *ir.Op, m *MemRef, offsets, sizes, strides []int64) *MemRef {
	out := *m
	out.base = false
	out.Sizes, out.Strides = sizes, make([]int64, len(sizes))
	for i := range sizes {
		f.insideSlice(op, m.Sizes[i], offsets[i], sizes[i], strides[i])
		out.offset += offsets[i] * m.Strides[i]
		out.Strides[i] = strides[i] * m.Strides[i]
	}
	return &out
}

func (f *frame) insideSlice(op *ir.Op, n, offset, size, stride int64) {
	for k := range max(size, 0) {
		if p := offset + k*stride; p < 0 || p >= n {
			f.wrong(op, OutOfBounds, "a slice is out of bounds")
		}
	}
	if size < 0 {
		f.wrong(op, SizeMismatch, "a negative size")
	}
}

// drop leaves out the dimensions of size 1 that a type of lower rank doesn't have.
func drop(list []int64, dropped []bool) []int64 {
	out := []int64{}
	for i, n := range list {
		if !dropped[i] {
			out = append(out, n)
		}
	}
	return out
}

func groupsOf(a ir.Attribute) [][]int64 {
	l, _ := a.(*ir.ArrayAttr)
	if l == nil {
		return nil
	}
	out := make([][]int64, len(l.Elems))
	for i, e := range l.Elems {
		for _, x := range e.(*ir.ArrayAttr).Elems {
			out[i] = append(out[i], x.(*ir.IntegerAttr).Value)
		}
	}
	return out
}

func attrInt(op *ir.Op, name string) int64 { return op.Attr(name).(*ir.IntegerAttr).Value }

// combine applies a kind of atomic or reducing operation; one is the element type.
func combine(op *ir.Op, kind string, t ir.Type, v, old any) any {
	if kind == "assign" {
		return v
	}
	name := map[string]string{"addf": "arith.addf", "mulf": "arith.mulf", "maximumf": "arith.maximumf", "minimumf": "arith.minimumf",
		"maxnumf": "arith.maxnumf", "minnumf": "arith.minnumf", "addi": "arith.addi", "muli": "arith.muli", "maxs": "arith.maxsi", "maxu": "arith.maxui",
		"mins": "arith.minsi", "minu": "arith.minui", "ori": "arith.ori", "andi": "arith.andi", "xori": "arith.xori"}[kind]
	fn := elementwise[name]
	if fn == nil {
		panic(fmt.Errorf("the kind %s: %w", kind, ErrUnknown))
	}
	if v == (Undefined{}) || old == (Undefined{}) {
		return Undefined{}
	}
	return fn(op, []ir.Type{t, t}, t, []any{old, v})
}

func memrefOperations() map[string]func(f *frame, op *ir.Op) {
	return map[string]func(f *frame, op *ir.Op){
		"memref.alloc":   func(f *frame, op *ir.Op) { f.allocate(op, true) },
		"memref.alloca":  func(f *frame, op *ir.Op) { f.allocate(op, false) },
		"memref.dealloc": func(f *frame, op *ir.Op) { f.free(op, f.memref(op, 0)) },
		"memref.realloc": func(f *frame, op *ir.Op) {
			t := op.Result(0).Type().(*ir.MemRefType)
			old := f.memref(op, 0)
			m := f.allocated(op, t, f.mixed(op, shapes.Mixed(t.Shape, op.OperandGroup(1).Values())), true)
			for i := range min(m.Sizes[0], old.Sizes[0]) {
				f.store(op, m, []int64{i}, f.load(op, old, []int64{i}))
			}
			f.free(op, old)
			f.set(op, 0, m)
		},
		"memref.load": func(f *frame, op *ir.Op) {
			f.set(op, 0, f.load(op, f.memref(op, 0), f.numbers(op, op.OperandGroup(1).Values())))
		},
		"memref.store": func(f *frame, op *ir.Op) {
			f.store(op, f.memref(op, 1), f.numbers(op, op.OperandGroup(2).Values()), f.operand(op, 0))
		},
		"memref.copy": func(f *frame, op *ir.Op) {
			src, dst := f.memref(op, 0), f.memref(op, 1)
			if equal(src.Sizes, dst.Sizes) && f.overlap(op, src, dst) {
				f.wrong(op, Unspecified, "a copy onto memory that overlaps")
			}
			f.copyElements(op, dst, src)
		},
		"memref.dim":  func(f *frame, op *ir.Op) { f.dimension(op, f.memref(op, 0).Sizes) },
		"memref.rank": func(f *frame, op *ir.Op) { f.set(op, 0, big.NewInt(int64(len(f.memref(op, 0).Sizes)))) },
		"memref.cast": func(f *frame, op *ir.Op) {
			f.fits(op, f.memref(op, 0), op.Result(0).Type())
			f.set(op, 0, f.operand(op, 0))
		},
		"memref.memory_space_cast": func(f *frame, op *ir.Op) { f.set(op, 0, f.operand(op, 0)) },
		"memref.subview": func(f *frame, op *ir.Op) {
			s := interfaces.SliceOf(op)
			m := f.slice(op, f.memref(op, 0), f.mixed(op, s.Offsets), f.mixed(op, s.Sizes), f.mixed(op, s.Strides))
			dropped := memref.SubViewOp{Op: op}.DroppedDims()
			m.Sizes, m.Strides = drop(m.Sizes, dropped), drop(m.Strides, dropped)
			f.set(op, 0, m)
		},
		"memref.reinterpret_cast": func(f *frame, op *ir.Op) {
			s := interfaces.SliceOf(op)
			m := *f.memref(op, 0)
			m.offset, m.Sizes, m.Strides = f.mixed(op, s.Offsets)[0], f.mixed(op, s.Sizes), f.mixed(op, s.Strides)
			m.base = m.base && len(m.Sizes) == 0 && m.offset == 0 // what starts there and has no sizes is still the base
			f.set(op, 0, &m)
		},
		"memref.extract_strided_metadata": func(f *frame, op *ir.Op) {
			m := f.memref(op, 0)
			f.set(op, 0, &MemRef{Memory: m.Memory, Type: m.Type, start: m.start, base: true})
			for i, n := range append(append([]int64{m.offset}, m.Sizes...), m.Strides...) {
				f.set(op, i+1, wrap(big.NewInt(n), 64))
			}
		},
		"memref.expand_shape": func(f *frame, op *ir.Op) {
			m := *f.memref(op, 0)
			sizes := f.mixed(op, interfaces.MixedList(op, 1, "static_output_shape"))
			strides := make([]int64, len(sizes))
			for d, g := range groupsOf(op.Attr("reassociation")) {
				n, step := int64(1), m.Strides[d]
				for i := len(g) - 1; i >= 0; i-- {
					strides[g[i]] = step * n
					n *= sizes[g[i]]
				}
				if n != m.Sizes[d] {
					f.wrong(op, SizeMismatch, "a dimension is expanded to another size")
				}
			}
			m.Sizes, m.Strides = sizes, strides
			f.set(op, 0, &m)
		},
		"memref.collapse_shape": func(f *frame, op *ir.Op) {
			m := *f.memref(op, 0)
			var sizes, strides []int64
			for _, g := range groupsOf(op.Attr("reassociation")) {
				n, step := int64(1), int64(1)
				for i := len(g) - 1; i >= 0; i-- {
					switch size := m.Sizes[g[i]]; {
					case n == 1:
						step = m.Strides[g[i]]
					case size != 1 && m.Strides[g[i]] != n*step && count(m.Sizes) > 0:
						f.wrong(op, SizeMismatch, "dimensions with space between them")
					}
					n *= m.Sizes[g[i]]
				}
				sizes, strides = append(sizes, n), append(strides, step)
			}
			m.Sizes, m.Strides = sizes, strides
			f.set(op, 0, &m)
		},
		"memref.reshape": func(f *frame, op *ir.Op) {
			m := *f.memref(op, 0)
			shape := f.contents(op, f.memref(op, 1))
			n := count(m.Sizes)
			m.Sizes = nil
			for _, x := range shape.Elems {
				m.Sizes = append(m.Sizes, signed(f.defined(op, x), width(shape.Type)).Int64())
				if m.Sizes[len(m.Sizes)-1] < 0 {
					f.wrong(op, SizeMismatch, "a negative size")
				}
			}
			m.Strides = rowMajor(m.Sizes)
			if count(m.Sizes) != n {
				f.wrong(op, SizeMismatch, "a reshape to another number of elements")
			}
			f.fits(op, &m, op.Result(0).Type())
			f.set(op, 0, &m)
		},
		"memref.view": func(f *frame, op *ir.Op) {
			m := f.memref(op, 0)
			t := op.Result(0).Type().(*ir.MemRefType)
			sizes := f.mixed(op, shapes.Mixed(t.Shape, op.OperandGroup(2).Values()))
			shift := f.number(op, op.OperandGroup(1)[0].Value())
			if slices.ContainsFunc(sizes, func(n int64) bool { return n < 0 }) {
				f.wrong(op, SizeMismatch, "a negative size")
			}
			if shift < 0 || shift+count(sizes)*bytesOf(t.Elem) > m.Sizes[0] {
				f.wrong(op, OutOfBounds, "a view is out of bounds")
			}
			f.aligned(op, m.start+m.offset+shift, bytesOf(t.Elem))
			f.set(op, 0, &MemRef{Memory: m.Memory, Type: t.Elem, start: m.start + m.offset + shift, Sizes: sizes, Strides: rowMajor(sizes)})
		},
		"memref.transpose": func(f *frame, op *ir.Op) {
			m := *f.memref(op, 0)
			var sizes, strides []int64
			for _, e := range op.Attr("permutation").(*ir.AffineMapAttr).Map.Results {
				sizes, strides = append(sizes, m.Sizes[e.Value]), append(strides, m.Strides[e.Value])
			}
			m.Sizes, m.Strides = sizes, strides
			f.set(op, 0, &m)
		},
		"memref.global": func(*frame, *ir.Op) {},
		"memref.get_global": func(f *frame, op *ir.Op) {
			ref, _ := op.Attr("name").(*ir.SymbolRefAttr)
			global := ir.LookupSymbol(op, ref)
			m := f.globals[global]
			if m == nil {
				t := op.Result(0).Type().(*ir.MemRefType)
				if a, ok := global.Attr("initial_value").(*ir.DenseElementsAttr); ok {
					m = NewMemRef(tensorOf(a))
				} else {
					m = f.allocated(op, t, t.Shape, false)
				}
				m.Memory.readOnly = global.Attr("constant") != nil
				f.globals[global] = m
			}
			f.set(op, 0, m)
		},
		"memref.prefetch": func(*frame, *ir.Op) {},
		// The address of an allocation is a number of its own.
		"memref.extract_aligned_pointer_as_index": func(f *frame, op *ir.Op) {
			m := f.memref(op, 0)
			if m.Memory.number == 0 {
				f.addresses++
				m.Memory.number = f.addresses
			}
			f.set(op, 0, big.NewInt(m.Memory.number<<40+m.start))
		},
		"memref.assume_alignment": func(f *frame, op *ir.Op) {
			m := f.memref(op, 0)
			f.aligned(op, m.start+m.offset*bytesOf(m.Type), attrInt(op, "alignment"))
			if op.NumResults() > 0 {
				f.set(op, 0, m)
			}
		},
		"memref.distinct_objects": func(f *frame, op *ir.Op) {
			seen := map[*Memory]bool{}
			for i := range op.NumOperands() {
				m := f.memref(op, i).Memory
				if seen[m] {
					f.wrong(op, Unspecified, "two memrefs of one buffer")
				}
				seen[m] = true
			}
			for i := range op.NumResults() {
				f.set(op, i, f.memref(op, i))
			}
		},
		"memref.alloca_scope": func(f *frame, op *ir.Op) { f.setAll(op, f.region(op.RegionAt(0), nil)) },
		"memref.atomic_rmw": func(f *frame, op *ir.Op) {
			m, idx := f.memref(op, 1), f.numbers(op, op.OperandGroup(2).Values())
			old := f.load(op, m, idx)
			kind := op.Attr("kind").String()
			if e, ok := op.Attr("kind").(*ir.IntegerAttr); ok {
				kind = []string{"addf", "addi", "assign", "maximumf", "maxs", "maxu", "minimumf", "mins", "minu", "mulf", "muli", "ori", "andi", "maxnumf", "minnumf", "xori"}[e.Value]
			}
			v := combine(op, kind, op.Result(0).Type(), f.operand(op, 0), old)
			f.store(op, m, idx, v)
			f.set(op, 0, old)
		},
		"memref.generic_atomic_rmw": func(f *frame, op *ir.Op) {
			m, idx := f.memref(op, 0), f.numbers(op, op.OperandGroup(1).Values())
			v := f.region(op.RegionAt(0), []any{f.load(op, m, idx)})[0]
			f.store(op, m, idx, v)
			f.set(op, 0, v)
		},
	}
}

func (f *frame) dimension(op *ir.Op, sizes []int64) {
	d := f.number(op, op.Operand(1))
	if d < 0 || d >= int64(len(sizes)) {
		f.wrong(op, OutOfBounds, "there is no such dimension")
	}
	f.set(op, 0, big.NewInt(sizes[d]))
}
