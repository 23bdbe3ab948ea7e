package memref

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// AllocaScope runs its region once and then frees the stack allocations in it.
var AllocaScope = ir.NewOpID("memref.alloca_scope")

func allocaScopeDef() *ir.OpDef {
	return &ir.OpDef{
		ID:                 AllocaScope,
		Results:            []ir.ResultDef{{Name: "results", Type: constraint.AnyType, Arity: ir.Variadic}},
		Regions:            []ir.RegionDef{{Name: "bodyRegion", Sized: 1}},
		Traits:             ir.TraitAutomaticAllocationScope | ir.TraitSingleBlock | ir.TraitRecursiveMemoryEffects | ir.TraitNoRegionArguments,
		ImplicitTerminator: AllocaScopeReturn,
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parseAllocaScope, Print: printAllocaScope}),
			interfaces.RegionBranch.Model(onceRegion{}),
			exec.Executable.Model(executeAllocaScope),
			rewrite.Patterns(
				rewrite.Pattern{Name: "AllocaScopeInliner", Rewrite: inlineAllocaScope},
				rewrite.Pattern{Name: "AllocaScopeHoister", Rewrite: hoistAllocas},
			),
		},
	}
}

// AllocaScopeReturn ends an AllocaScope with its results.
var AllocaScopeReturn = ir.NewOpID("memref.alloca_scope.return")

func allocaScopeReturnDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       AllocaScopeReturn,
		Operands: []ir.OperandDef{{Name: "results", Type: constraint.AnyType, Arity: ir.Variadic}},
		Traits:   ir.TraitPure | ir.TraitReturnLike | ir.TraitTerminator,
		Parents:  []*ir.OpID{AllocaScope},
		Format:   "attr-dict ($results^ `:` type($results))?",
		Models: []ir.Model{
			exec.Executable.Model(exec.LeaveRegion),
		},
	}
}

// onceRegion is the control flow of an operation that runs its region once.
type onceRegion struct{}

func (onceRegion) Successors(op *ir.Op, from interfaces.RegionPoint) []interfaces.RegionSuccessor {
	if from == interfaces.ParentPoint {
		return []interfaces.RegionSuccessor{{Region: op.RegionAt(0)}}
	}
	return []interfaces.RegionSuccessor{{Inputs: op.Results().Values()}}
}

func (onceRegion) EntryOperands(*ir.Op, interfaces.RegionPoint) (start, n int) { return 0, 0 }

func parseAllocaScope(p *asm.Parser, s *ir.OpState) error {
	types, err := p.OptionalArrowTypes()
	if err != nil {
		return err
	}
	s.Types = types
	if err := p.TerminatedRegion(s, nil); err != nil {
		return err
	}
	return p.OptionalAttrDict(s)
}

func printAllocaScope(p *asm.Printer, op *ir.Op) {
	terminators := op.NumResults() > 0
	p.Text(" ")
	if terminators {
		p.Text(" -> (")
		p.Types(op.Results().Types())
		p.Text(")")
	}
	p.Text(" ")
	p.Region(op.RegionAt(0), false, terminators, false)
	p.OptionalAttrDict(op.DiscardableAttrs())
}
