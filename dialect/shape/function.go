package shape

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// mapping is the attribute of a library that tells the shape function of each
// operation.
const mapping = "mapping"

// Shape functions.
var (
	// Func is shape.func, a function on shapes.
	Func = ir.NewOpID("shape.func")
	// Return ends the execution of a shape function.
	Return = ir.NewOpID("shape.return")
	// FunctionLibrary holds shape functions, and tells which operations they are for.
	FunctionLibrary = ir.NewOpID("shape.function_library")
)

func funcDef() *ir.OpDef {
	return &ir.OpDef{ID: Func,
		Attrs:   interfaces.FunctionAttrs(),
		Regions: []ir.RegionDef{{Name: "body"}},
		Traits:  ir.TraitAffineScope | ir.TraitAutomaticAllocationScope | ir.TraitIsolatedFromAbove | ir.TraitSymbol,
		Verify:  interfaces.VerifyDeclaration,
		Models: []ir.Model{
			asm.Assembly.Model(asm.FunctionAssembly),
			asm.DefaultDialect.Model(func(*ir.Op) string { return "shape" }),
			interfaces.Function.Model(interfaces.TypedFunction{}),
		}}
}

func returnDef() *ir.OpDef {
	return &ir.OpDef{ID: Return, Traits: ir.TraitPure | ir.TraitReturnLike | ir.TraitTerminator,
		Operands: variadic("operands", constraint.AnyType), Parents: []*ir.OpID{Func}, Format: yieldFormat}
}

func functionLibraryDef() *ir.OpDef {
	return &ir.OpDef{ID: FunctionLibrary,
		Attrs: []ir.AttrDef{
			{Name: ir.SymbolNameAttr, Type: constraint.SymbolNameAttr},
			{Name: ir.SymbolVisibilityAttr, Type: constraint.StrAttr, Optional: true},
			{Name: mapping, Type: constraint.DictAttr}},
		Regions: []ir.RegionDef{{Name: "body"}},
		Traits: ir.TraitAffineScope | ir.TraitIsolatedFromAbove | ir.TraitNoRegionArguments | ir.TraitSymbolTable |
			ir.TraitSymbol | ir.TraitNoTerminator | ir.TraitSingleBlock,
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parseLibrary, Print: printLibrary}),
			asm.DefaultDialect.Model(func(*ir.Op) string { return "shape" }),
			exec.Executable.Model(exec.Nothing),
		}}
}

func parseLibrary(p *asm.Parser, s *ir.OpState) error {
	name, err := p.SymbolName()
	if err != nil {
		return err
	}
	s.SetAttr(ir.SymbolNameAttr, p.Context().StringAttr(name))
	if err := p.OptionalAttrDictWithKeyword(s); err != nil {
		return err
	}
	body := s.AddRegion()
	if err := p.Region(body, nil); err != nil {
		return err
	}
	if body.Empty() { // as a library without functions is printed
		body.AddBlock()
	}
	if err := p.Keyword(mapping); err != nil {
		return err
	}
	d, err := asm.AttrOf[*ir.DictAttr](p, ir.None)
	if err != nil {
		return err
	}
	s.SetAttr(mapping, d)
	return nil
}

func printLibrary(p *asm.Printer, op *ir.Op) {
	p.Text(" ")
	name, _ := ir.SymbolName(op)
	p.SymbolName(name)
	p.OptionalAttrDictWithKeyword(p.AllAttrs(op), ir.SymbolNameAttr, mapping)
	p.Text(" ")
	p.Region(op.RegionAt(0), false, false, false)
	p.Text(" " + mapping + " ")
	p.AttrWithoutType(op.Attr(mapping))
}
