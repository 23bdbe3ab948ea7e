package quant

import (
	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	"freehold/dialect/linalg"
	"freehold/dialect/math"
	"freehold/dialect/quant"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// elementwise computes a number, or each element of a tensor, with the scale and the zero point for it, both of the type of the numbers that are stood for.
func elementwise(b *ir.Builder, q *quant.Uniform, v *ir.Value, result ir.Type, compute func(x, scale, zero *ir.Value) *ir.Value) *ir.Value {
	constants := func(i int) (scale, zero *ir.Value) {
		return arith.ConstantFloat(b, q.Expressed, q.Scales[i]), arith.ConstantFloat(b, q.Expressed, float64(q.ZeroPoints[i]))
	}
	t, ok := v.Type().(*ir.RankedTensorType)
	if !ok {
		scale, zero := constants(0)
		return compute(v, scale, zero)
	}
	c := b.Context()
	var dynamic []*ir.Value
	for d, n := range t.Shape {
		if n == ir.Dynamic {
			dynamic = append(dynamic, tensor.NewDim(b, v, int64(d)))
		}
	}
	out := tensor.NewEmptyOf(b, result.(*ir.RankedTensorType), dynamic)
	rank := len(t.Shape)
	inputs, maps := []*ir.Value{v}, []*ir.AffineMap{c.IdentityMap(rank)}
	var scale, zero *ir.Value
	if q.Axis < 0 {
		scale, zero = constants(0)
	} else {
		points := make([]float64, len(q.ZeroPoints))
		for i, z := range q.ZeroPoints {
			points[i] = float64(z)
		}
		along := c.AffineMap(rank, 0, c.AffineDim(q.Axis))
		inputs, maps = append(inputs, list(b, q.Expressed, q.Scales), list(b, q.Expressed, points)), append(maps, along, along)
	}
	maps = append(maps, c.IdentityMap(rank))
	op := linalg.NewGeneric(b, inputs, []*ir.Value{out}, maps, make([]interfaces.Iterator, rank), func(_ *ir.Builder, args []*ir.Value) []*ir.Value {
		if q.Axis >= 0 {
			scale, zero = args[1], args[2]
		}
		return []*ir.Value{compute(args[0], scale, zero)}
	})
	return op.Result(0)
}

// list is a constant list of numbers.
func list(b *ir.Builder, elem *ir.FloatType, numbers []float64) *ir.Value {
	c := b.Context()
	var data []byte
	for _, x := range numbers {
		data = ir.AppendElement(data, c.FloatAttr(elem, x))
	}
	return arith.NewConstant(b, c.DenseElements(c.RankedTensor([]int64{int64(len(numbers))}, elem), data)).Result(0)
}

// quantize returns the integer that is nearest to a number. What is no number becomes the least one.
func quantize(b *ir.Builder, q *quant.Uniform, x, scale, zero *ir.Value) *ir.Value {
	x = arith.New(b, arith.DivF, x, scale)
	x = arith.New(b, arith.AddF, math.New(b, math.RoundEven, x), zero)
	low, high := arith.ConstantFloat(b, q.Expressed, float64(q.Min)), arith.ConstantFloat(b, q.Expressed, float64(q.Max))
	x = arith.New(b, arith.MinNumF, arith.New(b, arith.MaxNumF, x, low), high)
	c := b.Context()
	if q.Signed {
		return arith.NewCast(b, arith.FPToSI, c.Integer(q.Width), x)
	}
	return unrealized(b, q.Storage(c), arith.NewCast(b, arith.FPToUI, c.Integer(q.Width), x))
}

// unrealized is a number with another sign: arith takes numbers without one.
func unrealized(b *ir.Builder, t ir.Type, v *ir.Value) *ir.Value {
	return builtin.NewUnrealizedConversionCast(b, []ir.Type{t}, v).Result(0)
}

// dequantize returns the number that an integer stands for.
func dequantize(b *ir.Builder, q *quant.Uniform, x, scale, zero *ir.Value) *ir.Value {
	id := arith.SIToFP
	if !q.Signed {
		id, x = arith.UIToFP, unrealized(b, b.Context().Integer(q.Width), x)
	}
	x = arith.NewCast(b, id, q.Expressed, x)
	return arith.New(b, arith.MulF, arith.New(b, arith.SubF, x, zero), scale)
}
