package tflite

import (
	"math"
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// point is a complex number: its real and its imaginary part.
type point [2]*ir.Value

// spectrum is SignalRfft, and the other way SignalIrfft: the Fourier transform of real numbers, as Kiss FFT computes it. Two neighbours are taken for one complex number; those are
// transformed in stages of four or two, each of which divides by that in fixed point; and the transform of the real numbers is made of the result.
type spectrum struct {
	*kernel
	elem ir.Type
	// samples are the real numbers, and n is how many complex ones there are, a power of two.
	samples *ir.Value
	length  int64
	n       int64
	// inverse says that the transform is that of a spectrum.
	inverse bool
}

// longestTransform is how many numbers a transform may have.
const longestTransform = 1 << 16

// signalTransform is SignalRfft, and SignalIrfft if inverse is set.
func signalTransform(inverse bool) func(k *kernel) error {
	return func(k *kernel) error { return k.transformRows(inverse) }
}

func (k *kernel) transformRows(inverse bool) error {
	in, out := k.in[0], k.out[0]
	if in.Type != out.Type || in.Type != model.Float32 && in.Type != model.Int16 && in.Type != model.Int32 {
		return k.unsupported()
	}
	size, err := k.whole("fft_length", 4, longestTransform)
	if err != nil {
		return err
	}
	if size&(size-1) != 0 {
		return k.errorf("%s of %d numbers, which are no power of two, isn't supported", k.code, size)
	}
	rank := len(in.Shape)
	if rank == 0 || len(out.Shape) != rank || !slices.Equal(in.Shape[:rank-1], out.Shape[:rank-1]) {
		return k.malformed()
	}
	from, to := in.Shape[rank-1], out.Shape[rank-1]
	if inverse && (from != size+2 || to != size) || !inverse && (from < 1 || from > size || to != size+2) {
		return k.malformed()
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	rows, length := ir.ElementCount(in.Shape[:rank-1]), in.Shape[rank-1]
	s := &spectrum{kernel: k, elem: elementTypes[in.Type], samples: k.reshape(v, []int64{rows, length}), length: length, n: size / 2, inverse: inverse}
	result := k.nest([]span{k.upTo(rows)}, k.empty(k.ctx.RankedTensor([]int64{rows, to}, s.elem)), func(row []*ir.Value, to *ir.Value) *ir.Value {
		if inverse {
			return s.write(s.transformed(s.packed(row[0])), row[0], to)
		}
		return s.unpack(s.transform(row[0]), row[0], to)
	})
	k.result(0, k.reshape(result, out.Shape))
	return nil
}

// packed makes of the spectrum of real numbers in a row that of complex ones, which are pairs of these.
func (s *spectrum) packed(row *ir.Value) func(i *ir.Value) point {
	number := func(i *ir.Value) point {
		first := s.mul(i, s.index(2))
		return point{s.at(s.samples, row, first), s.at(s.samples, row, s.add(first, s.index(1)))}
	}
	first, last := number(s.index(0)), number(s.index(s.n))
	v := s.empty(s.ctx.RankedTensor([]int64{s.n, 2}, s.elem))
	v = s.put(v, s.index(0), s.divided(point{s.plus(first[0], last[0]), s.minus(first[0], last[0])}, 2))
	roots := s.roots(s.n/2, func(i int64) float64 { return math.Pi * (float64(i+1)/float64(s.n) + 0.5) })
	v = s.nest([]span{{s.index(1), s.index(s.n/2 + 1)}}, v, func(i []*ir.Value, to *ir.Value) *ir.Value {
		end := s.sub(s.index(s.n), i[0])
		mirrored := number(end)
		mirrored[1] = s.negated(mirrored[1])
		a, b := s.divided(number(i[0]), 2), s.divided(mirrored, 2)
		even, odd := s.sum(a, b), s.product(s.difference(a, b), s.point(roots, s.sub(i[0], s.index(1))))
		to = s.put(to, i[0], s.sum(even, odd))
		rest := s.difference(even, odd)
		return s.put(to, end, point{rest[0], s.negated(rest[1])})
	})
	return func(i *ir.Value) point { return s.point(v, i) }
}

// write writes complex numbers as pairs of real ones into a row. In single precision they are divided by how many real ones there are.
func (s *spectrum) write(v, row, to *ir.Value) *ir.Value {
	return s.nest([]span{s.upTo(s.n), s.upTo(2)}, to, func(at []*ir.Value, to *ir.Value) *ir.Value {
		x := s.at(v, at...)
		if s.isFloat() {
			x = s.op2(arith.DivF, x, s.f32(float32(2*s.n)))
		}
		return tensor.NewInsert(s.b, x, to, row, s.add(s.mul(at[0], s.index(2)), at[1]))
	})
}

// radices returns the sizes of the stages: fours, and one two at the end where the logarithm is odd.
func (s *spectrum) radices() (out []int64) {
	for n := s.n; n > 1; {
		r := int64(4)
		if n < 4 {
			r = 2
		}
		out, n = append(out, r), n/r
	}
	return out
}

// order returns which complex number is where before the first stage: their digits, by the radices, are reversed.
func (s *spectrum) order() []int64 {
	out := []int64{0}
	stride, radices := s.n, s.radices()
	for i := len(radices) - 1; i >= 0; i-- {
		stride /= radices[i]
		var next []int64
		for digit := range radices[i] {
			for _, at := range out {
				next = append(next, at+digit*stride)
			}
		}
		out = next
	}
	return out
}

// transform returns the transform of the complex numbers of a row.
func (s *spectrum) transform(row *ir.Value) *ir.Value {
	zero := s.constant(s.zeroAttr())
	sample := func(at *ir.Value) *ir.Value {
		x := s.at(s.samples, row, s.min(at, s.index(s.length-1)))
		return s.pick(s.cmp(arith.ULT, at, s.index(s.length)), x, zero)
	}
	return s.transformed(func(i *ir.Value) point {
		first := s.mul(i, s.index(2))
		return point{sample(first), sample(s.add(first, s.index(1)))}
	})
}

// transformed returns the transform of the complex numbers that number returns.
func (s *spectrum) transformed(number func(i *ir.Value) point) *ir.Value {
	places := s.list(ir.I32, s.order())
	v := s.empty(s.ctx.RankedTensor([]int64{s.n, 2}, s.elem))
	v = s.nest([]span{s.upTo(s.n)}, v, func(i []*ir.Value, to *ir.Value) *ir.Value {
		return s.put(to, i[0], number(s.toIndex(s.at(places, i[0]))))
	})
	turn := -2 * math.Pi
	if s.inverse {
		turn = -turn
	}
	radices := s.radices()
	roots := s.roots(s.n, func(i int64) float64 { return turn * float64(i) / float64(s.n) })
	apart := int64(1) // how far the members of a group are from each other
	for i := len(radices) - 1; i >= 0; i-- {
		v = s.stage(v, roots, radices[i], apart)
		apart *= radices[i]
	}
	return v
}

func (s *spectrum) zeroAttr() ir.Attribute {
	if t, ok := s.elem.(*ir.FloatType); ok {
		return s.ctx.FloatAttr(t, 0)
	}
	return s.ctx.IntegerAttr(s.elem, 0)
}

// roots returns a list of n complex numbers of the amount 1 with some angles.
func (s *spectrum) roots(n int64, angle func(i int64) float64) *ir.Value {
	s.tables += int(2 * n)
	var data []byte
	for i := range n {
		for _, x := range []float64{math.Cos(angle(i)), math.Sin(angle(i))} {
			switch t := s.elem.(type) {
			case *ir.FloatType:
				switch {
				case t == ir.F32:
					x = float64(float32(x))
				case math.Abs(x) < 1e-15:
					// The cosine of a right angle, which isn't exact.
					x = 0
				}
				data = ir.AppendElement(data, s.ctx.FloatAttr(t, x))
			case *ir.IntegerType:
				largest := float64(int64(1)<<(t.Width-1) - 1)
				data = ir.AppendElement(data, s.ctx.IntegerAttr(t, int64(math.Floor(0.5+largest*x))))
			}
		}
	}
	return s.constant(s.ctx.DenseElements(s.ctx.RankedTensor([]int64{n, 2}, s.elem), data))
}

// stage joins groups of transforms, whose members are some places apart.
func (s *spectrum) stage(v, roots *ir.Value, radix, apart int64) *ir.Value {
	blocks := s.n / (radix * apart)
	return s.nest([]span{s.upTo(blocks), s.upTo(apart)}, v, func(i []*ir.Value, to *ir.Value) *ir.Value {
		first := s.add(s.mul(i[0], s.index(radix*apart)), i[1])
		var at []*ir.Value
		var members []point
		for m := range radix {
			at = append(at, s.add(first, s.index(m*apart)))
			x := s.divided(s.point(to, at[m]), radix)
			if m > 0 {
				x = s.product(x, s.point(roots, s.mul(i[1], s.index(m*blocks))))
			}
			members = append(members, x)
		}
		join := s.joinTwo
		if radix == 4 {
			join = s.joinFour
		}
		for m, x := range join(members) {
			to = s.put(to, at[m], x)
		}
		return to
	})
}

func (s *spectrum) joinTwo(x []point) []point {
	return []point{s.sum(x[0], x[1]), s.difference(x[0], x[1])}
}

func (s *spectrum) joinFour(x []point) []point {
	even, odd := s.sum(x[0], x[2]), s.sum(x[1], x[3])
	evenLess, oddLess := s.difference(x[0], x[2]), s.difference(x[1], x[3])
	if s.inverse {
		return []point{
			s.sum(even, odd), {s.minus(evenLess[0], oddLess[1]), s.plus(evenLess[1], oddLess[0])},
			s.difference(even, odd), {s.plus(evenLess[0], oddLess[1]), s.minus(evenLess[1], oddLess[0])}}
	}
	return []point{
		s.sum(even, odd), {s.plus(evenLess[0], oddLess[1]), s.minus(evenLess[1], oddLess[0])},
		s.difference(even, odd), {s.minus(evenLess[0], oddLess[1]), s.plus(evenLess[1], oddLess[0])}}
}

// unpack makes the transform of the real numbers of a row: of each number and the one as far from the end the sum and the difference.
func (s *spectrum) unpack(v, row, to *ir.Value) *ir.Value {
	write := func(to, at *ir.Value, x point) *ir.Value {
		at = s.mul(at, s.index(2))
		return tensor.NewInsert(s.b, x[1], tensor.NewInsert(s.b, x[0], to, row, at), row, s.add(at, s.index(1)))
	}
	zero := s.constant(s.zeroAttr())
	first := s.divided(s.point(v, s.index(0)), 2)
	to = write(to, s.index(0), point{s.plus(first[0], first[1]), zero})
	to = write(to, s.index(s.n), point{s.minus(first[0], first[1]), zero})
	roots := s.roots(s.n/2, func(i int64) float64 { return -math.Pi * (float64(i+1)/float64(s.n) + 0.5) })
	between := span{s.index(1), s.index(s.n/2 + 1)}
	return s.nest([]span{between}, to, func(i []*ir.Value, to *ir.Value) *ir.Value {
		last := s.sub(s.index(s.n), i[0])
		mirrored := s.point(v, last)
		mirrored[1] = s.negated(mirrored[1])
		a, b := s.divided(s.point(v, i[0]), 2), s.divided(mirrored, 2)
		same, other := s.sum(a, b), s.product(s.difference(a, b), s.point(roots, s.sub(i[0], s.index(1))))
		to = write(to, i[0], point{s.half(s.plusWide(same[0], other[0])), s.half(s.plusWide(same[1], other[1]))})
		return write(to, last, point{s.half(s.minusWide(same[0], other[0])), s.half(s.minusWide(other[1], same[1]))})
	})
}

// point reads a complex number of a list.
func (s *spectrum) point(list, at *ir.Value) point {
	return point{s.at(list, at, s.index(0)), s.at(list, at, s.index(1))}
}

// put writes a complex number into a list.
func (s *spectrum) put(to, at *ir.Value, x point) *ir.Value {
	return tensor.NewInsert(s.b, x[1], tensor.NewInsert(s.b, x[0], to, at, s.index(0)), at, s.index(1))
}

func (s *spectrum) isFloat() bool { return ir.IsFloat(s.elem) }

func (s *spectrum) plus(a, b *ir.Value) *ir.Value {
	if s.isFloat() {
		return s.op2(arith.AddF, a, b)
	}
	return s.add(a, b)
}

func (s *spectrum) minus(a, b *ir.Value) *ir.Value {
	if s.isFloat() {
		return s.op2(arith.SubF, a, b)
	}
	return s.sub(a, b)
}

func (s *spectrum) negated(x *ir.Value) *ir.Value {
	if s.isFloat() {
		return arith.New(s.b, arith.NegF, x)
	}
	return s.sub(s.int(s.elem, 0), x)
}

func (s *spectrum) sum(a, b point) point { return point{s.plus(a[0], b[0]), s.plus(a[1], b[1])} }
func (s *spectrum) difference(a, b point) point {
	return point{s.minus(a[0], b[0]), s.minus(a[1], b[1])}
}

// wide is the type that holds a product of two elements.
func (s *spectrum) wide() *ir.IntegerType {
	if s.elem == ir.Type(ir.I16) {
		return ir.I32
	}
	return ir.I64
}

func (s *spectrum) fractionBits() int64 { return int64(s.elem.(*ir.IntegerType).Width) - 1 }

// rounded makes an element of a product, whose fraction is twice as long.
func (s *spectrum) rounded(x *ir.Value) *ir.Value {
	t, bits := s.wide(), s.fractionBits()
	return s.cast(s.shr(s.add(x, s.int(t, 1<<(bits-1))), s.int(t, bits)), s.elem.(*ir.IntegerType), false)
}

// product multiplies complex numbers, and rounds once.
func (s *spectrum) product(a, b point) point {
	if s.isFloat() {
		times := func(x, y *ir.Value) *ir.Value { return s.op2(arith.MulF, x, y) }
		return point{s.minus(times(a[0], b[0]), times(a[1], b[1])), s.plus(times(a[0], b[1]), times(a[1], b[0]))}
	}
	times := func(x, y *ir.Value) *ir.Value {
		return s.mul(s.cast(x, s.wide(), false), s.cast(y, s.wide(), false))
	}
	return point{s.rounded(s.sub(times(a[0], b[0]), times(a[1], b[1]))), s.rounded(s.add(times(a[0], b[1]), times(a[1], b[0])))}
}

// divided divides by a small number, in fixed point; numbers in single precision stay as they are.
func (s *spectrum) divided(x point, by int64) point {
	if s.isFloat() {
		return x
	}
	factor := s.int(s.wide(), (1<<s.fractionBits()-1)/by)
	for i := range x {
		x[i] = s.rounded(s.mul(s.cast(x[i], s.wide(), false), factor))
	}
	return x
}

// plusWide and minusWide add and subtract in at least 32 bits.
func (s *spectrum) plusWide(a, b *ir.Value) *ir.Value { return s.plus(s.promoted(a), s.promoted(b)) }

func (s *spectrum) minusWide(a, b *ir.Value) *ir.Value { return s.minus(s.promoted(a), s.promoted(b)) }

func (s *spectrum) promoted(x *ir.Value) *ir.Value {
	if s.isFloat() {
		return x
	}
	return s.cast(x, ir.I32, false)
}

// half makes an element of half a number.
func (s *spectrum) half(x *ir.Value) *ir.Value {
	if s.isFloat() {
		return s.op2(arith.MulF, x, s.constant(s.ctx.FloatAttr(s.elem.(*ir.FloatType), 0.5)))
	}
	return s.cast(s.shr(x, s.i32(1)), s.elem.(*ir.IntegerType), false)
}
