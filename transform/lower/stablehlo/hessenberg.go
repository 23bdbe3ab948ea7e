package stablehlo

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/tensor"
	"freehold/ir"
)

// Reflections from both sides, which keep eigenvalues.

// squares are the sizes of square matrices, the operand of a function.
func (l *lowering) squares(op *ir.Op, results int) ([]size, error) {
	sizes, err := l.factorized(op, 1, results, results)
	if err != nil {
		return nil, err
	}
	shape := ranked(op.Operand(0)).Shape
	if m, n := shape[len(shape)-2], shape[len(shape)-1]; !ir.SameSize(m, n) {
		return nil, errorf("matrices of %d rows and %d columns aren't square", m, n)
	}
	return sizes, nil
}

// gehrd makes square matrices ones with a single diagonal below the main one, by reflections from both sides, whose vectors are kept below that diagonal, and whose factors are the second
// result. The third one is 0.
func (l *lowering) gehrd(op *ir.Op) ([]*ir.Value, error) {
	sizes, err := l.squares(op, 3)
	if err != nil {
		return nil, err
	}
	e := &element{Builder: l.b}
	rank := len(sizes)
	limits := letters(op)
	if low, ok := limits["low"]; ok && low != 1 {
		return nil, errorf("only whole matrices are reduced, and not those from row %d on", low)
	}
	if high, ok := limits["high"]; ok && ranked(op.Operand(0)).Shape[rank-1] < 256 && !ir.SameSize(ranked(op.Operand(0)).Shape[rank-1], int64(high)) {
		return nil, errorf("only whole matrices are reduced, and not those up to row %d", high)
	}
	out := l.reduced(op.OnlyOperand(), sizes, rankedResult(op, 1).Elem)
	return append(out, l.filled(sizes[:rank-2], e.integer(rankedResult(op, 2).Elem, 0))), nil
}

// reduced are matrices that reflections from both sides gave a single diagonal below the main one, with the vectors of the reflections below that diagonal, and the factors of these.
func (l *lowering) reduced(a *ir.Value, sizes []size, factors ir.Type) []*ir.Value {
	b, e := l.b, &element{Builder: l.b}
	rank := len(sizes)
	n := value(b, sizes[rank-1])
	fewer := larger(b, minus(b, sizes[rank-1], known(1)), known(0))
	inits := []*ir.Value{a, l.filled(append(slices.Clone(sizes[:rank-2]), fewer), e.number(factors, 0))}
	return l.loops(sizes[:rank-2], inits, func(at, carried []*ir.Value) []*ir.Value {
		x := matrix{e, l, at, n, n}
		return l.count(index(b, 0), value(b, fewer), carried, func(k *ir.Value, c []*ir.Value) []*ir.Value {
			row := x.after(k)
			a, factor := x.reflector(c[0], row, k)
			return []*ir.Value{x.mirrored(a, row, k, factor), tensor.NewInsert(b, factor, c[1], slices.Concat(at, one(k))...)}
		})
	})
}

// mirrored multiplies what is behind column k of a matrix from the right by the reflection whose vector is in that column, from a row on, where its first number is 1, and from the left by its
// adjoint.
func (x matrix) mirrored(a, row, k, factor *ir.Value) *ir.Value {
	a = x.l.count(row, x.n, one(a), func(j *ir.Value, c []*ir.Value) []*ir.Value {
		return one(x.reflected(c[0], nil, row, k, j, x.conjugate(factor)))
	})[0]
	return x.l.count(index(x.Builder, 0), x.m, one(a), func(i *ir.Value, c []*ir.Value) []*ir.Value {
		sum := x.l.count(x.after(row), x.n, one(x.get(c[0], i, row)), func(j *ir.Value, s []*ir.Value) []*ir.Value {
			return one(x.plus(s[0], x.times(x.get(c[0], i, j), x.get(c[0], j, k))))
		})[0]
		step := x.times(sum, factor)
		a := x.set(x.minus(x.get(c[0], i, row), step), c[0], i, row)
		return x.l.count(x.after(row), x.n, one(a), func(j *ir.Value, c []*ir.Value) []*ir.Value {
			return one(x.set(x.minus(x.get(c[0], i, j), x.times(step, x.conjugate(x.get(c[0], j, k)))), c[0], i, j))
		})
	})[0]
}

// sytrd makes symmetric or Hermitian matrices ones with three diagonals, as gehrd does. Results are the matrices, of which one triangle is as it was, the main diagonals, those beside
// them, which are real, the factors, and 0. From the upper triangle, all goes from the last row up to the first.
func (l *lowering) sytrd(op *ir.Op) ([]*ir.Value, error) {
	sizes, err := l.squares(op, 5)
	if err != nil {
		return nil, err
	}
	b, e, a := l.b, &element{Builder: l.b}, op.OnlyOperand()
	elem := ranked(a).Elem
	real := realOf(elem)
	rank := len(sizes)
	batch := sizes[:rank-2]
	of := matrix{element: e, l: l}
	upper := letters(op)["uplo"] == 'U'
	// there is the index in the matrix that is reduced of one along a dimension of some size, and the other way round.
	there := func(i *ir.Value, n size) *ir.Value {
		if !upper {
			return i
		}
		return arith.New(b, arith.SubI, arith.New(b, arith.SubI, value(b, n), index(b, 1)), i)
	}
	read := func(t *ir.Value, at []*ir.Value, i, j *ir.Value) *ir.Value {
		return tensor.NewExtract(b, t, slices.Concat(at[:rank-2], []*ir.Value{i, j})...)
	}
	n := sizes[rank-1]
	whole := l.generate(sizes, elem, func(at []*ir.Value) *ir.Value {
		i, j := there(at[rank-2], n), there(at[rank-1], n)
		high, low := e.New(arith.MaxSI, i, j), e.New(arith.MinSI, i, j)
		if upper {
			high, low = low, high
		}
		v := read(a, at, high, low)
		v = e.choose(e.cmpI(arith.EQ, i, j), of.like(of.re(v), elem), v)
		return e.choose(e.cmpI(arith.EQ, i, high), v, of.conjugate(v))
	})
	out := l.reduced(whole, sizes, rankedResult(op, 3).Elem)
	fewer := larger(b, minus(b, n, known(1)), known(0))
	result := l.generate(sizes, elem, func(at []*ir.Value) *ir.Value {
		i, j := at[rank-2], at[rank-1]
		p := arith.SGE
		if upper {
			p = arith.SLE
		}
		return e.choose(e.cmpI(p, i, j), read(out[0], at, there(i, n), there(j, n)), read(a, at, i, j))
	})
	main := l.generate(sizes[:rank-1], real, func(at []*ir.Value) *ir.Value {
		i := there(at[rank-2], n)
		return of.re(read(out[0], at, i, i))
	})
	list := append(slices.Clone(batch), fewer)
	beside := l.generate(list, real, func(at []*ir.Value) *ir.Value {
		i := there(at[rank-2], fewer)
		return of.re(read(out[0], at, of.after(i), i))
	})
	factors := l.generate(list, elem, func(at []*ir.Value) *ir.Value {
		return tensor.NewExtract(b, out[1], append(slices.Clone(at[:rank-2]), there(at[rank-2], fewer))...)
	})
	return []*ir.Value{result, main, beside, factors, l.filled(batch, e.integer(rankedResult(op, 4).Elem, 0))}, nil
}
