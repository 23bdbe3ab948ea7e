package sdy

import (
	"strings"

	"freehold/ir"
	"freehold/ir/asm"
)

// manualSyntax is that of
//
//	sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%arg1: type) {...} : (types) -> types
var manualSyntax = asm.OpAssembly{Parse: parseManual, Print: printManual, Says: hasBody}

// namedSyntax is that of sdy.named_computation<"name">(%a) in_shardings=[...] out_shardings=[...] (%arg1: type) {...} : (types) -> types.
var namedSyntax = asm.OpAssembly{Parse: parseNamed, Print: printNamed, Says: hasBody}

func hasBody(op *ir.Op) bool { return op.RegionAt(0).Entry() != nil }

func parseManual(p *asm.Parser, s *ir.OpState) error { return parseComputation(p, s, true) }

func parseNamed(p *asm.Parser, s *ir.OpState) error {
	if err := p.Expect("<"); err != nil {
		return err
	}
	name, err := p.String()
	if err != nil {
		return err
	}
	if err := p.Expect(">"); err != nil {
		return err
	}
	p.AddAttr(s, "name", p.Context().StringAttr(name))
	return parseComputation(p, s, false)
}

func parseComputation(p *asm.Parser, s *ir.OpState, manual bool) error {
	pos := p.Pos()
	operands, err := p.Operands(asm.Paren)
	if err != nil {
		return err
	}
	names := []string{"in_shardings", "out_shardings"}
	if manual {
		names = append(names, "manual_axes")
	}
	for _, name := range names {
		if !p.OptionalKeyword(name) {
			continue
		}
		if err := p.Expect("="); err != nil {
			return err
		}
		a, err := bare(p, name)
		if err != nil {
			return err
		}
		p.AddAttr(s, name, a)
	}
	args, err := p.Arguments(asm.Paren, true, false)
	if err != nil {
		return err
	}
	if err := p.Region(s.AddRegion(), args); err != nil {
		return err
	}
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	if err := p.Expect(":"); err != nil {
		return err
	}
	f, err := p.FunctionType()
	if err != nil {
		return err
	}
	s.Types = f.Results
	s.Operands, err = p.ResolveAll(operands, f.Inputs, pos)
	return err
}

// bare reads a list of shardings without the angle brackets that it has as an attribute, or axes.
func bare(p *asm.Parser, name string) (ir.Attribute, error) {
	if mnemonics[name] == "manual_axes" {
		return read(p, "manual_axes")
	}
	t := &text{p: p}
	if err := t.list("[", "]", t.sharding); err != nil {
		return nil, err
	}
	c := p.Context()
	return c.DialectAttrOf(c.Dialect(dialectName), "sharding_per_value", c.StringAttr("<"+t.out.String()+">")), nil
}

func printManual(p *asm.Printer, op *ir.Op) {
	printComputation(p, op, "in_shardings", "out_shardings", "manual_axes")
}

func printNamed(p *asm.Printer, op *ir.Op) {
	p.Text("<")
	p.Quoted(op.Attr("name").(*ir.StringAttr).Value)
	p.Text(">")
	printComputation(p, op, "in_shardings", "out_shardings")
}

func printComputation(p *asm.Printer, op *ir.Op, names ...string) {
	p.Text("(")
	p.Operands(op.Operands().Values())
	p.Text(")")
	for _, name := range names {
		if a := op.Attr(name); a != nil {
			t := textOf(a)
			if mnemonics[name] == "sharding_per_value" {
				t = strings.TrimSuffix(strings.TrimPrefix(t, "<"), ">")
			}
			p.Text(" " + name + "=" + t)
		}
	}
	p.Text(" (")
	for i, a := range op.RegionAt(0).Entry().Args() {
		if i > 0 {
			p.Text(", ")
		}
		p.Argument(a, nil, false)
	}
	p.Text(") ")
	p.Region(op.RegionAt(0), false, true, false)
	p.OptionalAttrDict(op.DiscardableAttrs())
	p.Text(" : ")
	p.FunctionalType(op.Operands().Types(), op.Results().Types())
}
