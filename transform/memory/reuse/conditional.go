package reuse

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/memory/footprint"
)

// A dynamic arena is as large as its largest part, whether that part is used or not. So a buffer that only some executions of the function allocate, in a
// branch or in a loop, becomes a part if it needs no more, up to a factor, than what is there in all of them: an argument, or a buffer that all allocate.
// Its size might else be one that the branch is there to avoid, or no number at all: an integer that is shifted too far.

// alwaysExecuted tells whether an operation is executed whenever the function is.
func (f *functionPlanner) alwaysExecuted(op *ir.Op) bool {
	for op != f.fn {
		parent := op.Parent()
		if !op.Block().IsEntry() {
			return false
		}
		if parent != f.fn {
			m, ok := interfaces.RegionBranch.Of(parent)
			if !ok {
				return false
			}
			next := m.Successors(parent, interfaces.ParentPoint)
			if len(next) != 1 || next[0].Region != op.Block().Region() {
				return false
			}
		}
		op = parent
	}
	return true
}

// mayReserve tells whether bytes that an operation needs can be set aside whether it is executed or not.
func (f *functionPlanner) mayReserve(op *ir.Op, bytes *ir.Value) bool {
	if f.alwaysExecuted(op) {
		return true
	}
	for _, s := range f.entry.numbers.Of(bytes) {
		for _, t := range s.Terms {
			if !slices.ContainsFunc(f.thereAnyway(), func(there footprint.Term) bool { return isPartOfProduct(t, there) }) {
				return false
			}
		}
	}
	return true
}

// thereAnyway returns the products of sizes in what each execution of the function holds: its arguments, and what it always allocates.
func (f *functionPlanner) thereAnyway() []footprint.Term {
	if f.anyway == nil {
		f.anyway = []footprint.Term{}
		known := f.before.Of(f.fn)
		for _, a := range f.fn.BodyBlock(0).Args() {
			if ir.IsMemRef(a.Type()) {
				f.anyway = append(f.anyway, known.SizeOf(a).Terms...)
			}
		}
		for _, alloc := range f.sequential {
			if f.alwaysExecuted(alloc) {
				f.anyway = append(f.anyway, known.SizeOf(alloc.Result(0)).Terms...)
			}
		}
	}
	return f.anyway
}

// isPartOfProduct tells whether each size in a product is one of those in another.
func isPartOfProduct(t, of footprint.Term) bool {
	rest := slices.Clone(of.Sizes)
	for _, name := range t.Sizes {
		i := slices.Index(rest, name)
		if i < 0 {
			return false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return true
}
