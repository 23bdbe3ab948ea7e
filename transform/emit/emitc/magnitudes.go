package emitc

import (
	"fmt"
	"math/bits"

	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/dialect/index"
	"freehold/dialect/linalg"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/ir"
)

// countedBits is how many bits what was counted has: elements of buffers, and how far loops have come. No memory has more elements, and no loop is done
// with more.
func (m *module) countedBits() int { return m.o.IndexBits * 5 / 8 }

// mayLeave tells whether a sum or product may leave the range of index. In C, that is undefined for signed numbers.
func (f *function) mayLeave(e *ir.AffineExpr, dims, syms []term) bool {
	return (e.Kind == ir.AffineAdd || e.Kind == ir.AffineMul) && f.bitsOfExpr(e, dims, syms) >= f.m.o.IndexBits
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

// bitsOfExpr returns how many bits the magnitude of an expression may have: that of all numbers, if it may leave their range.
func (f *function) bitsOfExpr(e *ir.AffineExpr, dims, syms []term) int {
	switch e.Kind {
	case ir.AffineConst:
		return magnitude(e.Value)
	case ir.AffineDim:
		return dims[e.Value].bits
	case ir.AffineSymbol:
		return syms[e.Value].bits
	}
	a, b := f.bitsOfExpr(e.LHS, dims, syms), f.bitsOfExpr(e.RHS, dims, syms)
	switch e.Kind {
	case ir.AffineAdd:
		return f.sumBits(a, b)
	case ir.AffineMul:
		return f.productBits(a, b)
	case ir.AffineMod:
		return b
	}
	if by := e.RHS; by.Kind == ir.AffineConst && by.Value > 1 {
		return min(a, max(a-magnitude(by.Value), 0)+2) // rounded away from zero
	}
	return a
}

// magnitude returns how many bits a number has without its sign.
func magnitude(n int64) int {
	if n < 0 {
		n = -(n + 1) // the least one has no opposite
		return bits.Len64(uint64(n) + 1)
	}
	return bits.Len64(uint64(n))
}

func (f *function) sumBits(a, b int) int {
	if a == 0 || b == 0 {
		return a + b
	}
	return min(max(a, b)+1, f.m.o.IndexBits)
}

func (f *function) productBits(a, b int) int {
	if a == 0 || b == 0 {
		return 0
	}
	return min(a+b, f.m.o.IndexBits)
}

// bitsOf returns how many bits the magnitude of an index may have.
func (f *function) bitsOf(v *ir.Value) int {
	if n, ok := ir.ConstantInt(v); ok {
		return magnitude(n)
	}
	if r := f.rangeOf(v); r.known {
		return max(magnitude(r.low), magnitude(r.high))
	}
	n, done := f.magnitudes[v]
	if !done {
		f.magnitudes[v] = f.m.o.IndexBits // of what depends on itself, nothing is known
		if v.IsBlockArg() {
			n = f.counterBits(v)
		} else {
			n = f.resultBits(v.DefiningOp())
		}
		f.magnitudes[v] = n
	}
	return n
}

// counterBits is bitsOf for an argument of a block: what the counter of a loop is ahead of its first number was counted.
func (f *function) counterBits(v *ir.Value) int {
	op, i := v.ArgOwner().ParentOp(), v.Index()
	var from, step int
	switch {
	case op.Is(scf.For) && i == 0:
		o := scf.ForOp{Op: op}
		from, step = f.bitsOf(o.LowerBound()), f.bitsOf(o.Step())
	case op.Is(scf.Parallel):
		o := scf.ParallelOp{Op: op}
		from, step = f.bitsOf(o.LowerBounds().At(i)), f.bitsOf(o.Steps().At(i))
	case op.Is(affine.For) && i == 0:
		o := affine.ForOp{Op: op}
		from, step = f.mapBits(o.LowerMap(), o.LowerOperands()), magnitude(o.Step())
	case op.Is(affine.Parallel):
		o := affine.ParallelOp{Op: op}
		from, step = f.mapBits(o.LowerMap(), o.LowerOperands()), magnitude(o.Steps()[i])
	case op.Is(scf.Forall) && i < (scf.ForallOp{Op: op}).Rank():
	default:
		return f.m.o.IndexBits
	}
	counted := f.m.countedBits()
	switch {
	case step > counted:
		return f.m.o.IndexBits
	case from > counted:
		return f.sumBits(from, counted)
	}
	return counted
}

// mapBits returns the most bits of the results of a map.
func (f *function) mapBits(m *ir.AffineMap, operands ir.Operands) (most int) {
	values := make([]term, len(operands))
	for i, v := range operands.Values() {
		values[i].bits = f.bitsOf(v)
	}
	for _, e := range m.Results {
		most = max(most, f.bitsOfExpr(e, values[:m.Dims], values[m.Dims:]))
	}
	return most
}

// resultBits is bitsOf for the result of an operation.
func (f *function) resultBits(op *ir.Op) int {
	both := func(of func(a, b int) int) int { return of(f.bitsOf(op.Operand(0)), f.bitsOf(op.Operand(1))) }
	switch {
	case op.Is(memref.Dim), op.Is(linalg.Index):
		return f.m.countedBits()
	case op.Is(affine.Apply), op.Is(affine.Min), op.Is(affine.Max):
		return f.mapBits(affine.MapOf(op), op.Operands())
	case op.Is(arith.AddI), op.Is(arith.SubI), op.Is(index.Add), op.Is(index.Sub):
		return both(f.sumBits)
	case op.Is(arith.MulI), op.Is(index.Mul):
		return both(f.productBits)
	case op.Is(arith.MinSI), op.Is(arith.MaxSI), op.Is(index.MinS), op.Is(index.MaxS):
		return both(func(a, b int) int { return max(a, b) })
	case op.Is(arith.IndexCast), op.Is(arith.IndexCastUI):
		if t, ok := op.Operand(0).Type().(*ir.IntegerType); ok {
			return min(int(t.Width), f.m.o.IndexBits)
		}
	}
	return f.m.o.IndexBits
}
