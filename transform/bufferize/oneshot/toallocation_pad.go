package oneshot

import (
	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/memref"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// pad replaces a tensor.pad by a buffer that has the padding everywhere, and then the source in the middle.
func (m *allocating) pad(o tensor.PadOp) (*ir.Value, error) {
	m.b.SetBefore(o.Op)
	m.b.Loc = o.Loc()
	buffer := m.alloc(o.Result(0))
	low := o.Low()
	if !shapes.AllConst(low, 0) || !shapes.AllConst(o.High(), 0) {
		if err := m.fill(o, buffer); err != nil {
			return nil, err
		}
	}
	s := shapes.Slice{Offsets: low, Sizes: tensor.MixedSizes(m.b, o.Source())}
	for range low {
		s.Strides = append(s.Strides, shapes.ConstSize(1))
	}
	t := memref.SubViewType(m.b.Context(), buffer.Type().(*ir.MemRefType), s)
	m.copy(o.Source(), memref.NewSubView(m.b, t, buffer, s))
	o.Result(0).ReplaceAllUsesWith(m.toTensor(buffer, o.Result(0).Type(), true))
	m.r.erase(o.Op)
	return buffer, nil
}

// fill writes the padding into all of a buffer.
func (m *allocating) fill(o tensor.PadOp, buffer *ir.Value) error {
	if v := o.ConstantPadding(); v != nil {
		if value := ir.ConstantOf(v); value != nil {
			v = m.constant(v, value)
		}
		linalg.NewFill(m.b, v, buffer)
		return nil
	}
	c, rank := m.b.Context(), len(o.Type().Shape)
	iterators := make([]interfaces.Iterator, rank)
	for i := range iterators {
		iterators[i] = interfaces.Parallel
	}
	linalg.NewGeneric(m.b, nil, []*ir.Value{buffer}, []*ir.AffineMap{c.IdentityMap(rank)}, iterators, func(b *ir.Builder, _ []*ir.Value) []*ir.Value {
		indices := make([]*ir.Value, rank)
		for i := range indices {
			indices[i] = linalg.NewIndex(b, i)
		}
		return []*ir.Value{tensor.MoveBody(b, o.Body(), indices)}
	})
	return nil
}

// constant creates the constant that a value is.
func (m *allocating) constant(v *ir.Value, value ir.Attribute) *ir.Value {
	loc := m.b.Loc
	defer func() { m.b.Loc = loc }()
	m.b.Loc = v.Loc()
	if op := arith.Materialize(m.b, value, v.Type()); op != nil {
		return op.Result(0)
	}
	return m.b.Clone(v.DefiningOp(), ir.NewMapping()).Result(0)
}
