package scf

import (
	"math"

	"freehold/dialect/arith"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// foldParallelDims removes the dimensions of a loop that have one iteration, and
// loops with a dimension that has none.
func foldParallelDims(r *rewrite.Rewriter, op *ir.Op) bool {
	o := ParallelOp{op}
	var lower, upper, steps []*ir.Value
	m := ir.NewMapping()
	dropped := false
	for i, iv := range o.InductionVars() {
		lb, ub, step := o.LowerBounds().At(i), o.UpperBounds().At(i), o.Steps().At(i)
		n, ok := mixedIterations(shapes.SizeOf(lb), shapes.SizeOf(ub), shapes.SizeOf(step))
		if ok && n == 0 {
			r.Replace(op, o.Inits().Values()...)
			return true
		}
		if ok && n == 1 {
			m.Map(iv, lb)
			dropped = true
			continue
		}
		lower, upper, steps = append(lower, lb), append(upper, ub), append(steps, step)
	}
	if !dropped {
		return false
	}
	r.At(op)
	if len(lower) == 0 {
		inlineParallel(r, o, m)
		return true
	}
	n := newEmptyParallel(r.Builder, lower, upper, steps, o.Inits().Values())
	k := 0
	args := make([]*ir.Value, len(o.InductionVars()))
	for i, iv := range o.InductionVars() {
		if lb, ok := m.Lookup(iv); ok {
			args[i] = lb
		} else {
			args[i] = n.InductionVars()[k]
			k++
		}
	}
	r.MergeBlocks(o.Body(), n.Body(), args)
	r.Replace(op, n.Results().Values()...)
	return true
}

// inlineParallel replaces a loop with one iteration by its body, and its
// reductions by theirs.
func inlineParallel(r *rewrite.Rewriter, o ParallelOp, m *ir.Mapping) {
	reduce := o.Reduce()
	for x := range o.Body().Ops() {
		if x != reduce.Op {
			r.Clone(x, m)
		}
	}
	results := make([]*ir.Value, o.NumResults())
	for i := range results {
		b := reduce.Body(i)
		rm := ir.NewMapping()
		rm.Map(b.Arg(0), o.Inits().At(i))
		rm.Map(b.Arg(1), m.Value(reduce.Operand(i)))
		for x := range b.Ops() {
			if x == b.Last() {
				results[i] = rm.Value(ReduceReturnOp{x}.ResultValue())
				break
			}
			r.Clone(x, rm)
		}
	}
	r.Replace(o.Op, results...)
}

// mergeNestedParallel joins a loop with one that is all of its body.
func mergeNestedParallel(r *rewrite.Rewriter, op *ir.Op) bool {
	o := ParallelOp{op}
	in := o.Body().First()
	if !in.Is(Parallel) || in.Next() != o.Body().Last() {
		return false
	}
	inner := ParallelOp{in}
	for _, g := range []ir.Operands{inner.LowerBounds(), inner.UpperBounds(), inner.Steps()} {
		for i := range g {
			if g.At(i).IsBlockArg() && g.At(i).ArgOwner() == o.Body() {
				return false
			}
		}
	}
	if len(o.Inits()) > 0 || len(inner.Inits()) > 0 {
		return false
	}
	r.At(op)
	join := func(a, b ir.Operands) []*ir.Value { return append(a.Values(), b.Values()...) }
	n := newEmptyParallel(r.Builder, join(o.LowerBounds(), inner.LowerBounds()), join(o.UpperBounds(), inner.UpperBounds()),
		join(o.Steps(), inner.Steps()), nil)
	k := len(o.InductionVars())
	ivs := n.InductionVars()
	for i, a := range o.InductionVars() {
		r.ReplaceUses(a, ivs[i])
	}
	r.MergeBlocks(inner.Body(), n.Body(), ivs[k:])
	r.Replace(op)
	return true
}

func forallPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "FoldTensorCastOfOutputIntoForallOp", Rewrite: foldForallCasts},
		{Name: "ForallOpControlOperandsFolder", Rewrite: foldForallBounds},
		{Name: "ForallOpIterArgsFolder", Rewrite: foldForallOutputs},
		{Name: "ForallOpSingleOrZeroIterationDimsFolder", Rewrite: foldForallDims},
	}
}

// foldForallBounds moves constant bounds and steps into the attributes.
func foldForallBounds(r *rewrite.Rewriter, op *ir.Op) bool {
	o := ForallOp{op}
	lower, upper, steps := o.LowerBounds(), o.UpperBounds(), o.Steps()
	changed := shapes.FoldConstants(lower, false, false)
	changed = shapes.FoldConstants(upper, false, false) || changed
	changed = shapes.FoldConstants(steps, false, false) || changed
	if !changed {
		return false
	}
	r.Modify(op, func() {
		c := op.Context()
		outs := o.Outputs().Values()
		var operands []*ir.Value
		var sizes []int
		for i, list := range [][]shapes.OpFoldResult{lower, upper, steps} {
			static, dynamic := shapes.SplitMixed(list)
			op.SetAttr([]string{StaticLowerBound, StaticUpperBound, StaticStep}[i], c.DenseI64Array(static...))
			operands = append(operands, dynamic...)
			sizes = append(sizes, len(dynamic))
		}
		op.SetOperands(append(operands, outs...))
		op.SetAttr(ir.OperandSegmentsAttr, c.Segments(append(sizes, len(outs))...))
	})
	return true
}

// insertedInto returns the operations of the terminator that insert into an
// output's block argument.
func insertedInto(o ForallOp, arg *ir.Value) []*ir.Op {
	var out []*ir.Op
	t := o.InParallel()
	for u := arg.FirstUse(); u != nil; u = u.Next() {
		if x := u.Owner(); x.Parent() == t.Op && u.Index() == 1 {
			out = append(out, x)
		}
	}
	return out
}

// foldForallOutputs removes shared outputs into which nothing is inserted, or
// whose results nothing uses.
func foldForallOutputs(r *rewrite.Rewriter, op *ir.Op) bool {
	o := ForallOp{op}
	n := op.NumResults()
	keep := make([]bool, n)
	var outs []*ir.Value
	for i, arg := range o.OutputArgs() {
		if keep[i] = op.Result(i).HasUses() && len(insertedInto(o, arg)) > 0; keep[i] {
			outs = append(outs, o.Outputs().At(i))
		}
	}
	if len(outs) == n {
		return false
	}
	for i, arg := range o.OutputArgs() {
		if !keep[i] {
			for _, x := range insertedInto(o, arg) {
				r.Erase(x)
			}
		}
	}
	r.At(op)
	f := NewForall(r.Builder, o.LowerBounds(), o.UpperBounds(), o.Steps(), outs, o.Mapping())
	r.Erase(f.Body().Last())
	args := append([]*ir.Value(nil), f.InductionVars()...)
	results := make([]*ir.Value, n)
	k := 0
	for i := range keep {
		if keep[i] {
			args = append(args, f.OutputArgs()[k])
			results[i] = f.Result(k)
			k++
		} else {
			args = append(args, o.Outputs().At(i))
			results[i] = o.Outputs().At(i)
		}
	}
	r.MergeBlocks(o.Body(), f.Body(), args)
	r.Replace(op, results...)
	return true
}

// foldForallCasts takes casts that only lose sizes out of the shared outputs: the loop
// works on the tensors before them, and its results are cast.
func foldForallCasts(r *rewrite.Rewriter, op *ir.Op) bool {
	o := ForallOp{op}
	outs := o.Outputs().Values()
	cast := make([]bool, len(outs))
	any := false
	for i, v := range outs {
		in := v.DefinedBy(tensor.Cast)
		if in == nil || !tensor.PreservesStatic(v.Type(), tensor.CastOp{Op: in}.Source().Type()) {
			continue
		}
		outs[i], cast[i], any = tensor.CastOp{Op: in}.Source(), true, true
	}
	if !any {
		return false
	}
	r.At(op)
	f := NewForall(r.Builder, o.LowerBounds(), o.UpperBounds(), o.Steps(), outs, o.Mapping())
	r.Erase(f.Body().Last())
	r.SetEnd(f.Body())
	args := append([]*ir.Value(nil), f.InductionVars()...)
	for i, arg := range o.OutputArgs() {
		n := f.OutputArgs()[i]
		// What is inserted goes into the argument itself, not into its cast.
		for _, x := range insertedInto(o, arg) {
			r.Modify(x, func() { x.SetOperand(1, n) })
		}
		if cast[i] {
			n = tensor.NewCast(r.Builder, arg.Type(), n)
		}
		args = append(args, n)
	}
	r.MergeBlocks(o.Body(), f.Body(), args)
	r.SetAfter(f.Op)
	results := f.Results().Values()
	for i := range results {
		if cast[i] {
			results[i] = tensor.NewCast(r.Builder, op.Result(i).Type(), results[i])
		}
	}
	r.Replace(op, results...)
	return true
}

// foldForallDims removes dimensions with one iteration, and loops that don't run.
func foldForallDims(r *rewrite.Rewriter, op *ir.Op) bool {
	o := ForallOp{op}
	if o.Mapping() != nil {
		return false
	}
	lower, upper, steps := o.LowerBounds(), o.UpperBounds(), o.Steps()
	var l, u, s []shapes.OpFoldResult
	single := make([]bool, len(upper))
	any := false
	for i := range upper {
		n, ok := mixedIterations(lower[i], upper[i], steps[i])
		if ok && n == 0 {
			r.Replace(op, o.Outputs().Values()...)
			return true
		}
		if ok && n == 1 {
			single[i], any = true, true
			continue
		}
		l, u, s = append(l, lower[i]), append(u, upper[i]), append(s, steps[i])
	}
	if !any {
		return false
	}
	r.At(op)
	if len(l) == 0 {
		return inlineForall(r, o)
	}
	f := NewForall(r.Builder, l, u, s, o.Outputs().Values(), nil)
	copyAttrs(f.Op, op)
	r.Erase(f.Body().Last())
	r.SetBefore(f.Op)
	var args []*ir.Value
	k := 0
	for i := range single {
		if single[i] {
			args = append(args, arith.ValueOf(r.Builder, lower[i]))
		} else {
			args = append(args, f.InductionVars()[k])
			k++
		}
	}
	r.MergeBlocks(o.Body(), f.Body(), append(args, f.OutputArgs()...))
	r.Replace(op, f.Results().Values()...)
	return true
}

// mixedIterations returns the number of iterations between bounds, negative if they
// are in the wrong order, and whether it is known.
func mixedIterations(lower, upper, step shapes.OpFoldResult) (int64, bool) {
	if lower == upper {
		return 0, true
	}
	l, ok1 := lower.Int()
	u, ok2 := upper.Int()
	s, ok3 := step.Int()
	if !ok1 || !ok2 || !ok3 || s == 0 {
		return 0, false
	}
	by := uint64(s)
	if s < 0 {
		l, u, by = u, l, uint64(-s)
	}
	if u > l {
		n := (distance(l, u)-1)/by + 1
		return int64(n), n <= math.MaxInt64
	}
	return -int64(min(distance(u, l)/by, math.MaxInt64)), true
}

// inlineForall replaces a loop with one iteration by its body; what its terminator
// inserts into an output is inserted one after the other.
func inlineForall(r *rewrite.Rewriter, o ForallOp) bool {
	t := o.InParallel()
	for x := range t.Body().Ops() {
		if !x.Is(tensor.ParallelInsertSlice) {
			return false
		}
	}
	args := arith.ValuesOf(r.Builder, o.LowerBounds())
	r.SetBefore(t.Op)
	results := o.Outputs().Values()
	for x := range t.Body().Ops() {
		p := tensor.InsertSliceOp{Op: x}
		for i, arg := range o.OutputArgs() {
			if p.Dest() == arg {
				results[i] = tensor.NewInsertSlice(r.Builder, p.Source(), results[i], p.Slice())
			}
		}
	}
	r.Erase(t.Op)
	r.InlineBlockBefore(o.Body(), o.Block(), o.Op, append(args, o.Outputs().Values()...))
	r.Replace(o.Op, results...)
	return true
}
