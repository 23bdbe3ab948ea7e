package asm_test

import (
	"slices"
	"strings"
	"testing"

	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

var (
	anyOperand  = []ir.OperandDef{{Name: "a", Type: constraint.AnyType}}
	twoOperands = []ir.OperandDef{{Name: "a", Type: constraint.AnyType}, {Name: "b", Type: constraint.AnyType}}
	anyResult   = []ir.ResultDef{{Name: "r", Type: constraint.AnyType}}

	color = &ir.EnumDef{Name: "color", Int: ir.I64, Cases: []ir.EnumCase{{Keyword: "red", Value: 0}, {Keyword: "green", Value: 1}}}
	flags = &ir.EnumDef{Dialect: "t", Mnemonic: "flags", Name: "flags", Bit: true, Separator: ",",
		Cases: []ir.EnumCase{{Keyword: "none", Value: 0}, {Keyword: "x", Value: 1}, {Keyword: "y", Value: 2}}}
)

// formatOps are operations of the dialect t, with the constructs of the format
// language between them.
var formatEnd = ir.NewOpID("t.end")

var formatOps = []*ir.OpDef{
	{ID: ir.NewOpID("t.same"), Operands: twoOperands, Results: anyResult, Traits: ir.TraitSameOperandsAndResultType,
		Format: "$a `,` $b attr-dict `:` type($r)"},
	{ID: ir.NewOpID("t.rule"), Operands: twoOperands, Results: anyResult,
		TypeRules: []ir.TypeRule{{Same: []string{"a", "r"}}, {From: "a", To: "b", Transform: ir.ElementType}},
		Format:    "$a `[` $b `]` attr-dict `:` type($a)"},
	{ID: ir.NewOpID("t.functional"), Operands: []ir.OperandDef{{Name: "a", Type: constraint.AnyType, Arity: ir.Variadic}}, Results: anyResult,
		Format: "`(` $a `)` attr-dict `:` functional-type(operands, results)"},
	{ID: ir.NewOpID("t.buildable"), Operands: []ir.OperandDef{{Name: "a", Type: constraint.Index}}, Format: "$a attr-dict"},
	{ID: ir.NewOpID("t.groups"), Traits: ir.TraitAttrSizedOperandSegments,
		Operands: []ir.OperandDef{{Name: "a", Type: constraint.AnyType, Arity: ir.Optional}, {Name: "b", Type: constraint.Index, Arity: ir.Variadic}},
		Attrs:    []ir.AttrDef{{Name: ir.OperandSegmentsAttr, Type: constraint.Segments, Derived: true}},
		Format:   "($a^ `:` type($a))? (`with` `(` $b^ `)`)? attr-dict"},
	{ID: ir.NewOpID("t.nested"), Traits: ir.TraitAttrSizedOperandSegments,
		Operands: []ir.OperandDef{{Name: "a", Type: constraint.AnyType, Arity: ir.VariadicOfVariadic, Segments: "sizes"}},
		Attrs: []ir.AttrDef{{Name: "sizes", Type: constraint.Segments, Derived: true},
			{Name: ir.OperandSegmentsAttr, Type: constraint.Segments, Derived: true}},
		Format: "`[` $a `]` attr-dict `:` type($a)"},
	{ID: ir.NewOpID("t.unit"), Attrs: []ir.AttrDef{{Name: "fast", Type: constraint.UnitAttr, Optional: true}, {Name: "slow", Type: constraint.UnitAttr, Optional: true}},
		Format: "(`fast` $fast^) : (`normal`)? (`slow` $slow^)? attr-dict"},
	{ID: ir.NewOpID("t.attrs"), Attrs: []ir.AttrDef{
		{Name: "name", Type: constraint.SymbolNameAttr}, {Name: "ref", Type: constraint.FlatSymbolRef},
		{Name: "n", Type: constraint.I64Attr}, {Name: "type", Type: constraint.TypeAttr},
		{Name: "list", Type: constraint.DenseI64Array}, {Name: "color", Type: constraint.Enum("color", color)},
		{Name: "flags", Type: constraint.Enum("flags", flags), Default: func(c *ir.Context) ir.Attribute { return c.EnumAttr(flags, 0) }},
		{Name: "any", Type: constraint.AnyAttr}},
		Format: "$name $ref $n $type $list $color (`flags` `` $flags^)? `=` $any attr-dict"},
	{ID: ir.NewOpID("t.dict"), Attrs: []ir.AttrDef{{Name: "b", Type: constraint.I32Attr, Default: func(c *ir.Context) ir.Attribute { return c.I32Attr(7) }},
		{Name: "o", Type: constraint.I32Attr, Optional: true}}, Format: "attr-dict"},
	{ID: ir.NewOpID("t.keyword"), Format: "attr-dict-with-keyword"},
	{ID: ir.NewOpID("t.oilist"), Attrs: []ir.AttrDef{{Name: "u", Type: constraint.UnitAttr, Optional: true}, {Name: "n", Type: constraint.I64Attr, Optional: true}},
		Format: "oilist( `unit` $u | `number` `(` $n `)` ) attr-dict"},
	{ID: ir.NewOpID("t.region"), Regions: []ir.RegionDef{{Name: "body"}}, Traits: ir.TraitSingleBlock | ir.TraitNoTerminator, Format: "$body attr-dict"},
	{ID: ir.NewOpID("t.implicit"), Regions: []ir.RegionDef{{Name: "body"}}, Traits: ir.TraitSingleBlock, ImplicitTerminator: formatEnd, Format: "attr-dict-with-keyword $body"},
	{ID: formatEnd, Traits: ir.TraitTerminator, Format: "attr-dict"},
	{ID: ir.NewOpID("t.indices"), Traits: ir.TraitAttrSizedOperandSegments,
		Operands: []ir.OperandDef{{Name: "a", Type: constraint.Index, Arity: ir.Variadic}},
		Attrs:    []ir.AttrDef{{Name: "static", Type: constraint.DenseI64Array}, {Name: ir.OperandSegmentsAttr, Type: constraint.Segments, Derived: true}},
		Format:   "`` custom<DynamicIndexList>($a, $static) attr-dict"},
	{ID: ir.NewOpID("t.branch"), Traits: ir.TraitTerminator, Successors: []ir.SuccessorDef{{Name: "dest"}},
		Operands: []ir.OperandDef{{Name: "a", Type: constraint.AnyType, Arity: ir.Variadic}},
		Format:   "$dest (`(` $a^ `:` type($a) `)`)? attr-dict"},
	{ID: ir.NewOpID("t.none")},
	{ID: ir.NewOpID("t.named"), Results: anyResult, Format: "attr-dict `:` type($r)", Models: []ir.Model{
		asm.ResultNames.Model(func(op *ir.Op, name func(*ir.Value, string)) { name(op.Result(0), "c") })}},
}

var formatDialects = []*ir.Dialect{
	{Name: "t", Ops: func() []*ir.OpDef { return formatOps }, Models: []ir.Model{asm.Enums.Model([]*ir.EnumDef{flags})}},
	{Name: "builtin", Ops: func() []*ir.OpDef {
		return []*ir.OpDef{{ID: ir.NewOpID("builtin.module"), Regions: []ir.RegionDef{{Name: "body", Sized: 1}}, Format: "attr-dict-with-keyword $body",
			Traits: ir.TraitIsolatedFromAbove | ir.TraitSingleBlock | ir.TraitNoTerminator | ir.TraitSymbolTable}}
	}},
}

func parseFormatted(t *testing.T, src string) *ir.Op {
	t.Helper()
	c := ir.NewContext(formatDialects...)
	c.AllowUnregistered = true
	m, err := asm.Parse(c, []byte(src), "test.mlir", asm.ParseOptions{})
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return m
}

func TestFormatsCompile(t *testing.T) {
	c := ir.NewContext(formatDialects...)
	for _, def := range formatOps {
		if err := asm.CheckFormat(c.OpNameOf(def.ID)); err != nil {
			t.Error(err)
		}
	}
}

// TestFormatRoundTrip reads and prints what formats describe; an empty want means
// that the text stays as it is.
func TestFormatRoundTrip(t *testing.T) {
	const defs = `%i, %f, %t = "d.ef"() : () -> (index, f32, tensor<4xf32>)` + "\n  "
	for _, x := range []struct{ src, want string }{
		{src: "%1 = t.same %0#1, %0#1 : f32"},
		{src: "%1 = t.same %0#1, %0#1 {x} : f32"},
		{src: "%1 = t.rule %0#2[%0#1] : tensor<4xf32>"},
		{src: "%1 = t.functional() : () -> i1"},
		{src: "%1 = t.functional(%0#0, %0#1) {x = 1 : i64} : (index, f32) -> i1"},
		{src: "%1 = t.functional() : () -> (() -> i1)"},
		{src: "t.buildable %0#0"},
		{src: "t.groups"},
		{src: "t.groups %0#1 : f32"},
		{src: "t.groups with(%0#0, %0#0)"},
		{src: "t.groups %0#1 : f32 with(%0#0) {x}"},
		{src: "t.nested[(%0#0, %0#1), (), (%0#2)] : (index, f32), (), (tensor<4xf32>)"},
		{src: "t.unit normal"},
		{src: "t.unit fast slow {x}"},
		{src: "t.attrs @n @\"r s\" 3 f32 [1, -2] green = unit"},
		{src: "t.attrs @n @r 3 () -> f32 [] red flags<x,y> = dense<1> : tensor<2xi8>"},
		{src: "t.attrs @n @r 3 f32 [1] red flags<none> = 1", want: "t.attrs @n @r 3 f32 [1] red = 1 : i64"},
		{src: "t.attrs @n @r 3 f32 [1] \"red\" = 1 : i3", want: "t.attrs @n @r 3 f32 [1] red = 1 : i3"},
		{src: "t.dict"},
		{src: "t.dict {b = 7 : i32, a}", want: "t.dict {a}"},
		{src: "t.dict {a, b = 8 : i32, c, o = 1 : i32}"},
		{src: "t.keyword attributes {x = 2 : i8}"},
		{src: "t.oilist unit"},
		{src: "t.oilist number(3) unit", want: "t.oilist unit number(3)"},
		{src: "t.region {\n  }"},
		{src: "t.region {\n    t.dict\n  }"},
		{src: "t.implicit {\n    t.dict\n  }"},
		{src: "t.implicit attributes {x} {\n    t.dict\n    t.end\n  }", want: "t.implicit attributes {x} {\n    t.dict\n  }"},
		{src: "t.implicit {\n    t.end {keep}\n  }"},
		{src: "t.indices[]"},
		{src: "t.indices[%0#0, 4, %0#0] {x}"},
		{src: `"t.none"() : () -> ()`},
		{src: "%c = t.named : i1\n  %c_0 = t.named : i2\n  \"u.se\"(%c, %c_0) : (i1, i2) -> ()"},
	} {
		src := strings.NewReplacer("%0#0", "%i", "%0#1", "%f", "%0#2", "%t").Replace(x.src)
		m := parseFormatted(t, defs+src)
		want := x.want
		if want == "" {
			want = x.src
		}
		want = "module {\n  %0:3 = \"d.ef\"() : () -> (index, f32, tensor<4xf32>)\n  " + want + "\n}\n"
		got := string(asm.Print(m, asm.PrintOptions{AssumeVerified: true}))
		if got != want {
			t.Errorf("got\n%swant\n%s", got, want)
			continue
		}
		// The generic form is the same program.
		again := parseFormatted(t, string(asm.Print(m, asm.PrintOptions{Generic: true})))
		if text := string(asm.Print(again, asm.PrintOptions{AssumeVerified: true})); text != want {
			t.Errorf("by way of the generic form got\n%swant\n%s", text, want)
		}
	}
}

func TestFormatErrors(t *testing.T) {
	const defs = `%i, %f = "d.ef"() : () -> (index, f32)` + "\n"
	for _, x := range []struct{ src, want string }{
		{"t.attrs @n @r 3 f32 [1] blue = 1", "custom op 't.attrs' expected string or keyword containing one of the following enum values for attribute 'color' [red, green]"},
		{`t.attrs @n @r 3 f32 [1] "blue" = 1`, `custom op 't.attrs' invalid color attribute specification: "blue"`},
		{"t.attrs n", "custom op 't.attrs' expected valid '@'-identifier for symbol name"},
		{"t.dict {b = 7 : i8}", "custom op 't.dict' 't.dict' op attribute 'b' failed to satisfy constraint: 32-bit signless integer attribute"},
		{"t.oilist unit unit", "custom op 't.oilist' `unit` clause can appear at most once in the expansion of the oilist directive"},
		{"%r = t.functional(%i) : (f32, f32) -> i1", "custom op 't.functional' 1 operands present, but expected 2"},
		{"%r = t.same %i %f : index", "expected ','"},
		{"t.indices[x]", "custom op 't.indices' expected integer value"},
	} {
		c := ir.NewContext(formatDialects...)
		c.AllowUnregistered = true
		_, err := asm.Parse(c, []byte(defs+x.src), "f", asm.ParseOptions{})
		if err == nil {
			t.Errorf("%s: no error", x.src)
			continue
		}
		msg := err.Error()
		if i := strings.Index(msg, ": "); i >= 0 {
			msg = msg[i+2:]
		}
		if !strings.HasPrefix(msg, x.want) {
			t.Errorf("%s:\ngot  %s\nwant %s", x.src, msg, x.want)
		}
	}
}

// TestWordsOf22 reads with a context of LLVM 22, whose messages say how many there are of both.
func TestWordsOf22(t *testing.T) {
	for src, want := range map[string]string{
		`%i = "d.ef"() : () -> index` + "\n" + "%r = t.functional(%i) : (f32, f32) -> i1": "number of operands and types do not match: got 1 operands and 2 types",
		`"d.ef"() : () -> vector<2x0x3xf32>`:                                              "f:1:18: vector types must have positive constant sizes but got 2, 0, 3",
	} {
		c := ir.NewContextFor(22, formatDialects...)
		c.AllowUnregistered = true
		_, err := asm.Parse(c, []byte(src), "f", asm.ParseOptions{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", src, err, want)
		}
	}
}

func TestFormatDefinitionErrors(t *testing.T) {
	for format, want := range map[string]string{
		"$x":                  "$x is not declared",
		"`a":                  "unterminated literal `a",
		"(`a` $a)?":           "an optional group has no anchor",
		"custom<No>($a)":      "there is no directive custom<No>",
		"type($a":             `expected ")", found ""`,
		"functional-type($a)": "functional-type takes 2 arguments",
	} {
		def := &ir.OpDef{ID: ir.NewOpID("t.x"), Operands: anyOperand, Format: format}
		c := ir.NewContext(&ir.Dialect{Name: "t", Ops: func() []*ir.OpDef { return []*ir.OpDef{def} }})
		err := asm.CheckFormat(c.OpNameOf(def.ID))
		if err == nil || err.Error() != "format of t.x: "+want {
			t.Errorf("%s: got %v, want %s", format, err, want)
		}
	}
}

// All that is wrong with a dialect is found without a program.
func TestCheckDialect(t *testing.T) {
	def := func(name, format string) *ir.OpDef {
		return &ir.OpDef{ID: ir.NewOpID(name), Operands: anyOperand, Format: format}
	}
	wrong := def("t.x", "$a attr-dict `:` type($a)")
	wrong.Earlier = []ir.Spelling{{Until: 18, Format: "$older"}}
	d := &ir.Dialect{Name: "t", Ops: func() []*ir.OpDef { return []*ir.OpDef{wrong, def("t.y", "$nosuch")} }}
	var got []string
	for _, err := range asm.CheckDialect(d) {
		got = append(got, err.Error())
	}
	if want := []string{"format of t.x: $older is not declared", "format of t.y: $nosuch is not declared"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	d = &ir.Dialect{Name: "t", Ops: func() []*ir.OpDef { return []*ir.OpDef{wrong, def("u.z", "$nosuch")} }}
	if errs := asm.CheckDialect(d); len(errs) != 1 || errs[0].Error() != `operation "u.z": the name doesn't start with that of its dialect, "t"` {
		t.Error(errs)
	}
}
