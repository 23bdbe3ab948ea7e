package stablehlo

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/chlo"
	"freehold/dialect/linalg"
	"freehold/dialect/math"
	"freehold/dialect/quant"
	"freehold/dialect/stablehlo"
	"freehold/dialect/tensor"
	"freehold/ir"
)

// quantization has what is known of quantized numbers where elements are computed: of those along an axis, tensors with their scales and zero points.
type quantization struct {
	*quant.Uniform
	scales, zeros *ir.Value
}

func quantizedOf(v *ir.Value) *quant.Uniform {
	return quant.Of(ir.ElementType(v.Type()))
}

// quantization makes tensors of the parameters along an axis; nil if the elements aren't quantized.
func (l *lowering) quantization(t ir.Type) *quantization {
	q := quant.Of(ir.ElementType(t))
	if q == nil {
		return nil
	}
	x := &quantization{Uniform: q}
	if q.Axis >= 0 {
		c := l.b.Context()
		var scales, zeros []byte
		for i := range q.Scales {
			s := q.Scales[i]
			scales = append(scales, elementBytes(c.FloatAttr(q.Expressed, s))...)
			zeros = append(zeros, elementBytes(c.FloatAttr(q.Expressed, float64(q.ZeroPoints[i])))...)
		}
		list := c.RankedTensor([]int64{int64(len(q.Scales))}, q.Expressed)
		x.scales = arith.NewConstant(l.b, c.DenseElements(list, scales)).Result(0)
		x.zeros = arith.NewConstant(l.b, c.DenseElements(list, zeros)).Result(0)
	}
	return x
}

// parameters are the scale and the zero point of the element that is computed.
func (x *quantization) parameters(e *element) (scale, zero *ir.Value) {
	if x.Axis < 0 {
		s := x.Scales[0]
		return e.number(x.Expressed, s), e.number(x.Expressed, float64(x.ZeroPoints[0]))
	}
	at := linalg.NewIndex(e.Builder, x.Axis)
	return tensor.NewExtract(e.Builder, x.scales, at), tensor.NewExtract(e.Builder, x.zeros, at)
}

// dequantize is the number that a stored integer stands for.
func (x *quantization) dequantize(e *element, v *ir.Value) *ir.Value {
	scale, zero := x.parameters(e)
	id := arith.SIToFP
	if !x.Signed {
		id = arith.UIToFP
	}
	return e.New(arith.MulF, e.New(arith.SubF, arith.NewCast(e.Builder, id, x.Expressed, v), zero), scale)
}

// quantize is the integer that is stored for a number: the nearest one, of two the even one, that is within the limits.
func (x *quantization) quantize(e *element, v *ir.Value) *ir.Value {
	scale, zero := x.parameters(e)
	n := e.New(arith.AddF, e.New(math.RoundEven, e.New(arith.DivF, v, scale)), zero)
	n = e.New(arith.MinimumF, e.New(arith.MaximumF, n, e.number(x.Expressed, float64(x.Min))), e.number(x.Expressed, float64(x.Max)))
	return e.toInteger(n, x.Storage(e.Context()))
}

// computing tells whether an operation computes with quantized numbers otherwise than element by element, so that these have to be numbers
// meanwhile.
func computing(op *ir.Op) bool {
	return slices.Contains([]*ir.OpID{stablehlo.Dot, stablehlo.DotGeneral, stablehlo.Convolution, stablehlo.DynamicConv, stablehlo.BatchNormInference,
		stablehlo.BatchNormTraining, stablehlo.BatchNormGrad, chlo.RaggedDot}, op.ID())
}

// quantizedRule lowers an operation that isn't computed on the integers that are stored; nil if it isn't one.
func quantizedRule(op *ir.Op) rule {
	if op.Is(stablehlo.BitcastConvert) && (quantizedOf(op.Operand(0)) != nil || quantizedOf(op.Result(0)) != nil) {
		return (*lowering).bitcastStored
	}
	if !slices.ContainsFunc(op.Operands().Values(), func(v *ir.Value) bool { return quantizedOf(v) != nil }) {
		return nil
	}
	if computing(op) {
		return (*lowering).throughNumbers
	}
	if rules[op.ID()] != nil && op.NumResults() == 1 && op.NumRegions() == 0 {
		from, to := quantizedOf(op.Operand(0)), quantizedOf(op.Result(0))
		if from != nil && to != nil && ir.ElementType(op.Operand(0).Type()) != ir.ElementType(op.Result(0).Type()) && from.Axis < 0 && to.Axis < 0 {
			return (*lowering).requantized
		}
	}
	return nil
}

// throughNumbers computes an operation on the numbers that quantized ones stand for, and quantizes what comes out.
func (l *lowering) throughNumbers(op *ir.Op) ([]*ir.Value, error) {
	b := l.b
	c := b.Context()
	m := ir.NewMapping()
	for _, v := range op.Operands().Values() {
		if q := quantizedOf(v); q != nil {
			t := c.RankedTensor(ranked(v).Shape, q.Expressed)
			m.Map(v, b.CreateOp(stablehlo.UniformDequantize, []ir.Type{t}, one(v)).Result(0))
		}
	}
	n := b.Clone(op, m)
	out := make([]*ir.Value, op.NumResults())
	for i := range out {
		out[i] = n.Result(i)
		t := rankedResult(op, i)
		if q := quant.Of(t.Elem); q != nil {
			out[i].SetType(c.RankedTensor(t.Shape, q.Expressed))
			out[i] = b.CreateOp(stablehlo.UniformQuantize, []ir.Type{t}, one(out[i])).Result(0)
		}
	}
	return out, nil
}

// bitcastStored takes the bits of the integers that are stored for quantized numbers.
func (l *lowering) bitcastStored(op *ir.Op) ([]*ir.Value, error) {
	c := l.b.Context()
	stored := func(v *ir.Value) ir.Type {
		t := v.Type().(*ir.RankedTensorType)
		if q := quant.Of(t.Elem); q != nil {
			return c.RankedTensor(t.Shape, q.Storage(c))
		}
		return t
	}
	v := enter(l.b, op.Operand(0), stored(op.Operand(0)))
	v = l.b.CreateOp(stablehlo.BitcastConvert, []ir.Type{stored(op.Result(0))}, one(v)).Result(0)
	return one(enter(l.b, v, op.Result(0).Type())), nil
}

// requantized moves elements, and gives them the quantization of the result then.
func (l *lowering) requantized(op *ir.Op) ([]*ir.Value, error) {
	n := l.b.Clone(op, ir.NewMapping())
	t := rankedResult(op, 0)
	n.Result(0).SetType(l.b.Context().RankedTensor(t.Shape, ranked(op.Operand(0)).Elem))
	return one(l.b.CreateOp(stablehlo.UniformQuantize, []ir.Type{t}, one(n.Result(0))).Result(0)), nil
}
