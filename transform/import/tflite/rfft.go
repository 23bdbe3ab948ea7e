package tflite

import (
	"math"
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/complex"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// complexKernels are the operators that take complex numbers.
var complexKernels = map[string]bool{"RFFT2D": true, "REAL": true, "IMAG": true, "COMPLEX_ABS": true,
	"RESHAPE": true, "SQUEEZE": true, "EXPAND_DIMS": true, "TRANSPOSE": true, "SLICE": true, "STRIDED_SLICE": true}

// partOf is REAL, IMAG or COMPLEX_ABS.
func partOf(id *ir.OpID) func(k *kernel) error {
	return func(k *kernel) error {
		if k.in[0].Type != model.Complex64 || k.out[0].Type != model.Float32 {
			return k.unsupported()
		}
		v, err := k.value(0)
		if err != nil {
			return err
		}
		return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value { return k.part(id, e[0]) })
	}
}

// part is a number of a complex one.
func (f *function) part(id *ir.OpID, x *ir.Value) *ir.Value {
	return f.b.CreateOp(id, []ir.Type{x.Type().(*ir.ComplexType).Elem}, []*ir.Value{x}).Result(0)
}

// transform2D is RFFT2D: the Fourier transform of the last two dimensions, whose second one is real, in double precision.
func transform2D(k *kernel) error {
	in, out := k.in[0], k.out[0]
	sizes, err := k.constants(1)
	if err != nil {
		return err
	}
	if in.Type != model.Float32 || out.Type != model.Complex64 {
		return k.unsupported()
	}
	rank := len(in.Shape)
	if rank < 2 || len(out.Shape) != rank || len(sizes) != 2 || !slices.Equal(in.Shape[:rank-2], out.Shape[:rank-2]) {
		return k.malformed()
	}
	height, width := sizes[0], sizes[1]
	for _, n := range sizes {
		if n < 1 || n > longestTransform || n&(n-1) != 0 {
			return k.errorf("%s of %d numbers isn't supported: transforms are of as many as a power of two", k.code, n)
		}
	}
	if width < 4 {
		return k.errorf("%s of %d numbers in a row isn't supported: there have to be 4 or more", k.code, width)
	}
	if out.Shape[rank-2] != height || out.Shape[rank-1] != width/2+1 || ir.ElementCount(in.Shape) == 0 {
		return k.malformed()
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	images := ir.ElementCount(in.Shape[:rank-2])
	// Rows behind the input's are 0, and those behind the transform's aren't looked at.
	rows, length := min(in.Shape[rank-2], height), min(in.Shape[rank-1], width)
	flat := k.reshape(v, []int64{images, in.Shape[rank-2], in.Shape[rank-1]})
	samples := k.generic(k.ctx.RankedTensor([]int64{images * rows, length}, ir.F64), nil, nil, func([]*ir.Value) *ir.Value {
		at := k.indices(2)
		n := k.index(rows)
		return arith.NewCast(k.b, arith.ExtF, ir.F64, k.at(flat, k.op2(arith.DivUI, at[0], n), k.op2(arith.RemUI, at[0], n), at[1]))
	})
	s := &spectrum{kernel: k, elem: ir.F64, samples: samples, length: length, n: width / 2}
	to := k.nest([]span{k.upTo(images * rows)}, k.empty(k.ctx.RankedTensor([]int64{images * rows, width + 2}, ir.F64)), func(row []*ir.Value, to *ir.Value) *ir.Value {
		return s.unpack(s.transform(row[0]), row[0], to)
	})
	parts := k.reshape(to, []int64{images, rows, width/2 + 1, 2})
	result := k.ctx.RankedTensor([]int64{images, height, width/2 + 1}, k.ctx.Complex(ir.F32))
	narrow := func(x *ir.Value) *ir.Value { return arith.NewCast(k.b, arith.TruncF, ir.F32, x) }
	made := func(re, im *ir.Value) *ir.Value {
		return k.b.CreateOp(complex.Create, []ir.Type{result.Elem}, []*ir.Value{narrow(re), narrow(im)}).Result(0)
	}
	if height == 1 {
		k.result(0, k.reshape(k.generic(result, nil, nil, func([]*ir.Value) *ir.Value {
			at := k.indices(3)
			x := func(part int64) *ir.Value { return k.at(parts, append(at[:3:3], k.index(part))...) }
			return made(x(0), x(1))
		}), out.Shape))
		return nil
	}
	k.result(0, k.reshape(s.columns(parts, result, rows, made), out.Shape))
	return nil
}

// columns transforms the columns of images of complex numbers, by the definition.
func (s *spectrum) columns(parts *ir.Value, result *ir.RankedTensorType, rows int64, made func(re, im *ir.Value) *ir.Value) *ir.Value {
	images, height, width := result.Shape[0], result.Shape[1], result.Shape[2]
	roots := s.roots(height, func(i int64) float64 { return -2 * math.Pi * float64(i) / float64(height) })
	zero := s.constant(s.zeroAttr())
	return s.nest([]span{s.upTo(images), s.upTo(height), s.upTo(width)}, s.empty(result), func(at []*ir.Value, to *ir.Value) *ir.Value {
		sum := s.loop(s.index(0), s.index(rows), s.index(1), []*ir.Value{zero, zero}, func(row *ir.Value, acc []*ir.Value) []*ir.Value {
			x := point{s.at(parts, at[0], row, at[2], s.index(0)), s.at(parts, at[0], row, at[2], s.index(1))}
			p := s.product(x, s.point(roots, s.op2(arith.RemUI, s.mul(row, at[1]), s.index(height))))
			return []*ir.Value{s.plus(acc[0], p[0]), s.plus(acc[1], p[1])}
		})
		return tensor.NewInsert(s.b, made(sum[0], sum[1]), to, at...)
	})
}
