package asm

import "freehold/ir"

// builtinDirective returns a custom directive that several dialects use.
func builtinDirective(name string) (Directive, bool) {
	switch name {
	case "DynamicIndexList":
		return Directive{Parse: parseIndexList, Print: printIndexList}, true
	case "SymbolVisibility":
		return Directive{Parse: parseVisibility, Print: printVisibility}, true
	}
	return Directive{}, false
}

// indexListArgs sorts the arguments of DynamicIndexList: the operands, the static
// values, and, as asked for, which are scalable, and the operands' types.
type indexListArgs struct {
	operands, static, scalable DirectiveArg
	hasScalable, typed         bool
}

func indexList(args []DirectiveArg) (x indexListArgs) {
	attrs := 0
	for _, a := range args {
		switch {
		case a.Kind == OperandArg && a.Type:
			x.typed = true
		case a.Kind == OperandArg:
			x.operands = a
		case a.Kind == AttrArg && attrs == 0:
			x.static = a
			attrs++
		case a.Kind == AttrArg:
			x.scalable, x.hasScalable = a, true
		}
	}
	return x
}

// parseIndexList reads [%a, 4, [2]]: operands, whose static value is [ir.Dynamic],
// and numbers; those in brackets of their own are scalable.
func parseIndexList(p *Parser, s *FormatState, args []DirectiveArg) error {
	x := indexList(args)
	var static []int64
	var scalable []bool
	var operands []Unresolved
	var types []ir.Type
	err := p.list(Square, " in dynamic index list", func() error {
		u, ok, err := p.OptionalOperand()
		if err != nil {
			return err
		}
		sc := p.Optional("[")
		scalable = append(scalable, sc)
		if ok {
			static, operands = append(static, ir.Dynamic), append(operands, u)
			if x.typed {
				t, err := p.ColonType()
				if err != nil {
					return err
				}
				types = append(types, t)
			}
		} else {
			v, err := p.Integer()
			if err != nil {
				return err
			}
			static = append(static, v)
		}
		if sc {
			return p.Expect("]")
		}
		return nil
	})
	if d, ok := err.(*ir.Diagnostic); ok {
		return ir.Diagnostics{d, p.Errorf(p.NamePos(), "expected SSA value or integer").(*ir.Diagnostic)}
	}
	if err != nil {
		return err
	}
	s.SetOperands(x.operands.Name, operands)
	if x.typed {
		s.SetTypes(x.operands.Name, types)
	}
	s.SetAttr(x.static.Name, p.Context().DenseI64Array(static...))
	if x.hasScalable {
		s.SetAttr(x.scalable.Name, p.Context().DenseBoolArray(scalable...))
	}
	return nil
}

func printIndexList(p *Printer, op *ir.Op, args []DirectiveArg) {
	x := indexList(args)
	static, _ := op.Prop(x.static.Index).(*ir.DenseArrayAttr)
	var scalable *ir.DenseArrayAttr
	if x.hasScalable {
		scalable, _ = op.Prop(x.scalable.Index).(*ir.DenseArrayAttr)
	}
	next, n := op.OperandGroupRange(x.operands.Index)
	end := next + n
	p.Text("[")
	for i := range static.Len() {
		if i > 0 {
			p.Text(", ")
		}
		sc := i < scalable.Len() && scalable.Int(i) != 0
		if sc {
			p.Text("[")
		}
		switch v := static.Int(i); {
		case v != ir.Dynamic:
			p.Int(v)
		case next < end:
			p.Operand(op.Operand(next))
			if x.typed {
				p.Text(" : ")
				p.Type(op.Operand(next).Type())
			}
			next++
		default:
			p.Operand(nil)
		}
		if sc {
			p.Text("]")
		}
	}
	p.Text("]")
}

// parseVisibility reads public, private or nested, if one of them is there.
func parseVisibility(p *Parser, s *FormatState, args []DirectiveArg) error {
	if v, ok := p.OptionalAnyKeyword("public", "private", "nested"); ok {
		s.SetAttr(args[0].Name, p.Context().StringAttr(v))
	}
	return nil
}

func printVisibility(p *Printer, op *ir.Op, args []DirectiveArg) {
	if v, ok := op.Prop(args[0].Index).(*ir.StringAttr); ok {
		p.Text(v.Value)
	}
}
