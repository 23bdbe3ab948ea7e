package stablehlo

import (
	"freehold/ir"
	"freehold/ir/asm"
)

// parseConstant reads a value after a dictionary of attributes; or (), the dictionary with the value, and the type.
func parseConstant(p *asm.Parser, s *ir.OpState) error {
	if p.Optional("(") {
		if err := p.Expect(")"); err != nil {
			return err
		}
		if err := p.OptionalAttrDict(s); err != nil {
			return err
		}
		if err := p.Expect(":"); err != nil {
			return err
		}
		f, err := p.FunctionType()
		if err == nil {
			s.Types = f.Results
		}
		return err
	}
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	pos := p.Pos()
	a, err := p.Attr(nil)
	if err != nil {
		return err
	}
	t := ir.TypeOfAttr(a)
	if t == nil || !constantValue.Match(a) {
		return p.Errorf(pos, "expected the elements of a tensor")
	}
	p.AddAttr(s, "value", a)
	s.Types = []ir.Type{t}
	return nil
}

func saysConstant(op *ir.Op) bool {
	return op.Result(0).Type() == ir.TypeOfAttr(op.Attr("value"))
}

func printConstant(p *asm.Printer, op *ir.Op) {
	p.OptionalAttrDict(op.DiscardableAttrs())
	p.Text(" ")
	p.Attr(op.Attr("value"))
}

// nameConstant names integers c and other constants cst.
func nameConstant(op *ir.Op, name func(*ir.Value, string)) {
	if ir.IsInteger(ir.ElementType(op.Result(0).Type())) {
		name(op.Result(0), "c")
	} else {
		name(op.Result(0), "cst")
	}
}

// parseReduce reads
//
//	(%input init: %init), ... across dimensions = [0] : type reducer(%a: type, %b: type) ... {...}
//
// or, with one operation that combines two elements, (%input init: %init) applies op across dimensions = [0] : type.
func parseReduce(p *asm.Parser, s *ir.OpState) error {
	inputs, inits, pos, err := parseInits(p)
	if err != nil {
		return err
	}
	var combine *ir.OpName
	if p.OptionalKeyword("applies") {
		if combine, err = p.OpName(); err != nil {
			return err
		}
	}
	if err := parseAcross(p, s); err != nil {
		return err
	}
	f, err := p.FunctionType()
	if err != nil {
		return err
	}
	values, err := p.ResolveAll(append(inputs, inits...), f.Inputs, pos)
	if err != nil {
		return err
	}
	s.Operands, s.Types = values, f.Results
	body := s.AddRegion()
	if combine != nil {
		return applied(p, s, body, combine, len(inputs), pos)
	}
	args, err := parseReducer(p, len(inputs))
	if err != nil {
		return err
	}
	return p.Region(body, args)
}

// parseInits reads pairs (%input init: %init).
func parseInits(p *asm.Parser) (inputs, inits []asm.Unresolved, pos asm.Pos, err error) {
	pos = p.Pos()
	for len(inputs) == 0 || p.Optional(",") {
		if err = p.Expect("("); err != nil {
			return
		}
		var u asm.Unresolved
		if u, err = p.Operand(); err != nil {
			return
		}
		inputs = append(inputs, u)
		if err = p.Keyword("init"); err != nil {
			return
		}
		if err = p.Expect(":"); err != nil {
			return
		}
		if u, err = p.Operand(); err != nil {
			return
		}
		inits = append(inits, u)
		if err = p.Expect(")"); err != nil {
			return
		}
	}
	return
}

// parseAcross reads across dimensions = [...], a dictionary and a colon.
func parseAcross(p *asm.Parser, s *ir.OpState) error {
	for _, word := range []string{"across", "dimensions"} {
		if err := p.Keyword(word); err != nil {
			return err
		}
	}
	if err := p.Expect("="); err != nil {
		return err
	}
	list, err := parseList(p)
	if err != nil {
		return err
	}
	s.SetAttr("dimensions", p.Context().DenseI64Array(list...))
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	return p.Expect(":")
}

// parseReducer reads the pairs of arguments of a reducer.
func parseReducer(p *asm.Parser, n int) ([]asm.Argument, error) {
	if err := p.Keyword("reducer"); err != nil {
		return nil, err
	}
	args := make([]asm.Argument, 2*n)
	for i := range n {
		pos := p.Pos()
		pair, err := p.Arguments(asm.Paren, true, false)
		if err != nil {
			return nil, err
		}
		if len(pair) != 2 {
			return nil, p.Errorf(pos, "expected two arguments")
		}
		args[i], args[i+n] = pair[0], pair[1]
	}
	return args, nil
}

// applied makes the body of a reduction by one operation.
func applied(p *asm.Parser, s *ir.OpState, body *ir.Region, combine *ir.OpName, inputs int, pos asm.Pos) error {
	t := rankedOf(s.Operands[0].Type())
	if inputs != 1 || t == nil || len(s.Operands) != 2 || !combine.Registered() || len(combine.Def().Operands) != 2 || len(combine.Def().Results) != 1 {
		return p.Errorf(pos, "expected one tensor that is reduced by an operation with two operands and one result")
	}
	scalar := p.Context().RankedTensor(nil, t.Elem)
	b := ir.NewBuilder(p.Context())
	b.Loc = s.Loc
	blk := body.AddBlock(scalar, scalar)
	for _, a := range blk.Args() {
		a.SetArgLoc(s.Loc)
	}
	b.SetEnd(blk)
	r := b.Create(ir.OpState{Name: combine, Loc: s.Loc, Operands: []*ir.Value{blk.Arg(0), blk.Arg(1)}, Types: []ir.Type{scalar}})
	b.CreateOp(Return, nil, []*ir.Value{r.Result(0)})
	return nil
}

// appliedOf returns the only operation of a reducer that the short syntax can say; nil if it can't. It says nothing of where the operation is.
func appliedOf(op *ir.Op) *ir.Op {
	blk := op.RegionAt(0).Entry()
	if op.NumOperands() != 2 || blk == nil || blk.NumArgs() != 2 || blk.First() == nil || blk.First().Next() != blk.Last() {
		return nil
	}
	o, end := blk.First(), blk.Last()
	t := rankedOf(op.Operand(0).Type())
	if t == nil || o.NumOperands() != 2 || o.NumResults() != 1 || o.NumRegions() > 0 || len(o.AllAttrs()) > 0 || !o.Registered() || len(o.Def().Attrs) > 0 ||
		!end.Is(Return) || len(end.AllAttrs()) > 0 ||
		!o.Has(ir.TraitCommutative) || o.Dialect().Name != dialectName {
		return nil
	}
	scalar := op.Context().RankedTensor(nil, t.Elem)
	for i, a := range blk.Args() {
		if a.Type() != ir.Type(scalar) || o.Operand(i) != a {
			return nil
		}
	}
	if end.OnlyOperand() != o.Result(0) || o.Result(0).Type() != ir.Type(scalar) {
		return nil
	}
	return o
}

// saysReduce tells whether the operands are pairs, and the reducer has an argument for each.
func saysReduce(op *ir.Op) bool {
	blk := op.RegionAt(0).Entry()
	return blk != nil && op.NumOperands() > 0 && op.NumOperands()%2 == 0 && blk.NumArgs() == op.NumOperands()
}

func printReduce(p *asm.Printer, op *ir.Op) {
	n := op.NumOperands() / 2
	p.Text("(")
	for i := range n {
		if i > 0 {
			p.Text("), (")
		}
		p.Operand(op.Operand(i))
		p.Text(" init: ")
		p.Operand(op.Operand(i + n))
	}
	p.Text(")")
	o := appliedOf(op)
	if p.Options().DebugInfo {
		o = nil
	}
	if o != nil {
		p.Text(" applies " + o.Name())
	}
	p.Text(" across dimensions = ")
	printList(p.Writer(), Ints(op.Attr("dimensions")))
	p.OptionalAttrDict(op.DiscardableAttrs())
	p.Text(" : ")
	p.FunctionalType(op.Operands().Types(), op.Results().Types())
	if o != nil {
		return
	}
	p.Newline()
	p.Text(" reducer")
	blk := op.RegionAt(0).Entry()
	for i := range n {
		p.Text("(")
		p.Argument(blk.Arg(i), nil, false)
		p.Text(", ")
		p.Argument(blk.Arg(i+n), nil, false)
		p.Text(") ")
	}
	p.Text(" ")
	p.Region(op.RegionAt(0), false, true, false)
}

// parseWhile reads (%arg = %init, ...) : types attributes {...} cond {...} do {...}.
func parseWhile(p *asm.Parser, s *ir.OpState) error {
	cond, body := s.AddRegion(), s.AddRegion()
	var args []asm.Argument
	var inits []asm.Unresolved
	pos := p.Pos()
	err := p.List(asm.Paren, func() error {
		a, err := p.Argument(false, false)
		if err != nil {
			return err
		}
		if err := p.Expect("="); err != nil {
			return err
		}
		u, err := p.Operand()
		args, inits = append(args, a), append(inits, u)
		return err
	})
	if err != nil {
		return err
	}
	if len(args) > 0 || p.At(":") {
		if s.Types, err = p.ColonTypes(); err != nil {
			return err
		}
	}
	if s.Operands, err = p.ResolveAll(inits, s.Types, pos); err != nil {
		return err
	}
	for i := range args {
		args[i].Type = s.Types[i]
	}
	if err := p.OptionalAttrDictWithKeyword(s); err != nil {
		return err
	}
	if err := p.Keyword("cond"); err != nil {
		return err
	}
	if err := p.Region(cond, args); err != nil {
		return err
	}
	if err := p.Keyword("do"); err != nil {
		return err
	}
	return p.Region(body, args)
}

// saysWhile tells whether both regions have arguments for the operands, whose names and types the syntax says once.
func saysWhile(op *ir.Op) bool {
	for _, r := range op.Regions() {
		if r.Entry() == nil || r.Entry().NumArgs() != op.NumOperands() || op.NumResults() != op.NumOperands() {
			return false
		}
		for i, a := range r.Entry().Args() {
			if t := op.Operand(i).Type(); a.Type() != t || op.Result(i).Type() != t {
				return false
			}
		}
	}
	return op.NumOperands() > 0
}

func printWhile(p *asm.Printer, op *ir.Op) {
	args := op.RegionAt(0).Entry().Args()
	p.ShadowNames(op.RegionAt(1), args)
	p.Assignments(args, op.Operands().Values())
	p.Text(" : ")
	p.Types(op.Operands().Types())
	p.OptionalAttrDictWithKeyword(op.DiscardableAttrs())
	p.Newline()
	p.Text(" cond ")
	p.Region(op.RegionAt(0), false, true, false)
	p.Text(" do ")
	p.Region(op.RegionAt(1), false, true, false)
}

// nameIterators names the arguments of a loop.
func nameIterators(_ *ir.Op, r *ir.Region, name func(v *ir.Value, suggestion string)) {
	for _, a := range r.Entry().Args() {
		name(a, "iterArg")
	}
}
