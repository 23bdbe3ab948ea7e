// Package inline replaces calls by the bodies of the called functions.
package inline

import (
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/rewrite"
	"freehold/transform/canonicalize"
)

// Options direct inlining.
type Options struct {
	// MaxIterations limits how often a group of functions that call each other is
	// visited; 0 means four times.
	MaxIterations int
	// Threshold is the size of a callee, in percent of the caller's, above which it is
	// not inlined; 0 means no limit.
	Threshold int
	// Patterns canonicalize functions before their calls are looked at; nil means that
	// they stay as they are.
	Patterns *rewrite.PatternSet
}

// Run inlines, in the symbol table operation op, the calls of functions that are
// not recursive, callees before callers. Private functions that become unused are
// erased.
func Run(op *ir.Op, o Options) {
	in := &inliner{options: o, root: op, tables: ir.NewSymbolTables(), refs: map[*ir.Op]map[*ir.Op]int{}, uses: map[*ir.Op]int{}}
	if in.options.MaxIterations == 0 {
		in.options.MaxIterations = 4
	}
	g := analysis.NewCallGraph(op)
	in.countOutside(g)
	for _, group := range g.BottomUp() {
		for range in.options.MaxIterations {
			in.optimize(group)
			if !in.group(group) {
				break
			}
		}
	}
	for _, f := range in.dead {
		f.Erase()
	}
}

type inliner struct {
	options Options
	root    *ir.Op
	tables  *ir.SymbolTables
	refs    map[*ir.Op]map[*ir.Op]int // how often each function refers to others
	uses    map[*ir.Op]int            // how often anything refers to a function
	gone    map[*ir.Op]bool
	dead    []*ir.Op
}

func isFunction(op *ir.Op) bool { _, ok := iface.Function.Of(op); return ok }

// countOutside counts the references, by function, and those outside of functions.
func (in *inliner) countOutside(g *analysis.CallGraph) {
	in.gone = map[*ir.Op]bool{}
	for _, f := range g.Functions {
		in.recount(f)
	}
	in.root.Walk(func(o *ir.Op) bool {
		if isFunction(o) && o != in.root {
			return false
		}
		in.count(o, func(f *ir.Op) { in.uses[f]++ })
		return true
	})
}

// count calls fn for each function that the operation itself refers to.
func (in *inliner) count(o *ir.Op, fn func(f *ir.Op)) {
	ir.OpSymbolUses(o, func(ref *ir.SymbolRefAttr) {
		if f := in.tables.Lookup(o, ref); f != nil {
			fn(f)
		}
	})
}

// recount counts the references in a function again, after it was changed.
func (in *inliner) recount(f *ir.Op) {
	for callee, n := range in.refs[f] {
		in.uses[callee] -= n
	}
	refs := map[*ir.Op]int{}
	f.Walk(func(o *ir.Op) bool {
		in.count(o, func(callee *ir.Op) { refs[callee]++ })
		return true
	})
	for callee, n := range refs {
		in.uses[callee] += n
	}
	in.refs[f] = refs
}

func (in *inliner) erase(f *ir.Op) {
	for callee, n := range in.refs[f] {
		in.uses[callee] -= n
	}
	delete(in.refs, f)
	in.gone[f] = true
	in.dead = append(in.dead, f)
}

func (in *inliner) optimize(group []*ir.Op) {
	if in.options.Patterns == nil {
		return
	}
	for _, f := range group {
		if in.gone[f] || f.RegionAt(0).Empty() || !f.Has(ir.TraitIsolatedFromAbove) {
			continue
		}
		canonicalize.RunPatterns(f, in.options.Patterns, canonicalize.Options{})
		in.recount(f)
	}
}

// site is a call, with the index of the call whose inlining brought it here, or
// -1.
type site struct {
	call, caller, callee *ir.Op
	history              int
}

// group inlines calls in the functions of a group and returns whether it did.
func (in *inliner) group(group []*ir.Op) bool {
	var sites []site
	for _, f := range group {
		if in.gone[f] {
			continue
		}
		if ir.IsPrivate(f) && in.uses[f] == 0 && !f.RegionAt(0).Empty() {
			in.erase(f)
			continue
		}
		sites = in.collect(sites, f, f, -1)
	}
	type link struct {
		callee *ir.Op
		prev   int
	}
	var history []link
	inlined := false
	for i := 0; i < len(sites); i++ {
		s := sites[i]
		if in.gone[s.caller] {
			continue
		}
		again := false
		for h := s.history; h >= 0 && !again; h = history[h].prev {
			again = history[h].callee == s.callee
		}
		if again || !in.wanted(s) || !legal(s.call, s.callee) {
			continue
		}
		m, _ := iface.Call.Of(s.call)
		start, n := m.Args(s.call)
		args := s.call.Operands()[start : start+n]
		if !fits(args, s.call, s.callee) {
			continue
		}
		move := ir.IsPrivate(s.callee) && in.uses[s.callee] == 1
		history = append(history, link{s.callee, s.history})
		body(ir.NewBuilder(s.call.Context()), s.call, args, s.callee, move, func(o *ir.Op) {
			in.count(o, func(f *ir.Op) { in.refer(s.caller, f, 1) })
			if f := in.target(o); f != nil {
				sites = append(sites, site{o, s.caller, f, len(history) - 1})
			}
		})
		in.count(s.call, func(f *ir.Op) { in.refer(s.caller, f, -1) })
		s.call.Erase()
		inlined = true
		if move {
			in.erase(s.callee)
		}
	}
	return inlined
}

func (in *inliner) refer(from, to *ir.Op, n int) {
	in.refs[from][to] += n
	in.uses[to] += n
}

// target returns the function with a body that the operation calls, or nil.
func (in *inliner) target(o *ir.Op) *ir.Op {
	m, ok := iface.Call.Of(o)
	if !ok {
		return nil
	}
	ref, _ := m.Callee(o)
	if ref == nil {
		return nil
	}
	f := in.tables.Lookup(o, ref)
	if f == nil || !isFunction(f) || in.gone[f] || f.RegionAt(0).Empty() {
		return nil
	}
	return f
}

// collect finds the calls of functions with a body in an operation, not in nested
// functions.
func (in *inliner) collect(sites []site, op, caller *ir.Op, history int) []site {
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			for o := range b.Ops() {
				if f := in.target(o); f != nil {
					sites = append(sites, site{o, caller, f, history})
				}
				if !isFunction(o) {
					sites = in.collect(sites, o, caller, history)
				}
			}
		}
	}
	return sites
}

// wanted tells whether the inliner wants to inline a call.
func (in *inliner) wanted(s site) bool {
	if in.gone[s.callee] || s.call.Has(ir.TraitTerminator) || in.refs[s.callee][s.callee] > 0 || s.callee.IsAncestorOf(s.call) {
		return false
	}
	if s.callee.RegionAt(0).NumBlocks() > 1 && (s.call.Parent().Has(ir.TraitSingleBlock) || s.call.Parent().Def().ImplicitTerminator != "") {
		return false
	}
	if in.options.Threshold > 0 && size(s.callee)*100 > size(s.caller)*in.options.Threshold {
		return false
	}
	return true
}

func size(op *ir.Op) int {
	n := 0
	op.Walk(func(*ir.Op) bool { n++; return true })
	return n
}

// fits tells whether the call's operands and results have the types of the
// callee's.
func fits(args ir.Operands, call, callee *ir.Op) bool {
	m, _ := iface.Function.Of(callee)
	t := m.Type(callee)
	if len(args) != len(t.Inputs) || call.NumResults() != len(t.Results) {
		return false
	}
	for i := range args {
		if args.At(i).Type() != t.Inputs[i] {
			return false
		}
	}
	for i, r := range t.Results {
		if call.Result(i).Type() != r {
			return false
		}
	}
	return true
}
