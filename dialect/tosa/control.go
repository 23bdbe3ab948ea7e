package tosa

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

// Control flow on tensors.
var (
	CondIf    = ir.NewOpID("tosa.cond_if")
	WhileLoop = ir.NewOpID("tosa.while_loop")
	Yield     = ir.NewOpID("tosa.yield")
)

func condIfDef() *ir.OpDef {
	return &ir.OpDef{
		ID:                 CondIf,
		Operands:           []ir.OperandDef{ir.Operand("cond", boolTensor), ir.VariadicOperand("inputs", anyTensor)},
		Results:            []ir.ResultDef{ir.VariadicResult("output", anyTensor)},
		Regions:            []ir.RegionDef{{Name: "then_branch", Sized: 1}, {Name: "else_branch", Sized: 1}},
		Traits:             ir.TraitSingleBlock | ir.TraitRecursiveMemoryEffects,
		ImplicitTerminator: Yield,
		Models: []ir.Model{
			asm.Assembly.Model(condIfAssembly()),
			ShapeInference.Model(inferIf),
		},
		Later: later(nil, printIf),
	}
}

func whileLoopDef() *ir.OpDef {
	return &ir.OpDef{
		ID:                 WhileLoop,
		Operands:           []ir.OperandDef{ir.VariadicOperand("inputs", anyTensor)},
		Results:            []ir.ResultDef{ir.VariadicResult("output", anyTensor)},
		Regions:            []ir.RegionDef{{Name: "cond", Sized: 1}, {Name: "body", Sized: 1}},
		Traits:             ir.TraitSingleBlock | ir.TraitRecursiveMemoryEffects,
		ImplicitTerminator: Yield,
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parseWhile, Print: printWhile, Says: saysWhile}),
			interfaces.LoopLike.Model(whileLoop{}),
			ShapeInference.Model(inferWhile),
		},
	}
}

func yieldDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Yield,
		Operands: []ir.OperandDef{ir.VariadicOperand("inputs", anyTensor)},
		Traits:   ir.TraitPure | ir.TraitTerminator,
		Format:   "$inputs attr-dict `:` type($inputs)",
	}
}

// condIfAssembly is the syntax of tosa.cond_if, which leaves the inputs out.
func condIfAssembly() asm.OpAssembly {
	a := asm.ConditionalAssembly(func(c *ir.Context) ir.Type { return condition(c) })
	a.Says = saysIf
	usual := a.Print
	a.Parse = parseIf
	a.Print = func(p *asm.Printer, op *ir.Op) {
		if p.Version() < 22 {
			usual(p, op)
			return
		}
		printIfOf22(p, op)
	}
	return a
}

// printIfOf22 writes the type of the condition and, where the regions have arguments, the inputs that these are.
func printIfOf22(p *asm.Printer, op *ir.Op) {
	inputs := op.Operands().Values()[1:]
	args := op.RegionAt(0).Entry()
	takes := args != nil && args.NumArgs() > 0
	p.Text(" ")
	p.Operand(CondIfOp{op}.Cond())
	if takes {
		p.Text(" ")
		p.Assignments(args.Args(), inputs)
	}
	p.Text(" : ")
	p.Type(CondIfOp{op}.Cond().Type())
	if !takes {
		p.ArrowTypes(op.Results().Types())
		p.ThenElse(op)
		return
	}
	p.Text(" ")
	p.FunctionalType(ir.TypesOf(inputs), op.Results().Types())
	p.Text(" ")
	p.Region(op.RegionAt(0), true, true, false)
	if !op.RegionAt(1).Empty() {
		p.Text(" else ")
		p.Region(op.RegionAt(1), true, true, false)
	}
	p.OptionalAttrDict(op.DiscardableAttrs())
}

// parseIf reads
//
//	%cond -> types {...} else {...}
//
// or, as LLVM 22 spells it, with the type of the condition, and with the inputs, which are also arguments of the regions:
//
//	%cond (%arg = %input, ...) : type (types) -> types {...} else {...}
func parseIf(p *asm.Parser, s *ir.OpState) error {
	cond, err := p.Operand()
	if err != nil {
		return err
	}
	var t ir.Type = condition(p.Context())
	var inputs []asm.Unresolved
	pos := p.Pos()
	if p.At("(") {
		if _, inputs, err = p.Assignments(); err != nil {
			return err
		}
	}
	if len(inputs) > 0 || p.At(":") {
		if err := p.Expect(":"); err != nil {
			return err
		}
		if t, err = p.Type(); err != nil {
			return err
		}
	}
	if err := p.ResolveInto(s, t, cond); err != nil {
		return err
	}
	if len(inputs) == 0 {
		if s.Types, err = p.OptionalArrowTypes(); err != nil {
			return err
		}
		return p.ThenElse(s)
	}
	f, err := p.FunctionType()
	if err != nil {
		return err
	}
	values, err := p.ResolveAll(inputs, f.Inputs, pos)
	if err != nil {
		return err
	}
	s.Operands, s.Types = append(s.Operands, values...), f.Results
	return p.ThenElse(s)
}

// printIf drops inputs that are no arguments of the regions, and fills an empty region: LLVM 22 demands both.
func printIf(b *ir.Builder, op *ir.Op) {
	for _, r := range op.Regions() {
		if r.Empty() {
			b.SetEnd(r.AddBlock())
			b.CreateOp(Yield, nil, nil)
		}
		if r.Entry().NumArgs() > 0 {
			return
		}
	}
	op.SetOperands([]*ir.Value{CondIfOp{op}.Cond()})
}

// condition is the type of a condition in the syntax of tosa.cond_if.
func condition(c *ir.Context) *ir.RankedTensorType { return c.RankedTensor(nil, ir.I1) }

// saysIf tells whether what is printed can be read. Before LLVM 22, the syntax has no place for the arguments of regions and the type of the condition; since then,
// each input is an argument of both regions if any is.
func saysIf(op *ir.Op) bool {
	later := op.Context().LLVM() >= 22
	if !later && (CondIfOp{op}).Cond().Type() != ir.Type(condition(op.Context())) {
		return false
	}
	most, least := 0, op.NumOperands()-1
	for _, r := range op.Regions() {
		if !r.Empty() {
			most, least = max(most, r.Entry().NumArgs()), min(least, r.Entry().NumArgs())
		}
	}
	return most == 0 || later && most == op.NumOperands()-1 && least == most
}

// parseWhile reads (%arg = %input, ...) : (types) -> types {...} do {...}.
func parseWhile(p *asm.Parser, s *ir.OpState) error {
	cond, body := s.AddRegion(), s.AddRegion()
	var args []asm.Argument
	var inputs []asm.Unresolved
	var err error
	pos := p.Pos()
	if p.At("(") {
		if args, inputs, err = p.Assignments(); err != nil {
			return err
		}
	}
	typePos := p.Pos()
	if err := p.Expect(":"); err != nil {
		return err
	}
	t, err := p.FunctionType()
	if err != nil {
		return err
	}
	s.Types = t.Results
	if len(t.Inputs) != len(inputs) {
		return p.Errorf(typePos, "expected as many input types as operands (expected %d got %d)", len(inputs), len(t.Inputs))
	}
	if s.Operands, err = p.ResolveAll(inputs, t.Inputs, pos); err != nil {
		return err
	}
	for i := range args {
		args[i].Type = t.Inputs[i]
	}
	if err := p.Region(cond, args); err != nil {
		return err
	}
	if err := p.Keyword("do"); err != nil {
		return err
	}
	if err := p.Region(body, nil); err != nil {
		return err
	}
	return p.OptionalAttrDictWithKeyword(s)
}

// saysWhile tells whether the condition has an argument for each operand: the syntax writes
// them as pairs.
func saysWhile(op *ir.Op) bool {
	cond := op.RegionAt(0).Entry()
	return cond != nil && cond.NumArgs() == op.NumOperands()
}

func printWhile(p *asm.Printer, op *ir.Op) {
	if op.NumOperands() > 0 {
		p.Text(" ")
		p.Assignments(op.RegionAt(0).Entry().Args(), op.Operands().Values())
	}
	p.Text(" : ")
	p.FunctionalType(op.Operands().Types(), op.Results().Types())
	p.Text(" ")
	p.Region(op.RegionAt(0), false, true, false)
	p.Text(" do ")
	p.Region(op.RegionAt(1), true, true, false)
	p.OptionalAttrDictWithKeyword(op.DiscardableAttrs())
}

// whileLoop is what is known of tosa.while_loop as a loop: which region is executed again and
// again.
type whileLoop struct{}

func (whileLoop) Regions(op *ir.Op) []*ir.Region { return []*ir.Region{op.RegionAt(1)} }
func (whileLoop) Inits(*ir.Op) (start, n int)    { return 0, 0 }
func (whileLoop) IterArgs(*ir.Op) []*ir.Value    { return nil }
func (whileLoop) Yielded(*ir.Op) ir.Operands     { return nil }
func (whileLoop) Results(*ir.Op) ir.Results      { return nil }

func (whileLoop) AddInits(*ir.Builder, *ir.Op, []*ir.Value, func(*ir.Builder, []*ir.Value) []*ir.Value) *ir.Op {
	return nil
}
