package stablehlo

import (
	"freehold/dialect/arith"
	"freehold/dialect/complex"
	"freehold/dialect/funcd"
	"freehold/dialect/quant"
	"freehold/dialect/stablehlo"
	"freehold/dialect/tensor"
	"freehold/ir"
)

// body is a region whose arguments are tensors of one element, while it is put where elements are at hand.
type body struct {
	l *lowering
	// elements and tensors are what values of the region have become.
	elements, tensors map[*ir.Value]*ir.Value
	depth             int
}

// maxCalls bounds how deep calls in regions are followed: functions may call themselves.
const maxCalls = 64

// inline puts what a region computes of elements at the insertion point, and returns the elements that it hands back. Operations on
// elements become those of the table; others stay operations on tensors, around which elements are wrapped.
func (l *lowering) inline(r *ir.Region, args []*ir.Value) ([]*ir.Value, error) {
	x := &body{l: l, elements: map[*ir.Value]*ir.Value{}, tensors: map[*ir.Value]*ir.Value{}}
	return x.region(r, args)
}

func (x *body) region(r *ir.Region, args []*ir.Value) ([]*ir.Value, error) {
	if r.NumBlocks() != 1 || r.Entry().NumArgs() != len(args) {
		return nil, errorf("a region doesn't take %d elements", len(args))
	}
	for i, a := range r.Entry().Args() {
		x.elements[a] = x.converted(args[i], ir.ElementType(a.Type()))
	}
	for op := range r.Entry().Ops() {
		if op.Is(stablehlo.Return) || op.Is(funcd.Return) {
			out := make([]*ir.Value, op.NumOperands())
			for i, v := range op.Operands().Values() {
				out[i] = x.element(v)
			}
			return out, nil
		}
		if err := x.op(op); err != nil {
			return nil, err
		}
	}
	return nil, errorf("a region doesn't end with a return")
}

// converted makes an element one of another type: regions of reductions may compute with wider ones.
func (x *body) converted(v *ir.Value, t ir.Type) *ir.Value {
	from := v.Type()
	if from == t {
		return v
	}
	e := &element{Builder: x.l.b}
	c := x.l.b.Context()
	return enter(x.l.b, e.convert(enter(x.l.b, v, plain(c, from)), from, t), t)
}

func (x *body) element(v *ir.Value) *ir.Value {
	if e := x.elements[v]; e != nil {
		return e
	}
	e := x.l.only(x.tensor(v))
	if x.tensors[v] != nil {
		x.elements[v] = e
	}
	return e
}

func (x *body) tensor(v *ir.Value) *ir.Value {
	if t := x.tensors[v]; t != nil {
		return t
	}
	if e := x.elements[v]; e != nil {
		x.tensors[v] = x.l.wrapped(e)
		return x.tensors[v]
	}
	return v
}

// onElements tells whether operands and results are tensors without dimensions.
func onElements(op *ir.Op) bool {
	for _, list := range [][]ir.Type{op.Operands().Types(), op.Results().Types()} {
		for _, t := range list {
			if r, ok := t.(*ir.RankedTensorType); !ok || len(r.Shape) > 0 {
				return false
			}
		}
	}
	return true
}

func (x *body) op(op *ir.Op) error {
	if !onElements(op) {
		return x.keep(op)
	}
	switch op.ID() {
	case stablehlo.Constant:
		x.elements[op.Result(0)] = elementConstant(x.l.b, op)
		return nil
	case stablehlo.Reshape, stablehlo.BroadcastInDim:
		x.elements[op.Result(0)] = x.element(op.OnlyOperand())
		return nil
	case funcd.Call:
		return x.call(op)
	}
	if scalars[op.ID()] == nil || alongAxis(op) {
		return x.keep(op)
	}
	args := make([]*ir.Value, op.NumOperands())
	for i, v := range op.Operands().Values() {
		args[i] = x.element(v)
	}
	v := x.l.compute(op, args, x.l.quantization)
	if v == nil {
		return errorf("%s isn't defined for these elements", op.Name())
	}
	x.elements[op.Result(0)] = v
	return nil
}

// call puts what a function computes in the place of a call.
func (x *body) call(op *ir.Op) error {
	ref, _ := op.Attr("callee").(*ir.SymbolRefAttr)
	var callee *ir.Op
	if ref != nil {
		callee = x.l.tables.Lookup(op, ref)
	}
	if callee == nil || callee.NumRegions() == 0 || callee.RegionAt(0).NumBlocks() != 1 || x.depth >= maxCalls {
		return x.keep(op)
	}
	args := make([]*ir.Value, op.NumOperands())
	for i, v := range op.Operands().Values() {
		args[i] = x.element(v)
	}
	inner := &body{l: x.l, elements: map[*ir.Value]*ir.Value{}, tensors: map[*ir.Value]*ir.Value{}, depth: x.depth + 1}
	results, err := inner.region(callee.RegionAt(0), args)
	if err != nil {
		return err
	}
	for i, v := range results {
		x.elements[op.Result(i)] = v
	}
	return nil
}

// keep copies an operation on tensors.
func (x *body) keep(op *ir.Op) error {
	m := ir.NewMapping()
	use := func(v *ir.Value) {
		if t := x.tensor(v); t != v {
			m.Map(v, t)
		}
	}
	op.Walk(func(o *ir.Op) bool {
		for _, v := range o.Operands().Values() {
			use(v)
		}
		return true
	})
	n := x.l.b.Clone(op, m)
	for i, v := range op.Results().Values() {
		x.tensors[v] = n.Result(i)
	}
	return nil
}

// elementConstant is the only element of a constant.
func elementConstant(b *ir.Builder, op *ir.Op) *ir.Value {
	d, ok := op.Attr("value").(*ir.DenseElementsAttr)
	t := ir.ElementType(op.Result(0).Type())
	if !ok {
		return tensor.NewExtract(b, op.Result(0))
	}
	c := b.Context()
	a := d.Elem(c, 0)
	if z, ok := plain(c, t).(*ir.ComplexType); ok {
		return b.CreateOp(complex.Constant, []ir.Type{z}, nil, ir.NamedAttr{Name: "value", Value: a}).Result(0)
	}
	if i, ok := a.(*ir.IntegerAttr); ok {
		a = c.BigIntegerAttr(plain(c, t), i.BigInt())
	}
	return enter(b, arith.NewConstant(b, a).Result(0), t)
}

// alongAxis tells whether quantized numbers of an operation differ along an axis, which elements don't know.
func alongAxis(op *ir.Op) bool {
	for _, list := range [][]ir.Type{op.Operands().Types(), op.Results().Types()} {
		for _, t := range list {
			if q := quant.Of(ir.ElementType(t)); q != nil && q.Axis >= 0 {
				return true
			}
		}
	}
	return false
}
