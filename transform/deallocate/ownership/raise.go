package ownership

import (
	"slices"

	"freehold/dialect/bufferization"
	"freehold/dialect/funcd"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/transform/generic/canonicalize"
	"freehold/transform/generic/cse"
)

// RaiseDeallocs makes bufferization.dealloc of the calls of helper functions that it was lowered to, and erases helpers that nothing calls any more. Calls that are
// used in other ways than lowering and later passes leave them are left. It tells whether there are any. Linear in the program.
func RaiseDeallocs(root *ir.Op) (changed bool) {
	helpers := findHelpers(root)
	if len(helpers) == 0 {
		return false
	}
	callers := analysis.NewCallers(root, ir.NewSymbolTables())
	var found []*raising
	lists := map[*ir.Op]bool{} // the allocations of all of them
	left := map[*ir.Op]int{}   // what refers to each helper
	for _, fn := range helpers {
		calls := callers.Calls(fn)
		if left[fn] = len(calls); !callers.OnlyCalled(fn) {
			left[fn]++
		}
		for _, call := range calls {
			if r := newRaising(call); r != nil {
				r.fn = fn
				found = append(found, r)
				for _, l := range r.lists {
					lists[l.alloc] = true
				}
			}
		}
	}
	m := &module{tables: ir.NewSymbolTables()}
	m.findCalls(root, functionsIn(root))
	owners := newExisting(m)
	for _, r := range found {
		if r.freesAtOnce(lists) && r.isOwned(owners) {
			left[r.fn]--
			r.raise()
			changed = true
		}
	}
	for _, fn := range helpers {
		if left[fn] == 0 {
			fn.Erase()
		}
	}
	return changed
}

// findHelpers returns the private functions of a module that are what lowering makes, but for the order of constants.
func findHelpers(module *ir.Op) (helpers []*ir.Op) {
	var made []*ir.Op
	for _, fn := range functionsIn(module) {
		if !fn.Is(funcd.Func) || !ir.IsPrivate(fn) || funcd.Body(fn).NumBlocks() != 1 || len(funcd.Type(fn).Inputs) != helperArgs || len(funcd.Type(fn).Results) > 0 {
			continue
		}
		if made == nil {
			made = makeHelpers(fn.Context(), fn.Loc())
		}
		if slices.ContainsFunc(made, func(h *ir.Op) bool {
			return funcd.Type(h) == funcd.Type(fn) && sameOps(funcd.Body(h), funcd.Body(fn), map[*ir.Value]*ir.Value{})
		}) {
			helpers = append(helpers, fn)
		}
	}
	return helpers
}

// makeHelpers returns the helpers as they are once they are canonicalized.
func makeHelpers(c *ir.Context, loc ir.Location) (helpers []*ir.Op) {
	patterns := canonicalize.Patterns(c, canonicalize.DefaultOptions())
	for _, anyCondition := range []bool{false, true} {
		fn := (&helper{anyCondition: anyCondition}).build(c, loc)
		cse.Run(fn)
		rewrite.ApplyPatternsInParallel(fn, patterns, 1, rewrite.Config{})
		helpers = append(helpers, fn)
	}
	return helpers
}

// sameOps tells whether two regions of one block have the same operations, but for constants, which may be anywhere. Values in the first one are mapped to those in the second.
func sameOps(x, y *ir.Region, values map[*ir.Value]*ir.Value) bool {
	if x.NumBlocks() != y.NumBlocks() || x.NumBlocks() > 1 {
		return false
	}
	if x.Empty() {
		return true
	}
	if !slices.Equal(ir.TypesOf(x.Entry().Args()), ir.TypesOf(y.Entry().Args())) {
		return false
	}
	for i, a := range x.Entry().Args() {
		values[a] = y.Entry().Arg(i)
	}
	next := func(op *ir.Op) *ir.Op {
		for op != nil && rewrite.ConstantValue(op) != nil {
			op = op.Next()
		}
		return op
	}
	p, q := next(x.Entry().First()), next(y.Entry().First())
	for ; p != nil && q != nil; p, q = next(p.Next()), next(q.Next()) {
		if p.Name() != q.Name() || p.NumOperands() != q.NumOperands() || p.NumResults() != q.NumResults() || p.NumRegions() != q.NumRegions() ||
			!sameAttrs(p, q) || !slices.Equal(ir.TypesOf(p.Results().Values()), ir.TypesOf(q.Results().Values())) {
			return false
		}
		for i, v := range p.Operands().Values() {
			w := q.Operand(i)
			if c := ir.ConstantOf(v); c != nil && c == ir.ConstantOf(w) {
				continue
			}
			if values[v] != w {
				return false
			}
		}
		for i, v := range p.Results().Values() {
			values[v] = q.Result(i)
		}
		for i, r := range p.Regions() {
			if !sameOps(r, q.RegionAt(i), values) {
				return false
			}
		}
	}
	return p == nil && q == nil
}

// sameAttrs tells whether two operations have the same attributes, where y may leave out what is false.
func sameAttrs(x, y *ir.Op) bool {
	for _, a := range x.AllAttrs() {
		if v := y.Attr(a.Name); v != a.Value && (v != nil || a.Value != ir.Attribute(x.Context().Bool(false))) {
			return false
		}
	}
	return !slices.ContainsFunc(y.AllAttrs(), func(a ir.NamedAttr) bool { return x.Attr(a.Name) == nil })
}

// The arguments of helpers, all of which are lists.
const (
	freedArg = iota
	retainedArg
	conditionsArg
	freeArg
	ownedArg
	helperArgs
)

// raising makes a bufferization.dealloc of a call.
type raising struct {
	fn    *ir.Op // the helper
	call  *ir.Op
	lists [helperArgs]*list
}

// list is one that a call gets.
type list struct {
	alloc  *ir.Op
	stores []*ir.Op      // by place
	loads  [][]*ir.Value // what is loaded, by place
	rest   []*ir.Op      // what else uses it
}

// newRaising looks at the lists that a call gets, each of which must be its own; nil if they are anything else.
func newRaising(call *ir.Op) *raising {
	if !call.Is(funcd.Call) || call.NumOperands() != helperArgs {
		return nil
	}
	r := &raising{call: call}
	for i, v := range call.Operands().Values() {
		if r.lists[i] = newList(call, v, i < freeArg); r.lists[i] == nil {
			return nil
		}
	}
	n, m := len(r.lists[freedArg].stores), len(r.lists[retainedArg].stores)
	if len(r.lists[conditionsArg].stores) != n || len(r.lists[freeArg].loads) != n || len(r.lists[ownedArg].loads) != m {
		return nil
	}
	return r
}

// newList looks at a list that a call gets as v: one that is filled before it (in), or read after it.
func newList(call *ir.Op, v *ir.Value, in bool) *list {
	l := &list{}
	if c := v.DefinedBy(memref.Cast); c != nil && v.HasOneUse() {
		l.rest = append(l.rest, c)
		v = memref.CastOp{Op: c}.Source()
	}
	t, ok := v.Type().(*ir.MemRefType)
	if l.alloc = v.DefinedBy(memref.Alloc); l.alloc == nil || !ok || len(t.Shape) != 1 || t.Shape[0] == ir.Dynamic || l.alloc.Block() != call.Block() {
		return nil
	}
	n := int(t.Shape[0])
	l.stores, l.loads = make([]*ir.Op, n), make([][]*ir.Value, n)
	freed := false
	for _, u := range v.Uses() {
		op := u.Owner()
		switch {
		case op == call || op.Is(memref.Cast) && len(l.rest) > 0 && op == l.rest[0]:
			continue
		case op.Is(memref.Dealloc) && !freed && op.Block() == call.Block() && call.IsBefore(op):
			freed = true
		case op.Is(memref.Store) && in && u.Index() == 1 && op.Block() == call.Block() && op.IsBefore(call):
			i, known := ir.ConstantInt(memref.StoreOp{Op: op}.Indices().At(0))
			if !known || l.stores[i] != nil {
				return nil
			}
			l.stores[i] = op
		case op.Is(memref.Load) && !in && op.Block() == call.Block() && call.IsBefore(op):
			i, known := ir.ConstantInt(memref.LoadOp{Op: op}.Indices().At(0))
			if !known {
				return nil
			}
			l.loads[i] = append(l.loads[i], op.Result(0))
		default:
			return nil
		}
		l.rest = append(l.rest, op)
	}
	if !freed || in && slices.Contains(l.stores, nil) {
		return nil
	}
	return l
}

// values returns what is stored, by place.
func (l *list) values() (out []*ir.Value) {
	for _, op := range l.stores {
		if op == nil {
			return nil // of a list that is read
		}
		out = append(out, memref.StoreOp{Op: op}.Value())
	}
	return out
}

// addressed returns the buffer that a value is the address of, or nil.
func addressed(v *ir.Value) *ir.Value {
	if op := v.DefinedBy(memref.ExtractAlignedPointerAsIndex); op != nil {
		return memref.ExtractAlignedPointerAsIndexOp{Op: op}.Source()
	}
	return nil
}

// frees returns what frees one of the buffers, if the helper said so: a condition around a deallocation, or nil.
func (r *raising) frees(i int) *ir.Op {
	loads, buffer := r.lists[freeArg].loads[i], addressed(memref.StoreOp{Op: r.lists[freedArg].stores[i]}.Value())
	if buffer == nil || len(loads) != 1 || !loads[0].HasOneUse() {
		return nil
	}
	cond := loads[0].FirstUse().Owner()
	if !cond.Is(scf.If) || cond.Block() != r.call.Block() || cond.NumResults() > 0 || !isFree(cond) || cond.RegionAt(0).Entry().First().Operand(0) != buffer {
		return nil
	}
	return cond
}

// isFree tells whether an operation is a condition around nothing but a deallocation.
func isFree(op *ir.Op) bool {
	if !op.Is(scf.If) || !op.RegionAt(1).Empty() {
		return false
	}
	free := op.RegionAt(0).Entry().First()
	return free.Is(memref.Dealloc) && free.Next() == op.RegionAt(0).Entry().Last()
}

// freesAtOnce tells whether what the call decides is done after it without anything in between that uses what is freed: only computing, other frees, and what
// is done with lists, of which all are given.
func (r *raising) freesAtOnce(lists map[*ir.Op]bool) bool {
	left := map[*ir.Op]bool{}
	for i := range r.lists[freedArg].stores {
		free := r.frees(i)
		if free == nil {
			return false
		}
		left[free] = true
	}
	for _, v := range r.lists[retainedArg].values() {
		if addressed(v) == nil {
			return false
		}
	}
	onList := func(v *ir.Value) bool {
		if c := v.DefinedBy(memref.Cast); c != nil {
			v = memref.CastOp{Op: c}.Source()
		}
		return lists[v.DefiningOp()]
	}
	for op := r.call.Next(); op != nil && len(left) > 0; op = op.Next() {
		delete(left, op)
		switch {
		case isFree(op), interfaces.IsMemoryEffectFree(op) && op.NumRegions() == 0, op.Is(memref.Alloc):
		case op.Is(memref.Load):
			if !onList(memref.LoadOp{Op: op}.MemRef()) {
				return false
			}
		case op.Is(memref.Dealloc):
			if !onList(memref.DeallocOp{Op: op}.MemRef()) {
				return false
			}
		case op.Is(memref.Store):
			if !onList(memref.StoreOp{Op: op}.MemRef()) {
				return false
			}
		case op.Is(funcd.Call):
			if slices.ContainsFunc(op.Operands().Values(), func(v *ir.Value) bool { return !onList(v) }) {
				return false
			}
		default:
			return false
		}
	}
	return len(left) == 0
}

// isOwned tells whether functions own what is freed, and none that its callers own.
func (r *raising) isOwned(e *existing) bool {
	any := false
	for _, v := range r.lists[freedArg].values() {
		owned, err := e.isOwned(functionAround(r.call), r.call, addressed(v))
		if err != nil {
			return false
		}
		any = any || owned
	}
	return any
}

// raise replaces the call and the lists.
func (r *raising) raise() {
	b := ir.NewBuilder(r.call.Context())
	b.SetBefore(r.call)
	b.Loc = r.call.Loc()
	buffers := func(of *list) (out []*ir.Value) {
		for _, v := range of.values() {
			out = append(out, addressed(v))
		}
		return out
	}
	d := bufferization.NewDealloc(b, buffers(r.lists[freedArg]), r.lists[conditionsArg].values(), buffers(r.lists[retainedArg]))
	for i := range r.lists[freedArg].stores {
		r.frees(i).Erase()
	}
	for i, loads := range r.lists[ownedArg].loads {
		for _, v := range loads {
			v.ReplaceAllUsesWith(d.Result(i))
		}
	}
	r.call.Erase()
	for _, l := range r.lists {
		addresses := l.values()
		for _, op := range slices.Backward(l.rest) {
			if !op.Is(memref.Cast) {
				op.Erase()
			}
		}
		if l.rest[0].Is(memref.Cast) {
			l.rest[0].Erase()
		}
		l.alloc.Erase()
		for _, v := range addresses { // so that nothing seems to keep them
			if !v.HasUses() && addressed(v) != nil {
				v.DefiningOp().Erase()
			}
		}
	}
}
