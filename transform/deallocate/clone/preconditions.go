package clone

import (
	"slices"

	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// checkLoops returns an error if control can come back to a block of a region of fn.
func checkLoops(fn *ir.Op) error {
	loop := false
	fn.Walk(func(op *ir.Op) bool {
		for _, r := range op.Regions() {
			loop = loop || analysis.HasLoop(r)
		}
		return !loop
	})
	if loop {
		return fn.PlainErrorf("Only structured control-flow loops are supported.")
	}
	return nil
}

// unknownControl returns an error for each operation on buffers in fn that has regions of which it isn't known when they are
// executed, though that matters.
func unknownControl(fn *ir.Op) (errs []*ir.Diagnostic) {
	var buffers func(op *ir.Op) bool // whether op, or something in it, deals with buffers
	buffers = func(op *ir.Op) bool {
		found := false
		for _, v := range op.Operands().Values() {
			found = found || ir.IsMemRef(v.Type())
		}
		for i := range op.NumResults() {
			found = found || ir.IsMemRef(op.Result(i).Type())
		}
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				for x := range b.Ops() {
					found = buffers(x) || found
				}
			}
		}
		n := op.NumRegions()
		if op != fn && !interfaces.RegionBranch.Has(op) && found && (n > 1 || n == 1 && op.NumResults() > 0) {
			errs = append(errs, op.PlainErrorf("All operations with attached regions need to implement the RegionBranchOpInterface."))
		}
		return found
	}
	buffers(fn)
	return errs
}

// unknownBuffers returns an error for the first operation in fn that returns buffers, or passes some to its regions, of which it isn't known when they are
// executed; nil if there is none. Linear time.
func unknownBuffers(fn *ir.Op) (err error) {
	fn.Walk(func(op *ir.Op) bool {
		if err != nil || op == fn || op.NumRegions() == 0 || interfaces.RegionBranch.Has(op) {
			return err == nil
		}
		passes := slices.ContainsFunc(ir.TypesOf(op.Results().Values()), ir.IsMemRef)
		for _, r := range op.Regions() {
			passes = passes || !r.Empty() && slices.ContainsFunc(ir.TypesOf(r.Entry().Args()), ir.IsMemRef)
		}
		if passes {
			err = op.PlainErrorf("can't be freed by copies: nothing says when the regions of this operation are executed, and which buffers it passes on")
		}
		return err == nil
	})
	return err
}

// checkArguments returns an error if the function frees what it is passed, though its callers do that: nothing tells them when it has. Those of a public
// function may be elsewhere, unless there are function boundaries. What is freed by a name that gets a copy is that copy. Linear time.
func (d *deallocation) checkArguments() error {
	if !d.opts.Boundary && !ir.IsPrivate(d.fn) {
		return nil
	}
	freed := analysis.Summarize(d.buffers, func(v *ir.Value) bool { return !d.copied[v] }, mayBeFreed, func(x, y bool) bool { return x || y })
	for _, a := range d.fn.BodyBlock(0).Args() {
		if ir.IsMemRef(a.Type()) && freed.Of(a) {
			return d.freeOf(a).PlainErrorf("can't be freed by copies: this frees a buffer that the function is passed, and its callers free that too, as nothing tells them when it has").
				WithNote(a.Loc(), "this is the buffer; with compile --deallocation ownership callers hand over what is freed")
		}
	}
	return nil
}

// mayBeFreed tells whether an operation may free a value that it uses.
func mayBeFreed(v *ir.Value) bool { return freeing(v) != nil }

// freeing returns the first operation that may free a value that it uses; nil if there is none.
func freeing(v *ir.Value) *ir.Op {
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if analysis.MayFree(u.Owner(), u.Index()) {
			return u.Owner()
		}
	}
	return nil
}

// freeOf returns an operation that may free v, by v itself or by what it is passed on as without a copy. There must be one.
func (d *deallocation) freeOf(v *ir.Value) (op *ir.Op) {
	seen := map[*ir.Value]bool{v: true}
	for work := []*ir.Value{v}; len(work) > 0 && op == nil; work = work[1:] {
		op = freeing(work[0])
		d.buffers.Flows(work[0], func(to *ir.Value) {
			if !seen[to] && !d.copied[to] {
				seen[to] = true
				work = append(work, to)
			}
		})
	}
	return op
}
