package tflite

import (
	gomath "math"

	"freehold/dialect/arith"
	"freehold/dialect/math"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// pool is an operator that joins the elements of a window, by an arithmetic that depends on the types.
func pool(arithmetic func(k *kernel, a model.Activation) (*pooling, error)) func(k *kernel) error {
	return func(k *kernel) error {
		const padding, strideW, strideH, width, height, activation = 0, 1, 2, 3, 4, 5
		in, out, o := k.in[0], k.out[0], k.op.Options
		if in.Type != out.Type || in.Type != model.Float32 && !isQuantized(in) {
			return k.unsupported()
		}
		if len(in.Shape) != 4 || len(out.Shape) != 4 || in.Shape[0] != out.Shape[0] || in.Shape[3] != out.Shape[3] {
			return k.malformed()
		}
		p := model.Padding(o.Enum(padding))
		y, ok := newWindow(p, in.Shape[1], int64(o.Int(height)), out.Shape[1], int64(o.Int(strideH)), 1)
		x, also := newWindow(p, in.Shape[2], int64(o.Int(width)), out.Shape[2], int64(o.Int(strideW)), 1)
		if !ok || !also {
			return k.malformed()
		}
		v, err := k.value(0)
		if err != nil {
			return err
		}
		a, err := arithmetic(k, model.Activation(o.Enum(activation)))
		if err != nil {
			return err
		}
		k.computed(func(at []*ir.Value) *ir.Value {
			originY, originX := k.origin(y, at[1]), k.origin(x, at[2])
			sy, sx := k.inside(y, originY), k.inside(x, originX)
			sum := k.nest([]span{sy, sx}, a.start, func(i []*ir.Value, acc *ir.Value) *ir.Value {
				return a.join(acc, k.at(v, at[0], k.tap(y, originY, i[0]), k.tap(x, originX, i[1]), at[3]))
			})
			return a.finish(sum, func() *ir.Value { return k.mul(k.sub(sy.high, sy.low), k.sub(sx.high, sx.low)) })
		})
		return nil
	}
}

// pooling is the arithmetic of a pool.
type pooling struct {
	start  *ir.Value
	join   func(acc, x *ir.Value) *ir.Value
	finish func(acc *ir.Value, count func() *ir.Value) *ir.Value
}

// averagePooling is the arithmetic of AVERAGE_POOL_2D.
func (k *kernel) averagePooling(a model.Activation) (*pooling, error) {
	if k.out[0].Type == model.Float32 {
		return k.floatPooling(a, func(x *ir.Value) *ir.Value { return x }, func(x *ir.Value) *ir.Value { return x })
	}
	p, err := k.maxPooling(a)
	if err != nil {
		return nil, err
	}
	of := p.finish
	return &pooling{
		start: k.i32(0),
		join:  func(acc, x *ir.Value) *ir.Value { return k.add(acc, k.wide(x, k.out[0], ir.I32)) },
		finish: func(acc *ir.Value, count func() *ir.Value) *ir.Value {
			return of(k.roundedQuotient(acc, k.cast(count(), ir.I32, false)), nil)
		},
	}, nil
}

// l2Pooling is the arithmetic of L2_POOL_2D: the root of the mean of squares.
func (k *kernel) l2Pooling(a model.Activation) (*pooling, error) {
	if k.out[0].Type != model.Float32 {
		return nil, k.unsupported()
	}
	return k.floatPooling(a, func(x *ir.Value) *ir.Value { return k.op2(arith.MulF, x, x) }, func(mean *ir.Value) *ir.Value { return k.math1(math.Sqrt, mean) })
}

// floatPooling is a function of the mean of a function of the elements.
func (k *kernel) floatPooling(a model.Activation, of, finish func(x *ir.Value) *ir.Value) (*pooling, error) {
	activate, err := k.activationFloat(a)
	if err != nil {
		return nil, err
	}
	return &pooling{
		start: k.f32(0),
		join:  func(acc, x *ir.Value) *ir.Value { return k.op2(arith.AddF, acc, of(x)) },
		finish: func(acc *ir.Value, count func() *ir.Value) *ir.Value {
			n := arith.NewCast(k.b, arith.SIToFP, ir.F32, k.cast(count(), ir.I32, false))
			return activate(finish(k.op2(arith.DivF, acc, n)))
		},
	}, nil
}

// maxPooling is the arithmetic of MAX_POOL_2D.
func (k *kernel) maxPooling(a model.Activation) (*pooling, error) {
	out := k.out[0]
	if out.Type == model.Float32 {
		activate, err := k.activationFloat(a)
		if err != nil {
			return nil, err
		}
		return &pooling{
			start:  k.f32(-gomath.MaxFloat32),
			join:   func(acc, x *ir.Value) *ir.Value { return k.clampFloat(acc, x, nil) },
			finish: func(acc *ir.Value, _ func() *ir.Value) *ir.Value { return activate(acc) },
		}, nil
	}
	if a != model.NoActivation {
		if err := k.quantized(out); err != nil {
			return nil, err
		}
	}
	low, high, err := k.activationRange(a, out)
	if err != nil {
		return nil, err
	}
	least, _ := limits(out.Type)
	return &pooling{
		start: k.i32(least),
		join:  func(acc, x *ir.Value) *ir.Value { return k.max(acc, k.wide(x, out, ir.I32)) },
		finish: func(acc *ir.Value, _ func() *ir.Value) *ir.Value {
			return k.cast(k.clampInt(acc, low, high), elementTypes[out.Type].(*ir.IntegerType), false)
		},
	}, nil
}

// roundedQuotient divides by a positive number and rounds halves away from zero.
func (f *function) roundedQuotient(x, n *ir.Value) *ir.Value {
	half := f.op2(arith.DivSI, n, f.i32(2))
	nudge := f.pick(f.cmp(arith.SGT, x, f.i32(0)), half, f.sub(f.i32(0), half))
	return f.op2(arith.DivSI, f.add(x, nudge), n)
}
