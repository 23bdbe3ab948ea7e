package memref

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Names of the attributes of a global.
const (
	TypeAttr         = "type"
	InitialValueAttr = "initial_value"
	ConstantAttr     = "constant"
)

// Global declares a buffer that lives as long as the program, with or without
// initial contents.
var Global = ir.NewOpID("memref.global")

const globalFormat = "($sym_visibility^)? (`constant` $constant^)? $sym_name `:` custom<GlobalMemrefOpTypeAndInitialValue>($type, $initial_value)"

func globalDef() *ir.OpDef {
	return &ir.OpDef{
		ID: Global,
		Attrs: []ir.AttrDef{
			{Name: ir.SymbolNameAttr, Type: constraint.SymbolNameAttr},
			{Name: ir.SymbolVisibilityAttr, Type: constraint.StrAttr, Optional: true},
			{Name: TypeAttr, Type: memrefTypeArg},
			{Name: InitialValueAttr, Type: constraint.AnyAttr, Optional: true},
			{Name: ConstantAttr, Type: constraint.UnitAttr, Optional: true},
			{Name: AlignmentAttr, Type: constraint.I64Attr, Optional: true},
		},
		Traits: ir.TraitSymbol,
		Format: globalFormat + " attr-dict",
		Later:  []ir.Spelling{{Since: strictSince, Format: globalFormat + " (`alignment` `=` $alignment^)? attr-dict"}},
		Verify: verifyGlobal,
		Models: []ir.Model{
			exec.Executable.Model(exec.Nothing),
			interfaces.GlobalContents.Model(func(op *ir.Op) ir.Attribute {
				o := GlobalOp{op}
				if !o.IsConstant() {
					return nil
				}
				return o.InitialValue()
			}),
		},
	}
}

// GlobalOp is a memref.global.
type GlobalOp struct{ *ir.Op }

// Type returns the type of the buffer.
func (o GlobalOp) Type() *ir.MemRefType { return memrefOf(o.Attr(TypeAttr).(*ir.TypeAttr).Type) }

// InitialValue returns the initial contents; ir.Unit if they are undefined, nil
// if the global is defined elsewhere.
func (o GlobalOp) InitialValue() ir.Attribute { return o.Attr(InitialValueAttr) }

// IsConstant tells whether the buffer is never written.
func (o GlobalOp) IsConstant() bool { return o.Attr(ConstantAttr) != nil }

// NewGlobal creates a global. initial is nil, ir.Unit or elements; alignment 0
// leaves the alignment open.
func NewGlobal(b *ir.Builder, name, visibility string, t *ir.MemRefType, initial ir.Attribute, constant bool, alignment int64) *ir.Op {
	c := b.Context()
	s := b.State(Global)
	s.SetAttr(ir.SymbolNameAttr, c.StringAttr(name))
	if visibility != "" {
		s.SetAttr(ir.SymbolVisibilityAttr, c.StringAttr(visibility))
	}
	s.SetAttr(TypeAttr, c.TypeAttr(t))
	if initial != nil {
		s.SetAttr(InitialValueAttr, initial)
	}
	if constant {
		s.SetAttr(ConstantAttr, ir.Unit)
	}
	if alignment != 0 {
		s.SetAttr(AlignmentAttr, c.I64Attr(alignment))
	}
	return b.Create(s)
}

func parseGlobalType(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	t, err := p.Type()
	if err != nil {
		return err
	}
	m := memrefOf(t)
	if m == nil || !ir.IsStaticShape(m.Shape) {
		return p.Errorf(p.NamePos(), "type should be static shaped memref, but got '%s'", t)
	}
	s.SetAttr(args[0].Name, p.Context().TypeAttr(t))
	if !p.Optional("=") {
		return nil
	}
	if p.OptionalKeyword("uninitialized") {
		s.SetAttr(args[1].Name, ir.Unit)
		return nil
	}
	pos := p.Pos()
	a, err := p.Attr(tensorOf(p.Context(), m))
	if err != nil {
		return err
	}
	if !isElements(a) {
		return p.Errorf(pos, "initial value should be a unit or elements attribute")
	}
	s.SetAttr(args[1].Name, a)
	return nil
}

func printGlobalType(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
	t := op.Attr(args[0].Name).(*ir.TypeAttr).Type
	p.Type(t)
	switch v := op.Attr(args[1].Name).(type) {
	case nil:
	case *ir.UnitAttr:
		p.Text(" = uninitialized")
	default:
		p.Text(" = ")
		p.AttrWithoutType(v)
	}
}

func tensorOf(c *ir.Context, m *ir.MemRefType) ir.Type { return c.RankedTensor(m.Shape, m.Elem) }

// isElements tells whether a is the value of a tensor or vector. Attributes of
// dialects are that if their type has a shape.
func isElements(a ir.Attribute) bool {
	switch a := a.(type) {
	case *ir.DenseElementsAttr, *ir.DenseStringElementsAttr, *ir.SparseElementsAttr, *ir.DenseResourceAttr:
		return true
	case *ir.DialectAttr:
		_, shaped := ir.ShapeOf(ir.TypeOfAttr(a))
		return shaped
	}
	return false
}

func verifyGlobal(op *ir.Op) error {
	o := GlobalOp{op}
	t := o.Type()
	if t == nil || !ir.IsStaticShape(t.Shape) {
		return op.Errorf("type should be static shaped memref, but got '%s'", op.Attr(TypeAttr).(*ir.TypeAttr).Type)
	}
	if v := o.InitialValue(); v != nil && v != ir.Attribute(ir.Unit) {
		if !isElements(v) {
			return op.Errorf("initial value should be a unit or elements attribute, but got %s", v)
		}
		if want := tensorOf(op.Context(), t); ir.TypeOfAttr(v) != want {
			return op.Errorf("initial value expected to be of type '%s', but was of type '%s'", want, ir.TypeOfAttr(v))
		}
	}
	if a, ok := op.Attr(AlignmentAttr).(*ir.IntegerAttr); ok && (a.Value <= 0 || a.Value&(a.Value-1) != 0) {
		return op.PlainErrorf("alignment attribute value %d is not a power of 2", uint64(a.Value))
	}
	return nil
}

// GetGlobal returns the buffer of a global.
var GetGlobal = ir.NewOpID("memref.get_global")

func getGlobalDef() *ir.OpDef {
	return &ir.OpDef{
		ID:      GetGlobal,
		Results: ir.SingleResult("result", staticMemRef),
		Attrs:   []ir.AttrDef{{Name: "name", Type: constraint.FlatSymbolRef}},
		Traits:  ir.TraitPure,
		Format:  "$name `:` type($result) attr-dict",
		VerifySymbolUses: func(op *ir.Op, tables *ir.SymbolTables) error {
			o := GetGlobalOp{op}
			g := tables.Lookup(op, op.Attr("name").(*ir.SymbolRefAttr))
			if g == nil || !g.Is(Global) {
				return op.Errorf("'%s' does not reference a valid global memref", o.Symbol())
			}
			if t := (GlobalOp{g}).Type(); ir.Type(t) != op.Result(0).Type() {
				return op.Errorf("result type '%s' does not match type '%s' of the global memref @%s", op.Result(0).Type(), t, o.Symbol())
			}
			return nil
		},
		Models: []ir.Model{
			interfaces.GlobalBuffer.Model(func(op *ir.Op) *ir.SymbolRefAttr { return op.Attr("name").(*ir.SymbolRefAttr) }),
			exec.Executable.Model(executeGetGlobal),
		},
	}
}

// GetGlobalOp is a memref.get_global.
type GetGlobalOp struct{ *ir.Op }

// Symbol returns the name of the global.
func (o GetGlobalOp) Symbol() string { return o.Attr("name").(*ir.SymbolRefAttr).Root }

// NewGetGlobal creates a reference to a global.
func NewGetGlobal(b *ir.Builder, t *ir.MemRefType, name string) *ir.Value {
	return b.CreateOp(GetGlobal, []ir.Type{t}, nil, ir.NamedAttr{Name: "name", Value: b.Context().SymbolRef(name)}).Result(0)
}
