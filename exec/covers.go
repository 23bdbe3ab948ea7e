package exec

import (
	"freehold/iface"
	"freehold/ir"
)

// ExampleOf is implemented by dialects with types whose values are kept as objects
// of their own: the model returns a value of a type, by random numbers below a
// limit, or nil.
var ExampleOf = ir.NewInterface[func(t *ir.DialectType, random func(limit int) int) any]("ExecutableExample")

// Covers tells whether there is a way to execute operations of a definition. Some
// of them may still not be executable, for example for their types.
func Covers(d *ir.Dialect, def *ir.OpDef) bool {
	if _, ok := Executable.OfDef(def); ok {
		return true
	}
	if _, ok := Elementwise.OfDef(def); ok {
		return true
	}
	if m, ok := DialectModels.OfDialect(d); ok && m(def.Name) != nil {
		return true
	}
	if m, ok := DialectElementwise.OfDialect(d); ok && m(def.Name) != nil {
		return true
	}
	if _, ok := iface.Structured.OfDef(def); ok {
		return true
	}
	if _, ok := iface.RegionBranchTerminator.OfDef(def); ok || def.Traits&(ir.TraitReturnLike|ir.TraitConstantLike) != 0 {
		return true
	}
	if _, ok := Meaningless.OfDialect(d); ok && len(def.Regions)+len(def.Successors) == 0 {
		return true
	}
	_, ok := iface.Function.OfDef(def)
	return ok
}
