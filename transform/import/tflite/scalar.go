package tflite

import (
	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/math"
	"freehold/dialect/scf"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// The methods in this file write arithmetic on scalars at the place of the builder. Constants go to the start of the function.

func (f *function) int(t ir.Type, n int64) *ir.Value { return f.constant(f.ctx.IntegerAttr(t, n)) }
func (f *function) i32(n int64) *ir.Value            { return f.int(ir.I32, n) }
func (f *function) i64(n int64) *ir.Value            { return f.int(ir.I64, n) }
func (f *function) index(n int64) *ir.Value          { return f.constant(f.ctx.IndexAttr(n)) }
func (f *function) f32(x float32) *ir.Value          { return f.constant(f.ctx.FloatAttr(ir.F32, float64(x))) }

// op creates an operation of arith or math whose result has the type of its operands.
func (f *function) op2(id *ir.OpID, a, b *ir.Value) *ir.Value { return arith.New(f.b, id, a, b) }

// Sums, differences and products of floats.
func (f *function) fAdd(a, b *ir.Value) *ir.Value { return f.op2(arith.AddF, a, b) }
func (f *function) fSub(a, b *ir.Value) *ir.Value { return f.op2(arith.SubF, a, b) }
func (f *function) fMul(a, b *ir.Value) *ir.Value { return f.op2(arith.MulF, a, b) }

func (f *function) add(a, b *ir.Value) *ir.Value { return f.op2(arith.AddI, a, b) }
func (f *function) sub(a, b *ir.Value) *ir.Value { return f.op2(arith.SubI, a, b) }
func (f *function) mul(a, b *ir.Value) *ir.Value { return f.op2(arith.MulI, a, b) }
func (f *function) shr(a, b *ir.Value) *ir.Value { return f.op2(arith.ShRSI, a, b) }
func (f *function) shl(a, b *ir.Value) *ir.Value { return f.op2(arith.ShLI, a, b) }
func (f *function) max(a, b *ir.Value) *ir.Value { return f.op2(arith.MaxSI, a, b) }
func (f *function) min(a, b *ir.Value) *ir.Value { return f.op2(arith.MinSI, a, b) }

func (f *function) cmp(p arith.IntPredicate, a, b *ir.Value) *ir.Value {
	return arith.NewCmpI(f.b, p, a, b)
}

func (f *function) cmpf(p arith.FloatPredicate, a, b *ir.Value) *ir.Value {
	return arith.NewCmpF(f.b, p, a, b)
}

func (f *function) pick(cond, a, b *ir.Value) *ir.Value { return arith.NewSelect(f.b, cond, a, b) }

// math1 creates an operation of math on one operand.
func (f *function) math1(id *ir.OpID, x *ir.Value) *ir.Value { return math.New(f.b, id, x) }

// cast changes the width of an integer with or without a sign.
func (f *function) cast(v *ir.Value, to *ir.IntegerType, unsigned bool) *ir.Value {
	from, ok := v.Type().(*ir.IntegerType)
	switch {
	case !ok:
		return arith.NewCast(f.b, arith.IndexCast, to, v)
	case from.Width < to.Width && unsigned:
		return arith.NewCast(f.b, arith.ExtUI, to, v)
	case from.Width < to.Width:
		return arith.NewCast(f.b, arith.ExtSI, to, v)
	case from.Width > to.Width:
		return arith.NewCast(f.b, arith.TruncI, to, v)
	}
	return v
}

// wide returns an element of a tensor as an integer with a sign of the given type.
func (f *function) wide(v *ir.Value, of *model.Tensor, to *ir.IntegerType) *ir.Value {
	return f.cast(v, to, unsigned(of.Type))
}

// offset returns an element of a quantized tensor less the tensor's zero point.
func (f *function) offset(v *ir.Value, of *model.Tensor, to *ir.IntegerType) *ir.Value {
	v = f.wide(v, of, to)
	if z := zeroPoint(of); z != 0 {
		v = f.sub(v, f.int(to, z))
	}
	return v
}

// toIndex makes an index of an integer.
func (f *function) toIndex(v *ir.Value) *ir.Value {
	if v.Type() == ir.Index {
		return v
	}
	return arith.NewCast(f.b, arith.IndexCast, ir.Index, v)
}

// at reads an element.
func (f *function) at(t *ir.Value, indices ...*ir.Value) *ir.Value {
	return tensor.NewExtract(f.b, t, indices...)
}

// clampInt limits an integer; limits that its type has anyway are left out.
func (f *function) clampInt(v *ir.Value, low, high int64) *ir.Value {
	t := v.Type()
	return f.min(f.max(v, f.int(t, low)), f.int(t, high))
}

// loop counts from one index up to another one, by step, and carries values.
func (f *function) loop(low, high, step *ir.Value, inits []*ir.Value, body func(i *ir.Value, carried []*ir.Value) []*ir.Value) []*ir.Value {
	o := scf.NewFor(f.b, low, high, step, inits, func(_ *ir.Builder, iv *ir.Value, args []*ir.Value) []*ir.Value { return body(iv, args) })
	return o.Results().Values()
}

// span is the values that an index of a loop takes.
type span struct{ low, high *ir.Value }

// upTo is the span of the indices of a dimension.
func (f *function) upTo(n int64) span { return span{f.index(0), f.index(n)} }

// over are the spans of all dimensions of a shape.
func (f *function) over(shape []int64) (spans []span) {
	for _, n := range shape {
		spans = append(spans, f.upTo(n))
	}
	return spans
}

// nest carries a value through loops, of which the last one is the innermost.
func (f *function) nest(spans []span, init *ir.Value, body func(indices []*ir.Value, acc *ir.Value) *ir.Value) *ir.Value {
	var inner func(k int, indices []*ir.Value, acc *ir.Value) *ir.Value
	inner = func(k int, indices []*ir.Value, acc *ir.Value) *ir.Value {
		if k == len(spans) {
			return body(indices, acc)
		}
		return f.loop(spans[k].low, spans[k].high, f.index(1), []*ir.Value{acc}, func(i *ir.Value, carried []*ir.Value) []*ir.Value {
			return []*ir.Value{inner(k+1, append(indices[:k:k], i), carried[0])}
		})[0]
	}
	return inner(0, nil, init)
}

// indices returns the indices of the element that a linalg.generic is computing.
func (f *function) indices(rank int) []*ir.Value {
	out := make([]*ir.Value, rank)
	for i := range out {
		out[i] = linalg.NewIndex(f.b, i)
	}
	return out
}

// unsigned tells whether numbers of a type have no sign.
func unsigned(t model.Type) bool {
	return t == model.Uint8 || t == model.Uint16 || t == model.Uint32 || t == model.Uint64 || t == model.Bool
}

// limits returns the least and the largest number of a type of integers of at most 32 bits.
func limits(t model.Type) (low, high int64) {
	bits := 8 * t.Size()
	if unsigned(t) {
		return 0, 1<<bits - 1
	}
	return -1 << (bits - 1), 1<<(bits-1) - 1
}
