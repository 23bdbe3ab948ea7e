// Package inline replaces calls by the bodies of the called functions.
package inline

import (
	"math"
	"slices"

	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// NoThreshold is a threshold that no callee exceeds.
const NoThreshold = math.MaxUint32

// KeepAttr is the attribute of functions whose calls should stay.
const KeepAttr = "no_inline"

// ModerateGrowth returns a limit for [Options.Growth], of 1024 operations, however small a program is, or three times its own. Linear time.
func ModerateGrowth(op *ir.Op) int {
	return max(1024, 3*op.CountOps())
}

// Options direct inlining.
type Options struct {
	// MaxIterations limits how often a group of functions that call each other is
	// visited; it is visited once in any case.
	MaxIterations uint32
	// Threshold is the size of a callee, in percent of the caller's, above which it is
	// not inlined.
	Threshold uint32
	// Wants tells whether a call that may be inlined should be; nil stands for all.
	Wants func(call, callee *ir.Op) bool
	// Growth is how many operations the program may have more in all; 0 is no limit.
	Growth int
	// Depth is how deep regions may be nested in a function because of what is inlined; 0 is no limit.
	Depth int
	// CallersFirst has functions that are called once moved to their callers before all else, callers before callees, so that nothing is moved
	// twice; and functions that call each other in a ring looked at before those that they call: then what is inlined isn't inlined once more
	// with its caller, and time is linear in what comes out. Where growth is limited, other calls are looked at as without it: those
	// in the innermost functions first, so that few are left.
	CallersFirst bool
	// Optimize simplifies a function before its calls are looked at. May be nil.
	Optimize func(f *ir.Op) error
}

// Run inlines, in the symbol table operation op, the calls of functions that are
// not recursive, callees before callers but for what options say. Functions that become unused, and that
// nothing outside can refer to, are erased. The error is one of Optimize; then op is
// valid, but some calls were not looked at.
func Run(op *ir.Op, o Options) error {
	in := &inliner{options: o, root: op, tables: ir.NewSymbolTables(), graph: analysis.NewCallGraph(op),
		refs: map[*ir.Op]map[*ir.Op]int{}, uses: map[*ir.Op]int{}, sizes: map[*ir.Op]int{}, depths: map[*ir.Op]int{},
		discardable: map[*ir.Op]bool{}, parents: map[*ir.Op]bool{}, gone: map[*ir.Op]bool{}, moved: map[*ir.Op][]site{}}
	in.findDiscardable(op, op.Block() == nil)
	in.countUses()
	groups := in.graph.BottomUp()
	if o.CallersFirst {
		for _, group := range slices.Backward(groups) {
			in.group(reversed(group), true)
		}
	}
	var err error
	for _, group := range groups {
		if o.CallersFirst {
			group = reversed(group)
		}
		for i := uint32(0); i == 0 || i < o.MaxIterations; i++ {
			if err = in.optimize(group); err != nil || !in.group(group, false) {
				break
			}
		}
		if err != nil {
			break
		}
	}
	for _, f := range in.dead {
		f.Erase()
	}
	return err
}

// reversed returns a copy with the last one first.
func reversed[T any](all []T) []T {
	all = slices.Clone(all)
	slices.Reverse(all)
	return all
}

type inliner struct {
	options     Options
	root        *ir.Op
	tables      *ir.SymbolTables
	graph       *analysis.CallGraph       // as it was before anything was inlined
	refs        map[*ir.Op]map[*ir.Op]int // how often each function refers to others
	uses        map[*ir.Op]int            // how often anything refers to a function
	sizes       map[*ir.Op]int            // number of operations in each function
	depths      map[*ir.Op]int            // how deep regions are nested in each function, itself included
	discardable map[*ir.Op]bool           // functions that may go when they aren't used
	parents     map[*ir.Op]bool           // functions with functions in them
	gone        map[*ir.Op]bool
	moved       map[*ir.Op][]site // the calls in functions that were moved before others were looked at
	dead        []*ir.Op
	grown       int // the number of operations that there are more
}

// findDiscardable finds the functions in the symbol tables of op that can be seen from
// inside of root only. visible tells whether all uses of a symbol in op's own table are
// inside of root.
func (in *inliner) findDiscardable(op *ir.Op, visible bool) {
	table := op.Has(ir.TraitSymbolTable)
	if table {
		_, named := ir.SymbolName(op)
		visible = visible || !named || ir.IsPrivate(op)
	} else {
		visible = true
	}
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			for o := range b.Ops() {
				if table && interfaces.Function.Has(o) && !ir.IsPublic(o) && (visible || ir.IsPrivate(o)) {
					in.discardable[o] = true
				}
				if o.NumRegions() > 0 {
					in.findDiscardable(o, visible)
				}
			}
		}
	}
}

// countUses counts the references, by function, and those outside of functions.
func (in *inliner) countUses() {
	for _, f := range in.graph.Functions {
		in.recount(f)
		for p := f.Parent(); p != nil && p != in.root; p = p.Parent() {
			in.parents[p] = true
		}
	}
	in.root.Walk(func(o *ir.Op) bool {
		if interfaces.Function.Has(o) && o != in.root {
			return false
		}
		in.count(o, o, func(f *ir.Op) { in.uses[f]++ })
		return true
	})
}

// count calls fn for each function that the operation itself refers to, by names as they are at another operation: o may
// be a copy that isn't in the program yet.
func (in *inliner) count(o, at *ir.Op, fn func(f *ir.Op)) {
	ir.OpSymbolUses(o, func(ref *ir.SymbolRefAttr) {
		if f := in.tables.Lookup(at, ref); f != nil {
			fn(f)
		}
	})
}

// recount counts the operations and the references in a function again, after it was
// changed.
func (in *inliner) recount(f *ir.Op) {
	for callee, n := range in.refs[f] {
		in.uses[callee] -= n
	}
	refs := map[*ir.Op]int{}
	size := -1 // not the function itself
	f.Walk(func(o *ir.Op) bool {
		size++
		in.count(o, o, func(callee *ir.Op) { refs[callee]++ })
		return true
	})
	for callee, n := range refs {
		in.uses[callee] += n
	}
	in.refs[f], in.sizes[f], in.depths[f] = refs, size, depth(f)
}

// depth returns how deep regions are nested in an operation.
func depth(op *ir.Op) (most int) {
	for _, r := range op.Regions() {
		most = max(most, 1)
		for b := range r.Blocks() {
			for o := range b.Ops() {
				if o.NumRegions() > 0 {
					most = max(most, 1+depth(o))
				}
			}
		}
	}
	return most
}

// depthAt returns how deep the regions of a caller would be nested at a call if that were inlined. It takes the time of the nesting of the call.
func (in *inliner) depthAt(s site) int {
	n := in.depths[s.callee]
	for p := s.call.Parent(); p != s.caller; p = p.Parent() {
		n++
	}
	return n
}

// refersNoMore notes that what a function refers to isn't used by it any more.
func (in *inliner) refersNoMore(f *ir.Op) {
	for callee, n := range in.refs[f] {
		in.uses[callee] -= n
	}
	delete(in.refs, f)
}

// forget marks a function that is to be erased.
func (in *inliner) forget(f *ir.Op) {
	in.gone[f] = true
	in.dead = append(in.dead, f)
}

func (in *inliner) optimize(group []*ir.Op) error {
	if in.options.Optimize == nil {
		return nil
	}
	for _, f := range group {
		if in.gone[f] || in.parents[f] || f.RegionAt(0).Empty() || !f.Has(ir.TraitIsolatedFromAbove) {
			continue
		}
		if err := in.options.Optimize(f); err != nil {
			return err
		}
		in.recount(f)
	}
	return nil
}

// site is a call, with the index of the call whose inlining brought it here, or
// -1.
type site struct {
	call, caller, callee *ir.Op
	history              int
}

// group inlines calls in the functions of a group, or only those of functions that nothing else calls, and returns whether it did.
func (in *inliner) group(group []*ir.Op, onlyMoves bool) bool {
	var sites []site
	for _, f := range group {
		switch {
		case in.gone[f]:
			if !onlyMoves {
				sites = append(sites, in.moved[f]...)
			}
		case f.RegionAt(0).Empty():
		case in.discardable[f] && in.uses[f] == 0:
			in.forget(f)
			if in.options.CallersFirst {
				in.refersNoMore(f)
			}
		default:
			sites = in.collect(sites, f.RegionAt(0), f, f, -1)
		}
	}
	type link struct {
		callee *ir.Op
		prev   int
	}
	var history []link
	inlined := false
	for i := 0; i < len(sites); i++ {
		s := sites[i]
		if in.gone[s.caller] || s.call.Block() == nil {
			continue
		}
		again := false
		for h := s.history; h >= 0 && !again; h = history[h].prev {
			again = history[h].callee == s.callee
		}
		move := in.discardable[s.callee] && in.uses[s.callee] == 1
		if again || onlyMoves && !move || !in.wanted(s) || !legal(s.call, s.callee) || in.options.Wants != nil && !in.options.Wants(s.call, s.callee) {
			continue
		}
		m, _ := interfaces.Call.Of(s.call)
		start, n := m.Args(s.call)
		args := s.call.Operands()[start : start+n]
		if !fits(args, s.call, s.callee) {
			continue
		}
		nested := in.depthAt(s)
		if in.options.Depth > 0 && nested > in.options.Depth {
			continue
		}
		in.depths[s.caller] = max(in.depths[s.caller], nested)
		from := s.history // what is moved can't be called again
		if !move {
			if in.options.Growth > 0 && in.grown+in.sizes[s.callee] > in.options.Growth {
				continue
			}
			in.grown += in.sizes[s.callee]
			from = len(history)
			history = append(history, link{s.callee, s.history})
		}
		body(ir.NewBuilder(s.call.Context()), s.call, args, s.callee, move, func(r *ir.Region) {
			if r.NumBlocks() == 1 {
				in.sizes[s.caller]-- // the terminator
			}
			for b := range r.Blocks() {
				for o := range b.Ops() {
					o.Walk(func(o *ir.Op) bool {
						in.sizes[s.caller]++
						in.count(o, s.call, func(f *ir.Op) { in.refer(s.caller, f, 1) })
						return true
					})
				}
			}
			known := len(sites)
			sites = in.collect(sites, r, s.call, s.caller, from)
			if onlyMoves {
				in.moved[s.callee] = append(in.moved[s.callee], sites[known:]...)
			}
		})
		in.sizes[s.caller]--
		in.count(s.call, s.call, func(f *ir.Op) { in.refer(s.caller, f, -1) })
		s.call.Erase()
		inlined = true
		if move {
			in.refersNoMore(s.callee)
			in.forget(s.callee)
		}
	}
	return inlined
}

func (in *inliner) refer(from, to *ir.Op, n int) {
	in.refs[from][to] += n
	in.uses[to] += n
}

// target returns the function with a body that the operation calls, by names as they are at another operation, or nil.
func (in *inliner) target(o, at *ir.Op) *ir.Op {
	m, ok := interfaces.Call.Of(o)
	if !ok {
		return nil
	}
	ref, _ := m.Callee(o)
	if ref == nil || len(ref.Nested) > 0 {
		return nil
	}
	f := in.tables.Lookup(at, ref)
	if f == nil || !interfaces.Function.Has(f) || in.gone[f] || f.RegionAt(0).Empty() {
		return nil
	}
	return f
}

// collect finds the calls of functions with a body in a region, not in nested
// functions, by names as they are at an operation. The last block comes first, and what is nested in a block before the
// blocks that precede it.
func (in *inliner) collect(sites []site, r *ir.Region, at, caller *ir.Op, history int) []site {
	var work []*ir.Block
	push := func(r *ir.Region) {
		for b := range r.Blocks() {
			work = append(work, b)
		}
	}
	for push(r); len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for o := range b.Ops() {
			if f := in.target(o, at); f != nil {
				sites = append(sites, site{o, caller, f, history})
				continue
			}
			if !interfaces.Function.Has(o) {
				for _, r := range o.Regions() {
					push(r)
				}
			}
		}
	}
	return sites
}

// wanted tells whether the inliner wants to inline a call.
func (in *inliner) wanted(s site) bool {
	if in.gone[s.callee] || s.call.Has(ir.TraitTerminator) || slices.Contains(in.graph.Callees(s.callee), s.callee) || s.callee.IsAncestorOf(s.caller) {
		return false
	}
	if p := s.call.Parent(); s.callee.RegionAt(0).NumBlocks() > 1 && p.Name() != s.callee.Name() &&
		(!p.Registered() || p.Has(ir.TraitSingleBlock) || p.Def().ImplicitTerminator != nil) {
		return false
	}
	caller := in.sizes[s.caller]
	return caller == 0 || uint64(in.sizes[s.callee])*100/uint64(caller) <= uint64(in.options.Threshold)
}

// fits tells whether the call's operands and results have the types of the
// callee's.
func fits(args ir.Operands, call, callee *ir.Op) bool {
	m, _ := interfaces.Function.Of(callee)
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
