package mlprogram

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Names of the attributes of a global, and of what refers to one.
const (
	typeAttr    = "type"
	mutableAttr = "is_mutable"
	valueAttr   = "value"
	globalAttr  = "global"
)

// Global is ml_program.global, a variable or constant of the module.
var Global = ir.NewOpID("ml_program.global")

func globalDef() *ir.OpDef {
	return &ir.OpDef{
		ID: Global,
		Attrs: []ir.AttrDef{
			{Name: ir.SymbolNameAttr, Type: constraint.SymbolNameAttr},
			{Name: typeAttr, Type: constraint.TypeAttrOf("any type attribute", func(ir.Type) bool { return true })},
			{Name: mutableAttr, Type: constraint.UnitAttr, Optional: true},
			{Name: valueAttr, Type: constraint.AnyAttr, Optional: true},
			{Name: ir.SymbolVisibilityAttr, Type: constraint.StrAttr, Optional: true},
		},
		Traits: ir.TraitSymbol,
		Format: "custom<SymbolVisibility>($sym_visibility) (`mutable` $is_mutable^)? $sym_name `` custom<TypedInitialValue>($type, $value) attr-dict",
		Verify: func(op *ir.Op) error {
			if o := (GlobalOp{op}); !o.IsMutable() && o.Value() == nil {
				return op.Errorf("immutable global must have an initial value")
			}
			return nil
		},
		Models: []ir.Model{
			exec.Executable.Model(exec.Nothing),
			interfaces.Bufferizable.Model(globalBufferize{}),
		},
	}
}

// GlobalOp is an ml_program.global.
type GlobalOp struct{ *ir.Op }

// Type returns the type of what the global holds.
func (o GlobalOp) Type() ir.Type { return o.Attr(typeAttr).(*ir.TypeAttr).Type }

// IsMutable tells whether the global is a variable.
func (o GlobalOp) IsMutable() bool { return o.Attr(mutableAttr) != nil }

// Value returns what the global holds at first, or nil if that is undefined.
func (o GlobalOp) Value() ir.Attribute { return o.Attr(valueAttr) }

func parseInitialValue(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	if p.Optional("(") {
		a, err := p.Attr(nil)
		if err != nil {
			return err
		}
		s.SetAttr(args[1].Name, a)
		if err := p.Expect(")"); err != nil {
			return err
		}
	}
	if err := p.Expect(":"); err != nil {
		return err
	}
	t, err := p.Type()
	if err != nil {
		return err
	}
	s.SetAttr(args[0].Name, p.Context().TypeAttr(t))
	return nil
}

func printInitialValue(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
	if v := op.Attr(args[1].Name); v != nil {
		p.Text("(")
		p.Attr(v)
		p.Text(")")
	}
	p.Text(" : ")
	p.Type(op.Attr(args[0].Name).(*ir.TypeAttr).Type)
}

// GlobalLoad is ml_program.global_load, which reads a variable.
var GlobalLoad = ir.NewOpID("ml_program.global_load")

func globalLoadDef() *ir.OpDef {
	return loadDef(GlobalLoad, false)
}

// GlobalLoadConst is ml_program.global_load_const, which reads a constant.
var GlobalLoadConst = ir.NewOpID("ml_program.global_load_const")

func globalLoadConstDef() *ir.OpDef {
	return loadDef(GlobalLoadConst, true)
}

// loadDef defines an operation that reads a global.
func loadDef(id *ir.OpID, constant bool) *ir.OpDef {
	d := &ir.OpDef{
		ID:               id,
		Results:          ir.SingleResult("result", constraint.AnyType),
		Attrs:            []ir.AttrDef{{Name: globalAttr, Type: constraint.SymbolRef}},
		Format:           "$global `:` type($result) attr-dict",
		VerifySymbolUses: verifyLoad,
		Models: []ir.Model{
			asm.ResultNames.Model(func(op *ir.Op, name func(*ir.Value, string)) { name(op.Result(0), symbol(op).Leaf()) }),
			interfaces.Bufferizable.Model(loadBufferize{}),
			exec.Executable.Model(executeLoad),
		},
	}
	if constant {
		d.Traits = ir.TraitPure
	} else {
		d.Models = append(d.Models, interfaces.FixedEffects(interfaces.Effect{Kind: interfaces.Read}))
	}
	return d
}

// verifyLoad checks that there is the global that an operation reads as its first result.
func verifyLoad(op *ir.Op, tables *ir.SymbolTables) error {
	g, err := globalOf(op, tables)
	switch {
	case err != nil:
		return err
	case op.Is(GlobalLoadConst) && g.IsMutable():
		return op.Errorf("cannot load as const from mutable global %s", op.Attr(globalAttr))
	case g.Type() != op.Result(0).Type():
		return op.Errorf("cannot load from global typed '%s' as '%s'", g.Type(), op.Result(0).Type())
	}
	return nil
}

// GlobalStore is ml_program.global_store, which writes a variable.
var GlobalStore = ir.NewOpID("ml_program.global_store")

func globalStoreDef() *ir.OpDef {
	return &ir.OpDef{
		ID:               GlobalStore,
		Operands:         []ir.OperandDef{ir.Operand("value", constraint.AnyType)},
		Attrs:            []ir.AttrDef{{Name: globalAttr, Type: constraint.SymbolRef}},
		Format:           "$global `=` $value `:` type($value) attr-dict",
		VerifySymbolUses: verifyStore,
		Models: []ir.Model{
			interfaces.FixedEffects(interfaces.Effect{Kind: interfaces.Write}),
			interfaces.Bufferizable.Model(storeBufferize{}),
			exec.Executable.Model(executeStore),
		},
	}
}

// verifyStore checks that there is the global that an operation writes its first operand into.
func verifyStore(op *ir.Op, tables *ir.SymbolTables) error {
	g, err := globalOf(op, tables)
	if err != nil {
		return err
	}
	if !g.IsMutable() {
		return op.Errorf("cannot store to an immutable global %s", op.Attr(globalAttr))
	}
	if t := (storeOp{op}).Value().Type(); g.Type() != t {
		return op.Errorf("cannot store to a global typed '%s' from '%s'", g.Type(), t)
	}
	return nil
}

// symbol returns the name of the global that an operation reads or writes.
func symbol(op *ir.Op) *ir.SymbolRefAttr { return op.Attr(globalAttr).(*ir.SymbolRefAttr) }

func globalOf(op *ir.Op, tables *ir.SymbolTables) (GlobalOp, error) {
	g := lookup(op, tables.Lookup)
	if g == nil || !g.Is(Global) {
		return GlobalOp{}, op.Errorf("undefined global: %s", op.Attr(globalAttr))
	}
	return GlobalOp{g}, nil
}

// lookup returns what the symbol of an operation refers to; nil if there is nothing. Loads and stores outside of graphs find globals of
// modules further out, too. in looks for a reference in the closest symbol table around an operation.
func lookup(op *ir.Op, in func(from *ir.Op, ref *ir.SymbolRefAttr) *ir.Op) *ir.Op {
	g := in(op, symbol(op))
	if op.Is(GlobalLoad) || op.Is(GlobalStore) {
		for at := op.Parent(); at != nil && (g == nil || !g.Is(Global)); at = at.Parent() {
			if outer := in(at, symbol(op)); outer != nil {
				g = outer
			}
		}
	}
	return g
}
