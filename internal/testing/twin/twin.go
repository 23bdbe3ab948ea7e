// Package twin rewrites programs into others that mean the same, for metamorphic tests: both must compute the same, be judged the
// same once they are compiled, and need the same memory then.
package twin

import (
	"errors"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/pass"
)

// Twin is a way to write programs in another form.
type Twin struct {
	Name string
	// Rewrite changes a verified module and returns how many changes it made. choose makes choices: it returns a
	// number in [0, n).
	Rewrite func(r *pass.Registry, module *ir.Op, choose func(n int) int) (int, error)
}

// ErrNone tells that a program has no twin: a pass refuses it.
var ErrNone = errors.New("there is no twin")

// All lists the ways.
func All() []Twin {
	return []Twin{
		passes("canonicalized", "canonicalize"),
		passes("shared", "cse"), // also empty tensors and fills
		passes("inlined", "inline"),
		passes("generalized", "linalg-generalize-named-ops"),
		passes("branches", "convert-scf-to-cf"),
		{Name: "outlined", Rewrite: always(outline)},
		{Name: "reordered", Rewrite: always(reorder)},
		{Name: "dead", Rewrite: always(addDead)},
		{Name: "unshared", Rewrite: always(unshare)},
		{Name: "while", Rewrite: always(forToWhile)},
		{Name: "state", Rewrite: always(addState)},
	}
}

// always is a rewriting that can't fail.
func always(f func(module *ir.Op, choose func(n int) int) int) func(*pass.Registry, *ir.Op, func(n int) int) (int, error) {
	return func(_ *pass.Registry, m *ir.Op, choose func(n int) int) (int, error) { return f(m, choose), nil }
}

// each returns the operations below the functions of a module, in the order of the text.
func each(module *ir.Op, wanted func(op *ir.Op) bool) (ops []*ir.Op) {
	module.Walk(func(op *ir.Op) bool {
		if op != module && !interfaces.Function.Has(op) && wanted(op) {
			ops = append(ops, op)
		}
		return true
	})
	return ops
}
