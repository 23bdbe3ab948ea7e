package affine

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// ConditionAttr is the (discardable) attribute with the set of an If.
const ConditionAttr = "condition"

// If runs one of two regions, depending on whether operands are in an integer set.
var If = ir.NewOpID("affine.if")

func ifDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       If,
		Operands: []ir.OperandDef{{Type: constraint.AnyType, Arity: ir.Variadic}},
		Results:  anyResults,
		Regions:  []ir.RegionDef{{Name: "thenRegion", Sized: 1}, {Name: "elseRegion"}},
		Traits: ir.TraitSingleBlock | ir.TraitRecursivelySpeculatable | ir.TraitRecursiveMemoryEffects |
			ir.TraitNoRegionArguments,
		ImplicitTerminator: Yield,
		Later:              []ir.Spelling{{Since: 20, Attrs: []ir.AttrDef{{Name: ConditionAttr, Type: constraint.IntegerSetAttr}}, Discardable: []string{ConditionAttr}}},
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parseIf, Print: printIf}),
			interfaces.RegionBranch.Model(ifFlow{}),
			rewrite.Patterns(
				rewrite.Pattern{Name: "SimplifyDeadElse", Rewrite: deadElse},
				rewrite.Pattern{Name: "AlwaysTrueOrFalseIf", Rewrite: staticIf},
			),
			exec.Executable.Model(executeIf),
		},
		Fold:   foldIf,
		Verify: verifyIf,
	}
}

// IfOp is an affine.if.
type IfOp struct{ *ir.Op }

// Set returns the set that is asked; nil if there is none.
func (o IfOp) Set() *ir.IntegerSet {
	a, _ := o.Attr(ConditionAttr).(*ir.IntegerSetAttr)
	if a == nil {
		return nil
	}
	return a.Set
}

// Then returns the block that runs for operands in the set.
func (o IfOp) Then() *ir.Block { return o.BodyBlock(0) }

// Else returns the block that runs for other operands, or nil.
func (o IfOp) Else() *ir.Block { return o.BodyBlock(1) }

type ifFlow struct{}

func (ifFlow) Successors(op *ir.Op, from interfaces.RegionPoint) []interfaces.RegionSuccessor {
	if from != interfaces.ParentPoint {
		return []interfaces.RegionSuccessor{{Inputs: op.Results().Values()}}
	}
	out := []interfaces.RegionSuccessor{{Region: op.RegionAt(0)}}
	if els := op.RegionAt(1); !els.Empty() {
		return append(out, interfaces.RegionSuccessor{Region: els})
	}
	return append(out, interfaces.RegionSuccessor{Inputs: op.Results().Values()})
}

func (ifFlow) EntryOperands(*ir.Op, interfaces.RegionPoint) (start, n int) { return 0, 0 }

func verifyIf(op *ir.Op) error {
	set := IfOp{op}.Set()
	if set == nil {
		return op.Errorf("requires an integer set attribute named 'condition'")
	}
	if op.NumOperands() != set.Dims+set.Syms {
		return op.Errorf("operand count and condition integer set dimension and symbol count must match")
	}
	return verifyDimsAndSymbols(op, op.Operands(), set.Dims)
}

func parseIf(p *asm.Parser, s *ir.OpState) error {
	a, err := p.Attr(nil)
	if err != nil {
		return err
	}
	set, ok := a.(*ir.IntegerSetAttr)
	if !ok {
		return p.Errorf(p.NamePos(), "invalid kind of attribute specified")
	}
	s.SetAttr(ConditionAttr, set)
	dims, syms, err := parseDimsAndSymbols(p, s)
	if err != nil {
		return err
	}
	if dims != set.Set.Dims {
		return p.Errorf(p.NamePos(), "dim operand count and integer set dim count must match")
	}
	if dims+syms != set.Set.Dims+set.Set.Syms {
		return p.Errorf(p.NamePos(), "symbol operand count and integer set symbol count must match")
	}
	if s.Types, err = p.OptionalArrowTypes(); err != nil {
		return err
	}
	return p.ThenElse(s)
}

func printIf(p *asm.Printer, op *ir.Op) {
	p.Text(" ")
	p.Attr(op.Attr(ConditionAttr))
	printDimsAndSymbols(p, op.Operands(), IfOp{op}.Set().Dims)
	p.ArrowTypes(op.Results().Types())
	p.ThenElse(op, ConditionAttr)
}
