// Package sdy is the dialect of Shardy, in which JAX and others say how tensors are divided among devices: a mesh of devices, and shardings of
// values. It is read and printed; what it says doesn't matter to one device, for which transform/lower/stablehlo removes it.
package sdy

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

const dialectName = "sdy"

// Operations.
var (
	// Mesh gives a mesh of devices a name.
	Mesh = ir.NewOpID("sdy.mesh")
	// ShardingConstraint, Reshard and PropagationBarrier hand their operand on, and say how it is divided.
	ShardingConstraint = ir.NewOpID("sdy.sharding_constraint")
	Reshard            = ir.NewOpID("sdy.reshard")
	PropagationBarrier = ir.NewOpID("sdy.propagation_barrier")
	// ShardingGroup says that values are divided alike.
	ShardingGroup = ir.NewOpID("sdy.sharding_group")
	// ManualComputation has a body that each device executes on its parts of the operands.
	ManualComputation = ir.NewOpID("sdy.manual_computation")
	// NamedComputation has a body that has a name.
	NamedComputation = ir.NewOpID("sdy.named_computation")
	// Return ends a body.
	Return = ir.NewOpID("sdy.return")
)

// Dialect is the sdy dialect.
var Dialect = &ir.Dialect{
	Name:      dialectName,
	Ops:       definitions,
	PrintAttr: printAttr,
	Models: []ir.Model{
		asm.AttrParser.Model(parseAttr),
		asm.Enums.Model([]*ir.EnumDef{direction}),
		asm.Directives.Model(map[string]asm.Directive{"Bare": {Parse: parseBare, Print: printBare}, "Direction": {Parse: parseDirection, Print: printDirection}}),
		interfaces.Inliner.Model(interfaces.InlineAnywhere{}),
		asm.Partial.Model("meshes, shardings and computations, but not the collective operations that Shardy makes of them"),
	},
}

// direction is in which direction shardings don't go past a barrier.
var direction = &ir.EnumDef{Dialect: dialectName, Mnemonic: "propagation_direction", Name: "propagation direction", Cases: []ir.EnumCase{{Keyword: "NONE", Value: 0}, {Keyword: "FORWARD", Value: 1},
	{Keyword: "BACKWARD", Value: 2}, {Keyword: "BOTH", Value: 3}}}

var anyTensor = constraint.AnyRankedTensor

func attr(name string, c ir.AttrConstraint) ir.AttrDef { return ir.AttrDef{Name: name, Type: c} }

func definitions() []*ir.OpDef {
	handsOn := func(id *ir.OpID, a ir.AttrDef, format string) *ir.OpDef {
		return &ir.OpDef{ID: id, Operands: []ir.OperandDef{ir.Operand("input", anyTensor)}, Results: ir.SingleResult("result", anyTensor), Attrs: []ir.AttrDef{a},
			Traits: ir.TraitSameOperandsAndResultType, Format: "$input " + format + " attr-dict `:` type($result)"}
	}
	many := func(id *ir.OpID, syntax asm.OpAssembly, attrs ...ir.AttrDef) *ir.OpDef {
		return &ir.OpDef{ID: id, Operands: []ir.OperandDef{ir.VariadicOperand("tensors", constraint.AnyType)}, Results: []ir.ResultDef{ir.VariadicResult("results", constraint.AnyType)},
			Attrs: attrs, Regions: []ir.RegionDef{{Name: "body", Sized: 1}}, Traits: ir.TraitSingleBlock | ir.TraitRecursiveMemoryEffects,
			Models: []ir.Model{asm.Assembly.Model(syntax)}}
	}
	shardings := is("sharding_per_value")
	return []*ir.OpDef{
		{ID: Mesh, Attrs: []ir.AttrDef{attr(ir.SymbolNameAttr, constraint.SymbolNameAttr), attr("mesh", is("mesh"))}, Traits: ir.TraitSymbol, Verify: verifyMesh, VerifyAlone: true,
			Format: "$sym_name `=` custom<Bare>($mesh) attr-dict"},
		handsOn(ShardingConstraint, attr("sharding", is("sharding")), "custom<Bare>($sharding)"),
		handsOn(Reshard, attr("sharding", is("sharding")), "custom<Bare>($sharding)"),
		handsOn(PropagationBarrier, attr("allowed_direction", constraint.Enum("propagation direction enum", direction)), "`allowed_direction` `=` custom<Direction>($allowed_direction)"),
		{ID: ShardingGroup, Operands: []ir.OperandDef{ir.Operand("input", anyTensor)}, Attrs: []ir.AttrDef{attr("group_id", constraint.I64Attr)},
			Format: "$input `group_id` `` `=` `` $group_id attr-dict `:` type($input)"},
		many(ManualComputation, manualSyntax, attr("in_shardings", shardings), attr("out_shardings", shardings), attr("manual_axes", is("manual_axes"))),
		many(NamedComputation, namedSyntax, attr("name", constraint.StrAttr), ir.AttrDef{Name: "in_shardings", Type: shardings, Optional: true},
			ir.AttrDef{Name: "out_shardings", Type: shardings, Optional: true}),
		{ID: Return, Operands: []ir.OperandDef{ir.VariadicOperand("results", constraint.AnyType)}, Traits: ir.TraitTerminator | ir.TraitPure | ir.TraitReturnLike,
			Format: "attr-dict ($results^ `:` type($results))?"},
	}
}

// mnemonics are those of the attributes that operations have without mnemonic, by name.
var mnemonics = map[string]string{"mesh": "mesh", "sharding": "sharding", "in_shardings": "sharding_per_value", "out_shardings": "sharding_per_value", "manual_axes": "manual_axes"}

// parseBare reads an attribute without its mnemonic.
func parseBare(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	a, err := read(p, mnemonics[args[0].Name])
	if err == nil {
		s.SetAttr(args[0].Name, a)
	}
	return err
}

func printBare(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
	p.Text(textOf(op.Attr(args[0].Name)))
}

func parseDirection(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	v, err := p.EnumKeyword(direction)
	if err == nil {
		s.SetAttr(args[0].Name, p.Context().EnumAttr(direction, v))
	}
	return err
}

func printDirection(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
	p.Text(direction.Keyword(op.Attr(args[0].Name).(*ir.EnumAttr).Value))
}

func verifyMesh(op *ir.Op) error {
	if _, err := devices(op.Attr("mesh")); err != nil {
		return op.Errorf("%s", err)
	}
	return nil
}
