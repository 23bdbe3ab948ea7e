package testd

import (
	"freehold/ir"
	"freehold/ir/constraint"
)

// formatted declares an operation that exercises an assembly format.
func formatted(name, format string, more ir.OpDef) *ir.OpDef {
	return (&ir.OpDef{ID: ir.NewOpID("test." + name), Format: format}).With(more)
}

// optionalResult declares a result group of at most one value.
func optionalResult(name string, t ir.TypeConstraint) ir.ResultDef {
	return ir.ResultDef{Name: name, Type: t, Arity: ir.Optional}
}

// optionalAttr declares an attribute that may be missing.
func optionalAttr(name string, t ir.AttrConstraint) []ir.AttrDef {
	return []ir.AttrDef{{Name: name, Type: t, Optional: true}}
}

// ownAttr accepts an attribute of the dialect, which formats spell without its prefix.
func ownAttr(mnemonic string) ir.AttrConstraint {
	match := func(a ir.Attribute) bool {
		d, ok := a.(*ir.DialectAttr)
		return ok && d.Dialect.Name == dialectName && d.Mnemonic == mnemonic
	}
	return ir.AttrConstraint{Match: match, Class: match, Kind: ir.DialectAttrKind, Attribute: dialectName + "." + mnemonic}
}

var (
	resultSegments = []ir.AttrDef{{Name: ir.ResultSegmentsAttr, Type: constraint.Segments, Derived: true}}
	oneRegion      = []ir.RegionDef{{Name: "region"}}
	regionList     = []ir.RegionDef{{Name: "regions", Variadic: true}}

	buildableOperands = ir.OpDef{Operands: []ir.OperandDef{ir.Operand("buildable", constraint.I64), ir.Operand("operand", constraint.AnyMemRef)}}
	buildableResults  = ir.OpDef{Results: []ir.ResultDef{ir.Result("buildable_res", constraint.I64), ir.Result("result", constraint.AnyMemRef)}}
	optionalResults   = ir.OpDef{Results: []ir.ResultDef{optionalResult("optional", constraint.I64), ir.VariadicResult("variadic", constraint.I64)},
		Attrs: resultSegments, Traits: ir.TraitAttrSizedResultSegments}
	optionalOperands = ir.OpDef{Operands: []ir.OperandDef{ir.OptionalOperand("optional", constraint.I64), ir.VariadicOperand("variadic", constraint.I64)},
		Results: []ir.ResultDef{optionalResult("optional_res", constraint.I64)},
		Attrs:   operandSegments, Traits: ir.TraitAttrSizedOperandSegments}
	threeOptional = ir.OpDef{Operands: []ir.OperandDef{ir.OptionalOperand("arg0", constraint.AnyType), ir.OptionalOperand("arg1", constraint.AnyType), ir.OptionalOperand("arg2", constraint.AnyType)},
		Attrs: operandSegments, Traits: ir.TraitAttrSizedOperandSegments}
	f80         = ir.TypeConstraint{Summary: "80-bit float", Match: func(t ir.Type) bool { return t == ir.Type(ir.F80) }}
	anyOperands = []ir.OperandDef{ir.VariadicOperand("args", constraint.AnyType)}
	anyResult   = []ir.ResultDef{ir.Result("result", constraint.AnyType)}
)

// typeOfValue is the rule that the result has the type of the value.
func typeOfValue(value string) []ir.TypeRule {
	return []ir.TypeRule{{From: "value", To: "result", Transform: func(t ir.Type) ir.Type { return t }, Summary: "result type matches " + value}}
}

// operandTypes infers results of the types of the operands.
func operandTypes(s *ir.OpState) ([]ir.Type, error) {
	types := s.TypeRoom(len(s.Operands))
	for _, v := range s.Operands {
		types = append(types, v.Type())
	}
	return types, nil
}

// inferring declares an operation whose results have the types of its operands.
func inferring(name, format string, operands ...ir.OperandDef) *ir.OpDef {
	return formatted(name, format, ir.OpDef{Operands: operands, Results: []ir.ResultDef{ir.VariadicResult("outs", constraint.AnyType)}, InferTypes: operandTypes})
}

// formatOps are operations that spell each kind of thing in several ways.
func formatOps() []*ir.OpDef {
	return []*ir.OpDef{
		formatted("op.with_dot_in_name", "attr-dict", ir.OpDef{}),
		formatted("format_literal_op", "`keyword_$.` `->` `:` `,` `=` `<` `>` `(` `)` `[` `]` `` `(` ` ` `)` `?` `+` `*` ` ` `{` `\\n` `}` attr-dict", ir.OpDef{}),

		formatted("format_attr_op", "$attr attr-dict", *withAttrs(nil, "attr", constraint.I64Attr)),
		formatted("format_opt_attr_op_a", "(`(` $opt_attr^ `)`)? attr-dict", ir.OpDef{Attrs: optionalAttr("opt_attr", constraint.I64Attr)}),
		formatted("format_opt_attr_op_b", "($opt_attr^)? attr-dict", ir.OpDef{Attrs: optionalAttr("opt_attr", constraint.I64Attr)}),
		formatted("format_attr_dict_w_keyword", "attr-dict-with-keyword", ir.OpDef{Attrs: []ir.AttrDef{{Name: "attr", Type: constraint.I64Attr}, {Name: "opt_attr", Type: constraint.I64Attr, Optional: true}}}),
		formatted("format_optional_unit_attribute", "(`is_optional` $is_optional^)? attr-dict", ir.OpDef{Attrs: optionalAttr("is_optional", constraint.UnitAttr)}),
		formatted("format_opt_symbol_name_attr_op", "($opt_attr^)? attr-dict", ir.OpDef{Attrs: optionalAttr("opt_attr", constraint.SymbolNameAttr)}),
		formatted("format_optional_else", "(`then` $isFirstBranchPresent^) : (`else`)? attr-dict", ir.OpDef{Attrs: optionalAttr("isFirstBranchPresent", constraint.UnitAttr)}),
		formatted("format_literal_following_optional_group", "(`(` $value^ `)`)? `:` $type attr-dict", ir.OpDef{Attrs: []ir.AttrDef{{Name: "type", Type: constraint.TypeAttr}, {Name: "value", Type: constraint.AnyAttr, Optional: true}}}),
		formatted("format_compound_attr", "$compound attr-dict-with-keyword", *withAttrs(nil, "compound", ownAttr("cmpnd_a"))),
		formatted("format_nested_attr", "$nested attr-dict-with-keyword", *withAttrs(nil, "nested", ownAttr("cmpnd_nested"))),
		formatted("format_cpmd_nested_attr", "`nested` $nested attr-dict-with-keyword", *withAttrs(nil, "nested", ownAttr("cmpnd_nested_outer"))),
		formatted("format_qual_cpmd_nested_attr", "`nested` qualified($nested) attr-dict-with-keyword", *withAttrs(nil, "nested", ownAttr("cmpnd_nested_outer"))),
		formatted("oilist_with_keywords_only", "oilist( `keyword` $keyword | `otherKeyword` $otherKeyword ) attr-dict",
			ir.OpDef{Attrs: append(optionalAttr("keyword", constraint.UnitAttr), optionalAttr("otherKeyword", constraint.UnitAttr)...)}),
		formatted("has_str_value", "attr-dict", *withAttrs(nil, "value", constraint.StrAttr)),

		formatted("format_region_a_op", "regions attr-dict", ir.OpDef{Regions: oneRegion}),
		formatted("format_region_b_op", "$region attr-dict", ir.OpDef{Regions: oneRegion}),
		formatted("format_region_c_op", "(`region` $region^)? attr-dict", ir.OpDef{Regions: oneRegion}),
		formatted("format_variadic_region_a_op", "$regions attr-dict", ir.OpDef{Regions: regionList}),
		formatted("format_variadic_region_b_op", "($regions^ `found_regions`)? attr-dict", ir.OpDef{Regions: regionList}),
		formatted("format_implicit_terminator_region_a_op", "$region attr-dict", ir.OpDef{Regions: []ir.RegionDef{{Name: "region"}}, Traits: ir.TraitSingleBlock, ImplicitTerminator: Return}),
		formatted("format_successor_a_op", "$targets attr-dict", ir.OpDef{Successors: []ir.SuccessorDef{{Name: "targets", Variadic: true}}, Traits: ir.TraitTerminator}),

		formatted("format_operand_a_op", "operands `:` type(operands) attr-dict", buildableOperands),
		formatted("format_operand_b_op", "$buildable `,` $operand `:` type($operand) attr-dict", buildableOperands),
		formatted("format_operand_c_op", "$buildable `,` $operand `:` type(operands) attr-dict", buildableOperands),
		formatted("format_operand_d_op", "$buildable `,` $operand `:` type($operand) attr-dict", buildableOperands),
		formatted("format_operand_e_op", "$buildable `,` $operand `:` type($buildable) `,` type($operand) attr-dict", buildableOperands),
		formatted("format_variadic_operand", "$operand `:` type($operand) attr-dict", ir.OpDef{Operands: []ir.OperandDef{ir.VariadicOperand("operand", constraint.I64)}}),
		formatted("format_multiple_variadic_operands", "` ` `(` $buildable `)` `,` `(` $operand `:` type($operand) `)` attr-dict", ir.OpDef{
			Operands: []ir.OperandDef{ir.VariadicOperand("buildable", constraint.I64), ir.VariadicOperand("operand", constraint.AnyMemRef)},
			Attrs:    operandSegments, Traits: ir.TraitAttrSizedOperandSegments}),
		formatted("format_two_variadic_operands_no_buildable_type_op", "`(` $a `:` type($a) `)` `->` `(` $b `:` type($b) `)` attr-dict", ir.OpDef{
			Operands: []ir.OperandDef{ir.VariadicOperand("a", constraint.AnyType), ir.VariadicOperand("b", constraint.AnyType)},
			Attrs:    operandSegments, Traits: ir.TraitAttrSizedOperandSegments}),
		formatted("format_optional_operand_result_a_op", "`(` $optional `:` type($optional) `)` `:` type($optional_res) (`[` $variadic^ `]`)? attr-dict", optionalOperands),
		formatted("format_optional_operand_result_b_op", "(`(` $optional^ `:` type($optional) `)`)? `:` type($optional_res) (`[` $variadic^ `]`)? attr-dict", optionalOperands),
		formatted("oilist_with_simple_args", "oilist( `keyword` $arg0 `:` type($arg0) | `otherKeyword` $arg1 `:` type($arg1) | `thirdKeyword` $arg2 `:` type($arg2) ) attr-dict", threeOptional),

		formatted("format_buildable_type_op", "$buildable attr-dict", ir.OpDef{Operands: []ir.OperandDef{ir.Operand("buildable", constraint.I64)}, Results: ir.SingleResult("buildable_res", constraint.I64)}),
		formatted("format_result_a_op", "type($result) attr-dict", buildableResults),
		formatted("format_result_b_op", "type($buildable_res) `,` type($result) attr-dict", buildableResults),
		formatted("format_result_c_op", "functional-type($buildable_res, $result) attr-dict", buildableResults),
		formatted("format_variadic_result", "`:` type($result) attr-dict", ir.OpDef{Results: []ir.ResultDef{ir.VariadicResult("result", constraint.I64)}}),
		formatted("format_multiple_variadic_results", "`:` `(` type($result0) `)` `,` `(` type($result1) `)` attr-dict", ir.OpDef{
			Results: []ir.ResultDef{ir.VariadicResult("result0", constraint.I64), ir.VariadicResult("result1", constraint.AnyMemRef)},
			Attrs:   resultSegments, Traits: ir.TraitAttrSizedResultSegments}),
		formatted("format_optional_result_a_op", "(`:` type($optional)^ `->` type($variadic))? attr-dict", optionalResults),
		formatted("format_optional_result_b_op", "(`:` type($optional) `->` type($variadic)^)? attr-dict", optionalResults),
		formatted("format_optional_result_c_op", "(`:` functional-type($optional, $variadic)^)? attr-dict", optionalResults),

		formatted("format_optional_result_d_op", "(`:` type($optional)^)? attr-dict", ir.OpDef{Results: []ir.ResultDef{optionalResult("optional", f80)}}),

		formatted("format_types_match_var", "attr-dict $value `:` type($value)", ir.OpDef{
			Operands: []ir.OperandDef{ir.Operand("value", constraint.AnyType)}, Results: anyResult, TypeRules: typeOfValue("operand")}),
		formatted("format_types_match_attr", "attr-dict $value", ir.OpDef{
			Attrs: []ir.AttrDef{{Name: "value", Type: constraint.TypedAttr}}, Results: anyResult, TypeRules: typeOfValue("constant")}),
		formatted("format_types_match_context", "attr-dict $value `:` type($value)", ir.OpDef{
			Operands: []ir.OperandDef{ir.Operand("value", constraint.AnyType)}, Results: anyResult,
			TypeRules: []ir.TypeRule{{From: "value", To: "result", TransformIn: func(c *ir.Context, t ir.Type) ir.Type { return c.Tuple(t) }, Summary: "tuple result type matches operand type"}}}),
		formatted("format_all_types_match_var", "attr-dict $value1 `,` $value2 `:` type($value1)", ir.OpDef{
			Operands: []ir.OperandDef{ir.Operand("value1", constraint.AnyType), ir.Operand("value2", constraint.AnyType)}, Results: anyResult,
			TypeRules: []ir.TypeRule{{Same: []string{"value1", "value2", "result"}, Summary: "all of {value1, value2, result} have same type"}}}),
		formatted("format_all_types_match_attr", "attr-dict $value1 `,` $value2", ir.OpDef{
			Attrs: []ir.AttrDef{{Name: "value1", Type: constraint.TypedAttr}}, Operands: []ir.OperandDef{ir.Operand("value2", constraint.AnyType)}, Results: anyResult,
			TypeRules: []ir.TypeRule{{Same: []string{"value1", "value2", "result"}, Summary: "all of {value1, value2, result} have same type"}}}),
		formatted("format_infer_variadic_type_from_non_variadic", "$args attr-dict `:` type($result)", ir.OpDef{Operands: anyOperands, Results: anyResult, Traits: ir.TraitSameOperandsAndResultType}),

		formatted("format_infer_type", "attr-dict", ir.OpDef{Results: anyResult, InferTypes: inferI16}),
		formatted("format_infer_type2", "attr-dict", ir.OpDef{Results: anyResult, InferTypes: inferI16}),
		formatted("format_infer_type_regions", "$region attr-dict", ir.OpDef{Regions: oneRegion, Results: []ir.ResultDef{ir.VariadicResult("outs", constraint.AnyType)}, InferTypes: inferRegionArgs}),
		inferring("format_infer_type_all_operands_and_types", "`(` operands `)` attr-dict `:` type(operands)", anyOperands...),
		inferring("format_infer_type_all_types_one_operand", "`(` $args `)` attr-dict `:` type(operands)", anyOperands...),
		inferring("format_infer_type_all_types_two_operands", "`(` $args0 `)` `(` $args1 `)` attr-dict `:` type(operands)",
			ir.VariadicOperand("args0", constraint.AnyType), ir.VariadicOperand("args1", constraint.AnyType)),
		inferring("format_infer_type_all_types", "`(` operands `)` attr-dict `:` type(operands)", anyOperands...),
		inferring("format_infer_type_variadic_operands", "`(` $args0 `:` type($args0) `)` `(` $args1 `:` type($args1) `)` attr-dict",
			ir.VariadicOperand("args0", constraint.I32), ir.VariadicOperand("args1", constraint.I64)).
			With(ir.OpDef{Attrs: operandSegments, Traits: ir.TraitAttrSizedOperandSegments}),
	}
}

func inferI16(s *ir.OpState) ([]ir.Type, error) {
	return append(s.TypeRoom(1), ir.I16), nil
}

// inferRegionArgs infers results of the types of the region's arguments.
func inferRegionArgs(s *ir.OpState) ([]ir.Type, error) {
	if len(s.Regions) == 0 || s.Regions[0].Empty() {
		return nil, nil
	}
	entry := s.Regions[0].Entry()
	types := s.TypeRoom(entry.NumArgs())
	for i := range entry.NumArgs() {
		types = append(types, entry.Arg(i).Type())
	}
	return types, nil
}
