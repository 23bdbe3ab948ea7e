package llvm

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

const (
	globalType  = "global_type"
	globalValue = "value"
	addrSpace   = "addr_space"
	threadLocal = "thread_local_"
	comdat      = "comdat"
)

// Words for the attributes of symbols that are kept as numbers; that of 0 is not
// written.
var symbolWords = []struct {
	attr  string
	words []string
}{
	{"visibility_", []string{"", "hidden", "protected"}},
	{"unnamed_addr", []string{"", "local_unnamed_addr", "unnamed_addr"}},
}

// parseSymbolWord reads one of the words of a kind, if there is one.
func parseSymbolWord(p *asm.Parser, s *ir.OpState, kind int) {
	k, n := symbolWords[kind], 0
	for j := 1; j < len(k.words) && n == 0; j++ {
		if p.OptionalKeyword(k.words[j]) {
			n = j
		}
	}
	s.SetAttr(k.attr, p.Context().I64Attr(int64(n)))
}

func printSymbolWord(p *asm.Printer, op *ir.Op, kind int) {
	k := symbolWords[kind]
	if n, ok := op.Attr(k.attr).(*ir.IntegerAttr); ok && n.Value > 0 && n.Value < int64(len(k.words)) {
		p.Text(k.words[n.Value] + " ")
	}
}

// Global is llvm.mlir.global: a variable or constant that lives as long as the
// program. Its initial value is an attribute or what a region returns. The symbol of
// its comdat is not looked up.
var Global = ir.NewOpID("llvm.mlir.global")

func globalDef() *ir.OpDef {
	return &ir.OpDef{ID: Global,
		Attrs: []ir.AttrDef{
			attr(globalType, constraint.TypeAttr),
			optional("constant", constraint.UnitAttr),
			{Name: ir.SymbolNameAttr, Type: constraint.SymbolNameAttr},
			{Name: "linkage", Type: constraint.Enum("LLVM Linkage specification", Linkage)},
			optional("dso_local", constraint.UnitAttr), optional(threadLocal, constraint.UnitAttr),
			optional(globalValue, constraint.AnyAttr), alignment,
			{Name: addrSpace, Type: nonNegativeI32, Default: func(c *ir.Context) ir.Attribute { return c.IntegerAttr(ir.I32, 0) }},
			optional("unnamed_addr", constraint.I64Attr), optional("section", constraint.StrAttr),
			optional(comdat, constraint.SymbolRef), zeroI64("visibility_"), optional(debugExpr, constraint.AnyAttr),
		},
		Regions:            []ir.RegionDef{{Name: "initializer"}},
		Traits:             ir.TraitIsolatedFromAbove | ir.TraitSymbol | ir.TraitSingleBlock,
		ImplicitTerminator: Return,
		Later:              laterGlobal(),
		Verify:             verifyGlobal,
		VerifyRegions:      verifyInitializer,
		Models:             []ir.Model{asm.Assembly.Model(asm.OpAssembly{Parse: parseGlobal, Print: printGlobal})}}
}

var nonNegativeI32 = ir.AttrConstraint{Summary: "32-bit signless integer attribute whose value is non-negative",
	Class: constraint.I32Attr.Class, ValueType: constraint.I32Attr.ValueType,
	Match: func(a ir.Attribute) bool {
		i, ok := a.(*ir.IntegerAttr)
		return ok && constraint.I32Attr.Match(a) && i.Value >= 0
	}}

func globalTypeOf(op *ir.Op) ir.Type { return op.Attr(globalType).(*ir.TypeAttr).Type }

func verifyGlobal(op *ir.Op) error {
	t, value := globalTypeOf(op), op.Attr(globalValue)
	if !element(t) {
		return op.Errorf("expects type to be a valid element type for an LLVM global")
	}
	if p := op.Parent(); p != nil && (!p.Has(ir.TraitSymbolTable) || !p.Has(ir.TraitIsolatedFromAbove)) {
		return op.Errorf("must appear at the module level")
	}
	_, isArray := is(t, array)
	if s, ok := value.(*ir.StringAttr); ok && t != Array(op.Context(), int64(len(s.Value)), ir.I8) {
		return op.Errorf("requires an i8 array type of the length equal to that of the string attribute")
	}
	switch linkage, _ := op.Attr("linkage").(*ir.EnumAttr); {
	case linkage.Keyword() == "common" && value != nil && !isZero(value):
		return op.Errorf("expected zero value for 'common' linkage")
	case linkage.Keyword() == "appending" && !isArray:
		return op.Errorf("expected array type for 'appending' linkage")
	}
	if a, ok := op.Attr("alignment").(*ir.IntegerAttr); ok && (a.Value == 0 || a.Value&(a.Value-1) != 0) {
		return op.PlainErrorf("alignment attribute is not a power of 2")
	}
	return nil
}

// element tells whether memory can hold values of the type.
func element(t ir.Type) bool {
	if d, ok := t.(*ir.DialectType); ok && d.Dialect.Name == dialectName {
		switch d.Mnemonic {
		case voidType, function, "token", "label", "metadata":
			return false
		}
	}
	return compatible(t)
}

// isZero tells whether an attribute is the number 0, or elements that all are.
func isZero(a ir.Attribute) bool {
	switch a := a.(type) {
	case *ir.IntegerAttr:
		return a.Value == 0 && a.Big == nil
	case *ir.FloatAttr:
		return a.Lo == 0 && a.Hi == 0
	case *ir.DenseElementsAttr:
		for _, b := range a.Data {
			if b != 0 {
				return false
			}
		}
		return true
	}
	return false
}

func verifyInitializer(op *ir.Op) error {
	b := op.BodyBlock(0)
	if b == nil {
		return nil
	}
	ret := b.Last()
	if ret == nil || ret.NumOperands() == 0 {
		return op.Errorf("initializer region cannot return void")
	}
	if t := ret.Operand(0).Type(); t != globalTypeOf(op) {
		return op.Errorf("initializer region type '%s' does not match global type '%s'", t, globalTypeOf(op))
	}
	for o := range b.Ops() {
		if !interfaces.IsMemoryEffectFree(o) {
			return o.PlainErrorf("ops with side effects not allowed in global initializers")
		}
	}
	if op.Attr(globalValue) != nil {
		return op.Errorf("cannot have both initializer value and region")
	}
	return nil
}

func parseGlobal(p *asm.Parser, s *ir.OpState) error {
	c := p.Context()
	linkage := "external"
	if word, ok := p.OptionalAnyKeyword(keywords(Linkage)...); ok {
		linkage = word
	}
	v, _ := Linkage.Parse(linkage)
	s.SetAttr("linkage", c.EnumAttr(Linkage, v))
	// The reference writes thread_local in front of the last of these words, but reads
	// it behind.
	thread := func() {
		if p.OptionalKeyword("thread_local") {
			s.SetAttr(threadLocal, ir.Unit)
		}
	}
	for i := range symbolWords {
		thread()
		parseSymbolWord(p, s, i)
	}
	thread()
	if p.OptionalKeyword("constant") {
		s.SetAttr("constant", ir.Unit)
	}
	name, err := p.SymbolName()
	if err != nil {
		return err
	}
	s.SetAttr(ir.SymbolNameAttr, c.StringAttr(name))
	if err := p.Expect("("); err != nil {
		return err
	}
	var value ir.Attribute
	if !p.Optional(")") {
		if value, err = p.AttrInto(s, globalValue, nil); err != nil {
			return err
		}
		if err := p.Expect(")"); err != nil {
			return err
		}
	}
	if p.OptionalKeyword(comdat) {
		if err := p.Expect("("); err != nil {
			return err
		}
		if _, err := p.AttrInto(s, comdat, nil); err != nil {
			return err
		}
		if err := p.Expect(")"); err != nil {
			return err
		}
	}
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	init := s.AddRegion()
	if !p.Optional(":") {
		text, ok := value.(*ir.StringAttr)
		if !ok {
			return p.Errorf(p.NamePos(), "type can only be omitted for string globals")
		}
		s.SetAttr(globalType, c.TypeAttr(Array(c, int64(len(text.Value)), ir.I8)))
		return nil
	}
	types, err := p.Types()
	if err != nil {
		return err
	}
	if len(types) != 1 {
		return p.Errorf(p.NamePos(), "expected zero or one type")
	}
	s.SetAttr(globalType, c.TypeAttr(types[0]))
	_, err = p.OptionalRegion(init, nil)
	return err
}

func printGlobal(p *asm.Printer, op *ir.Op) {
	elided := []string{ir.SymbolNameAttr, globalType, globalValue, "linkage", "constant", threadLocal, comdat}
	p.Text(" " + op.Attr("linkage").(*ir.EnumAttr).Keyword() + " ")
	for i, k := range symbolWords {
		if i == len(symbolWords)-1 && op.Attr(threadLocal) != nil {
			p.Text("thread_local ")
		}
		elided = append(elided, k.attr)
		printSymbolWord(p, op, i)
	}
	if op.Attr("constant") != nil {
		p.Text("constant ")
	}
	name, _ := ir.SymbolName(op)
	p.SymbolName(name)
	p.Text("(")
	value := op.Attr(globalValue)
	if value != nil {
		p.Attr(value)
	}
	p.Text(")")
	if a := op.Attr(comdat); a != nil {
		p.Text(" comdat(")
		p.Attr(a)
		p.Text(")")
	}
	p.OptionalAttrDict(p.AllAttrs(op), elided...)
	if _, text := value.(*ir.StringAttr); text {
		return
	}
	p.Text(" : ")
	p.Type(globalTypeOf(op))
	if body := op.RegionAt(0); !body.Empty() {
		p.Text(" ")
		p.Region(body, false, true, false)
	}
}
