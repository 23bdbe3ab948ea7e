package scf

import (
	"freehold/dialect/gpu"
	"freehold/dialect/tensor"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// Names of the attributes of a Forall.
const (
	StaticLowerBound = "staticLowerBound"
	StaticUpperBound = "staticUpperBound"
	StaticStep       = "staticStep"
	MappingAttr      = "mapping"
)

const (
	forallLower = iota
	forallUpper
	forallStep
	forallOutputs
)

var mappingArray = constraint.ArrayOf("Device Mapping array attribute", gpu.IsDeviceMapping)

func staticInts(name string) ir.AttrDef {
	return ir.AttrDef{Name: name, Type: constraint.DenseI64Array}
}

// Forall runs its region for each point of a space, in any order or at the same
// time. Each iteration inserts its part of the results into shared tensors.
var Forall = ir.NewOpID("scf.forall")

func forallDef() *ir.OpDef {
	return &ir.OpDef{
		ID: Forall,
		Operands: []ir.OperandDef{ir.VariadicOperand("dynamicLowerBound", constraint.Index), ir.VariadicOperand("dynamicUpperBound", constraint.Index),
			ir.VariadicOperand("dynamicStep", constraint.Index), ir.VariadicOperand("outputs", constraint.AnyRankedTensor)},
		Results: anyResults,
		Attrs: []ir.AttrDef{staticInts(StaticLowerBound), staticInts(StaticUpperBound), staticInts(StaticStep),
			{Name: MappingAttr, Type: mappingArray, Optional: true}, segments},
		Regions: []ir.RegionDef{{Name: "region", Sized: 1}},
		Traits: ir.TraitAutomaticAllocationScope | ir.TraitAttrSizedOperandSegments | ir.TraitRecursiveMemoryEffects |
			ir.TraitSingleBlock | ir.TraitParallelRegion,
		ImplicitTerminator: InParallel,
		Earlier:            []ir.Spelling{{Until: 16, Name: "scf.foreach_thread", Upgrade: upgradeForeachThread}},
		Models: []ir.Model{
			interfaces.Bufferizable.Model(forallBufferize{}),
			asm.Assembly.Model(asm.OpAssembly{Parse: parseForall, Print: printForall}),
			interfaces.RegionBranch.Model(parallelFlow{}),
			interfaces.LoopLike.Model(forallLoop{}),
			counterLimits(forallBounds, func(op *ir.Op) int { return ForallOp{op}.Rank() }),
			interfaces.DestinationStyle.Model(func(op *ir.Op) (start, n int) { return op.OperandGroupRange(forallOutputs) }),
			rewrite.Patterns(forallPatterns()...),
			exec.Executable.Model(executeForall),
		},
		Verify:        verifyForall,
		VerifyRegions: interfaces.VerifyDestinationStyle,
	}
}

// ForallOp is a scf.forall.
type ForallOp struct{ *ir.Op }

// Rank returns the number of dimensions of the space.
func (o ForallOp) Rank() int { return len(interfaces.StaticInts(o.Op, StaticLowerBound)) }

// LowerBounds returns the lower bounds.
func (o ForallOp) LowerBounds() []shapes.OpFoldResult {
	return interfaces.MixedList(o.Op, forallLower, StaticLowerBound)
}

// UpperBounds returns the upper bounds.
func (o ForallOp) UpperBounds() []shapes.OpFoldResult {
	return interfaces.MixedList(o.Op, forallUpper, StaticUpperBound)
}

// Steps returns the steps.
func (o ForallOp) Steps() []shapes.OpFoldResult {
	return interfaces.MixedList(o.Op, forallStep, StaticStep)
}

// Outputs returns the shared tensors.
func (o ForallOp) Outputs() ir.Operands { return o.OperandGroup(forallOutputs) }

// Mapping returns how the dimensions map to a device, or nil.
func (o ForallOp) Mapping() ir.Attribute { return o.Attr(MappingAttr) }

// Body returns the block of the loop.
func (o ForallOp) Body() *ir.Block { return o.BodyBlock(0) }

// InductionVars returns the block arguments that count.
func (o ForallOp) InductionVars() []*ir.Value { return o.Body().Args()[:o.Rank()] }

// OutputArgs returns the block arguments for the shared tensors.
func (o ForallOp) OutputArgs() []*ir.Value { return o.Body().Args()[o.Rank():] }

// InParallel returns the terminator of the body.
func (o ForallOp) InParallel() InParallelOp { return InParallelOp{o.Body().Last()} }

// IsNormalized tells whether all lower bounds are 0 and all steps are 1, be they numbers or constants of the program.
func (o ForallOp) IsNormalized() bool {
	return allAre(o.LowerBounds(), 0) && allAre(o.Steps(), 1)
}

func allAre(list []shapes.OpFoldResult, v int64) bool {
	for _, x := range list {
		if !x.IsConst(v) {
			return false
		}
	}
	return true
}

// NewForall creates a loop whose body has only arguments and an empty terminator;
// mapping may be nil.
func NewForall(b *ir.Builder, lower, upper, steps []shapes.OpFoldResult, outputs []*ir.Value, mapping ir.Attribute) ForallOp {
	c := b.Context()
	sl, dl := shapes.SplitMixed(lower)
	su, du := shapes.SplitMixed(upper)
	st, dt := shapes.SplitMixed(steps)
	s := b.State(Forall)
	s.Operands = append(append(append(append(s.Operands, dl...), du...), dt...), outputs...)
	s.Types = ir.TypesOf(outputs)
	s.SetAttr(StaticLowerBound, c.DenseI64Array(sl...))
	s.SetAttr(StaticUpperBound, c.DenseI64Array(su...))
	s.SetAttr(StaticStep, c.DenseI64Array(st...))
	if mapping != nil {
		s.SetAttr(MappingAttr, mapping)
	}
	s.SetAttr(ir.OperandSegmentsAttr, c.Segments(len(dl), len(du), len(dt), len(outputs)))
	blk := s.AddRegion().AddBlock()
	for range upper {
		blk.AddArg(ir.Index, nil)
	}
	for _, v := range outputs {
		blk.AddArg(v.Type(), v.Loc())
	}
	addInParallel(b, blk)
	return ForallOp{b.Create(s)}
}

// addInParallel appends a terminator with an empty block.
func addInParallel(b *ir.Builder, blk *ir.Block) {
	s := b.State(InParallel)
	s.AddRegion().AddBlock()
	blk.Append(b.CreateDetached(s))
}

type forallLoop struct{ plainLoop }

func (forallLoop) Inits(op *ir.Op) (start, n int) { return op.OperandGroupRange(forallOutputs) }
func (forallLoop) IterArgs(op *ir.Op) []*ir.Value { return ForallOp{op}.OutputArgs() }

func verifyForall(op *ir.Op) error {
	o := ForallOp{op}
	n := len(o.Outputs())
	if op.NumResults() != n {
		return op.Errorf("produces %d results, but has only %d outputs", op.NumResults(), n)
	}
	rank, body := o.Rank(), o.Body()
	if body.NumArgs() != rank+n {
		return op.Errorf("region expects %d arguments", rank)
	}
	for i, a := range o.InductionVars() {
		if a.Type() != ir.Type(ir.Index) {
			return op.Errorf("expects %d-th block argument to be an index", i)
		}
	}
	for i, a := range o.OutputArgs() {
		if want := o.Outputs().At(i).Type(); a.Type() != want {
			return op.Errorf("type mismatch between %d-th output and corresponding block argument", i)
		}
	}
	if m, ok := o.Mapping().(*ir.ArrayAttr); ok && len(m.Elems) > 0 && len(m.Elems) != rank {
		return op.Errorf("mapping attribute size must match op rank")
	}
	for _, g := range []struct {
		attr, name string
		group      int
	}{{StaticLowerBound, "lower bound", forallLower}, {StaticUpperBound, "upper bound", forallUpper}, {StaticStep, "step", forallStep}} {
		if err := interfaces.VerifyMixedList(op, g.name, rank, interfaces.StaticInts(op, g.attr), g.group); err != nil {
			return err
		}
	}
	return nil
}

// parseForall reads (%i, ...) in (bounds) or (%i, ...) = (lower) to (upper) step
// (steps), shared_outs(%o = %t, ...) -> (types), the body, and attributes.
func parseForall(p *asm.Parser, s *ir.OpState) error {
	c := p.Context()
	ivs, err := p.Arguments(asm.Paren, false, false)
	if err != nil {
		return err
	}
	var lists [3]asm.IndexList
	if p.OptionalKeyword("in") {
		for i := range ivs {
			_ = i
			lists[forallLower].Static = append(lists[forallLower].Static, 0)
			lists[forallStep].Static = append(lists[forallStep].Static, 1)
		}
		if lists[forallUpper], err = p.IndexList(asm.Paren); err != nil {
			return err
		}
	} else {
		if err := p.Expect("="); err != nil {
			return err
		}
		if lists[forallLower], err = p.IndexList(asm.Paren); err != nil {
			return err
		}
		if err := p.Keyword("to"); err != nil {
			return err
		}
		if lists[forallUpper], err = p.IndexList(asm.Paren); err != nil {
			return err
		}
		if err := p.Keyword("step"); err != nil {
			return err
		}
		if lists[forallStep], err = p.IndexList(asm.Paren); err != nil {
			return err
		}
	}
	for i := range lists {
		if err := p.ResolveInto(s, ir.Index, lists[i].Dynamic...); err != nil {
			return err
		}
	}
	var args []asm.Argument
	var outs []asm.Unresolved
	pos, shared := p.Pos(), 0
	if p.OptionalKeyword("shared_outs") {
		if args, outs, err = p.Assignments(); err != nil {
			return err
		}
		if s.Types, err = p.ArrowTypes(); err != nil {
			return err
		}
		shared = len(s.Types)
	} else if s.Name.Spelling() != nil {
		// LLVM 15 has no shared tensors: [upgradeForeachThread] finds them.
		if s.Types, err = p.OptionalArrowTypes(); err != nil {
			return err
		}
	}
	values, err := p.ResolveAll(outs, s.Types[:min(len(s.Types), shared)], pos)
	if err != nil {
		return err
	}
	s.Operands = append(s.Operands, values...)
	for i := range ivs {
		ivs[i].Type = ir.Index
	}
	for i := range args {
		args[i].Type = s.Types[i]
	}
	r := s.AddRegion()
	if err := p.Region(r, append(ivs, args...)); err != nil {
		return err
	}
	if b := r.Last(); b != nil && (b.Last() == nil || !b.Last().Has(ir.TraitTerminator)) {
		nb := ir.NewBuilder(c)
		nb.Loc = s.Loc
		addInParallel(nb, b)
	}
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	for i, name := range []string{StaticLowerBound, StaticUpperBound, StaticStep} {
		p.AddAttr(s, name, c.DenseI64Array(lists[i].Static...))
	}
	p.AddAttr(s, ir.OperandSegmentsAttr, c.Segments(len(lists[forallLower].Dynamic), len(lists[forallUpper].Dynamic),
		len(lists[forallStep].Dynamic), len(outs)))
	return nil
}

func printMixed(p *asm.Printer, list []shapes.OpFoldResult) {
	p.Text("(")
	for i, x := range list {
		if i > 0 {
			p.Text(", ")
		}
		if x.Value != nil {
			p.Operand(x.Value)
		} else {
			p.Int(x.Const)
		}
	}
	p.Text(")")
}

func printForall(p *asm.Printer, op *ir.Op) {
	o := ForallOp{op}
	p.Text(" (")
	p.Operands(o.InductionVars())
	if o.IsNormalized() {
		p.Text(") in ")
		printMixed(p, o.UpperBounds())
	} else {
		p.Text(") = ")
		printMixed(p, o.LowerBounds())
		p.Text(" to ")
		printMixed(p, o.UpperBounds())
		p.Text(" step ")
		printMixed(p, o.Steps())
	}
	printAssignments(p, " shared_outs", o.OutputArgs(), o.Outputs())
	p.Text(" ")
	if op.NumResults() > 0 {
		p.Text("-> (")
		p.Types(op.Results().Types())
		p.Text(") ")
	}
	p.Region(op.RegionAt(0), false, op.NumResults() > 0, false)
	p.OptionalAttrDict(p.AllAttrs(op), StaticLowerBound, StaticUpperBound, StaticStep, ir.OperandSegmentsAttr)
}

// InParallel ends the body of a Forall: what the iterations insert into the shared
// tensors.
var InParallel = ir.NewOpID("scf.forall.in_parallel")

func inParallelDef() *ir.OpDef {
	return &ir.OpDef{
		ID:      InParallel,
		Regions: []ir.RegionDef{{Name: "region", Sized: 1}},
		Traits:  ir.TraitPure | ir.TraitTerminator | ir.TraitSingleBlock | ir.TraitNoTerminator | ir.TraitGraphRegion,
		Parents: []*ir.OpID{Forall},
		Earlier: []ir.Spelling{{Until: 16, Name: "scf.foreach_thread.perform_concurrently"}},
		Models: []ir.Model{
			interfaces.ParallelCombining.Model(struct{}{}),
			interfaces.BufferDeallocation.Model(endDealloc{}),
			asm.Assembly.Model(asm.OpAssembly{Parse: parseInParallel, Print: printInParallel}),
			exec.Executable.Model(executeInParallel),
		},
		Verify:    func(op *ir.Op) error { return verifyInParallel(op, tensor.ParallelInsertSlice.String()) },
		Revisions: []ir.Revision{{Since: 22, Verify: func(op *ir.Op) error { return verifyInParallel(op, "ParallelCombiningOpInterface") }}},
	}
}

// InParallelOp is a scf.forall.in_parallel.
type InParallelOp struct{ *ir.Op }

// Body returns the block of insertions.
func (o InParallelOp) Body() *ir.Block { return o.BodyBlock(0) }

// verifyInParallel checks that the insertions, which are called so in messages, are into what the loop shares.
func verifyInParallel(op *ir.Op, insertions string) error {
	parent := op.Parent()
	if parent == nil || !parent.Is(Forall) {
		return op.Errorf("expected forall op parent")
	}
	outs := ForallOp{parent}.OutputArgs()
	for x := range op.BodyBlock(0).Ops() {
		if !x.Is(tensor.ParallelInsertSlice) {
			return op.Errorf("expected only %s ops", insertions)
		}
		if x.NumOperands() < 2 {
			continue // which is its own error
		}
		dest := tensor.ParallelInsertSliceOp{Op: x}.Dest()
		known := false
		for _, a := range outs {
			known = known || a == dest
		}
		if !known {
			return x.Errorf("may only insert into an output block argument")
		}
	}
	return nil
}

func parseInParallel(p *asm.Parser, s *ir.OpState) error {
	r := s.AddRegion()
	if err := p.Region(r, nil); err != nil {
		return err
	}
	if r.Empty() {
		r.AddBlock()
	}
	return p.OptionalAttrDict(s)
}

func printInParallel(p *asm.Printer, op *ir.Op) {
	p.Text(" ")
	p.Region(op.RegionAt(0), false, false, false)
	p.OptionalAttrDict(op.DiscardableAttrs())
}
