// Package funcd defines the func dialect: functions and their calls. (Its name is
// not func because that is a keyword.)
package funcd

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// standardNames are the names in the standard dialect, from which LLVM took these operations.
func standardNames() map[*ir.OpID][]string {
	return map[*ir.OpID][]string{
		Call: {"std.call"}, CallIndirect: {"std.call_indirect"}, Return: {"std.return"},
	}
}

// Dialect is the func dialect.
var Dialect = &ir.Dialect{
	Name: "func",
	Ops: func() []*ir.OpDef {
		return ir.WithNames([]*ir.OpDef{callDef(), callIndirectDef(), constantDef(), funcDef(), returnDef()}, 14, standardNames())
	},
	Models: []ir.Model{
		interfaces.ConstantMaterializer.Model(materialize),
		interfaces.Inliner.Model(inliner{}),
	},
}

// Func is func.func, a function.
var Func = ir.NewOpID("func.func")

func funcDef() *ir.OpDef {
	return &ir.OpDef{
		ID:      Func,
		Attrs:   interfaces.FunctionAttrs(),
		Regions: []ir.RegionDef{{Name: "body"}},
		Traits:  ir.TraitAffineScope | ir.TraitAutomaticAllocationScope | ir.TraitIsolatedFromAbove | ir.TraitSymbol,
		Verify:  interfaces.VerifyDeclaration,
		Earlier: []ir.Spelling{builtin("builtin.func"), builtin("func")},
		Later:   later(noInline),
		Models: []ir.Model{
			interfaces.Bufferizable.Model(funcBufferize{}),
			asm.Assembly.Model(asm.FunctionAssembly),
			asm.DefaultDialect.Model(func(*ir.Op) string { return "func" }),
			interfaces.Function.Model(interfaces.TypedFunction{}),
		},
	}
}

// builtin is how functions were written up to LLVM 14, when they were builtin.
func builtin(name string) ir.Spelling {
	return ir.Spelling{Until: 14, Name: name, Renamed: map[string]string{"type": "function_type"}}
}

// Call is func.call, a call of a function by its symbol.
var Call = ir.NewOpID("func.call")

func callDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Call,
		Operands: []ir.OperandDef{{Name: "operands", Type: constraint.AnyType, Arity: ir.Variadic}},
		Results:  []ir.ResultDef{{Type: constraint.AnyType, Arity: ir.Variadic}},
		Attrs:    []ir.AttrDef{{Name: "callee", Type: constraint.FlatSymbolRef}},
		Format:   "$callee `(` $operands `)` attr-dict `:` functional-type($operands, results)",
		Later:    later(argAttrs, noInline, resAttrs),
		Models: []ir.Model{
			interfaces.Bufferizable.Model(callBufferize{}),
			interfaces.Call.Model(callModel{}),
			exec.Executable.Model(exec.Call),
		},
		VerifySymbolUses: verifyCallSymbol,
	}
}

// CallIndirect is func.call_indirect, a call of a function value.
var CallIndirect = ir.NewOpID("func.call_indirect")

func callIndirectDef() *ir.OpDef {
	return &ir.OpDef{
		ID: CallIndirect,
		Operands: []ir.OperandDef{
			{Name: "callee", Type: constraint.FunctionTyped},
			{Name: "callee_operands", Type: constraint.AnyType, Arity: ir.Variadic},
		},
		Results: []ir.ResultDef{{Name: "results", Type: constraint.AnyType, Arity: ir.Variadic}},
		Later:   later(argAttrs, resAttrs),
		TypeRules: []ir.TypeRule{
			{From: "callee", To: "callee_operands", TransformList: inputsOf, Summary: "callee input types match argument types"},
			{From: "callee", To: "results", TransformList: resultsOf, Summary: "callee result types match result types"},
		},
		Format: "$callee `(` $callee_operands `)` attr-dict `:` type($callee)",
		Models: []ir.Model{
			interfaces.Call.Model(callIndirectModel{}),
			rewrite.Canonicalization.Model([]rewrite.Pattern{
				{Name: "CallIndirectOp", Rewrite: callConstant},
			}),
			exec.Executable.Model(exec.Call),
		},
	}
}

// Constant is func.constant, a function as a value.
var Constant = ir.NewOpID("func.constant")

func constantDef() *ir.OpDef {
	return &ir.OpDef{
		ID:      Constant,
		Results: []ir.ResultDef{{Type: constraint.AnyType}},
		Attrs:   []ir.AttrDef{{Name: "value", Type: constraint.FlatSymbolRef}},
		Traits:  ir.TraitPure | ir.TraitConstantLike,
		Format:  "attr-dict $value `:` type(results)",
		Models: []ir.Model{
			asm.ResultNames.Model(func(op *ir.Op, name func(*ir.Value, string)) {
				name(op.Result(0), "f")
			}),
			exec.Executable.Model(executeConstant),
		},
		VerifySymbolUses: verifyConstantSymbol,
	}
}

// Return is func.return, which ends the execution of a function.
var Return = ir.NewOpID("func.return")

func returnDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Return,
		Operands: []ir.OperandDef{{Name: "operands", Type: constraint.AnyType, Arity: ir.Variadic}},
		Parents:  []*ir.OpID{Func},
		Traits:   ir.TraitPure | ir.TraitReturnLike | ir.TraitTerminator,
		Format:   "attr-dict ($operands^ `:` type($operands))?",
		Models:   []ir.Model{interfaces.Bufferizable.Model(returnBufferize{})},
		Verify:   interfaces.VerifyReturn(Func, "return"),
	}
}

func inputsOf(t ir.Type) []ir.Type {
	if f, ok := t.(*ir.FunctionType); ok {
		return f.Inputs
	}
	return nil
}

func resultsOf(t ir.Type) []ir.Type {
	if f, ok := t.(*ir.FunctionType); ok {
		return f.Results
	}
	return nil
}

// New returns a detached function of the given name and type, without a body.
func New(b *ir.Builder, name string, t *ir.FunctionType) *ir.Op {
	c := b.Context()
	s := b.State(Func)
	s.SetAttr(ir.SymbolNameAttr, c.StringAttr(name))
	s.SetAttr(interfaces.FunctionTypeAttr, c.TypeAttr(t))
	s.AddRegion()
	return b.CreateDetached(s)
}

// Body returns the region of a function; it is empty for a declaration.
func Body(fn *ir.Op) *ir.Region { return fn.RegionAt(0) }

// Type returns the type of a function.
func Type(fn *ir.Op) *ir.FunctionType { return interfaces.TypedFunction{}.Type(fn) }

// AddEntryBlock gives a function without a body an entry block with the arguments
// of its type, and returns the block.
func AddEntryBlock(fn *ir.Op) *ir.Block { return Body(fn).AddBlock(Type(fn).Inputs...) }

// NewCall creates a call of the function.
func NewCall(b *ir.Builder, callee string, results []ir.Type, operands ...*ir.Value) *ir.Op {
	s := b.State(Call)
	s.SetAttr("callee", b.Context().SymbolRef(callee))
	s.Operands, s.Types = operands, results
	return b.Create(s)
}

// Callee returns the symbol that a func.call calls.
func Callee(call *ir.Op) *ir.SymbolRefAttr { s, _ := call.Prop(0).(*ir.SymbolRefAttr); return s }

// NewReturn creates a return of the values.
func NewReturn(b *ir.Builder, values ...*ir.Value) *ir.Op { return b.CreateOp(Return, nil, values) }
