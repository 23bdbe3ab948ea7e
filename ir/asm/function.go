package asm

import (
	"slices"

	"freehold/ir"
)

// The inherent attributes of function-like operations.
const (
	functionTypeAttr = "function_type"
	argAttrsAttr     = "arg_attrs"
	resAttrsAttr     = "res_attrs"
)

// FunctionAssembly is the syntax of function-like operations, those with the
// attributes sym_name, function_type, sym_visibility, arg_attrs and res_attrs and
// the body as their only region:
//
//	visibility? @name(args) (-> results)? (attributes {...})? body?
var FunctionAssembly = OpAssembly{Parse: parseFunction, Print: printFunction}

func parseFunction(p *Parser, s *ir.OpState) error {
	c := p.Context()
	if v, ok := p.OptionalAnyKeyword("public", "private", "nested"); ok {
		s.SetAttr(ir.SymbolVisibilityAttr, c.StringAttr(v))
	}
	name, err := p.SymbolName()
	if err != nil {
		return err
	}
	s.SetAttr(ir.SymbolNameAttr, c.StringAttr(name))

	sig, err := p.signature(s)
	if err != nil {
		return err
	}
	args := sig.args

	pos := p.Pos()
	explicit := ir.OpState{Name: s.Name}
	if err := p.OptionalAttrDictWithKeyword(&explicit); err != nil {
		return err
	}
	for _, name := range []string{ir.SymbolNameAttr, ir.SymbolVisibilityAttr, functionTypeAttr} {
		if explicit.Attr(name) != nil {
			return p.Errorf(pos, "'%s' is an inferred attribute and should not be specified in the explicit attribute dictionary", name)
		}
	}
	for i, a := range explicit.Props {
		if a != nil {
			s.SetAttr(s.Name.Def().Attrs[i].Name, a)
		}
	}
	if len(s.Attrs) == 0 {
		s.Attrs = explicit.Attrs
	} else {
		for _, a := range explicit.Attrs {
			s.SetAttr(a.Name, a.Value)
		}
	}
	sig.setAttrs(p, s)

	body := s.AddRegion()
	// The arguments of a body have names; those of a declaration have none.
	if len(args) > 0 && args[0].Name == "" {
		args = nil
	}
	pos = p.Pos()
	found, err := p.OptionalRegion(body, args)
	if err != nil {
		return err
	}
	if found && body.Empty() {
		return p.Errorf(pos, "expected non-empty function body")
	}
	if sp := s.Name.Spelling(); !found && sp != nil && sp.Until <= builtinUntil && s.Attr(ir.SymbolVisibilityAttr) == nil {
		s.SetAttr(ir.SymbolVisibilityAttr, c.StringAttr("private")) // up to LLVM 11, declarations needn't say that they are
	}
	return nil
}

// signature is what a function takes and returns, as it is spelled.
type signature struct {
	args     []Argument
	argAttrs []*ir.DictAttr
	resAttrs []*ir.DictAttr
}

// signature reads (args) -> results, and sets the type of the function. The arguments are valid until the parser reads those of
// another one.
func (p *Parser) signature(s *ir.OpState) (signature, error) {
	args, err := parseFunctionArguments(p)
	if err != nil {
		return signature{}, err
	}
	resTypes, resAttrs, err := parseFunctionResults(p)
	if err != nil {
		return signature{}, err
	}
	argTypes := make([]ir.Type, len(args))
	argAttrs := make([]*ir.DictAttr, len(args))
	for i := range args {
		argTypes[i], argAttrs[i] = args[i].Type, args[i].Attrs
	}
	c := p.Context()
	s.SetAttr(functionTypeAttr, c.TypeAttr(c.Function(argTypes, resTypes)))
	return signature{args, argAttrs, resAttrs}, nil
}

// setAttrs sets the attributes of arguments and results.
func (g *signature) setAttrs(p *Parser, s *ir.OpState) {
	setDicts(p, s, argAttrsAttr, g.argAttrs)
	setDicts(p, s, resAttrsAttr, g.resAttrs)
}

// Signature reads (args) -> results of an operation that is like a function, sets its attributes function_type, arg_attrs and
// res_attrs, and returns the arguments: all with names, or all without.
func (p *Parser) Signature(s *ir.OpState) ([]Argument, error) {
	sig, err := p.signature(s)
	if err != nil {
		return nil, err
	}
	sig.setAttrs(p, s)
	return slices.Clone(sig.args), nil
}

// parseFunctionArguments reads (args), all with names or all without. The result
// is valid until the parser reads other ones.
func parseFunctionArguments(p *Parser) ([]Argument, error) {
	args := p.args[:0]
	err := p.List(Paren, func() error {
		pos := p.Pos()
		a, named, err := p.OptionalArgument(true, true)
		if err != nil {
			return err
		}
		if !named {
			if len(args) > 0 && args[len(args)-1].Name != "" {
				return p.Errorf(pos, "expected SSA identifier")
			}
			if a.Type, err = p.Type(); err != nil {
				return err
			}
			if a.Attrs, err = p.OptionalDictAttr(); err != nil {
				return err
			}
			if a.Loc, err = p.OptionalLocation(); err != nil {
				return err
			}
		}
		if named && len(args) > 0 && args[len(args)-1].Name == "" {
			return p.Errorf(pos, "expected type instead of SSA identifier")
		}
		args = append(args, a)
		return nil
	})
	p.args = args
	return args, err
}

// parseFunctionResults reads -> type or -> (type {attrs}, ...), if it is there.
func parseFunctionResults(p *Parser) (types []ir.Type, attrs []*ir.DictAttr, err error) {
	if !p.Optional("->") {
		return nil, nil, nil
	}
	if !p.Optional("(") {
		t, err := p.Type()
		return []ir.Type{t}, []*ir.DictAttr{nil}, err
	}
	if p.Optional(")") {
		return nil, nil, nil
	}
	err = p.List(NoDelimiter, func() error {
		t, err := p.Type()
		if err != nil {
			return err
		}
		d, err := p.OptionalDictAttr()
		types, attrs = append(types, t), append(attrs, d)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return types, attrs, p.Expect(")")
}

// setDicts sets a list of dictionaries if one of them isn't empty.
func setDicts(p *Parser, s *ir.OpState, name string, dicts []*ir.DictAttr) {
	c := p.Context()
	var elems []ir.Attribute
	for i, d := range dicts {
		if d == nil || len(d.Entries) == 0 {
			continue
		}
		if elems == nil {
			elems = make([]ir.Attribute, len(dicts))
			empty := c.DictAttr()
			for j := range elems {
				elems[j] = empty
			}
		}
		elems[i] = d
	}
	if elems != nil {
		if s.Attr(name) != nil {
			p.op.twice = name
		}
		s.SetAttr(name, c.ArrayAttr(elems...))
	}
}

func printFunction(p *Printer, op *ir.Op) {
	p.Text(" ")
	if v, ok := op.Attr(ir.SymbolVisibilityAttr).(*ir.StringAttr); ok {
		p.Text(v.Value)
		p.Text(" ")
	}
	name, _ := op.Attr(ir.SymbolNameAttr).(*ir.StringAttr)
	p.SymbolName(name.Value)
	p.Signature(op)
	p.OptionalAttrDictWithKeyword(p.AllAttrs(op), ir.SymbolNameAttr, ir.SymbolVisibilityAttr, functionTypeAttr, argAttrsAttr, resAttrsAttr)
	if r := op.RegionAt(0); !r.Empty() {
		p.Text(" ")
		p.Region(r, false, true, true)
	}
}

// Signature writes (args) -> results of an operation that is like a function.
func (p *Printer) Signature(op *ir.Op) {
	ta, ok := op.Attr(functionTypeAttr).(*ir.TypeAttr)
	if !ok {
		return
	}
	t, ok := ta.Type.(*ir.FunctionType)
	if !ok {
		return
	}
	argAttrs, _ := op.Attr(argAttrsAttr).(*ir.ArrayAttr)
	resAttrs, _ := op.Attr(resAttrsAttr).(*ir.ArrayAttr)
	p.Text("(")
	entry := op.RegionAt(0).Entry()
	for i, in := range t.Inputs {
		if i > 0 {
			p.Text(", ")
		}
		d := dictAt(argAttrs, i)
		if entry != nil {
			p.Argument(entry.Arg(i), d, false)
			continue
		}
		p.Type(in)
		if d != nil {
			p.OptionalAttrDict(d.Entries)
		}
	}
	p.Text(")")
	if len(t.Results) == 0 {
		return
	}
	p.Text(" -> ")
	wrap := len(t.Results) > 1 || resAttrs != nil
	if !wrap {
		_, wrap = t.Results[0].(*ir.FunctionType)
	}
	if wrap {
		p.Text("(")
	}
	for i, r := range t.Results {
		if i > 0 {
			p.Text(", ")
		}
		p.Type(r)
		if d := dictAt(resAttrs, i); d != nil {
			p.OptionalAttrDict(d.Entries)
		}
	}
	if wrap {
		p.Text(")")
	}
}

func dictAt(list *ir.ArrayAttr, i int) *ir.DictAttr {
	if list == nil || i >= len(list.Elems) {
		return nil
	}
	d, _ := list.Elems[i].(*ir.DictAttr)
	return d
}
