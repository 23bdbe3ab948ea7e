package affine

import (
	"math"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// Names of the attributes of a loop.
const (
	LowerBoundMap = "lowerBoundMap"
	UpperBoundMap = "upperBoundMap"
	StepAttr      = "step"
)

const (
	forLower = iota
	forUpper
	forInits
)

// For runs its region for each number from the maximum of the results of an affine
// map, by a step, below the minimum of the results of another one.
var For = ir.NewOpID("affine.for")

func forDef() *ir.OpDef {
	return &ir.OpDef{
		ID: For,
		Operands: []ir.OperandDef{indices("lowerBoundOperands"), indices("upperBoundOperands"),
			{Name: "inits", Type: constraint.AnyType, Arity: ir.Variadic}},
		Results: anyResults,
		Attrs: []ir.AttrDef{{Name: LowerBoundMap, Type: constraint.AffineMapAttr}, {Name: UpperBoundMap, Type: constraint.AffineMapAttr},
			{Name: StepAttr, Type: constraint.IndexAttr}, segments},
		Regions: []ir.RegionDef{{Name: "region", Sized: 1}},
		Traits: ir.TraitAttrSizedOperandSegments | ir.TraitAutomaticAllocationScope | ir.TraitSingleBlock |
			ir.TraitRecursiveMemoryEffects,
		ImplicitTerminator: Yield,
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parseFor, Print: printFor}),
			interfaces.LoopLike.Model(forLoop{}),
			rewrite.Patterns(rewrite.Pattern{Name: "AffineForEmptyLoopFolder", Rewrite: emptyLoop}),
			exec.Executable.Model(executeFor),
			interfaces.RegionBranch.Model(forFlow{}),
			interfaces.TripCount.Model(func(op *ir.Op) (int64, bool) { return ForOp{op}.TripCount() }),
			interfaces.CounterLimits.Model(func(_ *ir.Op, arg *ir.Value) (lowest, highest int64, ok bool) {
				l := counterLimits(arg)
				return l.lo, l.hi, l.hasLo && l.hasHi
			}),
			interfaces.ConditionallySpeculatable.Model(func(op *ir.Op) interfaces.Speculatability {
				// As for scf.for: a larger step may run past the end of the range of index.
				if (ForOp{op}).Step() == 1 {
					return interfaces.RecursivelySpeculatable
				}
				return interfaces.NotSpeculatable
			}),
		},
		Earlier: []ir.Spelling{{Until: 16,
			Renamed: map[string]string{"lower_bound": LowerBoundMap, "upper_bound": UpperBoundMap},
			Upgrade: countBoundOperands,
		}},
		Fold:          foldFor,
		Verify:        verifyStep,
		VerifyRegions: verifyFor,
	}
}

// countBoundOperands sets the sizes of the groups of operands, which were once known from
// the maps alone.
func countBoundOperands(b *ir.Builder, s *ir.OpState) error {
	lower, ok1 := s.Attr(LowerBoundMap).(*ir.AffineMapAttr)
	upper, ok2 := s.Attr(UpperBoundMap).(*ir.AffineMapAttr)
	if s.Attr(ir.OperandSegmentsAttr) != nil || !ok1 || !ok2 {
		return nil
	}
	l, u := lower.Map.Dims+lower.Map.Syms, upper.Map.Dims+upper.Map.Syms
	if inits := len(s.Operands) - l - u; inits >= 0 {
		s.SetAttr(ir.OperandSegmentsAttr, b.Context().Segments(l, u, inits))
	}
	return nil
}

// negativeStep is what is said about a step that can't be printed.
const negativeStep = "expected step to be representable as a positive signed integer"

func verifyStep(op *ir.Op) error {
	if (ForOp{op}).Step() < 0 {
		return op.Errorf("%s", negativeStep)
	}
	return nil
}

// ForOp is an affine.for.
type ForOp struct{ *ir.Op }

// LowerMap returns the map whose largest result is the lower bound.
func (o ForOp) LowerMap() *ir.AffineMap { return mapOf(o.Op, LowerBoundMap) }

// UpperMap returns the map whose smallest result is the upper bound.
func (o ForOp) UpperMap() *ir.AffineMap { return mapOf(o.Op, UpperBoundMap) }

// LowerOperands returns the operands of the lower bound.
func (o ForOp) LowerOperands() ir.Operands { return o.OperandGroup(forLower) }

// UpperOperands returns the operands of the upper bound.
func (o ForOp) UpperOperands() ir.Operands { return o.OperandGroup(forUpper) }

// Inits returns the initial values of the iteration arguments.
func (o ForOp) Inits() ir.Operands { return o.OperandGroup(forInits) }

// Step returns the difference between two iterations.
func (o ForOp) Step() int64 { return o.Attr(StepAttr).(*ir.IntegerAttr).Value }

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
func (o ForOp) Yield() *ir.Op { return o.Body().Last() }

// SetLower replaces the lower bound.
func (o ForOp) SetLower(m *ir.AffineMap, operands []*ir.Value) {
	o.SetAttr(LowerBoundMap, o.Context().AffineMapAttr(m))
	o.SetOperandGroup(forLower, operands)
}

// SetUpper replaces the upper bound.
func (o ForOp) SetUpper(m *ir.AffineMap, operands []*ir.Value) {
	o.SetAttr(UpperBoundMap, o.Context().AffineMapAttr(m))
	o.SetOperandGroup(forUpper, operands)
}

// ConstantBounds returns the bounds if both are constants.
func (o ForOp) ConstantBounds() (lower, upper int64, ok bool) {
	l, u := o.LowerMap(), o.UpperMap()
	if len(l.Results) != 1 || len(u.Results) != 1 || l.Results[0].Kind != ir.AffineConst || u.Results[0].Kind != ir.AffineConst {
		return 0, 0, false
	}
	return l.Results[0].Value, u.Results[0].Value, true
}

// TripCount returns the number of iterations if the bounds are constants, and the loop
// ends.
func (o ForOp) TripCount() (int64, bool) {
	l, u, ok := o.ConstantBounds()
	if !ok {
		return 0, false
	}
	if u <= l {
		return 0, true
	}
	if o.Step() == 0 {
		return 0, false // it never ends
	}
	// An unsigned number holds any distance, and so any count.
	n := (uint64(u-l)-1)/uint64(o.Step()) + 1
	return int64(n), n <= math.MaxInt64
}

// NewFor creates a loop. body builds the body of an iteration and returns what it
// yields; it may be nil if there are no inits.
func NewFor(b *ir.Builder, lower *ir.AffineMap, lowerOperands []*ir.Value, upper *ir.AffineMap, upperOperands []*ir.Value, step int64,
	inits []*ir.Value, body func(b *ir.Builder, iv *ir.Value, args []*ir.Value) []*ir.Value) ForOp {
	o := newEmptyFor(b, lower, lowerOperands, upper, upperOperands, step, inits)
	b.SetEnd(o.Body())
	var values []*ir.Value
	if body != nil {
		values = body(b, o.InductionVar(), o.IterArgs())
	}
	NewYield(b, values...)
	b.SetAfter(o.Op)
	return o
}

func newEmptyFor(b *ir.Builder, lower *ir.AffineMap, lowerOperands []*ir.Value, upper *ir.AffineMap, upperOperands []*ir.Value, step int64, inits []*ir.Value) ForOp {
	c := b.Context()
	s := b.State(For)
	s.Operands = append(append(append(s.Operands, lowerOperands...), upperOperands...), inits...)
	s.Types = ir.TypesOf(inits)
	s.SetAttr(LowerBoundMap, c.AffineMapAttr(lower))
	s.SetAttr(UpperBoundMap, c.AffineMapAttr(upper))
	s.SetAttr(StepAttr, c.IndexAttr(step))
	s.SetAttr(ir.OperandSegmentsAttr, c.Segments(len(lowerOperands), len(upperOperands), len(inits)))
	blk := s.AddRegion().AddBlock(ir.Index)
	for _, v := range inits {
		blk.AddArg(v.Type(), v.Loc())
	}
	return ForOp{b.Create(s)}
}

type forFlow struct{}

func (forFlow) Successors(op *ir.Op, from interfaces.RegionPoint) []interfaces.RegionSuccessor {
	o := ForOp{op}
	body := interfaces.RegionSuccessor{Region: op.RegionAt(0), Inputs: o.IterArgs()}
	leave := interfaces.RegionSuccessor{Inputs: op.Results().Values()}
	if n, ok := o.TripCount(); ok {
		switch {
		case from == interfaces.ParentPoint && n > 0:
			return []interfaces.RegionSuccessor{body}
		case from == interfaces.ParentPoint:
			return []interfaces.RegionSuccessor{leave}
		case n == 1:
			return []interfaces.RegionSuccessor{leave}
		}
	}
	return []interfaces.RegionSuccessor{body, leave}
}

func (forFlow) EntryOperands(op *ir.Op, _ interfaces.RegionPoint) (start, n int) {
	return op.OperandGroupRange(forInits)
}

type forLoop struct{}

func (forLoop) Regions(op *ir.Op) []*ir.Region { return op.Regions() }
func (forLoop) Inits(op *ir.Op) (start, n int) { return op.OperandGroupRange(forInits) }
func (forLoop) IterArgs(op *ir.Op) []*ir.Value { return ForOp{op}.IterArgs() }
func (forLoop) Yielded(op *ir.Op) ir.Operands  { return ForOp{op}.Yield().Operands() }
func (forLoop) Results(op *ir.Op) ir.Results   { return op.Results() }

func (forLoop) AddInits(b *ir.Builder, op *ir.Op, inits []*ir.Value, yield func(*ir.Builder, []*ir.Value) []*ir.Value) *ir.Op {
	o := ForOp{op}
	b.SetBefore(op)
	n := newEmptyFor(b, o.LowerMap(), o.LowerOperands().Values(), o.UpperMap(), o.UpperOperands().Values(), o.Step(),
		append(o.Inits().Values(), inits...))
	return interfaces.ReplaceLoop(b, op, n.Op, yield)
}

func verifyFor(op *ir.Op) error {
	o := ForOp{op}
	body := o.Body()
	if body.NumArgs() == 0 || body.Arg(0).Type() != ir.Type(ir.Index) {
		return op.Errorf("expected body to have a single index argument for the induction variable")
	}
	if l := o.LowerMap(); l.Dims+l.Syms > 0 || len(o.LowerOperands()) > 0 {
		if err := verifyBound(op, l, o.LowerOperands()); err != nil {
			return err
		}
	}
	if u := o.UpperMap(); u.Dims+u.Syms > 0 || len(o.UpperOperands()) > 0 {
		if err := verifyBound(op, u, o.UpperOperands()); err != nil {
			return err
		}
	}
	if len(o.LowerMap().Results) < 1 {
		return op.Errorf("expected lower bound map to have at least one result")
	}
	if len(o.UpperMap().Results) < 1 {
		return op.Errorf("expected upper bound map to have at least one result")
	}
	n := op.NumResults()
	if len(o.Inits()) != n {
		return op.Errorf("mismatch between the number of loop-carried values and results")
	}
	if len(o.IterArgs()) != n {
		return op.Errorf("mismatch between the number of basic block args and results")
	}
	return nil
}

func verifyBound(op *ir.Op, m *ir.AffineMap, operands ir.Operands) error {
	if m.Dims+m.Syms != len(operands) {
		return op.Errorf("operand count and affine map dimension and symbol count must match")
	}
	return verifyDimsAndSymbols(op, operands, m.Dims)
}

// parseBound reads a bound: a number, an operand, or a map with operands, with a
// prefix where there are several results.
func parseBound(p *asm.Parser, s *ir.OpState, attr string) (operands int, err error) {
	c := p.Context()
	prefix, lower := "min", "upper"
	if attr == LowerBoundMap {
		prefix, lower = "max", "lower"
	}
	several := p.OptionalKeyword(prefix)
	v, ok, err := p.OptionalOperand()
	if err != nil {
		return 0, err
	}
	if ok {
		s.SetAttr(attr, c.AffineMapAttr(c.AffineMap(0, 1, c.AffineSymbol(0))))
		return 1, p.ResolveInto(s, ir.Index, v)
	}
	pos := p.Pos()
	a, err := p.Attr(ir.Index)
	if err != nil {
		return 0, err
	}
	switch a := a.(type) {
	case *ir.AffineMapAttr:
		s.SetAttr(attr, a)
		dims, syms, err := parseDimsAndSymbols(p, s)
		if err != nil {
			return 0, err
		}
		if dims != a.Map.Dims {
			return 0, p.Errorf(p.NamePos(), "dim operand count and affine map dim count must match")
		}
		if syms != a.Map.Syms {
			return 0, p.Errorf(p.NamePos(), "symbol operand count and affine map symbol count must match")
		}
		if len(a.Map.Results) > 1 && !several {
			return 0, p.Errorf(pos, "%s loop bound affine map with multiple results requires '%s' prefix", lower, prefix)
		}
		return dims + syms, nil
	case *ir.IntegerAttr:
		s.SetAttr(attr, c.AffineMapAttr(c.ConstantMap(a.Value)))
		return 0, nil
	}
	return 0, p.Errorf(pos, "expected valid affine map representation for loop bounds")
}

func printBound(p *asm.Printer, a *ir.AffineMapAttr, operands ir.Operands, prefix string) {
	m := a.Map
	if len(m.Results) == 1 {
		e := m.Results[0]
		if m.Dims == 0 && m.Syms == 0 && e.Kind == ir.AffineConst {
			p.Int(e.Value)
			return
		}
		if m.Dims == 0 && m.Syms == 1 && e.Kind == ir.AffineSymbol {
			p.Operand(operands.At(0))
			return
		}
	} else {
		p.Text(prefix)
		p.Text(" ")
	}
	p.Attr(a)
	printDimsAndSymbols(p, operands, m.Dims)
}

func parseFor(p *asm.Parser, s *ir.OpState) error {
	c := p.Context()
	iv, err := p.Argument(false, false)
	if err != nil {
		return err
	}
	iv.Type = ir.Index
	if err := p.Expect("="); err != nil {
		return err
	}
	lower, err := parseBound(p, s, LowerBoundMap)
	if err != nil {
		return err
	}
	if !p.OptionalKeyword("to") {
		return p.Errorf(p.Pos(), "expected 'to' between bounds")
	}
	upper, err := parseBound(p, s, UpperBoundMap)
	if err != nil {
		return err
	}
	s.SetAttr(StepAttr, c.IndexAttr(1))
	if p.OptionalKeyword("step") {
		pos := p.Pos()
		a, err := p.AttrInto(s, StepAttr, ir.Index)
		if err != nil {
			return err
		}
		if i, ok := a.(*ir.IntegerAttr); !ok || i.Value < 0 {
			return p.Errorf(pos, "%s", negativeStep)
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
		for i := range min(len(inits), len(s.Types)) {
			args[i+1].Type = s.Types[i]
			if err := p.ResolveInto(s, s.Types[i], inits[i]); err != nil {
				return err
			}
		}
	}
	if len(args) != len(s.Types)+1 {
		return p.Errorf(p.NamePos(), "mismatch between the number of loop-carried values and results")
	}
	s.SetAttr(ir.OperandSegmentsAttr, c.Segments(lower, upper, len(inits)))
	if err := p.TerminatedRegion(s, args); err != nil {
		return err
	}
	return p.OptionalAttrDict(s)
}

func printFor(p *asm.Printer, op *ir.Op) {
	o := ForOp{op}
	p.Text(" ")
	p.Argument(o.InductionVar(), nil, true)
	p.Text(" = ")
	printBound(p, op.Attr(LowerBoundMap).(*ir.AffineMapAttr), o.LowerOperands(), "max")
	p.Text(" to ")
	printBound(p, op.Attr(UpperBoundMap).(*ir.AffineMapAttr), o.UpperOperands(), "min")
	if o.Step() != 1 {
		p.Text(" step ")
		p.Int(o.Step())
	}
	carried := len(o.Inits()) > 0
	if carried {
		p.Text(" iter_args")
		p.Assignments(o.IterArgs(), o.Inits().Values())
		p.Text(" -> (")
		p.Types(o.Inits().Types())
		p.Text(")")
	}
	p.Text(" ")
	p.Region(op.RegionAt(0), false, carried, false)
	p.OptionalAttrDict(op.DiscardableAttrs())
}
