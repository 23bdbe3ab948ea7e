package emitc

import (
	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/dialect/index"
	"freehold/dialect/linalg"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/shapes"
)

// interval is what an index may be: a number from low to high, if it is known.
type interval struct {
	low, high int64
	known     bool
}

// within returns an interval, which is known if it is small enough for products of two such not to overflow, and within the range of index.
func (m *module) within(low, high int64) interval {
	limit := int64(1)<<31 - 1
	return interval{low, high, low <= high && low >= -limit && high <= limit && m.o.IndexBits >= 32}
}

// rangeOf returns what an index may be. It knows the counters of loops with constant bounds, and sums and products of them.
func (f *function) rangeOf(v *ir.Value) interval {
	if v.Type() != ir.Type(ir.Index) {
		return interval{}
	}
	if n, ok := ir.ConstantInt(v); ok {
		return f.m.within(n, n)
	}
	r, done := f.ranges[v]
	if !done {
		if v.IsBlockArg() {
			r = f.counterRange(v)
		} else {
			r = f.resultRange(v.DefiningOp())
		}
		f.ranges[v] = r
	}
	return r
}

// counterRange returns the interval of an argument of a block that is the counter of a loop.
func (f *function) counterRange(v *ir.Value) interval {
	op := v.ArgOwner().ParentOp()
	between := func(lower, upper shapes.OpFoldResult) interval {
		low, high := f.sizeRange(lower), f.sizeRange(upper)
		if !low.known || !high.known {
			return interval{}
		}
		return f.m.within(low.low, high.high-1)
	}
	switch i := v.Index(); {
	case op.Is(scf.For) && i == 0:
		o := scf.ForOp{Op: op}
		return between(shapes.SizeOf(o.LowerBound()), shapes.SizeOf(o.UpperBound()))
	case op.Is(scf.Parallel):
		o := scf.ParallelOp{Op: op}
		return between(shapes.SizeOf(o.LowerBounds().At(i)), shapes.SizeOf(o.UpperBounds().At(i)))
	case op.Is(scf.Forall) && i < (scf.ForallOp{Op: op}).Rank():
		o := scf.ForallOp{Op: op}
		return between(o.LowerBounds()[i], o.UpperBounds()[i])
	case op.Is(affine.For) && i == 0:
		if low, high, ok := (affine.ForOp{Op: op}).ConstantBounds(); ok {
			return f.m.within(low, high-1)
		}
	}
	return interval{}
}

// sizeRange returns the interval of a size that is a constant or a value.
func (f *function) sizeRange(s shapes.OpFoldResult) interval {
	if s.Value != nil {
		return f.rangeOf(s.Value)
	}
	return f.m.within(s.Const, s.Const)
}

// resultRange returns the interval of the result of an operation.
func (f *function) resultRange(op *ir.Op) interval {
	if op.Is(linalg.Index) {
		if d := (linalg.IndexOp{Op: op}).Dim(); int(d) < len(f.nestSizes) {
			if n, ok := number(f.nestSizes[d]); ok {
				return f.m.within(0, n-1)
			}
		}
		return interval{}
	}
	if op.NumOperands() != 2 {
		return interval{}
	}
	a, b := f.rangeOf(op.Operand(0)), f.rangeOf(op.Operand(1))
	if !a.known || !b.known {
		return interval{}
	}
	switch {
	case op.Is(arith.AddI), op.Is(index.Add):
		return f.m.within(a.low+b.low, a.high+b.high)
	case op.Is(arith.SubI), op.Is(index.Sub):
		return f.m.within(a.low-b.high, a.high-b.low)
	case op.Is(arith.MulI), op.Is(index.Mul):
		p, q, r, s := a.low*b.low, a.low*b.high, a.high*b.low, a.high*b.high
		return f.m.within(min(p, q, r, s), max(p, q, r, s))
	case op.Is(arith.MaxSI), op.Is(index.MaxS):
		return f.m.within(max(a.low, b.low), max(a.high, b.high))
	case op.Is(arith.MinSI), op.Is(index.MinS):
		return f.m.within(min(a.low, b.low), min(a.high, b.high))
	}
	return interval{}
}

// staysIn tells whether a sum, difference or product of indices is known not to overflow.
func (x *element) staysIn() bool {
	r := x.op.Result(0)
	return r.Type() == ir.Type(ir.Index) && x.op.NumOperands() == 2 && x.f.rangeOf(r).known
}
