package llvm

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Terminators.
var (
	// Br is an unconditional branch.
	Br = ir.NewOpID("llvm.br")
	// CondBr is a conditional branch.
	CondBr = ir.NewOpID("llvm.cond_br")
	// Return ends the execution of a function.
	Return = ir.NewOpID("llvm.return")
	// Unreachable ends a block that is never left.
	Unreachable = ir.NewOpID("llvm.unreachable")
)

func brDef() *ir.OpDef {
	return &ir.OpDef{ID: Br, Traits: ir.TraitPure | ir.TraitTerminator, Attrs: []ir.AttrDef{loopAnnotation},
		Operands: []ir.OperandDef{ir.VariadicOperand("destOperands", anyLLVM)}, Successors: []ir.SuccessorDef{{Name: "dest"}},
		Format: "$dest (`(` $destOperands^ `:` type($destOperands) `)`)? attr-dict",
		Models: []ir.Model{
			interfaces.Branch.Model(branch{}),
			exec.Executable.Model(exec.Jump),
		}}
}

func condBrDef() *ir.OpDef {
	return &ir.OpDef{ID: CondBr, Traits: ir.TraitPure | ir.TraitTerminator | ir.TraitAttrSizedOperandSegments,
		Operands: []ir.OperandDef{ir.Operand("condition", constraint.I1), ir.VariadicOperand("trueDestOperands", anyLLVM), ir.VariadicOperand("falseDestOperands", anyLLVM)},
		Attrs: []ir.AttrDef{branchWeights, loopAnnotation,
			{Name: ir.OperandSegmentsAttr, Type: constraint.Segments, Derived: true}},
		Successors: []ir.SuccessorDef{{Name: "trueDest"}, {Name: "falseDest"}},
		Format: "$condition ( `weights` `(` $branch_weights^ `)` )? `,` $trueDest (`(` $trueDestOperands^ `:` type($trueDestOperands) `)`)? `,`" +
			" $falseDest (`(` $falseDestOperands^ `:` type($falseDestOperands) `)`)? attr-dict",
		Models: []ir.Model{
			interfaces.Branch.Model(condBranch{}),
			exec.Executable.Model(executeCondBranch),
		}}
}

func returnDef() *ir.OpDef {
	return &ir.OpDef{ID: Return, Traits: ir.TraitPure | ir.TraitTerminator | ir.TraitReturnLike,
		Operands: []ir.OperandDef{{Name: "arg", Type: anyLLVM, Arity: ir.Optional}}, Format: "attr-dict ($arg^ `:` type($arg))?",
		Verify: verifyReturn}
}

func unreachableDef() *ir.OpDef {
	return &ir.OpDef{ID: Unreachable, Traits: ir.TraitTerminator, Format: "attr-dict",
		Models: []ir.Model{
			interfaces.FixedEffects(),
			exec.Executable.Model(executeUnreachable),
		},
	}
}

type branch struct{}

// SuccessorOperands implements interfaces.BranchModel.
func (branch) SuccessorOperands(op *ir.Op, _ int) (start, n, produced int) {
	return 0, op.NumOperands(), 0
}

// SetSuccessorOperands implements interfaces.BranchModel.
func (branch) SetSuccessorOperands(op *ir.Op, _ int, values []*ir.Value) { op.SetOperands(values) }

// TakenSuccessor implements interfaces.BranchModel.
func (branch) TakenSuccessor(*ir.Op, []ir.Attribute) int { return 0 }

type condBranch struct{}

// SuccessorOperands implements interfaces.BranchModel.
func (condBranch) SuccessorOperands(op *ir.Op, i int) (start, n, produced int) {
	start, n = op.OperandGroupRange(1 + i)
	return start, n, 0
}

// SetSuccessorOperands implements interfaces.BranchModel.
func (condBranch) SetSuccessorOperands(op *ir.Op, i int, values []*ir.Value) {
	op.SetOperandGroup(1+i, values)
}

// TakenSuccessor implements interfaces.BranchModel.
func (condBranch) TakenSuccessor(op *ir.Op, operands []ir.Attribute) int {
	c, ok := operands[0].(*ir.IntegerAttr)
	switch {
	case !ok:
		return -1
	case c.Value != 0:
		return 0
	}
	return 1
}

func verifyReturn(op *ir.Op) error {
	fn := op.Parent()
	if fn == nil || !fn.Is(Func) {
		return nil
	}
	want, _, _, ok := signature(typeOf(fn))
	if !ok {
		return nil
	}
	_, void := is(want, voidType)
	switch {
	case void && op.NumOperands() > 0:
		return op.Errorf("expected no operands").WithNote(fn.Loc(), "when returning from function")
	case void:
		return nil
	case op.NumOperands() == 0:
		return op.Errorf("expected 1 operand").WithNote(fn.Loc(), "when returning from function")
	case (ReturnOp{op}).Arg().Type() != want:
		return op.Errorf("mismatching result types").WithNote(fn.Loc(), "when returning from function")
	}
	return nil
}

// verifyCalleeOrOperand checks that there is something to call.
func verifyCalleeOrOperand(op *ir.Op) error {
	if op.Attr(callee) == nil && op.NumOperands() == 0 {
		return op.Errorf("must have either a `callee` attribute or at least an operand")
	}
	return nil
}

// verifyCall checks a call of a function of the dialect against its type.
func verifyCall(op *ir.Op, tables *ir.SymbolTables) error {
	ref, ok := op.Attr(callee).(*ir.SymbolRefAttr)
	if !ok {
		return nil
	}
	fn := tables.Lookup(op, ref)
	if fn == nil {
		return op.Errorf("'%s' does not reference a symbol in the current scope", ref.Root)
	}
	if !fn.Is(Func) {
		return op.Errorf("'%s' does not reference a valid LLVM function", ref.Root)
	}
	want, params, variadic, ok := signature(typeOf(fn))
	if !ok {
		return nil
	}
	n := op.NumOperands()
	if !variadic && n != len(params) {
		return op.Errorf("incorrect number of operands (%d) for callee (expecting: %d)", n, len(params))
	}
	if n < len(params) {
		return op.Errorf("incorrect number of operands (%d) for varargs callee (expecting at least: %d)", n, len(params))
	}
	for i, p := range params {
		if got := op.Operand(i).Type(); got != p {
			return op.Errorf("operand type mismatch for operand %d: '%s' != '%s'", i, got, p)
		}
	}
	_, void := is(want, voidType)
	switch {
	case op.NumResults() == 0 && !void:
		return op.Errorf("expected function call to produce a value")
	case op.NumResults() == 0:
		return nil
	case void:
		return op.Errorf("calling function with void result must not produce values")
	case op.Result(0).Type() != want:
		return op.Errorf("result type mismatch: '%s' != '%s'", op.Result(0).Type(), want)
	}
	return nil
}

// Call calls a function by its symbol or a pointer.
var Call = ir.NewOpID("llvm.call")

func callDef() *ir.OpDef {
	return &ir.OpDef{ID: Call,
		Operands: []ir.OperandDef{ir.VariadicOperand("callee_operands", anyLLVM)},
		Results:  []ir.ResultDef{{Name: "result", Type: anyLLVM, Arity: ir.Optional}},
		Attrs: with([]ir.AttrDef{optional(calleeType, constraint.TypeAttr), optional(callee, constraint.FlatSymbolRef), fastMathFlags,
			withDefault("CConv", CConv, 0), withDefault("TailCallKind", TailCall, 0), branchWeights}, accessMetadata),
		Later: laterCall(),
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parseCall, Print: printCall}),
			interfaces.Call.Model(call{}),
			exec.Executable.Model(exec.Call),
		},
		Verify:           verifyCalleeOrOperand,
		VerifySymbolUses: verifyCall,
	}
}

const (
	callee     = "callee"
	calleeType = "var_callee_type"
)

// bundleSizes are how many operands each of the bundles of a call has, from LLVM 20 on, and
// bundleTags what they are called.
const (
	bundleSizes = "op_bundle_sizes"
	bundleTags  = "op_bundle_tags"
)

type call struct{}

// Callee implements interfaces.CallModel.
func (call) Callee(op *ir.Op) (*ir.SymbolRefAttr, *ir.Value) {
	if s, ok := op.Attr(callee).(*ir.SymbolRefAttr); ok {
		return s, nil
	}
	return nil, op.Operand(0)
}

// Args implements interfaces.CallModel.
func (call) Args(op *ir.Op) (start, n int) {
	if op.Attr(callee) != nil {
		return 0, op.NumOperands()
	}
	return 1, op.NumOperands() - 1
}

func parseCall(p *asm.Parser, s *ir.OpState) error {
	c := p.Context()
	var us []asm.Unresolved
	if name, ok := p.OptionalSymbolName(); ok {
		s.SetAttr(callee, c.SymbolRef(name))
	} else {
		u, err := p.Operand()
		if err != nil {
			return err
		}
		us = append(us, u)
	}
	indirect := len(us) == 1
	args, err := p.Operands(asm.Paren)
	if err != nil {
		return err
	}
	if p.OptionalKeyword("vararg") {
		if err := p.Expect("("); err != nil {
			return err
		}
		t, err := p.Type()
		if err != nil {
			return err
		}
		s.SetAttr(calleeType, c.TypeAttr(t))
		if err := p.Expect(")"); err != nil {
			return err
		}
	}
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	if err := p.Expect(":"); err != nil {
		return err
	}
	if indirect {
		t, err := p.Type()
		if err != nil {
			return err
		}
		if err := p.ResolveInto(s, t, us...); err != nil {
			return err
		}
		if err := p.Expect(","); err != nil {
			return err
		}
	}
	pos := p.Pos()
	t, err := p.Type()
	if err != nil {
		return err
	}
	f, ok := t.(*ir.FunctionType)
	if !ok {
		return p.Errorf(pos, "expected trailing function type")
	}
	if len(f.Results) > 1 {
		return p.Errorf(pos, "expected function with 0 or 1 result")
	}
	s.Types = f.Results
	values, err := p.ResolveAll(args, f.Inputs, pos)
	s.Operands = append(s.Operands, values...)
	return err
}

func printCall(p *asm.Printer, op *ir.Op) {
	p.Text(" ")
	args := op.Operands().Values()
	ref, direct := op.Attr(callee).(*ir.SymbolRefAttr)
	var pointer *ir.Value
	if direct {
		p.SymbolName(ref.Root)
	} else {
		pointer, args = args[0], args[1:]
		p.Operand(pointer)
	}
	p.Text("(")
	p.Operands(args)
	p.Text(")")
	if t, ok := op.Attr(calleeType).(*ir.TypeAttr); ok {
		p.Text(" vararg(")
		p.Type(t.Type)
		p.Text(")")
	}
	elided := []string{callee, calleeType}
	for _, d := range op.Def().Attrs {
		if d.Default != nil && op.Attr(d.Name) == d.Default(op.Context()) {
			elided = append(elided, d.Name)
		}
	}
	p.OptionalAttrDict(p.AllAttrs(op), elided...)
	p.Text(" : ")
	if !direct {
		p.Type(pointer.Type())
		p.Text(", ")
	}
	p.FunctionalType(ir.TypesOf(args), op.Results().Types())
}
