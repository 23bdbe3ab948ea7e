// Package quant replaces the quantized types of the dialect quant by the integers that they are stored as.
package quant

import (
	"freehold/dialect/quant"
	"freehold/ir"
	"freehold/pass"
)

// Pass is --lower-quant.
var Pass = pass.New(pass.Info{
	Name: "lower-quant", Title: "LowerQuant",
	Summary: "Replace quantized types by the integers that they are stored as",
	Description: "Replaces the types of the dialect `quant` everywhere, also in the types of functions, by the integers that elements are stored as, and the casts of the dialect by " +
		"arithmetic: `quant.qcast` divides by the scale, rounds halves to the even number, adds the zero point and keeps to the limits of the storage; `quant.dcast` takes the zero point off and " +
		"multiplies by the scale. Other operations are left as they are: those of tosa compute on the integers. Linear time.",
}, nil, pass.OnModule(func(c *pass.Context, _ *pass.None, op *ir.Op) error {
	changed, err := Lower(op)
	if err == nil && !changed {
		c.Unchanged()
	}
	return err
}))

// Register adds the pass.
func Register(r *pass.Registry) { r.Register(Pass) }

// Lower replaces the types of the dialect quant in op, and its casts. It tells whether there were any. It is an error if a cast
// can't be replaced. Linear time.
func Lower(op *ir.Op) (changed bool, err error) {
	l := &lowering{ctx: op.Context(), types: map[ir.Type]ir.Type{}, uniform: map[*ir.Op]*quant.Uniform{}}
	op.Walk(func(o *ir.Op) bool {
		if o.Is(quant.QuantizeCast) || o.Is(quant.DequantizeCast) || o.Is(quant.StorageCast) {
			l.casts = append(l.casts, o)
			l.uniform[o] = quant.OfElements(o.OnlyOperand().Type())
			if l.uniform[o] == nil {
				l.uniform[o] = quant.OfElements(o.Result(0).Type())
			}
		}
		return true
	})
	op.Walk(func(o *ir.Op) bool {
		l.retype(o)
		return true
	})
	for _, o := range l.casts {
		if err := l.cast(o); err != nil {
			return true, err
		}
	}
	return l.changed, nil
}

// IsNeeded tells whether there is anything of the dialect in op. Linear time.
func IsNeeded(op *ir.Op) bool {
	l := &lowering{ctx: op.Context(), types: map[ir.Type]ir.Type{}}
	found := false
	op.Walk(func(o *ir.Op) bool {
		found = found || l.uses(o)
		return !found
	})
	return found
}

type lowering struct {
	ctx     *ir.Context
	types   map[ir.Type]ir.Type
	casts   []*ir.Op
	uniform map[*ir.Op]*quant.Uniform
	changed bool
}

// uses tells whether an operation makes or declares values of quantized types, or is a cast.
func (l *lowering) uses(op *ir.Op) bool {
	if d := op.Dialect(); d != nil && d.Name == "quant" {
		return true
	}
	found := false
	l.declared(op, func(t ir.Type, _ func(ir.Type)) { found = found || l.convert(t) != t })
	return found
}

// declared calls fn for the types of what an operation makes and declares, with what changes each.
func (l *lowering) declared(op *ir.Op, fn func(t ir.Type, set func(ir.Type))) {
	for i := range op.NumResults() {
		fn(op.Result(i).Type(), op.Result(i).SetType)
	}
	for i, a := range op.Props() {
		if t, ok := a.(*ir.TypeAttr); ok {
			fn(t.Type, func(to ir.Type) { op.SetProp(i, l.ctx.TypeAttr(to)) })
		}
	}
	for _, r := range op.Regions() {
		for b := r.Entry(); b != nil; b = b.Next() {
			for _, v := range b.Args() {
				fn(v.Type(), v.SetType)
			}
		}
	}
}

// retype changes the types of what an operation makes and declares.
func (l *lowering) retype(op *ir.Op) {
	l.declared(op, func(t ir.Type, set func(ir.Type)) {
		if c := l.convert(t); c != t {
			set(c)
			l.changed = true
		}
	})
}

// convert returns a type without quantized types in it.
func (l *lowering) convert(t ir.Type) ir.Type {
	if c, ok := l.types[t]; ok {
		return c
	}
	c := t
	switch t := t.(type) {
	case *ir.DialectType:
		if s := quant.StorageOf(t); s != nil {
			c = s
		}
	case *ir.FunctionType:
		c = l.ctx.Function(l.all(t.Inputs), l.all(t.Results))
	case *ir.TupleType:
		c = l.ctx.Tuple(l.all(t.Types)...)
	default:
		if ir.IsShaped(t) {
			if elem := ir.ElementType(t); l.convert(elem) != elem {
				c = l.ctx.WithElementType(t, l.convert(elem))
			}
		}
	}
	l.types[t] = c
	return c
}

func (l *lowering) all(types []ir.Type) []ir.Type {
	out := make([]ir.Type, len(types))
	for i, t := range types {
		out[i] = l.convert(t)
	}
	return out
}

// cast replaces a cast, whose types are without quantized ones already.
func (l *lowering) cast(op *ir.Op) error {
	q := l.uniform[op]
	if q == nil {
		return op.Errorf("can't be lowered: its scales differ by blocks")
	}
	b := ir.NewBuilder(l.ctx)
	b.SetBefore(op)
	b.Loc = op.Loc()
	v := op.OnlyOperand()
	if !op.Is(quant.StorageCast) {
		for _, t := range []ir.Type{v.Type(), op.Result(0).Type()} {
			if _, ranked := ir.ShapeOf(t); ir.IsShaped(t) && (!ranked || !ir.IsTensor(t)) {
				return op.Errorf("can't be lowered: '%s' is no tensor of a rank", t)
			}
		}
		v = elementwise(b, q, v, op.Result(0).Type(), func(x, scale, zero *ir.Value) *ir.Value {
			if op.Is(quant.QuantizeCast) {
				return quantize(b, q, x, scale, zero)
			}
			return dequantize(b, q, x, scale, zero)
		})
	}
	op.Result(0).ReplaceAllUsesWith(v)
	op.Erase()
	l.changed = true
	return nil
}
