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

// parseTypeOrAttr reads "= value", whose type is that of the variable, or ": type", after
// which there is a value if it is of another type, or none.
func parseTypeOrAttr(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	c := p.Context()
	initial := func() (ir.Attribute, error) {
		pos := p.Pos()
		value, err := p.Attr(nil)
		if err != nil {
			return nil, both(err, p.Errorf(pos, "expected attribute"))
		}
		s.SetAttr(args[1].Name, value)
		return value, nil
	}
	if p.Optional("=") {
		value, err := initial()
		if err != nil {
			return err
		}
		if t := ir.TypeOfAttr(value); t != nil {
			s.SetAttr(args[0].Name, c.TypeAttr(t))
		}
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
	if p.Optional("=") {
		_, err = initial()
	}
	return err
}

func printTypeOrAttr(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
	value := op.Prop(args[1].Index)
	t, _ := op.Prop(args[0].Index).(*ir.TypeAttr)
	if value == nil || t == nil || ir.TypeOfAttr(value) != t.Type {
		p.Text(": ")
		if t != nil {
			p.Type(t.Type)
		}
		if value == nil {
			return
		}
		p.Text(" ")
	}
	p.Text("= ")
	p.Attr(value)
}
