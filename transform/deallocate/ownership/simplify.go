package ownership

import (
	"slices"
	"sync"

	"freehold/dialect/arith"
	"freehold/dialect/bufferization"
	"freehold/internal/parallel"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// simplifyPrecisely simplifies the deallocations in root with [analysis.NewPreciseOrigins],
// for which functions must follow the function boundary ABI, without dynamic ownership, and
// with what is certain of the truth values that loops carry, on the given number of
// threads. It tells whether that changed anything.
func simplifyPrecisely(root *ir.Op, threads int) (changed bool, err error) {
	var calls *analysis.CallSummaries
	if root.Has(ir.TraitSymbolTable) && callsForSeveral(root) {
		calls = analysis.NewCallSummaries(root)
	}
	parts := newSimplifier(root.Context(), nil, true).patterns.Parts(root, simplification)
	changes, errs := make([]bool, len(parts)), make([]error, len(parts))
	parallel.For(len(parts), threads, func() func(int) {
		s := newSimplifier(root.Context(), nil, true)
		s.calls = calls
		return func(i int) { changes[i], errs[i] = s.simplify(parts[i]) }
	})
	for i := range parts {
		if errs[i] != nil {
			return true, errs[i]
		}
		changed = changed || changes[i]
	}
	return changed, nil
}

// callsForSeveral tells whether anything in root calls a function that returns several buffers.
func callsForSeveral(root *ir.Op) (found bool) {
	root.Walk(func(op *ir.Op) bool {
		_, call := interfaces.Call.Of(op)
		found = found || call && countMemRefs(op.Results().Values()) > 1
		return !found
	})
	return found
}

// simplifier simplifies one operation after another.
type simplifier struct {
	worker   *rewrite.Worker
	patterns *rewrite.PatternSet
	precise  bool
	calls    *analysis.CallSummaries // may be nil
	origins  *analysis.Origins       // of what is being simplified
}

// simplification is how the greedy driver is directed.
var simplification = rewrite.Config{Simplify: rewrite.SimplifyNormal}

func newSimplifier(c *ir.Context, a *ir.Arena, precise bool) *simplifier {
	s := &simplifier{precise: precise}
	s.patterns = rewrite.NewPatternSet(c, s.list(c))
	config := simplification
	config.Arena = a
	s.worker = rewrite.NewWorker(c, s.patterns, config)
	return s
}

// simplify drops from the deallocations in op what the origins of the buffers show to be
// unnecessary, and splits off buffers that alias no other. It tells whether that changed
// anything.
func (s *simplifier) simplify(op *ir.Op) (changed bool, err error) {
	switch {
	case s.origins != nil:
		s.origins.Reset(op)
	case s.precise:
		s.origins = analysis.NewPreciseOrigins(op, s.calls)
	default:
		s.origins = analysis.NewUpstreamOrigins(op)
	}
	changed, converged := s.worker.Apply(op)
	if !converged {
		return changed, op.PlainErrorf("simplification of deallocations did not converge")
	}
	certain := false
	if s.precise {
		for _, fn := range functionsIn(op) {
			certain = replaceCertain(fn) || certain
		}
	}
	if certain { // now conditions of deallocations may be constants
		s.origins.Reset(op)
		s.worker.Apply(op)
	}
	return changed || certain, nil
}

func (s *simplifier) list(c *ir.Context) []rewrite.Pattern {
	return append([]rewrite.Pattern{
		{Name: "remove-dealloc-memref-contained-in-retained", Root: bufferization.Dealloc, Rewrite: s.removeRetainedMemRefs},
		{Name: "remove-retained-memref-guaranteed-to-not-alias", Root: bufferization.Dealloc, Rewrite: s.removeNeverAliasing},
		{Name: "split-dealloc-when-not-aliasing-any-other", Root: bufferization.Dealloc, Rewrite: s.split},
		{Name: "retained-memref-aliasing-always-deallocated-memref", Root: bufferization.Dealloc, Rewrite: s.ownAlwaysDeallocated},
	}, rewrite.CanonicalizationOf(c.OpNameOf(bufferization.Dealloc))...)
}

func dealloc(op *ir.Op) bufferization.DeallocOp { return bufferization.DeallocOp{Op: op} }

// update replaces the operands of a dealloc and tells whether that changes it.
func update(r *rewrite.Rewriter, op *ir.Op, memrefs, conditions []*ir.Value) bool {
	d := dealloc(op)
	if len(memrefs) == len(d.MemRefs()) {
		return false
	}
	r.Modify(op, func() { d.Set(memrefs, conditions) })
	return true
}

// removeRetainedMemRefs drops a buffer that is certain to be one of the retained
// ones (and certain not to be the others): it is never freed here, and its
// condition goes to the ownership of the retained one.
func (s *simplifier) removeRetainedMemRefs(r *rewrite.Rewriter, op *ir.Op) bool {
	d := dealloc(op)
	retained := d.Retained().Values()
	distinct := map[*ir.Value]bool{}
	for _, v := range retained {
		distinct[v] = true
	}
	if len(distinct) != len(retained) || len(retained) == 0 {
		return false
	}
	var memrefs, conditions []*ir.Value
	to := s.collect(retained)
	for i, m := range d.MemRefs().Values() {
		c := d.Conditions().At(i)
		if s.giveToRetained(r, op, m, c, to) {
			continue
		}
		memrefs, conditions = append(memrefs, m), append(conditions, c)
	}
	return update(r, op, memrefs, conditions)
}

func (s *simplifier) giveToRetained(r *rewrite.Rewriter, op *ir.Op, m, condition *ir.Value, retained *collection) bool {
	may := false
	var same []int // the retained ones that are certainly it
	retained.aliases(m, func(i int, answer analysis.Alias) bool {
		may = answer == analysis.MayAlias
		same = append(same, i)
		return !may
	})
	if may || len(same) == 0 {
		return false
	}
	slices.Sort(same)
	r.SetAfter(op)
	r.Loc = op.Loc()
	for _, i := range slices.Compact(same) {
		updated := op.Result(i)
		or := arith.New(r.Builder, arith.OrI, updated, condition)
		r.ReplaceUsesIf(updated, or, func(u *ir.Use) bool { return u.Owner() != or.DefiningOp() })
	}
	return true
}

// removeNeverAliasing drops retained buffers that alias none that may be freed:
// they are not owned.
func (s *simplifier) removeNeverAliasing(r *rewrite.Rewriter, op *ir.Op) bool {
	d := dealloc(op)
	if len(d.Retained()) == 0 {
		return false
	}
	memrefs := s.collect(d.MemRefs().Values())
	var keep []*ir.Value
	kept := make([]bool, len(d.Retained()))
	for i, v := range d.Retained().Values() {
		if kept[i] = memrefs.mayAlias(v, -1); kept[i] {
			keep = append(keep, v)
		}
	}
	if len(keep) == len(kept) {
		return false
	}
	r.SetBefore(op)
	r.Loc = op.Loc()
	no := arith.ConstantBool(r.Builder, false)
	n := bufferization.NewDealloc(r.Builder, d.MemRefs().Values(), d.Conditions().Values(), keep)
	values := make([]*ir.Value, len(kept))
	next := 0
	for i, k := range kept {
		values[i] = no
		if k {
			values[i] = n.Result(next)
			next++
		}
	}
	r.Replace(op, values...)
	return true
}

// split moves each buffer that aliases no other, or none that is freed where it is, into an operation of its own.
func (s *simplifier) split(r *rewrite.Rewriter, op *ir.Op) bool {
	d := dealloc(op)
	all := d.MemRefs().Values()
	if len(all) <= 1 {
		return false
	}
	members := s.collect(all)
	retained := d.Retained().Values()
	r.SetBefore(op)
	r.Loc = op.Loc()
	var memrefs, conditions []*ir.Value
	var parts []*ir.Op
	apart := func(int) bool { return false }
	if s.precise {
		freed := sync.OnceValue(func() *freed { return s.freed(all, d.Conditions().Values()) })
		apart = func(i int) bool { return freed().apart(i) }
	}
	for i, m := range all {
		c := d.Conditions().At(i)
		if members.mayAlias(m, i) && !apart(i) {
			memrefs, conditions = append(memrefs, m), append(conditions, c)
		} else {
			parts = append(parts, bufferization.NewDealloc(r.Builder, []*ir.Value{m}, []*ir.Value{c}, retained))
		}
	}
	if len(parts) == 0 {
		return false
	}
	values := bufferization.NewDealloc(r.Builder, memrefs, conditions, retained).Results().Values()
	for _, p := range parts {
		for i := range values {
			values[i] = arith.New(r.Builder, arith.OrI, values[i], p.Result(i))
		}
	}
	r.Replace(op, values...)
	return true
}

// ownAlwaysDeallocated makes the ownership of a retained buffer true that is
// certain to be one with the constant condition true. The latter is dropped, unless
// a retained buffer of which this isn't known may be the same.
func (s *simplifier) ownAlwaysDeallocated(r *rewrite.Rewriter, op *ir.Op) bool {
	d := dealloc(op)
	retained := d.Retained().Values()
	owned := make([]bool, len(retained)) // for certain
	contained := map[int]bool{}          // numbers of the memrefs that are certain to be retained
	changed := false
	all := s.collect(retained)
	for i, m := range d.MemRefs().Values() {
		c := d.Conditions().At(i)
		if v, ok := ir.ConstantInt(c); !ok || v != 1 {
			continue
		}
		var same []int
		all.aliases(m, func(j int, answer analysis.Alias) bool {
			if answer == analysis.MustAlias {
				same = append(same, j)
			}
			return true
		})
		slices.Sort(same)
		for _, j := range slices.Compact(same) {
			owned[j], contained[i] = true, true
			if op.Result(j).HasUses() {
				r.ReplaceUses(op.Result(j), c)
				changed = true
			}
		}
	}
	var memrefs, conditions []*ir.Value
	for i, m := range d.MemRefs().Values() {
		drop := contained[i]
		if drop {
			all.aliases(m, func(j int, _ analysis.Alias) bool {
				drop = owned[j]
				return drop
			})
		}
		if !drop {
			memrefs, conditions = append(memrefs, m), append(conditions, d.Conditions().At(i))
		}
	}
	return update(r, op, memrefs, conditions) || changed
}

// collection is a list of buffers, with a table of them unless they are so few that it is as fast to look at each.
type collection struct {
	s       *simplifier
	members []*ir.Value
	table   *analysis.AliasTable
}

func (s *simplifier) collect(members []*ir.Value) *collection {
	c := &collection{s: s, members: members}
	if len(members) > 4 {
		c.table = s.origins.NewAliasTable()
		for _, m := range members {
			c.table.Add(m)
		}
	}
	return c
}

// aliases calls fn for the members that may be the same as v, until it returns false: with the number, and what is known. Members come in
// any order, and some more than once.
func (c *collection) aliases(v *ir.Value, fn func(i int, answer analysis.Alias) bool) {
	candidate := func(i int) bool {
		answer := c.s.query(c.members[i], v)
		return answer == analysis.NeverAlias || fn(i, answer)
	}
	if c.table != nil {
		c.table.Candidates(v, candidate)
		return
	}
	for i := range c.members {
		if !candidate(i) {
			return
		}
	}
}

// mayAlias tells whether v may come from the same allocation as one of the members but
// for number except.
func (c *collection) mayAlias(v *ir.Value, except int) (may bool) {
	c.aliases(v, func(i int, _ analysis.Alias) bool {
		may = i != except && !distinctAllocAndBlockArg(c.members[i], v)
		return !may
	})
	return may
}

// distinctAllocAndBlockArg tells whether one of the buffers is allocated inside of
// the block of which the other is an argument: then it is newer.
func distinctAllocAndBlockArg(v, w *ir.Value) bool {
	v, w = analysis.ViewBase(v), analysis.ViewBase(w)
	newer := func(alloc, arg *ir.Value) bool {
		op := alloc.DefiningOp()
		return op != nil && arg.IsBlockArg() && interfaces.HasEffect(op, interfaces.Allocate, alloc) && arg.ArgOwner().AncestorIn(op) != nil
	}
	return newer(v, w) || newer(w, v)
}
