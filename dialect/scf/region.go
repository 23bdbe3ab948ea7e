package scf

import (
	"strconv"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// ExecuteRegion runs its region, which may have several blocks, once.
var ExecuteRegion = ir.NewOpID("scf.execute_region")

// noInline keeps the region apart, since LLVM 22, which also has the effects of the region be those of the operation.
const (
	noInline            = "no_inline"
	noInlineSince       = 22
	regionsEffectsSince = 22
)

func executeRegionDef() *ir.OpDef {
	return &ir.OpDef{
		ID:      ExecuteRegion,
		Results: []ir.ResultDef{{Type: constraint.AnyType, Arity: ir.Variadic}},
		Regions: []ir.RegionDef{{Name: "region"}},
		Later: []ir.Spelling{{Since: noInlineSince, Attrs: []ir.AttrDef{{Name: noInline, Type: constraint.UnitAttr, Optional: true}},
			Discardable: []string{noInline}}},
		Revisions: []ir.Revision{{Since: regionsEffectsSince, Traits: ir.TraitRecursiveMemoryEffects}},
		Verify: func(op *ir.Op) error {
			if op.RegionAt(0).Empty() {
				return op.Errorf("region needs to have at least one block")
			}
			if op.BodyBlock(0).NumArgs() > 0 {
				return op.Errorf("region cannot have any arguments")
			}
			return nil
		},
		Models: []ir.Model{
			interfaces.Bufferizable.Model(executeRegionBufferize{}),
			asm.Assembly.Model(asm.OpAssembly{Parse: parseExecuteRegion, Print: printExecuteRegion}),
			interfaces.RegionBranch.Model(onceFlow{}),
			interfaces.LocalMemory.Model(interfaces.WhileExecuted), // itself; what is in its region is another matter
			interfaces.RecursiveEffectsSince.Model(regionsEffectsSince),
			rewrite.Patterns(
				rewrite.Pattern{Name: "SingleBlockExecuteInliner", Rewrite: inlineSingleBlock},
				rewrite.Pattern{Name: "MultiBlockExecuteInliner", Rewrite: inlineBlocks},
				rewrite.Pattern{Name: "ExecuteRegionForwardedResults", Since: 22, Rewrite: executeYieldsOuter},
			),
			exec.Executable.Model(executeExecuteRegion),
		},
	}
}

type onceFlow struct{ withoutOperands }

func (onceFlow) Successors(op *ir.Op, from interfaces.RegionPoint) []interfaces.RegionSuccessor {
	if from == interfaces.ParentPoint {
		return []interfaces.RegionSuccessor{{Region: op.RegionAt(0)}}
	}
	return []interfaces.RegionSuccessor{toParent(op)}
}

func parseExecuteRegion(p *asm.Parser, s *ir.OpState) (err error) {
	if s.Types, err = p.OptionalArrowTypes(); err != nil {
		return err
	}
	if p.OptionalKeyword(noInline) {
		s.SetAttr(noInline, ir.Unit)
		p.Later(noInlineSince, noInline)
	}
	if err := p.Region(s.AddRegion(), nil); err != nil {
		return err
	}
	return p.OptionalAttrDict(s)
}

func printExecuteRegion(p *asm.Printer, op *ir.Op) {
	p.ArrowTypes(op.Results().Types())
	p.Text(" ")
	var spelled []string
	if p.Version() >= noInlineSince && op.DiscardableAttr(noInline) != nil {
		p.Text(noInline + " ")
		spelled = append(spelled, noInline)
	}
	p.Region(op.RegionAt(0), false, true, false)
	p.OptionalAttrDict(op.DiscardableAttrs(), spelled...)
}

// CasesAttr lists the numbers of the cases of an IndexSwitch.
const CasesAttr = "cases"

// IndexSwitch runs the region of the case that a number is, or a default.
var IndexSwitch = ir.NewOpID("scf.index_switch")

func indexSwitchDef() *ir.OpDef {
	return &ir.OpDef{
		ID:                 IndexSwitch,
		Operands:           []ir.OperandDef{{Name: "arg", Type: constraint.Index}},
		Results:            anyResults,
		Attrs:              []ir.AttrDef{{Name: CasesAttr, Type: constraint.DenseI64Array}},
		Regions:            []ir.RegionDef{{Name: "defaultRegion", Sized: 1}, {Name: "caseRegions", Variadic: true, Sized: 1}},
		Traits:             ir.TraitRecursiveMemoryEffects | ir.TraitSingleBlock,
		ImplicitTerminator: Yield,
		Format: "$arg attr-dict (`->` type($results)^)? custom<SwitchCases>($cases, $caseRegions) `\\n` " +
			"`` `default` $defaultRegion",
		Models: []ir.Model{
			interfaces.Bufferizable.Model(branchesBufferize{message: "inconsistent memory space on switch cases"}),
			interfaces.RegionBranch.Model(switchFlow{}),
			rewrite.Patterns(rewrite.Pattern{Name: "FoldConstantCase", Rewrite: constantCase},
				rewrite.Pattern{Name: "FoldSwitchResults", Since: 22, Rewrite: switchYieldsOuter}),
			exec.Executable.Model(executeSwitch),
		},
		Verify: verifyIndexSwitch,
	}
}

// IndexSwitchOp is a scf.index_switch.
type IndexSwitchOp struct{ *ir.Op }

// Arg returns the number.
func (o IndexSwitchOp) Arg() *ir.Value { return o.Operand(0) }

// Cases returns the numbers of the cases.
func (o IndexSwitchOp) Cases() []int64 { return o.Attr(CasesAttr).(*ir.DenseArrayAttr).Ints() }

// Default returns the block that runs if no case fits.
func (o IndexSwitchOp) Default() *ir.Block { return o.BodyBlock(0) }

// Case returns the block of case i.
func (o IndexSwitchOp) Case(i int) *ir.Block { return o.BodyBlock(i + 1) }

type switchFlow struct{ withoutOperands }

func (switchFlow) Successors(op *ir.Op, from interfaces.RegionPoint) []interfaces.RegionSuccessor {
	if from != interfaces.ParentPoint {
		return []interfaces.RegionSuccessor{toParent(op)}
	}
	var out []interfaces.RegionSuccessor
	for _, r := range op.Regions() {
		out = append(out, interfaces.RegionSuccessor{Region: r})
	}
	return out
}

// NewIndexSwitch creates a switch with results of the given types. build makes the block of the default, as number -1, and those of the cases, and returns what they yield.
func NewIndexSwitch(b *ir.Builder, arg *ir.Value, cases []int64, types []ir.Type, build func(b *ir.Builder, i int) []*ir.Value) IndexSwitchOp {
	s := b.State(IndexSwitch)
	s.Operands, s.Types = []*ir.Value{arg}, types
	s.SetAttr(CasesAttr, b.Context().DenseI64Array(cases...))
	for range len(cases) + 1 {
		s.Regions = append(s.Regions, &ir.Region{})
	}
	op := b.Create(s)
	for i, r := range op.Regions() {
		fill(b, r, func(b *ir.Builder) []*ir.Value { return build(b, i-1) })
	}
	b.SetAfter(op)
	return IndexSwitchOp{op}
}

func verifyIndexSwitch(op *ir.Op) error {
	o := IndexSwitchOp{op}
	cases := o.Cases()
	if len(cases) != op.NumRegions()-1 {
		return op.Errorf("has %d case regions but %d case values", op.NumRegions()-1, len(cases))
	}
	seen := map[int64]bool{}
	for _, c := range cases {
		if seen[c] {
			return op.Errorf("has duplicate case value: %d", c)
		}
		seen[c] = true
	}
	if err := verifyCase(op, op.RegionAt(0), "default region"); err != nil {
		return err
	}
	for i := range cases {
		if err := verifyCase(op, op.RegionAt(i+1), "case region #"+strconv.Itoa(i)); err != nil {
			return err
		}
	}
	return nil
}

func verifyCase(op *ir.Op, r *ir.Region, name string) error {
	y := yieldOf(r.Entry())
	if y == nil {
		var t *ir.Op
		if r.Entry() != nil {
			t = r.Entry().Last()
		}
		if t == nil {
			return op.Errorf("expected region to end with scf.yield, but got no terminator")
		}
		return op.Errorf("expected region to end with scf.yield, but got %s", t.Name())
	}
	if y.NumOperands() != op.NumResults() {
		return op.Errorf("expected each region to return %d values, but %s returns %d", op.NumResults(), name, y.NumOperands()).
			WithNote(y.Loc(), "see yield operation here")
	}
	for i := range op.NumResults() {
		if want, got := op.Result(i).Type(), y.Operand(i).Type(); want != got {
			return op.Errorf("expected result #%d of each region to be '%s'", i, want).
				WithNote(y.Loc(), "%s returns '%s' here", name, got)
		}
	}
	return nil
}

func parseSwitchCases(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	var cases []int64
	for p.OptionalKeyword("case") {
		n, err := p.Integer()
		if err != nil {
			return err
		}
		cases = append(cases, n)
		if err := p.Region(s.AddRegionTo(args[1].Name), nil); err != nil {
			return err
		}
	}
	s.SetAttr(args[0].Name, p.Context().DenseI64Array(cases...))
	return nil
}

func printSwitchCases(p *asm.Printer, op *ir.Op, _ []asm.DirectiveArg) {
	for i, n := range (IndexSwitchOp{op}).Cases() {
		p.Newline()
		p.Text("case ")
		p.Int(n)
		p.Text(" ")
		p.Region(op.RegionAt(i+1), true, true, false)
	}
}
