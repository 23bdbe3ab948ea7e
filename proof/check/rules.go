package check

import (
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/proof/kernel"
	"freehold/proof/models"
)

// owner says who has to free a buffer that a call passes.
type owner struct {
	kind ownerKind
	// by is the number of the boolean argument, or result, that tells.
	by int
}

type ownerKind uint8

const (
	caller ownerKind = iota // the function that calls
	callee                  // the function that is called
	told                    // the one that gets the buffer, just if a boolean holds
)

// rules are the rules of ownership of a function that calls itself, if they aren't
// those of all functions: with each buffer it may get or return who owns it.
type rules struct {
	arguments, results []owner // entries of other values mean nothing
	booleans           []int   // arguments that may tell
}

// usualRules are those of functions that keep to the rules for all functions, but
// for the results, of which booleans that are returned last may tell, one for each
// buffer, if relating is set. It returns nil if there are not so many, or if owners tell.
func usualRules(fn *ir.Op, relating bool) *rules {
	f, _ := interfaces.Function.Of(fn)
	t := f.Type(fn)
	r := &rules{arguments: make([]owner, len(t.Inputs)), results: make([]owner, len(t.Results))}
	for i, in := range t.Inputs {
		if in == ir.Type(ir.I1) {
			r.booleans = append(r.booleans, i)
		}
	}
	if models.HasOwners(t.Results) {
		return nil
	}
	if !relating {
		return r
	}
	var buffers, booleans []int
	for i, out := range t.Results {
		switch {
		case ir.IsMemRef(out):
			buffers = append(buffers, i)
		case out == ir.Type(ir.I1):
			booleans = append(booleans, i)
		}
	}
	if len(buffers) > len(booleans) {
		return nil
	}
	for k, i := range buffers {
		r.results[i] = owner{told, booleans[len(booleans)-len(buffers)+k]}
	}
	return r
}

// next replaces the rule of an argument by the next possibility: the function
// doesn't own it, or it does if a boolean argument holds, the last ones first, or it
// does. It returns false if there is none.
func (r *rules) next(i int) bool {
	o := &r.arguments[i]
	k := len(r.booleans) - 1
	switch o.kind {
	case callee:
		return false
	case told:
		for k = 0; r.booleans[k] != o.by; k++ {
		}
		k--
	}
	if *o = (owner{kind: callee}); k >= 0 {
		*o = owner{told, r.booleans[k]}
	}
	return true
}

// giveRules gives those functions of a group that call each other rules of ownership of
// their own that may have some, if the group isn't right without. As long as none of them
// frees or returns an argument, the usual rules are the only possible ones.
func (p *program) giveRules(group []called, results map[*ir.Op]*result) {
	wrong, unclear, inside := false, false, false
	for _, g := range group {
		inside = inside || p.contracts[g.fn].inside
		r := results[g.fn]
		wrong = wrong || len(r.findings) > 0 || len(r.unjudged) > 0
		for _, f := range r.findings {
			unclear = unclear || f.argument
		}
		unclear = unclear || len(r.unjudged) > 0
	}
	found := wrong && inside && p.findRules(group, newFormulas())
	for _, g := range group {
		c := p.contracts[g.fn]
		if found {
			c.proved = true
			results[g.fn] = &result{}
		}
		c.unclear = c.inside && unclear && !found
	}
}

// findRules looks for rules of ownership under which all functions of a group that
// call each other are right: those that differ least from those of other functions,
// and else those that violations ask for. It tells whether it found any; without, the
// functions have no rules of their own. It executes each function at most (buffers
// among the arguments of the group) * (booleans among those of a function) times.
func (p *program) findRules(group []called, f *formulas) bool {
	for _, how := range []struct{ relating, handing bool }{{true, false}, {false, true}, {true, true}} {
		if p.tryRules(group, how.relating, how.handing, f) {
			return true
		}
	}
	for _, g := range group {
		c := p.contracts[g.fn]
		c.rules, c.same = nil, nil
	}
	return false
}

// supposeDifferent supposes that the results of a group of functions are never the same, until a body
// shows that they may be: by other rules, arguments that may be the same are buffers of one's own.
func (p *program) supposeDifferent(group []called) {
	for _, g := range group {
		p.contracts[g.fn].same = map[[2]int]bool{}
	}
}

// tryRules looks for rules; relating tells that booleans among the results may say who
// owns the others, handing that functions may own arguments.
func (p *program) tryRules(group []called, relating, handing bool, f *formulas) bool {
	for _, g := range group {
		c := p.contracts[g.fn]
		if !c.inside {
			continue
		}
		if c.rules = usualRules(g.fn, relating); c.rules == nil {
			return false
		}
	}
	p.supposeDifferent(group)
	for {
		proved, changed, other := true, false, false // other rules
		type argumentOf struct {
			r *rules
			i int
		}
		refuted := map[argumentOf]bool{}
		asked := map[argumentOf]bool{}
		for _, g := range group {
			r := p.contracts[g.fn].rules
			a, open, ok := p.prove(g.fn, f)
			if !ok || len(a.unjudged) > 0 {
				return false
			}
			if c := p.contracts[g.fn]; a.promise.exceeds(c.promise) {
				c.promise.weaken(a.promise)
				changed = true
			}
			proved = proved && len(open) == 0
			if !handing && len(open) > 0 {
				return false
			}
			for _, v := range open {
				x := a.Objects[v.object]
				at := argumentOf{r, x.Number}
				switch {
				case r == nil: // what is wrong may be the fault of another rule
				case x.Given:
					refuted[at] = true
				case x.Kind == kernel.Argument && (v.kind == InvalidFree || v.kind == BorrowedReturn):
					if !asked[at] {
						asked[at] = true
						other = r.next(at.i) || other
					}
				}
			}
		}
		if proved && !changed && !other {
			return true
		}
		// That an argument isn't freed may be the fault of a rule that has changed
		// meanwhile; if none did, it isn't.
		if !changed && !other {
			for at := range refuted {
				other = at.r.next(at.i) || other
			}
			if !other {
				return false
			}
		}
		if other {
			p.supposeDifferent(group)
		}
	}
}
