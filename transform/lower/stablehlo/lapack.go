package stablehlo

import (
	"slices"
	"strings"

	"freehold/dialect/arith"
	"freehold/dialect/complex"
	"freehold/dialect/scf"
	"freehold/dialect/stablehlo"
	"freehold/dialect/tensor"
	"freehold/ir"
)

// linearAlgebra is the rule for a function of LAPACK or BLAS that JAX calls on processors, without the letter for the type of the numbers; nil for others.
func linearAlgebra(target string) rule {
	base, ok := strings.CutSuffix(target, "_ffi")
	for _, prefix := range []string{"lapack_", "blas_"} {
		if rest, found := strings.CutPrefix(base, prefix); found && ok && len(rest) > 1 {
			switch rest[1:] {
			case "gesdd":
				return (*lowering).gesdd
			case "syevd":
				return (*lowering).syevd
			case "geqrf":
				return (*lowering).geqrf
			case "getrf":
				return (*lowering).getrf
			case "orgqr":
				return (*lowering).orgqr
			case "potrf":
				return (*lowering).potrf
			case "trsm":
				return (*lowering).trsm
			}
		}
	}
	return nil
}

// letters are the parameters of a call, each a letter as LAPACK has it.
func letters(op *ir.Op) map[string]byte {
	out := map[string]byte{}
	d, _ := op.DiscardableAttr("mhlo.backend_config").(*ir.DictAttr)
	if d == nil {
		d, _ = op.Attr("backend_config").(*ir.DictAttr)
	}
	if d == nil {
		return out
	}
	for _, a := range d.Entries {
		if n, ok := a.Value.(*ir.IntegerAttr); ok {
			out[a.Name] = byte(n.Value)
		}
	}
	return out
}

// potrf decomposes by Cholesky's method. The second result is 0, or the number of the first row for which there is no root.
func (l *lowering) potrf(op *ir.Op) ([]*ir.Value, error) {
	if op.NumOperands() != 1 || op.NumResults() != 2 {
		return nil, errorf("it takes matrices, and has two results")
	}
	b, c := l.b, l.b.Context()
	a := op.OnlyOperand()
	v := b.CreateOp(stablehlo.Cholesky, []ir.Type{a.Type()}, one(a), ir.NamedAttr{Name: "lower", Value: c.Bool(letters(op)["uplo"] == 'L')}).Result(0)
	sizes := sizesOf(b, a)
	rank := len(sizes)
	t := rankedResult(op, 1)
	e := &element{Builder: b}
	zero := e.integer(t.Elem, 0)
	info := l.loops(sizes[:rank-2], one(l.filled(sizes[:rank-2], zero)), func(at, carried []*ir.Value) []*ir.Value {
		number := scf.NewFor(b, index(b, 0), value(b, sizes[rank-1]), index(b, 1), one(zero), func(_ *ir.Builder, j *ir.Value, args []*ir.Value) []*ir.Value {
			x := tensor.NewExtract(b, v, slices.Concat(at, []*ir.Value{j, j})...)
			if complexOf(x.Type()) != nil {
				x = e.part(complex.Re, x)
			}
			fails := e.New(arith.AndI, e.cmpF(arith.UNO, x, x), e.cmpI(arith.EQ, args[0], zero))
			row := l.fromIndex(arith.New(b, arith.AddI, j, index(b, 1)), t.Elem)
			return one(e.choose(fails, row, args[0]))
		}).Result(0)
		return one(tensor.NewInsert(b, number, carried[0], at...))
	})
	return []*ir.Value{v, info[0]}, nil
}

// trsm solves systems of equations with a triangular matrix, whose right-hand sides are multiplied by a number first, if there is one.
func (l *lowering) trsm(op *ir.Op) ([]*ir.Value, error) {
	if op.NumOperands() < 2 || op.NumOperands() > 3 || op.NumResults() != 1 {
		return nil, errorf("it takes matrices and right-hand sides")
	}
	b, c := l.b, l.b.Context()
	p := letters(op)
	kinds := map[byte]uint64{'N': stablehlo.NoTranspose, 'T': stablehlo.Transposed, 'C': stablehlo.Adjoint}
	kind, ok := kinds[p["trans_x"]]
	if !ok {
		return nil, errorf("it doesn't say trans_x")
	}
	y := op.Operand(1)
	if op.NumOperands() == 3 {
		f := l.tensorFormula(y, ranked(y).Elem)
		y = f.mul(y, l.dynamicBroadcast(op.Operand(2), l.dimensions(y), ranked(y).Shape, nil))
	}
	return b.CreateOp(stablehlo.TriangularSolve, []ir.Type{op.Result(0).Type()}, []*ir.Value{op.Operand(0), y},
		ir.NamedAttr{Name: "left_side", Value: c.Bool(p["side"] == 'L')}, ir.NamedAttr{Name: "lower", Value: c.Bool(p["uplo"] == 'L')},
		ir.NamedAttr{Name: "unit_diagonal", Value: c.Bool(p["diag"] == 'U')}, ir.NamedAttr{Name: "transpose_a", Value: c.EnumAttr(stablehlo.TransposeKind, kind)}).Results().Values(), nil
}
