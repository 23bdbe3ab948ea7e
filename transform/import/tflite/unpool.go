package tflite

import (
	gomath "math"
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/math"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/transform/import/tflite/model"
)

// poolOptions are the options of the pools of MediaPipe.
type poolOptions struct {
	padding                         model.Padding
	strideW, strideH, width, height int64
	activation                      model.Activation
}

// poolOptions reads the options of a pool between tensors in single precision.
func (k *kernel) poolOptions() (o poolOptions, err error) {
	for _, t := range slices.Concat(k.in, k.out) {
		if t.Type != model.Float32 {
			return o, k.unsupported()
		}
		if len(t.Shape) != 4 || isEmpty(t) {
			return o, k.malformed()
		}
	}
	n, err := k.structure(6)
	if err != nil {
		return o, err
	}
	o = poolOptions{strideW: n[1], strideH: n[2], width: n[3], height: n[4], activation: model.Activation(n[5])}
	if !within(n[1:5], 1, gomath.MaxInt16) {
		return o, k.malformed()
	}
	o.padding, err = k.structurePadding(n[0])
	return o, err
}

// maxPoolPlaces is MaxPoolingWithArgmax2D of MediaPipe: MAX_POOL_2D, and where in its window each result was. A tenth is added to these places, so that
// they are the same in lower precision.
func maxPoolPlaces(k *kernel) error {
	o, err := k.poolOptions()
	if err != nil {
		return err
	}
	in, out := k.in[0], k.out[0]
	y, ok := newWindow(o.padding, in.Shape[1], o.height, out.Shape[1], o.strideH, 1)
	x, also := newWindow(o.padding, in.Shape[2], o.width, out.Shape[2], o.strideW, 1)
	if !ok || !also || in.Shape[0] != out.Shape[0] || in.Shape[3] != out.Shape[3] || !slices.Equal(k.out[1].Shape, out.Shape) {
		return k.malformed()
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	activate, err := k.activationFloat(o.activation)
	if err != nil {
		return err
	}
	inits, identity := []*ir.Value{k.empty(k.resultType(0)), k.empty(k.resultType(1))}, k.ctx.IdentityMap(4)
	op := linalg.NewGeneric(k.b, nil, inits, []*ir.AffineMap{identity, identity}, make([]interfaces.Iterator, 4), func(*ir.Builder, []*ir.Value) []*ir.Value {
		at := k.indices(4)
		originY, originX := k.origin(y, at[1]), k.origin(x, at[2])
		sy, sx := k.inside(y, originY), k.inside(x, originX)
		one := k.index(1)
		best := k.loop(sy.low, sy.high, one, []*ir.Value{k.f32(-gomath.MaxFloat32), k.index(0)}, func(i *ir.Value, c []*ir.Value) []*ir.Value {
			return k.loop(sx.low, sx.high, one, c, func(j *ir.Value, c []*ir.Value) []*ir.Value {
				e := k.at(v, at[0], k.tap(y, originY, i), k.tap(x, originX, j), at[3])
				larger := k.cmpf(arith.OGT, e, c[0])
				return []*ir.Value{k.pick(larger, e, c[0]), k.pick(larger, k.add(k.mul(i, k.index(o.width)), j), c[1])}
			})
		})
		place := arith.NewCast(k.b, arith.SIToFP, ir.F32, k.cast(best[1], ir.I32, false))
		return []*ir.Value{activate(best[0]), k.op2(arith.AddF, place, k.f32(0.1))}
	})
	k.result(0, op.Result(0))
	k.result(1, op.Result(1))
	return nil
}

// maxUnpool is MaxUnpooling2D of MediaPipe: elements at the places in windows that [maxPoolPlaces] tells, and zeros everywhere else.
func maxUnpool(k *kernel) error {
	o, err := k.poolOptions()
	if err != nil {
		return err
	}
	in, out := k.in[0], k.out[0]
	if !slices.Equal(in.Shape, k.in[1].Shape) || !slices.Equal(out.Shape, []int64{in.Shape[0], in.Shape[1] * o.height, in.Shape[2] * o.width, in.Shape[3]}) {
		return k.malformed()
	}
	values, err := k.inputs(0, 1)
	if err != nil {
		return err
	}
	spans := k.over(in.Shape)
	zero := k.index(0)
	// place is where what is at a place in a window is along a dimension, and whether that is within the output.
	place := func(d int, at, inWindow *ir.Value, stride, size int64) (i, there *ir.Value) {
		border := max(0, ((in.Shape[d]-1)*stride+size-out.Shape[d])/2)
		i = k.add(k.sub(k.mul(at, k.index(stride)), k.index(border)), inWindow)
		there = k.op2(arith.AndI, k.cmp(arith.SGE, i, zero), k.cmp(arith.SLT, i, k.index(out.Shape[d])))
		return k.max(k.min(i, k.index(out.Shape[d]-1)), zero), there
	}
	k.result(0, k.nest(spans, k.filled(k.f32(0)), func(at []*ir.Value, to *ir.Value) *ir.Value {
		number := k.clampFloat(k.math1(math.Trunc, k.at(values[1], at...)), k.f32(-1<<24), k.f32(1<<24))
		n := k.toIndex(arith.NewCast(k.b, arith.FPToSI, ir.I32, number))
		y, thereY := place(1, at[1], k.op2(arith.DivSI, n, k.index(o.width)), o.strideH, o.height)
		x, thereX := place(2, at[2], k.op2(arith.RemSI, n, k.index(o.width)), o.strideW, o.width)
		old := k.at(to, at[0], y, x, at[3])
		there := k.op2(arith.AndI, thereY, thereX)
		return tensor.NewInsert(k.b, k.pick(there, k.at(values[0], at...), old), to, at[0], y, x, at[3])
	}))
	return nil
}
