package scf

import (
	"slices"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// While runs a region, whose terminator tells whether to go on with a second
// region and then start again, or to end with the values it passes.
var While = ir.NewOpID("scf.while")

func whileDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       While,
		Operands: []ir.OperandDef{ir.VariadicOperand("inits", constraint.AnyType)},
		Results:  anyResults,
		Regions:  []ir.RegionDef{{Name: "before", Sized: 1}, {Name: "after", Sized: 1}},
		Traits:   ir.TraitRecursiveMemoryEffects | ir.TraitSingleBlock,
		Models: []ir.Model{
			interfaces.Bufferizable.Model(whileBufferize{}),
			asm.Assembly.Model(asm.OpAssembly{Parse: parseWhile, Print: printWhile}),
			interfaces.RegionBranch.Model(whileFlow{}),
			interfaces.LoopLike.Model(whileLoop{}),
			rewrite.Patterns(whilePatterns()...),
			exec.Executable.Model(executeWhile),
		},
		Verify: verifyWhile,
	}
}

// Condition ends the first region of a While: it tells whether to go on, and
// passes values to the second region or to the results.
var Condition = ir.NewOpID("scf.condition")

func conditionDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Condition,
		Operands: []ir.OperandDef{{Name: "condition", Type: constraint.I1}, ir.VariadicOperand("args", constraint.AnyType)},
		Traits:   ir.TraitPure | ir.TraitTerminator,
		Parents:  []*ir.OpID{While},
		Format:   "`(` $condition `)` attr-dict ($args^ `:` type($args))?",
		Models: []ir.Model{
			interfaces.Bufferizable.Model(conditionBufferize{}),
			interfaces.RegionBranchTerminator.Model(func(op *ir.Op, _ interfaces.RegionPoint) (start, n int) {
				return after(op, 1)
			}),
			exec.Executable.Model(exec.LeaveRegion),
		},
	}
}

// ConditionOp is a scf.condition.
type ConditionOp struct{ *ir.Op }

// Condition returns the condition.
func (o ConditionOp) Condition() *ir.Value { return o.Operand(0) }

// Args returns the values that are passed on.
func (o ConditionOp) Args() ir.Operands { return o.Operands()[1:] }

// NewCondition creates the terminator of the first region of a while.
func NewCondition(b *ir.Builder, cond *ir.Value, args ...*ir.Value) *ir.Op {
	return b.CreateOp(Condition, nil, append([]*ir.Value{cond}, args...))
}

// WhileOp is a scf.while.
type WhileOp struct{ *ir.Op }

// Inits returns the values that the first region starts with.
func (o WhileOp) Inits() ir.Operands { return o.Operands() }

// Before returns the block of the first region.
func (o WhileOp) Before() *ir.Block { return o.BodyBlock(0) }

// After returns the block of the second region.
func (o WhileOp) After() *ir.Block { return o.BodyBlock(1) }

// Condition returns the terminator of the first region.
func (o WhileOp) Condition() ConditionOp { return ConditionOp{o.Before().Last()} }

// Yield returns the terminator of the second region.
func (o WhileOp) Yield() *ir.Op { return yieldOf(o.After()) }

// NewWhile creates a loop with two empty blocks, whose arguments have the types of
// the inits and of the results.
func NewWhile(b *ir.Builder, types []ir.Type, inits []*ir.Value) WhileOp {
	s := b.State(While)
	s.Operands, s.Types = inits, types
	before := s.AddRegion().AddBlock()
	for _, v := range inits {
		before.AddArg(v.Type(), v.Loc())
	}
	s.AddRegion().AddBlock(types...)
	return WhileOp{b.Create(s)}
}

// AddInits replaces the loop by one that hands on more values, of the types of the inits, and returns it. forward gets the
// new arguments of the first region and returns what the condition passes on for them, yield those of the second
// region and what that yields. Both find the old operations there.
func (o WhileOp) AddInits(b *ir.Builder, inits []*ir.Value, forward, yield func(*ir.Builder, []*ir.Value) []*ir.Value) WhileOp {
	b.SetBefore(o.Op)
	types := slices.Clone(o.Results().Types())
	for _, v := range inits {
		types = append(types, v.Type())
	}
	n := NewWhile(b, types, append(slices.Clone(o.Inits().Values()), inits...))
	n.SetLoc(o.Loc())
	for _, a := range o.DiscardableAttrs() {
		n.SetDiscardableAttr(a.Name, a.Value)
	}
	extend := func(old, body *ir.Block, more func(*ir.Builder, []*ir.Value) []*ir.Value) {
		for i, a := range old.Args() {
			a.ReplaceAllUsesWith(body.Arg(i))
		}
		last := old.Last()
		body.TakeOps(old, old.First())
		b.SetBefore(last)
		last.InsertOperands(last.NumOperands(), more(b, body.Args()[old.NumArgs():])...)
	}
	extend(o.Before(), n.Before(), forward)
	extend(o.After(), n.After(), yield)
	o.ReplaceAllUsesWith(n.Results().Values()[:o.NumResults()])
	o.Erase()
	return n
}

type whileFlow struct{}

func (whileFlow) Successors(op *ir.Op, from interfaces.RegionPoint) []interfaces.RegionSuccessor {
	before, after := op.RegionAt(0), op.RegionAt(1)
	if from.Region == before {
		return []interfaces.RegionSuccessor{toParent(op), {Region: after, Inputs: after.Entry().Args()}}
	}
	return []interfaces.RegionSuccessor{{Region: before, Inputs: before.Entry().Args()}}
}

func (whileFlow) EntryOperands(op *ir.Op, _ interfaces.RegionPoint) (start, n int) {
	return after(op, 0)
}

type whileLoop struct{}

func (whileLoop) Regions(op *ir.Op) []*ir.Region { return op.Regions() }
func (whileLoop) Inits(op *ir.Op) (start, n int) { return after(op, 0) }
func (whileLoop) IterArgs(op *ir.Op) []*ir.Value { return WhileOp{op}.Before().Args() }

func (whileLoop) Results(*ir.Op) ir.Results { return nil }

func (whileLoop) Yielded(op *ir.Op) ir.Operands {
	y := WhileOp{op}.Yield()
	if y == nil {
		return nil
	}
	return y.Operands()
}

func (whileLoop) AddInits(*ir.Builder, *ir.Op, []*ir.Value, func(*ir.Builder, []*ir.Value) []*ir.Value) *ir.Op {
	return nil
}

func verifyWhile(op *ir.Op) error {
	if t := op.BodyBlock(0).Last(); t == nil || !t.Is(Condition) {
		return missingTerminator(op, t, "expects the 'before' region to terminate with 'scf.condition'")
	}
	if t := op.BodyBlock(1).Last(); t == nil || !t.Is(Yield) {
		return missingTerminator(op, t, "expects the 'after' region to terminate with 'scf.yield'")
	}
	return nil
}

func missingTerminator(op, t *ir.Op, msg string) error {
	d := op.Errorf("%s", msg)
	if t != nil {
		d.WithNote(t.Loc(), "terminator here")
	}
	return d
}

func parseWhile(p *asm.Parser, s *ir.OpState) error {
	var args []asm.Argument
	var inits []asm.Unresolved
	before, after := s.AddRegion(), s.AddRegion()
	var err error
	pos := p.Pos()
	if !p.At(":") {
		if args, inits, err = p.Assignments(); err != nil {
			return err
		}
	}
	typePos := p.Pos()
	t, err := p.ColonTypeOf(ir.FunctionClass)
	if err != nil {
		return err
	}
	ft := t.(*ir.FunctionType)
	s.Types = ft.Results
	if len(ft.Inputs) != len(inits) {
		return p.Errorf(typePos, "expected as many input types as operands (expected %d got %d)", len(inits), len(ft.Inputs))
	}
	if s.Operands, err = p.ResolveAll(inits, ft.Inputs, pos); err != nil {
		return err
	}
	for i := range args {
		args[i].Type = ft.Inputs[i]
	}
	if err := p.Region(before, args); err != nil {
		return err
	}
	if err := p.Keyword("do"); err != nil {
		return err
	}
	if err := p.Region(after, nil); err != nil {
		return err
	}
	return p.OptionalAttrDictWithKeyword(s)
}

func printWhile(p *asm.Printer, op *ir.Op) {
	o := WhileOp{op}
	printAssignments(p, " ", o.Before().Args(), o.Inits())
	p.Text(" : ")
	p.FunctionalType(o.Inits().Types(), op.Results().Types())
	p.Text(" ")
	p.Region(op.RegionAt(0), false, true, false)
	p.Text(" do ")
	p.Region(op.RegionAt(1), true, true, false)
	p.OptionalAttrDictWithKeyword(op.DiscardableAttrs())
}
