package stablehlo

import (
	"errors"
	"fmt"

	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// errTypes is why an operation isn't lowered that isn't defined for its elements.
var errTypes = errors.New("it isn't defined for these elements")

func parallel(n int) []interfaces.Iterator {
	out := make([]interfaces.Iterator, n)
	for i := range out {
		out[i] = interfaces.Parallel
	}
	return out
}

// elementwise computes each element of the result from those of the operands in its place; an operand without dimensions
// has the same one everywhere.
func (l *lowering) elementwise(op *ir.Op) ([]*ir.Value, error) {
	t := rankedResult(op, 0)
	sizes := l.jointSizes(op)
	rank := len(t.Shape)
	c := l.b.Context()
	if rank == 0 {
		return l.single(op)
	}
	var inputs []*ir.Value
	var maps []*ir.AffineMap
	var fixed []*ir.Value // of operands that are the same everywhere
	for _, v := range op.Operands().Values() {
		if len(ranked(v).Shape) == 0 && rank > 0 {
			fixed = append(fixed, l.only(v))
			continue
		}
		fixed = append(fixed, nil)
		inputs = append(inputs, v)
		maps = append(maps, c.IdentityMap(rank))
	}
	maps = append(maps, c.IdentityMap(rank))
	failed := false
	known := map[ir.Type]*quantization{}
	for _, t := range append(op.Operands().Types(), op.Result(0).Type()) {
		known[t] = l.quantization(t)
	}
	r := linalg.NewGeneric(l.b, inputs, []*ir.Value{empty(l.b, sizes, t.Elem)}, maps, parallel(rank), func(_ *ir.Builder, args []*ir.Value) []*ir.Value {
		all := make([]*ir.Value, len(fixed))
		for i, v := range fixed {
			if all[i] = v; v == nil {
				all[i], args = args[0], args[1:]
			}
		}
		v := l.compute(op, all, func(t ir.Type) *quantization { return known[t] })
		if v == nil {
			failed = true
			v = args[0]
		}
		return []*ir.Value{v}
	})
	if failed {
		r.Erase()
		return nil, errTypes
	}
	return r.Results().Values(), nil
}

// single computes the only element of the result.
func (l *lowering) single(op *ir.Op) ([]*ir.Value, error) {
	args := make([]*ir.Value, op.NumOperands())
	for i, v := range op.Operands().Values() {
		args[i] = l.only(v)
	}
	v := l.compute(op, args, l.quantization)
	if v == nil {
		return nil, errTypes
	}
	return one(l.put(v)), nil
}

// jointSizes returns the sizes of the result of an operation on elements: where its type doesn't know one, that of the operand of
// the same rank that knows it, or of the first one.
func (l *lowering) jointSizes(op *ir.Op) []size {
	t := rankedResult(op, 0)
	out := shapes.ConstSizes(t.Shape)
	for i, n := range t.Shape {
		if n != ir.Dynamic {
			continue
		}
		var from *ir.Value
		for _, v := range op.Operands().Values() {
			x := ranked(v)
			if len(x.Shape) != len(t.Shape) {
				continue
			}
			if x.Shape[i] != ir.Dynamic {
				out[i], from = known(x.Shape[i]), nil
				break
			}
			if from == nil {
				from = v
			}
		}
		if from != nil {
			out[i] = size{Value: tensor.NewDim(l.b, from, int64(i))}
		}
	}
	return out
}

// generate makes a tensor whose elements are computed from their indices.
func (l *lowering) generate(sizes []size, elem ir.Type, body func(indices []*ir.Value) *ir.Value) *ir.Value {
	rank := len(sizes)
	c := l.b.Context()
	return linalg.NewGeneric(l.b, nil, []*ir.Value{empty(l.b, sizes, elem)}, []*ir.AffineMap{c.IdentityMap(rank)}, parallel(rank), func(b *ir.Builder, _ []*ir.Value) []*ir.Value {
		indices := make([]*ir.Value, rank)
		for i := range indices {
			indices[i] = linalg.NewIndex(b, i)
		}
		return []*ir.Value{body(indices)}
	}).Result(0)
}

// filled is a tensor all of whose elements are the same.
func (l *lowering) filled(sizes []size, element *ir.Value) *ir.Value {
	return linalg.NewFill(l.b, element, empty(l.b, sizes, element.Type())).Result(0)
}

// isInside tells whether 0 <= i < n.
func (l *lowering) isInside(i, n *ir.Value) *ir.Value {
	return arith.NewCmpI(l.b, arith.ULT, i, n)
}

func errorf(format string, args ...any) error { return fmt.Errorf(format, args...) }
