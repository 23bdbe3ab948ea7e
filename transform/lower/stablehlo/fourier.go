package stablehlo

import (
	"encoding/binary"
	gomath "math"
	"math/bits"
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/complex"
	"freehold/dialect/linalg"
	"freehold/dialect/math"
	"freehold/dialect/stablehlo"
	"freehold/dialect/tensor"
	"freehold/internal/elementary"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// fourier transforms along the last dimensions, one after the other, in f64: by n log n products along a dimension whose size n is a power of two, and else by the sums that define the
// transform, n² products.
func (l *lowering) fourier(op *ir.Op) ([]*ir.Value, error) {
	v := stablehlo.FftOp{Op: op}.OperandValue()
	kind := stablehlo.EnumValue(op, "fft_type", stablehlo.FFT)
	lengths := ints(op, "fft_length")
	rank := len(ranked(v).Shape)
	first := rank - len(lengths)
	t := rankedResult(op, 0)
	inverse := kind == stablehlo.InverseFFT || kind == stablehlo.InverseRealFFT
	wide := l.b.Context().Complex(ir.F64)
	elem := t.Elem
	if kind == stablehlo.InverseRealFFT {
		elem = wide
	}
	// Real numbers come from, or go to, the last dimension: it is the first one, or the last one, that is transformed.
	order := make([]int, 0, len(lengths))
	for d := first; d < rank; d++ {
		order = append(order, d)
	}
	if kind == stablehlo.RealFFT {
		for i, j := 0, len(order)-1; i < j; i, j = i+1, j-1 {
			order[i], order[j] = order[j], order[i]
		}
	}
	for i, d := range order {
		n := lengths[d-first]
		sizes := sizesOf(l.b, v)
		sizes[d] = known(n)
		if kind == stablehlo.RealFFT && d == rank-1 {
			sizes[d] = known(n/2 + min(n, 1))
		}
		target := ir.Type(wide)
		if i == len(order)-1 {
			target = elem
		}
		half := kind == stablehlo.InverseRealFFT && d == rank-1
		if half {
			target = t.Elem
		}
		v = l.transformed(v, d, n, sizes, inverse, half, target)
	}
	return one(v), nil
}

// transformed is the transform along one dimension: the sum over j of the elements times exp(∓2πi jk/n). Of real results (half), the terms are
// those from which the other ones follow.
func (l *lowering) transformed(v *ir.Value, d int, n int64, sizes []size, inverse, half bool, target ir.Type) *ir.Value {
	sum := l.fastSums
	if n < leastFast || n&(n-1) != 0 {
		sum = l.sums
	}
	return l.rounded(sum(v, d, n, sizes, inverse, half), n, sizes, inverse, target)
}

// sums are the sums as they are defined.
func (l *lowering) sums(v *ir.Value, d int, n int64, sizes []size, inverse, half bool) *ir.Value {
	b := l.b
	c := b.Context()
	rank := len(sizes)
	wide := c.Complex(ir.F64)
	roots := l.roots(n, inverse)
	e := &element{Builder: b}
	in, out := make([]*ir.AffineExpr, rank), make([]*ir.AffineExpr, rank)
	for i := range rank {
		in[i], out[i] = c.AffineDim(i), c.AffineDim(i)
	}
	in[d] = c.AffineDim(rank)
	iterators := append(parallel(rank), interfaces.Reduction)
	maps := []*ir.AffineMap{c.AffineMap(rank+1, 0, in...), c.AffineMap(rank+1, 0, out...)}
	length := index(b, max(n, 1))
	from := ranked(v).Elem
	return linalg.NewGeneric(b, one(v), one(l.filled(sizes, e.number(wide, 0))), maps, iterators, func(_ *ir.Builder, args []*ir.Value) []*ir.Value {
		k, j := linalg.NewIndex(b, d), linalg.NewIndex(b, rank)
		root := tensor.NewExtract(b, roots, arith.New(b, arith.RemUI, arith.New(b, arith.MulI, j, k), length))
		x := e.convert(args[0], from, wide)
		if half {
			x = l.weighted(x, j, n)
		}
		return one(e.New(complex.Add, args[1], e.New(complex.Mul, x, root)))
	}).Result(0)
}

// rounded are sums as elements of the result; those of the inverse are divided by n.
func (l *lowering) rounded(sum *ir.Value, n int64, sizes []size, inverse bool, target ir.Type) *ir.Value {
	b, rank := l.b, len(sizes)
	c, e := b.Context(), &element{Builder: b}
	wide := c.Complex(ir.F64)
	identity := []*ir.AffineMap{c.IdentityMap(rank), c.IdentityMap(rank)}
	if target == ir.Type(wide) && !inverse {
		return sum
	}
	return linalg.NewGeneric(b, one(sum), one(empty(b, sizes, target)), identity, parallel(rank), func(_ *ir.Builder, args []*ir.Value) []*ir.Value {
		x := args[0]
		if inverse {
			x = e.New(complex.Div, x, e.number(wide, float64(max(n, 1))))
		}
		return one(e.convert(x, wide, target))
	}).Result(0)
}

// leastFast is from which size on a power of two is worth the loops of a fast transform.
const leastFast = 8

// fastSums computes the sums along a dimension whose size is a power of two by Cooley and Tukey's algorithm: transforms of 1, 2, 4, … elements, which stand in the order of their reversed bits at the
// start, are joined in place.
func (l *lowering) fastSums(v *ir.Value, d int, n int64, sizes []size, inverse, half bool) *ir.Value {
	b := l.b
	e := &element{Builder: b}
	wide := b.Context().Complex(ir.F64)
	roots := l.roots(n, inverse)
	all := slices.Clone(sizes)
	all[d] = known(n)
	stages := int64(bits.TrailingZeros64(uint64(n)))
	work := l.generate(all, wide, func(at []*ir.Value) *ir.Value { return l.reversedElement(v, at, d, stages, half) })
	others := slices.Delete(slices.Clone(all), d, d+1)
	loops := slices.Concat(others, []size{known(stages), known(n / 2)})
	joined := l.loops(loops, one(work), func(at, carried []*ir.Value) []*ir.Value {
		k := len(others)
		stage, pair := at[k], at[k+1]
		apart := arith.New(b, arith.ShLI, index(b, 1), stage)
		within := arith.New(b, arith.AndI, pair, arith.New(b, arith.SubI, apart, index(b, 1)))
		first := arith.New(b, arith.AddI, pair, arith.New(b, arith.SubI, pair, within))
		place := func(i *ir.Value) []*ir.Value { return slices.Insert(slices.Clone(at[:k]), d, i) }
		one, other := place(first), place(arith.New(b, arith.AddI, first, apart))
		root := tensor.NewExtract(b, roots, arith.New(b, arith.ShLI, within, arith.New(b, arith.SubI, index(b, stages-1), stage)))
		x, y := tensor.NewExtract(b, carried[0], one...), e.New(complex.Mul, tensor.NewExtract(b, carried[0], other...), root)
		to := tensor.NewInsert(b, e.New(complex.Add, x, y), carried[0], one...)
		return []*ir.Value{tensor.NewInsert(b, e.New(complex.Sub, x, y), to, other...)}
	})[0]
	if sizes[d] == all[d] {
		return joined
	}
	return l.sliced(joined, slices.Repeat([]size{known(0)}, len(sizes)), sizes, ones(len(sizes)))
}

// reversedElement is the element that a fast transform begins with at a place: that at the place with its bits reversed. Of real results (half), the second
// half mirrors the first one, and what stands for itself has no imaginary part.
func (l *lowering) reversedElement(v *ir.Value, at []*ir.Value, d int, places int64, half bool) *ir.Value {
	b := l.b
	e := &element{Builder: b}
	wide := b.Context().Complex(ir.F64)
	i := index(b, 0)
	for k := range places {
		bit := arith.New(b, arith.AndI, arith.New(b, arith.ShRUI, at[d], index(b, k)), index(b, 1))
		i = arith.New(b, arith.OrI, i, arith.New(b, arith.ShLI, bit, index(b, places-1-k)))
	}
	at = slices.Clone(at)
	at[d] = i
	if !half {
		return e.convert(tensor.NewExtract(b, v, at...), ranked(v).Elem, wide)
	}
	n, middle := index(b, 1<<places), index(b, 1<<(places-1))
	mirrored := e.cmpI(arith.UGT, i, middle)
	at[d] = e.choose(mirrored, arith.New(b, arith.SubI, n, i), i)
	x := e.convert(tensor.NewExtract(b, v, at...), ranked(v).Elem, wide)
	re, im := e.part(complex.Re, x), e.part(complex.Im, x)
	alone := arith.New(b, arith.OrI, e.cmpI(arith.EQ, i, index(b, 0)), e.cmpI(arith.EQ, i, middle))
	im = e.choose(alone, e.number(ir.F64, 0), e.choose(mirrored, e.New(arith.NegF, im), im))
	return complex.NewCreate(b, re, im)
}

// weighted doubles the terms that stand for two, and takes the imaginary part from the others, which has no meaning.
func (l *lowering) weighted(x, j *ir.Value, n int64) *ir.Value {
	b := l.b
	e := &element{Builder: b}
	t := x.Type()
	single := e.cmpI(arith.EQ, j, index(b, 0))
	if n%2 == 0 {
		single = arith.New(b, arith.OrI, single, e.cmpI(arith.EQ, j, index(b, n/2)))
	}
	alone := complex.NewCreate(b, e.part(complex.Re, x), e.number(ir.F64, 0))
	return e.choose(single, alone, e.New(complex.Mul, x, e.number(t, 2)))
}

// mostRoots limits the roots that are constants. More are computed by the program.
const mostRoots = 1 << 12

// roots are the n-th roots of unity. Constants are the same whoever executes the program.
func (l *lowering) roots(n int64, inverse bool) *ir.Value {
	b := l.b
	c := b.Context()
	e := &element{Builder: b}
	sign := -1.0
	if inverse {
		sign = 1
	}
	n = max(n, 1)
	if n <= mostRoots {
		var data []byte
		for k := range n {
			re, im := elementary.RootOfUnity(k, n)
			for _, x := range []float64{re, sign*im + 0} {
				data = binary.LittleEndian.AppendUint64(data, gomath.Float64bits(x))
			}
		}
		return arith.NewConstant(b, c.DenseElements(c.RankedTensor([]int64{n}, c.Complex(ir.F64)), data)).Result(0)
	}
	turn := sign * 2 * gomath.Pi / float64(n)
	return l.generate([]size{known(n)}, c.Complex(ir.F64), func(indices []*ir.Value) *ir.Value {
		angle := e.New(arith.MulF, l.fromIndex(indices[0], ir.F64), e.number(ir.F64, turn))
		return complex.NewCreate(b, e.New(math.Cos, angle), e.New(math.Sin, angle))
	})
}
