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

// linearAlgebra is the rule for a function of LAPACK or BLAS that JAX calls on processors; nil for others.
func linearAlgebra(target string) rule {
	base, ok := strings.CutSuffix(target, "_ffi")
	for _, prefix := range []string{"lapack_", "blas_"} {
		if rest, found := strings.CutPrefix(base, prefix); found && len(rest) > 1 {
			if ok {
				return libraryFunction(rest[1:])
			}
			return olderCall(rest[1:])
		}
	}
	return nil
}

// libraryFunction is the rule for a function without the letter for the type of the numbers; nil for others.
func libraryFunction(name string) rule {
	switch name {
	case "geev":
		return withResults((*lowering).geev, -1)
	case "gees":
		return withResults((*lowering).gees, -1, -2)
	case "gehrd":
		return withResults((*lowering).gehrd, 2)
	case "geqp3":
		return withOwnResults((*lowering).geqp3, 1)
	case "gtsv":
		return withOwnResults((*lowering).gtsv, 4)
	case "sytrd", "hetrd":
		return withResults((*lowering).sytrd, 4)
	case "gesdd":
		return withResults((*lowering).gesdd, 4)
	case "syevd", "heevd":
		return withResults((*lowering).syevd, 2)
	case "geqrf":
		return withResults((*lowering).geqrf, 2)
	case "getrf":
		return withResults((*lowering).getrf, 1, 2)
	case "orgqr", "ungqr":
		return withResults((*lowering).orgqr, 1)
	case "potrf":
		return withResults((*lowering).potrf, 1)
	case "trsm":
		return withResults((*lowering).trsm)
	}
	return nil
}

// withResults is a rule for calls whose results have the types that the function has, of which those with the given numbers, if they are there, are integers; negative numbers count
// from the end. What a call says isn't verified.
func withResults(r rule, integers ...int) rule {
	return func(l *lowering, op *ir.Op) ([]*ir.Value, error) {
		for _, v := range op.Operands().Values() {
			switch ir.ElementType(v.Type()).(type) {
			case *ir.FloatType, *ir.ComplexType:
			default:
				return nil, errorf("it takes matrices of numbers, not '%s'", v.Type())
			}
		}
		if op.NumOperands() == 0 || ranked(op.Operand(0)) == nil || len(ranked(op.Operand(0)).Shape) < 2 {
			return nil, errorf("its first operand is no matrix")
		}
		for _, v := range op.Operands().Values()[1:] {
			if x, y := ir.ElementType(v.Type()), ir.ElementType(op.Operand(0).Type()); x != y {
				return nil, errorf("it takes matrices of the same numbers, not of '%s' and '%s'", y, x)
			}
		}
		return withOwnResults(r, integers...)(l, op)
	}
}

// withOwnResults is withResults for functions that check their operands themselves.
func withOwnResults(r rule, integers ...int) rule {
	return func(l *lowering, op *ir.Op) ([]*ir.Value, error) {
		for _, i := range integers {
			if i < 0 {
				i += op.NumResults()
			}
			if i >= 0 && i < op.NumResults() && !isIntegers(op.Result(i).Type()) {
				return nil, errorf("result #%d consists of integers, and not of '%s'", i, op.Result(i).Type())
			}
		}
		out, err := r(l, op)
		for i, v := range out {
			if err == nil && i < op.NumResults() && !tensor.CastCompatible(v.Type(), op.Result(i).Type()) {
				err = errorf("result #%d is '%s', and not '%s'", i, v.Type(), op.Result(i).Type())
			}
		}
		return out, err
	}
}

// isIntegers tells whether a type is a tensor of integers that are wide enough to number rows.
func isIntegers(t ir.Type) bool {
	r, ok := t.(*ir.RankedTensorType)
	if !ok {
		return false
	}
	n, ok := r.Elem.(*ir.IntegerType)
	return ok && n.Width > 1
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
