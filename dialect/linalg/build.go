package linalg

import (
	"errors"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// NewNamed creates a named operation with its body. It panics where [TryNamed] returns an error, which is one of the program that
// creates the operation.
func NewNamed(b *ir.Builder, id *ir.OpID, inputs, inits []*ir.Value, attrs ...ir.NamedAttr) *ir.Op {
	op, err := TryNamed(b, id, inputs, inits, attrs...)
	if err != nil {
		panic("linalg: " + id.String() + ": " + err.Error())
	}
	return op
}

// TryNamed creates a named operation with its body, or returns an error if that is not defined for the element types, if the operation
// takes another number of operands, or if it isn't a named structured one.
func TryNamed(b *ir.Builder, id *ir.OpID, inputs, inits []*ir.Value, attrs ...ir.NamedAttr) (*ir.Op, error) {
	m, _ := interfaces.Structured.OfName(b.Context().OpNameOf(id))
	sp, ok := m.(*spec)
	if !ok {
		return nil, errors.New("it is not a named structured operation")
	}
	s := b.State(id)
	s.Operands = append(append([]*ir.Value(nil), inputs...), inits...)
	if len(s.Operands) != sp.numArgs() {
		return nil, errors.New("it takes another number of operands")
	}
	s.Types = tensorTypes(inits)
	for _, a := range attrs {
		s.SetAttr(a.Name, a.Value)
	}
	s.SetAttr(ir.OperandSegmentsAttr, b.Context().DenseI32Array(int32(len(inputs)), int32(len(inits))))
	if err := sp.fillBody(b, s.AddRegion(), s.Operands, &s); err != nil {
		return nil, err
	}
	return b.Create(s), nil
}

// NewFill fills dest with the scalar.
func NewFill(b *ir.Builder, scalar, dest *ir.Value) *ir.Op {
	return NewNamed(b, Fill, []*ir.Value{scalar}, []*ir.Value{dest})
}

// NewCopy copies src to dest.
func NewCopy(b *ir.Builder, src, dest *ir.Value) *ir.Op {
	return NewNamed(b, Copy, []*ir.Value{src}, []*ir.Value{dest})
}

// NewMap applies body to the elements of the inputs.
func NewMap(b *ir.Builder, inputs []*ir.Value, init *ir.Value, body func(b *ir.Builder, args []*ir.Value) []*ir.Value) *ir.Op {
	s := b.State(Map)
	s.Operands = append(append([]*ir.Value(nil), inputs...), init)
	s.Types = tensorTypes([]*ir.Value{init})
	newBody(b, &s, inputs, body)
	return b.Create(s)
}

// NewReduce combines the elements of the inputs along the dimensions. body is
// given the elements of the inputs, then those of the inits.
func NewReduce(b *ir.Builder, inputs, inits []*ir.Value, dimensions []int64, body func(b *ir.Builder, args []*ir.Value) []*ir.Value) *ir.Op {
	s := b.State(Reduce)
	s.Operands = append(append([]*ir.Value(nil), inputs...), inits...)
	s.Types = tensorTypes(inits)
	s.SetAttr(dimensionsAttr, b.Context().DenseI64Array(dimensions...))
	newBody(b, &s, s.Operands, body)
	return b.Create(s)
}

// NewTranspose permutes the dimensions of input into init.
func NewTranspose(b *ir.Builder, input, init *ir.Value, permutation []int64) *ir.Op {
	return newCopying(b, Transpose, input, init, permutationAttr, permutation)
}

// NewBroadcast repeats input along new dimensions of init.
func NewBroadcast(b *ir.Builder, input, init *ir.Value, dimensions []int64) *ir.Op {
	return newCopying(b, Broadcast, input, init, dimensionsAttr, dimensions)
}

func newCopying(b *ir.Builder, id *ir.OpID, input, init *ir.Value, attr string, list []int64) *ir.Op {
	s := b.State(id)
	s.Operands = []*ir.Value{input, init}
	s.Types = tensorTypes([]*ir.Value{init})
	s.SetAttr(attr, b.Context().DenseI64Array(list...))
	newBody(b, &s, s.Operands, func(_ *ir.Builder, args []*ir.Value) []*ir.Value { return args[:1] })
	return b.Create(s)
}
