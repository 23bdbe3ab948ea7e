package tosa

import (
	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
)

// sampler is the body that computes one element of resized images.
type sampler struct {
	b *ir.Builder
	// elem is the type of the result; exact tells whether it is a floating-point type in which places between elements are
	// computed, too.
	elem  ir.Type
	exact bool
	zero  *ir.Value
	// batch and channel are where the element is; the axes, what there is to know about height and width.
	batch, channel *ir.Value
	axes           [2]axis
}

// axis is one of the two directions: its size, the number that scales are a fraction of, the largest index, the place of
// the element before, and how far the element is from that.
type axis struct {
	size         int64
	scale, last  *ir.Value
	index, delta *ir.Value
}

func newSampler(b *ir.Builder, op *ir.Op, in *ir.RankedTensorType, elem ir.Type, exact bool) *sampler {
	s := &sampler{b: b, elem: elem, exact: exact}
	var at [4]*ir.Value
	for i := range at {
		at[i] = linalg.NewIndex(b, i)
	}
	s.batch, s.channel = at[0], at[3]
	s.zero = s.i32(0)
	float := ir.F32
	if elem == ir.Type(ir.F16) {
		float = ir.F16
	}
	none := arith.ConstantFloat(b, float, 0)
	for i := range s.axes {
		s.axes[i].size = in.Shape[i+1]
		s.axes[i].last = s.i32(in.Shape[i+1] - 1)
	}
	var places, divisors, offsets [2]*ir.Value
	for i := range places {
		places[i] = arith.NewCast(b, arith.IndexCast, ir.I32, at[i+1])
	}
	scale, offset, border := intsOf(op, "scale"), intsOf(op, "offset"), intsOf(op, "border")
	for i := range s.axes {
		s.axes[i].scale, divisors[i] = s.i32(scale[2*i]), s.i32(scale[2*i+1])
	}
	for i := range offsets {
		offsets[i] = s.i32(offset[i])
	}
	// Nothing uses the borders, here and in the reference: they are in the sizes of the result.
	for _, n := range border {
		s.i32(n)
	}
	for i := range s.axes {
		a := &s.axes[i]
		if a.size == 1 {
			a.index, a.delta = s.zero, s.zero
			if exact {
				a.delta = none
			}
			continue
		}
		x := arith.New(b, arith.AddI, arith.New(b, arith.MulI, places[i], divisors[i]), offsets[i])
		if exact {
			a.index = arith.New(b, arith.FloorDivSI, x, a.scale)
			rest := arith.NewCast(b, arith.SIToFP, float, arith.New(b, arith.RemSI, x, a.scale))
			a.delta = arith.New(b, arith.DivF, rest, arith.NewCast(b, arith.UIToFP, float, a.scale))
			continue
		}
		a.index = arith.New(b, arith.DivSI, x, a.scale)
		a.delta = arith.New(b, arith.SubI, x, arith.New(b, arith.MulI, a.index, a.scale))
	}
	return s
}

func (s *sampler) i32(n int64) *ir.Value { return arith.ConstantInt(s.b, ir.I32, n) }

// inside limits a place to those that there are.
func (s *sampler) inside(x *ir.Value, a *axis) *ir.Value {
	return clampInt(s.b, x, s.zero, a.last, false)
}

func (s *sampler) asIndex(x *ir.Value) *ir.Value {
	return arith.NewCast(s.b, arith.IndexCast, ir.Index, x)
}

// nearest takes the element that is nearest: the next one, if it is no farther.
func (s *sampler) nearest(v *ir.Value) *ir.Value {
	b := s.b
	one := s.i32(1)
	var at [2]*ir.Value
	for i := range s.axes {
		a := &s.axes[i]
		if a.size == 1 {
			at[i] = arith.ConstantIndex(b, 0)
			continue
		}
		var next *ir.Value
		if s.exact {
			half := arith.ConstantFloat(b, a.delta.Type().(*ir.FloatType), 0.5)
			next = arith.NewCmpF(b, arith.OGE, a.delta, half)
		} else {
			next = arith.NewCmpI(b, arith.SGE, arith.New(b, arith.ShLI, a.delta, one), a.scale)
		}
		x := arith.New(b, arith.AddI, a.index, arith.NewSelect(b, next, one, s.zero))
		at[i] = s.asIndex(s.inside(x, a))
	}
	return tensor.NewExtract(b, v, s.batch, at[0], at[1], s.channel)
}

// interpolated weighs the four elements around a place. Of integers the result is that times both scales.
func (s *sampler) interpolated(v *ir.Value) *ir.Value {
	b := s.b
	one := s.i32(1)
	var at [2][2]*ir.Value
	for i := range s.axes {
		a := &s.axes[i]
		after := arith.New(b, arith.AddI, a.index, one)
		low, high := s.inside(a.index, a), s.inside(after, a)
		at[i] = [2]*ir.Value{s.asIndex(low), s.asIndex(high)}
	}
	var corners [4]*ir.Value
	for i := range corners {
		corners[i] = tensor.NewExtract(b, v, s.batch, at[0][i/2], at[1][i%2], s.channel)
	}
	weigh := s.weighIntegers
	if s.exact {
		full := arith.ConstantFloat(b, s.elem.(*ir.FloatType), 1)
		weigh = func(x, y *ir.Value, a *axis) *ir.Value { return s.weighFloats(full, x, y, a) }
	} else {
		for i, x := range corners {
			corners[i] = arith.NewCast(b, arith.ExtSI, s.elem, x)
		}
		if s.elem.(*ir.IntegerType).Width > 32 {
			s.widen()
		}
	}
	top := weigh(corners[0], corners[1], &s.axes[1])
	bottom := weigh(corners[2], corners[3], &s.axes[1])
	return weigh(top, bottom, &s.axes[0])
}

// widen makes what elements are multiplied with as wide as the result.
func (s *sampler) widen() {
	wide := func(x *ir.Value) *ir.Value { return arith.NewCast(s.b, arith.ExtSI, s.elem, x) }
	s.axes[1].delta = wide(s.axes[1].delta)
	s.axes[0].delta = wide(s.axes[0].delta)
	for i := range s.axes {
		s.axes[i].scale = wide(s.axes[i].scale)
	}
}

func (s *sampler) weighFloats(full, x, y *ir.Value, a *axis) *ir.Value {
	if a.size == 1 {
		return x
	}
	b := s.b
	rest := arith.New(b, arith.SubF, full, a.delta)
	near, far := arith.New(b, arith.MulF, x, rest), arith.New(b, arith.MulF, y, a.delta)
	return arith.New(b, arith.AddF, near, far)
}

func (s *sampler) weighIntegers(x, y *ir.Value, a *axis) *ir.Value {
	b := s.b
	if a.size == 1 {
		return arith.New(b, arith.MulI, x, a.scale)
	}
	rest := arith.New(b, arith.SubI, a.scale, a.delta)
	near, far := arith.New(b, arith.MulI, x, rest), arith.New(b, arith.MulI, y, a.delta)
	return arith.New(b, arith.AddI, near, far)
}
