package mlprogram

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Functions, and what ends them.
var (
	// Func is ml_program.func, a function.
	Func = ir.NewOpID("ml_program.func")
	// Return ends the execution of a function.
	Return = ir.NewOpID("ml_program.return")
	// Subgraph is ml_program.subgraph, a function whose operations are ordered by the values that they use,
	// not by where they are.
	Subgraph = ir.NewOpID("ml_program.subgraph")
	// Output tells what a subgraph computes.
	Output = ir.NewOpID("ml_program.output")
)

func funcDef() *ir.OpDef {
	return functionDef(Func, 0)
}

func returnDef() *ir.OpDef {
	return terminatorDef(Return, Func, "return")
}

func subgraphDef() *ir.OpDef {
	return functionDef(Subgraph, ir.TraitGraphRegion|ir.TraitSingleBlock)
}

func outputDef() *ir.OpDef {
	return terminatorDef(Output, Subgraph, "output")
}

// functionDef defines an operation that is like a function.
func functionDef(id *ir.OpID, traits ir.Traits) *ir.OpDef {
	return &ir.OpDef{
		ID:      id,
		Attrs:   interfaces.FunctionAttrs(),
		Regions: []ir.RegionDef{{Name: "body"}},
		Traits:  ir.TraitIsolatedFromAbove | ir.TraitSymbol | traits,
		Verify:  interfaces.VerifyDeclaration,
		Models: []ir.Model{
			asm.Assembly.Model(asm.FunctionAssembly),
			interfaces.Function.Model(interfaces.TypedFunction{}),
		},
	}
}

// terminatorDef defines the operation that ends functions of the kind parent. does says what it does with its operands.
func terminatorDef(id, parent *ir.OpID, does string) *ir.OpDef {
	return &ir.OpDef{
		ID:       id,
		Operands: []ir.OperandDef{{Name: "operands", Type: constraint.AnyType, Arity: ir.Variadic}},
		Parents:  []*ir.OpID{parent},
		Traits:   ir.TraitPure | ir.TraitReturnLike | ir.TraitTerminator,
		Format:   "attr-dict ($operands^ `:` type($operands))?",
		Verify:   interfaces.VerifyReturn(parent, does),
	}
}
