package tflite

import (
	"math"

	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// activationRange returns the limits of the elements of a quantized tensor behind an activation.
func (k *kernel) activationRange(a model.Activation, t *model.Tensor) (low, high int64, err error) {
	low, high = limits(t.Type)
	quantized := func(x float32) int64 {
		return zeroPoint(t) + int64(math.Round(float64(x/t.Scale[0])))
	}
	switch a {
	case model.NoActivation:
	case model.Relu:
		low = max(low, quantized(0))
	case model.Relu6:
		low, high = max(low, quantized(0)), min(high, quantized(6))
	case model.ReluN1To1:
		low, high = max(low, quantized(-1)), min(high, quantized(1))
	default:
		return 0, 0, k.errorf("%s with the activation %s isn't supported", k.code, a)
	}
	return low, high, nil
}

// activationFloat returns what applies an activation to numbers.
func (k *kernel) activationFloat(a model.Activation) (func(x *ir.Value) *ir.Value, error) {
	between := func(low, high float32) func(x *ir.Value) *ir.Value {
		return func(x *ir.Value) *ir.Value { return k.clampFloat(x, k.f32(low), k.f32(high)) }
	}
	switch a {
	case model.NoActivation:
		return func(x *ir.Value) *ir.Value { return x }, nil
	case model.Relu:
		return func(x *ir.Value) *ir.Value { return k.clampFloat(x, k.f32(0), nil) }, nil
	case model.Relu6:
		return between(0, 6), nil
	case model.ReluN1To1:
		return between(-1, 1), nil
	}
	return nil, k.errorf("%s with the activation %s isn't supported", k.code, a)
}

// clampFloat limits a number as std::max and std::min do, which keep a NaN and either zero that comes first. high may be nil.
func (f *function) clampFloat(x, low, high *ir.Value) *ir.Value {
	x = f.pick(f.cmpf(arith.OLT, x, low), low, x)
	if high != nil {
		x = f.pick(f.cmpf(arith.OLT, high, x), high, x)
	}
	return x
}
