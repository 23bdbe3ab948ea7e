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
var CustomResultName = ir.NewOpID("test.custom_result_name")

func customResultNameDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       CustomResultName,
		Operands: []ir.OperandDef{ir.VariadicOperand("optional", constraint.AnyInteger)},
		Results:  []ir.ResultDef{ir.VariadicResult("r", constraint.AnyInteger)},
		Attrs:    []ir.AttrDef{{Name: "names", Type: stringArray}},
		Models:   []ir.Model{namedByAttr},
	}
}

// StringAttrPrettyName has results whose names an attribute lists.
var StringAttrPrettyName = ir.NewOpID("test.string_attr_pretty_name")

func stringAttrPrettyNameDef() *ir.OpDef {
	return &ir.OpDef{
		ID:      StringAttrPrettyName,
		Results: []ir.ResultDef{ir.VariadicResult("r", constraint.I32)},
		Attrs:   []ir.AttrDef{{Name: "names", Type: stringArray}},
		Models:  []ir.Model{namedByAttr, asm.Assembly.Model(asm.OpAssembly{Parse: parsePrettyName, Print: printPrettyName})},
	}
}

// parsePrettyName reads an operation whose names are those of its results, unless it has
// others.
func parsePrettyName(p *asm.Parser, s *ir.OpState) error {
	results := p.ResultNames()
	if err := p.OptionalAttrDictWithKeyword(s); err != nil {
		return err
	}
	for range results {
		s.Types = append(s.Types, ir.I32)
	}
	if s.Attr("names") != nil || len(results) == 0 {
		return nil
	}
	names := make([]ir.Attribute, len(results))
	for i, n := range results {
		if n[0] >= '0' && n[0] <= '9' {
			n = ""
		}
		names[i] = p.Context().StringAttr(n)
	}
	s.SetAttr("names", p.Context().ArrayAttr(names...))
	return nil
}

func printPrettyName(p *asm.Printer, op *ir.Op) {
	names, _ := op.Attr("names").(*ir.ArrayAttr)
	agree := names != nil && len(names.Elems) == op.NumResults()
	for i := 0; agree && i < op.NumResults(); i++ {
		name, ok := names.Elems[i].(*ir.StringAttr)
		agree = ok && p.NameOf(op.Result(i)) == "%"+name.Value
	}
	if agree {
		p.OptionalAttrDictWithKeyword(p.AllAttrs(op), "names")
		return
	}
	p.OptionalAttrDictWithKeyword(p.AllAttrs(op))
}

// DefaultValuePrint has an attribute that is not spelled where it is 0.
var DefaultValuePrint = ir.NewOpID("test.default_value_print")

func defaultValuePrintDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       DefaultValuePrint,
		Operands: []ir.OperandDef{ir.Operand("input", constraint.I32)},
		Attrs: []ir.AttrDef{{Name: "value_with_default", Type: constraint.I32Attr,
			Default: func(c *ir.Context) ir.Attribute { return c.IntegerAttr(ir.I32, 0) }}},
		Format: "attr-dict $input",
	}
}

// SymbolNameFormat spells a string as a symbol's name.
var SymbolNameFormat = ir.NewOpID("test.format_symbol_name_attr_op")

func symbolNameFormatDef() *ir.OpDef {
	return &ir.OpDef{
		ID:     SymbolNameFormat,
		Attrs:  []ir.AttrDef{{Name: "attr", Type: constraint.SymbolNameAttr}},
		Format: "$attr attr-dict",
	}
}

// NestedTypeFormat spells a nested type without its dialect.
var NestedTypeFormat = ir.NewOpID("test.format_cpmd_nested_type")

func nestedTypeFormatDef() *ir.OpDef {
	return &ir.OpDef{
		ID: NestedTypeFormat,
		Operands: []ir.OperandDef{ir.Operand("nested", ir.TypeConstraint{Match: func(t ir.Type) bool {
			return ir.IsDialectType(t, dialectName, nestedOuter)
		}})},
		Format: "$nested `nested` custom<Nested>(type($nested)) attr-dict",
	}
}

// SameTypeAsAttr has a result of the type that its attribute carries.
var SameTypeAsAttr = ir.NewOpID("test.result_has_same_type_as_attr")

func sameTypeAsAttrDef() *ir.OpDef {
	return &ir.OpDef{
		ID:        SameTypeAsAttr,
		Results:   []ir.ResultDef{ir.Result("result", constraint.AnyType)},
		Attrs:     []ir.AttrDef{{Name: "attr", Type: constraint.TypedAttr}},
		TypeRules: []ir.TypeRule{{Same: []string{"attr", "result"}, Summary: "all of {attr, result} have same type"}},
		Format:    "$attr `->` type($result) attr-dict",
	}
}

// Operations with variadic groups of operands or results.
var (
	MixedVariadicOperand = ir.NewOpID("test.mixed_normal_variadic_operand")
	MixedVariadicResult  = ir.NewOpID("test.mixed_normal_variadic_result")
	OneVariadic          = ir.NewOpID("test.one_variadic_out_one_variadic_in1")
)

func mixedVariadicOperandDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       MixedVariadicOperand,
		Operands: []ir.OperandDef{ir.VariadicOperand("input1", constraint.AnyTensor), ir.Operand("input2", constraint.AnyTensor), ir.VariadicOperand("input3", constraint.AnyTensor)},
	}
}

func mixedVariadicResultDef() *ir.OpDef {
	return &ir.OpDef{
		ID:      MixedVariadicResult,
		Results: []ir.ResultDef{ir.VariadicResult("output1", constraint.AnyTensor), ir.Result("output2", constraint.AnyTensor), ir.VariadicResult("output3", constraint.AnyTensor)},
	}
}

func oneVariadicDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       OneVariadic,
		Operands: []ir.OperandDef{ir.VariadicOperand("input1", constraint.I32)},
		Results:  []ir.ResultDef{ir.VariadicResult("output1", constraint.I32)},
	}
}

// onIntegers declares an operation on n integers of any type.
func onIntegers(id *ir.OpID, n int) *ir.OpDef {
	d := &ir.OpDef{ID: id, Results: []ir.ResultDef{ir.Result("output", constraint.I32)}}
	for range n {
		d.Operands = append(d.Operands, ir.Operand("", constraint.AnyInteger))
	}
	return d
}

// Operations that conversions start from.
var (
	EitherA      = ir.NewOpID("test.either_op_a")
	EitherB      = ir.NewOpID("test.either_op_b")
	TypeProducer = ir.NewOpID("test.type_producer")
	TypeConsumer = ir.NewOpID("test.type_consumer")
	TypeChanger  = ir.NewOpID("test.type_changer")
	IllegalA     = ir.NewOpID("test.illegal_op_a")
	IllegalB     = ir.NewOpID("test.illegal_op_b")
	LegalA       = ir.NewOpID("test.legal_op_a")
	// ConversionCall is a call that is yet to be converted.
	ConversionCall = ir.NewOpID("test.conversion_call_op")
)

func eitherADef() *ir.OpDef {
	return onIntegers(EitherA, 3)
}

func eitherBDef() *ir.OpDef {
	return onIntegers(EitherB, 2)
}

func typeProducerDef() *ir.OpDef {
	return &ir.OpDef{ID: TypeProducer, Results: []ir.ResultDef{ir.Result("", constraint.AnyType)}}
}

func typeConsumerDef() *ir.OpDef {
	return &ir.OpDef{ID: TypeConsumer, Operands: []ir.OperandDef{ir.Operand("", constraint.AnyType)}}
}

func typeChangerDef() *ir.OpDef {
	return &ir.OpDef{ID: TypeChanger, Operands: []ir.OperandDef{ir.Operand("", constraint.AnyType)}, Results: []ir.ResultDef{ir.Result("", constraint.AnyType)}}
}

func illegalADef() *ir.OpDef {
	return onI32(IllegalA, 0, 0)
}

func illegalBDef() *ir.OpDef {
	return onI32(IllegalB, 0, 0)
}

func legalADef() *ir.OpDef {
	return withI32Result(withAttrs(LegalA, "status", constraint.StrAttr))
}

func conversionCallDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       ConversionCall,
		Operands: []ir.OperandDef{ir.VariadicOperand("inputs", constraint.AnyType)},
		Results:  []ir.ResultDef{ir.VariadicResult("", constraint.AnyType)},
		Attrs:    []ir.AttrDef{{Name: "callee", Type: constraint.SymbolRef}},
	}
}

// Operations on tensors whose shapes or types are the same by a trait.
func shapeOps() []*ir.OpDef {
	return []*ir.OpDef{
		{
			ID: ir.NewOpID("test.same_operand_element_type"), Traits: ir.TraitSameOperandsElementType,
			Operands: []ir.OperandDef{ir.Operand("", constraint.AnyType), ir.Operand("", constraint.AnyType)},
			Results:  []ir.ResultDef{ir.Result("", constraint.AnyType)},
		},
		{
			ID: ir.NewOpID("test.same_operand_and_result_element_type"), Traits: ir.TraitSameOperandsAndResultElementType,
			Operands: []ir.OperandDef{ir.VariadicOperand("", constraint.AnyType)}, Results: []ir.ResultDef{ir.VariadicResult("", constraint.AnyType)},
		},
		{
			ID: ir.NewOpID("test.same_operand_shape"), Traits: ir.TraitSameOperandsShape,
			Operands: []ir.OperandDef{ir.VariadicOperand("", constraint.AnyShaped)},
		},
		{
			ID: ir.NewOpID("test.same_operand_and_result_shape"), Traits: ir.TraitSameOperandsAndResultShape,
			Operands: []ir.OperandDef{ir.VariadicOperand("", constraint.AnyShaped)}, Results: []ir.ResultDef{ir.VariadicResult("", constraint.AnyShaped)},
		},
		{
			ID: ir.NewOpID("test.same_operand_and_result_type"), Traits: ir.TraitSameOperandsAndResultType,
			Operands: []ir.OperandDef{ir.VariadicOperand("", constraint.AnyType)}, Results: []ir.ResultDef{ir.VariadicResult("", constraint.AnyType)},
		},
	}
}

// Operations that upstream defines at run time.
var (
	DynamicGeneric              = ir.NewOpID("test.dynamic_generic")
	DynamicOneOperandTwoResults = ir.NewOpID("test.dynamic_one_operand_two_results")
	DynamicCustom               = ir.NewOpID("test.dynamic_custom_parser_printer")
)

func dynamicGenericDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       DynamicGeneric,
		Operands: []ir.OperandDef{ir.VariadicOperand("", constraint.AnyType)},
		Results:  []ir.ResultDef{ir.VariadicResult("", constraint.AnyType)},
		Regions:  []ir.RegionDef{{Variadic: true}},
	}
}

func dynamicOneOperandTwoResultsDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       DynamicOneOperandTwoResults,
		Operands: []ir.OperandDef{ir.VariadicOperand("", constraint.AnyType)},
		Results:  []ir.ResultDef{ir.VariadicResult("", constraint.AnyType)},
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
}

func dynamicCustomDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       DynamicCustom,
		Operands: []ir.OperandDef{ir.VariadicOperand("", constraint.AnyType)},
		Results:  []ir.ResultDef{ir.VariadicResult("", constraint.AnyType)},
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
}

// FoldAdaptor has operands of all kinds.
var FoldAdaptor = ir.NewOpID("test.fold_with_fold_adaptor")

func foldAdaptorDef() *ir.OpDef {
	return &ir.OpDef{
		ID: FoldAdaptor,
		Operands: []ir.OperandDef{ir.Operand("op", constraint.I32), ir.VariadicOperand("operands", constraint.I32),
			{Name: "variadic", Type: constraint.I32, Arity: ir.VariadicOfVariadic, Segments: "attr"}},
		Results: []ir.ResultDef{ir.Result("", constraint.I32)},
		Attrs: []ir.AttrDef{{Name: "attr", Type: constraint.DenseI32Array, Derived: true},
			{Name: ir.OperandSegmentsAttr, Type: constraint.Segments, Derived: true}},
		Regions: []ir.RegionDef{{Name: "body"}},
		Traits:  ir.TraitAttrSizedOperandSegments | ir.TraitNoTerminator,
		Format:  "$op `,` `[` $operands `]` `,` `{` $variadic `}` $body attr-dict-with-keyword",
		Fold:    weightedSum,
	}
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
