// Package builtin defines the builtin dialect's operations. Its types and
// attributes are part of package ir.
package builtin

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

// Dialect is the builtin dialect.
var Dialect = &ir.Dialect{
	Name: "builtin",
	Ops: func() []*ir.OpDef {
		return []*ir.OpDef{moduleDef(), unrealizedConversionCastDef()}
	},
	Models: []ir.Model{},
}

// Module is builtin.module, the top-level container of a program.
var Module = ir.NewOpID(ir.ModuleName)

func moduleDef() *ir.OpDef {
	return &ir.OpDef{
		ID: Module,
		Attrs: []ir.AttrDef{
			{Name: ir.SymbolNameAttr, Type: constraint.SymbolNameAttr, Optional: true},
			{Name: ir.SymbolVisibilityAttr, Type: constraint.StrAttr, Optional: true},
		},
		Regions: []ir.RegionDef{{Name: "bodyRegion", Sized: 1}},
		Traits: ir.TraitAffineScope | ir.TraitIsolatedFromAbove | ir.TraitNoRegionArguments | ir.TraitSymbolTable |
			ir.TraitOptionalSymbol | ir.TraitSingleBlock | ir.TraitNoTerminator | ir.TraitGraphRegion,
		Format: "($sym_name^)? attr-dict-with-keyword $bodyRegion",
		Verify: verifyModule,
		Models: []ir.Model{
			asm.DefaultDialect.Model(func(*ir.Op) string { return "builtin" }),
			exec.Executable.Model(exec.Nothing),
		},
	}
}

// UnrealizedConversionCast is builtin.unrealized_conversion_cast, which stands
// between type systems while a program is converted from one to another.
var UnrealizedConversionCast = ir.NewOpID(ir.CastName)

func unrealizedConversionCastDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       UnrealizedConversionCast,
		Operands: []ir.OperandDef{{Name: "inputs", Type: constraint.AnyType, Arity: ir.Variadic}},
		Results:  []ir.ResultDef{{Name: "outputs", Type: constraint.AnyType, Arity: ir.Variadic}},
		Traits:   ir.TraitPure,
		Format:   "($inputs^ `:` type($inputs))? `to` type($outputs) attr-dict",
		Verify: func(op *ir.Op) error {
			if op.NumResults() == 0 {
				return op.Errorf("expected at least one result for cast operation")
			}
			return nil
		},
		Fold: foldCast,
		Models: []ir.Model{
			exec.Executable.Model(executeCast),
		},
	}
}

// NewModule returns a detached module with an empty body.
func NewModule(b *ir.Builder) *ir.Op {
	s := b.State(Module)
	s.AddRegion().AddBlock()
	return b.CreateDetached(s)
}

// NewUnrealizedConversionCast creates a cast of inputs to values of the given
// types.
func NewUnrealizedConversionCast(b *ir.Builder, types []ir.Type, inputs ...*ir.Value) *ir.Op {
	return b.CreateOp(UnrealizedConversionCast, types, inputs)
}

func verifyModule(op *ir.Op) error {
	// The attributes a module may have without a dialect's prefix are its symbol's.
	for _, a := range op.DiscardableAttrs() {
		if !hasDialectPrefix(a.Name) {
			return op.Errorf("can only contain attributes with dialect-prefixed names, found: '%s'", a.Name)
		}
	}
	return nil
}

func hasDialectPrefix(name string) bool {
	for i := range len(name) {
		if name[i] == '.' {
			return true
		}
	}
	return false
}
