package tflite

import (
	gomath "math"
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/math"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// quantize is QUANTIZE: of numbers, or from one scale to another one.
func quantize(k *kernel) error {
	in, out := k.in[0], k.out[0]
	v, err := k.value(0)
	if err != nil {
		return err
	}
	if out.Type != model.Int8 && out.Type != model.Int16 && out.Type != model.Uint8 && out.Type != model.Int32 {
		return k.unsupported()
	}
	if err := k.quantized(out); err != nil {
		return err
	}
	low, high := limits(out.Type)
	elem := elementTypes[out.Type].(*ir.IntegerType)
	if in.Type == model.Float32 {
		if out.Type == model.Int32 {
			return k.unsupported()
		}
		z := zeroPoint(out)
		return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value {
			x := k.math1(math.Round, k.op2(arith.DivF, e[0], k.f32(out.Scale[0])))
			// Limits before the conversion are the same as behind it, and a NaN becomes the lower one.
			x = k.pick(k.cmpf(arith.OGT, x, k.f32(float32(low-z))), x, k.f32(float32(low-z)))
			x = k.pick(k.cmpf(arith.OLT, x, k.f32(float32(high-z))), x, k.f32(float32(high-z)))
			q := arith.NewCast(k.b, arith.FPToSI, ir.I32, x)
			if z != 0 {
				q = k.add(q, k.i32(z))
			}
			return k.cast(q, elem, false)
		})
	}
	if in.Type != model.Int32 && !isQuantized(in) {
		return k.unsupported()
	}
	if err := k.quantized(in); err != nil {
		return err
	}
	q := quantizeMultiplier(scale(in) / scale(out))
	if err := k.representable(q); err != nil {
		return err
	}
	return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value {
		return k.store(k.rescale(k.offset(e[0], in, ir.I32), q), out, low, high)
	})
}

// dequantize is DEQUANTIZE.
func dequantize(k *kernel) error {
	in, out := k.in[0], k.out[0]
	v, err := k.value(0)
	if err != nil {
		return err
	}
	if in.Type == model.Float16 && out.Type == model.Float32 {
		return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value { return arith.NewCast(k.b, arith.ExtF, ir.F32, e[0]) })
	}
	if out.Type != model.Float32 || !isQuantized(in) && in.Type != model.Int4 {
		return k.unsupported()
	}
	number := func(x *ir.Value) *ir.Value { return arith.NewCast(k.b, arith.SIToFP, ir.F32, x) }
	if len(in.Scale) > 1 {
		// Each position along a dimension has a scale of its own.
		scales := k.floats(in.Scale)
		zeros := k.function.list(ir.I32, in.ZeroPoint)
		rank := len(in.Shape)
		along := k.ctx.AffineMap(rank, 0, k.ctx.AffineDim(in.Axis))
		if !slices.Equal(in.Shape, out.Shape) {
			return k.malformed()
		}
		maps := []*ir.AffineMap{k.ctx.IdentityMap(rank), along, along}
		k.result(0, k.generic(k.resultType(0), []*ir.Value{v, scales, zeros}, maps, func(e []*ir.Value) *ir.Value {
			return k.op2(arith.MulF, number(k.sub(k.wide(e[0], in, ir.I32), e[2])), e[1])
		}))
		return nil
	}
	if len(in.Scale) != 1 {
		return k.quantized(in)
	}
	return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value {
		return k.op2(arith.MulF, number(k.offset(e[0], in, ir.I32)), k.f32(in.Scale[0]))
	})
}

// fakeQuantize is FAKE_QUANT: numbers rounded to those that integers of a few bits stand for, with limits moved so that one of them is 0. Narrow ranges have no kernel.
func fakeQuantize(k *kernel) error {
	const low, high, bits, narrow = 0, 1, 2, 3
	o := k.op.Options
	least, most, width := o.Float(low), o.Float(high), o.Int(bits)
	if k.in[0].Type != model.Float32 || k.out[0].Type != model.Float32 {
		return k.unsupported()
	}
	if o.Flag(narrow) {
		return k.errorf("FAKE_QUANT of a narrow range isn't supported")
	}
	if width < 2 || width > 16 || !(least <= 0) || !(most >= 0) || least == most {
		return k.errorf("FAKE_QUANT of %d bits from %g to %g isn't supported", width, least, most)
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	last := float32(int(1)<<width - 1)
	scale := (most - least) / last
	zero := min(max(float32(gomath.Round(float64(-least/scale))), 0), last)
	bottom, top := k.f32(-zero*scale), k.f32((last-zero)*scale)
	return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value {
		x := k.pick(k.cmpf(arith.OLT, bottom, e[0]), e[0], bottom)
		x = k.pick(k.cmpf(arith.OLT, x, top), x, top)
		x = k.math1(math.Round, k.op2(arith.MulF, k.op2(arith.SubF, x, bottom), k.f32(1/scale)))
		return k.op2(arith.AddF, k.op2(arith.MulF, x, k.f32(scale)), bottom)
	})
}

// floats returns a constant list of numbers.
func (f *function) floats(numbers []float32) *ir.Value {
	var data []byte
	for _, x := range numbers {
		data = ir.AppendElement(data, f.ctx.FloatAttr(ir.F32, float64(x)))
	}
	return f.constant(f.ctx.DenseElements(f.ctx.RankedTensor([]int64{int64(len(numbers))}, ir.F32), data))
}

// castKernel is CAST.
func castKernel(k *kernel) error {
	in, out := k.in[0], k.out[0]
	v, err := k.value(0)
	if err != nil {
		return err
	}
	if in.Type == model.Int4 || out.Type == model.Int4 {
		return k.unsupported()
	}
	if hasUnknownRows(in) {
		k.computedRows(v, func(at []*ir.Value) *ir.Value { return k.convert(k.at(v, at...), in.Type, out.Type) })
		return nil
	}
	return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value { return k.convert(e[0], in.Type, out.Type) })
}

// convert makes an element of another type of one, as C++ does.
func (f *function) convert(x *ir.Value, from, to model.Type) *ir.Value {
	t := elementTypes[to]
	source, sourceFloat := x.Type().(*ir.FloatType)
	target, targetFloat := t.(*ir.FloatType)
	cast := func(id *ir.OpID) *ir.Value { return arith.NewCast(f.b, id, t, x) }
	switch {
	case to == model.Bool && sourceFloat:
		return f.cmpf(arith.UNE, x, f.constant(f.ctx.FloatAttr(source, 0)))
	case to == model.Bool:
		return f.cmp(arith.NE, x, f.int(x.Type(), 0))
	case sourceFloat && targetFloat && source.Width < target.Width:
		return cast(arith.ExtF)
	case sourceFloat && targetFloat && source.Width > target.Width:
		return cast(arith.TruncF)
	case sourceFloat && targetFloat:
		return x
	case sourceFloat && to.Size() < 4:
		// What doesn't fit has no definition in C++. In LiteRT it becomes the limit, or, with a sign, the lower bits of 32.
		if unsigned(to) {
			_, high := limits(to)
			x = f.clampFloat(x, f.constant(f.ctx.FloatAttr(source, 0)), f.constant(f.ctx.FloatAttr(source, float64(high))))
		}
		return f.cast(arith.NewCast(f.b, arith.FPToSI, ir.I32, x), t.(*ir.IntegerType), false)
	case sourceFloat && unsigned(to):
		return cast(arith.FPToUI)
	case sourceFloat:
		return cast(arith.FPToSI)
	case targetFloat && unsigned(from):
		return cast(arith.UIToFP)
	case targetFloat:
		return cast(arith.SIToFP)
	}
	return f.cast(x, t.(*ir.IntegerType), unsigned(from))
}

// densify is DENSIFY of a sparse constant, which has all its elements since it was read.
func densify(k *kernel) error {
	in, out := k.in[0], k.out[0]
	if in.Type != out.Type || !slices.Equal(in.Shape, out.Shape) {
		return k.malformed()
	}
	v, err := k.value(0)
	if err == nil {
		k.result(0, v)
	}
	return err
}

// bitcast is BITCAST: the bits of elements as those of a type with as many bits.
func bitcast(k *kernel) error {
	in, out := k.in[0], k.out[0]
	if !slices.Equal(in.Shape, out.Shape) {
		return k.malformed()
	}
	if in.Type.Size() != out.Type.Size() || in.Type == model.Bool || out.Type == model.Bool || in.Type == model.Int4 || out.Type == model.Int4 {
		return k.unsupported()
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	elem := elementTypes[out.Type]
	return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value {
		if e[0].Type() == elem {
			return e[0]
		}
		return arith.NewCast(k.b, arith.Bitcast, elem, e[0])
	})
}
