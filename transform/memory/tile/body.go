package tile

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/scf"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// body finds the tensors that the body of a structured operation reads by rows, and what else it needs from outside.
func (n *node) body(ranges []int64) bool {
	ok := true
	seen := map[*ir.Value]int{} // places among the reads
	n.op.Walk(func(x *ir.Op) bool {
		if x == n.op {
			return true
		}
		if x.NumResults() > 0 && ir.IsTensor(x.Result(0).Type()) {
			ok = false
			return false
		}
		for i, v := range x.Operands().Values() {
			if isInside(n.op, v) {
				continue
			}
			if !ir.IsTensor(v.Type()) || !x.Is(tensor.Extract) || i > 0 {
				n.rest = append(n.rest, v)
				continue
			}
			a, ok1 := n.extraction(x, ranges)
			if !ok1 {
				n.rest = append(n.rest, v)
				continue
			}
			at, known := seen[v]
			if !known {
				seen[v] = len(n.reads)
				n.reads = append(n.reads, read{value: v, operand: -1, access: a})
				continue
			}
			if before := &n.reads[at].access; before.dim != a.dim || before.scale != a.scale || before.div != a.div {
				ok = false
			} else {
				before.first, before.last = min(before.first, a.first), max(before.last, a.last)
			}
		}
		return ok
	})
	// What is read by rows must not be needed otherwise as well.
	for _, v := range n.rest {
		if _, rows := seen[v]; rows {
			return false
		}
	}
	return ok
}

// isInside tells whether a value is defined in an operation.
func isInside(op *ir.Op, v *ir.Value) bool {
	if v.IsBlockArg() {
		return op.IsAncestorOf(interfaces.OwnerOf(v))
	}
	return op.IsProperAncestorOf(v.DefiningOp())
}

// extraction returns the rows of the tensor that an extraction of an element reads; false if that doesn't depend on the row alone, or not on
// it at all.
func (n *node) extraction(x *ir.Op, ranges []int64) (a access, ok bool) {
	read := tensor.ExtractOp{Op: x}
	shape, ranked := ir.ShapeOf(read.Tensor().Type())
	if !ranked {
		return a, false
	}
	in := &indexer{op: n.op, ranges: slices.Clone(ranges)}
	for k := range shape {
		row, depends, known := in.access(read.Indices().At(k), n.loop)
		switch {
		case !known || depends && ok:
			return a, false // it may be any row
		case depends:
			a, ok = row, true
			a.dim = k
		}
	}
	return a, ok
}

// access returns the rows that an index stands for, and whether it depends on the row at all; false if that isn't known.
func (x *indexer) access(v *ir.Value, loop int) (a access, depends, known bool) {
	if e := x.index(v); e != nil {
		if !e.DependsOn(loop) {
			return a, false, true
		}
		a, known = accessOf(e, loop, x.ranges)
		return a, true, known
	}
	i := indexOfValue(x.op, v)
	switch {
	case i == nil:
		return a, false, false
	case !i.dims[loop]:
		return a, false, true
	}
	if table := i.table(v, loop, x.ranges[loop]); table != nil {
		a, known = accessOfTable(table)
	}
	return a, true, known
}

// indexer puts indices that the body of a structured operation computes in terms of the dimensions of its iteration space. Loops in the body are
// dimensions more.
type indexer struct {
	op     *ir.Op
	ranges []int64
}

// index returns an index; nil if it is something else.
func (x *indexer) index(v *ir.Value) *ir.AffineExpr {
	c := x.op.Context()
	if n, ok := ir.ConstantInt(v); ok {
		return c.AffineConstant(n)
	}
	if !isInside(x.op, v) {
		return nil
	}
	def := v.DefiningOp()
	if def == nil {
		return x.counter(v)
	}
	if def.Is(linalg.Index) {
		return c.AffineDim(int(linalg.IndexOp{Op: def}.Dim()))
	}
	if def.NumOperands() != 2 {
		return nil
	}
	l, r := x.index(def.Operand(0)), x.index(def.Operand(1))
	if l == nil || r == nil {
		return nil
	}
	switch {
	case def.Is(arith.AddI):
		return c.AffineAdd(l, r)
	case def.Is(arith.SubI) && r.Kind == ir.AffineConst:
		return c.AffineAdd(l, c.AffineConstant(-r.Value))
	case r.Kind != ir.AffineConst || r.Value <= 0:
		return nil
	case def.Is(arith.MulI):
		return c.AffineMul(l, r)
	case def.Is(arith.FloorDivSI), (def.Is(arith.DivUI) || def.Is(arith.DivSI)) && isNatural(l):
		return c.AffineFloorDiv(l, r)
	}
	return nil
}

// counter returns what a loop in the body counts as a dimension of its own, between the least and the most that it may be.
func (x *indexer) counter(v *ir.Value) *ir.AffineExpr {
	op := interfaces.OwnerOf(v)
	if !op.Is(scf.For) || v.Index() != 0 {
		return nil
	}
	loop := scf.ForOp{Op: op}
	if loop.Unsigned() {
		return nil
	}
	step, known := ir.ConstantInt(loop.Step())
	lo, ok1 := x.least(loop.LowerBound())
	end, ok2 := x.most(loop.UpperBound())
	if !known || step <= 0 || !ok1 || !ok2 {
		return nil
	}
	c := x.op.Context()
	x.ranges = append(x.ranges, max(end-lo, 1))
	return c.AffineAdd(c.AffineDim(len(x.ranges)-1), c.AffineConstant(lo))
}

// least returns what an index is at least, as far as constants tell.
func (x *indexer) least(v *ir.Value) (int64, bool) {
	if n, ok := ir.ConstantInt(v); ok {
		return n, true
	}
	if def := v.DefiningOp(); def != nil && def.Is(arith.MaxSI) {
		l, ok1 := x.least(arith.MaxSIOp{Op: def}.LHS())
		r, ok2 := x.least(arith.MaxSIOp{Op: def}.RHS())
		switch {
		case ok1 && ok2:
			return max(l, r), true
		case ok1:
			return l, true
		}
		return r, ok2
	}
	return 0, false
}

// most returns what an index is at most, as far as constants tell.
func (x *indexer) most(v *ir.Value) (int64, bool) {
	if n, ok := ir.ConstantInt(v); ok {
		return n, true
	}
	if def := v.DefiningOp(); def != nil && def.Is(arith.MinSI) {
		l, ok1 := x.most(arith.MinSIOp{Op: def}.LHS())
		r, ok2 := x.most(arith.MinSIOp{Op: def}.RHS())
		switch {
		case ok1 && ok2:
			return min(l, r), true
		case ok1:
			return l, true
		}
		return r, ok2
	}
	return 0, false
}

// isNatural tells whether an expression is at least zero, as dimensions are: other divisions than those that round down do the same then.
func isNatural(e *ir.AffineExpr) (ok bool) {
	ok = true
	e.Walk(func(x *ir.AffineExpr) { ok = ok && !(x.Kind == ir.AffineConst && x.Value < 0) })
	return ok
}
