package reuse

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/memory/footprint"
)

// entrySizes computes sizes before anything else in a function, from the sizes of its arguments and from numbers that are arguments. Each is computed once.
type entrySizes struct {
	fn *ir.Op
	b  *ir.Builder
	// values are what numbers that operations of the function use are there; nil if they can't be known there.
	values  map[*ir.Value]*ir.Value
	same    map[uint64][]*ir.Op // by hash
	made    []*ir.Op
	numbers *footprint.Numbers
}

// newEntrySizes returns the sizes of a function. Nothing is computed yet.
func newEntrySizes(fn *ir.Op, numbers *footprint.Numbers) *entrySizes {
	e := &entrySizes{fn: fn, b: ir.NewBuilder(fn.Context()), values: map[*ir.Value]*ir.Value{}, same: map[uint64][]*ir.Op{}, numbers: numbers}
	e.b.SetBefore(fn.BodyBlock(0).First())
	e.b.Loc = fn.Loc()
	return e
}

// dropUnused erases what nothing uses of all that was computed.
func (e *entrySizes) dropUnused() {
	for _, op := range slices.Backward(e.made) {
		if !op.Result(0).HasUses() {
			op.Erase()
		}
	}
}

// once keeps what an operation computes, or returns what computes the same already.
func (e *entrySizes) once(v *ir.Value) *ir.Value {
	op := v.DefiningOp()
	hash := ir.OpHash(op)
	for _, first := range e.same[hash] {
		if ir.EquivalentOps(op, first) {
			op.Erase()
			return first.Result(0)
		}
	}
	e.same[hash] = append(e.same[hash], op)
	e.made = append(e.made, op)
	return v
}

// number returns a number there; nil if it can't be known there.
func (e *entrySizes) number(v *ir.Value) *ir.Value {
	if w, ok := e.values[v]; ok {
		return w
	}
	e.values[v] = nil // what it depends on can't be itself
	w := e.compute(v)
	e.values[v] = w
	return w
}

func (e *entrySizes) compute(v *ir.Value) *ir.Value {
	if n, ok := ir.ConstantInt(v); ok && v.Type() == ir.Type(ir.Index) {
		return e.constant(n)
	}
	op := v.DefiningOp()
	switch {
	case op == nil && v.ParentBlock() == e.fn.BodyBlock(0):
		return v
	case op == nil:
		return nil
	case interfaces.IsDim(op):
		if shaped, i, ok := interfaces.ConstantDim(op); ok {
			return e.dim(shaped, i)
		}
		return nil
	case op.NumRegions() > 0 || op.NumResults() != 1 || op.NumSuccessors() > 0 || !interfaces.IsPure(op):
		return nil
	}
	m := ir.NewMapping()
	for _, x := range op.Operands().Values() {
		if ir.IsShaped(x.Type()) {
			return nil
		}
		w := e.number(x)
		if w == nil {
			return nil
		}
		m.Map(x, w)
	}
	w := e.once(e.b.Clone(op, m).Result(0))
	e.numbers.Same(w, v)
	return w
}

// sizes returns the dynamic sizes of what an operation allocates; nil if they can't be known there.
func (e *entrySizes) sizes(alloc *ir.Op) (out []*ir.Value) {
	for _, v := range alloc.Operands().Values() {
		w := e.size(v)
		if w == nil {
			return nil
		}
		out = append(out, w)
	}
	return out
}

func (e *entrySizes) constant(n int64) *ir.Value { return e.once(arith.ConstantIndex(e.b, n)) }

// dim returns a dimension of a tensor or buffer; nil if it can't be known there.
func (e *entrySizes) dim(v *ir.Value, i int) *ir.Value {
	source := footprint.SourceOfDim(v, i)
	switch v := source.Value; {
	case v == nil:
		return e.constant(source.Number)
	case source.Dim < 0:
		return e.size(v)
	case v.IsBlockArg() && v.ParentBlock() == e.fn.BodyBlock(0) && ir.IsMemRef(v.Type()):
		return e.once(e.b.CreateOp(memref.Dim, []ir.Type{ir.Index}, []*ir.Value{v, e.constant(int64(source.Dim))}).Result(0))
	}
	return nil
}

// size returns a number that is the size of something, and 0 where that isn't executed and it would be below.
func (e *entrySizes) size(v *ir.Value) *ir.Value {
	w := e.number(v)
	if w == nil || e.numbers.IsSize(w) {
		return w
	}
	return e.op(arith.MaxSI, w, e.constant(0))
}

// op computes a number from two.
func (e *entrySizes) op(id *ir.OpID, a, b *ir.Value) *ir.Value {
	return e.once(arith.New(e.b, id, a, b))
}

// plus returns a sum.
func (e *entrySizes) plus(a, b *ir.Value) *ir.Value {
	if n, ok := ir.ConstantInt(a); ok && n == 0 {
		return b
	}
	return e.op(arith.AddI, a, b)
}

// times returns a number that is multiplied by a constant.
func (e *entrySizes) times(a *ir.Value, by int64) *ir.Value {
	if by == 1 {
		return a
	}
	return e.op(arith.MulI, a, e.constant(by))
}

// bytes returns what a buffer of a type takes whose dynamic sizes are these.
func (e *entrySizes) bytes(t *ir.MemRefType, dynamic []*ir.Value) *ir.Value {
	known, v := ir.StorageBytes(t.Elem), (*ir.Value)(nil)
	for _, d := range t.Shape {
		switch {
		case d != ir.Dynamic:
			known *= d
		case v == nil:
			v, dynamic = dynamic[0], dynamic[1:]
		default:
			v, dynamic = e.op(arith.MulI, v, dynamic[0]), dynamic[1:]
		}
	}
	if v == nil {
		return e.constant(known)
	}
	return e.times(v, known)
}

// multiple returns a number rounded up to a multiple.
func (e *entrySizes) multiple(v *ir.Value, of int64) *ir.Value {
	if of == 1 {
		return v
	}
	return e.times(e.op(arith.CeilDivSI, v, e.constant(of)), of)
}

// largest returns the largest of numbers, without those that another one is at least as large as.
func (e *entrySizes) largest(numbers []*ir.Value) (v *ir.Value) {
	for i, x := range numbers {
		covered := false
		for j, y := range numbers {
			covered = covered || i != j && e.numbers.AtLeast(y, x) && (j < i || !e.numbers.AtLeast(x, y))
		}
		switch {
		case covered:
		case v == nil:
			v = x
		default:
			v = e.op(arith.MaxSI, v, x)
		}
	}
	if v == nil {
		return e.constant(0)
	}
	return v
}

// isMultiple tells whether a number is a multiple of another one, whatever the sizes are that it is made from.
func (e *entrySizes) isMultiple(v *ir.Value, of int64) bool {
	for _, s := range e.numbers.Of(v) {
		if s.Bytes%of != 0 {
			return false
		}
		for _, t := range s.Terms {
			if t.Bytes%of != 0 {
				return false
			}
		}
	}
	return true
}
