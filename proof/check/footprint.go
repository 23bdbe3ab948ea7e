package check

import (
	"freehold/ir"
	"freehold/memory/footprint"
)

// Footprint tells how much memory the functions of a program need that may leave buffers behind. Where it isn't seen that
// something is freed on all paths, the program is checked, with so many threads, 0 for as many as there are processors; what
// may be left by a function that isn't proved to be right is alive to the end. It takes as long as [footprint.Analyze],
// and where that isn't seen, as [Module].
func Footprint(root *ir.Op, threads int) *footprint.Program {
	return footprint.AnalyzeInDoubt(root, freedIn(root, threads))
}

// ComputedFootprint is [Footprint] without the tensors that nothing computes.
func ComputedFootprint(root *ir.Op, threads int) *footprint.Program {
	return footprint.AnalyzeComputed(root, freedIn(root, threads))
}

// freedIn tells of the functions of a program whether they are proved to free all that they allocate. The program is checked once, when that is asked.
func freedIn(root *ir.Op, threads int) func(fn *ir.Op) bool {
	var r *Report
	return func(fn *ir.Op) bool {
		if r == nil {
			r = Module(root, Options{Threads: threads})
		}
		return r.Proved(fn)
	}
}
