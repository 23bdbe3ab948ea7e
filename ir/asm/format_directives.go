package asm

import (
	"errors"

	"freehold/ir"
)

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

// parseIndexList reads [%a, 4, [2]] into the groups that the arguments name.
func parseIndexList(p *Parser, s *FormatState, args []DirectiveArg) error {
	x := indexList(args)
	l, err := p.indexList(Square, x.typed)
	if err != nil {
		return err
	}
	s.SetOperands(x.operands.Name, l.Dynamic)
	if x.typed {
		s.SetTypes(x.operands.Name, l.types)
	}
	s.SetAttr(x.static.Name, p.Context().DenseI64Array(l.Static...))
	if x.hasScalable {
		if l.scalable == nil {
			l.scalable = make([]bool, len(l.Static))
		}
		s.SetAttr(x.scalable.Name, p.Context().DenseBoolArray(l.scalable...))
	}
	return nil
}

// IndexList is a list of numbers and operands as it was read.
type IndexList struct {
	// Static has the numbers; those of operands are [ir.Dynamic].
	Static []int64
	// Dynamic has the operands.
	Dynamic []Unresolved

	types    []ir.Type
	scalable []bool
}

// IndexList consumes a list of numbers and operands of type index.
func (p *Parser) IndexList(d Delimiter) (IndexList, error) { return p.indexList(d, false) }

// indexList consumes %a, 4, [2] in brackets: operands, with types if asked for, and
// numbers; those in brackets of their own are scalable.
func (p *Parser) indexList(d Delimiter, typed bool) (l IndexList, err error) {
	err = p.list(d, " in dynamic index list", func() error {
		u, ok, err := p.OptionalOperand()
		if err != nil {
			return err
		}
		scalable := p.Optional("[")
		// Few lists have any: the others do without.
		if scalable && l.scalable == nil {
			l.scalable = make([]bool, len(l.Static))
		}
		if l.scalable != nil {
			l.scalable = append(l.scalable, scalable)
		}
		if ok {
			l.Static, l.Dynamic = append(l.Static, ir.Dynamic), append(l.Dynamic, u)
			if typed {
				t, err := p.ColonType()
				if err != nil {
					return err
				}
				l.types = append(l.types, t)
			}
		} else {
			pos, negative := p.Pos(), p.tok.kind == tMinus
			v, err := p.Integer()
			if err == nil && negative && v == ir.Dynamic {
				err = p.failOp(pos, "integer value too large") // it stands for an operand
			}
			if err != nil {
				return err
			}
			l.Static = append(l.Static, v)
		}
		if scalable && !p.Optional("]") {
			return errUnclosed
		}
		return nil
	})
	if err == nil {
		return l, nil
	}
	malformed := p.Errorf(p.NamePos(), "expected SSA value or integer").(*ir.Diagnostic)
	if d, ok := err.(*ir.Diagnostic); ok {
		return l, ir.Diagnostics{d, malformed}
	}
	return l, malformed
}

// errUnclosed says that a scalable number lacks its closing bracket.
var errUnclosed = errors.New("expected ']'")

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
	v, ok := p.OptionalAnyKeyword("public", "private", "nested")
	if !ok {
		return p.Errorf(p.Pos(), "expected 'public', 'private', or 'nested'")
	}
	s.SetAttr(args[0].Name, p.Context().StringAttr(v))
	return nil
}

func printVisibility(p *Printer, op *ir.Op, args []DirectiveArg) {
	visibility := "public"
	if v, ok := op.Prop(args[0].Index).(*ir.StringAttr); ok {
		visibility = v.Value
	}
	p.Text(visibility)
}
