package ownership

import (
	"freehold/dialect/bufferization"
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/analysis"
)

// checkFunction rejects functions with loops in their control-flow graph.
func checkFunction(fn *ir.Op) error {
	var err error
	fn.Walk(func(op *ir.Op) bool {
		for _, r := range op.Regions() {
			if r.NumBlocks() > 1 && analysis.NewCycles(r).Any() {
				err = fn.PlainErrorf("Only structured control-flow loops are supported.")
			}
		}
		return err == nil
	})
	return err
}

// checkOp rejects operations whose part in ownership is not known.
func checkOp(op *ir.Op) error {
	n := op.NumRegions()
	if _, ok := iface.RegionBranch.Of(op); !ok && (n > 1 || n == 1 && op.NumResults() > 0) {
		return op.PlainErrorf("All operations with attached regions need to implement the RegionBranchOpInterface.")
	}
	if op.Is(bufferization.Dealloc) {
		return op.PlainErrorf("No deallocation operations must be present when running this pass!")
	}
	_, call := iface.Call.Of(op)
	if _, known := iface.EffectsOf(op); !known && !call {
		return op.PlainErrorf("ops with unknown memory side effects are not supported")
	}
	if op.Has(ir.TraitNoTerminator) {
		return op.PlainErrorf("NoTerminator trait is not supported")
	}
	if op.Has(ir.TraitTerminator) {
		_, branch := iface.Branch.Of(op)
		if branch == iface.IsRegionTerminator(op) {
			return op.PlainErrorf("Terminators must implement either BranchOpInterface or RegionBranchTerminatorOpInterface (but not both)!")
		}
		if op.NumSuccessors() > 1 {
			return op.PlainErrorf("Terminators with more than one successor are not supported!")
		}
	}
	return nil
}
