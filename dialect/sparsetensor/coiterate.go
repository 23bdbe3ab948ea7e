package sparsetensor

import (
	"math/bits"

	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

// CoIterate goes through several spaces at once: at each position, the first of its regions is executed whose spaces all have an
// element there. LLVM 20 added it.
var CoIterate = ir.NewOpID("sparse_tensor.coiterate")

const casesAttr = "cases"

func coIterateDef() *ir.OpDef {
	return &ir.OpDef{ID: CoIterate, Since: 20, Traits: ir.TraitAttrSizedOperandSegments | ir.TraitSingleBlock | ir.TraitRecursiveMemoryEffects,
		ImplicitTerminator: Yield,
		Operands:           []ir.OperandDef{ir.VariadicOperand("iterSpaces", iterSpace), ir.VariadicOperand("initArgs", constraint.AnyType)},
		Attrs: []ir.AttrDef{attr(usedLevels, levelSetAttr), attr(casesAttr, constraint.I64ArrayAttr),
			{Name: ir.OperandSegmentsAttr, Type: constraint.Segments, Derived: true}},
		Results:       []ir.ResultDef{ir.VariadicResult("results", constraint.AnyType)},
		Regions:       []ir.RegionDef{{Name: "caseRegions", Variadic: true, Sized: 1}},
		Models:        []ir.Model{asm.Assembly.Model(asm.OpAssembly{Parse: parseCoIterate, Print: printCoIterate})},
		Verify:        verifyCoIterate,
		VerifyRegions: verifyCoIterateRegions,
	}
}

// coIterateOp is a sparse_tensor.coiterate. The arguments of each region are what is carried, the coordinates that are used, and the
// iterators of the spaces that the case is about.
type coIterateOp struct{ *ir.Op }

func (o coIterateOp) spaces() ir.Operands { return o.OperandGroup(0) }
func (o coIterateOp) inits() ir.Operands  { return o.OperandGroup(1) }

// used is the set of levels whose coordinates are arguments.
func (o coIterateOp) used() uint64 {
	n, _ := intAttr(o.Op, usedLevels)
	return uint64(n)
}

// cases are sets of spaces, one for each region.
func (o coIterateOp) cases() []uint64 {
	list, _ := o.Attr(casesAttr).(*ir.ArrayAttr)
	if list == nil {
		return nil
	}
	out := make([]uint64, len(list.Elems))
	for i, e := range list.Elems {
		if n, ok := e.(*ir.IntegerAttr); ok {
			out[i] = uint64(n.Value)
		}
	}
	return out
}

// rank is how many levels the spaces have.
func (o coIterateOp) rank() int64 {
	space, _ := levelRangeOf(o.spaces().At(0).Type(), spaceMnemonic)
	return space.rank()
}

func verifyCoIterate(op *ir.Op) error {
	o := coIterateOp{op}
	n := len(o.spaces())
	switch {
	case n == 0:
		return op.Errorf("expected at least one iteration space")
	case n > maxLevels:
		return op.Errorf("has more than %d iteration spaces", maxLevels)
	case len(o.inits()) != op.NumResults():
		return op.Errorf("mismatch in number of loop-carried values and defined values")
	case len(o.cases()) != op.NumRegions():
		return op.Errorf("expected a case for each region")
	}
	if o.used() != 0 && (o.rank() > maxLevels || int64(bits.Len64(o.used())) > o.rank()) {
		return op.Errorf("required out-of-bound coordinates")
	}
	for _, c := range o.cases() {
		if bits.Len64(c) > n {
			return op.Errorf("expected cases of its %d iteration spaces", n)
		}
	}
	for i, v := range o.inits().Values() {
		if v.Type() != op.Result(i).Type() {
			return op.Errorf("types mismatch between %dth iter operand and defined value", i)
		}
	}
	return nil
}

func verifyCoIterateRegions(op *ir.Op) error {
	o := coIterateOp{op}
	for i, c := range o.cases() {
		want := append(o.inits().Types(), o.further(c)...)
		body := op.BodyBlock(i)
		if body.NumArgs() != len(want) {
			return op.Errorf("expected %d arguments of region #%d, not %d", len(want), i, body.NumArgs())
		}
		for j, t := range want {
			if got := body.Arg(j).Type(); got != t {
				return op.Errorf("expected '%s' for argument #%d of region #%d, not '%s'", t, j, i, got)
			}
		}
		y := body.Last()
		if y.NumOperands() != op.NumResults() {
			return op.Errorf("number mismatch between iter args and results.")
		}
		for j, v := range y.Operands().Values() {
			if v.Type() != op.Result(j).Type() {
				return op.Errorf("types mismatch between %dth yield value and defined value", j)
			}
		}
	}
	return nil
}

// further returns the types of a region's arguments behind those that are carried, for a set of spaces.
func (o coIterateOp) further(spaces uint64) []ir.Type {
	var out []ir.Type
	for range bits.OnesCount64(o.used()) {
		out = append(out, ir.Index)
	}
	for i, v := range o.spaces().Values() {
		if spaces&(1<<i) != 0 {
			space, _ := levelRangeOf(v.Type(), spaceMnemonic)
			out = append(out, space.iterator(o.Context()))
		}
	}
	return out
}

// parseCoIterate reads
//
//	(%space1, %space2) at(%crd, _) iter_args(%a = %x) : (!sparse_tensor.iter_space<...>, ...) -> f32
//	case %it1, _ {...}
//	case %it1, %it2 {...}
func parseCoIterate(p *asm.Parser, s *ir.OpState) error {
	c := p.Context()
	spaces, err := p.Operands(asm.Paren)
	if err != nil {
		return err
	}
	if len(spaces) == 0 || len(spaces) > maxLevels {
		return p.Errorf(p.NamePos(), "expected at least one iteration space, and at most %d", maxLevels)
	}
	var coordinates []asm.Argument
	var used uint64
	if p.OptionalKeyword("at") {
		if coordinates, used, _, err = parsePlaces(p, asm.Paren, maxLevels); err != nil {
			return also(err, p.Errorf(p.NamePos(), `expecting SSA value or "_" for level coordinates`))
		}
		for i := range coordinates {
			coordinates[i].Type = ir.Index
		}
	}
	s.SetAttr(usedLevels, c.I64Attr(int64(used)))
	var carried []asm.Argument
	var inits []asm.Unresolved
	carries := p.OptionalKeyword("iter_args")
	if carries {
		if carried, inits, err = p.Assignments(); err != nil {
			return err
		}
	}
	if err := p.Expect(":"); err != nil {
		return err
	}
	var types []ir.Type
	if err := p.List(asm.Paren, func() error {
		t, err := p.Type()
		types = append(types, t)
		return err
	}); err != nil {
		return err
	}
	if len(types) != len(spaces) {
		return p.Errorf(p.NamePos(), "mismatch in number of iteration space operands and iteration space types")
	}
	if carries {
		if s.Types, err = p.ArrowTypes(); err != nil {
			return err
		}
	}
	iterators := make([]ir.Type, len(types))
	for i, t := range types {
		space, ok := levelRangeOf(t, spaceMnemonic)
		if !ok {
			return p.Errorf(p.NamePos(), "expected sparse_tensor.iter_space type for iteration space operands")
		}
		iterators[i] = space.iterator(c)
		if err := p.ResolveInto(s, t, spaces[i]); err != nil {
			return err
		}
	}
	if len(inits) != len(s.Types) {
		return p.Errorf(p.NamePos(), "mismatch in number of iteration arguments and return values")
	}
	for i, v := range inits {
		carried[i].Type = s.Types[i]
		if err := p.ResolveInto(s, s.Types[i], v); err != nil {
			return err
		}
	}
	p.AddAttr(s, ir.OperandSegmentsAttr, c.DenseI32Array(int32(len(spaces)), int32(len(inits))))
	var cases []ir.Attribute
	for p.OptionalKeyword("case") {
		args, set, n, err := parsePlaces(p, asm.NoDelimiter, len(spaces))
		if err != nil {
			return err
		}
		if n != len(spaces) {
			return p.Errorf(p.NamePos(), "mismatch in number of iteration spaces and iterators")
		}
		next := 0
		for i, t := range iterators {
			if set&(1<<i) != 0 {
				args[next].Type = t
				next++
			}
		}
		all := append(append(append([]asm.Argument(nil), carried...), coordinates...), args...)
		if err := p.TerminatedRegion(s, all); err != nil {
			return err
		}
		cases = append(cases, c.I64Attr(int64(set)))
	}
	s.SetAttr(casesAttr, c.ArrayAttr(cases...))
	return p.OptionalAttrDict(s)
}

// parsePlaces reads a list of names and _, of which there are at most some: the names, their places, and how many of both there are.
func parsePlaces(p *asm.Parser, d asm.Delimiter, most int) (args []asm.Argument, set uint64, n int, err error) {
	err = p.List(d, func() error {
		if n >= most {
			return p.Errorf(p.NamePos(), "has more than %d places", most)
		}
		if !p.OptionalKeyword("_") {
			a, err := p.Argument(false, false)
			if err != nil {
				return err
			}
			args = append(args, a)
			set |= 1 << n
		}
		n++
		return nil
	})
	return args, set, n, err
}

func printCoIterate(p *asm.Printer, op *ir.Op) {
	o := coIterateOp{op}
	inits, used := o.inits(), o.used()
	var named []*ir.Value // arguments that all regions have; those of the first one name them
	if op.NumRegions() > 0 {
		named = op.BodyBlock(0).Args()[:len(inits)+bits.OnesCount64(used)]
	}
	p.Text(" (")
	for i, v := range o.spaces().Values() {
		if i > 0 {
			p.Text(", ")
		}
		p.Operand(v)
	}
	p.Text(")")
	if used != 0 && named != nil {
		p.Text(" at(")
		printPlaces(p, used, int(o.rank()), named[len(inits):])
		p.Text(")")
	}
	if len(inits) > 0 && named != nil {
		p.Text(" iter_args")
		p.Assignments(named[:len(inits)], inits.Values())
	}
	p.Text(" : (")
	p.Types(o.spaces().Types())
	p.Text(")")
	if op.NumResults() > 0 {
		p.ArrowTypes(op.Results().Types())
	}
	for i, c := range o.cases() {
		args := op.BodyBlock(i).Args()
		if i > 0 {
			p.ShadowNames(op.RegionAt(i), named)
		}
		p.Newline()
		p.Text("case ")
		printPlaces(p, c, len(o.spaces()), args[len(named):])
		p.Text(" ")
		p.Region(op.RegionAt(i), false, len(inits) > 0, false)
	}
	p.OptionalAttrDict(op.DiscardableAttrs())
}

// printPlaces writes a list of n names and _: names where the set says so.
func printPlaces(p *asm.Printer, set uint64, n int, names []*ir.Value) {
	for i := range n {
		if i > 0 {
			p.Text(", ")
		}
		if set&(1<<i) == 0 {
			p.Text("_")
			continue
		}
		p.Operand(names[0])
		names = names[1:]
	}
}
