package vector

import (
	"fmt"
	"slices"
	"strings"

	"freehold/dialect/arith"
	"freehold/exec"
	"freehold/ir"
)

// combine returns how a kind of reduction combines two elements of a type.
func combine(op *ir.Op) (exec.Scalar, error) {
	t := ir.ElementType(op.Result(0).Type())
	kind, _ := op.Attr("kind").(*ir.EnumAttr)
	name := ""
	if kind != nil {
		for _, k := range CombiningKind.Cases {
			if k.Value == kind.Value {
				name = k.Keyword
			}
		}
	}
	if f, ok := t.(*ir.FloatType); ok {
		promises := arith.FastMath(op)
		switch name {
		case "add":
			return exec.FAdd(f).Promised(f, promises), nil
		case "mul":
			return exec.FMul(f).Promised(f, promises), nil
		case "minnumf":
			return exec.FMinNum(f).Promised(f, promises), nil
		case "maxnumf":
			return exec.FMaxNum(f).Promised(f, promises), nil
		case "minimumf":
			return exec.FMinimum(f).Promised(f, promises), nil
		case "maximumf":
			return exec.FMaximum(f).Promised(f, promises), nil
		}
		return exec.Scalar{}, exec.Unsupported(op, "its kind does not fit its type")
	}
	w := exec.Width(t)
	switch name {
	case "add":
		return exec.Add(w), nil
	case "mul":
		return exec.Mul(w), nil
	case "minui":
		return exec.MinU(w), nil
	case "minsi":
		return exec.MinS(w), nil
	case "maxui":
		return exec.MaxU(w), nil
	case "maxsi":
		return exec.MaxS(w), nil
	case "and":
		return exec.And(w), nil
	case "or":
		return exec.Or(w), nil
	case "xor":
		return exec.Xor(w), nil
	}
	return exec.Scalar{}, exec.Unsupported(op, "its kind does not fit its type")
}

// product returns how two elements of the operands are multiplied in the type of
// the result: narrow ones are extended first.
func product(op *ir.Op) (func(a, b any) any, error) {
	from, to := ir.ElementType(ProductOp{op}.LHS().Type()), ir.ElementType(op.Result(0).Type())
	var mul exec.Scalar
	var extend exec.Scalar
	switch t := to.(type) {
	case *ir.FloatType:
		f, ok := from.(*ir.FloatType)
		if !ok {
			return nil, exec.Unsupported(op, "its types are not supported")
		}
		mul, extend = exec.FMul(t), exec.FConvert(f, t, exec.ToNearestEven)
	default:
		if !ir.IsIntOrIndex(to) || !ir.IsIntOrIndex(from) || exec.Width(to) > 64 {
			return nil, exec.Unsupported(op, "its types are not supported")
		}
		mul, extend = exec.Mul(exec.Width(to)), exec.Resize(exec.Width(from), exec.Width(to), true)
	}
	if from == to {
		return func(a, b any) any { return mul.Apply(a, b) }, nil
	}
	return func(a, b any) any { return mul.Apply(extend.Apply(a), extend.Apply(b)) }, nil
}

// maskAround returns the mask that the vector.mask around an operation gives it,
// which is nil if there is none.
func maskAround(c *exec.Compiler, op *ir.Op) func(f *exec.Frame) *exec.Tensor {
	parent := op.Parent()
	if parent == nil || !parent.Is(Mask) {
		return noMask
	}
	r := c.Object(MaskOp{parent}.Mask())
	return func(f *exec.Frame) *exec.Tensor { return f.O[r].(*exec.Tensor) }
}

func noMask(*exec.Frame) *exec.Tensor { return nil }

// enabled tells whether a mask selects element i.
func enabled(mask *exec.Tensor, i int64) bool {
	if mask == nil {
		return true
	}
	w, ok := mask.Word(i)
	return ok && w != 0
}

func executeReduction(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	s, err := combine(op)
	if err != nil {
		return nil, err
	}
	src, res, masked := c.Object(ReductionOp{op}.Vector()), c.Reg(op.Result(0)), maskAround(c, op)
	acc := exec.Discard
	if v := (ReductionOp{op}).Acc(); v != nil {
		acc = c.Reg(v)
	}
	return func(f *exec.Frame) error {
		t, m := f.O[src].(*exec.Tensor), masked(f)
		var total any
		if acc != exec.Discard {
			total = f.Get(acc)
		}
		for i := range t.Elements() {
			switch {
			case !enabled(m, i):
			case total == nil:
				total = t.At(i)
			default:
				total = s.Apply(total, t.At(i))
			}
		}
		if total == nil {
			total = exec.PoisonValue
		}
		f.Set(res, total)
		return f.M.Charge(op, t.Elements())
	}, nil
}

func executeMultiReduction(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	s, err := combine(op)
	if err != nil {
		return nil, err
	}
	dims := intsOf(op.Attr("reduction_dims"))
	if len(dims) == 0 {
		if a, ok := op.Attr("reduction_dims").(*ir.DenseArrayAttr); ok {
			dims = a.Ints()
		}
	}
	src, acc, res, masked := c.Object(MultiReductionOp{op}.Source()), c.Reg(MultiReductionOp{op}.Acc()), c.Reg(op.Result(0)), maskAround(c, op)
	if reducesNothing(op) {
		return func(f *exec.Frame) error {
			f.Set(res, f.O[src].(*exec.Tensor).Clone())
			return nil
		}, nil
	}
	return func(f *exec.Frame) error {
		t, m, total := f.O[src].(*exec.Tensor), masked(f), f.Get(acc)
		out, isVector := total.(*exec.Tensor)
		if isVector {
			out = out.Clone()
		}
		err := exec.Each(t.Sizes, func(i int64, idx []int64) error {
			if !enabled(m, i) {
				return nil
			}
			if !isVector {
				total = s.Apply(total, t.At(i))
				return nil
			}
			p := int64(0)
			for d, x := range idx {
				if !slices.Contains(dims, int64(d)) {
					p = p*t.Sizes[d] + x
				}
			}
			out.SetAt(p, s.Apply(out.At(p), t.At(i)))
			return nil
		})
		if isVector {
			total = out
		}
		f.Set(res, total)
		if err == nil {
			err = f.M.Charge(op, t.Elements())
		}
		return err
	}, nil
}

func executeScan(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	s, err := combine(op)
	if err != nil {
		return nil, err
	}
	dim := int(op.Attr("reduction_dim").(*ir.IntegerAttr).Value)
	inclusive := op.Attr("inclusive").(*ir.IntegerAttr).Value != 0
	src, first := c.Object(ScanOp{op}.Source()), c.Object(ScanOp{op}.InitialValue())
	dest, last := c.Object(op.Result(0)), c.Object(op.Result(1))
	return func(f *exec.Frame) error {
		t := f.O[src].(*exec.Tensor)
		// The second result is the last part of the first.
		acc, out := f.O[first].(*exec.Tensor).Clone(), newVector(op.Result(0).Type())
		final := acc.Clone()
		// The function never fails.
		_ = exec.Each(t.Sizes, func(i int64, idx []int64) error {
			p := int64(0)
			for d, x := range idx {
				if d != dim {
					p = p*t.Sizes[d] + x
				}
			}
			before := acc.At(p)
			after := s.Apply(before, t.At(i))
			if inclusive && idx[dim] == 0 {
				after = t.At(i) // as MLIR lowers it: without the initial value
			}
			if inclusive {
				out.SetAt(i, after)
			} else {
				out.SetAt(i, before)
			}
			final.SetAt(p, out.At(i))
			acc.SetAt(p, after)
			return nil
		})
		f.O[dest], f.O[last] = out, final
		return f.M.Charge(op, t.Elements())
	}, nil
}

func executeContract(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	s, err := combine(op)
	if err != nil {
		return nil, err
	}
	mul, err := product(op)
	if err != nil {
		return nil, err
	}
	var maps []*ir.AffineMap
	for _, a := range op.Attr("indexing_maps").(*ir.ArrayAttr).Elems {
		maps = append(maps, a.(*ir.AffineMapAttr).Map)
	}
	sizes := make([]int64, maps[0].Dims)
	for k, m := range maps[:2] {
		for i, e := range m.Results {
			if e.Kind != ir.AffineDim {
				return nil, exec.Unsupported(op, "its indexing maps are not projections")
			}
			sizes[e.Value] = vec(op.Operand(k).Type()).Shape[i]
		}
	}
	lhs, rhs, acc, res := c.Object(ContractOp{op}.LHS()), c.Object(ContractOp{op}.RHS()), c.Reg(ContractOp{op}.Acc()), c.Reg(op.Result(0))
	masked := maskAround(c, op)
	at := func(m *ir.AffineMap, t *exec.Tensor, idx []int64) int64 {
		p := int64(0)
		for i, e := range m.Results {
			p = p*t.Sizes[i] + idx[e.Value]
		}
		return p
	}
	return func(f *exec.Frame) error {
		a, b, m, total := f.O[lhs].(*exec.Tensor), f.O[rhs].(*exec.Tensor), masked(f), f.Get(acc)
		out, isVector := total.(*exec.Tensor)
		if isVector {
			out = out.Clone()
		}
		n := int64(0)
		// The function never fails.
		_ = exec.Each(sizes, func(i int64, idx []int64) error {
			n++
			if !enabled(m, i) {
				return nil
			}
			v := mul(a.At(at(maps[0], a, idx)), b.At(at(maps[1], b, idx)))
			if !isVector {
				total = s.Apply(total, v)
				return nil
			}
			p := at(maps[2], out, idx)
			out.SetAt(p, s.Apply(out.At(p), v))
			return nil
		})
		if isVector {
			total = out
		}
		f.Set(res, total)
		return f.M.Charge(op, n)
	}, nil
}

func executeOuterProduct(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	s, err := combine(op)
	if err != nil {
		return nil, err
	}
	mul, err := product(op)
	if err != nil {
		return nil, err
	}
	lhs, rhs, d, masked := c.Object(OuterProductOp{op}.LHS()), c.Reg(OuterProductOp{op}.RHS()), c.Object(op.Result(0)), maskAround(c, op)
	acc := exec.Discard
	if v := (OuterProductOp{op}).Acc(); v != nil {
		acc = c.Reg(v)
	}
	return func(f *exec.Frame) error {
		a, y, m := f.O[lhs].(*exec.Tensor), f.Get(rhs), masked(f)
		b, _ := y.(*exec.Tensor)
		var old *exec.Tensor
		if acc != exec.Discard {
			old = f.Get(acc).(*exec.Tensor)
		}
		out := newVector(op.Result(0).Type())
		columns := int64(1)
		if b != nil {
			columns = b.Elements()
		}
		for i := range out.Elements() {
			if !enabled(m, i) {
				if old != nil {
					out.SetAt(i, old.At(i))
				}
				continue
			}
			v := y
			if b != nil {
				v = b.At(i % columns)
			}
			v = mul(a.At(i/columns), v)
			if old != nil {
				v = s.Apply(old.At(i), v)
			}
			out.SetAt(i, v)
		}
		f.O[d] = out
		return f.M.Charge(op, out.Elements())
	}, nil
}

// executeMatrixMultiply multiplies matrices that are stored column by column.
func executeMatrixMultiply(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	mul, err := product(op)
	if err != nil {
		return nil, err
	}
	t := ir.ElementType(op.Result(0).Type())
	var add exec.Scalar
	if f, ok := t.(*ir.FloatType); ok {
		add = exec.FAdd(f)
	} else {
		add = exec.Add(exec.Width(t))
	}
	rows, inner := op.Attr("lhs_rows").(*ir.IntegerAttr).Value, op.Attr("lhs_columns").(*ir.IntegerAttr).Value
	if rows < 1 || inner < 1 {
		return nil, exec.Unsupported(op, "a matrix has no elements")
	}
	lhs, rhs, d := c.Object(MatrixMultiplyOp{op}.LHS()), c.Object(MatrixMultiplyOp{op}.RHS()), c.Object(op.Result(0))
	return func(f *exec.Frame) error {
		a, b, out := f.O[lhs].(*exec.Tensor), f.O[rhs].(*exec.Tensor), newVector(op.Result(0).Type())
		for i := range out.Elements() {
			r, col := i%rows, i/rows
			var sum any
			for k := range inner {
				v := mul(a.At(k*rows+r), b.At(col*inner+k))
				if sum == nil {
					sum = v
				} else {
					sum = add.Apply(sum, v)
				}
			}
			out.SetAt(i, sum)
		}
		f.O[d] = out
		return f.M.Charge(op, out.Elements()*inner)
	}, nil
}

// executeMask executes the operation in the region, which looks at the mask
// itself. What it leaves out of its result comes from the last operand. Where the
// region only yields, there is nothing to mask, as when such a mask folds.
func executeMask(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	if op.BodyBlock(0).First() != op.BodyBlock(0).Terminator() {
		return executeLaterMask(c, op)
	}
	body, err := c.Region(op.RegionAt(0), c.Regs(op.Results().Values()))
	if err != nil {
		return nil, err
	}
	return body.Run, nil
}

// executeLaterMask is how vector.mask executes in LLVM 22, where the mask also chooses from what is yielded as it is.
func executeLaterMask(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	results := c.Regs(op.Results().Values())
	body, err := c.Region(op.RegionAt(0), results)
	if err != nil {
		return nil, err
	}
	if op.NumOperands() < 2 || len(results) != 1 {
		return body.Run, nil
	}
	m, pass := c.Object(MaskOp{op}.Mask()), c.Reg(MaskOp{op}.Passthru())
	return func(f *exec.Frame) error {
		if err := body.Run(f); err != nil {
			return err
		}
		out, ok1 := f.Get(results[0]).(*exec.Tensor)
		other, ok2 := f.Get(pass).(*exec.Tensor)
		bits := f.O[m].(*exec.Tensor)
		if !ok1 || !ok2 || bits.Elements() != out.Elements() {
			return nil
		}
		out = out.Clone()
		for i := range out.Elements() {
			if !enabled(bits, i) {
				out.SetAt(i, other.At(i))
			}
		}
		f.Set(results[0], out)
		return nil
	}, nil
}

// executePrint prints as the reference's runtime library does, which puts no
// punctuation after literal strings.
func executePrint(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	end := ""
	if a, ok := op.Attr("punctuation").(*ir.EnumAttr); ok {
		end = [...]string{"", "\n", ", ", "( ", " )"}[a.Value]
	}
	if a, ok := op.Attr("stringLiteral").(*ir.StringAttr); ok {
		end = a.Value
	}
	if op.NumOperands() == 0 {
		return func(f *exec.Frame) error {
			f.M.Output(op, end)
			return nil
		}, nil
	}
	r, t := c.Reg(op.OnlyOperand()), op.OnlyOperand().Type()
	return func(f *exec.Frame) error {
		v := f.Get(r)
		x, ok := v.(*exec.Tensor)
		if !ok {
			f.M.Output(op, number(t, v)+end)
			return nil
		}
		if !x.Store.Initialized() {
			return exec.Findf(exec.PoisonUse, op, "a vector with undefined elements is printed")
		}
		var b strings.Builder
		var write func(d int, first, span int64)
		write = func(d int, first, span int64) {
			if d == len(x.Sizes) {
				b.WriteString(number(x.Elem.Type, x.At(first)))
				return
			}
			span /= x.Sizes[d]
			b.WriteString("( ")
			for i := range x.Sizes[d] {
				if i > 0 {
					b.WriteString(", ")
				}
				write(d+1, first+i*span, span)
			}
			b.WriteString(" )")
		}
		if len(x.Sizes) == 0 {
			b.WriteString("( ")
			write(0, 0, 1)
			b.WriteString(" )")
		} else {
			write(0, 0, x.Elements())
		}
		f.M.Output(op, b.String()+end)
		return nil
	}, nil
}

// number returns a number as C's printf would write it.
func number(t ir.Type, v any) string {
	switch t := t.(type) {
	case *ir.FloatType:
		return exec.FormatG(exec.Float64(t, v))
	case *ir.IntegerType:
		switch {
		case t.Width == 1, t.Signedness == ir.Unsigned, t.Width > 64:
			return fmt.Sprint(v)
		}
		return fmt.Sprint(exec.SignExtend(v.(uint64), t.Width))
	}
	return fmt.Sprint(v)
}
