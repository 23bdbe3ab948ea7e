package exec

import (
	"fmt"

	"freehold/ir"
)

// Tensor is a tensor or a vector: elements in row-major order. Tensors are
// values; one that is not shared may be changed by the operation that consumes
// it last.
type Tensor struct {
	Elem   *Elem
	Sizes  []int64
	Store  *Store
	shared bool
}

// NewTensor returns a tensor. Unless zeroed, its elements are undefined.
func NewTensor(e *Elem, sizes []int64, zeroed bool) *Tensor {
	return &Tensor{Elem: e, Sizes: sizes, Store: NewStore(e, product(sizes), zeroed)}
}

// Share marks the tensor as one that has several holders, and returns it.
func (t *Tensor) Share() *Tensor {
	t.shared = true
	return t
}

// Elements returns the number of elements.
func (t *Tensor) Elements() int64 { return product(t.Sizes) }

// Clone returns a copy that nobody else holds.
func (t *Tensor) Clone() *Tensor {
	return &Tensor{Elem: t.Elem, Sizes: t.Sizes, Store: t.Store.clone()}
}

// Reshaped returns the same elements under other sizes.
func (t *Tensor) Reshaped(sizes []int64) *Tensor {
	return &Tensor{Elem: t.Elem, Sizes: sizes, Store: t.Store, shared: t.shared}
}

// Word returns element i in row-major order, and whether it is defined.
func (t *Tensor) Word(i int64) (uint64, bool) {
	p := i * t.Elem.Size
	return t.Store.load(p, t.Elem.Size), t.Store.has(p, t.Elem.Size)
}

// SetWord sets element i in row-major order.
func (t *Tensor) SetWord(i int64, w uint64) {
	p := i * t.Elem.Size
	t.Store.store(p, t.Elem.Size, w)
	t.Store.wrote(p, t.Elem.Size)
}

// Object returns element i of a tensor of objects, and whether it is defined.
func (t *Tensor) Object(i int64) (any, bool) { return t.Store.objs[i], t.Store.has(i, 1) }

// SetObject sets element i of a tensor of objects.
func (t *Tensor) SetObject(i int64, o any) {
	t.Store.objs[i] = o
	t.Store.wrote(i, 1)
}

// SetAllWritten declares every element defined.
func (t *Tensor) SetAllWritten() { t.Store.wroteAll() }

// index returns the row-major position of the element with the given indices.
func (t *Tensor) index(op *ir.Op, idx []int64) (int64, error) {
	p := int64(0)
	for i, x := range idx {
		if uint64(x) >= uint64(t.Sizes[i]) {
			return 0, Findf(OutOfBounds, op, "index [%s] is out of bounds of a tensor of size %s", ir.JoinInts(idx), shape(t.Sizes))
		}
		p = p*t.Sizes[i] + x
	}
	return p, nil
}

// View returns the tensor as an operand of a loop nest.
func (t *Tensor) View() View {
	return View{Store: t.Store, Elem: t.Elem, Sizes: t.Sizes, Strides: RowMajor(t.Sizes)}
}

// TensorOf returns the tensor (or vector) that a dense attribute describes.
func TensorOf(a *ir.DenseElementsAttr) *Tensor {
	shape, _ := ir.ShapeOf(a.Type)
	e := ElemOf(ir.ElementType(a.Type))
	t := NewTensor(e, shape, true)
	n := t.Elements()
	if e.Size == 0 {
		var same any
		for i := range n {
			if i == 0 || !a.Splat {
				same = objectOfRaw(e.Type, a.Raw(i))
			}
			t.Store.objs[i] = same
		}
		return t
	}
	if a.Splat {
		if n > 0 {
			t.Store.store(0, e.Size, wordOfRaw(a.Raw(0))&e.Mask)
			repeat(t.Store.bytes(0, n*e.Size), int(e.Size))
		}
		return t
	}
	if int64(len(a.Data)) == n*e.Size && Width(e.Type)&7 == 0 {
		copy(t.Store.bytes(0, n*e.Size), a.Data)
		return t
	}
	for i := range n {
		t.Store.store(i*e.Size, e.Size, wordOfRaw(a.Raw(i))&e.Mask)
	}
	return t
}

// repeat repeats the first bytes of some up to their end.
func repeat(b []byte, first int) {
	for done := first; done < len(b); done *= 2 {
		copy(b[done:], b[:done])
	}
}

// SplatOf returns the tensor of one element, without dimensions, that has what all elements of a dense attribute are; false if they may differ, or there are none.
func SplatOf(a *ir.DenseElementsAttr) (*Tensor, bool) {
	shape, _ := ir.ShapeOf(a.Type)
	if n, ok := ir.NumElements(shape); !a.Splat || ok && n == 0 {
		return nil, false
	}
	t := NewTensor(ElemOf(ir.ElementType(a.Type)), nil, true)
	if t.Elem.Size == 0 {
		t.Store.objs[0] = objectOfRaw(t.Elem.Type, a.Raw(0))
	} else {
		t.Store.store(0, t.Elem.Size, wordOfRaw(a.Raw(0))&t.Elem.Mask)
	}
	return t, true
}

// TensorOfBytes returns a tensor of elements that follow each other in memory, in row-major
// order, each with its lowest byte first.
func TensorOfBytes(elem ir.Type, sizes []int64, data []byte) (*Tensor, error) {
	size := int64(ir.ElementBytes(elem))
	if n, ok := ir.NumElements(sizes); !ok || size <= 0 || int64(len(data)) != n*size {
		return nil, fmt.Errorf("%d bytes are no tensor of size %s with elements of %d bytes", len(data), shape(sizes), size)
	}
	t := NewTensor(ElemOf(elem), sizes, true)
	for i := range t.Elements() {
		raw := string(data[i*size : (i+1)*size])
		if t.Elem.Size == 0 {
			t.Store.objs[i] = objectOfRaw(elem, raw)
		} else {
			t.Store.store(i*t.Elem.Size, t.Elem.Size, wordOfRaw(raw)&t.Elem.Mask)
		}
	}
	return t, nil
}

func wordOfRaw(b string) uint64 {
	var w uint64
	for i := len(b) - 1; i >= 0; i-- {
		w = w<<8 | uint64(b[i])
	}
	return w
}

// Set sets element i in row-major order to what a register holds, which may be
// poison.
func (t *Tensor) Set(f *Frame, i int64, r Reg) {
	u := t.Elem.unit()
	t.Store.put(f, r, i*u, t.Elem.Size, u)
}

// Fill sets all elements to what a register holds.
func (t *Tensor) Fill(f *Frame, r Reg) {
	for i := range t.Elements() {
		t.Set(f, i, r)
	}
}

// CopyElement sets element i to element j of another tensor of the same element
// type, which may be undefined.
func (t *Tensor) CopyElement(i int64, from *Tensor, j int64) {
	u := t.Elem.unit()
	if !from.Store.has(j*u, u) {
		t.Store.forget(i*u, u)
		return
	}
	if t.Elem.Size == 0 {
		t.Store.objs[i] = from.Store.objs[j]
	} else {
		t.Store.store(i*u, u, from.Store.load(j*u, u))
	}
	t.Store.wrote(i*u, u)
}

// Integers returns the elements of a tensor of integers.
func (t *Tensor) Integers(op *ir.Op) ([]int64, error) {
	out := make([]int64, t.Elements())
	for i := range out {
		w, ok := t.Word(int64(i))
		if !ok {
			return nil, Findf(Uninitialized, op, "an undefined element of a tensor is read")
		}
		out[i] = SignExtend(w, Width(t.Elem.Type))
	}
	return out, nil
}

// Index returns the row-major position of the element with the given indices, or
// a finding if there is none.
func (t *Tensor) Index(op *ir.Op, idx []int64) (int64, error) { return t.index(op, idx) }

// Each calls fn for all indices below the sizes, in row-major order, with their
// position. fn must not keep the slice.
func Each(sizes []int64, fn func(i int64, idx []int64) error) error {
	n := product(sizes)
	idx := make([]int64, len(sizes))
	for i := range n {
		if err := fn(i, idx); err != nil {
			return err
		}
		for d := len(idx) - 1; d >= 0; d-- {
			if idx[d]++; idx[d] < sizes[d] {
				break
			}
			idx[d] = 0
		}
	}
	return nil
}

// Own marks the tensor as one that has a single holder, and returns it. The
// caller must know that this is so.
func (t *Tensor) Own() *Tensor {
	t.shared = false
	return t
}

// At returns element i in row-major order: a uint64 if it is a word, else an
// object; [PoisonValue] if it is undefined.
func (t *Tensor) At(i int64) any { return t.Store.value(i*t.Elem.unit(), t.Elem) }

// SetAt sets element i in row-major order to what [Tensor.At] returns.
func (t *Tensor) SetAt(i int64, v any) { t.Store.setValue(i*t.Elem.unit(), t.Elem, v) }

// Element returns element i in row-major order, a uint64 if it is a word, else an
// object, and whether it is defined.
func (t *Tensor) Element(i int64) (any, bool) {
	v := t.At(i)
	return v, v != PoisonValue
}
