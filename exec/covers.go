package exec

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// ExampleOf is implemented by dialects with types whose values are kept as objects
// of their own: the model returns a value of a type, by random numbers below a
// limit, or nil.
var ExampleOf = ir.NewInterface[func(t *ir.DialectType, random func(limit int) int) any]("ExecutableExample")

// Covers tells whether there is a way to execute operations of a name. Some of them
// may still not be executable, for example for their types.
func Covers(n *ir.OpName) bool {
	if _, ok := Executable.OfName(n); ok {
		return true
	}
	if _, ok := Elementwise.OfName(n); ok {
		return true
	}
	if _, ok := interfaces.Structured.OfName(n); ok {
		return true
	}
	def := n.Def()
	if _, ok := interfaces.RegionBranchTerminator.OfName(n); ok || def.Traits&(ir.TraitReturnLike|ir.TraitConstantLike) != 0 {
		return true
	}
	if _, ok := Meaningless.OfDialect(n.Dialect()); ok && len(def.Regions)+len(def.Successors) == 0 {
		return true
	}
	_, ok := interfaces.Function.OfName(n)
	return ok
}
