// Package reduce shrinks a program while something about it, such as that a pass
// fails on it, stays so: delta debugging (Zeller and Hildebrandt, "Simplifying and
// Isolating Failure-Inducing Input", 2002) on the operations, regions, functions,
// operands and attributes of a program.
package reduce

import (
	"context"

	"freehold/ir"
)

// Options say what to keep, and how long to try.
type Options struct {
	// Interesting tells whether a verified program still has what is looked for. It may
	// change the program.
	Interesting func(module *ir.Op) bool
	// MaxTests limits how often Interesting is called; 0 is no limit.
	MaxTests int
	// Context ends the search early when it is done. May be nil.
	Context context.Context
	// Smaller is told of each smaller program that was found, with its number of
	// operations. May be nil.
	Smaller func(operations int)
}

// Result is what Run found.
type Result struct {
	// Module is the smallest program.
	Module *ir.Op
	// Tests counts the programs that were tried.
	Tests int
	// Limited tells that MaxTests ended the search, and Interrupted that the Context did.
	Limited, Interrupted bool
}

// Run returns the smallest program that it finds from a verified, interesting one,
// which it leaves alone. It tries a number of programs that is about quadratic in
// the number of operations that stay.
func Run(module *ir.Op, o Options) *Result {
	r := &reducer{o: o, best: ir.CloneDetached(module), res: &Result{}}
	r.size = sizeOf(r.best)
	for r.round() && !r.over() {
	}
	r.res.Module = r.best
	return r.res
}

type reducer struct {
	o    Options
	best *ir.Op
	size size // of best
	res  *Result
}

// over tells whether the search ends early.
func (r *reducer) over() bool {
	r.res.Interrupted = r.res.Interrupted || r.o.Context != nil && r.o.Context.Err() != nil
	return r.res.Limited || r.res.Interrupted
}

// step is one kind of simplification. targets counts what it can simplify; apply
// simplifies those of its targets, in order of the program, that are chosen, and
// tells whether anything changed.
type step struct {
	targets func(m *ir.Op) int
	apply   func(m *ir.Op, chosen func(i int) bool) bool
}

var steps = []step{
	{countSymbols, eraseSymbols},
	{countSymbols, emptyFunctions},
	{countOps, eraseOps},
	{countOps, func(m *ir.Op, chosen func(int) bool) bool { return inlineRegions(m, chosen, false) }},
	{countOps, func(m *ir.Op, chosen func(int) bool) bool { return inlineRegions(m, chosen, true) }},
	{countOps, straightenBranches},
	{countOps, mergeBlocks},
	{countOps, shortenSignatures},
	{countOps, reuseOperands},
	{countOps, dropAttributes},
}

// round tries all steps and tells whether the program got smaller.
func (r *reducer) round() bool {
	smaller := false
	for _, s := range steps {
		for r.minimize(s) && !r.over() {
			smaller = true
		}
	}
	return smaller
}

// minimize applies a step to chunks of its targets, smaller and smaller ones, later
// targets first.
func (r *reducer) minimize(s step) bool {
	changed := false
	for size := s.targets(r.best); size > 0; size /= 2 {
		for end := s.targets(r.best); end > 0 && !r.over(); end -= size {
			start := max(0, end-size)
			m := ir.CloneDetached(r.best)
			if s.apply(m, func(i int) bool { return i >= start && i < end }) && r.try(m) {
				changed = true
			}
		}
	}
	return changed
}

// try takes a program if it is smaller, valid and interesting.
func (r *reducer) try(m *ir.Op) bool {
	n := sizeOf(m)
	if !n.less(r.size) || ir.Verify(m) != nil {
		return false
	}
	if r.o.MaxTests > 0 && r.res.Tests >= r.o.MaxTests {
		r.res.Limited = true
		return false
	}
	r.res.Tests++
	// What was interrupted in the middle is no answer.
	if !r.o.Interesting(ir.CloneDetached(m)) || r.over() {
		return false
	}
	r.best, r.size = m, n
	if r.o.Smaller != nil {
		r.o.Smaller(countOps(m))
	}
	return true
}

// opsOf lists the operations in a program, outer ones first, without itself.
func opsOf(m *ir.Op) []*ir.Op {
	var out []*ir.Op
	m.Walk(func(op *ir.Op) bool {
		if op != m {
			out = append(out, op)
		}
		return true
	})
	return out
}

func countOps(m *ir.Op) int { return len(opsOf(m)) }
