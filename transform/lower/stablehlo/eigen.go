package stablehlo

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/complex"
	"freehold/dialect/math"
	"freehold/dialect/tensor"
	"freehold/ir"
)

// The functions in this file find eigenvalues of matrices that needn't be symmetric: rotations make a matrix one with a single diagonal below the main one, and then, by the QR
// algorithm with shifts (Francis, 1961), an upper triangle. All is in complex numbers, also for real matrices, so that there are no blocks of two by two.

// stepsPerValue is how many steps there are for each eigenvalue; about three are needed.
const stepsPerValue = 40

// geev finds the eigenvalues of square matrices, of real ones the real and the imaginary parts apart; and the left and the right vectors, which have length 1 and a largest number that is
// real and positive. The last result is 0, or tells how many eigenvalues at least weren't found.
func (l *lowering) geev(op *ir.Op) ([]*ir.Value, error) {
	b, e := l.b, &element{Builder: l.b}
	a := op.OnlyOperand()
	results := 4
	if a != nil && ir.IsFloat(ir.ElementType(a.Type())) {
		results = 5
	}
	sizes, err := l.factorized(op, 1, results, results)
	if err != nil {
		return nil, err
	}
	rank := len(sizes)
	if m, n := ranked(a).Shape[rank-2], ranked(a).Shape[rank-1]; !ir.SameSize(m, n) {
		return nil, errorf("matrices of %d rows and %d columns have no eigenvalues", m, n)
	}
	elem := ranked(a).Elem
	real := realOf(elem)
	number := b.Context().Complex(real)
	batch, n := sizes[:rank-2], value(b, sizes[rank-1])
	of := matrix{element: e, l: l}
	h := a
	if results == 5 {
		h = l.generate(sizes, number, func(at []*ir.Value) *ir.Value { return of.like(tensor.NewExtract(b, a, at...), number) })
	}
	zeros := func() *ir.Value { return l.filled(sizes, e.number(number, 0)) }
	info := rankedResult(op, results-1).Elem
	inits := []*ir.Value{h, l.unitMatrix(batch, sizes[rank-1], sizes[rank-1], number), empty(b, sizes[:rank-1], number), zeros(), zeros(), l.filled(batch, e.integer(info, 0))}
	wants := letters(op)
	out := l.loops(batch, inits, func(at, c []*ir.Value) []*ir.Value {
		x := &spectrum{matrix{e, l, at, n, n}, real, nil}
		x.size = x.length(c[0], real)
		h, q, left := x.triangle(c[0], c[1])
		values := x.diagonal(h, c[2])
		vectors := []*ir.Value{c[3], c[4]}
		for i, name := range []string{"compute_left", "compute_right"} {
			if wants[name] == 'V' {
				vectors[i] = x.vectors(h, q, vectors[i], i == 0)
			}
		}
		return []*ir.Value{h, q, values, vectors[0], vectors[1], tensor.NewInsert(b, l.fromIndex(left, info), c[5], at...)}
	})
	if results == 4 {
		return out[2:], nil
	}
	re, im := l.eigenParts(op, out[2], sizes)
	return []*ir.Value{re, im, out[3], out[4], out[5]}, nil
}

// diagonal writes the diagonal of a matrix to a list.
func (x matrix) diagonal(h, list *ir.Value) *ir.Value {
	return x.l.count(index(x.Builder, 0), x.n, one(list), func(j *ir.Value, v []*ir.Value) []*ir.Value {
		return one(tensor.NewInsert(x.Builder, x.get(h, j, j), v[0], slices.Concat(x.at, one(j))...))
	})[0]
}

// eigenParts are the real and the imaginary parts of eigenvalues of real matrices: these are zero where they are as small as what rounding makes of a matrix.
func (l *lowering) eigenParts(op *ir.Op, values *ir.Value, sizes []size) (re, im *ir.Value) {
	b, e := l.b, &element{Builder: l.b}
	rank := len(sizes)
	real := ranked(op.OnlyOperand()).Elem
	n := value(b, sizes[rank-1])
	lengths := l.loops(sizes[:rank-2], one(empty(b, sizes[:rank-2], real)), func(at, c []*ir.Value) []*ir.Value {
		return one(tensor.NewInsert(b, matrix{e, l, at, n, n}.length(op.OnlyOperand(), real), c[0], at...))
	})[0]
	re = l.generate(sizes[:rank-1], real, func(at []*ir.Value) *ir.Value { return e.part(complex.Re, tensor.NewExtract(b, values, at...)) })
	im = l.generate(sizes[:rank-1], real, func(at []*ir.Value) *ir.Value {
		v := e.part(complex.Im, tensor.NewExtract(b, values, at...))
		limit := e.New(arith.MulF, tensor.NewExtract(b, lengths, at[:rank-2]...), e.number(real, 8*roundingOf(real)))
		return e.choose(e.cmpF(arith.OLE, e.New(math.AbsF, v), limit), e.number(real, 0), v)
	})
	return re, im
}

// length is the square root of the sum of the squares of all numbers.
func (x matrix) length(a *ir.Value, real ir.Type) *ir.Value {
	zero := index(x.Builder, 0)
	sum := x.l.count(zero, x.m, one(x.number(real, 0)), func(i *ir.Value, c []*ir.Value) []*ir.Value {
		return x.l.count(zero, x.n, c, func(j *ir.Value, c []*ir.Value) []*ir.Value { return one(x.plus(c[0], x.square(x.get(a, i, j)))) })
	})[0]
	return x.New(math.Sqrt, sum)
}

// spectrum is what is known of a matrix whose eigenvalues are looked for.
type spectrum struct {
	matrix
	// real is the type of the parts of its numbers, and size its length.
	real ir.Type
	size *ir.Value
}

func (x *spectrum) abs(v *ir.Value) *ir.Value {
	if complexOf(v.Type()) == nil {
		return x.New(math.AbsF, v)
	}
	return x.part(complex.Abs, v)
}

func (x *spectrum) before(i *ir.Value) *ir.Value {
	return x.New(arith.MaxSI, x.New(arith.SubI, i, index(x.Builder, 1)), index(x.Builder, 0))
}

// triangle makes a matrix h an upper triangle by rotations from both sides, and gives q these. left is how many eigenvalues at least weren't found.
func (x *spectrum) triangle(h, q *ir.Value) (_, _, left *ir.Value) {
	return x.iterated(h, q, x.step)
}

// iterated applies steps of the QR algorithm to a matrix h, and gives q what they do, until all eigenvalues are found, or there were too many steps. left is how many at least weren't found.
func (x *spectrum) iterated(h, q *ir.Value, step func(h, q, high, tries *ir.Value) []*ir.Value) (_, _, left *ir.Value) {
	b, zero := x.Builder, index(x.Builder, 0)
	c := x.hessenberg(h, q)
	high := x.before(x.n)
	steps := x.New(arith.MulI, x.n, index(b, stepsPerValue))
	c = x.l.count(zero, steps, []*ir.Value{c[0], c[1], high, zero}, func(_ *ir.Value, c []*ir.Value) []*ir.Value { return step(c[0], c[1], c[2], c[3]) })
	left = x.choose(x.cmpI(arith.EQ, c[2], zero), zero, x.after(c[2]))
	return c[0], c[1], left
}

// hessenberg makes a matrix h one with a single diagonal below the main one, by rotations from both sides, and gives q these.
func (x *spectrum) hessenberg(h, q *ir.Value) []*ir.Value {
	nothing := x.number(ranked(h).Elem, 0)
	return x.l.count(index(x.Builder, 0), x.n, []*ir.Value{h, q}, func(k *ir.Value, c []*ir.Value) []*ir.Value {
		row := x.after(k)
		return x.l.count(x.after(row), x.n, c, func(i *ir.Value, c []*ir.Value) []*ir.Value {
			h, q := x.turned(c[0], c[1], row, i, x.get(c[0], row, k), x.get(c[0], i, k))
			return []*ir.Value{x.set(nothing, h, i, k), q}
		})
	})
}

// step is one of the QR algorithm, on the rows up to high that are still coupled to each other, or finds that the last one isn't coupled. tries is how many steps there were for it.
func (x *spectrum) step(h, q, high, tries *ir.Value) []*ir.Value {
	zero, nothing := index(x.Builder, 0), x.number(ranked(h).Elem, 0)
	h, low := x.decoupled(h, high)
	found := x.cmpI(arith.EQ, low, high)
	shift := x.shift(h, high, tries)
	start := []*ir.Value{h, q, x.minus(x.get(h, low, low), shift), x.get(h, x.New(arith.MinSI, x.after(low), high), low)}
	c := x.l.count(low, x.choose(found, low, high), start, func(k *ir.Value, c []*ir.Value) []*ir.Value {
		next := x.after(k)
		h, q := x.turned(c[0], c[1], k, next, c[2], c[3])
		// What the rotation was for is zero; for the first one it was nothing in the matrix.
		column := x.before(k)
		h = x.set(x.choose(x.cmpI(arith.SGT, k, low), nothing, x.get(h, next, column)), h, next, column)
		return []*ir.Value{h, q, x.get(h, next, k), x.get(h, x.New(arith.MinSI, x.after(next), high), k)}
	})
	return []*ir.Value{c[0], c[1], x.choose(found, x.before(high), high), x.choose(found, zero, x.after(tries))}
}

// decoupled is a matrix without what couples rows up to high as little as rounding does, and the first of the rows that are coupled to the last one.
func (x *spectrum) decoupled(h, high *ir.Value) (_, low *ir.Value) {
	nothing := x.number(ranked(h).Elem, 0)
	c := x.l.count(index(x.Builder, 1), x.after(high), []*ir.Value{h, index(x.Builder, 0)}, func(j *ir.Value, c []*ir.Value) []*ir.Value {
		i := x.before(j)
		v := x.get(c[0], j, i)
		sum := x.plus(x.abs(x.get(c[0], i, i)), x.abs(x.get(c[0], j, j)))
		sum = x.choose(x.cmpF(arith.OEQ, sum, x.number(x.real, 0)), x.size, sum)
		small := x.cmpF(arith.OLE, x.abs(v), x.times(sum, x.number(x.real, roundingOf(x.real)/2)))
		return []*ir.Value{x.set(x.choose(small, nothing, v), c[0], j, i), x.choose(small, j, c[1])}
	})
	return c[0], c[1]
}

// shift is the eigenvalue of the last two rows that is nearer to the last number; now and then another number, since there are matrices that this doesn't change.
func (x *spectrum) shift(h, high, tries *ir.Value) *ir.Value {
	i := x.before(high)
	c, d := x.get(h, high, i), x.get(h, high, high)
	t := d.Type()
	product := x.times(x.get(h, i, high), c)
	half := x.times(x.number(t, 0.5), x.minus(x.get(h, i, i), d))
	root := x.New(complex.Sqrt, x.plus(x.times(half, half), product))
	against := x.cmpF(arith.OLT, x.re(x.times(x.conjugate(half), root)), x.number(x.real, 0))
	sum := x.choose(against, x.minus(half, root), x.plus(half, root))
	none := x.cmpF(arith.OEQ, x.abs(sum), x.number(x.real, 0))
	near := x.minus(d, x.over(product, x.choose(none, x.number(t, 1), sum)))
	usual := x.choose(none, d, near)
	tenth := x.cmpI(arith.EQ, x.New(arith.RemUI, tries, index(x.Builder, 10)), index(x.Builder, 9))
	return x.choose(tenth, x.plus(d, x.like(x.abs(c), t)), usual)
}

// turned rotates rows p and r of a matrix so that of the numbers first and second in a column of them the second becomes zero, and columns by the adjoint; and columns of q.
func (x *spectrum) turned(h, q, p, r, first, second *ir.Value) (_, _ *ir.Value) {
	t := first.Type()
	zero, one := x.number(x.real, 0), x.number(x.real, 1)
	a, b := x.abs(first), x.abs(second)
	nothing := x.cmpF(arith.OEQ, b, zero)
	length := x.New(math.Sqrt, x.plus(x.times(a, a), x.times(b, b)))
	length = x.choose(nothing, one, length)
	var rot rotation
	if complexOf(t) == nil {
		rot = rotation{c: x.choose(nothing, one, x.over(first, length)), s: x.choose(nothing, zero, x.over(x.minus(zero, second), length))}
	} else {
		direction := func(v, size *ir.Value) *ir.Value {
			none := x.cmpF(arith.OEQ, size, zero)
			return x.choose(none, x.number(t, 1), x.over(v, x.like(x.choose(none, one, size), t)))
		}
		turn := x.New(complex.Neg, x.times(direction(second, b), x.conjugate(direction(first, a))))
		rot = rotation{x.choose(nothing, one, x.over(a, length)), x.choose(nothing, zero, x.over(b, length)), x.choose(nothing, x.number(t, 1), turn)}
	}
	h = x.rotated(x.rotated(h, p, r, rot, x.n, true), p, r, rot, x.n, false)
	return h, x.rotated(q, p, r, rot, x.n, false)
}

// vectors writes the eigenvectors of q h q*, for an upper triangle h, to the columns of a matrix of zeros.
func (x *spectrum) vectors(h, q, to *ir.Value, left bool) *ir.Value {
	start := index(x.Builder, 0)
	t := ranked(h).Elem
	return x.l.count(start, x.n, one(to), func(k *ir.Value, c []*ir.Value) []*ir.Value {
		y := x.set(x.number(t, 1), c[0], k, k)
		if left {
			y = x.l.count(x.after(k), x.n, one(y), func(i *ir.Value, c []*ir.Value) []*ir.Value { return one(x.solved(h, c[0], i, k, k, i, true)) })[0]
		} else {
			y = x.l.count(start, k, one(y), func(s *ir.Value, c []*ir.Value) []*ir.Value {
				i := x.New(arith.SubI, x.before(k), s)
				return one(x.solved(h, c[0], i, k, x.after(i), x.after(k), false))
			})[0]
		}
		return one(x.directed(x.product(q, y, k), k))
	})[0]
}

// solved finds number i of the eigenvector in column k of y from those from low up to high.
func (x *spectrum) solved(h, y, i, k, low, high *ir.Value, left bool) *ir.Value {
	t := ranked(h).Elem
	read := func(i, j *ir.Value) *ir.Value {
		if left {
			return x.conjugate(x.get(h, j, i))
		}
		return x.get(h, i, j)
	}
	sum := x.l.count(low, high, one(x.number(t, 0)), func(j *ir.Value, c []*ir.Value) []*ir.Value {
		return one(x.minus(c[0], x.times(read(i, j), x.get(y, j, k))))
	})[0]
	difference := x.minus(read(i, i), read(k, k))
	least := x.times(x.size, x.number(x.real, roundingOf(x.real)))
	least = x.choose(x.cmpF(arith.OEQ, least, x.number(x.real, 0)), x.number(x.real, 1), least)
	difference = x.choose(x.cmpF(arith.OLT, x.abs(difference), least), x.like(least, t), difference)
	v := x.over(sum, difference)
	y = x.set(v, y, i, k)
	// What grows beyond all bounds is made small in time.
	size := x.abs(v)
	unit := x.number(x.real, 1)
	large := x.cmpF(arith.OGT, size, x.number(x.real, 1/roundingOf(x.real)))
	factor := x.like(x.choose(large, x.over(unit, x.choose(large, size, unit)), unit), t)
	return x.l.count(index(x.Builder, 0), x.choose(large, x.n, index(x.Builder, 0)), one(y), func(j *ir.Value, c []*ir.Value) []*ir.Value {
		return one(x.set(x.times(factor, x.get(c[0], j, k)), c[0], j, k))
	})[0]
}

// product makes column k of y what q makes of it. The numbers of the column are needed until the end, so that the new ones go to a list first.
func (x *spectrum) product(q, y, k *ir.Value) *ir.Value {
	b, start := x.Builder, index(x.Builder, 0)
	t := ranked(y).Elem
	list := empty(b, []size{tensor.MixedSize(b, y, len(ranked(y).Shape)-1)}, t)
	list = x.l.count(start, x.n, one(list), func(i *ir.Value, c []*ir.Value) []*ir.Value {
		sum := x.l.count(start, x.n, one(x.number(t, 0)), func(j *ir.Value, c []*ir.Value) []*ir.Value {
			return one(x.plus(c[0], x.times(x.get(q, i, j), x.get(y, j, k))))
		})[0]
		return one(tensor.NewInsert(b, sum, c[0], i))
	})[0]
	return x.l.count(start, x.n, one(y), func(i *ir.Value, c []*ir.Value) []*ir.Value {
		return one(x.set(tensor.NewExtract(b, list, i), c[0], i, k))
	})[0]
}

// directed makes the vector in column k one of length 1 whose largest number is real and positive.
func (x *spectrum) directed(y, k *ir.Value) *ir.Value {
	start := index(x.Builder, 0)
	t := ranked(y).Elem
	size := func(i *ir.Value) *ir.Value { return x.abs(x.get(y, i, k)) }
	largest := x.get(y, x.best(start, size(start), start, x.n, arith.OGT, size), k)
	length := x.New(math.Sqrt, x.re(x.inner(y, k, k)))
	factor := x.over(x.conjugate(largest), x.like(x.times(x.abs(largest), length), t))
	return x.l.count(start, x.n, one(y), func(i *ir.Value, c []*ir.Value) []*ir.Value {
		return one(x.set(x.times(factor, x.get(c[0], i, k)), c[0], i, k))
	})[0]
}
