package boundary

import (
	"maps"
	"slices"

	"freehold/dialect/bufferization"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// Borrowed is what [MarkBorrowed] found.
type Borrowed struct {
	// Marked is how many operations, results and functions it marked.
	Marked int
	// Kept are warnings about buffers that nothing frees.
	Kept []*ir.Diagnostic
}

// MarkBorrowed marks what the passes that free buffers must not free, in the functions of a module that [MarkIdentity] has marked:
//
//   - allocations, by bufferization.manual_deallocation, and results of calls, by [interfaces.BorrowedAttr], that are stored, or passed to what keeps
//     them, or whose address is: they may be reached in ways that can't be seen. They leak, unless the program frees them itself: then so do
//     all that the same operations free.
//   - results of functions that aren't their callers' to free, by the same attribute: arguments, globals, what was marked, what was loaded from memory, and
//     what another result is a name of; and those of the calls.
//
// A result may be the caller's to free or not. If it is a constant global otherwise, a copy of that will do, and the result is no more one of which it matters which
// buffer it is. Else functions that are only called tell their callers at run time which it is (dynamic); otherwise their calls are
// replaced by what they do, where that is possible, and it fails for other functions.
// It is near-linear; functions are looked at again when more is found about one that they call, and all of them when calls were replaced.
func MarkBorrowed(module *ir.Op, dynamic bool) (Borrowed, error) {
	for round := 0; ; round++ {
		x := newBorrowing(dynamic)
		err := x.mark(module)
		if err == nil || round == maxRounds || !slices.Contains(slices.Collect(maps.Values(x.unclear)), true) {
			return x.out, err
		}
		if !inlineCalls(module, x.unclear) {
			round = maxRounds - 1 // functions that nothing calls are gone, which errors must not be about
		}
	}
}

// maxRounds limits how often calls are replaced: the callers may then have such results, and their callers.
const maxRounds = 16

func newBorrowing(dynamic bool) *borrowing {
	return &borrowing{dynamic: dynamic, tables: ir.NewSymbolTables(), results: map[*ir.Op][]ownership{}, buffers: map[*ir.Op]*analysis.Buffers{}, kept: map[*ir.Value]bool{},
		callers: map[*ir.Op][]*ir.Op{}, valued: map[*ir.Op]*valued{}, types: map[*ir.FunctionType]*valued{}, again: map[*ir.Op]bool{}, unclear: map[*ir.Op]bool{}}
}

// mark does the work once.
func (x *borrowing) mark(module *ir.Op) error {
	any := false
	module.Walk(func(op *ir.Op) bool {
		any = any || op.Attr(interfaces.IdentityAttr) != nil
		return !any && !interfaces.Function.Has(op)
	})
	if !any {
		return nil
	}
	graph := x.look(module)
	callers := analysis.NewCallers(module, ir.NewSymbolTables())
	var first error
	for _, fn := range graph.Functions {
		if err := x.settle(fn, callers); err != nil && first == nil {
			first = err
		}
	}
	if first != nil {
		return first
	}
	return x.settleCalls(module)
}

// look looks at the functions of a module, those that are called first.
func (x *borrowing) look(module *ir.Op) *analysis.CallGraph {
	x.calls = analysis.NewCallSummaries(module)
	graph := analysis.NewCallGraph(module)
	x.findCalls(graph.Functions)
	for _, group := range graph.BottomUp() {
		x.work = append(x.work, group...)
	}
	for len(x.work) > 0 {
		fn := x.work[0]
		x.work = x.work[1:]
		delete(x.again, fn)
		if fn.Attr(interfaces.IdentityAttr) != nil {
			x.function(fn)
		}
	}
	return graph
}

// ownership is a set of what a result of a function may be.
type ownership uint8

const (
	// callers tells that it may be a buffer that the caller has to free.
	callers ownership = 1 << iota
	// others tells that it may be one that the caller must not free. That is an argument, if it isn't what another result is
	// (named) or something else (elsewhere).
	others
	named
	elsewhere
	// constant tells that it may be a global that nobody writes to. It isn't the caller's to free, but a copy would do.
	constant
)

// lent is all that the caller must not free.
const lent = others | constant

// borrowing is the work on a module.
type borrowing struct {
	dynamic bool
	// looks tells that nothing is marked.
	looks   bool
	tables  *ir.SymbolTables
	calls   *analysis.CallSummaries
	buffers map[*ir.Op]*analysis.Buffers
	results map[*ir.Op][]ownership // by function and result
	kept    map[*ir.Value]bool     // what nothing frees, at which buffers appear
	// callers are the functions that call a function by its name; valued has those that calls of values may call, and types the same by type.
	callers map[*ir.Op][]*ir.Op
	valued  map[*ir.Op]*valued
	types   map[*ir.FunctionType]*valued
	// work are the functions to look at, again those that are there for another time.
	work  []*ir.Op
	again map[*ir.Op]bool
	out   Borrowed
	// unclear are functions because of which a result may be the caller's to free or not: they have such a result, or hand on what is returned. It tells whether
	// their calls may be replaced.
	unclear map[*ir.Op]bool
}

// valued is what calls of values of one type have in common.
type valued struct {
	results []ownership // of all functions that they may call
	callers []*ir.Op
}

// findCalls finds out who calls whom. Linear time.
func (x *borrowing) findCalls(functions []*ir.Op) {
	for _, fn := range functions {
		fn.Walk(func(op *ir.Op) bool {
			m, ok := interfaces.Call.Of(op)
			if !ok {
				return true
			}
			_, v := m.Callee(op)
			if v == nil {
				for _, callee := range x.calls.Callees(op) {
					x.callers[callee] = append(x.callers[callee], fn)
				}
				return true
			}
			t, _ := v.Type().(*ir.FunctionType)
			if t == nil {
				return true
			}
			g := x.types[t]
			if g == nil {
				g = &valued{results: make([]ownership, op.NumResults())}
				x.types[t] = g
				for _, callee := range x.calls.Callees(op) {
					x.valued[callee] = g
					for i := range g.results {
						if !interfaces.HasIdentity(callee, i) {
							g.results[i] |= callers
						}
					}
				}
				if len(x.calls.Callees(op)) == 0 {
					for i := range g.results {
						g.results[i] = callers
					}
				}
			}
			g.callers = append(g.callers, fn)
			return true
		})
	}
}

// function looks at a function, and has its callers looked at again if more was found than was known.
func (x *borrowing) function(fn *ir.Op) {
	b := x.buffers[fn]
	if b == nil {
		b = analysis.NewBuffers(fn, analysis.BufferOptions{Calls: x.calls})
		x.buffers[fn] = b
	}
	fn.Walk(func(op *ir.Op) bool {
		for _, v := range op.Results().Values() {
			if ir.IsMemRef(v.Type()) && !x.kept[v] && x.of(v)&callers != 0 {
				if ways, at := b.Keeper(v); ways != 0 {
					x.keep(v)
					x.warn(b, v, ways, at)
				}
			}
		}
		return true
	})
	x.freeTogether(fn, b)
	if !x.classify(fn, b) {
		return
	}
	x.lookAgain(x.callers[fn])
	if g := x.valued[fn]; g != nil {
		more := false
		for i, o := range x.results[fn] {
			if interfaces.HasIdentity(fn, i) {
				more = more || g.results[i]|o != g.results[i]
				g.results[i] |= o
			}
		}
		if more {
			x.lookAgain(g.callers)
		}
	}
}

// lookAgain puts functions at the end of what is to be done.
func (x *borrowing) lookAgain(functions []*ir.Op) {
	for _, fn := range functions {
		if !x.again[fn] {
			x.again[fn] = true
			x.work = append(x.work, fn)
		}
	}
}

// of tells what a buffer that appears at a value may be.
func (x *borrowing) of(v *ir.Value) ownership {
	op := v.DefiningOp()
	switch {
	case op == nil:
		if b := v.ArgOwner(); b.IsEntry() && interfaces.Function.Has(b.ParentOp()) {
			return others
		}
		return others | elsewhere
	case x.kept[v]:
		return others | elsewhere
	case interfaces.Call.Has(op):
		return x.ofCall(op, v.Index())
	}
	effects, _ := interfaces.EffectsOf(op)
	for _, e := range effects {
		if e.Kind == interfaces.Allocate && e.Value(op) == v && e.On() != interfaces.AutomaticAllocationScopeResource && op.Attr(bufferization.ManualDeallocationAttr) == nil {
			return callers
		}
	}
	if x.isConstant(op) {
		return constant
	}
	return others | elsewhere
}

// isConstant tells whether an operation gets a constant global.
func (x *borrowing) isConstant(op *ir.Op) bool {
	m, ok := interfaces.GlobalBuffer.Of(op)
	if !ok {
		return false
	}
	global := x.tables.Lookup(op, m(op))
	return global != nil && global.Is(memref.Global) && memref.GlobalOp{Op: global}.IsConstant()
}

// ofCall tells what a result of a call may be. What functions without a body, and those that aren't known, return belongs to the caller.
func (x *borrowing) ofCall(call *ir.Op, i int) ownership {
	m, _ := interfaces.Call.Of(call)
	if _, v := m.Callee(call); v != nil {
		t, _ := v.Type().(*ir.FunctionType)
		if g := x.types[t]; t != nil && g != nil {
			return g.results[i]
		}
		return callers
	}
	callees := x.calls.Callees(call)
	if len(callees) == 0 || !interfaces.HasIdentity(callees[0], i) {
		return callers
	}
	if list := x.results[callees[0]]; i < len(list) {
		return list[i]
	}
	return 0
}

// keep marks where a buffer appears that nothing frees.
func (x *borrowing) keep(v *ir.Value) {
	x.kept[v] = true
	if x.looks {
		return
	}
	x.out.Marked++
	if op := v.DefiningOp(); interfaces.Call.Has(op) {
		analysis.MarkBorrowed(v)
	} else {
		op.SetAttr(bufferization.ManualDeallocationAttr, ir.Unit)
	}
}

// warn tells that a buffer isn't freed, unless the program may do that itself.
func (x *borrowing) warn(b *analysis.Buffers, v *ir.Value, ways analysis.Escape, at *ir.Op) {
	freed := false
	b.Uses(v, func(u *ir.Use) { freed = freed || analysis.MayFree(u.Owner(), u.Index()) })
	if freed {
		return
	}
	how := "it is passed to what may keep it"
	switch {
	case ways.Has(analysis.Stored):
		how = "it is stored in memory"
	case ways.Has(analysis.AddressKept):
		how = "its address is stored, or passed on"
	case ways.Has(analysis.AddressReturned):
		how = "its address is returned"
	}
	d := &ir.Diagnostic{Severity: ir.Warning, Loc: v.Loc(), Message: "no free is made for this buffer, since there may be ways to it that can't be seen: " + how}
	if at != nil {
		d.WithNote(at.Loc(), "here")
	}
	x.out.Kept = append(x.out.Kept, d)
}

// freeTogether looks at what a function frees: where that may be a buffer that nothing else frees, nothing else frees the others that it may be
// either. It takes time linear in the function.
func (x *borrowing) freeTogether(fn *ir.Op, b *analysis.Buffers) {
	if !x.anyElsewhere(fn, b) {
		return // there is nothing to begin with
	}
	n := newNames(x, b)
	frees := map[*ir.Value][]*ir.Op{} // of a value
	fn.Walk(func(op *ir.Op) bool {
		for i, v := range op.Operands().Values() {
			if ir.IsMemRef(v.Type()) && analysis.MayFree(op, i) {
				frees[v] = append(frees[v], op)
				n.add(v)
			}
		}
		return true
	})
	found, looked := map[*ir.Value]bool{}, map[*ir.Value]bool{} // what may be a buffer that nothing else frees, and what that may be apart from it
	var freed []*ir.Value
	reach := func(v *ir.Value) {
		n.users(v, found, func(w *ir.Value) {
			if frees[w] != nil {
				freed = append(freed, w)
			}
		})
	}
	for _, t := range n.origins {
		if x.isElsewhere(t) {
			reach(t)
		}
	}
	for len(freed) > 0 {
		v := freed[len(freed)-1]
		freed = freed[:len(freed)-1]
		n.sources(v, looked, func(t *ir.Value) {
			if n.isOrigin[t] && x.of(t)&callers != 0 {
				x.keep(t)
				reach(t)
			}
		})
		for _, op := range frees[v] {
			// A bufferization.dealloc can't be marked: deallocation leaves it to the program where it frees nothing else.
			if !x.looks && op.Attr(bufferization.ManualDeallocationAttr) == nil && !interfaces.Allocation.Has(op) && !op.Is(bufferization.Dealloc) {
				op.SetAttr(bufferization.ManualDeallocationAttr, ir.Unit)
				x.out.Marked++
			}
		}
	}
}

// isElsewhere tells whether what appears at a value is no argument of the function and isn't the function's to free.
func (x *borrowing) isElsewhere(v *ir.Value) bool {
	o := x.of(v)
	return o&callers == 0 && o&(elsewhere|constant) != 0
}

// anyElsewhere tells whether there is such a value among those at which buffers appear in a function ([borrowing.origins]).
func (x *borrowing) anyElsewhere(fn *ir.Op, b *analysis.Buffers) (found bool) {
	look := func(v *ir.Value) {
		found = found || ir.IsMemRef(v.Type()) && x.isElsewhere(v) && (isCallResult(v) || len(x.handedOn(b, v)) == 0)
	}
	fn.Walk(func(op *ir.Op) bool {
		for _, v := range op.Results().Values() {
			look(v)
		}
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				for _, a := range b.Args() {
					look(a)
				}
			}
		}
		return !found
	})
	return found
}

// origins returns where the buffers appear that a value may be, as far as that is known in the function: calls that return one of their arguments,
// or of their other results, hand these on. It takes time linear in the values on the way.
func (x *borrowing) origins(b *analysis.Buffers, v *ir.Value) (list []*ir.Value) {
	seen := map[*ir.Value]bool{v: true}
	for work := []*ir.Value{v}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		from := x.handedOn(b, at)
		for _, s := range from {
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
		if x.isOrigin(at, from) {
			list = append(list, at)
		}
	}
	return list
}

// isOrigin tells whether a buffer appears at a value, which may be another name of some values ([borrowing.handedOn]).
func (x *borrowing) isOrigin(v *ir.Value, from []*ir.Value) bool {
	return len(from) == 0 || isCallResult(v) && x.of(v)&(callers|elsewhere|constant) != 0
}

// handedOn returns the values that v may be another name of. The result of a call that is only the caller's to free is none.
func (x *borrowing) handedOn(b *analysis.Buffers, v *ir.Value) (from []*ir.Value) {
	of := others
	if isCallResult(v) {
		of = x.of(v)
	}
	if of&others != 0 {
		b.Sources(v, func(s *ir.Value) { from = append(from, s) })
	}
	if of&named != 0 {
		for _, r := range v.DefiningOp().Results().Values() {
			if r != v && ir.IsMemRef(r.Type()) && x.of(r)&callers != 0 {
				from = append(from, r)
			}
		}
	}
	return from
}

// isCallResult tells whether a value is what a call returns.
func isCallResult(v *ir.Value) bool {
	return v.DefiningOp() != nil && interfaces.Call.Has(v.DefiningOp())
}

// classify tells what the results of a function are, and whether that is more than what was known.
func (x *borrowing) classify(fn *ir.Op, b *analysis.Buffers) (more bool) {
	m, _ := interfaces.Function.Of(fn)
	list := x.results[fn]
	if list == nil {
		list = make([]ownership, len(m.Type(fn).Results))
		x.results[fn] = list
	}
	for block := range fn.RegionAt(0).Blocks() {
		t := block.Last()
		if t == nil || !interfaces.IsRegionTerminator(t) {
			continue
		}
		given := map[*ir.Value]bool{} // to the caller, by a result before
		maybe := map[*ir.Value]bool{}
		for i, v := range t.Operands().Values() {
			if i >= len(list) || !ir.IsMemRef(v.Type()) {
				continue
			}
			sum := x.ofResult(b, v, given, maybe)
			if interfaces.HasIdentity(fn, i) {
				more = more || list[i]|sum != list[i]
				list[i] |= sum
			}
		}
	}
	return more
}

// ofResult tells what a function returns by a value, and notes what it gives to its caller by that.
func (x *borrowing) ofResult(b *analysis.Buffers, v *ir.Value, given, maybe map[*ir.Value]bool) (sum ownership) {
	var own []*ir.Value
	for _, t := range x.origins(b, v) {
		switch o := x.of(t); {
		case o&callers == 0:
			sum |= o
		case given[t]:
			sum |= others | named
		case maybe[t]:
			sum |= callers | others | named
		default:
			own = append(own, t)
			sum |= o
		}
	}
	for _, t := range own {
		if len(own) == 1 && sum == callers {
			given[t] = true
		} else {
			maybe[t] = true
		}
	}
	return sum
}

// settle marks the results of a function that aren't the caller's to free.
func (x *borrowing) settle(fn *ir.Op, callersOf *analysis.Callers) error {
	for i, o := range x.results[fn] {
		switch {
		case !interfaces.HasIdentity(fn, i) || o == callers || o == 0:
		case o&callers == 0:
			interfaces.SetResAttr(fn, i, interfaces.BorrowedAttr, ir.Unit)
			x.out.Marked++
			for _, call := range callersOf.Calls(fn) {
				analysis.MarkBorrowed(call.Result(i))
			}
		case x.dynamic && callersOf.OnlyCalled(fn):
		case o == callers|constant:
			interfaces.SetResAttr(fn, i, interfaces.IdentityAttr, nil) // nobody may write to it, so the caller may as well get a copy of the constant
		default:
			x.unclear[fn] = x.unclear[fn] || ir.IsPrivate(fn) && len(callersOf.Calls(fn)) > 0
			x.handingOn(fn, i)
			return x.mixed(fn, i)
		}
	}
	return nil
}

// handingOn notes the private functions that hand on what a function returns. Linear in the values on the way.
func (x *borrowing) handingOn(fn *ir.Op, i int) {
	b, seen := x.buffers[fn], map[*ir.Value]bool{}
	var work []*ir.Value
	for block := range fn.RegionAt(0).Blocks() {
		if t := block.Last(); t != nil && interfaces.IsRegionTerminator(t) && i < t.NumOperands() {
			work = append(work, t.Operand(i))
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		if isCallResult(v) {
			for _, callee := range x.calls.Callees(v.DefiningOp()) {
				x.unclear[callee] = x.unclear[callee] || ir.IsPrivate(callee)
			}
		}
		work = append(work, x.handedOn(b, v)...)
	}
}

// mixed is the error about a result that may be the caller's to free or not.
func (x *borrowing) mixed(fn *ir.Op, i int) error {
	d := fn.PlainErrorf("result %d may be a buffer that the caller has to free, or one that it must not free, and a copy would not do, since what is written to one of two copies is not in the other", i)
	b := x.buffers[fn]
	seen := map[*ir.Value]bool{}
	for block := range fn.RegionAt(0).Blocks() {
		t := block.Last()
		if t == nil || !interfaces.IsRegionTerminator(t) || i >= t.NumOperands() {
			continue
		}
		for _, v := range x.origins(b, t.Operand(i)) {
			if seen[v] {
				continue
			}
			seen[v] = true
			if x.of(v) == callers {
				d.WithNote(v.Loc(), "it may be this buffer, which somebody has to free")
			} else {
				d.WithNote(v.Loc(), "it may be this buffer, which belongs to somebody else")
			}
		}
	}
	d.WithNote(fn.Loc(), "it helps to return either always, to let callers pass the buffer that the function writes to, or to let functions tell at run time what they return, as hlo-deallocate does (compile --deallocation hlo)")
	return d
}

// settleCalls marks the results of calls of values. All functions of the type must agree.
func (x *borrowing) settleCalls(module *ir.Op) (err error) {
	module.Walk(func(op *ir.Op) bool {
		m, ok := interfaces.Call.Of(op)
		if !ok {
			return true
		}
		if _, v := m.Callee(op); v == nil {
			return true
		}
		for i := range op.NumResults() {
			if !ir.IsMemRef(op.Result(i).Type()) || analysis.IsBorrowed(op.Result(i)) {
				continue
			}
			switch o := x.ofCall(op, i); {
			case o&lent == 0:
			case o&callers == 0:
				analysis.MarkBorrowed(op.Result(i))
			case err == nil:
				d := op.PlainErrorf("result %d belongs to the caller after calls of some functions that this may call, but not of others", i)
				for _, fn := range x.calls.Callees(op) {
					d.WithNote(fn.Loc(), "it may call this function")
				}
				err = d
			}
		}
		return true
	})
	return err
}

// MarkOwned marks, in a program that frees its buffers and whose functions give their callers all that they return and don't mark as borrowed, those results by
// [interfaces.OwnedAttr] of which [MarkBorrowed] wouldn't see that. So the program can be compiled again. It takes as long as that.
func MarkOwned(module *ir.Op) (n int) {
	returned := false
	module.Walk(func(fn *ir.Op) bool {
		m, ok := interfaces.Function.Of(fn)
		if !ok {
			return true
		}
		returned = returned || slices.ContainsFunc(m.Type(fn).Results, ir.IsMemRef)
		interfaces.SetResAttrs(fn, interfaces.OwnedAttr, func(i int) (ir.Attribute, bool) {
			return nil, interfaces.ResAttr(fn, i, interfaces.OwnedAttr) != nil
		})
		return false
	})
	if !returned {
		return 0 // before all functions are looked at
	}
	MarkIdentity(module)
	x := newBorrowing(false)
	x.looks = true
	x.look(module)
	for fn, list := range x.results {
		interfaces.SetResAttrs(fn, interfaces.OwnedAttr, func(i int) (ir.Attribute, bool) {
			owned := i < len(list) && interfaces.HasIdentity(fn, i) && !interfaces.LendsResult(fn, i) && list[i] != callers && list[i] != 0
			if owned {
				n++
			}
			return ir.Unit, owned
		})
	}
	unmarkIdentity(module)
	return n
}

// Unmark takes away what [MarkIdentity] and [MarkBorrowed] have noted for passes; what callers of functions have to know stays, and so do the marks of
// results of calls that nothing frees, though the function gives them to its caller. It returns how much it took away. Linear time.
func Unmark(module *ir.Op) (n int) {
	n = unmarkIdentity(module)
	tables := ir.NewSymbolTables()
	module.Walk(func(op *ir.Op) bool {
		if op.Attr(interfaces.BorrowedAttr) == nil {
			return true
		}
		var callee *ir.Op
		if m, ok := interfaces.Call.Of(op); ok {
			if ref, _ := m.Callee(op); ref != nil {
				callee = tables.Lookup(op, ref)
			}
		}
		lent := func(i int) bool { return callee == nil || interfaces.LendsResult(callee, i) }
		if analysis.UnmarkBorrowed(op, lent) {
			n++
		}
		return true
	})
	return n
}
