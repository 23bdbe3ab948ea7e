package compile

import (
	"freehold/ir"
	"freehold/memory/footprint"
	"freehold/pass"
	"freehold/transform/memory/schedule"
)

// choose runs the passes. If one of them has changed the order of operations, it runs the others on the program as it was written as well, and keeps
// that unless the new order needs less: the order was chosen by what it can be expected to need.
func (c *Compiler) choose(manager *pass.OpPassManager, module *ir.Op, out *Result) error {
	run := pass.Runner{Text: func([]byte) {}}
	if c.Runner != nil {
		run = *c.Runner
	}
	ordering := c.orderingIn(manager)
	if ordering == nil {
		return c.transform(run, manager, module, out)
	}
	written := ir.CloneDetached(module)
	var said []*ir.Diagnostic
	once := run
	once.Sink = func(d *ir.Diagnostic) { said = append(said, d) }
	err := c.transform(once, manager, module, out)
	if schedule.Pass.OptionsOf(ordering).Reordered() {
		kept := c.Options
		kept.unscheduled = true
		other, parseErr := c.Registry.ParsePipeline(kept.Pipeline())
		if parseErr != nil {
			return parseErr
		}
		var saidOfIt []*ir.Diagnostic
		quiet := run
		quiet.Started, quiet.Sink = nil, func(d *ir.Diagnostic) { saidOfIt = append(saidOfIt, d) }
		otherErr := c.transform(quiet, other, written, out)
		if err != nil || otherErr == nil && !needsLess(module, written) {
			replace(module, written)
			said, err = saidOfIt, otherErr
		}
	}
	if run.Sink != nil {
		for _, d := range said {
			run.Sink(d)
		}
	}
	return err
}

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

// replace gives a module the body and the attributes of another one, of which nothing is left.
func replace(module, by *ir.Op) {
	r := module.RegionAt(0)
	for b := r.Entry(); b != nil; b = r.Entry() {
		b.Erase()
	}
	r.TakeBody(by.RegionAt(0))
	for _, a := range by.DiscardableAttrs() {
		module.SetDiscardableAttr(a.Name, a.Value)
	}
}
