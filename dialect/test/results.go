package testd

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

var stringArray = arrayOf[*ir.StringAttr]("string array attribute")

// namedByAttr suggests the names that the attribute "names" lists.
var namedByAttr = asm.ResultNames.Model(func(op *ir.Op, name func(*ir.Value, string)) {
	names, _ := op.Attr("names").(*ir.ArrayAttr)
	if names == nil {
		return
	}
	for i, a := range names.Elems {
		if s, ok := a.(*ir.StringAttr); ok && i < op.NumResults() && s.Value != "" {
			name(op.Result(i), s.Value)
		}
	}
})

// CustomResultName has results whose names an attribute lists.
var CustomResultName = &ir.OpDef{
	Name:     "test.custom_result_name",
	Operands: []ir.OperandDef{variadic("optional", constraint.AnyInteger)},
	Results:  []ir.ResultDef{results("r", constraint.AnyInteger)},
	Attrs:    []ir.AttrDef{{Name: "names", Type: stringArray}},
	Models:   []ir.Model{namedByAttr},
}

// StringAttrPrettyName has results whose names an attribute lists.
var StringAttrPrettyName = &ir.OpDef{
	Name:    "test.string_attr_pretty_name",
	Results: []ir.ResultDef{results("r", constraint.I32)},
	Attrs:   []ir.AttrDef{{Name: "names", Type: stringArray}},
	Models:  []ir.Model{namedByAttr},
}

// DefaultValuePrint has an attribute that is not spelled where it is 0.
var DefaultValuePrint = &ir.OpDef{
	Name:     "test.default_value_print",
	Operands: []ir.OperandDef{operand("input", constraint.I32)},
	Attrs: []ir.AttrDef{{Name: "value_with_default", Type: constraint.I32Attr,
		Default: func(c *ir.Context) ir.Attribute { return c.IntegerAttr(ir.I32, 0) }}},
	Format: "attr-dict $input",
}

// SymbolNameFormat spells a string as a symbol's name.
var SymbolNameFormat = &ir.OpDef{
	Name:   "test.format_symbol_name_attr_op",
	Attrs:  []ir.AttrDef{{Name: "attr", Type: constraint.SymbolNameAttr}},
	Format: "$attr attr-dict",
}

// NestedTypeFormat spells a nested type without its dialect.
var NestedTypeFormat = &ir.OpDef{
	Name: "test.format_cpmd_nested_type",
	Operands: []ir.OperandDef{operand("nested", ir.TypeConstraint{Match: func(t ir.Type) bool {
		d, ok := t.(*ir.DialectType)
		return ok && d.Dialect == Dialect && d.Mnemonic == nestedOuter
	}})},
	Format: "$nested `nested` custom<Nested>(type($nested)) attr-dict",
}

// SameTypeAsAttr has a result of the type that its attribute carries.
var SameTypeAsAttr = &ir.OpDef{
	Name:      "test.result_has_same_type_as_attr",
	Results:   []ir.ResultDef{result("result", constraint.AnyType)},
	Attrs:     []ir.AttrDef{{Name: "attr", Type: constraint.TypedAttr}},
	TypeRules: []ir.TypeRule{{Same: []string{"attr", "result"}, Summary: "all of {attr, result} have same type"}},
	Format:    "$attr `->` type($result) attr-dict",
}

// Operations with variadic groups of operands or results.
var (
	MixedVariadicOperand = &ir.OpDef{
		Name:     "test.mixed_normal_variadic_operand",
		Operands: []ir.OperandDef{variadic("input1", constraint.AnyTensor), operand("input2", constraint.AnyTensor), variadic("input3", constraint.AnyTensor)},
	}
	MixedVariadicResult = &ir.OpDef{
		Name:    "test.mixed_normal_variadic_result",
		Results: []ir.ResultDef{results("output1", constraint.AnyTensor), result("output2", constraint.AnyTensor), results("output3", constraint.AnyTensor)},
	}
	OneVariadic = &ir.OpDef{
		Name:     "test.one_variadic_out_one_variadic_in1",
		Operands: []ir.OperandDef{variadic("input1", constraint.I32)},
		Results:  []ir.ResultDef{results("output1", constraint.I32)},
	}
)

// onIntegers declares an operation on n integers of any type.
func onIntegers(name string, n int) *ir.OpDef {
	d := &ir.OpDef{Name: name, Results: []ir.ResultDef{result("output", constraint.I32)}}
	for range n {
		d.Operands = append(d.Operands, operand("", constraint.AnyInteger))
	}
	return d
}

// Operations that conversions start from.
var (
	EitherA      = onIntegers("test.either_op_a", 3)
	EitherB      = onIntegers("test.either_op_b", 2)
	TypeProducer = &ir.OpDef{Name: "test.type_producer", Results: []ir.ResultDef{result("", constraint.AnyType)}}
	TypeConsumer = &ir.OpDef{Name: "test.type_consumer", Operands: []ir.OperandDef{operand("", constraint.AnyType)}}
	TypeChanger  = &ir.OpDef{Name: "test.type_changer", Operands: []ir.OperandDef{operand("", constraint.AnyType)}, Results: []ir.ResultDef{result("", constraint.AnyType)}}
	IllegalA     = onI32("test.illegal_op_a", 0, 0)
	IllegalB     = onI32("test.illegal_op_b", 0, 0)
	LegalA       = withI32Result(withAttrs("test.legal_op_a", "status", constraint.StrAttr))
	// ConversionCall is a call that is yet to be converted.
	ConversionCall = &ir.OpDef{
		Name:     "test.conversion_call_op",
		Operands: []ir.OperandDef{variadic("inputs", constraint.AnyType)},
		Results:  []ir.ResultDef{results("", constraint.AnyType)},
		Attrs:    []ir.AttrDef{{Name: "callee", Type: constraint.SymbolRef}},
	}
)

// Operations on tensors whose shapes or types are the same by a trait.
var shapeOps = []*ir.OpDef{
	{
		Name: "test.same_operand_element_type", Traits: ir.TraitSameOperandsElementType,
		Operands: []ir.OperandDef{operand("", constraint.AnyType), operand("", constraint.AnyType)},
		Results:  []ir.ResultDef{result("", constraint.AnyType)},
	},
	{
		Name: "test.same_operand_and_result_element_type", Traits: ir.TraitSameOperandsAndResultElementType,
		Operands: []ir.OperandDef{variadic("", constraint.AnyType)}, Results: []ir.ResultDef{results("", constraint.AnyType)},
	},
	{
		Name: "test.same_operand_shape", Traits: ir.TraitSameOperandsShape,
		Operands: []ir.OperandDef{variadic("", constraint.AnyShaped)},
	},
	{
		Name: "test.same_operand_and_result_shape", Traits: ir.TraitSameOperandsAndResultShape,
		Operands: []ir.OperandDef{variadic("", constraint.AnyShaped)}, Results: []ir.ResultDef{results("", constraint.AnyShaped)},
	},
	{
		Name: "test.same_operand_and_result_type", Traits: ir.TraitSameOperandsAndResultType,
		Operands: []ir.OperandDef{variadic("", constraint.AnyType)}, Results: []ir.ResultDef{results("", constraint.AnyType)},
	},
}

// Operations that upstream defines at run time.
var (
	DynamicGeneric = &ir.OpDef{
		Name:     "test.dynamic_generic",
		Operands: []ir.OperandDef{variadic("", constraint.AnyType)},
		Results:  []ir.ResultDef{results("", constraint.AnyType)},
		Regions:  []ir.RegionDef{{Variadic: true}},
	}
	DynamicOneOperandTwoResults = &ir.OpDef{
		Name:     "test.dynamic_one_operand_two_results",
		Operands: []ir.OperandDef{variadic("", constraint.AnyType)},
		Results:  []ir.ResultDef{results("", constraint.AnyType)},
		Verify: func(op *ir.Op) error {
			if n := op.NumOperands(); n != 1 {
				return op.Errorf("expected 1 operand, but had %d", n)
			}
			if n := op.NumResults(); n != 2 {
				return op.Errorf("expected 2 results, but had %d", n)
			}
			return nil
		},
	}
	DynamicCustom = &ir.OpDef{
		Name:     "test.dynamic_custom_parser_printer",
		Operands: []ir.OperandDef{variadic("", constraint.AnyType)},
		Results:  []ir.ResultDef{results("", constraint.AnyType)},
		Verify: func(op *ir.Op) error {
			if op.NumOperands() > 0 || op.NumResults() > 0 {
				return op.PlainErrorf("operation should have no operands and no results")
			}
			return nil
		},
		Models: []ir.Model{asm.Assembly.Model(asm.OpAssembly{
			Parse: func(p *asm.Parser, _ *ir.OpState) error { return p.Keyword("custom_keyword") },
			Print: func(p *asm.Printer, _ *ir.Op) { p.Text(" custom_keyword") },
		})},
	}
)

// FoldAdaptor has operands of all kinds.
var FoldAdaptor = &ir.OpDef{
	Name: "test.fold_with_fold_adaptor",
	Operands: []ir.OperandDef{operand("op", constraint.I32), variadic("operands", constraint.I32),
		{Name: "variadic", Type: constraint.I32, Arity: ir.VariadicOfVariadic, Segments: "attr"}},
	Results: []ir.ResultDef{result("", constraint.I32)},
	Attrs: []ir.AttrDef{{Name: "attr", Type: constraint.DenseI32Array, Derived: true},
		{Name: ir.OperandSegmentsAttr, Type: constraint.Segments, Derived: true}},
	Regions: []ir.RegionDef{{Name: "body"}},
	Traits:  ir.TraitAttrSizedOperandSegments | ir.TraitNoTerminator,
	Format:  "$op `,` `[` $operands `]` `,` `{` $variadic `}` $body attr-dict-with-keyword",
}

// nestedType is a type that is written without its mnemonic.
var nestedType = asm.Directive{
	Parse: func(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) (err error) {
		var t ir.Type
		if p.At("<") {
			t, err = parseType(p, nestedOuter)
		} else {
			t, err = p.Type()
		}
		if err == nil {
			s.SetTypes(args[0].Name, []ir.Type{t})
		}
		return err
	},
	Print: func(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
		bare(p.Writer(), op.Context().TypeAttr(op.Operand(args[0].Index).Type()))
	},
}
