package emitc

import (
	"fmt"

	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/dialect/index"
	"freehold/dialect/linalg"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/shapes"
)

// counted is the interval of what was counted: elements of buffers, and how far loops have come. No memory has more elements, and no loop is done with more.
func (m *module) counted() interval { return interval{0, 1<<(m.o.IndexBits*5/8) - 1} }

// mayLeave tells whether a sum or product may leave the range of index. In C, that is undefined for signed numbers.
func (f *function) mayLeave(e *ir.AffineExpr, dims, syms []term) bool {
	_, stays := f.exprRange(e, dims, syms)
	return !stays
}

// wrapping returns a sum or product as that of index, modulo a power of two.
func (f *function) wrapping(e *ir.AffineExpr, dims, syms []term) string {
	name, sign, left, right := "fh_add", "+", e.LHS, e.RHS
	switch minusOne := right.Kind == ir.AffineMul && right.RHS.IsConst(-1); {
	case e.Kind == ir.AffineMul:
		name, sign = "fh_mul", "*"
	case minusOne:
		name, sign, right = "fh_sub", "-", right.LHS
	case right.Kind == ir.AffineConst && right.Value < 0 && right.Value > -1<<31:
		name, sign, right = "fh_sub", "-", f.op.Context().AffineConstant(-right.Value)
	}
	c, u := f.m.types.index(), f.m.types.unsignedIndex()
	f.m.helpers.define(name, fmt.Sprintf("static inline %[1]s %[2]s(%[1]s a, %[1]s b) { return (%[1]s)((%[3]s)a %[4]s (%[3]s)b); }", c, name, u, sign))
	return fmt.Sprintf("%s(%s, %s)", name, f.affineExpr(left, dims, syms), f.affineExpr(right, dims, syms))
}

// exprRange returns what an affine expression may be, and whether its last operation stays in the range of index.
func (f *function) exprRange(e *ir.AffineExpr, dims, syms []term) (interval, bool) {
	switch e.Kind {
	case ir.AffineConst:
		return f.m.within(e.Value, e.Value, true)
	case ir.AffineDim:
		return dims[e.Value].interval, true
	case ir.AffineSymbol:
		return syms[e.Value].interval, true
	}
	a, _ := f.exprRange(e.LHS, dims, syms)
	b, _ := f.exprRange(e.RHS, dims, syms)
	switch e.Kind {
	case ir.AffineAdd:
		return f.m.added(a, b)
	case ir.AffineMul:
		return f.m.multiplied(a, b)
	case ir.AffineMod:
		return interval{0, max(b.high-1, 0)}, true
	}
	if by := e.RHS; by.Kind == ir.AffineConst && by.Value > 1 {
		return interval{a.low/by.Value - 1, a.high/by.Value + 1}, true
	}
	return interval{min(a.low, 0), max(a.high, 0)}, true
}

// rangeOf returns what an index may be.
func (f *function) rangeOf(v *ir.Value) interval {
	if n, ok := ir.ConstantInt(v); ok {
		r, _ := f.m.within(n, n, true)
		return r
	}
	r, done := f.ranges[v]
	if !done {
		f.ranges[v] = f.m.anyIndex() // of what depends on itself, nothing is known
		switch {
		case v.Type() != ir.Type(ir.Index):
			r = f.m.anyIndex()
		case v.IsBlockArg():
			r = f.counterRange(v)
		default:
			r, _ = f.resultRange(v.DefiningOp())
		}
		f.ranges[v] = r
	}
	return r
}

// counterRange is rangeOf for an argument of a block. By how many steps the counter of a loop is ahead of its first number was counted.
func (f *function) counterRange(v *ir.Value) interval {
	op := v.ArgOwner().ParentOp()
	all := f.m.anyIndex()
	var from, to, step interval
	switch i := v.Index(); {
	case op.Is(scf.For) && i == 0:
		o := scf.ForOp{Op: op}
		from, to, step = f.rangeOf(o.LowerBound()), f.rangeOf(o.UpperBound()), f.rangeOf(o.Step())
		if o.Unsigned() && (from.low < 0 || to.low < 0) {
			return all
		}
	case op.Is(scf.Parallel):
		o := scf.ParallelOp{Op: op}
		from, to, step = f.rangeOf(o.LowerBounds().At(i)), f.rangeOf(o.UpperBounds().At(i)), f.rangeOf(o.Steps().At(i))
	case op.Is(scf.Forall) && i < (scf.ForallOp{Op: op}).Rank():
		o := scf.ForallOp{Op: op}
		from, to, step = f.sizeRange(o.LowerBounds()[i]), f.sizeRange(o.UpperBounds()[i]), f.sizeRange(o.Steps()[i])
	case op.Is(affine.For) && i == 0:
		o := affine.ForOp{Op: op}
		from, to, step = f.mapRange(o.LowerMap(), o.LowerOperands()), f.mapRange(o.UpperMap(), o.UpperOperands()), interval{o.Step(), o.Step()}
	case op.Is(affine.Parallel):
		o := affine.ParallelOp{Op: op}
		from, to, step = f.mapRange(o.LowerMap(), o.LowerOperands()), f.mapRange(o.UpperMap(), o.UpperOperands()), interval{o.Steps()[i], o.Steps()[i]}
	default:
		return all
	}
	last := max(to.high, all.low+1) - 1
	if ahead, ok := mulExact(f.m.counted().high, step.high); ok {
		if most, ok := addExact(from.high, ahead); ok {
			last = min(last, most)
		}
	}
	r, _ := f.m.within(from.low, last, true)
	return r
}

// sizeRange returns the interval of a size that is a constant or a value.
func (f *function) sizeRange(s shapes.OpFoldResult) interval {
	if s.Value != nil {
		return f.rangeOf(s.Value)
	}
	r, _ := f.m.within(s.Const, s.Const, true)
	return r
}

// mapRange returns what the results of a map may be.
func (f *function) mapRange(m *ir.AffineMap, operands ir.Operands) interval {
	values := make([]term, len(operands))
	for i, v := range operands.Values() {
		values[i].interval = f.rangeOf(v)
	}
	var r interval
	for i, e := range m.Results {
		one, _ := f.exprRange(e, values[:m.Dims], values[m.Dims:])
		if i == 0 {
			r = one
		}
		r = interval{min(r.low, one.low), max(r.high, one.high)}
	}
	return r
}

// resultRange is rangeOf for the result of an operation, and tells whether a sum, difference or product stays in the range of index.
func (f *function) resultRange(op *ir.Op) (interval, bool) {
	both := func() (a, b interval) { return f.rangeOf(op.Operand(0)), f.rangeOf(op.Operand(1)) }
	switch {
	case op.Is(linalg.Index):
		if d := (linalg.IndexOp{Op: op}).Dim(); int(d) < len(f.nestSizes) {
			if n, ok := number(f.nestSizes[d]); ok && n > 0 {
				return f.m.within(0, n-1, true)
			}
		}
		return f.m.counted(), true
	case op.Is(memref.Dim):
		return f.m.counted(), true
	case op.Is(affine.Apply), op.Is(affine.Min), op.Is(affine.Max):
		return f.mapRange(affine.MapOf(op), op.Operands()), true
	case op.Is(arith.AddI), op.Is(index.Add):
		return f.m.added(both())
	case op.Is(arith.SubI), op.Is(index.Sub):
		return f.m.subtracted(both())
	case op.Is(arith.MulI), op.Is(index.Mul):
		return f.m.multiplied(both())
	case op.Is(arith.MaxSI), op.Is(index.MaxS):
		a, b := both()
		return interval{max(a.low, b.low), max(a.high, b.high)}, true
	case op.Is(arith.MinSI), op.Is(index.MinS):
		a, b := both()
		return interval{min(a.low, b.low), min(a.high, b.high)}, true
	case op.Is(arith.IndexCast), op.Is(arith.IndexCastUI):
		if t, ok := op.OnlyOperand().Type().(*ir.IntegerType); ok && t.Width < f.m.o.IndexBits {
			if op.Is(arith.IndexCastUI) {
				return interval{0, 1<<t.Width - 1}, true
			}
			return interval{-1 << (t.Width - 1), 1<<(t.Width-1) - 1}, true
		}
	}
	return f.m.anyIndex(), false
}

// staysIn tells whether a sum, difference or product of indices is known not to overflow.
func (x *element) staysIn() bool {
	r := x.op.Result(0)
	if r.Type() != ir.Type(ir.Index) || x.op.NumOperands() != 2 {
		return false
	}
	_, stays := x.f.resultRange(x.op)
	return stays
}
