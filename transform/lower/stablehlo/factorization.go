package stablehlo

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/complex"
	"freehold/dialect/math"
	"freehold/dialect/scf"
	"freehold/dialect/tensor"
	"freehold/ir"
)

// count is a loop over the indices from low up to high that carries values on.
func (l *lowering) count(low, high *ir.Value, inits []*ir.Value, body func(i *ir.Value, carried []*ir.Value) []*ir.Value) []*ir.Value {
	return scf.NewFor(l.b, low, high, index(l.b, 1), inits, func(_ *ir.Builder, i *ir.Value, args []*ir.Value) []*ir.Value { return body(i, args) }).Results().Values()
}

// matrix is one matrix of a batch, of m rows and n columns.
type matrix struct {
	*element
	l    *lowering
	at   []*ir.Value
	m, n *ir.Value
}

func (x matrix) get(a, i, j *ir.Value) *ir.Value {
	return tensor.NewExtract(x.Builder, a, slices.Concat(x.at, []*ir.Value{i, j})...)
}

func (x matrix) set(v, a, i, j *ir.Value) *ir.Value {
	return tensor.NewInsert(x.Builder, v, a, slices.Concat(x.at, []*ir.Value{i, j})...)
}

func (x matrix) after(i *ir.Value) *ir.Value { return x.New(arith.AddI, i, index(x.Builder, 1)) }

// calculate is an operation on numbers, real or complex ones.
func (x matrix) calculate(onFloat, onComplex *ir.OpID, a, b *ir.Value) *ir.Value {
	if complexOf(a.Type()) != nil {
		return x.New(onComplex, a, b)
	}
	return x.New(onFloat, a, b)
}

func (x matrix) minus(a, b *ir.Value) *ir.Value { return x.calculate(arith.SubF, complex.Sub, a, b) }
func (x matrix) times(a, b *ir.Value) *ir.Value { return x.calculate(arith.MulF, complex.Mul, a, b) }
func (x matrix) over(a, b *ir.Value) *ir.Value  { return x.calculate(arith.DivF, complex.Div, a, b) }
func (x matrix) plus(a, b *ir.Value) *ir.Value  { return x.calculate(arith.AddF, complex.Add, a, b) }

// conjugate is the number with the other sign of its imaginary part.
func (x matrix) conjugate(v *ir.Value) *ir.Value {
	if complexOf(v.Type()) == nil {
		return v
	}
	return x.New(complex.Conj, v)
}

// re is the real part of a number.
func (x matrix) re(v *ir.Value) *ir.Value {
	if complexOf(v.Type()) == nil {
		return v
	}
	return x.part(complex.Re, v)
}

// im is the imaginary part of a number, which is complex.
func (x matrix) im(v *ir.Value) *ir.Value { return x.part(complex.Im, v) }

// like makes a number of some type of a real one.
func (x matrix) like(v *ir.Value, t ir.Type) *ir.Value {
	if complexOf(t) == nil {
		return v
	}
	return complex.NewCreate(x.Builder, v, x.number(v.Type(), 0))
}

// square is the square of the absolute value.
func (x matrix) square(v *ir.Value) *ir.Value { return x.re(x.times(x.conjugate(v), v)) }

// realOf is the type of the parts of numbers.
func realOf(t ir.Type) ir.Type {
	if c := complexOf(t); c != nil {
		return c.Elem
	}
	return t
}

// magnitude is by what LAPACK compares numbers: the absolute value, of complex ones the sum of those of the parts.
func (x matrix) magnitude(v *ir.Value) *ir.Value {
	if complexOf(v.Type()) == nil {
		return x.New(math.AbsF, v)
	}
	return x.New(arith.AddF, x.New(math.AbsF, x.part(complex.Re, v)), x.New(math.AbsF, x.part(complex.Im, v)))
}

// factorized checks the numbers of operands and results of a factorization of matrices, and returns the sizes of the operand.
func (l *lowering) factorized(op *ir.Op, operands, least, most int) ([]size, error) {
	if op.NumOperands() != operands || op.NumResults() < least || op.NumResults() > most || ranked(op.Operand(0)) == nil || len(ranked(op.Operand(0)).Shape) < 2 {
		return nil, errorf("it doesn't have the operands and results that the function has")
	}
	return sizesOf(l.b, op.Operand(0)), nil
}

// getrf decomposes into a lower and an upper triangle, with partial pivoting. The second result is the row that each row was exchanged for, from 1 on, the
// third is 0, or the number of the first pivot that is zero.
func (l *lowering) getrf(op *ir.Op) ([]*ir.Value, error) {
	sizes, err := l.factorized(op, 1, 3, 3)
	if err != nil {
		return nil, err
	}
	b := l.b
	rank := len(sizes)
	batch := sizes[:rank-2]
	least := smaller(b, sizes[rank-2], sizes[rank-1])
	e := &element{Builder: b}
	number := rankedResult(op, 2).Elem
	zero := e.integer(number, 0)
	inits := []*ir.Value{op.OnlyOperand(), l.filled(append(slices.Clone(batch), least), e.integer(rankedResult(op, 1).Elem, 0)), l.filled(batch, zero)}
	steps, m, n := value(b, least), value(b, sizes[rank-2]), value(b, sizes[rank-1])
	return l.loops(batch, inits, func(at, carried []*ir.Value) []*ir.Value {
		x := matrix{e, l, at, m, n}
		done := l.count(index(b, 0), steps, []*ir.Value{carried[0], carried[1], zero}, func(k *ir.Value, c []*ir.Value) []*ir.Value {
			row := x.largest(c[0], k)
			pivots := tensor.NewInsert(b, l.fromIndex(x.after(row), rankedResult(op, 1).Elem), c[1], slices.Concat(at, one(k))...)
			a := x.exchanged(c[0], k, row)
			pivot := x.get(a, k, k)
			nothing := x.cmpF(arith.OEQ, x.magnitude(pivot), x.number(x.magnitude(pivot).Type(), 0))
			first := x.New(arith.AndI, nothing, x.cmpI(arith.EQ, c[2], zero))
			return []*ir.Value{x.eliminated(a, k, pivot, nothing), pivots, x.choose(first, l.fromIndex(x.after(k), number), c[2])}
		})
		return []*ir.Value{done[0], done[1], tensor.NewInsert(b, done[2], carried[2], at...)}
	}), nil
}

// best is the number, of one and those from a start up to an end, of which key says the most by a comparison; the first of several. The number itself has what is given.
func (x matrix) best(first, of, start, end *ir.Value, by arith.FloatPredicate, key func(i *ir.Value) *ir.Value) *ir.Value {
	return x.l.count(start, end, []*ir.Value{first, of}, func(i *ir.Value, best []*ir.Value) []*ir.Value {
		v := key(i)
		better := x.cmpF(by, v, best[1])
		return []*ir.Value{x.choose(better, i, best[0]), x.choose(better, v, best[1])}
	})[0]
}

// largest is the row, from k on, that has the largest number in column k; the first of several.
func (x matrix) largest(a, k *ir.Value) *ir.Value {
	key := func(i *ir.Value) *ir.Value { return x.magnitude(x.get(a, i, k)) }
	start := x.after(k)
	return x.best(k, key(k), start, x.m, arith.OGT, key)
}

// exchanged is the matrix with two rows exchanged.
func (x matrix) exchanged(a, i, k *ir.Value) *ir.Value {
	return x.l.count(index(x.Builder, 0), x.n, one(a), func(j *ir.Value, c []*ir.Value) []*ir.Value {
		u, v := x.get(c[0], i, j), x.get(c[0], k, j)
		return one(x.set(u, x.set(v, c[0], i, j), k, j))
	})[0]
}

// eliminated divides what is below a pivot by it, unless that is zero, and subtracts multiples of its row from those below.
func (x matrix) eliminated(a, k, pivot, nothing *ir.Value) *ir.Value {
	return x.l.count(x.after(k), x.m, one(a), func(i *ir.Value, rows []*ir.Value) []*ir.Value {
		old := x.get(rows[0], i, k)
		factor := x.choose(nothing, old, x.over(old, pivot))
		return x.l.count(x.after(k), x.n, one(x.set(factor, rows[0], i, k)), func(j *ir.Value, c []*ir.Value) []*ir.Value {
			return one(x.set(x.minus(x.get(c[0], i, j), x.times(factor, x.get(c[0], k, j))), c[0], i, j))
		})
	})[0]
}

// geqrf decomposes by reflections: the upper triangle of the first result is R, what is below are the vectors of the reflections, whose factors are the second one.
// A third result is 0.
func (l *lowering) geqrf(op *ir.Op) ([]*ir.Value, error) {
	sizes, err := l.factorized(op, 1, 2, 3)
	if err != nil {
		return nil, err
	}
	b := l.b
	elem := ranked(op.OnlyOperand()).Elem
	rank := len(sizes)
	batch := sizes[:rank-2]
	least := smaller(b, sizes[rank-2], sizes[rank-1])
	e := &element{Builder: b}
	steps, m, n := value(b, least), value(b, sizes[rank-2]), value(b, sizes[rank-1])
	inits := []*ir.Value{op.OnlyOperand(), l.filled(append(slices.Clone(batch), least), e.number(elem, 0))}
	out := l.loops(batch, inits, func(at, carried []*ir.Value) []*ir.Value {
		x := matrix{e, l, at, m, n}
		return l.count(index(b, 0), steps, carried, func(k *ir.Value, c []*ir.Value) []*ir.Value {
			a, factor := x.reflector(c[0], k, k)
			a = l.count(x.after(k), n, one(a), func(j *ir.Value, c []*ir.Value) []*ir.Value {
				return one(x.reflected(c[0], nil, k, k, j, x.conjugate(factor)))
			})[0]
			return []*ir.Value{a, tensor.NewInsert(b, factor, c[1], slices.Concat(at, one(k))...)}
		})
	})
	if op.NumResults() == 3 {
		out = append(out, l.filled(batch, e.integer(rankedResult(op, 2).Elem, 0)))
	}
	return out, nil
}

// reflector makes column k, from a row on, a multiple of the first unit vector by a real number, and keeps the vector of the reflection whose adjoint does so below that row.
func (x matrix) reflector(a, row, k *ir.Value) (reflected, factor *ir.Value) {
	alpha := x.get(a, row, k)
	t := alpha.Type()
	real := realOf(t)
	zero := x.number(real, 0)
	squares := x.l.count(x.after(row), x.m, one(zero), func(i *ir.Value, c []*ir.Value) []*ir.Value {
		return one(x.plus(c[0], x.square(x.get(a, i, k))))
	})[0]
	others := squares
	if complexOf(t) != nil {
		others = x.plus(squares, x.times(x.im(alpha), x.im(alpha)))
	}
	nothing := x.cmpF(arith.OEQ, others, zero)
	length := x.New(math.Sqrt, x.plus(x.square(alpha), squares))
	beta := x.choose(nothing, x.re(alpha), x.New(arith.NegF, x.New(math.CopySign, length, x.re(alpha))))
	safe := func(v *ir.Value) *ir.Value { return x.choose(nothing, x.number(v.Type(), 1), v) }
	whole := x.like(beta, t)
	factor = x.choose(nothing, x.number(t, 0), x.over(x.minus(whole, alpha), safe(whole)))
	divisor := safe(x.minus(alpha, whole))
	reflected = x.l.count(x.after(row), x.m, one(x.set(whole, a, row, k)), func(i *ir.Value, c []*ir.Value) []*ir.Value {
		return one(x.set(x.over(x.get(c[0], i, k), divisor), c[0], i, k))
	})[0]
	return reflected, factor
}

// reflected reflects column j of a matrix, from a row on, by the vector in column k of another one, or of its own, whose first number is 1.
func (x matrix) reflected(a, vectors, row, k, j, factor *ir.Value) *ir.Value {
	vector := func(a, i *ir.Value) *ir.Value {
		from := vectors
		if from == nil {
			from = a
		}
		return x.get(from, i, k)
	}
	sum := x.l.count(x.after(row), x.m, one(x.get(a, row, j)), func(i *ir.Value, c []*ir.Value) []*ir.Value {
		return one(x.plus(c[0], x.times(x.conjugate(vector(a, i)), x.get(a, i, j))))
	})[0]
	step := x.times(factor, sum)
	a = x.set(x.minus(x.get(a, row, j), step), a, row, j)
	return x.l.count(x.after(row), x.m, one(a), func(i *ir.Value, c []*ir.Value) []*ir.Value {
		return one(x.set(x.minus(x.get(c[0], i, j), x.times(step, vector(c[0], i))), c[0], i, j))
	})[0]
}

// orgqr is the first columns of the product of the reflections that geqrf made. A second result is 0.
func (l *lowering) orgqr(op *ir.Op) ([]*ir.Value, error) {
	sizes, err := l.factorized(op, 2, 1, 2)
	if err != nil {
		return nil, err
	}
	b := l.b
	elem := ranked(op.Operand(0)).Elem
	rank := len(sizes)
	batch := sizes[:rank-2]
	e := &element{Builder: b}
	m, n := value(b, sizes[rank-2]), value(b, sizes[rank-1])
	factors := op.Operand(1)
	steps := value(b, sizesOf(b, factors)[rank-2])
	unit := l.generate(sizes, elem, func(at []*ir.Value) *ir.Value {
		return e.choose(e.cmpI(arith.EQ, at[rank-2], at[rank-1]), e.number(elem, 1), e.number(elem, 0))
	})
	out := l.loops(batch, one(unit), func(at, carried []*ir.Value) []*ir.Value {
		x := matrix{e, l, at, m, n}
		return l.count(index(b, 0), steps, carried, func(step *ir.Value, c []*ir.Value) []*ir.Value {
			k := x.New(arith.SubI, x.New(arith.SubI, steps, index(b, 1)), step)
			factor := tensor.NewExtract(b, factors, slices.Concat(at, one(k))...)
			return l.count(index(b, 0), n, c, func(j *ir.Value, c []*ir.Value) []*ir.Value {
				return one(x.reflected(c[0], op.Operand(0), k, k, j, factor))
			})
		})
	})
	if op.NumResults() == 2 {
		out = append(out, l.filled(batch, e.integer(rankedResult(op, 1).Elem, 0)))
	}
	return out, nil
}
