package memref

import (
	"slices"

	"freehold/ir"
)

// versioned is a rule that holds since a version of LLVM.
type versioned[T any] struct {
	since int
	rule  T
}

// ruleOf returns the rule of the version of LLVM of a context, of a list that has the latest first and one for all versions.
func ruleOf[T any](c *ir.Context, rules []versioned[T]) T {
	i := slices.IndexFunc(rules, func(r versioned[T]) bool { return r.since <= c.LLVM() })
	return rules[i].rule
}
