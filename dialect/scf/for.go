package scf

import (
	"math"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

const forInits = 3

// For runs its region for each number from a lower bound, by a step, below an
// upper bound, and carries values from one iteration to the next. Bounds are signed numbers unless
// it says that they are unsigned, which it can since LLVM 22; the step is positive as a signed number in either case.
var For = ir.NewOpID("scf.for")

func forDef() *ir.OpDef {
	return &ir.OpDef{
		ID: For,
		Operands: []ir.OperandDef{{Name: "lowerBound", Type: constraint.SignlessIntOrIndex},
			{Name: "upperBound", Type: constraint.SignlessIntOrIndex}, {Name: "step", Type: constraint.SignlessIntOrIndex},
			ir.VariadicOperand("initArgs", constraint.AnyType)},
		Results: anyResults,
		Regions: []ir.RegionDef{{Name: "region", Sized: 1}},
		Traits:  ir.TraitAutomaticAllocationScope | ir.TraitSingleBlock | ir.TraitRecursiveMemoryEffects,
		TypeRules: []ir.TypeRule{{Same: []string{"lowerBound", "upperBound", "step"},
			Summary: "all of {lowerBound, upperBound, step} have same type"}},
		ImplicitTerminator: Yield,
		Later: []ir.Spelling{{Since: unsignedSince, Attrs: []ir.AttrDef{{Name: unsignedAttr, Type: constraint.UnitAttr, Optional: true}},
			Discardable: []string{unsignedAttr}, Upgrade: compareSigned}},
		Models: []ir.Model{
			interfaces.Bufferizable.Model(forBufferize{}),
			asm.Assembly.Model(asm.OpAssembly{Parse: parseFor, Print: printFor}),
			interfaces.LoopLike.Model(forLoop{}),
			interfaces.RegionBranch.Model(forFlow{}),
			interfaces.TripCount.Model(func(op *ir.Op) (int64, bool) { return ForOp{op}.TripCount() }),
			counterLimits(forBounds, func(*ir.Op) int { return 1 }),
			rewrite.Patterns(
				rewrite.Pattern{Name: "ForOpIterArgsFolder", Rewrite: foldIterArgs},
				rewrite.Pattern{Name: "SimplifyTrivialLoops", Rewrite: simplifyTrivialLoop},
				rewrite.Pattern{Name: "ForOpTensorCastFolder", Rewrite: foldIterCast},
				rewrite.Pattern{Name: "ForOpIterArgsFolder", Since: 22, Rewrite: yieldInvariants},
				rewrite.Pattern{Name: "ForOpIterArgsFolder", Since: 22, Rewrite: forDuplicateArgs},
				rewrite.Pattern{Name: "SimplifyTrivialLoops", Since: 22, Rewrite: endlessLoop},
			),
			exec.Executable.Model(executeFor),
			interfaces.ConditionallySpeculatable.Model(func(op *ir.Op) interfaces.Speculatability {
				// A step of 1 can't be 0 or run past the end of the type's range.
				if n, ok := ir.ConstantInt(ForOp{op}.Step()); ok && n == 1 {
					return interfaces.RecursivelySpeculatable
				}
				return interfaces.NotSpeculatable
			}),
		},
		Verify:        verifyFor,
		VerifyRegions: verifyForRegions,
	}
}

// ForOp is a scf.for.
type ForOp struct{ *ir.Op }

// LowerBound returns the first value of the induction variable.
func (o ForOp) LowerBound() *ir.Value { return o.Operand(0) }

// UpperBound returns the value that the induction variable stays below.
func (o ForOp) UpperBound() *ir.Value { return o.Operand(1) }

// Step returns the difference between two iterations.
func (o ForOp) Step() *ir.Value { return o.Operand(2) }

// Unsigned tells whether the bounds are compared as unsigned numbers.
func (o ForOp) Unsigned() bool { return o.DiscardableAttr(unsignedAttr) != nil }

// TripCount returns the number of iterations if bounds and step are constants, and the loop ends.
func (o ForOp) TripCount() (int64, bool) {
	lower, ok1 := ir.ConstantInt(o.LowerBound())
	upper, ok2 := ir.ConstantInt(o.UpperBound())
	step, ok3 := ir.ConstantInt(o.Step())
	if !ok1 || !ok2 || !ok3 || step <= 0 {
		return 0, false
	}
	length := o.distance(lower, upper)
	if length == 0 {
		return 0, true
	}
	// An unsigned number holds any distance, and so any count.
	n := (length-1)/uint64(step) + 1
	return int64(n), n <= math.MaxInt64
}

// Inits returns the initial values of the iteration arguments.
func (o ForOp) Inits() ir.Operands { return o.Operands()[forInits:] }

// Body returns the block of the loop.
func (o ForOp) Body() *ir.Block { return o.BodyBlock(0) }

// InductionVar returns the block argument that counts.
func (o ForOp) InductionVar() *ir.Value { return o.Body().Arg(0) }

// IterArgs returns the block arguments that carry values.
func (o ForOp) IterArgs() []*ir.Value {
	if o.Body().NumArgs() == 0 {
		return nil // malformed
	}
	return o.Body().Args()[1:]
}

// Yield returns the terminator of the body.
func (o ForOp) Yield() *ir.Op { return yieldOf(o.Body()) }

// NewFor creates a loop. body builds the body of an iteration and returns the
// values that it yields; it may be nil if there are no inits.
func NewFor(b *ir.Builder, lower, upper, step *ir.Value, inits []*ir.Value, body func(b *ir.Builder, iv *ir.Value, args []*ir.Value) []*ir.Value) ForOp {
	o := newEmptyFor(b, lower, upper, step, inits)
	b.SetEnd(o.Body())
	var values []*ir.Value
	if body != nil {
		values = body(b, o.InductionVar(), o.IterArgs())
	}
	NewYield(b, values...)
	b.SetAfter(o.Op)
	return o
}

// newEmptyFor creates a loop whose body has only arguments.
func newEmptyFor(b *ir.Builder, lower, upper, step *ir.Value, inits []*ir.Value) ForOp {
	s := b.State(For)
	s.Operands = append([]*ir.Value{lower, upper, step}, inits...)
	s.Types = ir.TypesOf(inits)
	blk := s.AddRegion().AddBlock(lower.Type())
	for _, v := range inits {
		blk.AddArg(v.Type(), v.Loc())
	}
	return ForOp{b.Create(s)}
}

type forFlow struct{}

func (forFlow) Successors(op *ir.Op, _ interfaces.RegionPoint) []interfaces.RegionSuccessor {
	return []interfaces.RegionSuccessor{{Region: op.RegionAt(0), Inputs: ForOp{op}.IterArgs()}, toParent(op)}
}

func (forFlow) EntryOperands(op *ir.Op, _ interfaces.RegionPoint) (start, n int) {
	return after(op, forInits)
}

type forLoop struct{}

func (forLoop) Regions(op *ir.Op) []*ir.Region { return op.Regions() }
func (forLoop) Inits(op *ir.Op) (start, n int) { return after(op, forInits) }
func (forLoop) IterArgs(op *ir.Op) []*ir.Value { return ForOp{op}.IterArgs() }
func (forLoop) Yielded(op *ir.Op) ir.Operands  { return ForOp{op}.Yield().Operands() }
func (forLoop) Results(op *ir.Op) ir.Results   { return op.Results() }

func (forLoop) AddInits(b *ir.Builder, op *ir.Op, inits []*ir.Value, yield func(*ir.Builder, []*ir.Value) []*ir.Value) *ir.Op {
	o := ForOp{op}
	b.SetBefore(op)
	n := newEmptyFor(b, o.LowerBound(), o.UpperBound(), o.Step(), append(o.Inits().Values(), inits...))
	return interfaces.ReplaceLoop(b, op, n.Op, yield)
}

func verifyFor(op *ir.Op) error {
	if op.NumResults() != len(ForOp{op}.Inits()) {
		return op.Errorf("mismatch in number of loop-carried values and defined values")
	}
	return nil
}

func verifyForRegions(op *ir.Op) error {
	o := ForOp{op}
	body := o.Body()
	if body.NumArgs() == 0 {
		return op.Errorf("different number of inits and region iter_args: %d != %d", len(o.Inits()), uint64(math.MaxUint64))
	}
	if body.Arg(0).Type() != o.LowerBound().Type() {
		return op.Errorf("expected induction variable to be same type as bounds and step")
	}
	return nil
}

func parseFor(p *asm.Parser, s *ir.OpState) error {
	if p.OptionalKeyword(unsignedWord) {
		s.SetAttr(unsignedAttr, ir.Unit)
		p.Later(unsignedSince, unsignedWord)
	}
	iv, err := p.Argument(false, false)
	if err != nil {
		return err
	}
	if err := p.Expect("="); err != nil {
		return err
	}
	var bounds [3]asm.Unresolved
	for i, word := range []string{"", "to", "step"} {
		if word != "" {
			if err := p.Keyword(word); err != nil {
				return err
			}
		}
		if bounds[i], err = p.Operand(); err != nil {
			return err
		}
	}
	args := []asm.Argument{iv}
	var inits []asm.Unresolved
	if p.OptionalKeyword("iter_args") {
		carried, values, err := p.Assignments()
		if err != nil {
			return err
		}
		args, inits = append(args, carried...), values
		if s.Types, err = p.ArrowTypes(); err != nil {
			return err
		}
	}
	if len(args) != len(s.Types)+1 {
		return p.Errorf(p.NamePos(), "mismatch in number of loop-carried values and defined values")
	}
	var t ir.Type = ir.Index
	if p.Optional(":") {
		if t, err = p.Type(); err != nil {
			return err
		}
	}
	args[0].Type = t
	if err := p.ResolveInto(s, t, bounds[:]...); err != nil {
		return err
	}
	for i, v := range inits {
		args[i+1].Type = s.Types[i]
		if err := p.ResolveInto(s, s.Types[i], v); err != nil {
			return err
		}
	}
	if err := p.TerminatedRegion(s, args); err != nil {
		return err
	}
	return p.OptionalAttrDict(s)
}

// printAssignments writes prefix(%a = %x, ...), and nothing if there are none.
func printAssignments(p *asm.Printer, prefix string, args []*ir.Value, values ir.Operands) {
	if len(values) == 0 {
		return
	}
	p.Text(prefix)
	p.Assignments(args, values.Values())
}

func printFor(p *asm.Printer, op *ir.Op) {
	o := ForOp{op}
	var spelled []string
	if o.Unsigned() && p.Version() >= unsignedSince {
		p.Text(" " + unsignedWord)
		spelled = append(spelled, unsignedAttr)
	}
	p.Text(" ")
	p.Operand(o.InductionVar())
	p.Text(" = ")
	p.Operand(o.LowerBound())
	p.Text(" to ")
	p.Operand(o.UpperBound())
	p.Text(" step ")
	p.Operand(o.Step())
	printAssignments(p, " iter_args", o.IterArgs(), o.Inits())
	carried := len(o.Inits()) > 0
	if carried {
		p.Text(" -> (")
		p.Types(o.Inits().Types())
		p.Text(")")
	}
	p.Text(" ")
	if t := o.InductionVar().Type(); t != ir.Type(ir.Index) {
		p.Text(" : ")
		p.Type(t)
		p.Text(" ")
	}
	p.Region(op.RegionAt(0), false, carried, false)
	p.OptionalAttrDict(op.DiscardableAttrs(), spelled...)
}
