package llvm

import (
	"slices"

	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

const functionType = "function_type"

// Func is llvm.func, a function.
var Func = ir.NewOpID("llvm.func")

func funcDef() *ir.OpDef {
	return &ir.OpDef{ID: Func,
		Attrs: with([]ir.AttrDef{
			{Name: ir.SymbolNameAttr, Type: constraint.SymbolNameAttr},
			{Name: ir.SymbolVisibilityAttr, Type: constraint.StrAttr, Optional: true},
			attr(functionType, constraint.TypeAttr),
			withDefault("linkage", Linkage, 10),
			withDefault("CConv", CConv, 0),
			optional("passthrough", constraint.ArrayAttr),
			{Name: interfaces.ArgAttrs, Type: constraint.DictArray, Optional: true},
			{Name: interfaces.ResAttrs, Type: constraint.DictArray, Optional: true},
			zeroI64("visibility_"), zeroI64("unnamed_addr"),
		}, optionals(constraint.UnitAttr, "always_inline", "arm_in_za", "arm_inout_za", "arm_locally_streaming", "arm_new_za", "arm_out_za",
			"arm_preserves_za", "arm_streaming", "arm_streaming_compatible", "convergent", "dso_local", "no_inline", "no_unwind",
			"optimize_none", "will_return"),
			optionals(constraint.BoolAttr, "approx_func_fp_math", "no_infs_fp_math", "no_nans_fp_math", "no_signed_zeros_fp_math",
				"unsafe_fp_math"),
			optionals(constraint.StrAttr, "denormal_fp_math", "denormal_fp_math_f32", "fp_contract", "garbageCollector", "section",
				"target_cpu", "tune_cpu"),
			optionals(constraint.I64Attr, "alignment", "function_entry_count"),
			optionals(constraint.SymbolRef, "comdat", "personality"),
			optionals(constraint.AnyAttr, "frame_pointer", "memory", "target_features", "vscale_range"),
		),
		Later:   laterFunc(),
		Regions: []ir.RegionDef{{Name: "body"}},
		Traits:  ir.TraitAutomaticAllocationScope | ir.TraitIsolatedFromAbove | ir.TraitSymbol,
		Verify:  verifyFunc,
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parseFunc, Print: printFunc}),
			interfaces.Function.Model(interfaces.FunctionModel(functionModel{}))}}
}

// typeOf returns the type of a function, or nil.
func typeOf(fn *ir.Op) ir.Type {
	t, ok := fn.Attr(functionType).(*ir.TypeAttr)
	if !ok {
		return nil
	}
	return t.Type
}

// functionModel shows the type of a function as one with lists of parameters and
// results.
type functionModel struct{}

// Type implements interfaces.FunctionModel.
func (functionModel) Type(op *ir.Op) *ir.FunctionType {
	c := op.Context()
	result, params, _, ok := signature(typeOf(op))
	if !ok {
		return c.Function(nil, nil)
	}
	if _, void := is(result, voidType); void {
		return c.Function(params, nil)
	}
	return c.Function(params, []ir.Type{result})
}

// SetType implements interfaces.FunctionModel.
func (functionModel) SetType(op *ir.Op, t *ir.FunctionType) {
	c := op.Context()
	result := Void(c)
	if len(t.Results) > 0 {
		result = t.Results[0]
	}
	_, _, variadic, _ := signature(typeOf(op))
	op.SetAttr(functionType, c.TypeAttr(Function(c, result, t.Inputs, variadic)))
}

func verifyFunc(op *ir.Op) error {
	if _, _, _, ok := signature(typeOf(op)); !ok {
		return op.Errorf("requires '%s' attribute of wrapped LLVM function type", functionType)
	}
	linkage, _ := op.Attr("linkage").(*ir.EnumAttr)
	if linkage != nil && linkage.Keyword() == "common" {
		return op.Errorf("functions cannot have 'common' linkage")
	}
	body, t := op.RegionAt(0), functionModel{}.Type(op)
	params := t.Inputs
	if body.Empty() {
		for _, t := range slices.Concat(params, t.Results) {
			if !compatible(t) {
				return op.Errorf("'%s' is not an LLVM type", t)
			}
		}
		if linkage != nil && linkage.Keyword() != "external" && linkage.Keyword() != "extern_weak" {
			return op.Errorf("external functions must have 'external' or 'extern_weak' linkage")
		}
		return nil
	}
	entry := body.Entry()
	if entry.NumArgs() != len(params) {
		return op.Errorf("entry block must have %d arguments to match function signature", len(params))
	}
	for i, t := range params {
		if got := entry.Arg(i).Type(); got != t {
			return op.Errorf("type of entry block argument #%d('%s') must match the type of the corresponding argument in function signature('%s')", i, got, t)
		}
		if !compatible(t) {
			return op.Errorf("entry block argument #%d is not of LLVM type", i)
		}
	}
	for _, t := range t.Results {
		if !compatible(t) {
			return op.Errorf("'%s' is not an LLVM type", t)
		}
	}
	return nil
}

func keywords(e *ir.EnumDef) []string {
	var list []string
	for _, c := range e.Cases {
		list = append(list, c.Keyword)
	}
	return list
}

func parseFunc(p *asm.Parser, s *ir.OpState) error {
	c := p.Context()
	keyword := func(name string, e *ir.EnumDef) {
		if word, ok := p.OptionalAnyKeyword(keywords(e)...); ok {
			v, _ := e.Parse(word)
			s.SetAttr(name, c.EnumAttr(e, v))
		}
	}
	keyword("linkage", Linkage)
	for i := range symbolWords {
		parseSymbolWord(p, s, i)
	}
	keyword("CConv", CConv)
	pos := p.Pos()
	name, err := p.SymbolName()
	if err != nil {
		return err
	}
	s.SetAttr(ir.SymbolNameAttr, c.StringAttr(name))
	args, variadic, err := parseParameters(p)
	if err != nil {
		return err
	}
	result := Void(c)
	if p.Optional("->") {
		var list []ir.Type
		var dict *ir.DictAttr
		if p.At("(") {
			err = p.List(asm.Paren, func() error {
				t, err := p.Type()
				if err != nil {
					return err
				}
				list = append(list, t)
				dict, err = p.OptionalDictAttr()
				return err
			})
		} else {
			var t ir.Type
			t, err = p.Type()
			list = append(list, t)
		}
		if err != nil {
			return err
		}
		if len(list) > 1 {
			return p.Errorf(pos, "failed to construct function type: expected zero or one function result")
		}
		if len(list) == 1 {
			result = list[0]
			if !compatible(result) {
				return p.Errorf(pos, "failed to construct function type: expected LLVM type for function results")
			}
		}
		if dict != nil && len(dict.Entries) > 0 {
			s.SetAttr(interfaces.ResAttrs, c.ArrayAttr(dict))
		}
	}
	params := make([]ir.Type, len(args))
	dicts, any := make([]ir.Attribute, len(args)), false
	for i, a := range args {
		params[i], dicts[i] = a.Type, c.DictAttr()
		if !compatible(a.Type) {
			return p.Errorf(pos, "failed to construct function type: expected LLVM type for function arguments")
		}
		if a.Attrs != nil && len(a.Attrs.Entries) > 0 {
			dicts[i], any = a.Attrs, true
		}
	}
	s.SetAttr(functionType, c.TypeAttr(Function(c, result, params, variadic)))
	if err := p.OptionalAttrDictWithKeyword(s); err != nil {
		return err
	}
	if any {
		s.SetAttr(interfaces.ArgAttrs, c.ArrayAttr(dicts...))
	}
	if len(args) > 0 && args[0].Name == "" {
		args = nil
	}
	_, err = p.OptionalRegion(s.AddRegion(), args)
	return err
}

// parseParameters reads (args, ...), all with names or all without.
func parseParameters(p *asm.Parser) (args []asm.Argument, variadic bool, err error) {
	err = p.List(asm.Paren, func() error {
		if p.Optional(ellipsis) {
			variadic = true
			return nil
		}
		a, named, err := p.OptionalArgument(true, true)
		if err != nil {
			return err
		}
		if !named {
			if a.Type, err = p.Type(); err != nil {
				return err
			}
			if a.Attrs, err = p.OptionalDictAttr(); err != nil {
				return err
			}
		}
		args = append(args, a)
		return nil
	})
	return args, variadic, err
}

func printFunc(p *asm.Printer, op *ir.Op) {
	c := op.Context()
	p.Text(" ")
	keyword := func(n string) {
		d := op.Def().Attrs[op.Def().AttrIndex(n)]
		if e, ok := op.Attr(n).(*ir.EnumAttr); ok && op.Attr(n) != d.Default(c) {
			p.Text(e.Keyword() + " ")
		}
	}
	keyword("linkage")
	for i := range symbolWords {
		printSymbolWord(p, op, i)
	}
	keyword("CConv")
	name, _ := ir.SymbolName(op)
	p.SymbolName(name)
	result, params, variadic, _ := signature(typeOf(op))
	dictAt := func(list string, i int) *ir.DictAttr {
		arr, ok := op.Attr(list).(*ir.ArrayAttr)
		if !ok || i >= len(arr.Elems) {
			return nil
		}
		d, _ := arr.Elems[i].(*ir.DictAttr)
		return d
	}
	p.Text("(")
	body := op.RegionAt(0)
	for i, t := range params {
		if i > 0 {
			p.Text(", ")
		}
		if !body.Empty() {
			p.Argument(body.Entry().Arg(i), dictAt(interfaces.ArgAttrs, i), false)
			continue
		}
		p.Type(t)
		if d := dictAt(interfaces.ArgAttrs, i); d != nil {
			p.OptionalAttrDict(d.Entries)
		}
	}
	if variadic {
		if len(params) > 0 {
			p.Text(", ")
		}
		p.Text(ellipsis)
	}
	p.Text(")")
	if _, void := is(result, voidType); !void {
		p.Text(" -> ")
		if d := dictAt(interfaces.ResAttrs, 0); d != nil && len(d.Entries) > 0 {
			p.Text("(")
			p.Type(result)
			p.OptionalAttrDict(d.Entries)
			p.Text(")")
		} else {
			p.Type(result)
		}
	}
	elided := []string{ir.SymbolNameAttr, functionType, interfaces.ArgAttrs, interfaces.ResAttrs, "linkage", "CConv", symbolWords[0].attr, symbolWords[1].attr}
	for _, d := range op.Def().Attrs {
		if d.Default != nil && op.Attr(d.Name) == d.Default(c) {
			elided = append(elided, d.Name)
		}
	}
	p.OptionalAttrDictWithKeyword(p.AllAttrs(op), elided...)
	if !body.Empty() {
		p.Text(" ")
		p.Region(body, false, true, false)
	}
}
