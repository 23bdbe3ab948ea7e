package async

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Operations that work, and wait.
var (
	// Execute is async.execute, which runs its region when others have run, while control goes on.
	Execute = ir.NewOpID("async.execute")
	// Yield is async.yield, which tells what the work returns.
	Yield = ir.NewOpID("async.yield")
	// Await is async.await, which waits for work, and returns what it returned.
	Await = ir.NewOpID("async.await")
)

// executeEffects is the first version of LLVM for which async.execute has the effects of its region.
const executeEffects = 22

// It isn't a conditional or a loop for other passes: what goes into its region, and comes out, are values of other types that are passed later.
func executeDef() *ir.OpDef {
	return &ir.OpDef{
		ID: Execute,
		Operands: []ir.OperandDef{{Name: "dependencies", Type: tokenType, Arity: ir.Variadic},
			{Name: "bodyOperands", Type: awaitable, Arity: ir.Variadic}},
		Results:            []ir.ResultDef{{Name: "token", Type: tokenType}, {Name: "bodyResults", Type: valueType, Arity: ir.Variadic}},
		Attrs:              []ir.AttrDef{{Name: ir.OperandSegmentsAttr, Type: constraint.Segments, Derived: true}},
		Regions:            []ir.RegionDef{{Name: "bodyRegion", Sized: 1}},
		Traits:             ir.TraitSingleBlock | ir.TraitAttrSizedOperandSegments | ir.TraitAutomaticAllocationScope,
		ImplicitTerminator: Yield,
		Revisions:          []ir.Revision{{Since: executeEffects, Traits: ir.TraitRecursiveMemoryEffects}},
		VerifyRegions:      verifyExecute,
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parseExecute, Print: printExecute}),
			asm.ResultNames.Model(func(op *ir.Op, name func(*ir.Value, string)) {
				name(op.Result(0), "token")
				if op.NumResults() > 1 {
					name(op.Result(1), "bodyResults")
				}
			}),
			interfaces.Asynchronous.Model(work{}),
		},
	}
}

// ExecuteOp is an async.execute.
type ExecuteOp struct{ *ir.Op }

// Dependencies returns the tokens of what has to be done before.
func (o ExecuteOp) Dependencies() ir.Operands { return o.OperandGroup(0) }

// Inputs returns the values that the region gets, when they are there.
func (o ExecuteOp) Inputs() ir.Operands { return o.OperandGroup(1) }

// Body returns the block of the region, whose arguments are what the inputs hold.
func (o ExecuteOp) Body() *ir.Block { return o.BodyBlock(0) }

// work tells that buffers are used until the token has been waited for.
type work struct{}

func (work) Token(op *ir.Op) *ir.Value             { return op.Result(0) }
func (work) Dependencies(op *ir.Op) (start, n int) { return op.OperandGroupRange(0) }

// verifyExecute checks that the region gets what the inputs hold, and yields what the results do.
func verifyExecute(op *ir.Op) error {
	o := ExecuteOp{op}
	body := o.Body()
	if body == nil {
		return nil
	}
	into := interfaces.RegionSuccessor{Region: op.RegionAt(0), Inputs: body.Args()}
	if err := interfaces.VerifyEdge(op, nil, interfaces.ParentPoint, into, o.Inputs(), holds); err != nil {
		return err
	}
	y := body.Last()
	if y == nil || !y.Is(Yield) {
		return nil
	}
	out := interfaces.RegionSuccessor{Inputs: op.Results().Values()[1:]}
	return interfaces.VerifyEdge(op, y, interfaces.RegionPoint{Region: op.RegionAt(0)}, out, y.Operands(), holds)
}

// holds tells whether one of two types is that of values that hold the other one, or they are the same.
func holds(a, b ir.Type) bool { return a == b || HeldBy(a) == b || HeldBy(b) == a }

func parseExecute(p *asm.Parser, s *ir.OpState) error {
	tokens, err := p.Operands(asm.OptionalSquare)
	if err != nil {
		return err
	}
	if err := p.ResolveInto(s, tokenType.Buildable(p.Context()), tokens...); err != nil {
		return err
	}
	var inputs []asm.Unresolved
	var types []ir.Type
	var args []asm.Argument
	pos := p.Pos()
	err = p.List(asm.OptionalParen, func() error {
		v, err := p.Operand()
		if err != nil {
			return err
		}
		if err := p.Keyword("as"); err != nil {
			return err
		}
		a, err := p.Argument(false, false)
		if err != nil {
			return err
		}
		t, err := p.ColonType()
		a.Type = HeldBy(t)
		inputs, types, args = append(inputs, v), append(types, t), append(args, a)
		return err
	})
	if err != nil {
		return err
	}
	for i, v := range inputs {
		if err := p.ResolveInto(s, types[i], v); err != nil {
			return err
		}
		if args[i].Type == nil {
			return p.Errorf(pos, "expected values, as which the region gets what they hold, and not '%s'", types[i])
		}
	}
	s.SetAttr(ir.OperandSegmentsAttr, p.Context().Segments(len(tokens), len(inputs)))
	results, err := p.OptionalArrowTypes()
	if err != nil {
		return err
	}
	s.Types = append([]ir.Type{tokenType.Buildable(p.Context())}, results...)
	if err := p.OptionalAttrDictWithKeyword(s); err != nil {
		return err
	}
	if len(results) > 0 {
		return p.Region(s.AddRegion(), args) // nothing else says what it returns
	}
	return p.TerminatedRegion(s, args)
}

func printExecute(p *asm.Printer, op *ir.Op) {
	o := ExecuteOp{op}
	if deps := o.Dependencies(); len(deps) > 0 {
		p.Text(" [")
		p.Operands(deps.Values())
		p.Text("]")
	}
	for i, v := range o.Inputs().Values() {
		p.Text(map[bool]string{true: " (", false: ", "}[i == 0])
		p.Operand(v)
		p.Text(" as ")
		p.Operand(o.Body().Arg(i))
		p.Text(": ")
		p.Type(v.Type())
	}
	if len(o.Inputs()) > 0 {
		p.Text(")")
	}
	if op.NumResults() > 1 {
		p.ArrowTypes(op.Results().Types()[1:])
	}
	p.OptionalAttrDictWithKeyword(p.AllAttrs(op), ir.OperandSegmentsAttr)
	p.Text(" ")
	p.Region(op.RegionAt(0), false, true, false)
}

func yieldDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Yield,
		Operands: []ir.OperandDef{{Name: "operands", Type: constraint.AnyType, Arity: ir.Variadic}},
		Parents:  []*ir.OpID{Execute},
		Traits:   ir.TraitPure | ir.TraitReturnLike | ir.TraitTerminator,
		Format:   "($operands^ `:` type($operands))? attr-dict",
	}
}

func awaitDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Await,
		Operands: []ir.OperandDef{{Name: "operand", Type: awaitable}},
		Results:  []ir.ResultDef{{Name: "result", Type: constraint.AnyType, Arity: ir.Optional}},
		Format:   "$operand `:` custom<AwaitType>(type($operand), type($result)) attr-dict",
		Verify:   verifyAwait,
		Models:   []ir.Model{interfaces.Asynchronous.Model(waiting{})},
	}
}

// waiting is how operations wait for what they are given.
type waiting struct{}

func (waiting) Token(*ir.Op) *ir.Value                { return nil }
func (waiting) Dependencies(op *ir.Op) (start, n int) { return 0, op.NumOperands() }

func verifyAwait(op *ir.Op) error {
	held := HeldBy(op.Operand(0).Type())
	switch {
	case held == nil && op.NumResults() > 0:
		return op.Errorf("awaiting on a token must have empty result")
	case held != nil && op.NumResults() == 0:
		return op.Errorf("result type '<<NULL TYPE>>' does not match async value type '%s'", held)
	case held != nil && op.Result(0).Type() != held:
		return op.Errorf("result type '%s' does not match async value type '%s'", op.Result(0).Type(), held)
	}
	return nil
}
