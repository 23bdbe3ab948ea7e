package stablehlo

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/complex"
	"freehold/dialect/math"
	"freehold/dialect/scf"
	"freehold/dialect/stablehlo"
	"freehold/dialect/tensor"
	"freehold/ir"
)

// matrices read and write elements of matrices, the last two dimensions of a tensor.
type matrices struct {
	l     *lowering
	e     *element
	elem  ir.Type
	batch []*ir.Value
}

func (m *matrices) at(t, i, j *ir.Value) *ir.Value {
	return tensor.NewExtract(m.l.b, t, slices.Concat(m.batch, []*ir.Value{i, j})...)
}

func (m *matrices) put(v, t, i, j *ir.Value) *ir.Value {
	return tensor.NewInsert(m.l.b, v, t, slices.Concat(m.batch, []*ir.Value{i, j})...)
}

func (m *matrices) op(onFloat, onComplex *ir.OpID, a ...*ir.Value) *ir.Value {
	return arithmetic(nil, nil, onFloat, onComplex)(m.e, a)
}

func (m *matrices) conjugate(v *ir.Value) *ir.Value {
	if complexOf(m.elem) == nil {
		return v
	}
	return m.e.New(complex.Conj, v)
}

// sum is v less the products that term makes of the numbers from low to high.
func (m *matrices) sum(v, low, high *ir.Value, term func(k *ir.Value) (x, y *ir.Value)) *ir.Value {
	b := m.l.b
	return scf.NewFor(b, low, high, index(b, 1), one(v), func(_ *ir.Builder, k *ir.Value, args []*ir.Value) []*ir.Value {
		x, y := term(k)
		return one(m.op(arith.SubF, complex.Sub, args[0], m.op(arith.MulF, complex.Mul, x, y)))
	}).Result(0)
}

// cholesky decomposes matrices into a lower triangle and its adjoint, column by column. The other triangle is zero.
func (l *lowering) cholesky(op *ir.Op) ([]*ir.Value, error) {
	b, a := l.b, stablehlo.CholeskyOp{Op: op}.A()
	elem := ranked(a).Elem
	sizes := sizesOf(b, a)
	rank := len(sizes)
	lower := intAttr(op, "lower") != 0
	e := &element{Builder: b}
	out := l.filled(sizes, e.number(elem, 0))
	n := value(b, sizes[rank-1])
	zero, step := index(b, 0), index(b, 1)
	return l.loops(sizes[:rank-2], one(out), func(batch, carried []*ir.Value) []*ir.Value {
		m := &matrices{l, e, elem, batch}
		// The upper triangle is the adjoint of the lower one.
		read := func(t, i, j *ir.Value) *ir.Value {
			if lower {
				return m.at(t, i, j)
			}
			return m.conjugate(m.at(t, j, i))
		}
		write := func(v, t, i, j *ir.Value) *ir.Value {
			if lower {
				return m.put(v, t, i, j)
			}
			return m.put(m.conjugate(v), t, j, i)
		}
		return scf.NewFor(b, zero, n, step, carried, func(_ *ir.Builder, j *ir.Value, args []*ir.Value) []*ir.Value {
			t := args[0]
			rest := func(t, i *ir.Value) *ir.Value {
				return m.sum(read(a, i, j), zero, j, func(k *ir.Value) (x, y *ir.Value) { return read(t, i, k), m.conjugate(read(t, j, k)) })
			}
			pivot := rest(t, j)
			if complexOf(elem) != nil {
				root := e.New(math.Sqrt, e.part(complex.Re, pivot))
				pivot = complex.NewCreate(b, root, e.number(root.Type(), 0))
			} else {
				pivot = e.New(math.Sqrt, pivot)
			}
			t = write(pivot, t, j, j)
			return scf.NewFor(b, arith.New(b, arith.AddI, j, step), n, step, one(t), func(_ *ir.Builder, i *ir.Value, args []*ir.Value) []*ir.Value {
				return one(write(m.op(arith.DivF, complex.Div, rest(args[0], i), pivot), args[0], i, j))
			}).Results().Values()
		}).Results().Values()
	}), nil
}

// triangularSolve solves systems of equations with a triangular matrix, by substitution.
func (l *lowering) triangularSolve(op *ir.Op) ([]*ir.Value, error) {
	b, a, y := l.b, stablehlo.TriangularSolveOp{Op: op}.A(), stablehlo.TriangularSolveOp{Op: op}.B()
	elem := ranked(a).Elem
	sizes := sizesOf(b, y)
	rank := len(sizes)
	left, lower, unit := intAttr(op, "left_side") != 0, intAttr(op, "lower") != 0, intAttr(op, "unit_diagonal") != 0
	kind := stablehlo.EnumValue(op, "transpose_a", stablehlo.NoTranspose)
	// x A = y is A' x' = y' for the transposed ones.
	turned := (kind != stablehlo.NoTranspose) != !left
	forward := lower != turned
	e := &element{Builder: b}
	unknowns, others := sizes[rank-2], sizes[rank-1]
	if !left {
		unknowns, others = others, unknowns
	}
	n := value(b, unknowns)
	last := arith.New(b, arith.SubI, n, index(b, 1))
	zero, step := index(b, 0), index(b, 1)
	return l.loops(slices.Concat(sizes[:rank-2], []size{others}), one(y), func(at, carried []*ir.Value) []*ir.Value {
		m := &matrices{l, e, elem, at[:len(at)-1]}
		line := at[len(at)-1]
		coefficient := func(i, k *ir.Value) *ir.Value {
			if turned {
				i, k = k, i
			}
			v := m.at(a, i, k)
			if kind == stablehlo.Adjoint {
				v = m.conjugate(v)
			}
			return v
		}
		read := func(t, i *ir.Value) *ir.Value {
			if left {
				return m.at(t, i, line)
			}
			return m.at(t, line, i)
		}
		write := func(v, t, i *ir.Value) *ir.Value {
			if left {
				return m.put(v, t, i, line)
			}
			return m.put(v, t, line, i)
		}
		return scf.NewFor(b, zero, n, step, carried, func(_ *ir.Builder, turn *ir.Value, args []*ir.Value) []*ir.Value {
			t, i, low, high := args[0], turn, zero, turn
			if !forward {
				i = arith.New(b, arith.SubI, last, turn)
				low, high = arith.New(b, arith.AddI, i, step), n
			}
			v := m.sum(read(t, i), low, high, func(k *ir.Value) (x, y *ir.Value) { return coefficient(i, k), read(t, k) })
			if !unit {
				v = m.op(arith.DivF, complex.Div, v, coefficient(i, i))
			}
			return one(write(v, t, i))
		}).Results().Values()
	}), nil
}
