package stablehlo

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/tensor"
	"freehold/ir"
)

// geqp3 decomposes as geqrf does, and takes the longest column that is left at each step, behind those that the second operand names by numbers other than 0. The second result is the
// number of each column, from 1 on, the third the factors. A fourth one is 0.
func (l *lowering) geqp3(op *ir.Op) ([]*ir.Value, error) {
	sizes, err := l.factorized(op, 2, 3, 4)
	if err != nil {
		return nil, err
	}
	b, e, a, chosen := l.b, &element{Builder: l.b}, op.Operand(0), op.Operand(1)
	elem := ranked(a).Elem
	if _, ok := ir.ElementType(chosen.Type()).(*ir.IntegerType); !ok || ranked(chosen) == nil || len(ranked(chosen).Shape) != len(sizes)-1 || !ir.IsFloat(realOf(elem)) {
		return nil, errorf("it takes matrices of numbers, and a number for each column")
	}
	number := ranked(chosen).Elem
	rank := len(sizes)
	batch := sizes[:rank-2]
	least := smaller(b, sizes[rank-2], sizes[rank-1])
	steps, m, n := value(b, least), value(b, sizes[rank-2]), value(b, sizes[rank-1])
	inits := []*ir.Value{a, chosen, l.filled(append(slices.Clone(batch), least), e.number(elem, 0))}
	out := l.loops(batch, inits, func(at, carried []*ir.Value) []*ir.Value {
		x := matrix{e, l, at, m, n}
		entry := func(list, i *ir.Value) *ir.Value { return tensor.NewExtract(b, list, slices.Concat(at, one(i))...) }
		enter := func(v, list, i *ir.Value) *ir.Value {
			return tensor.NewInsert(b, v, list, slices.Concat(at, one(i))...)
		}
		// The columns that are chosen go to the front.
		front := l.count(index(b, 0), n, []*ir.Value{carried[0], carried[1], index(b, 0)}, func(j *ir.Value, c []*ir.Value) []*ir.Value {
			free := e.cmpI(arith.EQ, entry(c[1], j), e.integer(number, 0))
			own := l.fromIndex(x.after(j), number)
			to := e.choose(free, j, c[2])
			other := e.choose(e.cmpI(arith.EQ, to, j), own, entry(c[1], to))
			numbers := enter(own, enter(other, c[1], j), to)
			return []*ir.Value{x.exchangedColumns(c[0], j, to), numbers, e.choose(free, c[2], x.after(c[2]))}
		})
		return l.count(index(b, 0), steps, []*ir.Value{front[0], front[1], carried[2]}, func(k *ir.Value, c []*ir.Value) []*ir.Value {
			length := func(j *ir.Value) *ir.Value {
				return l.count(k, m, one(e.number(realOf(elem), 0)), func(i *ir.Value, s []*ir.Value) []*ir.Value {
					return one(x.plus(s[0], x.square(x.get(c[0], i, j))))
				})[0]
			}
			start := e.choose(e.cmpI(arith.SLT, k, front[2]), n, x.after(k))
			best := x.best(k, length(k), start, n, arith.OGT, length)
			u, v := entry(c[1], k), entry(c[1], best)
			numbers := enter(v, enter(u, c[1], best), k)
			a, factor := x.reflector(x.exchangedColumns(c[0], k, best), k, k)
			a = l.count(x.after(k), n, one(a), func(j *ir.Value, c []*ir.Value) []*ir.Value {
				return one(x.reflected(c[0], nil, k, k, j, x.conjugate(factor)))
			})[0]
			return []*ir.Value{a, numbers, enter(factor, c[2], k)}
		})
	})
	if op.NumResults() == 4 {
		out = append(out, l.filled(batch, e.integer(rankedResult(op, 3).Elem, 0)))
	}
	return out, nil
}

// exchangedColumns is the matrix with two columns exchanged.
func (x matrix) exchangedColumns(a, j, k *ir.Value) *ir.Value {
	return x.l.count(index(x.Builder, 0), x.m, one(a), func(i *ir.Value, c []*ir.Value) []*ir.Value {
		u, v := x.get(c[0], i, j), x.get(c[0], i, k)
		return one(x.set(u, x.set(v, c[0], i, j), i, k))
	})[0]
}

// gtsv solves systems of equations with three diagonals, each as long as the matrix: that below the main one, whose first number doesn't count, the main one, and that above, whose last
// number doesn't count. Rows are exchanged with the next one where that has the larger number. The last result is 0, or the number of the first pivot that is zero, and then there is no
// solution. The diagonals of what is left are results, too; the first one is the second above the main one.
func (l *lowering) gtsv(op *ir.Op) ([]*ir.Value, error) {
	if op.NumOperands() != 4 || op.NumResults() != 5 {
		return nil, errorf("it takes three diagonals and right-hand sides, and has five results")
	}
	b, e, y := l.b, &element{Builder: l.b}, op.Operand(3)
	rank := 0
	if t := ranked(y); t != nil {
		rank = len(t.Shape)
	}
	for i := range 4 {
		t := ranked(op.Operand(i))
		if t == nil || rank < 2 || t.Elem != ranked(y).Elem || !ir.IsFloat(realOf(t.Elem)) || i < 3 && len(t.Shape) != rank-1 {
			return nil, errorf("operand #%d isn't a diagonal, or right-hand sides, of the same numbers", i)
		}
	}
	sizes := sizesOf(b, y)
	batch := sizes[:rank-2]
	n, columns := value(b, sizes[rank-2]), value(b, sizes[rank-1])
	zero := index(b, 0)
	info := rankedResult(op, 4).Elem
	none := e.integer(info, 0)
	inits := append(op.Operands().Values(), l.filled(batch, none))
	return l.loops(batch, inits, func(at, carried []*ir.Value) []*ir.Value {
		x := matrix{e, l, at, n, columns}
		entry := func(list, i *ir.Value) *ir.Value { return tensor.NewExtract(b, list, slices.Concat(at, one(i))...) }
		enter := func(v, list, i *ir.Value) *ir.Value {
			return tensor.NewInsert(b, v, list, slices.Concat(at, one(i))...)
		}
		nothing := e.number(ranked(y).Elem, 0)
		isZero := func(v *ir.Value) *ir.Value {
			return e.cmpF(arith.OEQ, x.magnitude(v), e.number(realOf(v.Type()), 0))
		}
		last := e.New(arith.MaxSI, e.New(arith.SubI, n, index(b, 1)), zero)
		c := l.count(zero, last, []*ir.Value{carried[0], carried[1], carried[2], carried[3], none}, func(i *ir.Value, c []*ir.Value) []*ir.Value {
			low, main, high := c[0], c[1], c[2]
			next := x.after(i)
			p, q := entry(main, i), entry(low, next)
			stays := e.cmpF(arith.OGE, x.magnitude(p), x.magnitude(q))
			pivot := e.choose(stays, p, q)
			fails := isZero(pivot)
			factor := x.over(e.choose(stays, q, p), e.choose(fails, e.number(p.Type(), 1), pivot))
			// The rows are (p, above, 0) and (q, d, after), or the other way round.
			above, d := entry(high, i), entry(main, next)
			more := e.cmpI(arith.SLT, x.after(next), n)
			after := e.choose(more, entry(high, next), nothing)
			second := e.choose(stays, x.minus(d, x.times(factor, above)), x.minus(above, x.times(factor, d)))
			main = enter(second, enter(pivot, main, i), next)
			// What is above the next pivot is as it was, or gets into the row that was exchanged.
			beyond := x.minus(nothing, x.times(factor, after))
			old := entry(high, next)
			high = enter(e.choose(stays, old, e.choose(more, beyond, old)), enter(e.choose(stays, above, d), high, i), next)
			low = enter(e.choose(stays, nothing, after), low, next)
			rows := l.count(zero, columns, one(c[3]), func(j *ir.Value, r []*ir.Value) []*ir.Value {
				u, v := x.get(r[0], i, j), x.get(r[0], next, j)
				first, other := e.choose(stays, u, v), e.choose(stays, v, u)
				return one(x.set(x.minus(other, x.times(factor, first)), x.set(first, r[0], i, j), next, j))
			})[0]
			number := e.choose(e.New(arith.AndI, fails, e.cmpI(arith.EQ, c[4], none)), l.fromIndex(next, info), c[4])
			return []*ir.Value{low, main, high, rows, number}
		})
		end := l.count(last, n, one(c[4]), func(i *ir.Value, s []*ir.Value) []*ir.Value {
			fails := e.New(arith.AndI, isZero(entry(c[1], i)), e.cmpI(arith.EQ, s[0], none))
			return one(e.choose(fails, l.fromIndex(x.after(i), info), s[0]))
		})[0]
		solved := l.count(zero, n, one(c[3]), func(step *ir.Value, r []*ir.Value) []*ir.Value {
			i := e.New(arith.SubI, last, step)
			next, second := e.New(arith.MinSI, x.after(i), last), e.New(arith.MinSI, x.after(x.after(i)), last)
			product := func(list, at, row, j, there *ir.Value) *ir.Value {
				return e.choose(there, x.times(entry(list, at), x.get(r[0], row, j)), nothing)
			}
			has, hasSecond := e.cmpI(arith.SLT, x.after(i), n), e.cmpI(arith.SLT, x.after(x.after(i)), n)
			return l.count(zero, columns, r, func(j *ir.Value, t []*ir.Value) []*ir.Value {
				v := x.minus(x.get(t[0], i, j), product(c[2], i, next, j, has))
				v = x.minus(v, product(c[0], next, second, j, hasSecond))
				return one(x.set(x.over(v, entry(c[1], i)), t[0], i, j))
			})
		})[0]
		return []*ir.Value{c[0], c[1], c[2], solved, tensor.NewInsert(b, end, carried[4], at...)}
	}), nil
}
