package scf

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// If runs one of two regions. The second one may be empty if there are no results.
var If = ir.NewOpID("scf.if")

func ifDef() *ir.OpDef {
	return &ir.OpDef{
		ID:                 If,
		Operands:           []ir.OperandDef{{Name: "condition", Type: constraint.I1}},
		Results:            anyResults,
		Regions:            []ir.RegionDef{{Name: "thenRegion", Sized: 1}, {Name: "elseRegion", MaxBlocks: 1}},
		Traits:             ir.TraitSingleBlock | ir.TraitRecursiveMemoryEffects | ir.TraitNoRegionArguments,
		ImplicitTerminator: Yield,
		Verify: func(op *ir.Op) error {
			if op.NumResults() > 0 && op.RegionAt(1).Empty() {
				return op.Errorf("must have an else block if defining values")
			}
			return nil
		},
		Models: []ir.Model{
			interfaces.Bufferizable.Model(branchesBufferize{message: "inconsistent memory space on then/else branches"}),
			asm.Assembly.Model(asm.ConditionalAssembly(func(*ir.Context) ir.Type { return ir.I1 })),
			interfaces.RegionBranch.Model(ifFlow{}),
			interfaces.EntryCondition.Model(func(op *ir.Op) *ir.Value { return IfOp{op}.Condition() }),
			rewrite.Patterns(
				rewrite.Pattern{Name: "CombineIfs", Rewrite: combineIfs},
				rewrite.Pattern{Name: "CombineNestedIfs", Rewrite: combineNestedIfs},
				rewrite.Pattern{Name: "ConditionPropagation", Rewrite: propagateCondition},
				rewrite.Pattern{Name: "ConvertTrivialIfToSelect", Rewrite: ifToSelect},
				rewrite.Pattern{Name: "RemoveEmptyElseBranch", Rewrite: removeEmptyElse},
				rewrite.Pattern{Name: "RemoveStaticCondition", Rewrite: staticCondition},
				rewrite.Pattern{Name: "RemoveUnusedResults", Rewrite: unusedIfResults},
				rewrite.Pattern{Name: "ReplaceIfYieldWithConditionOrValue", Rewrite: yieldOfCondition},
			),
			exec.Executable.Model(executeIf),
		},
		Fold: foldIf,
	}
}

// IfOp is a scf.if.
type IfOp struct{ *ir.Op }

// Condition returns the condition.
func (o IfOp) Condition() *ir.Value { return o.Operand(0) }

// Then returns the block that runs if the condition holds.
func (o IfOp) Then() *ir.Block { return o.BodyBlock(0) }

// Else returns the block that runs if the condition doesn't hold, or nil.
func (o IfOp) Else() *ir.Block { return o.BodyBlock(1) }

// ThenYield and ElseYield return the terminators of the blocks, or nil.
func (o IfOp) ThenYield() *ir.Op { return yieldOf(o.Then()) }

// ElseYield returns the terminator of the else block, or nil.
func (o IfOp) ElseYield() *ir.Op { return yieldOf(o.Else()) }

// NewIf creates a conditional with results of the given types. then and els build
// the blocks and return what they yield; els may be nil if there are no results.
func NewIf(b *ir.Builder, cond *ir.Value, types []ir.Type, then, els func(b *ir.Builder) []*ir.Value) IfOp {
	s := b.State(If)
	s.Operands, s.Types = []*ir.Value{cond}, types
	s.Regions = []*ir.Region{{}, {}}
	op := b.Create(s)
	fill(b, op.RegionAt(0), then)
	if els != nil {
		fill(b, op.RegionAt(1), els)
	}
	b.SetAfter(op)
	return IfOp{op}
}

// fill adds a block to the region that build fills and that yields what build
// returns.
func fill(b *ir.Builder, r *ir.Region, build func(b *ir.Builder) []*ir.Value) {
	b.SetEnd(r.AddBlock())
	var values []*ir.Value
	if build != nil {
		values = build(b)
	}
	NewYield(b, values...)
}

type ifFlow struct{ withoutOperands }

func (ifFlow) Successors(op *ir.Op, from interfaces.RegionPoint) []interfaces.RegionSuccessor {
	if from != interfaces.ParentPoint {
		return []interfaces.RegionSuccessor{toParent(op)}
	}
	out := []interfaces.RegionSuccessor{{Region: op.RegionAt(0)}, {}}
	if els := op.RegionAt(1); !els.Empty() {
		out[1].Region = els
	}
	return out
}
