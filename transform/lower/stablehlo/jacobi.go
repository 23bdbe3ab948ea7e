package stablehlo

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/complex"
	"freehold/dialect/math"
	"freehold/dialect/tensor"
	"freehold/ir"
)

// The functions in this file decompose by Jacobi's method: rotations make pairs of columns orthogonal, sweep by sweep over all pairs, until there is nothing left to
// rotate. It converges quadratically, so that there are far more sweeps than numbers of any precision need; those with nothing to do cost comparisons alone.

// sweeps is how many there are.
const sweeps = 30

// rotation is the cosine and the sine of an angle, and for complex numbers, by what the second of two columns is multiplied first: a number of absolute value 1, or nil.
type rotation struct{ c, s, turn *ir.Value }

// rotationOf is the rotation that makes the product of two columns, mixed, zero, of which the squares are those given; where they differ as little as rounding does, there
// is nothing to do.
func (x matrix) rotationOf(first, second, mixed *ir.Value) (r rotation, needed *ir.Value) {
	if complexOf(mixed.Type()) != nil {
		size := x.part(complex.Abs, mixed)
		r.turn = x.over(x.conjugate(mixed), x.like(size, mixed.Type()))
		first, second, mixed = x.re(first), x.re(second), size
	}
	t := mixed.Type()
	one := x.number(t, 1)
	size := x.New(math.Sqrt, x.New(math.AbsF, x.times(first, second)))
	needed = x.cmpF(arith.OGT, x.New(math.AbsF, mixed), x.times(size, x.number(t, roundingOf(t))))
	zeta := x.over(x.minus(second, first), x.New(arith.AddF, mixed, mixed))
	length := x.New(math.Sqrt, x.New(arith.AddF, one, x.times(zeta, zeta)))
	tangent := x.over(x.New(math.CopySign, one, zeta), x.New(arith.AddF, x.New(math.AbsF, zeta), length))
	r.c = x.over(one, x.New(math.Sqrt, x.New(arith.AddF, one, x.times(tangent, tangent))))
	r.s = x.times(r.c, tangent)
	return r, needed
}

// roundingOf is the distance from 1 to the next number of a type.
func roundingOf(t ir.Type) float64 {
	switch t {
	case ir.F64:
		return 1.0 / (1 << 52)
	case ir.F32:
		return 1.0 / (1 << 23)
	}
	return 1.0 / (1 << 7)
}

// rotated rotates columns p and q of so many rows, or rows, if across is set: these by the adjoint.
func (x matrix) rotated(a, p, q *ir.Value, r rotation, count *ir.Value, across bool) *ir.Value {
	return x.l.count(index(x.Builder, 0), count, one(a), func(k *ir.Value, c []*ir.Value) []*ir.Value {
		place := func(i *ir.Value) (*ir.Value, *ir.Value) {
			if across {
				return i, k
			}
			return k, i
		}
		pi, pj := place(p)
		qi, qj := place(q)
		u, v := x.get(c[0], pi, pj), x.get(c[0], qi, qj)
		switch {
		case r.turn != nil && across:
			v = x.times(x.conjugate(r.turn), v)
		case r.turn != nil:
			v = x.times(r.turn, v)
		}
		cosine, sine := x.like(r.c, u.Type()), x.like(r.s, u.Type())
		out := x.set(x.minus(x.times(cosine, u), x.times(sine, v)), c[0], pi, pj)
		return one(x.set(x.plus(x.times(sine, u), x.times(cosine, v)), out, qi, qj))
	})[0]
}

// pairs visits all pairs of so many columns in each sweep.
func (x matrix) pairs(count *ir.Value, inits []*ir.Value, visit func(p, q *ir.Value, c []*ir.Value) []*ir.Value) []*ir.Value {
	zero := index(x.Builder, 0)
	return x.l.count(zero, index(x.Builder, sweeps), inits, func(_ *ir.Value, c []*ir.Value) []*ir.Value {
		return x.l.count(zero, count, c, func(p *ir.Value, c []*ir.Value) []*ir.Value {
			return x.l.count(x.after(p), count, c, func(q *ir.Value, c []*ir.Value) []*ir.Value { return visit(p, q, c) })
		})
	})
}

// ordered exchanges columns of matrices until what key says of them rises, or falls. rows are how many rows each of the first matrices has; exchange exchanges what else there is.
func (x matrix) ordered(count *ir.Value, inits []*ir.Value, rows []*ir.Value, falling bool, key func(j *ir.Value, c []*ir.Value) *ir.Value,
	exchange func(i, j *ir.Value, c []*ir.Value) []*ir.Value) []*ir.Value {
	comparison := arith.OLT
	if falling {
		comparison = arith.OGT
	}
	return x.l.count(index(x.Builder, 0), count, inits, func(i *ir.Value, c []*ir.Value) []*ir.Value {
		start := x.after(i)
		best := x.best(i, key(i, c), start, count, comparison, func(j *ir.Value) *ir.Value { return key(j, c) })
		out := exchange(i, best, c)
		for n, m := range rows {
			out[n] = x.l.count(index(x.Builder, 0), m, one(out[n]), func(k *ir.Value, c []*ir.Value) []*ir.Value {
				u, v := x.get(c[0], k, i), x.get(c[0], k, best)
				return one(x.set(u, x.set(v, c[0], k, i), k, best))
			})[0]
		}
		return out
	})
}

// unitMatrix is the matrix of so many rows and columns with ones on its diagonal, for each batch.
func (l *lowering) unitMatrix(batch []size, rows, columns size, elem ir.Type) *ir.Value {
	e := &element{Builder: l.b}
	rank := len(batch) + 2
	return l.generate(append(slices.Clone(batch), rows, columns), elem, func(at []*ir.Value) *ir.Value {
		return e.choose(e.cmpI(arith.EQ, at[rank-2], at[rank-1]), e.number(elem, 1), e.number(elem, 0))
	})
}

// syevd finds the eigenvalues of symmetric or Hermitian matrices, by rising values, and their vectors, which are the columns of the first result. The third is 0. Only one
// triangle is read, and of the diagonal real parts.
func (l *lowering) syevd(op *ir.Op) ([]*ir.Value, error) {
	sizes, err := l.factorized(op, 1, 3, 3)
	if err != nil {
		return nil, err
	}
	b := l.b
	elem := ranked(op.OnlyOperand()).Elem
	real := realOf(elem)
	rank := len(sizes)
	batch, n := sizes[:rank-2], value(b, sizes[rank-1])
	e := &element{Builder: b}
	of := matrix{element: e, l: l}
	lower := letters(op)["uplo"] != 'U'
	// The triangle that counts takes the place of the other one.
	whole := l.generate(sizes, elem, func(at []*ir.Value) *ir.Value {
		i, j := at[rank-2], at[rank-1]
		high, low := e.New(arith.MaxSI, i, j), e.New(arith.MinSI, i, j)
		if !lower {
			high, low = low, high
		}
		v := tensor.NewExtract(b, op.OnlyOperand(), slices.Concat(at[:rank-2], []*ir.Value{high, low})...)
		if complexOf(elem) == nil {
			return v
		}
		other := e.choose(e.cmpI(arith.EQ, i, high), v, of.conjugate(v))
		return e.choose(e.cmpI(arith.EQ, i, j), of.like(of.re(v), elem), other)
	})
	values := empty(b, sizes[:rank-1], real)
	zero := e.number(elem, 0)
	out := l.loops(batch, []*ir.Value{whole, l.unitMatrix(batch, sizes[rank-1], sizes[rank-1], elem), values}, func(at, carried []*ir.Value) []*ir.Value {
		x := matrix{e, l, at, n, n}
		c := x.pairs(n, carried[:2], func(p, q *ir.Value, c []*ir.Value) []*ir.Value {
			r, needed := x.rotationOf(x.get(c[0], p, p), x.get(c[0], q, q), x.get(c[0], p, q))
			count := x.choose(needed, n, index(b, 0))
			a := x.rotated(x.rotated(c[0], p, q, r, count, false), p, q, r, count, true)
			rest := func(i, j *ir.Value) *ir.Value { return x.choose(needed, zero, x.get(a, i, j)) }
			a = x.set(rest(p, q), a, p, q)
			return []*ir.Value{x.set(rest(q, p), a, q, p), x.rotated(c[1], p, q, r, count, false)}
		})
		values := l.count(index(b, 0), n, one(carried[2]), func(j *ir.Value, v []*ir.Value) []*ir.Value {
			return one(tensor.NewInsert(b, x.re(x.get(c[0], j, j)), v[0], slices.Concat(at, one(j))...))
		})[0]
		list := func(v, j *ir.Value) *ir.Value { return tensor.NewExtract(b, v, slices.Concat(at, one(j))...) }
		sorted := x.ordered(n, []*ir.Value{c[1], values}, one(n), false, func(j *ir.Value, c []*ir.Value) *ir.Value { return list(c[1], j) },
			func(i, j *ir.Value, c []*ir.Value) []*ir.Value {
				u, v := list(c[1], i), list(c[1], j)
				swapped := tensor.NewInsert(b, v, c[1], slices.Concat(at, one(i))...)
				return []*ir.Value{c[0], tensor.NewInsert(b, u, swapped, slices.Concat(at, one(j))...)}
			})
		return []*ir.Value{c[0], sorted[0], sorted[1]}
	})
	return []*ir.Value{out[1], out[2], l.filled(batch, e.integer(rankedResult(op, 2).Elem, 0))}, nil
}

// gesdd decomposes matrices into two orthogonal or unitary ones and singular values between them, by falling values. The first result is what the function overwrites,
// the last one 0.
func (l *lowering) gesdd(op *ir.Op) ([]*ir.Value, error) {
	sizes, err := l.factorized(op, 1, 5, 5)
	if err != nil {
		return nil, err
	}
	b, a := l.b, op.OnlyOperand()
	elem := ranked(a).Elem
	rank := len(sizes)
	m, ok := sizes[rank-2].Int()
	n, also := sizes[rank-1].Int()
	if !ok || !also {
		return nil, errorf("the numbers of rows and columns aren't known")
	}
	batch := sizes[:rank-2]
	e := &element{Builder: b}
	mode := letters(op)["mode"]
	// The matrix, or its adjoint, has at least as many rows as columns.
	wide := m < n
	transposed := func(v *ir.Value, rows, columns int64) *ir.Value {
		return l.generate(append(slices.Clone(batch), known(rows), known(columns)), elem, func(at []*ir.Value) *ir.Value {
			return matrix{element: e, l: l}.conjugate(tensor.NewExtract(b, v, slices.Concat(at[:rank-2], []*ir.Value{at[rank-1], at[rank-2]})...))
		})
	}
	work := a
	if wide {
		work, m, n = transposed(a, n, m), n, m
	}
	columns := n
	if mode == 'A' {
		columns = m
	}
	outer := l.filled(append(slices.Clone(batch), known(m), known(columns)), e.number(elem, 0))
	inits := []*ir.Value{work, l.unitMatrix(batch, known(n), known(n), elem), empty(b, append(slices.Clone(batch), known(n)), realOf(elem)), outer}
	rows, count := index(b, m), index(b, n)
	out := l.loops(batch, inits, func(at, carried []*ir.Value) []*ir.Value {
		x := matrix{e, l, at, rows, count}
		c := x.pairs(count, carried[:2], func(p, q *ir.Value, c []*ir.Value) []*ir.Value {
			r, needed := x.rotationOf(x.inner(c[0], p, p), x.inner(c[0], q, q), x.inner(c[0], p, q))
			return []*ir.Value{x.rotated(c[0], p, q, r, x.choose(needed, rows, index(b, 0)), false), x.rotated(c[1], p, q, r, x.choose(needed, count, index(b, 0)), false)}
		})
		squares := func(j *ir.Value, c []*ir.Value) *ir.Value { return x.re(x.inner(c[0], j, j)) }
		c = x.ordered(count, c, []*ir.Value{rows, count}, true, squares, func(_, _ *ir.Value, c []*ir.Value) []*ir.Value { return slices.Clone(c) })
		// What is as small as rounding makes of nothing has no direction.
		real := realOf(elem)
		nothing := x.number(real, 0)
		if n > 0 {
			nothing = x.times(x.New(math.Sqrt, squares(index(b, 0), c)), x.number(real, float64(m)*roundingOf(real)))
		}
		done := l.count(index(b, 0), count, []*ir.Value{carried[2], carried[3]}, func(j *ir.Value, o []*ir.Value) []*ir.Value {
			length := x.New(math.Sqrt, squares(j, c))
			return []*ir.Value{tensor.NewInsert(b, length, o[0], slices.Concat(at, one(j))...), x.outerColumn(o[1], c[0], j, length, nothing)}
		})
		if columns > n {
			done[1] = l.count(count, rows, one(done[1]), func(j *ir.Value, o []*ir.Value) []*ir.Value { return one(x.completed(o[0], j)) })[0]
		}
		return []*ir.Value{c[0], c[1], done[0], done[1]}
	})
	u, vt := out[3], transposed(out[1], n, n)
	if wide {
		u, vt = out[1], transposed(out[3], columns, m)
	}
	if mode == 'N' {
		u, vt = l.filled(sizesOfType(op, 2), e.number(elem, 0)), l.filled(sizesOfType(op, 3), e.number(elem, 0))
	}
	return []*ir.Value{a, out[2], u, vt, l.filled(batch, e.integer(rankedResult(op, 4).Elem, 0))}, nil
}

// sizesOfType are the sizes of a result, which are known.
func sizesOfType(op *ir.Op, i int) []size {
	var out []size
	for _, n := range rankedResult(op, i).Shape {
		out = append(out, known(n))
	}
	return out
}

// inner is the product of the adjoint of a column and another one.
func (x matrix) inner(a, p, q *ir.Value) *ir.Value {
	return x.l.count(index(x.Builder, 0), x.m, one(x.number(ranked(a).Elem, 0)), func(k *ir.Value, c []*ir.Value) []*ir.Value {
		return one(x.plus(c[0], x.times(x.conjugate(x.get(a, k, p)), x.get(a, k, q))))
	})[0]
}

// outerColumn writes a column of a matrix, divided by its length, as column j of another one. One that isn't longer than nothing becomes any column that is
// orthogonal to those before.
func (x matrix) outerColumn(to, a, j, length, nothing *ir.Value) *ir.Value {
	none := x.cmpF(arith.OLE, length, nothing)
	return x.l.when(none, func() []*ir.Value { return one(x.completed(to, j)) }, func() []*ir.Value {
		return x.l.count(index(x.Builder, 0), x.m, one(to), func(k *ir.Value, c []*ir.Value) []*ir.Value {
			v := x.get(a, k, j)
			return one(x.set(x.over(v, x.like(length, v.Type())), c[0], k, j))
		})
	}, []ir.Type{to.Type()})[0]
}

// completed makes column j of a matrix one of length 1 that is orthogonal to those before: the unit vector that they have the least of, less what they have of it, twice
// because of rounding.
func (x matrix) completed(u, j *ir.Value) *ir.Value {
	t := ranked(u).Elem
	real := realOf(t)
	start, zero := index(x.Builder, 0), x.number(t, 0)
	share := func(i *ir.Value) *ir.Value {
		return x.l.count(start, j, one(x.number(real, 0)), func(k *ir.Value, c []*ir.Value) []*ir.Value {
			return one(x.plus(c[0], x.square(x.get(u, i, k))))
		})[0]
	}
	axis := x.best(start, x.number(real, 2), start, x.m, arith.OLT, share)
	out := x.l.count(start, x.m, one(u), func(i *ir.Value, c []*ir.Value) []*ir.Value {
		return one(x.set(x.choose(x.cmpI(arith.EQ, i, axis), x.number(t, 1), zero), c[0], i, j))
	})[0]
	for range 2 {
		out = x.l.count(start, j, one(out), func(k *ir.Value, c []*ir.Value) []*ir.Value {
			part := x.inner(c[0], k, j)
			return x.l.count(start, x.m, c, func(i *ir.Value, c []*ir.Value) []*ir.Value {
				return one(x.set(x.minus(x.get(c[0], i, j), x.times(part, x.get(c[0], i, k))), c[0], i, j))
			})
		})[0]
	}
	length := x.like(x.New(math.Sqrt, x.re(x.inner(out, j, j))), t)
	return x.l.count(start, x.m, one(out), func(i *ir.Value, c []*ir.Value) []*ir.Value {
		return one(x.set(x.over(x.get(c[0], i, j), length), c[0], i, j))
	})[0]
}

// pivotsToPermutation makes a permutation of the rows that getrf exchanged, which count from 0 on here.
func (l *lowering) pivotsToPermutation(op *ir.Op) ([]*ir.Value, error) {
	if op.NumOperands() != 1 || op.NumResults() != 1 || ranked(op.Operand(0)) == nil || len(ranked(op.Operand(0)).Shape) < 1 {
		return nil, errorf("it doesn't have the operands and results that the function has")
	}
	b, v := l.b, op.OnlyOperand()
	sizes := sizesOf(b, v)
	rank := len(sizes)
	n, ok := ir.NumElements(rankedResult(op, 0).Shape[rank-1:])
	if !ok {
		return nil, errorf("how long a permutation is isn't known")
	}
	t := rankedResult(op, 0).Elem
	identity := l.generate(append(slices.Clone(sizes[:rank-1]), known(n)), t, func(at []*ir.Value) *ir.Value { return l.fromIndex(at[rank-1], t) })
	return l.loops(sizes, one(identity), func(at, c []*ir.Value) []*ir.Value {
		other := slices.Concat(at[:rank-1], one(l.asIndex(tensor.NewExtract(b, v, at...))))
		x, y := tensor.NewExtract(b, c[0], at...), tensor.NewExtract(b, c[0], other...)
		return one(tensor.NewInsert(b, x, tensor.NewInsert(b, y, c[0], at...), other...))
	}), nil
}
