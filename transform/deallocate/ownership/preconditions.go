package ownership

import (
	"freehold/dialect/bufferization"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// checkFunction rejects functions with loops in their control-flow graph, unless the
// options allow them.
func checkFunction(fn *ir.Op, o Options) error {
	var err error
	fn.Walk(func(op *ir.Op) bool {
		for _, r := range op.Regions() {
			if err == nil && !o.UnstructuredControlFlow && r.NumBlocks() > 1 && analysis.NewCycles(r).Any() {
				err = fn.PlainErrorf("Only structured control-flow loops are supported.")
			}
		}
		return err == nil
	})
	return err
}

// concernsBuffers tells whether an operation has memrefs as operands or results,
// or may allocate or free memory by itself.
func concernsBuffers(op *ir.Op) bool {
	for i := range op.NumOperands() {
		if isMemRef(op.Operand(i)) {
			return true
		}
	}
	for i := range op.NumResults() {
		if isMemRef(op.Result(i)) {
			return true
		}
	}
	effects, known := interfaces.EffectsOf(op)
	for _, e := range effects {
		if e.Kind == interfaces.Allocate || e.Kind == interfaces.Free {
			return true
		}
	}
	return !known
}

// passesNoBuffers tells whether no buffer gets into an operation's regions but by being
// captured, and none comes out.
func passesNoBuffers(op *ir.Op) bool {
	passes := false
	for i := range op.NumResults() {
		passes = passes || isMemRef(op.Result(i))
	}
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			if b.IsEntry() {
				passes = passes || countMemRefs(b.Args()) > 0
			}
			if t := b.Last(); t != nil && t.Has(ir.TraitTerminator) && t.NumSuccessors() == 0 {
				passes = passes || countMemRefs(t.Operands().Values()) > 0
			}
		}
	}
	return !passes
}

// checkOp rejects operations whose part in ownership is not known. They don't
// implement interfaces.BufferDeallocation.
func checkOp(op *ir.Op, o Options) error {
	if !concernsBuffers(op) {
		return nil
	}
	if op.Is(bufferization.Dealloc) {
		return op.PlainErrorf("No deallocation operations must be present when running this pass!")
	}
	_, call := interfaces.Call.Of(op)
	effects, known := interfaces.EffectsIn(op, o.LLVM)
	if !known && !call && !(interfaces.LocalMemory.Has(op) && o.UndeclaredEffects) {
		return op.PlainErrorf("ops with unknown memory side effects are not supported")
	}
	for _, e := range effects {
		if e.Kind == interfaces.Free && e.IsOnOperand() && op.Attr(bufferization.ManualDeallocationAttr) == nil {
			return op.PlainErrorf("memory free side-effect on MemRef value not supported!")
		}
	}
	n := op.NumRegions()
	if !interfaces.RegionBranch.Has(op) && (n > 1 || n == 1 && op.NumResults() > 0) && !(o.UnstructuredControlFlow && passesNoBuffers(op)) {
		return op.PlainErrorf("All operations with attached regions need to implement the RegionBranchOpInterface.")
	}
	if op.Has(ir.TraitNoTerminator) {
		return op.PlainErrorf("NoTerminator trait is not supported")
	}
	if op.Has(ir.TraitTerminator) {
		_, branch := interfaces.Branch.Of(op)
		neverLeft := !branch && op.NumSuccessors() == 0 && op.NumOperands() == 0 && o.UnstructuredControlFlow
		if branch == interfaces.IsRegionTerminator(op) && !neverLeft {
			return op.PlainErrorf("Terminators must implement either BranchOpInterface or RegionBranchTerminatorOpInterface (but not both)!")
		}
	}
	if op.NumSuccessors() > 1 && !o.UnstructuredControlFlow {
		return op.PlainErrorf("Terminators with more than one successor are not supported!")
	}
	return nil
}
