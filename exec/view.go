package exec

import (
	"slices"

	"freehold/ir"
)

// View is a strided part of a store, as loops access it. Start is a byte (or
// object) of the store; strides count elements.
type View struct {
	Store          *Store
	Elem           *Elem
	Start          int64
	Sizes, Strides []int64
	Alloc          *Alloc // nil for a tensor
}

// each calls fn with the position of each element, in row-major order.
func (v *View) each(fn func(p int64)) {
	u := v.Elem.unit()
	var walk func(d int, p int64)
	walk = func(d int, p int64) {
		if d == len(v.Sizes) {
			fn(p)
			return
		}
		for range v.Sizes[d] {
			walk(d+1, p)
			p += v.Strides[d] * u
		}
	}
	walk(0, v.Start)
}

// written tells whether all elements of the view are defined. Linear in their
// number unless the store is wholly written.
func (v *View) written() bool {
	if v.Store.written == nil {
		return true
	}
	all, u := true, v.Elem.unit()
	v.each(func(p int64) { all = all && v.Store.has(p, u) })
	return all
}

// wrote notes that all elements of the view were written.
func (v *View) wrote() {
	if v.Store.written == nil {
		return
	}
	u := v.Elem.unit()
	if product(v.Sizes)*u == v.Store.n && v.Start == 0 && isRowMajor(v.Sizes, v.Strides) {
		v.Store.wroteAll()
		return
	}
	v.each(func(p int64) { v.Store.wrote(p, u) })
}

// fits checks that the view is inside its store.
func (v *View) fits(op *ir.Op) error {
	lo, hi := int64(0), int64(0)
	for i, n := range v.Sizes {
		if n == 0 {
			return nil
		}
		if d := (n - 1) * v.Strides[i]; d > 0 {
			hi += d
		} else {
			lo += d
		}
	}
	u := v.Elem.unit()
	if v.Store.inside(v.Start+lo*u, u) && v.Store.inside(v.Start+hi*u, u) {
		return nil
	}
	if v.Alloc != nil {
		m := MemRef{Alloc: v.Alloc, Elem: v.Elem, Sizes: v.Sizes}
		return m.beyond(op)
	}
	return Findf(OutOfBounds, op, "a slice of size %s is out of bounds", shape(v.Sizes))
}

// From returns the view of what has some sizes in the last dimensions and starts at an index. It needn't be within the sizes of v: [CopyView]
// checks that it is within the memory.
func (v View) From(first, sizes []int64) View {
	u := v.Elem.unit()
	for i, x := range first {
		v.Start += x * v.Strides[i] * u
	}
	strides := RowMajor(sizes)
	n := min(len(strides), len(v.Strides))
	copy(strides[len(strides)-n:], v.Strides[len(v.Strides)-n:])
	v.Sizes, v.Strides = sizes, strides
	return v
}

// span returns the least and the greatest position of an element of the view, which
// has some.
func (v *View) span() (lo, hi int64) {
	u := v.Elem.unit()
	lo, hi = v.Start, v.Start
	for i, n := range v.Sizes {
		if d := (n - 1) * v.Strides[i] * u; d > 0 {
			hi += d
		} else {
			lo += d
		}
	}
	return lo, hi
}

// overlaps tells whether views of equal sizes and elements share memory without being
// the same. Constant time unless their spans overlap, else linear.
func (v *View) overlaps(w *View) bool {
	if v.Store != w.Store || product(v.Sizes) == 0 {
		return false
	}
	same := v.Start == w.Start
	for i, n := range v.Sizes {
		same = same && (n == 1 || v.Strides[i] == w.Strides[i])
	}
	lo, hi := v.span()
	from, to := w.span()
	if same || hi < from || to < lo {
		return false
	}
	u, found := v.Elem.unit(), false
	taken := make([]bool, (hi-lo)/u+1)
	v.each(func(p int64) { taken[(p-lo)/u] = true })
	w.each(func(p int64) { found = found || p >= lo && p <= hi && taken[(p-lo)/u] })
	return found
}

// CopyView copies elements between views of equal sizes. Undefined elements stay
// undefined. The views may overlap.
func CopyView(op *ir.Op, dst, src View) error {
	if !slices.Equal(dst.Sizes, src.Sizes) {
		return Findf(SizeMismatch, op, "a copy has different sizes, %s and %s", shape(src.Sizes), shape(dst.Sizes))
	}
	if err := dst.fits(op); err != nil {
		return err
	}
	if err := src.fits(op); err != nil {
		return err
	}
	if product(src.Sizes) == 0 {
		return nil
	}
	u := src.Elem.unit()
	if dst.Store == src.Store {
		// What overlaps is read as a whole before it is written.
		t := NewTensor(src.Elem, src.Sizes, false)
		copyView(t.View(), src, u)
		src = t.View()
	}
	copyView(dst, src, u)
	return nil
}

func copyView(dst, src View, u int64) {
	if len(src.Sizes) == 0 {
		copyRun(dst, src, dst.Start, src.Start, 1, u, u, u)
		return
	}
	last := len(src.Sizes) - 1
	n := src.Sizes[last]
	// Inner dimensions that are contiguous in both are one run.
	for last > 0 && src.Strides[last-1] == n*src.Strides[last] && dst.Strides[last-1] == n*dst.Strides[last] &&
		src.Strides[last] == 1 && dst.Strides[last] == 1 {
		last--
		n *= src.Sizes[last]
	}
	ds, ss := dst.Strides[last]*u, src.Strides[last]*u
	if src.Strides[len(src.Sizes)-1] == 1 && dst.Strides[len(src.Sizes)-1] == 1 && last < len(src.Sizes)-1 {
		ds, ss = u, u
	}
	var walk func(d int, p, q int64)
	walk = func(d int, p, q int64) {
		if d == last {
			copyRun(dst, src, p, q, n, ds, ss, u)
			return
		}
		for range src.Sizes[d] {
			walk(d+1, p, q)
			p += dst.Strides[d] * u
			q += src.Strides[d] * u
		}
	}
	walk(0, dst.Start, src.Start)
}

func copyRun(dst, src View, p, q, n, ds, ss, u int64) {
	d, s := dst.Store, src.Store
	switch {
	case s.objs != nil:
		for range n {
			d.objs[p] = s.objs[q]
			p, q = p+ds, q+ss
		}
		p, q = p-n*ds, q-n*ss
	case ds == u && ss == u:
		copy(d.bytes(p, n*u), s.bytes(q, n*u))
	default:
		for range n {
			d.store(p, u, s.load(q, u))
			p, q = p+ds, q+ss
		}
		p, q = p-n*ds, q-n*ss
	}
	if d.written == nil && s.written == nil {
		return
	}
	for range n {
		if s.has(q, u) {
			d.wrote(p, u)
		} else {
			d.forget(p, u)
		}
		p, q = p+ds, q+ss
	}
}

// maxUnbacked limits how many elements a view may have of memory that is smaller.
const maxUnbacked = 1 << 20

// TensorOfView returns the elements of a view as a tensor.
func TensorOfView(op *ir.Op, v View) (*Tensor, error) {
	// Of what a view says that it has, its memory may have nothing.
	if n, ok := ir.NumElements(v.Sizes); !ok || n > maxUnbacked && n*v.Elem.unit() > v.Store.n {
		return nil, Findf(OutOfBounds, op, "a view of sizes %v has more elements than its memory", v.Sizes)
	}
	t := NewTensor(v.Elem, v.Sizes, v.Store.Initialized())
	return t, CopyView(op, t.View(), v)
}

// LastTensorOfView is TensorOfView for a view whose memory nothing changes any more: where
// the view is all of it, the tensor has the memory.
func LastTensorOfView(op *ir.Op, v View) (*Tensor, error) {
	if v.Start == 0 && product(v.Sizes)*v.Elem.unit() == v.Store.n && isRowMajor(v.Sizes, v.Strides) {
		return &Tensor{Elem: v.Elem, Sizes: v.Sizes, Store: v.Store, shared: true}, nil
	}
	return TensorOfView(op, v)
}
