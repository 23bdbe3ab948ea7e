package stablehlo

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

// Operations with regions, and what ends these.
var (
	Case             = ir.NewOpID("stablehlo.case")
	If               = ir.NewOpID("stablehlo.if")
	Map              = ir.NewOpID("stablehlo.map")
	Reduce           = ir.NewOpID("stablehlo.reduce")
	ReduceWindow     = ir.NewOpID("stablehlo.reduce_window")
	Return           = ir.NewOpID("stablehlo.return")
	Scatter          = ir.NewOpID("stablehlo.scatter")
	SelectAndScatter = ir.NewOpID("stablehlo.select_and_scatter")
	Sort             = ir.NewOpID("stablehlo.sort")
	While            = ir.NewOpID("stablehlo.while")
)

func controlOps() []*ir.OpDef {
	one := func(name string) []ir.RegionDef { return []ir.RegionDef{{Name: name, Sized: 1}} }
	anyResults := []ir.ResultDef{ir.VariadicResult("results", anyValue)}
	nested := ir.TraitSingleBlock | ir.TraitRecursiveMemoryEffects
	return []*ir.OpDef{
		{ID: Case, Operands: operands(ir.Operand("index", scalarInt)), Results: anyResults, Regions: []ir.RegionDef{{Name: "branches", Variadic: true, Sized: 1}},
			Traits: nested, VerifyRegions: verifyBranches},
		{ID: If, Operands: operands(ir.Operand("pred", scalarBool)), Results: anyResults, Regions: []ir.RegionDef{{Name: "true_branch", Sized: 1}, {Name: "false_branch", Sized: 1}},
			Traits: nested, VerifyRegions: verifyBranches},
		{ID: Map, Operands: operands(ir.VariadicOperand("inputs", anyTensor)), Results: ir.SingleResult("result", anyTensor), Regions: one("computation"),
			Attrs: []ir.AttrDef{required("dimensions", i64List)}, Traits: nested | ir.TraitSameOperandsAndResultShape, VerifyRegions: verifyMap},
		{ID: Reduce, Operands: operands(ir.VariadicOperand("inputs", anyTensor), ir.VariadicOperand("init_values", anyTensor)), Results: anyResults, Regions: one("body"),
			Attrs: []ir.AttrDef{required("dimensions", i64List)}, Traits: nested, Verify: verifyReduce, VerifyRegions: verifyReducer,
			Models: []ir.Model{asm.Assembly.Model(asm.OpAssembly{Parse: parseReduce, Print: printReduce, Says: saysReduce})}},
		{ID: ReduceWindow, Operands: operands(ir.VariadicOperand("inputs", anyTensor), ir.VariadicOperand("init_values", anyTensor)), Results: anyResults, Regions: one("body"),
			Attrs: []ir.AttrDef{required(windowDimensions, i64List), optional(windowStrides, i64List), optional("base_dilations", i64List), optional("window_dilations", i64List),
				optional(paddingName, padding)}, Traits: nested, Verify: verifyReduceWindow, VerifyRegions: verifyReducer},
		{ID: Return, Operands: operands(ir.VariadicOperand("results", ir.TypeConstraint{Summary: "any type", Match: func(ir.Type) bool { return true }})),
			Traits: ir.TraitPure | ir.TraitTerminator | ir.TraitReturnLike, Format: "$results attr-dict (`:` type($results)^)?"},
		{ID: Scatter, Operands: operands(ir.VariadicOperand("inputs", anyTensor), ir.Operand("scatter_indices", indexTensor), ir.VariadicOperand("updates", anyTensor)),
			Results: anyResults, Regions: one("update_computation"), Attrs: []ir.AttrDef{required("scatter_dimension_numbers", structAttr("scatter")),
				optional("indices_are_sorted", constraint.BoolAttr), optional("unique_indices", constraint.BoolAttr)}, Traits: nested, Verify: verifyScatter, VerifyRegions: verifyScatterBody},
		{ID: SelectAndScatter, Operands: operands(ir.Operand("operand", anyTensor), ir.Operand("source", anyTensor), ir.Operand("init_value", anyTensor)),
			Results: ir.SingleResult("result", anyTensor), Regions: []ir.RegionDef{{Name: "select", Sized: 1}, {Name: "scatter", Sized: 1}},
			Attrs:  []ir.AttrDef{optional(windowDimensions, i64List), optional(windowStrides, i64List), optional(paddingName, padding)},
			Traits: nested, Verify: verifySelectAndScatter, VerifyRegions: verifySelector},
		{ID: Sort, Operands: operands(ir.VariadicOperand("inputs", anyTensor)), Results: anyResults, Regions: one("comparator"),
			Attrs: []ir.AttrDef{optional("dimension", constraint.I64Attr), optional("is_stable", constraint.BoolAttr)}, Traits: nested, Verify: verifySort, VerifyRegions: verifyComparator},
		{ID: While, Operands: operands(ir.VariadicOperand("operand", anyValue)), Results: anyResults, Regions: []ir.RegionDef{{Name: "cond", Sized: 1}, {Name: "body", Sized: 1}},
			Traits: nested, VerifyRegions: verifyWhile,
			Models: []ir.Model{asm.Assembly.Model(asm.OpAssembly{Parse: parseWhile, Print: printWhile, Says: saysWhile}), asm.BlockArgNames.Model(nameIterators)}},
	}
}
