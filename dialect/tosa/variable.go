package tosa

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

// Tensors that are kept between calls, by name.
var (
	Variable      = ir.NewOpID("tosa.variable")
	VariableRead  = ir.NewOpID("tosa.variable.read")
	VariableWrite = ir.NewOpID("tosa.variable.write")
)

var (
	variableDef = &ir.OpDef{
		ID: Variable,
		Attrs: []ir.AttrDef{attr("name", constraint.SymbolNameAttr), attr("type", constraint.TypeAttr),
			{Name: "initial_value", Type: constraint.AnyAttr, Optional: true}},
		Format: "$name attr-dict custom<TypeOrAttr>($type, $initial_value)",
	}

	variableReadDef = &ir.OpDef{
		ID:      VariableRead,
		Results: ir.SingleResult("value", constraint.AnyType),
		Attrs:   []ir.AttrDef{attr("name", constraint.SymbolNameAttr)},
		Format:  "$name attr-dict `:` type($value)",
	}

	variableWriteDef = &ir.OpDef{
		ID:       VariableWrite,
		Operands: []ir.OperandDef{ir.Operand("value", constraint.AnyType)},
		Attrs:    []ir.AttrDef{attr("name", constraint.SymbolNameAttr)},
		Format:   "$name attr-dict `,` $value `:` type($value)",
	}
)

// directives are the custom parts of formats.
var directives = map[string]asm.Directive{"TypeOrAttr": {Parse: parseTypeOrAttr, Print: printTypeOrAttr}}

// parseTypeOrAttr reads "= value", whose type is that of the variable, or ": type".
func parseTypeOrAttr(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	c := p.Context()
	if p.Optional("=") {
		pos := p.Pos()
		value, err := p.Attr(nil)
		if err != nil {
			return both(err, p.Errorf(pos, "expected attribute"))
		}
		if t := ir.TypeOfAttr(value); t != nil {
			s.SetAttr(args[0].Name, c.TypeAttr(t))
		}
		s.SetAttr(args[1].Name, value)
		return nil
	}
	pos := p.Pos()
	if err := p.Expect(":"); err != nil {
		return err
	}
	t, err := p.Type()
	if err != nil {
		return both(err, p.Errorf(pos, "expected type"))
	}
	s.SetAttr(args[0].Name, c.TypeAttr(t))
	return nil
}

func printTypeOrAttr(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
	if value := op.Prop(args[1].Index); value != nil {
		p.Text("= ")
		p.Attr(value)
		return
	}
	p.Text(": ")
	if t, ok := op.Prop(args[0].Index).(*ir.TypeAttr); ok {
		p.Type(t.Type)
	}
}
