package mlprogram

import (
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

// functionTypeAttr is the attribute of the type of functions.
const functionTypeAttr = "function_type"

// Functions, and what ends them.
var (
	// Func is ml_program.func, a function.
	Func = ir.NewOpID("ml_program.func")
	// Return ends the execution of a function.
	Return = ir.NewOpID("ml_program.return")
	// Subgraph is ml_program.subgraph, a function whose operations are ordered by the values that they use, not by where they are.
	Subgraph = ir.NewOpID("ml_program.subgraph")
	// Output tells what a subgraph computes.
	Output = ir.NewOpID("ml_program.output")
)

var (
	funcDef     = functionDef(Func, 0)
	returnDef   = terminatorDef(Return, Func, "return")
	subgraphDef = functionDef(Subgraph, ir.TraitGraphRegion|ir.TraitSingleBlock)
	outputDef   = terminatorDef(Output, Subgraph, "output")
)

// functionDef defines an operation that is like a function.
func functionDef(id *ir.OpID, traits ir.Traits) *ir.OpDef {
	return &ir.OpDef{
		ID: id,
		Attrs: []ir.AttrDef{
			{Name: ir.SymbolNameAttr, Type: constraint.SymbolNameAttr},
			{Name: functionTypeAttr, Type: constraint.FunctionType},
			{Name: iface.ArgAttrs, Type: constraint.DictArray, Optional: true},
			{Name: iface.ResAttrs, Type: constraint.DictArray, Optional: true},
			{Name: ir.SymbolVisibilityAttr, Type: constraint.StrAttr, Optional: true},
		},
		Regions: []ir.RegionDef{{Name: "body"}},
		Traits:  ir.TraitIsolatedFromAbove | ir.TraitSymbol | traits,
		Verify:  iface.VerifyDeclaration,
		Models: []ir.Model{
			asm.Assembly.Model(asm.FunctionAssembly),
			iface.Function.Model(functionModel{}),
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
		Verify: func(op *ir.Op) error {
			fn := op.Parent()
			name, _ := ir.SymbolName(fn)
			want := functionModel{}.Type(fn).Results
			if op.NumOperands() != len(want) {
				return op.Errorf("has %d operands, but enclosing function (@%s) %ss %d", op.NumOperands(), name, does, len(want))
			}
			for i, t := range want {
				if got := op.Operand(i).Type(); got != t {
					return op.PlainErrorf("type of %s operand %d ('%s') doesn't match function result type ('%s') in function @%s", does, i, got, t, name)
				}
			}
			return nil
		},
	}
}

type functionModel struct{}

// Type implements iface.FunctionModel.
func (functionModel) Type(fn *ir.Op) *ir.FunctionType {
	return fn.Attr(functionTypeAttr).(*ir.TypeAttr).Type.(*ir.FunctionType)
}

// SetType implements iface.FunctionModel.
func (functionModel) SetType(fn *ir.Op, t *ir.FunctionType) {
	fn.SetAttr(functionTypeAttr, fn.Context().TypeAttr(t))
}
