package core

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/cf"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// ControlFlowPatterns lower operations of scf to blocks that branch to each other.
func ControlFlowPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "ForallLowering", Root: scf.Forall, Rewrite: forallToParallel},
		{Name: "ForLowering", Root: scf.For, Rewrite: forToBranches},
		{Name: "IfLowering", Root: scf.If, Rewrite: ifToBranches},
		{Name: "ParallelLowering", Root: scf.Parallel, Rewrite: ParallelToFor},
		{Name: "WhileLowering", Root: scf.While, Rewrite: whileToBranches},
		{Name: "ExecuteRegionLowering", Root: scf.ExecuteRegion, Rewrite: executeRegionToBranches},
		{Name: "IndexSwitchLowering", Root: scf.IndexSwitch, Rewrite: indexSwitchToBranches},
		{Name: "DoWhileLowering", Root: scf.While, Benefit: 2, Rewrite: doWhileToBranches},
	}
}

// ConvertSCFToCF replaces the operations of scf in op by branches. A scf.forall must
// work on buffers.
func ConvertSCFToCF(op *ir.Op, patterns *rewrite.PatternSet, report func(*ir.Diagnostic)) error {
	t := conversion.NewTarget()
	t.Illegal(scf.Forall, scf.For, scf.If, scf.IndexSwitch, scf.Parallel, scf.While, scf.ExecuteRegion)
	t.DynamicOthers(func(*ir.Op) conversion.Legality { return conversion.Legal })
	return conversion.Partial(op, t, patterns, conversion.Config{Report: report})
}

// branchInsteadOf ends a block with a branch in place of its terminator, whose operands
// go along.
func branchInsteadOf(r *rewrite.Rewriter, t *ir.Op, dest *ir.Block) {
	r.SetEnd(t.Block())
	cf.NewBranch(r.Builder, dest, t.Operands().Values()...)
	r.Erase(t)
}

// forToBranches makes the body's block, which has the loop's arguments, the block that
// tests the condition.
func forToBranches(r *rewrite.Rewriter, op *ir.Op) bool {
	o := scf.ForOp{Op: op}
	start, end := r.SplitBlock(op.Block(), op)
	condition, first := r.SplitBlock(o.Body(), o.Body().First())
	last := op.RegionAt(0).Last()
	r.InlineRegionBefore(op.RegionAt(0), end.Region(), end)

	yield, iv := last.Last(), condition.Arg(0)
	r.SetEnd(last)
	next := arith.New(r.Builder, arith.AddI, iv, o.Step())
	cf.NewBranch(r.Builder, condition, append([]*ir.Value{next}, yield.Operands().Values()...)...)
	r.Erase(yield)

	r.SetEnd(start)
	cf.NewBranch(r.Builder, condition, append([]*ir.Value{o.LowerBound()}, o.Inits().Values()...)...)

	r.SetEnd(condition)
	less := arith.SLT
	if o.Unsigned() {
		less = arith.ULT
	}
	more := arith.NewCmpI(r.Builder, less, iv, o.UpperBound())
	cf.NewCondBranch(r.Builder, more, first, nil, end, nil)
	r.Replace(op, condition.Args()[1:]...)
	return true
}

func ifToBranches(r *rewrite.Rewriter, op *ir.Op) bool {
	o := scf.IfOp{Op: op}
	start, rest := r.SplitBlock(op.Block(), op)
	region, end := rest.Region(), rest
	if op.NumResults() > 0 {
		end = r.CreateBlock(region, rest, op.Results().Types()...)
		setArgLocs(end, op.Loc())
		r.SetEnd(end)
		cf.NewBranch(r.Builder, rest)
	}
	then, els := o.Then(), o.Else()
	branchInsteadOf(r, op.RegionAt(0).Last().Last(), end)
	r.InlineRegionBefore(op.RegionAt(0), region, end)
	if els == nil {
		els = end
	} else {
		branchInsteadOf(r, op.RegionAt(1).Last().Last(), end)
		r.InlineRegionBefore(op.RegionAt(1), region, end)
	}
	r.SetEnd(start)
	cf.NewCondBranch(r.Builder, o.Condition(), then, nil, els, nil)
	r.Replace(op, end.Args()[:op.NumResults()]...)
	return true
}

func setArgLocs(b *ir.Block, loc ir.Location) {
	for _, a := range b.Args() {
		a.SetArgLoc(loc)
	}
}

func executeRegionToBranches(r *rewrite.Rewriter, op *ir.Op) bool {
	start, end := r.SplitBlock(op.Block(), op)
	region := op.RegionAt(0)
	r.SetEnd(start)
	cf.NewBranch(r.Builder, region.Entry())
	for b := range region.Blocks() {
		if t := b.Last(); t.Is(scf.Yield) {
			branchInsteadOf(r, t, end)
		}
	}
	r.InlineRegionBefore(region, end.Region(), end)
	r.Replace(op, addResultArgs(end, op)...)
	return true
}

// addResultArgs adds arguments for the results of op to a new block.
func addResultArgs(b *ir.Block, op *ir.Op) []*ir.Value {
	out := make([]*ir.Value, op.NumResults())
	for i, t := range op.Results().Types() {
		out[i] = b.AddArg(t, op.Loc())
	}
	return out
}

func whileToBranches(r *rewrite.Rewriter, op *ir.Op) bool {
	o := scf.WhileOp{Op: op}
	start, end := r.SplitBlock(op.Block(), op)
	before, after := o.Before(), o.After()
	condition, yield := before.Last(), after.Last()
	r.InlineRegionBefore(op.RegionAt(1), end.Region(), end)
	r.InlineRegionBefore(op.RegionAt(0), end.Region(), after)
	loopWhile(r, o, start, before, condition, after, end)
	branchInsteadOf(r, yield, before)
	return true
}

// doWhileToBranches is for loops whose second region just passes its arguments on.
func doWhileToBranches(r *rewrite.Rewriter, op *ir.Op) bool {
	o := scf.WhileOp{Op: op}
	before, after := o.Before(), o.After()
	if after.First() != after.Last() || !isForward(after) {
		return false
	}
	start, end := r.SplitBlock(op.Block(), op)
	condition := before.Last()
	r.InlineRegionBefore(op.RegionAt(0), end.Region(), end)
	loopWhile(r, o, start, before, condition, before, end)
	return true
}

// isForward tells whether a block's terminator passes the block's arguments on.
func isForward(b *ir.Block) bool {
	t := b.Last()
	if t.NumOperands() != b.NumArgs() {
		return false
	}
	for i, a := range b.Args() {
		if t.Operand(i) != a {
			return false
		}
	}
	return true
}

// loopWhile enters the block that computes the condition, and goes from there to the
// block again, as long as it holds, and then to end.
func loopWhile(r *rewrite.Rewriter, o scf.WhileOp, start, before *ir.Block, condition *ir.Op, again, end *ir.Block) {
	r.SetEnd(start)
	cf.NewBranch(r.Builder, before, o.Inits().Values()...)
	c := scf.ConditionOp{Op: condition}
	args := c.Args().Values()
	r.SetEnd(condition.Block())
	cf.NewCondBranch(r.Builder, c.Condition(), again, args, end, nil)
	r.Erase(condition)
	r.Replace(o.Op, args...)
}

func indexSwitchToBranches(r *rewrite.Rewriter, op *ir.Op) bool {
	o := scf.IndexSwitchOp{Op: op}
	start, end := r.SplitBlock(op.Block(), op)
	results := addResultArgs(end, op)
	move := func(reg *ir.Region) *ir.Block {
		b := reg.Entry()
		branchInsteadOf(r, b.Last(), end)
		r.InlineRegionBefore(reg, end.Region(), end)
		return b
	}
	values := o.Cases()
	cases := make([]cf.Case, len(values))
	for i, v := range values {
		// Upstream compares the lower 32 bits only.
		cases[i] = cf.Case{Value: r.Context().I32Attr(int64(int32(v))), Dest: move(op.RegionAt(i + 1))}
	}
	otherwise := cf.Case{Dest: move(op.RegionAt(0))}
	r.SetEnd(start)
	flag := arith.NewCast(r.Builder, arith.IndexCast, ir.I32, o.Arg())
	cf.NewSwitch(r.Builder, flag, otherwise, cases)
	r.Replace(op, results...)
	return true
}

// forallToParallel handles loops without results.
func forallToParallel(r *rewrite.Rewriter, op *ir.Op) bool {
	o := scf.ForallOp{Op: op}
	if len(o.Outputs()) > 0 {
		return false
	}
	lower, upper, steps := values(r, o.LowerBounds()), values(r, o.UpperBounds()), values(r, o.Steps())
	loop := newParallel(r, lower, upper, steps, nil)
	r.InlineRegionBefore(op.RegionAt(0), loop.RegionAt(0), nil)
	t := loop.BodyBlock(0).Last()
	r.SetEnd(t.Block())
	r.CreateOp(scf.Reduce, nil, nil)
	r.Erase(t)
	r.Erase(op)
	return true
}

// values makes constants of the numbers in a list.
func values(r *rewrite.Rewriter, list []shapes.OpFoldResult) []*ir.Value {
	out := make([]*ir.Value, len(list))
	for i, x := range list {
		if out[i] = x.Value; out[i] == nil {
			out[i] = arith.ConstantIndex(r.Builder, x.Const)
		}
	}
	return out
}

// ParallelToFor makes a nest of loops, one a dimension; reductions become values that
// the loops carry.
func ParallelToFor(r *rewrite.Rewriter, op *ir.Op) bool {
	o := scf.ParallelOp{Op: op}
	body, reduce := o.Body(), o.Reduce()
	carried := o.Inits().Values()
	var ivs, results []*ir.Value
	for i := range o.Steps() {
		s := r.State(scf.For)
		s.Operands = append([]*ir.Value{o.LowerBounds().At(i), o.UpperBounds().At(i), o.Steps().At(i)}, carried...)
		s.Types = ir.TypesOf(carried)
		s.AddRegion()
		loop := r.Create(s)
		if i == 0 {
			results = loop.Results().Values()
		} else {
			scf.NewYield(r.Builder, loop.Results().Values()...)
		}
		b := r.CreateBlock(loop.RegionAt(0), nil, append([]ir.Type{ir.Index}, s.Types...)...)
		setArgLocs(b, op.Loc())
		ivs, carried = append(ivs, b.Arg(0)), b.Args()[1:]
		r.SetEnd(b)
	}
	var yielded []*ir.Value
	for i := range reduce.NumRegions() {
		b := reduce.Body(i)
		t := b.Last()
		args, result := []*ir.Value{carried[i], reduce.Values().At(i)}, scf.ReduceReturnOp{Op: t}.ResultValue()
		if k := slices.Index(b.Args(), result); k >= 0 {
			result = args[k] // the block goes, with its arguments
		}
		yielded = append(yielded, result)
		r.Erase(t)
		r.InlineBlockBefore(b, body, reduce.Op, args)
	}
	r.Erase(reduce.Op)
	innermost := r.InsertionPoint().Block
	r.MergeBlocks(body, innermost, ivs)
	r.SetEnd(innermost)
	scf.NewYield(r.Builder, yielded...)
	r.Replace(op, results...)
	return true
}
