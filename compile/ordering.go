package compile

import (
	"freehold/ir"
	"freehold/memory/footprint"
	"freehold/pass"
	"freehold/transform/memory/reuse"
	"freehold/transform/memory/schedule"
)

// orderingIn returns the place of a pipeline that orders operations; nil if there is none, or if the passes were chosen by hand.
func (c *Compiler) orderingIn(manager *pass.OpPassManager) *pass.Instance {
	if c.Passes != "" {
		return nil
	}
	for _, i := range manager.Instances() {
		if schedule.Pass.OptionsOf(i) != nil {
			return i
		}
	}
	return nil
}

// tookEarly tells whether a pipeline, the first time that it elides copies, has had targets early for that, while other buffers are allocated.
func tookEarly(manager *pass.OpPassManager) bool {
	for _, i := range manager.Instances() {
		if p := reuse.ElideCopiesPass.OptionsOf(i); p != nil {
			return p.TookEarly()
		}
	}
	return false
}

// needsLess tells whether a program needs less memory than the same one compiled otherwise: at its peak, or, if that is the same, in some function,
// and in none more.
func needsLess(a, b *ir.Op) bool {
	x, y := footprint.Analyze(a), footprint.Analyze(b)
	if p, q := x.Summarize().Peak, y.Summarize().Peak; !p.AtLeast(q) || !q.AtLeast(p) {
		return q.AtLeast(p)
	}
	if len(x.Functions) != len(y.Functions) {
		return false
	}
	less := false
	for i, f := range x.Functions {
		p, q := f.Peak(), y.Functions[i].Peak()
		if !q.AtLeast(p) {
			return false
		}
		less = less || !p.AtLeast(q)
	}
	return less
}
