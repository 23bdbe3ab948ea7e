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

func variableDef() *ir.OpDef {
	return &ir.OpDef{
		ID: Variable,
		Attrs: []ir.AttrDef{attr("name", constraint.SymbolNameAttr), attr("type", constraint.TypeAttr),
			{Name: "initial_value", Type: constraint.AnyAttr, Optional: true}},
		Format: "$name attr-dict custom<TypeOrAttr>($type, $initial_value)",
		Verify: verifyName, VerifyAlone: true,
		Later: []ir.Spelling{{Since: 22, Upgrade: readVariable, Discardable: []string{varShapeName}, Renamed: map[string]string{ir.SymbolNameAttr: "name"},
			Attrs:   []ir.AttrDef{attr(ir.SymbolNameAttr, constraint.SymbolNameAttr), attr(varShapeName, constraint.AnyAttr)},
			Without: []string{"name"},
			Spelled: spelledVariable,
			Values:  map[string]ir.Recoding{"type": {Read: sameValue, Printed: elementOfType}}}},
	}
}

func variableReadDef() *ir.OpDef {
	return &ir.OpDef{
		ID:      VariableRead,
		Later:   []ir.Spelling{{Since: 22, Name: "tosa.variable_read"}},
		Results: ir.SingleResult("value", constraint.AnyType),
		Attrs:   []ir.AttrDef{attr("name", constraint.SymbolNameAttr)},
		Format:  "$name attr-dict `:` type($value)",
		Verify:  verifyName, VerifyAlone: true,
	}
}

func variableWriteDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       VariableWrite,
		Later:    []ir.Spelling{{Since: 22, Name: "tosa.variable_write"}},
		Operands: []ir.OperandDef{ir.Operand("value", constraint.AnyType)},
		Attrs:    []ir.AttrDef{attr("name", constraint.SymbolNameAttr)},
		Format:   "$name attr-dict `,` $value `:` type($value)",
		Verify:   verifyName, VerifyAlone: true,
	}
}

// verifyName demands a name, without which there is no text for an operation on a variable.
func verifyName(op *ir.Op) error {
	if n, ok := op.Attr("name").(*ir.StringAttr); ok && n.Value == "" {
		return op.Errorf("requires the name of a variable")
	}
	return nil
}

// directives are the custom parts of formats.
var directives = map[string]asm.Directive{
	"TypeOrAttr": {Parse: parseTypeOrAttr, Print: printTypeOrAttr},
	"Words":      {Parse: parseWords, Print: printWords},
}

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

// varShapeName is the shape of a variable in LLVM 22, of which the type is that of an element.
const varShapeName = "var_shape"

// readVariable puts the shape into the type.
func readVariable(b *ir.Builder, s *ir.OpState) error {
	shape, ok := take(s, varShapeName).(*ir.DenseElementsAttr)
	t, also := s.Attr("type").(*ir.TypeAttr)
	if ok && also {
		sizes := make([]int64, shape.Len())
		for i := range sizes {
			if sizes[i] = signed(shape.Raw(int64(i))); sizes[i] == -1 {
				sizes[i] = ir.Dynamic
			}
		}
		s.SetAttr("type", b.Context().TypeAttr(b.Context().RankedTensor(sizes, t.Type)))
	}
	return nil
}

// spelledVariable returns the name and the shape of a variable as LLVM 22 has them.
func spelledVariable(op *ir.Op) []ir.NamedAttr {
	out := []ir.NamedAttr{{Name: ir.SymbolNameAttr, Value: op.Attr("name")}}
	if t, ok := op.Attr("type").(*ir.TypeAttr); ok {
		if shape, ok := ir.ShapeOf(t.Type); ok {
			out = append(out, ir.NamedAttr{Name: varShapeName, Value: shapeElements(op.Context(), shape)})
		}
	}
	return out
}

func sameValue(_ *ir.Context, a ir.Attribute) ir.Attribute { return a }

// elementOfType returns the type of the elements of a type.
func elementOfType(c *ir.Context, a ir.Attribute) ir.Attribute {
	if t, ok := a.(*ir.TypeAttr); ok && ir.IsShaped(t.Type) {
		return c.TypeAttr(ir.ElementType(t.Type))
	}
	return a
}
