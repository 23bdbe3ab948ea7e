package testd

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Branch is test.br, an unconditional branch.
var Branch = ir.NewOpID("test.br")

func branchDef() *ir.OpDef {
	return &ir.OpDef{
		ID:         Branch,
		Operands:   []ir.OperandDef{ir.VariadicOperand("targetOperands", constraint.AnyType)},
		Successors: []ir.SuccessorDef{{Name: "target"}},
		Traits:     ir.TraitTerminator,
		Models: []ir.Model{
			interfaces.Branch.Model(branchFlow{}),
			exec.Executable.Model(exec.Jump),
		},
	}
}

var twoWay = []ir.SuccessorDef{{Name: "successTarget"}, {Name: "errorTarget"}}

var twoGroups = []ir.OperandDef{ir.VariadicOperand("successOperands", constraint.AnyType), ir.VariadicOperand("errorOperands", constraint.AnyType)}

var operandSegments = []ir.AttrDef{{Name: ir.OperandSegmentsAttr, Type: constraint.Segments, Derived: true}}

// InternalBranch branches to one of two blocks; the second is given an argument
// that the operation makes.
var InternalBranch = ir.NewOpID("test.internal_br")

func internalBranchDef() *ir.OpDef {
	return &ir.OpDef{
		ID:         InternalBranch,
		Operands:   twoGroups,
		Attrs:      operandSegments,
		Successors: twoWay,
		Traits:     ir.TraitTerminator | ir.TraitAttrSizedOperandSegments,
		Models:     []ir.Model{interfaces.Branch.Model(twoWayFlow{producedBySecond: 1})},
	}
}

// ProducingBranch branches to one of two blocks and has a result.
var ProducingBranch = ir.NewOpID("test.producing_br")

func producingBranchDef() *ir.OpDef {
	return &ir.OpDef{
		ID:         ProducingBranch,
		Operands:   twoGroups,
		Results:    []ir.ResultDef{ir.Result("first", constraint.I32)},
		Attrs:      operandSegments,
		Successors: twoWay,
		Traits:     ir.TraitTerminator | ir.TraitAttrSizedOperandSegments,
		Models:     []ir.Model{interfaces.Branch.Model(twoWayFlow{})},
	}
}

type branchFlow struct{}

func (branchFlow) SuccessorOperands(op *ir.Op, _ int) (start, n, produced int) {
	return 0, op.NumOperands(), 0
}
func (branchFlow) SetSuccessorOperands(op *ir.Op, _ int, values []*ir.Value) { op.SetOperands(values) }
func (branchFlow) TakenSuccessor(*ir.Op, []ir.Attribute) int                 { return -1 }

// twoWayFlow passes an operand group to each of two successors.
type twoWayFlow struct{ producedBySecond int }

func (f twoWayFlow) SuccessorOperands(op *ir.Op, i int) (start, n, produced int) {
	start, n = op.OperandGroupRange(i)
	if i == 1 {
		produced = f.producedBySecond
	}
	return start, n, produced
}
func (twoWayFlow) SetSuccessorOperands(op *ir.Op, i int, values []*ir.Value) {
	op.SetOperandGroup(i, values)
}
func (twoWayFlow) TakenSuccessor(*ir.Op, []ir.Attribute) int { return -1 }

// Return, Finish and Valid end regions.
var (
	Return = ir.NewOpID("test.return")
	Finish = ir.NewOpID("test.finish")
	Valid  = ir.NewOpID("test.valid")
)

func returnDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Return,
		Operands: []ir.OperandDef{ir.VariadicOperand("", constraint.AnyType)},
		Traits:   ir.TraitTerminator | ir.TraitReturnLike,
	}
}

func finishDef() *ir.OpDef {
	return &ir.OpDef{ID: Finish, Traits: ir.TraitTerminator,
		Models: []ir.Model{
			exec.Executable.Model(exec.Nothing),
		},
	}
}

func validDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Valid,
		Operands: []ir.OperandDef{ir.VariadicOperand("", constraint.AnyType)},
		Traits:   ir.TraitTerminator,
		Models: []ir.Model{
			exec.Executable.Model(exec.Nothing),
		},
	}
}

// RegionIf enters its first or second region, and then its third one, which gives
// the results. All regions get the operands, in the way that they are yielded.
var RegionIf = ir.NewOpID("test.region_if")

func regionIfDef() *ir.OpDef {
	return &ir.OpDef{
		ID:                 RegionIf,
		Operands:           []ir.OperandDef{ir.VariadicOperand("", constraint.AnyType)},
		Results:            []ir.ResultDef{ir.VariadicResult("results", constraint.AnyType)},
		Regions:            []ir.RegionDef{{Name: "thenRegion", Sized: 1}, {Name: "elseRegion", Sized: 1}, {Name: "joinRegion", Sized: 1}},
		Traits:             ir.TraitSingleBlock | ir.TraitRecursiveMemoryEffects,
		ImplicitTerminator: RegionIfYield,
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parseRegionIf, Print: printRegionIf}),
			interfaces.RegionBranch.Model(regionIfFlow{}),
			exec.Executable.Model(executeRegionIf),
		},
	}
}

// RegionIfYield ends the regions of a RegionIf.
var RegionIfYield = ir.NewOpID("test.region_if_yield")

func regionIfYieldDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       RegionIfYield,
		Operands: []ir.OperandDef{ir.VariadicOperand("results", constraint.AnyType)},
		Traits:   ir.TraitNoMemoryEffect | ir.TraitReturnLike | ir.TraitTerminator,
		Format:   "$results `:` type($results) attr-dict",
	}
}

type regionIfFlow struct{}

func (regionIfFlow) Successors(op *ir.Op, from interfaces.RegionPoint) []interfaces.RegionSuccessor {
	to := func(i int) interfaces.RegionSuccessor {
		r := op.RegionAt(i)
		return interfaces.RegionSuccessor{Region: r, Inputs: r.Entry().Args()}
	}
	switch from.Region {
	case nil:
		return []interfaces.RegionSuccessor{to(0), to(1)}
	case op.RegionAt(2):
		return []interfaces.RegionSuccessor{{Inputs: op.Results().Values()}}
	}
	return []interfaces.RegionSuccessor{to(2)}
}

func (regionIfFlow) EntryOperands(op *ir.Op, _ interfaces.RegionPoint) (start, n int) {
	return 0, op.NumOperands()
}

func parseRegionIf(p *asm.Parser, s *ir.OpState) (err error) {
	operands, err := p.Operands(asm.NoDelimiter)
	if err != nil {
		return err
	}
	pos := p.Pos()
	types, err := p.ColonTypes()
	if err != nil {
		return err
	}
	if s.Types, err = p.ArrowTypes(); err != nil {
		return err
	}
	if s.Operands, err = p.ResolveAll(operands, types, pos); err != nil {
		return err
	}
	for _, word := range []string{"then", "else", "join"} {
		if err := p.Keyword(word); err != nil {
			return err
		}
		if err := p.TerminatedRegion(s, nil); err != nil {
			return err
		}
	}
	return p.OptionalAttrDict(s)
}

func printRegionIf(p *asm.Printer, op *ir.Op) {
	p.Text(" ")
	p.Operands(op.Operands().Values())
	p.Text(": ")
	p.Types(op.Operands().Types())
	p.ArrowTypes(op.Results().Types())
	for i, word := range []string{" then ", " else ", " join "} {
		p.Text(word)
		p.Region(op.RegionAt(i), true, true, false)
	}
	p.OptionalAttrDict(op.DiscardableAttrs())
}
