package exec

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// StoredOperands is implemented by operations that make operands elements of memory,
// of a tensor or of a vector, as they are: the model tells which. They may be
// undefined.
var StoredOperands = ir.NewInterface[Stored]("ExecutableStoredOperands")

// Stored says which operands become elements.
type Stored uint8

// Only the first operand becomes an element, or each one does.
const (
	FirstOperand Stored = iota
	EachOperand
)

func stores(op *ir.Op, i int) bool {
	which, ok := StoredOperands.Of(op)
	return ok && (i == 0 || which == EachOperand)
}

// onlyCopied tells whether all that happens to a value is that it is written
// somewhere as it is. What is read for nothing is not copied.
func onlyCopied(v *ir.Value) bool {
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if !stores(u.Owner(), u.Index()) {
			return false
		}
	}
	return v.HasUses()
}

// read compiles reading an element at position p of a store into the register of
// a value. An undefined element is poison where undefined is nil, else what that
// says is wrong.
func (c *Compiler) read(res *ir.Value, undefined func(f *Frame) error) func(f *Frame, s *Store, p int64) error {
	e := ElemOf(res.Type())
	size, u := e.Size, e.unit()
	r := c.Reg(res)
	if onlyCopied(res) {
		return func(f *Frame, s *Store, p int64) error {
			switch {
			case !s.has(p, u):
				f.SetPoison(r)
			case size == 0:
				f.O[r.Object()] = s.objs[p]
			default:
				f.W[r.Word()], f.P[r.Word()] = s.load(p, size), false
			}
			return nil
		}
	}
	if size == 0 {
		o := r.Object()
		return func(f *Frame, s *Store, p int64) error {
			if !s.has(p, 1) {
				return undefined(f)
			}
			f.O[o] = s.objs[p]
			return nil
		}
	}
	w := r.Word()
	return func(f *Frame, s *Store, p int64) error {
		if s.written != nil && !s.has(p, size) {
			return undefined(f)
		}
		f.W[w] = s.load(p, size)
		return nil
	}
}

// write compiles writing a value to position p of a store.
func (c *Compiler) write(v *ir.Value) func(f *Frame, s *Store, p int64) {
	e := ElemOf(v.Type())
	size, u := e.Size, e.unit()
	r := c.Reg(v)
	if size == 0 || c.poisonable[v] {
		return func(f *Frame, s *Store, p int64) { s.put(f, r, p, size, u) }
	}
	w := r.Word()
	return func(f *Frame, s *Store, p int64) {
		s.store(p, size, f.W[w])
		if s.written != nil {
			s.wrote(p, size)
		}
	}
}

// put writes what a register holds, which may be poison, to position p. A vector
// is from then on held by the memory, too.
func (s *Store) put(f *Frame, r Reg, p, size, u int64) {
	switch {
	case f.IsPoison(r):
		s.forget(p, u)
		return
	case size == 0:
		o := f.O[r.Object()]
		if t, ok := o.(*Tensor); ok {
			t.shared = true
		}
		s.objs[p] = o
	default:
		s.store(p, size, f.W[r.Word()])
	}
	s.wrote(p, u)
}

// locate compiles finding the element of a memref that the index registers say.
func locate(op *ir.Op, ref int, idx []int) func(f *Frame) (*MemRef, int64, error) {
	switch len(idx) {
	case 1:
		i := idx[0]
		return func(f *Frame) (*MemRef, int64, error) {
			m := f.O[ref].(*MemRef)
			if err := m.Access(op); err != nil {
				return nil, 0, err
			}
			x := f.W[i]
			if x >= uint64(m.Sizes[0]) {
				return nil, 0, m.outside(op, indexValues(f, idx))
			}
			u := m.Elem.unit()
			p := (m.Offset+int64(x)*m.Strides[0])*u + m.Shift
			if !m.Alloc.inside(p, u) {
				return nil, 0, m.beyond(op)
			}
			return m, p, nil
		}
	case 2:
		i, j := idx[0], idx[1]
		return func(f *Frame) (*MemRef, int64, error) {
			m := f.O[ref].(*MemRef)
			if err := m.Access(op); err != nil {
				return nil, 0, err
			}
			x, y := f.W[i], f.W[j]
			if x >= uint64(m.Sizes[0]) || y >= uint64(m.Sizes[1]) {
				return nil, 0, m.outside(op, indexValues(f, idx))
			}
			u := m.Elem.unit()
			p := (m.Offset+int64(x)*m.Strides[0]+int64(y)*m.Strides[1])*u + m.Shift
			if !m.Alloc.inside(p, u) {
				return nil, 0, m.beyond(op)
			}
			return m, p, nil
		}
	}
	return func(f *Frame) (*MemRef, int64, error) {
		m := f.O[ref].(*MemRef)
		if err := m.Access(op); err != nil {
			return nil, 0, err
		}
		p := m.Offset
		for k, i := range idx {
			x := f.W[i]
			if x >= uint64(m.Sizes[k]) {
				return nil, 0, m.outside(op, indexValues(f, idx))
			}
			p += int64(x) * m.Strides[k]
		}
		u := m.Elem.unit()
		p = p*u + m.Shift
		if !m.Alloc.inside(p, u) {
			return nil, 0, m.beyond(op)
		}
		return m, p, nil
	}
}

func indexValues(f *Frame, idx []int) []int64 {
	out := make([]int64, len(idx))
	for k, i := range idx {
		out[k] = int64(f.W[i])
	}
	return out
}

// Load compiles reading an element of a memref. idx are word registers, see
// [Compiler.Words].
func (c *Compiler) Load(op *ir.Op, ref, res *ir.Value, idx []int) Step {
	r := c.Object(ref)
	at := locate(op, r, idx)
	read := c.read(res, func(f *Frame) error {
		m := f.O[r].(*MemRef)
		return Findf(Uninitialized, op, "uninitialized memory is read at index [%s] of a memref of size %s", ir.JoinInts(indexValues(f, idx)), shape(m.Sizes)).about(m.Alloc)
	})
	slow := func(f *Frame) error {
		m, p, err := at(f)
		if err != nil {
			return err
		}
		return read(f, m.Alloc.Store, p)
	}
	if c.isPlainWord(res) {
		if fast := fastLoad(r, c.Word(res), idx, ElemOf(res.Type()).Size, slow); fast != nil {
			return fast
		}
	}
	return slow
}

// Defined adds to the step of an operation that reads the value v from memory, and
// computes with it itself, the finding that what it read is undefined.
func (c *Compiler) Defined(op *ir.Op, v *ir.Value, step Step) Step {
	if !c.MayBePoison(v) {
		return step
	}
	r := c.Reg(v)
	return func(f *Frame) error {
		if err := step(f); err != nil {
			return err
		}
		if f.IsPoison(r) {
			return Findf(Uninitialized, op, "uninitialized memory is read")
		}
		return nil
	}
}

// Store compiles writing an element of a memref.
func (c *Compiler) Store(op *ir.Op, v, ref *ir.Value, idx []int) Step {
	r := c.Object(ref)
	at, write := locate(op, r, idx), c.write(v)
	slow := func(f *Frame) error {
		if err := f.O[r].(*MemRef).Writable(op); err != nil {
			return err
		}
		m, p, err := at(f)
		if err != nil {
			return err
		}
		write(f, m.Alloc.Store, p)
		return nil
	}
	if c.isPlainWord(v) {
		if fast := fastStore(r, c.Word(v), idx, ElemOf(v.Type()).Size, slow); fast != nil {
			return fast
		}
	}
	return slow
}

// Extract compiles reading an element of a tensor or vector.
func (c *Compiler) Extract(op *ir.Op, tensor, res *ir.Value, idx []int) Step {
	r := c.Object(tensor)
	read := c.read(res, func(f *Frame) error {
		t := f.O[r].(*Tensor)
		return Findf(Uninitialized, op, "an undefined element is read at index [%s] of a tensor of size %s", ir.JoinInts(indexValues(f, idx)), shape(t.Sizes))
	})
	return func(f *Frame) error {
		t := f.O[r].(*Tensor)
		p, err := t.find(op, f, idx)
		if err != nil {
			return err
		}
		return read(f, t.Store, p)
	}
}

// Insert compiles writing an element into the tensor of operand dest, which
// makes the tensor res.
func (c *Compiler) Insert(op *ir.Op, v *ir.Value, dest *ir.Use, res *ir.Value, idx []int) Step {
	take, write, d := c.Take(dest), c.write(v), c.Object(res)
	return func(f *Frame) error {
		t := take(f)
		p, err := t.find(op, f, idx)
		if err != nil {
			return err
		}
		write(f, t.Store, p)
		f.O[d] = t
		return nil
	}
}

// find returns the position of an element in the tensor's store.
func (t *Tensor) find(op *ir.Op, f *Frame, idx []int) (int64, error) {
	p := int64(0)
	for k, i := range idx {
		x := f.W[i]
		if x >= uint64(t.Sizes[k]) {
			return 0, Findf(OutOfBounds, op, "index [%s] is out of bounds of a tensor of size %s", ir.JoinInts(indexValues(f, idx)), shape(t.Sizes))
		}
		p = p*t.Sizes[k] + int64(x)
	}
	return p * t.Elem.unit(), nil
}

// Affine compiles an affine map of index operands, dimensions first. It returns
// the word registers of the results and the step that computes them, which is nil
// if all results are operands or constants.
func (c *Compiler) Affine(op *ir.Op, m *ir.AffineMap, operands ir.Operands) ([]int, Step) {
	words := c.Words(operands)
	regs := make([]int, len(m.Results))
	type out struct {
		reg  int
		eval func(f *Frame) (int64, bool)
	}
	var outs []out
	for i, e := range m.Results {
		switch e.Kind {
		case ir.AffineDim:
			regs[i] = words[e.Value]
			continue
		case ir.AffineSymbol:
			regs[i] = words[m.Dims+int(e.Value)]
			continue
		}
		regs[i] = c.NewWord().Word()
		if e.Kind == ir.AffineConst {
			c.consts = append(c.consts, constant{Reg(regs[i]), uint64(e.Value)})
			continue
		}
		outs = append(outs, out{regs[i], AffineFunc(e, words, m.Dims)})
	}
	if len(outs) == 0 {
		return regs, nil
	}
	return regs, func(f *Frame) error {
		for _, o := range outs {
			v, ok := o.eval(f)
			if !ok {
				return Findf(DivisionByZero, op, "an affine expression divides by a number below 1")
			}
			f.W[o.reg] = uint64(v)
		}
		return nil
	}
}

// AffineFunc compiles an affine expression over word registers, those of its
// dimensions first. The function returns false where the expression divides by a
// number below 1.
func AffineFunc(e *ir.AffineExpr, words []int, dims int) func(f *Frame) (int64, bool) {
	switch e.Kind {
	case ir.AffineConst:
		v := e.Value
		return func(*Frame) (int64, bool) { return v, true }
	case ir.AffineDim, ir.AffineSymbol:
		r := words[e.Value]
		if e.Kind == ir.AffineSymbol {
			r = words[dims+int(e.Value)]
		}
		return func(f *Frame) (int64, bool) { return int64(f.W[r]), true }
	}
	l, r := AffineFunc(e.LHS, words, dims), AffineFunc(e.RHS, words, dims)
	switch e.Kind {
	case ir.AffineAdd:
		return func(f *Frame) (int64, bool) {
			x, ok1 := l(f)
			y, ok2 := r(f)
			return x + y, ok1 && ok2
		}
	case ir.AffineMul:
		return func(f *Frame) (int64, bool) {
			x, ok1 := l(f)
			y, ok2 := r(f)
			return x * y, ok1 && ok2
		}
	}
	kind := e.Kind
	return func(f *Frame) (int64, bool) {
		x, ok1 := l(f)
		y, ok2 := r(f)
		if !ok1 || !ok2 || y < 1 {
			return 0, false
		}
		q, rem := x/y, x%y
		switch kind {
		case ir.AffineFloorDiv:
			if rem < 0 {
				q--
			}
			return q, true
		case ir.AffineCeilDiv:
			if rem > 0 {
				q++
			}
			return q, true
		}
		if rem < 0 {
			rem += y
		}
		return rem, true
	}
}

// Sequence joins steps, of which some may be nil.
func Sequence(steps ...Step) Step {
	var kept []Step
	for _, s := range steps {
		if s != nil {
			kept = append(kept, s)
		}
	}
	switch len(kept) {
	case 0:
		return Nop
	case 1:
		return kept[0]
	case 2:
		a, b := kept[0], kept[1]
		return func(f *Frame) error {
			if err := a(f); err != nil {
				return err
			}
			return b(f)
		}
	}
	return func(f *Frame) error {
		for _, s := range kept {
			if err := s(f); err != nil {
				return err
			}
		}
		return nil
	}
}

// Slice compiles the slice of an operation that implements
// interfaces.OffsetSizeAndStride.
func (c *Compiler) Slice(op *ir.Op) func(f *Frame) (offsets, sizes, strides []int64) {
	s := interfaces.SliceOf(op)
	offsets, sizes, strides := c.Sizes(s.Offsets), c.Sizes(s.Sizes), c.Sizes(s.Strides)
	return func(f *Frame) ([]int64, []int64, []int64) { return offsets(f), sizes(f), strides(f) }
}

// Sub returns the part of a view that a slice describes, or a finding if it isn't
// inside.
func (v View) Sub(op *ir.Op, offsets, sizes, strides []int64) (View, error) {
	out := v
	out.Sizes, out.Strides = sizes, make([]int64, len(sizes))
	u := v.Elem.unit()
	for i := range sizes {
		first, last := offsets[i], offsets[i]
		if sizes[i] > 0 {
			last += (sizes[i] - 1) * strides[i]
		}
		if sizes[i] < 0 || sizes[i] > 0 && (min(first, last) < 0 || max(first, last) >= v.Sizes[i]) {
			f := Findf(OutOfBounds, op, "a slice with offset %d, size %d and stride %d is out of bounds of dimension %d, which has size %d",
				offsets[i], sizes[i], strides[i], i, v.Sizes[i])
			if v.Alloc != nil {
				f.about(v.Alloc)
			}
			return out, f
		}
		out.Start += offsets[i] * v.Strides[i] * u
		out.Strides[i] = strides[i] * v.Strides[i]
	}
	return out, nil
}

// Without returns sizes and strides without the dropped dimensions.
func Without(sizes, strides []int64, dropped []bool) (newSizes, newStrides []int64) {
	for i := range sizes {
		if !dropped[i] {
			newSizes = append(newSizes, sizes[i])
			newStrides = append(newStrides, strides[i])
		}
	}
	return newSizes, newStrides
}

// CheckNotNegative checks that no size is negative.
func CheckNotNegative(op *ir.Op, sizes []int64) error {
	for _, n := range sizes {
		if n < 0 {
			return Findf(SizeMismatch, op, "the size %d is negative", n)
		}
	}
	return nil
}

// CheckSizes checks that a shape has the sizes that a type promises.
func CheckSizes(op *ir.Op, sizes, static []int64) error {
	if len(sizes) != len(static) {
		return Findf(SizeMismatch, op, "size %s does not fit the type's size %s", shape(sizes), shapeOfType(static))
	}
	for i, n := range static {
		if n != ir.Dynamic && n != sizes[i] {
			return Findf(SizeMismatch, op, "size %s does not fit the type's size %s", shape(sizes), shapeOfType(static))
		}
	}
	return nil
}

func shapeOfType(static []int64) string {
	b := ""
	for i, n := range static {
		if i > 0 {
			b += "x"
		}
		if n == ir.Dynamic {
			b += "?"
		} else {
			b += shape([]int64{n})
		}
	}
	return b
}

// StoreWord compiles writing a word as an element of a memref.
func (c *Compiler) StoreWord(op *ir.Op, t ir.Type, ref *ir.Value, idx []int) func(f *Frame, w uint64) error {
	r := c.Object(ref)
	at, size := locate(op, r, idx), ElemOf(t).Size
	return func(f *Frame, w uint64) error {
		if err := f.O[r].(*MemRef).Writable(op); err != nil {
			return err
		}
		m, p, err := at(f)
		if err != nil {
			return err
		}
		m.Alloc.store(p, size, w)
		m.Alloc.wrote(p, size)
		return nil
	}
}

// CopyMemRef copies the elements of src to dst, and counts it as a copy. They may
// be the same elements in the same order, but not overlap in any other way: which
// of them are read before they are written is not defined.
func CopyMemRef(f *Frame, op *ir.Op, dst, src *MemRef) error {
	if err := src.Access(op); err != nil {
		return err
	}
	if err := dst.Writable(op); err != nil {
		return err
	}
	n := src.Elements()
	if err := f.M.Charge(op, n); err != nil {
		return err
	}
	f.M.CountCopy(op, dst.Alloc, src.Alloc, n*src.Elem.Bytes)
	to, from := dst.View(), src.View()
	if err := CopyView(op, to, from); err != nil {
		return err
	}
	if to.overlaps(&from) {
		return Findf(Undefined, op, "a part of memory is copied onto another part that it overlaps").about(src.Alloc)
	}
	return nil
}

// ReadIntegers returns the elements of a memref of rank 1 that holds integers.
func ReadIntegers(op *ir.Op, m *MemRef) ([]int64, error) {
	if err := m.Access(op); err != nil {
		return nil, err
	}
	v := m.View()
	if err := v.fits(op); err != nil {
		return nil, err
	}
	if !v.written() {
		return nil, Findf(Uninitialized, op, "uninitialized memory is read").about(m.Alloc)
	}
	var out []int64
	v.each(func(p int64) {
		out = append(out, SignExtend(m.Alloc.load(p, m.Elem.Size), Width(m.Elem.Type)))
	})
	return out, nil
}
