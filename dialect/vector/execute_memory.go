package vector

import (
	"freehold/exec"
	"freehold/ir"
)

// place is a tensor or memref whose elements are read or written one by one.
type place struct {
	m *exec.MemRef
	t *exec.Tensor
}

func placeOf(o any) place {
	if m, ok := o.(*exec.MemRef); ok {
		return place{m: m}
	}
	return place{t: o.(*exec.Tensor)}
}

func (p place) sizes() []int64 {
	if p.m != nil {
		return p.m.Sizes
	}
	return p.t.Sizes
}

func (p place) view() exec.View {
	if p.m != nil {
		return p.m.View()
	}
	return p.t.View()
}

func (p place) get(op *ir.Op, idx []int64) (any, error) {
	if p.m != nil {
		return p.m.At(op, idx)
	}
	i, err := p.t.Index(op, idx)
	if err != nil {
		return nil, err
	}
	return p.t.At(i), nil
}

// getAt returns the element that lies a number of elements behind the one at an index, in memory, or in row-major order.
func (p place) getAt(op *ir.Op, idx []int64, distance int64) (any, error) {
	if p.m != nil {
		return p.m.AtDistance(op, idx, distance)
	}
	i, err := p.linear(op, idx, distance)
	if err != nil {
		return nil, err
	}
	return p.t.At(i), nil
}

// setAt sets the element that getAt returns.
func (p place) setAt(op *ir.Op, idx []int64, distance int64, v any) error {
	if p.m != nil {
		return p.m.SetAtDistance(op, idx, distance, v)
	}
	i, err := p.linear(op, idx, distance)
	if err == nil {
		p.t.SetAt(i, v)
	}
	return err
}

// linear returns a position of a tensor in row-major order.
func (p place) linear(op *ir.Op, idx []int64, distance int64) (int64, error) {
	i := int64(0)
	for d, x := range idx {
		i = i*p.t.Sizes[d] + x
	}
	if i += distance; i < 0 || i >= p.t.Elements() {
		return 0, exec.Findf(exec.OutOfBounds, op, "element %d is out of bounds of a tensor of %d", i, p.t.Elements())
	}
	return i, nil
}

// step returns how far elements that follow each other in the last dimension are from each other.
func (p place) step() int64 {
	if p.m == nil || len(p.m.Strides) == 0 {
		return 1
	}
	return p.m.Strides[len(p.m.Strides)-1]
}

func (p place) set(op *ir.Op, idx []int64, v any) error {
	if p.m != nil {
		return p.m.SetAt(op, idx, v)
	}
	i, err := p.t.Index(op, idx)
	if err == nil {
		p.t.SetAt(i, v)
	}
	return err
}

// inner returns the dimensions of the elements of a place that are vectors.
func inner(t ir.Type) []int64 {
	if e := vec(ir.ElementType(t)); e != nil {
		return e.Shape
	}
	return nil
}

// read sets element i of a vector, or a whole row of elements where the place has
// elements that are vectors.
func (p place) read(op *ir.Op, idx []int64, out *exec.Tensor, i, row int64) error {
	v, err := p.get(op, idx)
	if err != nil {
		return err
	}
	x, ok := v.(*exec.Tensor)
	if !ok {
		for k := range row {
			out.SetAt(i*row+k, v)
		}
		return nil
	}
	for k := range row {
		out.SetAt(i*row+k, x.At(k))
	}
	return nil
}

// write is the inverse of read; t is the type of the place's elements.
func (p place) write(op *ir.Op, idx []int64, from *exec.Tensor, i, row int64, t ir.Type) error {
	if vec(t) == nil {
		return p.set(op, idx, from.At(i))
	}
	v := newVector(t)
	for k := range row {
		v.SetAt(k, from.At(i*row+k))
	}
	return p.set(op, idx, v.Share())
}

func elements(sizes []int64) int64 {
	n := int64(1)
	for _, s := range sizes {
		n *= s
	}
	return n
}

// base compiles the first indices of an access, those of operand group g.
func base(c *exec.Compiler, op *ir.Op, g int) func(f *exec.Frame) []int64 {
	words := c.Words(op.OperandGroup(g))
	return func(f *exec.Frame) []int64 {
		out := make([]int64, len(words))
		for i, w := range words {
			out[i] = int64(f.W[w])
		}
		return out
	}
}

// executeContiguous compiles vector.load and vector.store, which access the
// elements that follow an index in the last dimensions, and in memory what follows a row.
func executeContiguous(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	var ref, v *ir.Value
	group := 1
	if op.NumResults() == 0 {
		ref, v, group = StoreOp{op}.Base(), StoreOp{op}.ValueToStore(), 2
	} else {
		ref, v = LoadOp{op}.Base(), op.Result(0)
	}
	vt, at := vec(v.Type()), base(c, op, group)
	m, r := c.Object(ref), c.Object(v)
	if inner(ref.Type()) != nil { // a vector is an element
		if op.NumResults() == 0 {
			return func(f *exec.Frame) error {
				return f.O[m].(*exec.MemRef).SetAtDistance(op, at(f), 0, f.O[r].(*exec.Tensor).Share())
			}, nil
		}
		return func(f *exec.Frame) error {
			x := newVector(vt)
			f.O[r] = x
			return placeOf(f.O[m]).read(op, at(f), x, 0, x.Elements())
		}, nil
	}
	part := func(f *exec.Frame) (*exec.MemRef, exec.View, error) {
		p := f.O[m].(*exec.MemRef)
		return p, p.View().From(at(f), vt.Shape), f.M.Charge(op, elements(vt.Shape))
	}
	if op.NumResults() == 0 {
		return func(f *exec.Frame) error {
			p, to, err := part(f)
			if err == nil {
				err = p.Writable(op)
			}
			if err != nil {
				return err
			}
			return exec.CopyView(op, to, f.O[r].(*exec.Tensor).View())
		}, nil
	}
	return func(f *exec.Frame) error {
		p, from, err := part(f)
		if err == nil {
			err = p.Access(op)
		}
		if err != nil {
			return err
		}
		x := newVector(vt)
		f.O[r] = x
		return exec.CopyView(op, x.View(), from)
	}, nil
}

// executesMasked refuses masked accesses of several dimensions, which LLVM 22 has: it isn't said where their rows are in memory.
func executesMasked(op *ir.Op, t ir.Type) error {
	if n := len(vec(t).Shape); n > 1 {
		return op.Errorf("can't be executed on a vector of %d dimensions", n)
	}
	return nil
}

// executeMaskedLoad compiles vector.maskedload and vector.expandload.
func executeMaskedLoad(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	if err := executesMasked(op, op.Result(0).Type()); err != nil {
		return nil, err
	}
	expand := op.Is(ExpandLoad)
	m, at := c.Object(MaskedAccessOp{op}.Base()), base(c, op, 1)
	bits, pass, d := c.Object(op.OperandGroup(2).At(0)), c.Object(op.OperandGroup(3).At(0)), c.Object(op.Result(0))
	return func(f *exec.Frame) error {
		p, first := placeOf(f.O[m]), at(f)
		on, out := f.O[bits].(*exec.Tensor), f.O[pass].(*exec.Tensor).Clone()
		next := int64(0)
		for i := range out.Elements() {
			if !enabled(on, i) {
				continue
			}
			k := i
			if expand {
				k = next
				next++
			}
			v, err := p.getAt(op, first, k)
			if err != nil {
				return err
			}
			out.SetAt(i, v)
		}
		f.O[d] = out
		return f.M.Charge(op, out.Elements())
	}, nil
}

// executeMaskedStore compiles vector.maskedstore and vector.compressstore.
func executeMaskedStore(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	if err := executesMasked(op, op.OperandGroup(3).At(0).Type()); err != nil {
		return nil, err
	}
	compress := op.Is(CompressStore)
	m, at := c.Object(MaskedAccessOp{op}.Base()), base(c, op, 1)
	bits, src := c.Object(op.OperandGroup(2).At(0)), c.Object(op.OperandGroup(3).At(0))
	return func(f *exec.Frame) error {
		p, first := placeOf(f.O[m]), at(f)
		on, x := f.O[bits].(*exec.Tensor), f.O[src].(*exec.Tensor)
		next := int64(0)
		for i := range x.Elements() {
			if !enabled(on, i) {
				continue
			}
			k := i
			if compress {
				k = next
				next++
			}
			if err := p.setAt(op, first, k, x.At(i)); err != nil {
				return err
			}
		}
		return f.M.Charge(op, x.Elements())
	}, nil
}

// executeGather compiles vector.gather. Indices count elements of the last dimension, which goes on beyond its end: where these are next to each
// other in memory, and only there does LLVM get code of it, that is any element behind or before the first.
func executeGather(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	src, at, d := c.Object(GatherOp{op}.Base()), base(c, op, 1), c.Object(op.Result(0))
	index, bits, pass := c.Object(op.OperandGroup(2).At(0)), c.Object(op.OperandGroup(3).At(0)), c.Object(op.OperandGroup(4).At(0))
	width, around := exec.Width(ir.ElementType(op.OperandGroup(2).At(0).Type())), maskAround(c, op)
	return func(f *exec.Frame) error {
		p, first := placeOf(f.O[src]), at(f)
		idx, on, out, outer := f.O[index].(*exec.Tensor), f.O[bits].(*exec.Tensor), f.O[pass].(*exec.Tensor).Clone(), around(f)
		for i := range out.Elements() {
			if !enabled(on, i) || !enabled(outer, i) {
				continue
			}
			k, ok := idx.Word(i)
			if !ok {
				return exec.Findf(exec.PoisonUse, op, "an index is poison")
			}
			v, err := p.getAt(op, first, exec.SignExtend(k, width)*p.step())
			if err != nil {
				return err
			}
			out.SetAt(i, v)
		}
		f.O[d] = out
		return f.M.Charge(op, out.Elements())
	}, nil
}

func executeScatter(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	dst, at := c.Object(ScatterOp{op}.Base()), base(c, op, 1)
	index, bits, src := c.Object(op.OperandGroup(2).At(0)), c.Object(op.OperandGroup(3).At(0)), c.Object(op.OperandGroup(4).At(0))
	width := exec.Width(ir.ElementType(op.OperandGroup(2).At(0).Type()))
	written := func(f *exec.Frame) place { return placeOf(f.O[dst]) }
	if op.NumResults() > 0 {
		take, result := c.Take(op.OperandUse(0)), c.Object(op.Result(0))
		written = func(f *exec.Frame) place {
			t := take(f)
			f.O[result] = t
			return place{t: t}
		}
	}
	return func(f *exec.Frame) error {
		p, first := written(f), at(f)
		idx, on, x := f.O[index].(*exec.Tensor), f.O[bits].(*exec.Tensor), f.O[src].(*exec.Tensor)
		for i := range x.Elements() {
			if !enabled(on, i) {
				continue
			}
			k, ok := idx.Word(i)
			if !ok {
				return exec.Findf(exec.PoisonUse, op, "an index is poison")
			}
			if err := p.setAt(op, first, exec.SignExtend(k, width)*p.step(), x.At(i)); err != nil {
				return err
			}
		}
		return f.M.Charge(op, x.Elements())
	}, nil
}

// transfer is the common part of operations that read a vector from a part of a
// tensor or memref, or write it there.
type transfer struct {
	op       *ir.Op
	at       func(f *exec.Frame) []int64
	amap     *ir.AffineMap
	inBounds []bool
	mask     int // register, or -1
	around   func(f *exec.Frame) *exec.Tensor
	sizes    []int64 // of the vector, without those of elements that are vectors
	row      int64
	vectors  bool  // whether elements are vectors
	maskDims []int // for each dimension of the mask that of the vector
}

func newTransfer(c *exec.Compiler, op *ir.Op) *transfer {
	o := TransferOp{op}
	vt := o.VectorType()
	rest := inner(o.Source().Type())
	t := &transfer{op: op, at: base(c, op, o.Def().OperandIndex("indices")), amap: o.PermutationMap(), inBounds: o.InBounds(),
		mask: -1, around: maskAround(c, op), sizes: vt.Shape[:len(vt.Shape)-len(rest)], row: elements(rest), vectors: len(rest) > 0}
	if m := o.Mask(); m != nil {
		t.mask = c.Object(m)
	}
	for d := range t.amap.Dims {
		for i, e := range t.amap.Results {
			if e.Kind == ir.AffineDim && e.Value == int64(d) {
				t.maskDims = append(t.maskDims, i)
				break
			}
		}
	}
	return t
}

// each calls fn for the elements of the vector that are transferred, with their
// number and their indices in the source; outside, if it is not nil, for those
// that the mask leaves out, or that are not in the source and needn't be.
func (t *transfer) each(f *exec.Frame, p place, fn func(i int64, pos []int64) error, outside func(i int64)) error {
	var masks []*exec.Tensor
	if t.mask >= 0 {
		masks = append(masks, f.O[t.mask].(*exec.Tensor))
	}
	if m := t.around(f); m != nil {
		masks = append(masks, m)
	}
	first := t.at(f)
	if err := f.M.Charge(t.op, elements(t.sizes)); err != nil {
		return err
	}
	return exec.Each(t.sizes, func(i int64, idx []int64) error {
		for _, m := range masks {
			k := int64(0)
			for j, d := range t.maskDims {
				k = k*m.Sizes[j] + idx[d]
			}
			if !enabled(m, k) {
				if outside != nil {
					outside(i)
				}
				return nil
			}
		}
		pos := append([]int64(nil), first...)
		checked := true
		for d, e := range t.amap.Results {
			if e.Kind != ir.AffineDim {
				continue
			}
			pos[e.Value] += idx[d]
			if pos[e.Value] >= p.sizes()[e.Value] && !(d < len(t.inBounds) && t.inBounds[d]) {
				checked = false
			}
		}
		if !checked {
			if outside != nil {
				outside(i)
			}
			return nil
		}
		return fn(i, pos)
	})
}

// block returns the part of the place that the vector covers, and the part of the
// vector that this is, and whether it is all of it. ok is false where elements
// must be looked at one by one: there is a mask, or something may be wrong.
func (t *transfer) block(f *exec.Frame, p place, x *exec.Tensor) (inside, part exec.View, whole, ok bool) {
	if t.mask >= 0 || t.vectors || t.around(f) != nil {
		return inside, part, false, false
	}
	all, first := p.view(), t.at(f)
	sizes, strides, ones := append([]int64(nil), t.sizes...), make([]int64, len(t.sizes)), make([]int64, len(first))
	box := make([]int64, len(first))
	for i := range ones {
		ones[i], box[i] = 1, 1
	}
	whole = true
	for d, e := range t.amap.Results {
		if e.Kind != ir.AffineDim {
			continue
		}
		at := first[e.Value]
		if n := all.Sizes[e.Value] - at; n < sizes[d] {
			if n <= 0 || d < len(t.inBounds) && t.inBounds[d] {
				return inside, part, false, false
			}
			sizes[d], whole = n, false
		}
		box[e.Value], strides[d] = sizes[d], all.Strides[e.Value]
	}
	inside, err := all.Sub(t.op, first, box, ones)
	if err != nil {
		return inside, part, false, false
	}
	inside.Sizes, inside.Strides = sizes, strides
	part = x.View()
	part.Sizes = sizes
	return inside, part, whole, true
}

// read reads the vector x, whose elements outside of the place outside sets.
func (t *transfer) read(f *exec.Frame, p place, x *exec.Tensor, outside func(i int64)) error {
	inside, part, whole, ok := t.block(f, p, x)
	if !ok {
		return t.each(f, p, func(i int64, pos []int64) error { return p.read(t.op, pos, x, i, t.row) }, outside)
	}
	if err := f.M.Charge(t.op, elements(t.sizes)); err != nil {
		return err
	}
	if p.m != nil {
		if err := p.m.Access(t.op); err != nil {
			return err
		}
	}
	if !whole {
		for i := range x.Elements() {
			outside(i)
		}
	}
	return exec.CopyView(t.op, part, inside)
}

// write writes the vector x.
func (t *transfer) write(f *exec.Frame, p place, x *exec.Tensor) error {
	inside, part, _, ok := t.block(f, p, x)
	if !ok {
		elem := p.view().Elem.Type
		return t.each(f, p, func(i int64, pos []int64) error { return p.write(t.op, pos, x, i, t.row, elem) }, nil)
	}
	if err := f.M.Charge(t.op, elements(t.sizes)); err != nil {
		return err
	}
	if p.m != nil {
		if err := p.m.Writable(t.op); err != nil {
			return err
		}
	}
	return exec.CopyView(t.op, inside, part)
}

func executeTransferRead(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	o := TransferOp{op}
	t, src, pad, d := newTransfer(c, op), c.Object(o.Source()), c.Reg(o.Padding()), c.Object(op.Result(0))
	return func(f *exec.Frame) error {
		out, padding := newVector(op.Result(0).Type()), f.Get(pad)
		f.O[d] = out
		return t.read(f, placeOf(f.O[src]), out, func(i int64) {
			x, isVector := padding.(*exec.Tensor)
			for k := range t.row {
				v := padding
				if isVector {
					v = x.At(k)
				}
				out.SetAt(i*t.row+k, v)
			}
		})
	}, nil
}

func executeTransferWrite(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	o := TransferOp{op}
	t, src := newTransfer(c, op), c.Object(TransferWriteOp{op}.Vector())
	if op.NumResults() == 0 {
		ref := c.Object(o.Source())
		return func(f *exec.Frame) error { return t.write(f, placeOf(f.O[ref]), f.O[src].(*exec.Tensor)) }, nil
	}
	take, d := c.Take(op.OperandUse(1)), c.Object(op.Result(0))
	return func(f *exec.Frame) error {
		dst := take(f)
		f.O[d] = dst
		return t.write(f, place{t: dst}, f.O[src].(*exec.Tensor))
	}, nil
}
