package compile

import (
	"errors"

	"freehold/ir"
	"freehold/memory/footprint"
	"freehold/pass"
	"freehold/transform/memory/schedule"
	"freehold/transform/memory/tile"
)

// attempt is a program compiled in one way.
type attempt struct {
	deallocation Deallocation
	manager      *pass.OpPassManager
	module       *ir.Op
	said         []*ir.Diagnostic
	err          error
	// summary is what was made of the program, and arenas are those in it, once somebody has asked for it.
	summary *footprint.Summary
	arenas  []*footprint.Arena
}

// measure returns what was made of the program.
func (a *attempt) measure() footprint.Summary {
	if a.summary == nil {
		a.arenas = footprint.Arenas(a.module)
		s := footprint.Analyze(a.module).Summarize().WithArenas(a.arenas)
		a.summary = &s
	}
	return *a.summary
}

// comparison returns the attempt as a row to compare with.
func (a *attempt) comparison() Comparison {
	row := Comparison{Deallocation: a.deallocation}
	if a.err == nil {
		row.Summary = a.measure()
		return row
	}
	row.Refused = a.err.Error()
	var refused *RefusedError
	if errors.As(a.err, &refused) {
		row.Refused = line(refused.Diagnostic)
	}
	return row
}

// chooses tells whether other passes may be tried than those of a pipeline.
func (c *Compiler) chooses(manager *pass.OpPassManager) bool {
	return c.isFree() || c.orderingIn(manager) != nil
}

// choose runs the passes on a module, and others on copies of it, which normal makes, where these may make more of it: without the new order of operations, as that was chosen by what it can be
// expected to need; with copies that are elided later, once operations work in place, if what they are copied to would be there early; and with other ways to insert frees. The module becomes
// the best of what comes out.
func (c *Compiler) choose(manager *pass.OpPassManager, module *ir.Op, normal *original, out *Result) error {
	run := c.runner()
	if c.Passes == "" {
		out.Deallocation = c.Options.withDefaults().Deallocation
	}
	if !c.chooses(manager) {
		return c.transform(run, manager, module, out)
	}
	ordering := c.orderingIn(manager)
	best := c.attempt(run, manager, module, out)
	best.deallocation = out.Deallocation
	run.Started = nil // what follows is no progress in the list of passes
	o := c.Options
	try := func(changed Options, takes func(other *attempt) bool) error {
		other, err := c.attemptWith(run, changed, normal, out)
		if err == nil && takes(other) {
			best, o = other, changed
		}
		return err
	}
	if best.err == nil && tookEarly(best.manager) {
		near := o
		near.near = true
		if err := try(near, func(other *attempt) bool { return other.err == nil && needsLess(other.module, best.module) }); err != nil {
			return err
		}
	}
	if ordering != nil && schedule.Pass.OptionsOf(ordering).Reordered() {
		written := o
		written.unscheduled = true
		if err := try(written, func(other *attempt) bool {
			return best.err != nil || other.err == nil && !needsLess(best.module, other.module)
		}); err != nil {
			return err
		}
	}
	if c.isFree() {
		var err error
		if best, err = c.bestDeallocation(run, best, normal, out); err != nil {
			return err
		}
	}
	out.measured, out.Arenas = best.summary, best.arenas
	if best.module != module {
		replace(module, best.module)
	}
	if run.Sink != nil {
		for _, d := range best.said {
			run.Sink(d)
		}
	}
	return best.err
}

// attemptWith compiles a copy of a program with other options. It fails if the registry doesn't know one of the passes, or the program can't be read again.
func (c *Compiler) attemptWith(run pass.Runner, o Options, normal *original, out *Result) (*attempt, error) {
	manager, err := c.manager(o)
	if err != nil {
		return nil, err
	}
	module, err := normal.copy()
	if err != nil {
		return nil, err
	}
	a := c.attempt(run, manager, module, out)
	a.deallocation = o.withDefaults().Deallocation
	return a, nil
}

// attempt compiles a module. What the passes say is kept.
func (c *Compiler) attempt(run pass.Runner, manager *pass.OpPassManager, module *ir.Op, out *Result) *attempt {
	out.remember(manager, c.orderingIn(manager))
	a := &attempt{manager: manager, module: module}
	run.Sink = func(d *ir.Diagnostic) { a.said = append(a.said, d) }
	a.err = c.transform(run, manager, module, out)
	return a
}

// remember lets the passes of a pipeline, one of which orders operations, take what they found in other attempts, and keep what they find.
func (r *Result) remember(manager *pass.OpPassManager, ordering *pass.Instance) {
	if ordering != nil {
		schedule.Pass.OptionsOf(ordering).Remember(&r.orders)
	}
	for _, i := range manager.Instances() {
		if p := tile.Pass.OptionsOf(i); p != nil {
			p.Remember(&r.groups)
		}
	}
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
