package affine

import (
	"freehold/dialect/memref"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Names of the attributes of a parallel loop.
const (
	ReductionsAttr    = "reductions"
	LowerBoundsMap    = "lowerBoundsMap"
	LowerBoundsGroups = "lowerBoundsGroups"
	UpperBoundsMap    = "upperBoundsMap"
	UpperBoundsGroups = "upperBoundsGroups"
	StepsAttr         = "steps"
)

var (
	reductionArray = constraint.ArrayOf("Reduction ops", memref.AtomicRMWKindAttr.Match)
	groupElements  = constraint.Elements("32-bit signless integer elements attribute",
		func(t ir.Type) bool { return ir.ElementType(t) == ir.Type(ir.I32) })
)

// Parallel runs its region for each point of a space, in any order or at the same
// time. The bounds of a dimension are the maximum and the minimum of a group of
// results of two maps.
var Parallel = ir.NewOpID("affine.parallel")

func parallelDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Parallel,
		Operands: []ir.OperandDef{indices("mapOperands")},
		Results:  anyResults,
		Later:    memref.LaterAtomicRMWKinds(ReductionsAttr),
		Attrs: []ir.AttrDef{{Name: ReductionsAttr, Type: reductionArray},
			{Name: LowerBoundsMap, Type: constraint.AffineMapAttr}, {Name: LowerBoundsGroups, Type: groupElements},
			{Name: UpperBoundsMap, Type: constraint.AffineMapAttr}, {Name: UpperBoundsGroups, Type: groupElements},
			{Name: StepsAttr, Type: constraint.I64ArrayAttr}},
		Regions: []ir.RegionDef{{Name: "region", Sized: 1}},
		Traits: ir.TraitAutomaticAllocationScope | ir.TraitSingleBlock | ir.TraitRecursivelySpeculatable |
			ir.TraitRecursiveMemoryEffects | ir.TraitParallelRegion,
		ImplicitTerminator: Yield,
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parseParallel, Print: printParallel}),
			interfaces.LoopLike.Model(parallelLoop{}),
			exec.Executable.Model(executeParallel),
		},
		Fold:   foldParallel,
		Verify: verifyParallel,
	}
}

// ParallelOp is an affine.parallel.
type ParallelOp struct{ *ir.Op }

// LowerMap returns the map of all lower bounds.
func (o ParallelOp) LowerMap() *ir.AffineMap { return mapOf(o.Op, LowerBoundsMap) }

// UpperMap returns the map of all upper bounds.
func (o ParallelOp) UpperMap() *ir.AffineMap { return mapOf(o.Op, UpperBoundsMap) }

// numGroups returns how many numbers an attribute has.
func (o ParallelOp) numGroups(attr string) int64 {
	if d, ok := o.Attr(attr).(*ir.DenseElementsAttr); ok {
		return d.Len()
	}
	return 0
}

func (o ParallelOp) groups(attr string) []int64 {
	d, _ := o.Attr(attr).(*ir.DenseElementsAttr)
	if d == nil {
		return nil
	}
	out := make([]int64, d.Len())
	for i := range out {
		out[i] = d.Elem(o.Context(), int64(i)).(*ir.IntegerAttr).Value
	}
	return out
}

// LowerGroups returns for each dimension the number of results of the lower map.
func (o ParallelOp) LowerGroups() []int64 { return o.groups(LowerBoundsGroups) }

// UpperGroups returns for each dimension the number of results of the upper map.
func (o ParallelOp) UpperGroups() []int64 { return o.groups(UpperBoundsGroups) }

// LowerOperands returns the operands of the lower map.
func (o ParallelOp) LowerOperands() ir.Operands {
	m := o.LowerMap()
	return o.Operands()[:min(m.Dims+m.Syms, o.NumOperands())]
}

// UpperOperands returns the operands of the upper map.
func (o ParallelOp) UpperOperands() ir.Operands {
	return o.Operands()[len(o.LowerOperands()):]
}

// Steps returns the steps of the dimensions.
func (o ParallelOp) Steps() []int64 {
	l := o.Attr(StepsAttr).(*ir.ArrayAttr)
	out := make([]int64, len(l.Elems))
	for i, e := range l.Elems {
		out[i] = e.(*ir.IntegerAttr).Value
	}
	return out
}

// Reductions returns the kinds of the reductions that compute the results.
func (o ParallelOp) Reductions() []string {
	l := o.Attr(ReductionsAttr).(*ir.ArrayAttr)
	out := make([]string, len(l.Elems))
	for i, e := range l.Elems {
		out[i] = memref.AtomicRMWKind.Keyword(uint64(e.(*ir.IntegerAttr).Value))
	}
	return out
}

// Body returns the block of the loop.
func (o ParallelOp) Body() *ir.Block { return o.BodyBlock(0) }

type parallelLoop struct{}

func (parallelLoop) Regions(op *ir.Op) []*ir.Region { return op.Regions() }
func (parallelLoop) Inits(*ir.Op) (start, n int)    { return 0, 0 }
func (parallelLoop) IterArgs(*ir.Op) []*ir.Value    { return nil }
func (parallelLoop) Yielded(*ir.Op) ir.Operands     { return nil }
func (parallelLoop) Results(*ir.Op) ir.Results      { return nil }
func (parallelLoop) AddInits(*ir.Builder, *ir.Op, []*ir.Value, func(*ir.Builder, []*ir.Value) []*ir.Value) *ir.Op {
	return nil
}

func sum(list []int64) (n int64) {
	for _, x := range list {
		n += x
	}
	return n
}

func verifyParallel(op *ir.Op) error {
	o := ParallelOp{op}
	l, u, steps := o.LowerMap(), o.UpperMap(), o.Steps()
	n := o.Body().NumArgs()
	// A short text can stand for more groups than there is memory.
	lower, upper := o.numGroups(LowerBoundsGroups), o.numGroups(UpperBoundsGroups)
	if lower != int64(n) || upper != int64(n) || len(steps) != n {
		return op.Errorf("the number of region arguments (%d) and the number of map groups for lower (%d) and upper bound (%d), and the number of steps (%d) must all match",
			n, lower, upper, len(steps))
	}
	if sum(o.LowerGroups()) != int64(len(l.Results)) {
		return op.Errorf("expected lower bounds map to have %d results", sum(o.LowerGroups()))
	}
	if sum(o.UpperGroups()) != int64(len(u.Results)) {
		return op.Errorf("expected upper bounds map to have %d results", sum(o.UpperGroups()))
	}
	if l.Dims+l.Syms+u.Dims+u.Syms != op.NumOperands() {
		return op.Errorf("expected as many operands as the maps of the bounds have dimensions and symbols")
	}
	if len(o.Reductions()) != op.NumResults() {
		return op.Errorf("a reduction must be specified for each output")
	}
	for i, kind := range o.Reductions() {
		if !combines(kind, op.Result(i).Type()) {
			return op.Errorf("result type cannot match reduction attribute")
		}
	}
	if err := verifyDimsAndSymbols(op, o.LowerOperands(), l.Dims); err != nil {
		return err
	}
	return verifyDimsAndSymbols(op, o.UpperOperands(), u.Dims)
}

// combines tells whether values of a type can be combined as the kind of a reduction says.
func combines(kind string, t ir.Type) bool {
	n, isInt := t.(*ir.IntegerType)
	switch kind {
	case "assign":
		return true
	case "addf", "mulf", "maximumf", "minimumf":
		return ir.IsFloat(t)
	case "addi", "muli", "andi", "ori", "xori":
		return isInt
	case "maxs", "mins":
		return isInt && n.Signedness == ir.Signed
	case "maxu", "minu":
		return isInt && n.Signedness == ir.Unsigned
	}
	return false
}

// boundList collects the bounds of all dimensions in one map, in which each
// operand has one number.
type boundList struct {
	exprs      []*ir.AffineExpr
	groups     []int64
	dims, syms []asm.Unresolved
}

func (l *boundList) add(c *ir.Context, e *ir.AffineExpr, dims, syms []asm.Unresolved) {
	number := func(all *[]asm.Unresolved, vs []asm.Unresolved, expr func(int) *ir.AffineExpr) []*ir.AffineExpr {
		out := make([]*ir.AffineExpr, len(vs))
		for i, v := range vs {
			at := -1
			for j, w := range *all {
				if w.Name == v.Name && w.Number == v.Number {
					at = j
				}
			}
			if at < 0 {
				at = len(*all)
				*all = append(*all, v)
			}
			out[i] = expr(at)
		}
		return out
	}
	l.exprs = append(l.exprs, c.AffineReplace(e, number(&l.dims, dims, c.AffineDim), number(&l.syms, syms, c.AffineSymbol)))
}

func (l *boundList) parse(p *asm.Parser, s *ir.OpState, keyword string) error {
	c := p.Context()
	one := func() error {
		e, dims, syms, err := p.AffineExprOfSSAIds()
		if err != nil {
			return err
		}
		l.add(c, e, dims, syms)
		return nil
	}
	err := p.List(asm.Paren, func() error {
		before := len(l.exprs)
		var err error
		if p.OptionalKeyword(keyword) {
			err = p.List(asm.Paren, one)
		} else {
			err = one()
		}
		l.groups = append(l.groups, int64(len(l.exprs)-before))
		return err
	})
	if err != nil {
		return err
	}
	if err := p.ResolveInto(s, ir.Index, l.dims...); err != nil {
		return err
	}
	return p.ResolveInto(s, ir.Index, l.syms...)
}

func (l *boundList) set(c *ir.Context, s *ir.OpState, mapName, groupName string) {
	s.SetAttr(mapName, c.AffineMapAttr(c.AffineMap(len(l.dims), len(l.syms), l.exprs...)))
	var data []byte
	for _, g := range l.groups {
		data = ir.AppendElement(data, c.I32Attr(g))
	}
	s.SetAttr(groupName, c.DenseElements(c.RankedTensor([]int64{int64(len(l.groups))}, ir.I32), data))
}

func parseParallel(p *asm.Parser, s *ir.OpState) error {
	c := p.Context()
	args, err := p.Arguments(asm.Paren, false, false)
	if err != nil {
		return err
	}
	var lower, upper boundList
	if err := p.Expect("="); err != nil {
		return err
	}
	if err := lower.parse(p, s, "max"); err != nil {
		return err
	}
	if err := p.Keyword("to"); err != nil {
		return err
	}
	if err := upper.parse(p, s, "min"); err != nil {
		return err
	}
	lower.set(c, s, LowerBoundsMap, LowerBoundsGroups)
	upper.set(c, s, UpperBoundsMap, UpperBoundsGroups)
	steps := make([]ir.Attribute, len(args))
	for i := range steps {
		steps[i] = c.I64Attr(1)
	}
	if p.OptionalKeyword("step") {
		m, _, _, err := p.AffineMapOfSSAIds(asm.Paren)
		if err != nil {
			return err
		}
		steps = nil
		for _, e := range m.Results {
			if e.Kind != ir.AffineConst {
				return p.Errorf(p.NamePos(), "steps must be constant integers")
			}
			steps = append(steps, c.I64Attr(e.Value))
		}
	}
	s.SetAttr(StepsAttr, c.ArrayAttr(steps...))
	var reductions []ir.Attribute
	if p.OptionalKeyword("reduce") {
		err := p.List(asm.Paren, func() error {
			pos := p.Pos()
			k, err := asm.AttrOf[*ir.StringAttr](p, ir.None)
			if err != nil {
				return err
			}
			v, ok := memref.AtomicRMWKind.Parse(k.Value)
			if !ok {
				return p.Errorf(pos, "invalid reduction value: %q", k.Value)
			}
			reductions = append(reductions, c.EnumAttr(memref.AtomicRMWKind, v))
			return nil
		})
		if err != nil {
			return err
		}
	}
	s.SetAttr(ReductionsAttr, c.ArrayAttr(reductions...))
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
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	p.EnsureTerminator(s, r)
	return nil
}

func printBounds(p *asm.Printer, m *ir.AffineMap, groups []int64, operands ir.Operands, keyword string) {
	values := operands.Values()
	p.Text("(")
	start := 0
	for i, g := range groups {
		if i > 0 {
			p.Text(", ")
		}
		if g != 1 {
			p.Text(keyword)
			p.Text("(")
		}
		for j := range int(g) {
			if j > 0 {
				p.Text(", ")
			}
			p.AffineExprOfSSAIds(m.Results[start+j], m.Dims, values)
		}
		if g != 1 {
			p.Text(")")
		}
		start += int(g)
	}
	p.Text(")")
}

func printParallel(p *asm.Printer, op *ir.Op) {
	o := ParallelOp{op}
	p.Text(" (")
	p.Operands(o.Body().Args())
	p.Text(") = ")
	printBounds(p, o.LowerMap(), o.LowerGroups(), o.LowerOperands(), "max")
	p.Text(" to ")
	printBounds(p, o.UpperMap(), o.UpperGroups(), o.UpperOperands(), "min")
	steps, unit := o.Steps(), true
	for _, n := range steps {
		unit = unit && n == 1
	}
	if !unit {
		p.Text(" step (" + ir.JoinInts(steps) + ")")
	}
	if op.NumResults() > 0 {
		p.Text(" reduce (")
		for i, k := range o.Reductions() {
			if i > 0 {
				p.Text(", ")
			}
			p.Quoted(k)
		}
		p.Text(") -> (")
		p.Types(op.Results().Types())
		p.Text(")")
	}
	p.Text(" ")
	p.Region(op.RegionAt(0), false, op.NumResults() > 0, false)
	p.OptionalAttrDict(op.DiscardableAttrs())
}
