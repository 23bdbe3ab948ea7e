package affine

import (
	"slices"

	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// constants returns the operands as constant expressions where they are constants.
func constantExprs(c *ir.Context, m *ir.AffineMap, operands []ir.Attribute) (dims, syms []*ir.AffineExpr, any bool) {
	dims, syms = make([]*ir.AffineExpr, m.Dims), make([]*ir.AffineExpr, m.Syms)
	for i, a := range operands {
		if i >= m.Dims+m.Syms {
			break
		}
		var e *ir.AffineExpr
		if n, ok := a.(*ir.IntegerAttr); ok {
			e = c.AffineConstant(n.Value)
			any = true
		}
		if i < m.Dims {
			if e == nil {
				e = c.AffineDim(i)
			}
			dims[i] = e
		} else {
			if e == nil {
				e = c.AffineSymbol(i - m.Dims)
			}
			syms[i-m.Dims] = e
		}
	}
	return dims, syms, any
}

func foldApply(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	m, c := MapOf(op), op.Context()
	switch e := m.Results[0]; e.Kind {
	case ir.AffineDim:
		return ir.FoldValue(op.Operand(int(e.Value)))
	case ir.AffineSymbol:
		return ir.FoldValue(op.Operand(m.Dims + int(e.Value)))
	}
	dims, syms, _ := constantExprs(c, m, operands)
	if e := c.AffineReplace(m.Results[0], dims, syms); e.Kind == ir.AffineConst {
		return ir.FoldAttr(c.IndexAttr(e.Value))
	}
	return nil
}

func foldMinMax(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	m, c := MapOf(op), op.Context()
	if len(m.Results) == 0 {
		return nil
	}
	dims, syms, any := constantExprs(c, m, operands)
	results := make([]*ir.AffineExpr, len(m.Results))
	best, all, changed := int64(0), true, false
	for i, e := range m.Results {
		results[i] = e
		x := e
		if any {
			x = c.AffineReplace(e, dims, syms)
		}
		if x.Kind != ir.AffineConst {
			all = false
			continue
		}
		changed = changed || x != e
		results[i] = x
		if i == 0 || op.Is(Min) && x.Value < best || op.Is(Max) && x.Value > best {
			best = x.Value
		}
	}
	if all {
		return ir.FoldAttr(c.IndexAttr(best))
	}
	if !changed {
		return nil
	}
	op.SetAttr(MapAttr, c.AffineMapAttr(c.AffineMap(m.Dims, m.Syms, results...)))
	return ir.FoldedInPlace()
}

// simplifyMapOp composes and simplifies the map of an apply, min or max.
func simplifyMapOp(r *rewrite.Rewriter, op *ir.Op) bool {
	m := MapOf(op)
	n, operands := Simplify(r.Context(), m, op.Operands().Values())
	if n == m && sameOperands(op.Operands(), operands) {
		return false
	}
	r.At(op)
	r.Replace(op, newMapOp(r.Builder, op.ID(), n, operands))
	return true
}

// withResults replaces the map of a min or max by one with other results.
func withResults(r *rewrite.Rewriter, op *ir.Op, results []*ir.AffineExpr) {
	m := MapOf(op)
	r.At(op)
	r.Replace(op, newMapOp(r.Builder, op.ID(), r.Context().AffineMap(m.Dims, m.Syms, results...), op.Operands().Values()))
}

func uniqueResults(r *rewrite.Rewriter, op *ir.Op) bool {
	m := MapOf(op)
	seen := map[*ir.AffineExpr]bool{}
	var results []*ir.AffineExpr
	for _, e := range m.Results {
		if !seen[e] {
			seen[e] = true
			results = append(results, e)
		}
	}
	if len(results) == len(m.Results) {
		return false
	}
	withResults(r, op, results)
	return true
}

// mergeMinMax takes the results of operands that are minima or maxima, too, into
// the map.
func mergeMinMax(r *rewrite.Rewriter, op *ir.Op) bool {
	m, c := MapOf(op), r.Context()
	var dimOps, symOps []*ir.Value
	var producers []*ir.Op
	var results []*ir.AffineExpr
	for _, e := range m.Results {
		pos := -1
		switch e.Kind {
		case ir.AffineDim:
			pos = int(e.Value)
		case ir.AffineSymbol:
			pos = m.Dims + int(e.Value)
		}
		if pos >= 0 {
			if def := op.Operand(pos).DefiningOp(); def != nil && def.Is(op.ID()) && def != op {
				producers = append(producers, def)
				continue
			}
		}
		results = append(results, e)
	}
	if len(producers) == 0 {
		return false
	}
	usedDims, usedSyms := m.Dims, m.Syms
	for _, p := range producers {
		pm := MapOf(p)
		dims, syms := make([]*ir.AffineExpr, pm.Dims), make([]*ir.AffineExpr, pm.Syms)
		for i := range dims {
			dims[i] = c.AffineDim(usedDims + i)
		}
		for i := range syms {
			syms[i] = c.AffineSymbol(usedSyms + i)
		}
		usedDims, usedSyms = usedDims+pm.Dims, usedSyms+pm.Syms
		for _, e := range pm.Results {
			results = append(results, c.AffineReplace(e, dims, syms))
		}
		operands := p.Operands().Values()
		dimOps, symOps = append(dimOps, operands[:pm.Dims]...), append(symOps, operands[pm.Dims:]...)
	}
	own := op.Operands().Values()
	operands := append(append(append(append([]*ir.Value(nil), own[:m.Dims]...), dimOps...), own[m.Dims:]...), symOps...)
	r.At(op)
	r.Replace(op, newMapOp(r.Builder, op.ID(), c.AffineMap(usedDims, usedSyms, results...), operands))
	return true
}

// flatten returns the coefficients of a linear expression of dimensions, symbols
// and a constant; nil for another expression.
func flatten(e *ir.AffineExpr, dims, syms int) []int64 {
	out := make([]int64, dims+syms+1)
	var add func(e *ir.AffineExpr, k int64) bool
	add = func(e *ir.AffineExpr, k int64) bool {
		switch e.Kind {
		case ir.AffineConst:
			out[dims+syms] += k * e.Value
		case ir.AffineDim:
			out[e.Value] += k
		case ir.AffineSymbol:
			out[dims+int(e.Value)] += k
		case ir.AffineAdd:
			return add(e.LHS, k) && add(e.RHS, k)
		case ir.AffineMul:
			if e.RHS.Kind != ir.AffineConst {
				return false
			}
			return add(e.LHS, k*e.RHS.Value)
		default:
			return false
		}
		return true
	}
	if !add(e, 1) {
		return nil
	}
	return out
}

// orderResults puts linear results in the order of their coefficients, the
// constant last.
func orderResults(r *rewrite.Rewriter, op *ir.Op) bool {
	m, c := MapOf(op), r.Context()
	var terms [][]int64
	for _, e := range m.Results {
		f := flatten(e, m.Dims, m.Syms)
		if f == nil {
			return false
		}
		terms = append(terms, f)
	}
	slices.SortStableFunc(terms, slices.Compare[[]int64])
	results := make([]*ir.AffineExpr, len(terms))
	changed := false
	for i, t := range terms {
		e := c.AffineConstant(0)
		for k := range m.Dims {
			e = c.AffineAdd(e, c.AffineMul(c.AffineDim(k), c.AffineConstant(t[k])))
		}
		for k := range m.Syms {
			e = c.AffineAdd(e, c.AffineMul(c.AffineSymbol(k), c.AffineConstant(t[m.Dims+k])))
		}
		results[i] = c.AffineAdd(e, c.AffineConstant(t[m.Dims+m.Syms]))
		changed = changed || results[i] != m.Results[i]
	}
	if !changed {
		return false
	}
	withResults(r, op, results)
	return true
}

func singleResult(r *rewrite.Rewriter, op *ir.Op) bool {
	m := MapOf(op)
	if len(m.Results) != 1 {
		return false
	}
	r.At(op)
	r.Replace(op, NewApply(r.Builder, m, op.Operands().Values()...))
	return true
}

func foldAccess(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	if memref.FoldCasts(op, AccessOp{op}.Value()) {
		return ir.FoldedInPlace()
	}
	return nil
}

func foldAccessCasts(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	if memref.FoldCasts(op, nil) {
		return ir.FoldedInPlace()
	}
	return nil
}

func simplifyAccess(r *rewrite.Rewriter, op *ir.Op) bool {
	o := AccessOp{op}
	m := o.Map()
	n, operands := Simplify(r.Context(), m, o.MapOperands().Values())
	if n == m && sameOperands(o.MapOperands(), operands) {
		return false
	}
	r.Modify(op, func() { o.SetMap(n, operands) })
	return true
}

// foldFor simplifies the bounds, and replaces the results of a loop that doesn't
// run.
func foldFor(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	o := ForOp{op}
	changed := foldBound(o, o.LowerMap(), o.LowerOperands(), o.SetLower, true)
	changed = foldBound(o, o.UpperMap(), o.UpperOperands(), o.SetUpper, false) || changed
	if n, ok := o.TripCount(); ok && n == 0 && op.NumResults() > 0 {
		out := make([]ir.FoldResult, op.NumResults())
		for i := range out {
			out[i].Value = o.Inits().At(i)
		}
		return out
	}
	if changed {
		return ir.FoldedInPlace()
	}
	return nil
}

func foldBound(o ForOp, m *ir.AffineMap, operands ir.Operands, set func(*ir.AffineMap, []*ir.Value), largest bool) bool {
	c := o.Context()
	b := newBound(c, m.Results, m.Dims, operands.Values())
	b.compose()
	b.canonicalize()
	// Remainders can no longer be told when sums are in normal form.
	b.dropRedundant(largest)
	b.normalize()
	b.unify()
	all, best := true, int64(0)
	for i, e := range b.exprs {
		if all = all && e.Kind == ir.AffineConst; !all {
			break
		}
		if i == 0 || largest && e.Value > best || !largest && e.Value < best {
			best = e.Value
		}
	}
	n, vs := b.affineMap(), b.operands()
	if all && len(b.exprs) > 0 {
		n, vs = c.ConstantMap(best), nil
	}
	if n == m && sameOperands(operands, vs) {
		return false
	}
	set(n, vs)
	return true
}

// unify drops results that are the same as the result before them. (So mlir-opt keeps the
// second s0 in (s0, 1, s0).)
func (b *bound) unify() { b.exprs = slices.Compact(b.exprs) }

// emptyLoop replaces the results of a loop that only passes values on.
func emptyLoop(r *rewrite.Rewriter, op *ir.Op) bool {
	o := ForOp{op}
	y := o.Yield()
	if o.Body().First() != y || op.NumResults() == 0 {
		return false
	}
	n, known := o.TripCount()
	if known && n == 0 {
		r.Replace(op, o.Inits().Values()...)
		return true
	}
	values := make([]*ir.Value, op.NumResults())
	outside, moved := false, false
	for i := range values {
		v := y.Operand(i)
		if v.IsBlockArg() && v.ArgOwner() == o.Body() {
			if v.Index() == 0 {
				return false
			}
			moved = moved || v.Index() != i+1
			values[i] = o.Inits().At(v.Index() - 1)
			continue
		}
		outside = true
		values[i] = v
	}
	if !known && (outside || moved) || known && n > 1 && moved {
		return false
	}
	r.Replace(op, values...)
	return true
}

func foldIf(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	o := IfOp{op}
	set := o.Set()
	if set == nil {
		return nil
	}
	c := op.Context()
	b := newBound(c, set.Constraints, set.Dims, op.Operands().Values())
	composed := slices.ContainsFunc(b.operands(), func(v *ir.Value) bool { return v.DefinedBy(Apply) != nil })
	b.compose()
	b.canonicalize()
	if composed {
		b.normalize()
	}
	n := c.IntegerSet(len(b.dims), len(b.syms), b.exprs, set.Eq)
	if n == set && sameOperands(op.Operands(), b.operands()) {
		return nil
	}
	op.SetAttr(ConditionAttr, c.IntegerSetAttr(n))
	op.SetOperands(b.operands())
	return ir.FoldedInPlace()
}

func deadElse(r *rewrite.Rewriter, op *ir.Op) bool {
	els := IfOp{op}.Else()
	if els == nil || op.NumResults() > 0 || els.First() != els.Last() {
		return false
	}
	r.EraseBlock(els)
	r.Modified(op)
	return true
}

// staticIf replaces a conditional on the set that holds everything, 0 == 0, or
// nothing, 1 == 0.
func staticIf(r *rewrite.Rewriter, op *ir.Op) bool {
	o := IfOp{op}
	set := o.Set()
	if len(set.Constraints) != 1 || !set.Eq[0] {
		return false
	}
	switch e := set.Constraints[0]; {
	case e.IsConst(0), e.IsConst(1):
		decide(r, o, e.IsConst(0))
		return true
	}
	return false
}

// ConstantIf is the pattern that replaces an affine.if whose set has constant constraints only by the branch that is always taken. Canonicalization
// does that for the sets 0 == 0 and 1 == 0 only, as MLIR's does.
func ConstantIf(r *rewrite.Rewriter, op *ir.Op) bool {
	o := IfOp{op}
	set := o.Set()
	holds := true
	for i, e := range set.Constraints {
		if e.Kind != ir.AffineConst {
			return false
		}
		holds = holds && (e.Value == 0 || e.Value > 0 && !set.Eq[i])
	}
	decide(r, o, holds)
	return true
}

// decide replaces a conditional by one of its branches.
func decide(r *rewrite.Rewriter, op IfOp, holds bool) {
	b := op.Then()
	if !holds {
		b = op.Else()
	}
	if b == nil {
		r.Erase(op.Op)
		return
	}
	t := b.Last()
	values := t.Operands().Values()
	r.InlineBlockBefore(b, op.Block(), op.Op, nil)
	r.Replace(op.Op, values...)
	r.Erase(t)
}

func foldParallel(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	o := ParallelOp{op}
	c := op.Context()
	lm, lo := simplifyBounds(c, o.LowerMap(), o.LowerOperands())
	um, uo := simplifyBounds(c, o.UpperMap(), o.UpperOperands())
	if lm == o.LowerMap() && um == o.UpperMap() && sameOperands(o.LowerOperands(), lo) && sameOperands(o.UpperOperands(), uo) {
		return nil
	}
	op.SetAttr(LowerBoundsMap, c.AffineMapAttr(lm))
	op.SetAttr(UpperBoundsMap, c.AffineMapAttr(um))
	op.SetOperands(append(lo, uo...))
	return ir.FoldedInPlace()
}

func simplifyBounds(c *ir.Context, m *ir.AffineMap, operands ir.Operands) (*ir.AffineMap, []*ir.Value) {
	b := newBound(c, m.Results, m.Dims, operands.Values())
	b.compose()
	b.canonicalize()
	b.normalize()
	return b.affineMap(), b.operands()
}
