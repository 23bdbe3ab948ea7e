package scf

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// Parallel runs its region for each point of a space, in any order or at the same
// time, and combines what the iterations reduce.
var Parallel = ir.NewOpID("scf.parallel")

func parallelDef() *ir.OpDef {
	return &ir.OpDef{
		ID: Parallel,
		Operands: []ir.OperandDef{ir.VariadicOperand("lowerBound", constraint.Index), ir.VariadicOperand("upperBound", constraint.Index),
			ir.VariadicOperand("step", constraint.Index), ir.VariadicOperand("initVals", constraint.AnyType)},
		Results: anyResults,
		Attrs:   []ir.AttrDef{segments},
		Regions: []ir.RegionDef{{Name: "region", Sized: 1}},
		Traits: ir.TraitAutomaticAllocationScope | ir.TraitAttrSizedOperandSegments | ir.TraitRecursiveMemoryEffects |
			ir.TraitSingleBlock | ir.TraitParallelRegion,
		ImplicitTerminator: Reduce,
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parseParallel, Print: printParallel}),
			interfaces.RegionBranch.Model(parallelFlow{}),
			interfaces.LoopLike.Model(plainLoop{}),
			counterLimits(parallelBounds, func(op *ir.Op) int { return len(ParallelOp{op}.Steps()) }),
			rewrite.Patterns(
				rewrite.Pattern{Name: "ParallelOpSingleOrZeroIterationDimsFolder", Rewrite: foldParallelDims},
				rewrite.Pattern{Name: "ParallelOpSingleOrZeroIterationDimsFolder", Since: 22, Rewrite: emptyParallel},
				rewrite.Pattern{Name: "MergeNestedParallelLoops", Rewrite: mergeNestedParallel},
			),
			exec.Executable.Model(executeParallel),
		},
		Earlier: []ir.Spelling{{Until: 18, Upgrade: joinReductions}},
		Verify:  verifyParallel,
	}
}

// ParallelOp is a scf.parallel.
type ParallelOp struct{ *ir.Op }

// LowerBounds, UpperBounds and Steps describe the dimensions of the space.
func (o ParallelOp) LowerBounds() ir.Operands { return o.OperandGroup(0) }

// UpperBounds returns the values that the induction variables stay below.
func (o ParallelOp) UpperBounds() ir.Operands { return o.OperandGroup(1) }

// Steps returns the differences between neighbouring points.
func (o ParallelOp) Steps() ir.Operands { return o.OperandGroup(2) }

// Inits returns the initial values of the reductions.
func (o ParallelOp) Inits() ir.Operands { return o.OperandGroup(3) }

// Body returns the block of the loop.
func (o ParallelOp) Body() *ir.Block { return o.BodyBlock(0) }

// InductionVars returns the block arguments that count.
func (o ParallelOp) InductionVars() []*ir.Value { return o.Body().Args() }

// Reduce returns the terminator of the body.
func (o ParallelOp) Reduce() ReduceOp { return ReduceOp{o.Body().Last()} }

// newEmptyParallel creates a loop whose body has only arguments.
func newEmptyParallel(b *ir.Builder, lower, upper, steps, inits []*ir.Value) ParallelOp {
	s := b.State(Parallel)
	s.Operands = append(append(append(append(s.Operands, lower...), upper...), steps...), inits...)
	s.Types = ir.TypesOf(inits)
	s.SetAttr(ir.OperandSegmentsAttr, b.Context().Segments(len(lower), len(upper), len(steps), len(inits)))
	blk := s.AddRegion().AddBlock()
	for range lower {
		blk.AddArg(ir.Index, nil)
	}
	return ParallelOp{b.Create(s)}
}

// NewParallel creates a loop without reductions whose body build fills.
func NewParallel(b *ir.Builder, lower, upper, steps []*ir.Value, body func(b *ir.Builder, ivs []*ir.Value)) ParallelOp {
	o := newEmptyParallel(b, lower, upper, steps, nil)
	b.SetEnd(o.Body())
	if body != nil {
		body(b, o.InductionVars())
	}
	b.CreateOp(Reduce, nil, nil)
	b.SetAfter(o.Op)
	return o
}

// parallelFlow enters the body, or leaves the operation, from anywhere.
type parallelFlow struct{ withoutOperands }

func (parallelFlow) Successors(op *ir.Op, _ interfaces.RegionPoint) []interfaces.RegionSuccessor {
	return []interfaces.RegionSuccessor{{Region: op.RegionAt(0)}, {}}
}

// plainLoop is a loop that carries no values from one iteration to the next.
type plainLoop struct{}

func (plainLoop) Regions(op *ir.Op) []*ir.Region { return op.Regions() }
func (plainLoop) Inits(*ir.Op) (start, n int)    { return 0, 0 }
func (plainLoop) IterArgs(*ir.Op) []*ir.Value    { return nil }
func (plainLoop) Yielded(*ir.Op) ir.Operands     { return nil }
func (plainLoop) Results(*ir.Op) ir.Results      { return nil }
func (plainLoop) AddInits(*ir.Builder, *ir.Op, []*ir.Value, func(*ir.Builder, []*ir.Value) []*ir.Value) *ir.Op {
	return nil
}

func verifyParallel(op *ir.Op) error {
	o := ParallelOp{op}
	if len(o.Steps()) == 0 {
		return op.Errorf("needs at least one tuple element for lowerBound, upperBound and step")
	}
	if n := len(o.Steps()); len(o.LowerBounds()) != n || len(o.UpperBounds()) != n {
		return op.Errorf("expects as many lower and upper bounds as steps") // mlir-opt can't read what it prints of such a loop
	}
	for i := range o.Steps() {
		if n, ok := ir.ConstantInt(o.Steps().At(i)); ok && n <= 0 {
			return op.Errorf("constant step operand must be positive")
		}
	}
	body := o.Body()
	if body.NumArgs() != len(o.Steps()) {
		return op.Errorf("expects the same number of induction variables: %d as bound and step values: %d", body.NumArgs(), len(o.Steps()))
	}
	for _, a := range body.Args() {
		if a.Type() != ir.Type(ir.Index) {
			return op.Errorf("expects arguments for the induction variable to be of index type")
		}
	}
	t := body.Last()
	if t == nil || !t.Is(Reduce) {
		return missingTerminator(op, t, "expects body to terminate with 'scf.reduce'")
	}
	results, reductions, inits := op.NumResults(), t.NumRegions(), len(o.Inits())
	if results != reductions {
		return op.Errorf("expects number of results: %d to be the same as number of reductions: %d", results, reductions)
	}
	if results != inits {
		return op.Errorf("expects number of results: %d to be the same as number of initial values: %d", results, inits)
	}
	for i := range results {
		if rt, xt := op.Result(i).Type(), t.Operand(i).Type(); rt != xt {
			return t.Errorf("expects type of %d-th reduction operand: '%s' to be the same as the %d-th result type: '%s'", i, xt, i, rt)
		}
	}
	return nil
}

func parseParallel(p *asm.Parser, s *ir.OpState) error {
	args, err := p.Arguments(asm.Paren, false, false)
	if err != nil {
		return err
	}
	var groups [3][]asm.Unresolved
	for i, sep := range []string{"=", "to", "step"} {
		if i == 0 {
			err = p.Expect(sep)
		} else {
			err = p.Keyword(sep)
		}
		if err != nil {
			return err
		}
		if groups[i], err = p.OperandsOf(len(args), asm.Paren); err != nil {
			return err
		}
		if err := p.ResolveInto(s, ir.Index, groups[i]...); err != nil {
			return err
		}
	}
	var inits []asm.Unresolved
	pos := p.Pos()
	if p.OptionalKeyword("init") {
		if inits, err = p.Operands(asm.Paren); err != nil {
			return err
		}
	}
	if s.Types, err = p.OptionalArrowTypes(); err != nil {
		return err
	}
	for i := range args {
		args[i].Type = ir.Index
	}
	r := s.AddRegion()
	if err := p.Region(r, args); err != nil {
		return err
	}
	s.SetAttr(ir.OperandSegmentsAttr, p.Context().Segments(len(args), len(args), len(args), len(inits)))
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	values, err := p.ResolveAll(inits, s.Types, pos)
	if err != nil {
		return err
	}
	s.Operands = append(s.Operands, values...)
	p.EnsureTerminator(s, r)
	return nil
}

func printParallel(p *asm.Printer, op *ir.Op) {
	o := ParallelOp{op}
	list := func(before string, values []*ir.Value) {
		p.Text(before)
		p.Operands(values)
		p.Text(")")
	}
	list(" (", o.InductionVars())
	list(" = (", o.LowerBounds().Values())
	list(" to (", o.UpperBounds().Values())
	list(" step (", o.Steps().Values())
	if len(o.Inits()) > 0 {
		list(" init (", o.Inits().Values())
	}
	p.ArrowTypes(op.Results().Types())
	p.Text(" ")
	p.Region(op.RegionAt(0), false, true, false)
	p.OptionalAttrDict(op.DiscardableAttrs())
}

// Reduce ends the body of a Parallel; each region combines two values of a
// reduction.
var Reduce = ir.NewOpID("scf.reduce")

func reduceDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Reduce,
		Operands: []ir.OperandDef{ir.VariadicOperand("operands", constraint.AnyType)},
		Regions:  []ir.RegionDef{{Name: "reductions", Variadic: true, Sized: 1}},
		Traits:   ir.TraitTerminator | ir.TraitRecursiveMemoryEffects,
		Parents:  []*ir.OpID{Parallel},
		Format:   "(`(` $operands^ `:` type($operands) `)`)? $reductions attr-dict",
		Earlier:  []ir.Spelling{{Until: 18, Format: "`(` $operands `)` `:` type($operands) $reductions attr-dict"}},
		Models: []ir.Model{
			interfaces.RegionBranchTerminator.Model(func(*ir.Op, interfaces.RegionPoint) (start, n int) {
				return 0, 0
			}),
			exec.Executable.Model(executeReduce),
		},
		VerifyRegions: verifyReduce,
	}
}

// ReduceOp is a scf.reduce.
type ReduceOp struct{ *ir.Op }

// Values returns the values that the iteration contributes.
func (o ReduceOp) Values() ir.Operands { return o.Operands() }

// Body returns the block that combines two values of reduction i.
func (o ReduceOp) Body(i int) *ir.Block { return o.BodyBlock(i) }

func verifyReduce(op *ir.Op) error {
	for i, r := range op.Regions() {
		if i >= op.NumOperands() {
			break
		}
		t, b := op.Operand(i).Type(), r.Entry()
		if b.Empty() {
			return op.Errorf("%d-th reduction has an empty body", i)
		}
		if b.NumArgs() != 2 || b.Arg(0).Type() != t || b.Arg(1).Type() != t {
			return op.Errorf("expected two block arguments with type '%s' in the %d-th reduction region", t, i)
		}
		if !b.Last().Is(ReduceReturn) {
			return op.Errorf("reduction bodies must be terminated with an 'scf.reduce.return' op")
		}
	}
	return nil
}

// ReduceReturn ends a region of a Reduce with the combined value.
var ReduceReturn = ir.NewOpID("scf.reduce.return")

func reduceReturnDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       ReduceReturn,
		Operands: []ir.OperandDef{{Name: "result", Type: constraint.AnyType}},
		Traits:   ir.TraitPure | ir.TraitTerminator,
		Parents:  []*ir.OpID{Reduce},
		Format:   "$result attr-dict `:` type($result)",
		Verify: func(op *ir.Op) error {
			b := op.Block()
			if b.NumArgs() > 0 && b.Arg(0).Type() != (ReduceReturnOp{op}).ResultValue().Type() {
				return op.Errorf("must have type '%s' (the type of the reduction inputs)", b.Arg(0).Type())
			}
			return nil
		},
		Models: []ir.Model{
			interfaces.BufferDeallocation.Model(reduceReturnDealloc{}),
			exec.Executable.Model(exec.LeaveRegion),
		},
	}
}
