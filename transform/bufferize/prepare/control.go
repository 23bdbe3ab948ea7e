package prepare

import (
	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/dialect/cf"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/transform/lower/core"
)

// ControlFlowPatterns returns the patterns that replace control flow that carries tensors
// and has no rule for bufferization: scf.parallel by a nest of scf.for, and cf.switch by
// conditional branches. Which buffer an affine.if returns is known if its condition is constant.
func ControlFlowPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "ParallelLowering", Root: scf.Parallel, Rewrite: onTensors(core.ParallelToFor)},
		{Name: "SwitchToBranches", Root: cf.Switch, Rewrite: onTensors(switchToBranches)},
		{Name: "ConstantAffineIf", Root: affine.If, Rewrite: affine.ConstantIf},
	}
}

func onTensors(apply func(*rewrite.Rewriter, *ir.Op) bool) func(*rewrite.Rewriter, *ir.Op) bool {
	return func(r *rewrite.Rewriter, op *ir.Op) bool { return interfaces.HasTensorTypes(op) && apply(r, op) }
}

// LowerAffineOnTensors replaces loops and conditionals of affine in op that carry tensors,
// with all of affine that is in them, by those of scf. It returns whether there were any;
// report is told why something can't be lowered. Linear time.
func LowerAffineOnTensors(op *ir.Op, patterns *rewrite.PatternSet, report func(*ir.Diagnostic)) (changed bool, err error) {
	for _, op := range outermost(op, func(op *ir.Op) bool { return op.Is(affine.For) || op.Is(affine.If) }) {
		if err := core.LowerAffine(op, patterns, report); err != nil {
			return changed, err
		}
		changed = true
	}
	return changed, nil
}

// outermost lists the operations in op that have tensors and that accept says, without
// those nested in others.
func outermost(op *ir.Op, accept func(*ir.Op) bool) (out []*ir.Op) {
	op.Walk(func(op *ir.Op) bool {
		if !accept(op) || !interfaces.HasTensorTypes(op) {
			return true
		}
		out = append(out, op)
		return false
	})
	return out
}

// switchToBranches compares with one case after another.
func switchToBranches(r *rewrite.Rewriter, op *ir.Op) bool {
	def, cases := cf.SwitchCases(op)
	r.Loc = op.Loc()
	for i, k := range cases {
		same := arith.NewCmpI(r.Builder, arith.EQ, cf.SwitchOp{Op: op}.Flag(), arith.NewConstant(r.Builder, k.Value).Result(0))
		if i == len(cases)-1 {
			cf.NewCondBranch(r.Builder, same, k.Dest, k.Operands, def.Dest, def.Operands)
			break
		}
		here := r.InsertionPoint().Block
		next := r.CreateBlock(here.Region(), here.Next())
		cf.NewCondBranch(r.Builder, same, k.Dest, k.Operands, next, nil)
		r.SetEnd(next)
	}
	if len(cases) == 0 {
		cf.NewBranch(r.Builder, def.Dest, def.Operands...)
	}
	r.Erase(op)
	return true
}
