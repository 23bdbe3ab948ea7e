package exec

import (
	"strconv"
	"strings"

	"freehold/ir"
)

// Origin says where an allocation comes from.
type Origin uint8

// The origins of allocations. Those from tensors stand for tensors that are seen
// as buffers; nobody has to free them.
const (
	Heap Origin = iota
	Stack
	Global
	Argument
	FromTensor
)

// Alloc is an allocation.
type Alloc struct {
	*Store
	// ID numbers the allocations of an execution.
	ID     int
	Origin Origin
	// Maker is the operation, or the function, on whose behalf it was allocated; nil for what stands for a tensor.
	Maker *ir.Op
	// Loc and FreeLoc are where the memory was allocated and released; FreeLoc is nil
	// while it is live.
	Loc, FreeLoc ir.Location
	// Type is the type that was allocated.
	Type ir.Type
	// Bytes is the size that statistics count.
	Bytes int64
	// First is the offset of the first element, which the layout of the type tells.
	First int64
	// Lent heap memory may be freed, but needn't be.
	Lent bool
	// ReadOnly memory must not be written.
	ReadOnly bool

	// freed memory is not there any more; of a part of an arena, it belongs to others.
	freed bool
	// place tells where the memory is: with ReuseAddress, where other memory was that ended.
	place int
	live  int // position in the machine's list of live allocations
	// parts are those of an arena, and part is set for one.
	parts []*Alloc
	part  *arenaPart
}

// Objects tells whether the memory holds objects, such as pointers, and not bytes.
func (s *Store) Objects() bool { return s.objs != nil }

// Null is the pointer to nothing, and the owner of nothing. It isn't changed.
var Null = &MemRef{}

// IsNull tells whether a memref is [Null], or moved from it.
func (m *MemRef) IsNull() bool { return m.Alloc == nil }

// Live tells whether the memory was not released.
func (a *Alloc) Live() bool { return !a.freed }

// MemRef is a memref: a strided view of an allocation. MemRefs are immutable.
type MemRef struct {
	Alloc *Alloc
	Elem  *Elem
	// Shift is where the view starts, in bytes, and Offset where its first element is
	// from there, in elements.
	Shift, Offset  int64
	Sizes, Strides []int64
	// Base tells that the view stands for the allocation as a whole, whatever its
	// sizes and its shift: it is what a view keeps of the memory that it is part of, to
	// be freed by that name.
	Base bool
}

// Elements returns the number of elements of the view.
func (m *MemRef) Elements() int64 { return product(m.Sizes) }

func product(sizes []int64) int64 {
	n := int64(1)
	for _, s := range sizes {
		n *= s
	}
	return n
}

// whole tells whether the view may be freed: whether it is the allocation and not
// a part of it.
func (m *MemRef) whole() bool {
	if m.Base || m.Shift != 0 || m.Alloc.part != nil && m.Alloc.part.from != 0 {
		return m.Base
	}
	first, end := m.extent()
	starts := first == m.Alloc.First || m.Alloc.n == 0
	return first == 0 && m.Elements()*m.Elem.unit() == m.Alloc.n || starts && end*m.Elem.unit() == m.Alloc.n
}

// extent returns the number of the first element that the view spans, and of the one after the last, counted from
// the base address. Strides may be negative.
func (m *MemRef) extent() (first, end int64) {
	first, end = m.Offset, m.Offset+1
	for i, s := range m.Sizes {
		if s == 0 {
			return m.Offset, 0
		}
		if n := (s - 1) * m.Strides[i]; n < 0 {
			first += n
		} else {
			end += n
		}
	}
	return first, end
}

// RowMajor returns the strides of contiguous elements.
func RowMajor(sizes []int64) []int64 {
	s := make([]int64, len(sizes))
	n := int64(1)
	for i := len(sizes) - 1; i >= 0; i-- {
		s[i] = n
		n *= sizes[i]
	}
	return s
}

// isRowMajor tells whether elements of the view are contiguous and in order.
func isRowMajor(sizes, strides []int64) bool {
	n := int64(1)
	for i := len(sizes) - 1; i >= 0; i-- {
		if sizes[i] != 1 && strides[i] != n {
			return false
		}
		n *= sizes[i]
	}
	return true
}

// Dense tells whether the elements of the view follow each other in memory, in order.
func (m *MemRef) Dense() bool { return isRowMajor(m.Sizes, m.Strides) || m.Elements() == 0 }

// Fill sets all elements to what [MemRef.At] returns of one. Linear in their number.
func (m *MemRef) Fill(f *Frame, op *ir.Op, v any) error {
	if err := m.Writable(op); err != nil {
		return err
	}
	n := m.Elements()
	if err := f.M.Charge(op, n); err != nil {
		return err
	}
	idx := make([]int64, len(m.Sizes))
	for range n {
		if err := m.SetAt(op, idx, v); err != nil {
			return err
		}
		for d := len(idx) - 1; d >= 0; d-- {
			if idx[d]++; idx[d] < m.Sizes[d] {
				break
			}
			idx[d] = 0
		}
	}
	return nil
}

// Access checks that the memory may be read.
func (m *MemRef) Access(op *ir.Op) error {
	if m.Alloc.freed {
		return m.dead(op, false)
	}
	return nil
}

// dead checks that memory that is freed is a part of an arena that may be accessed.
func (m *MemRef) dead(op *ir.Op, write bool) error {
	if m.Alloc.part != nil {
		return m.stale(op, write)
	}
	if m.Alloc.Origin == Stack {
		return Findf(UseAfterFree, op, "stack memory is used after its scope ended").about(m.Alloc)
	}
	return Findf(UseAfterFree, op, "memory is used after it was freed").about(m.Alloc)
}

// Writable checks that the memory may be written.
func (m *MemRef) Writable(op *ir.Op) error {
	if m.Alloc.freed {
		if err := m.dead(op, true); err != nil {
			return err
		}
	}
	if m.Alloc.ReadOnly {
		if m.Alloc.Origin == FromTensor {
			return Findf(Undefined, op, "memory that is said to be only read is written").about(m.Alloc)
		}
		return Findf(Undefined, op, "a constant global is written").about(m.Alloc)
	}
	return nil
}

func (m *MemRef) outside(op *ir.Op, idx []int64) error {
	return Findf(OutOfBounds, op, "index [%s] is out of bounds of a memref of size %s", ir.JoinInts(idx), shape(m.Sizes)).about(m.Alloc)
}

func (m *MemRef) beyond(op *ir.Op) error {
	return Findf(OutOfBounds, op, "a memref of size %s reaches beyond its allocation of %d bytes", shape(m.Sizes), m.Alloc.n).about(m.Alloc)
}

// shape returns the sizes as "2x3".
func shape(v []int64) string {
	if len(v) == 0 {
		return "[]"
	}
	var b strings.Builder
	for i, x := range v {
		if i > 0 {
			b.WriteByte('x')
		}
		b.WriteString(strconv.FormatInt(x, 10))
	}
	return b.String()
}

// View returns the memory as an operand of a loop nest.
func (m *MemRef) View() View {
	return View{Store: m.Alloc.Store, Elem: m.Elem, Start: m.Offset*m.Elem.unit() + m.Shift, Sizes: m.Sizes, Strides: m.Strides, Alloc: m.Alloc}
}

// FitsType checks that the memref has the sizes, strides and offset that a type
// promises.
func (m *MemRef) FitsType(op *ir.Op, t *ir.MemRefType) error {
	if err := CheckSizes(op, m.Sizes, t.Shape); err != nil {
		return err
	}
	strides, offset, ok := t.StridesAndOffset()
	if !ok {
		return nil
	}
	if offset != ir.Dynamic && offset != m.Offset {
		return Findf(SizeMismatch, op, "offset %d does not fit the type's offset %d", m.Offset, offset)
	}
	if t.Layout == nil {
		strides = RowMajor(m.Sizes)
	}
	for i, s := range strides {
		if s != ir.Dynamic && s != m.Strides[i] && m.Sizes[i] > 1 && m.Elements() > 0 {
			return Findf(SizeMismatch, op, "strides [%s] do not fit the type's strides", ir.JoinInts(m.Strides))
		}
	}
	return nil
}

// Address returns a number that stands for the memref's address: different for
// different allocations, unless the machine uses addresses again, and aligned as well as can be.
func (m *MemRef) Address() uint64 {
	shift := m.Shift
	if p := m.Alloc.part; p != nil && p.apart {
		shift = p.from
	}
	return uint64(m.Alloc.place)<<40 + uint64(shift)
}

// FirstAddress returns the address of the memref's first element.
func (m *MemRef) FirstAddress() uint64 { return m.Address() + uint64(m.Offset*m.Elem.Bytes) }

// Expand returns sizes and strides of a view whose dimensions are split as the
// groups say, into the given sizes.
func (m *MemRef) Expand(op *ir.Op, groups [][]int64, sizes []int64) (*MemRef, error) {
	out := *m
	out.Sizes, out.Strides = sizes, make([]int64, len(sizes))
	if err := CheckNotNegative(op, sizes); err != nil {
		return nil, err
	}
	for d, g := range groups {
		n := m.Strides[d]
		total := int64(1)
		for i := len(g) - 1; i >= 0; i-- {
			out.Strides[g[i]] = n
			n *= sizes[g[i]]
			total *= sizes[g[i]]
		}
		if total != m.Sizes[d] {
			return nil, Findf(SizeMismatch, op, "dimension %d of size %d is split into %d elements", d, m.Sizes[d], total)
		}
	}
	ones(&out, groups)
	return &out, nil
}

// ones gives dimensions of size 1 that belong to no group a stride.
func ones(m *MemRef, groups [][]int64) {
	if len(groups) == 0 {
		for i := range m.Strides {
			m.Strides[i] = 1
		}
	}
}

// Collapse returns the view whose dimensions are joined as the groups say; they
// must be contiguous.
func (m *MemRef) Collapse(op *ir.Op, groups [][]int64) (*MemRef, error) {
	out := *m
	out.Sizes, out.Strides = make([]int64, len(groups)), make([]int64, len(groups))
	for d, g := range groups {
		size, stride := int64(1), int64(0)
		for i := len(g) - 1; i >= 0; i-- {
			k := g[i]
			if m.Sizes[k] != 1 {
				if stride != 0 && m.Strides[k] != stride*size && m.Elements() > 0 {
					return nil, Findf(SizeMismatch, op, "dimensions that are not contiguous are joined").about(m.Alloc)
				}
				if stride == 0 {
					stride = m.Strides[k]
				}
			}
			size *= m.Sizes[k]
		}
		switch {
		case len(g) == 0: // a dimension of size 1 of no others
			stride = 1
		case stride == 0:
			stride = m.Strides[g[len(g)-1]]
		}
		out.Sizes[d], out.Strides[d] = size, stride
	}
	return &out, nil
}

// Groups returns the lists of dimensions that a reassociation attribute holds.
func Groups(a ir.Attribute) [][]int64 {
	l, _ := a.(*ir.ArrayAttr)
	if l == nil {
		return nil
	}
	out := make([][]int64, len(l.Elems))
	for i, e := range l.Elems {
		if g, ok := e.(*ir.ArrayAttr); ok {
			for _, x := range g.Elems {
				if v, ok := x.(*ir.IntegerAttr); ok {
					out[i] = append(out[i], v.Value)
				}
			}
		}
	}
	return out
}

// Inside tells whether there is an element with the given indices.
func (m *MemRef) Inside(idx []int64) bool { return inside(idx, m.Sizes) }

func inside(idx, sizes []int64) bool {
	for i, x := range idx {
		if x < 0 || x >= sizes[i] {
			return false
		}
	}
	return true
}

// position returns where the element with the given indices is.
func (m *MemRef) position(op *ir.Op, idx []int64) (int64, error) {
	if err := m.Access(op); err != nil {
		return 0, err
	}
	if !m.Inside(idx) {
		return 0, m.outside(op, idx)
	}
	p := m.Offset
	for i, x := range idx {
		p += x * m.Strides[i]
	}
	u := m.Elem.unit()
	p = p*u + m.Shift
	if !m.Alloc.inside(p, u) {
		return 0, m.beyond(op)
	}
	return p, nil
}

// address returns where the element is that lies a number of elements behind the one with the given indices, whatever the sizes are: in memory,
// there is only the end of the allocation.
func (m *MemRef) address(op *ir.Op, idx []int64, distance int64) (int64, error) {
	if err := m.Access(op); err != nil {
		return 0, err
	}
	p := m.Offset + distance
	for i, x := range idx {
		p += x * m.Strides[i]
	}
	u := m.Elem.unit()
	if n := m.Alloc.n; p > n || p < -n {
		return 0, m.past(op, idx, distance)
	}
	if p = p*u + m.Shift; !m.Alloc.inside(p, u) {
		return 0, m.past(op, idx, distance)
	}
	return p, nil
}

func (m *MemRef) past(op *ir.Op, idx []int64, distance int64) error {
	return Findf(OutOfBounds, op, "the element %d behind index [%s] of a memref of size %s is outside of its allocation of %d bytes",
		distance, ir.JoinInts(idx), shape(m.Sizes), m.Alloc.n).about(m.Alloc)
}

// AtDistance returns the element that lies a number of elements behind the one with the given indices in memory, as [MemRef.At] does.
// Neither needs to be within the sizes, as long as it is in the allocation.
func (m *MemRef) AtDistance(op *ir.Op, idx []int64, distance int64) (any, error) {
	p, err := m.address(op, idx, distance)
	if err != nil {
		return nil, err
	}
	return m.Alloc.value(p, m.Elem), nil
}

// SetAtDistance sets the element that [MemRef.AtDistance] returns.
func (m *MemRef) SetAtDistance(op *ir.Op, idx []int64, distance int64, v any) error {
	if err := m.Writable(op); err != nil {
		return err
	}
	p, err := m.address(op, idx, distance)
	if err == nil {
		m.Alloc.setValue(p, m.Elem, v)
	}
	return err
}

// At returns the element with the given indices: a uint64 if it is a word, else an
// object; [PoisonValue] if it is undefined.
func (m *MemRef) At(op *ir.Op, idx []int64) (any, error) {
	p, err := m.position(op, idx)
	if err != nil {
		return nil, err
	}
	return m.Alloc.value(p, m.Elem), nil
}

// SetAt sets the element with the given indices to what [MemRef.At] returns.
func (m *MemRef) SetAt(op *ir.Op, idx []int64, v any) error {
	if err := m.Writable(op); err != nil {
		return err
	}
	p, err := m.position(op, idx)
	if err == nil {
		m.Alloc.setValue(p, m.Elem, v)
	}
	return err
}

// value returns the element at position p: a word, an object, or poison.
func (s *Store) value(p int64, e *Elem) any {
	u := e.unit()
	switch {
	case !s.has(p, u):
		return PoisonValue
	case e.Size == 0:
		return s.objs[p]
	}
	return s.load(p, u)
}

// setValue sets the element at position p to a word, an object, or poison.
func (s *Store) setValue(p int64, e *Elem, v any) {
	u := e.unit()
	switch v := v.(type) {
	case poison:
		s.forget(p, u)
		return
	case uint64:
		s.store(p, u, v)
	default:
		s.objs[p] = v
	}
	s.wrote(p, u)
}
