package stablehlo

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/math"
	"freehold/dialect/tensor"
	"freehold/ir"
)

// Schur's decomposition. Of complex matrices it is what spectrum makes of them; real ones stay real, with a block of two rows for each pair of complex eigenvalues, by the QR algorithm
// with two shifts at once (Francis, 1961), which are those of the last two rows: real, or a complex number and its conjugate.

// gees decomposes square matrices into an upper triangle, which for real ones may have blocks of two by two, and a unitary matrix, by Schur. Results are these, the eigenvalues, of real
// matrices the real and the imaginary parts apart, how many of them were chosen, which is none, and 0, or how many eigenvalues at least weren't found.
func (l *lowering) gees(op *ir.Op) ([]*ir.Value, error) {
	if sort, ok := letters(op)["sort"]; ok && sort != 'N' {
		return nil, errorf("eigenvalues aren't chosen")
	}
	results := 5
	if a := op.OnlyOperand(); a != nil && complexOf(ir.ElementType(a.Type())) == nil {
		results = 6
	}
	sizes, err := l.squares(op, results)
	if err != nil {
		return nil, err
	}
	b, e, a := l.b, &element{Builder: l.b}, op.OnlyOperand()
	rank := len(sizes)
	elem := ranked(a).Elem
	batch, n := sizes[:rank-2], value(b, sizes[rank-1])
	chosen, info := rankedResult(op, results-2).Elem, rankedResult(op, results-1).Elem
	inits := []*ir.Value{a, l.unitMatrix(batch, sizes[rank-1], sizes[rank-1], elem), l.filled(batch, e.integer(info, 0))}
	for range results - 4 {
		inits = append(inits, empty(b, sizes[:rank-1], elem))
	}
	out := l.loops(batch, inits, func(at, c []*ir.Value) []*ir.Value {
		x := &spectrum{matrix{e, l, at, n, n}, realOf(elem), nil}
		x.size = x.length(c[0], x.real)
		var h, q, left *ir.Value
		values := c[3:]
		if results == 5 {
			h, q, left = x.triangle(c[0], c[1])
			values = one(x.diagonal(h, values[0]))
		} else {
			h, q, left = x.blocks(c[0], c[1])
			values = x.blockValues(h, values)
		}
		return append([]*ir.Value{h, q, tensor.NewInsert(b, l.fromIndex(left, info), c[2], at...)}, values...)
	})
	return slices.Concat(out[:2], out[3:], []*ir.Value{l.filled(batch, e.integer(chosen, 0)), out[2]}), nil
}

// blocks makes a real matrix h one that has only pairs of rows coupled below its main diagonal, by rotations from both sides, and gives q these. left is how many eigenvalues at least
// weren't found.
func (x *spectrum) blocks(h, q *ir.Value) (_, _, left *ir.Value) {
	return x.iterated(h, q, x.doubleStep)
}

// within is what a body makes of values if a condition holds.
func (x *spectrum) within(cond *ir.Value, values []*ir.Value, body func(c []*ir.Value) []*ir.Value) []*ir.Value {
	zero := index(x.Builder, 0)
	return x.l.count(zero, x.choose(cond, index(x.Builder, 1), zero), values, func(_ *ir.Value, c []*ir.Value) []*ir.Value { return body(c) })
}

// doubleStep is one of the QR algorithm with two shifts, on the rows up to high that are still coupled to each other, or finds that the last one isn't coupled, or only to the one before.
// tries is how many steps there were for it.
func (x *spectrum) doubleStep(h, q, high, tries *ir.Value) []*ir.Value {
	b, zero := x.Builder, index(x.Builder, 0)
	h, low := x.decoupled(h, high)
	single := x.cmpI(arith.EQ, low, high)
	pair := x.New(arith.AndI, x.invert(single), x.cmpI(arith.EQ, x.after(low), high))
	found := x.New(arith.OrI, single, pair)
	// What rounding leaves of a block with real eigenvalues the second time takes apart.
	c := x.l.count(zero, x.choose(pair, index(b, 2), zero), []*ir.Value{h, q}, func(_ *ir.Value, c []*ir.Value) []*ir.Value {
		return x.standard(c[0], c[1], low, high)
	})
	c = x.within(x.invert(found), c, func(c []*ir.Value) []*ir.Value {
		first := x.firstColumn(c[0], low, high, tries)
		second, third := x.after(low), x.after(x.after(low))
		// The rotations that make the first column of the shifted matrix a multiple of the first unit vector couple more rows; those that follow undo that, column by column.
		h, q := x.turned(c[0], c[1], second, third, first[1], first[2])
		h, q = x.turned(h, q, low, second, first[0], x.New(math.Sqrt, x.plus(x.times(first[1], first[1]), x.times(first[2], first[2]))))
		return x.l.count(low, x.before(high), []*ir.Value{h, q}, func(k *ir.Value, c []*ir.Value) []*ir.Value {
			row := x.after(k)
			last := x.New(arith.MinSI, x.after(x.after(row)), high)
			return x.l.count(x.after(row), x.after(last), c, func(s *ir.Value, c []*ir.Value) []*ir.Value {
				i := x.New(arith.SubI, x.New(arith.AddI, last, x.after(row)), s)
				j := x.before(i)
				h, q := x.turned(c[0], c[1], j, i, x.get(c[0], j, k), x.get(c[0], i, k))
				return []*ir.Value{x.set(x.number(x.real, 0), h, i, k), q}
			})
		})
	})
	next := x.choose(single, x.before(high), x.choose(pair, x.before(x.before(high)), high))
	return []*ir.Value{c[0], c[1], next, x.choose(found, zero, x.after(tries))}
}

// firstColumn are the first three numbers, which are those that aren't zero, of the first column of (h - s) (h - t) for the eigenvalues s and t of the last two rows up to high, or now and then
// for other numbers, since there are matrices that these don't change.
func (x *spectrum) firstColumn(h, low, high, tries *ir.Value) []*ir.Value {
	i := x.before(high)
	a, b, c, d := x.get(h, i, i), x.get(h, i, high), x.get(h, high, i), x.get(h, high, high)
	sum, product := x.plus(a, d), x.minus(x.times(a, d), x.times(b, c))
	tenth := x.cmpI(arith.EQ, x.New(arith.RemUI, tries, index(x.Builder, 10)), index(x.Builder, 9))
	other := x.plus(x.New(math.AbsF, c), x.New(math.AbsF, x.get(h, i, x.before(i))))
	sum = x.choose(tenth, x.times(x.number(x.real, 1.5), other), sum)
	product = x.choose(tenth, x.times(other, other), product)
	next := x.after(low)
	p, below := x.get(h, low, low), x.get(h, next, low)
	// All three are multiples of the number below the diagonal; without it they are smaller.
	first := x.plus(x.over(x.plus(x.times(p, x.minus(p, sum)), product), below), x.get(h, low, next))
	second := x.minus(x.plus(p, x.get(h, next, next)), sum)
	return []*ir.Value{first, second, x.get(h, x.after(next), next)}
}

// standard makes the rows i and j of a matrix, the next one, a triangle, or a block whose numbers on the diagonal are the same, and those beside it have different signs.
func (x *spectrum) standard(h, q, i, j *ir.Value) []*ir.Value {
	nothing, unit, half := x.number(x.real, 0), x.number(x.real, 1), x.number(x.real, 0.5)
	b, c := x.get(h, i, j), x.get(h, j, i)
	difference := x.minus(x.get(h, i, i), x.get(h, j, j))
	p := x.times(half, difference)
	square := x.plus(x.times(p, p), x.times(b, c))
	isReal := x.cmpF(arith.OGE, square, nothing)
	done := x.cmpF(arith.OEQ, c, nothing)
	even := x.New(arith.AndI, x.cmpF(arith.OEQ, difference, nothing), x.invert(isReal))
	needed := x.invert(x.New(arith.OrI, done, even))
	return x.within(needed, []*ir.Value{h, q}, func(m []*ir.Value) []*ir.Value {
		z := x.plus(p, x.New(math.CopySign, x.New(math.Sqrt, x.choose(isReal, square, nothing)), p))
		size := x.New(math.Sqrt, x.plus(x.times(c, c), x.times(z, z)))
		sum := x.plus(b, c)
		length := x.New(math.Sqrt, x.plus(x.times(sum, sum), x.times(difference, difference)))
		cosine := x.New(math.Sqrt, x.times(half, x.plus(unit, x.over(x.New(math.AbsF, sum), length))))
		sine := x.over(x.New(math.CopySign, p, x.times(p, sum)), x.times(length, cosine))
		r := rotation{c: x.choose(isReal, x.over(z, size), cosine), s: x.choose(isReal, x.over(x.minus(nothing, c), size), sine)}
		h := x.rotated(x.rotated(m[0], i, j, r, x.n, true), i, j, r, x.n, false)
		q := x.rotated(m[1], i, j, r, x.n, false)
		u, v := x.get(h, i, i), x.get(h, j, j)
		mean := x.times(half, x.plus(u, v))
		h = x.set(x.choose(isReal, u, mean), h, i, i)
		h = x.set(x.choose(isReal, v, mean), h, j, j)
		return []*ir.Value{x.set(x.choose(isReal, nothing, x.get(h, j, i)), h, j, i), q}
	})
}

// blockValues writes the real and the imaginary parts of the eigenvalues of blocks to two lists: of those of a pair, the first one has the positive part.
func (x *spectrum) blockValues(h *ir.Value, lists []*ir.Value) []*ir.Value {
	nothing := x.number(x.real, 0)
	return x.l.count(index(x.Builder, 0), x.n, lists, func(j *ir.Value, c []*ir.Value) []*ir.Value {
		at := slices.Concat(x.at, one(j))
		last := x.before(x.n)
		next, previous := x.New(arith.MinSI, x.after(j), last), x.before(j)
		part := func(i, k *ir.Value) *ir.Value {
			b, c := x.New(math.AbsF, x.get(h, i, k)), x.New(math.AbsF, x.get(h, k, i))
			coupled := x.New(arith.AndI, x.cmpI(arith.NE, i, k), x.cmpF(arith.ONE, c, nothing))
			return x.choose(coupled, x.times(x.New(math.Sqrt, b), x.New(math.Sqrt, c)), nothing)
		}
		im := x.minus(part(j, next), part(previous, j))
		return []*ir.Value{tensor.NewInsert(x.Builder, x.get(h, j, j), c[0], at...), tensor.NewInsert(x.Builder, im, c[1], at...)}
	})
}
