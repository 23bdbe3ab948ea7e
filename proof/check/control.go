package check

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/proof/kernel"
	"freehold/proof/models"
)

// runFlow follows control through a graph from the edge in, and returns the edges
// to its exit. run executes a node and returns the edges out of it, which nothing else keeps; redirect is for
// edges to the entries of loops that have several.
func (a *analysis) runFlow(fr *kernel.Frame, g *flow, in kernel.Edge, run func(node int, in kernel.Edge) []kernel.Edge, redirect func(kernel.Edge) kernel.Edge, enter func(node int, in *kernel.Edge)) []kernel.Edge {
	in.To = 0
	w := &walk{a: a, fr: fr, g: g, run: run, redirect: redirect, enter: enter, pending: a.f.takePending(g)}
	w.pending[0] = append(w.pending[0], in)
	w.components(g.order)
	out := w.leave(g.exit)
	a.f.givePending(w.pending)
	return out
}

// walk is one execution of a flow.
type walk struct {
	a   *analysis
	fr  *kernel.Frame
	g   *flow
	run func(node int, in kernel.Edge) []kernel.Edge
	// redirect changes an edge to an entry of a loop with several ones.
	redirect func(kernel.Edge) kernel.Edge
	// enter is called before an edge into a node is followed from outside; may be nil.
	enter   func(node int, in *kernel.Edge)
	pending [][]kernel.Edge // by node: edges into those that were not executed yet, and into the exit
}

// leave returns the edges into a node.
func (w *walk) leave(node int) []kernel.Edge {
	out := w.pending[node]
	w.pending[node] = nil
	return out
}

// take merges the edges into a node. It returns false if control doesn't get there.
func (w *walk) take(node int) (kernel.Edge, bool) {
	edges := w.pending[node]
	w.pending[node] = edges[:0]
	return w.a.Merge(edges)
}

func (w *walk) push(edges []kernel.Edge) {
	for _, e := range edges {
		if _, ok := w.g.dispatchOf[e.To]; ok && !e.Chosen {
			e = w.redirect(e)
		}
		if w.pending[e.To] == nil {
			w.pending[e.To] = w.a.f.takeEdges()
		}
		w.pending[e.To] = append(w.pending[e.To], e)
	}
}

func (w *walk) components(order []component) {
	for _, c := range order {
		in, ok := w.take(c.node)
		if !ok {
			continue
		}
		if w.a.exhausted() {
			return
		}
		if w.enter != nil {
			e := in // so that an edge needs no memory elsewhere
			w.enter(c.node, &e)
			in = e
		}
		if !c.loop {
			w.hand(w.run(c.node, in))
			continue
		}
		w.loop(c, in)
	}
}

// hand pushes edges that nothing else keeps.
func (w *walk) hand(edges []kernel.Edge) {
	w.push(edges)
	w.a.f.giveEdges(edges)
}

// iteration executes a loop once, from its head, and returns the edges back to the
// head and those that leave the loop. Nothing else keeps these.
func (w *walk) iteration(c component, head kernel.Edge) (back, exits []kernel.Edge) {
	outer := w.pending
	w.pending = w.a.f.takePending(w.g)
	w.hand(w.run(c.node, head))
	w.components(c.body)
	back, exits = w.leave(c.node), w.a.f.takeEdges()
	for _, edges := range w.pending {
		exits = append(exits, edges...)
	}
	w.a.f.givePending(w.pending)
	w.pending = outer
	return back, exits
}

func (w *walk) loop(c component, in kernel.Edge) {
	a, fr := w.a, w.fr
	if a.unroll {
		w.unroll(c, in, a.opts.Unroll)
		return
	}
	if fr.Unroll {
		// Only if nothing but constants decides how often the loop runs.
		before := a.found
		if w.unrollExactly(c, in) {
			a.notes.unrolledLoop(w, c.node)
			return
		}
		a.found = before
	}
	w.cut(c, in)
}

// unroll executes up to n iterations.
func (w *walk) unroll(c component, in kernel.Edge, n int) {
	for i := 0; ; i++ {
		back, exits := w.iteration(c, in)
		w.hand(exits)
		w.pending[c.node] = back
		var ok bool
		if in, ok = w.take(c.node); !ok {
			return
		}
		if i >= n && !(in.Cond == kernel.Yes && i < maxTrips) {
			return
		}
	}
}

// maxTrips limits the iterations of loops that are executed step by step.
const maxTrips = 1 << 12

// unrollExactly executes a loop for which each iteration tells whether there is a
// next one. It returns false if that isn't so.
func (w *walk) unrollExactly(c component, in kernel.Edge) bool {
	exits := w.a.f.takeEdges()
	before := in.St.Live
	for range maxTrips {
		back, out := w.iteration(c, in)
		exits = append(exits, out...)
		left := leaves(out)
		w.a.f.giveEdges(out)
		w.pending[c.node] = back
		next, again := w.take(c.node)
		if again && w.a.carriesStack(next, before) {
			return false
		}
		if !again {
			w.hand(exits)
			return true
		}
		if next.Cond != in.Cond || w.a.exhausted() || left {
			return false
		}
		in = next
	}
	return false
}

// carriesStack tells whether an edge carries a buffer on the stack that wasn't there before: its
// scope may have ended, or it may be reserved again.
func (a *analysis) carriesStack(e kernel.Edge, before kernel.Table[kernel.Lit]) bool {
	if !a.hasStack() {
		return false // all that there is needn't be looked at for each iteration
	}
	carries := func(v kernel.Value) bool {
		for _, t := range a.Targets(v) {
			if a.Objects[t.Object].Kind == kernel.Stack && before.Get(t.Object) != kernel.Yes {
				return true
			}
		}
		return false
	}
	for _, v := range e.Values {
		if carries(v) {
			return true
		}
	}
	for c := range a.Cells {
		if v := e.St.Memory.Get(c); v != nil && carries(*v) {
			return true
		}
	}
	return false
}

// hasStack tells whether there is a buffer on the stack at all. It looks at each object once.
func (a *analysis) hasStack() bool {
	for ; !a.stack && a.seen < len(a.Objects); a.seen++ {
		a.stack = a.Objects[a.seen].Kind == kernel.Stack
	}
	return a.stack
}

// leaves tells whether control may follow one of the edges.
func leaves(edges []kernel.Edge) bool {
	for _, e := range edges {
		if e.Cond != kernel.No {
			return true
		}
	}
	return false
}

// runRegion executes a region from its entry. The edges that it returns are its
// exits, with the operands of the terminators as values.
func (a *analysis) runRegion(fr *kernel.Frame, r *ir.Region, in kernel.Edge) []kernel.Edge {
	if r.NumBlocks() == 1 {
		return a.runBlock(fr, r.Entry(), in, nil)
	}
	g := a.blocks(r)
	a.notes.flow(fr, g.flow, r)
	return a.runFlow(fr, g.flow, in, func(n int, in kernel.Edge) []kernel.Edge {
		if n > g.exit {
			return a.dispatch(g, n, in)
		}
		return a.runBlock(fr, g.blocks[n], in, g)
	}, func(e kernel.Edge) kernel.Edge { return a.redirect(fr, g, e) }, func(n int, in *kernel.Edge) {
		if n < g.exit {
			fr.St, fr.Cond = in.St, in.Cond
			in.Values = a.gather(fr, place{r.Op(), g.blocks[n], n}, in.Values)
			in.St = fr.St
		}
	})
}

// redirect makes an edge to an entry of a loop one to the node that stands before
// all entries. Its values are booleans that tell which entry is meant, and values
// for the arguments of the entries, which share them as far as their types allow: so
// what the loop carries is the same thing, no matter where control enters.
func (a *analysis) redirect(fr *kernel.Frame, g *blockFlow, e kernel.Edge) kernel.Edge {
	d := g.dispatchOf[e.To]
	entries := g.dispatchEntries(d)
	var values []kernel.Value
	for _, n := range entries[:len(entries)-1] {
		values = append(values, kernel.TruthOf(kernel.LitOf(n == e.To)))
	}
	a.entries = true
	shared, places := g.sharedArguments(entries, a.apart)
	given := map[int]kernel.Value{}
	for i, n := range entries {
		if n == e.To {
			for k, at := range places[i] {
				given[at] = e.Values[k]
			}
		}
	}
	for at, v := range shared {
		x, ok := given[at]
		switch {
		case ok:
		case v.Type() == ir.Type(ir.I1):
			x = kernel.TruthOf(kernel.No)
		case models.IsOwner(v.Type()):
			x = a.Null()
		default:
			x = a.fresh(fr, v)
		}
		values = append(values, x)
	}
	e.To, e.Values = d, values
	return e
}

// sharedArguments matches the arguments of blocks, in their order, by type, unless they
// are to be kept apart. It returns an argument of each kind, and for each block which
// ones its arguments are.
func (g *blockFlow) sharedArguments(entries []int, apart bool) (shared []*ir.Value, places [][]int) {
	for _, n := range entries {
		taken := slices.Repeat([]bool{apart}, len(shared))
		var at []int
		for _, v := range g.blocks[n].Args() {
			k := 0
			for k < len(taken) && (taken[k] || shared[k].Type() != v.Type()) {
				k++
			}
			if k == len(taken) {
				shared, taken = append(shared, v), append(taken, false)
			}
			taken[k] = true
			at = append(at, k)
		}
		places = append(places, at)
	}
	return shared, places
}

// dispatch passes control on to the entry that is meant.
func (a *analysis) dispatch(g *blockFlow, d int, in kernel.Edge) []kernel.Edge {
	entries := g.dispatchEntries(d)
	which := in.Values[:len(entries)-1]
	given := in.Values[len(entries)-1:]
	_, places := g.sharedArguments(entries, a.apart)
	var out []kernel.Edge
	rest := in.Cond
	for i, n := range entries {
		c := rest
		if i < len(which) {
			c = a.f.And(rest, which[i].Truth)
			rest = a.f.And(rest, which[i].Truth.Not())
		}
		if c == kernel.No {
			continue
		}
		var values []kernel.Value
		for _, at := range places[i] {
			values = append(values, given[at])
		}
		out = append(out, kernel.Edge{To: n, Cond: c, St: in.St, Values: values, Chosen: true})
	}
	return out
}

// runBlock executes a block. g is the flow of its region; nil if it is alone.
func (a *analysis) runBlock(fr *kernel.Frame, b *ir.Block, in kernel.Edge, g *blockFlow) []kernel.Edge {
	fr.St, fr.Cond = in.St, in.Cond
	for i, v := range in.Values {
		a.Assign(fr, b.Arg(i), v)
	}
	for i := len(in.Values); i < b.NumArgs(); i++ {
		a.Assign(fr, b.Arg(i), a.fresh(fr, b.Arg(i)))
	}
	last := b.Terminator()
	for op := b.First(); op != nil; op = op.Next() {
		if op == last {
			break
		}
		a.execute(fr, op)
		if fr.Cond == kernel.No || a.exhausted() {
			return nil
		}
	}
	if last == nil {
		// A region that needs no terminator.
		return append(a.f.takeEdges(), kernel.Edge{To: exitOf(g), Cond: fr.Cond, St: fr.St})
	}
	return a.terminate(fr, last, g)
}

func exitOf(g *blockFlow) int {
	if g == nil {
		return 1
	}
	return g.exit
}

// neverLeft tells whether a terminator is one that control never comes to: it passes nothing on to anywhere, and does nothing.
func neverLeft(t *ir.Op) bool {
	effects, known := interfaces.EffectsOf(t)
	return known && len(effects) == 0 && t.NumOperands()+t.NumSuccessors()+t.NumRegions() == 0 && !interfaces.IsRegionTerminator(t)
}

// terminate returns the edges out of a block.
func (a *analysis) terminate(fr *kernel.Frame, t *ir.Op, g *blockFlow) []kernel.Edge {
	m, branch := interfaces.Branch.Of(t)
	if neverLeft(t) {
		return nil
	}
	if r := ruleOf(t); r == nil || r.does != passes {
		a.cannotJudge(t, "there is no rule for what it does with buffers and addresses")
		a.giveUp(fr, t)
		return nil
	}
	if !a.inScope(fr, t) || a.hidesAddress(fr, t) {
		return nil
	}
	if t.NumSuccessors() == 0 {
		if t.NumRegions() > 0 {
			a.anyTimes(fr, t)
		}
		return append(a.f.takeEdges(), kernel.Edge{To: exitOf(g), Cond: fr.Cond, St: fr.St, Values: a.GetAll(fr, t.Operands()), From: t})
	}
	if !branch || g == nil {
		if g != nil {
			a.cannotJudge(t, "nothing is known about where it branches to")
		}
		return nil
	}
	conds := models.BranchConditions(a.Machine, fr, t)
	var out []kernel.Edge
	for i, c := range conds {
		if c = a.f.And(fr.Cond, c); c == kernel.No {
			continue
		}
		start, n, produced := m.SuccessorOperands(t, i)
		to := t.Successor(i)
		values := make([]kernel.Value, 0, to.NumArgs())
		for k := range produced {
			values = append(values, a.produced(fr, t, to.Arg(k)))
		}
		values = append(values, a.GetAll(fr, t.Operands()[start:start+n])...)
		out = append(out, kernel.Edge{To: g.number[to], Cond: c, St: fr.St, Values: values})
		if len(conds) > 1 {
			a.event(fr, event{kind: branched, op: t, choice: i}, conds[i])
		}
	}
	return out
}

// regionFlow executes an operation that passes control to its regions.
func (a *analysis) regionFlow(fr *kernel.Frame, op *ir.Op, m interfaces.RegionBranchModel) {
	if a.hidesAddress(fr, op) {
		return
	}
	g := a.regions(op, m)
	a.notes.flowOf(fr, g.flow, op)
	base, outer := fr.Base, fr.Cond
	fr.Base = a.Here(fr)
	entry := kernel.Edge{Cond: kernel.Yes, St: fr.St}
	if g.head {
		start, n := m.EntryOperands(op, interfaces.RegionPoint{Region: g.headRegion})
		entry.Values = a.GetAll(fr, op.Operands()[start:start+n])
	}
	trips := 0
	unroll, once := fr.Unroll, g.head && a.runsOnce(fr, op)
	counts := g.head && a.counts(fr, op)
	if counts {
		entry.Values = append(entry.Values, kernel.TruthOf(kernel.No))
	}
	fr.Unroll = unroll || once
	var induction *ir.Value // known in the iteration that follows, if it isn't nil
	var number kernel.Value
	exits := a.runFlow(fr, g.flow, entry, func(n int, in kernel.Edge) []kernel.Edge {
		fr.St, fr.Cond = in.St, in.Cond
		out := a.f.takeEdges()
		if n == 0 && !g.head {
			succs := m.Successors(op, interfaces.ParentPoint)
			conds := a.regionConditions(fr, op, op, succs)
			out = a.toSuccessors(out, fr, op, op, g, in, succs, conds, func(to interfaces.RegionPoint) []kernel.Value {
				start, n := m.EntryOperands(op, to)
				return a.GetAll(fr, op.Operands()[start:start+n])
			})
			return out
		}
		if n == 0 {
			out, induction, number = a.loopHead(out, fr, op, g, in, &trips, counts)
			return out
		}
		r := op.RegionAt(n - 1)
		values := in.Values
		if !r.Empty() {
			values = a.spread(fr, op, r.Entry(), g.inputs[n-1], in.Values)
			if induction != nil && induction.ArgOwner() == r.Entry() {
				values[induction.Index()] = number
			}
		}
		stepwise := fr.Unroll
		fr.Unroll = stepwise && !once // loops in the only iteration are loops as elsewhere
		leaving := a.runRegion(fr, r, kernel.Edge{Cond: in.Cond, St: in.St, Values: values})
		fr.Unroll = stepwise
		for _, e := range leaving {
			fr.St, fr.Cond = e.St, e.Cond
			if g.head {
				if e.Values = a.passed(e, g.headRegion); counts {
					e.Values = append(slices.Clip(e.Values), kernel.TruthOf(kernel.Yes))
				}
				e.To = 0
				out = append(out, e)
				continue
			}
			succs := m.Successors(op, interfaces.RegionPoint{Region: r})
			conds := a.regionConditions(fr, op, e.From, succs)
			out = a.toSuccessors(out, fr, op, e.From, g, e, succs, conds, func(to interfaces.RegionPoint) []kernel.Value { return a.passed(e, to.Region) })
		}
		a.f.giveEdges(leaving)
		return out
	}, nil, nil)
	fr.Base, fr.Cond, fr.Unroll = base, outer, unroll
	after, any := a.Merge(exits)
	if !any {
		fr.Cond = kernel.No
		return
	}
	a.f.giveEdges(exits)
	fr.St, fr.Cond = after.St, a.f.And(outer, after.Cond)
	after.Values = a.gather(fr, place{op: op}, after.Values)
	for i := range op.NumResults() {
		if i < len(after.Values) {
			a.Assign(fr, op.Result(i), after.Values[i])
		} else {
			a.Assign(fr, op.Result(i), a.produced(fr, op, op.Result(i)))
		}
	}
	a.endScope(fr, op)
}

// anyTimes executes the regions of an operation of which it isn't known when it
// does so, such as a structured computation: any number of times, in any order.
func (a *analysis) anyTimes(fr *kernel.Frame, op *ir.Op) {
	g := a.anyOrder(op)
	if len(g.entered) == 0 {
		return
	}
	a.notes.flowOf(fr, g.flow, op)
	for _, n := range g.entered {
		for _, v := range op.RegionAt(n - 1).Entry().Args() {
			if ir.IsMemRef(v.Type()) {
				a.cannotJudge(op, "nothing is known about the buffers that its regions get")
				a.giveUp(fr, op)
				return
			}
		}
	}
	base, outer := fr.Base, fr.Cond
	fr.Base = a.Here(fr)
	exits := a.runFlow(fr, g.flow, kernel.Edge{Cond: kernel.Yes, St: fr.St}, func(n int, in kernel.Edge) []kernel.Edge {
		if n > 0 {
			out := a.runRegion(fr, op.RegionAt(n-1), in)
			for i := range out {
				out[i].To, out[i].Values = 0, nil
			}
			return out
		}
		n = len(g.entered)
		var out []kernel.Edge
		if a.unroll {
			n++
		}
		for i, c := range a.AnyOf(n) {
			e := kernel.Edge{To: g.exit, Cond: a.f.And(in.Cond, c), St: in.St}
			if i < len(g.entered) {
				e.To = g.entered[i]
			}
			out = append(out, e)
		}
		if !a.unroll {
			// Nothing being known about which time this is, it may be the last.
			out = append(out, kernel.Edge{To: g.exit, Cond: in.Cond, St: in.St})
		}
		return out
	}, nil, nil)
	fr.Base, fr.Cond = base, outer
	out, any := a.Merge(exits)
	if !any {
		fr.Cond = kernel.No
		return
	}
	fr.St, fr.Cond = out.St, a.f.And(outer, out.Cond)
	a.endScope(fr, op)
}

// endScope ends the stack objects that were made inside op, if it is a scope.
func (a *analysis) endScope(fr *kernel.Frame, op *ir.Op) {
	if !op.Has(ir.TraitAutomaticAllocationScope) {
		return
	}
	for o, x := range a.Objects {
		if x.Kind == kernel.Stack && x.Op != nil && op.IsProperAncestorOf(x.Op) {
			fr.St.Live = fr.St.Live.Set(o, kernel.No)
		}
	}
}

// passed returns the values that an exit of a region passes to a successor.
func (a *analysis) passed(e kernel.Edge, to *ir.Region) []kernel.Value {
	if e.From == nil || !interfaces.IsRegionTerminator(e.From) {
		return nil
	}
	start, n := interfaces.TerminatorOperands(e.From, interfaces.RegionPoint{Region: to})
	return e.Values[start : start+n]
}

// spread returns values for all arguments of a block of which inputs receive the
// given ones. What the operation itself makes, such as an induction variable, is
// unknown.
func (a *analysis) spread(fr *kernel.Frame, op *ir.Op, b *ir.Block, inputs []*ir.Value, values []kernel.Value) []kernel.Value {
	if len(inputs) == b.NumArgs() && len(values) == len(inputs) {
		return values
	}
	out := make([]kernel.Value, b.NumArgs())
	given := make([]bool, b.NumArgs())
	for i, v := range inputs {
		if i < len(values) && v.ArgOwner() == b {
			out[v.Index()], given[v.Index()] = values[i], true
		}
	}
	for i := range out {
		if !given[i] {
			out[i] = a.produced(fr, op, b.Arg(i))
		}
	}
	return out
}

// produced returns the value of a result or block argument that an operation makes itself.
func (a *analysis) produced(fr *kernel.Frame, op *ir.Op, v *ir.Value) kernel.Value {
	if ir.IsMemRef(v.Type()) || models.IsOwner(v.Type()) {
		a.cannotJudge(op, "it makes a buffer of which nothing is known")
		a.lose(fr, op) // it may be one of those that the operation gets hold of
	}
	return a.fresh(fr, v)
}

// toSuccessors adds the edges to region successors.
func (a *analysis) toSuccessors(out []kernel.Edge, fr *kernel.Frame, op, from *ir.Op, g *regionGraph, in kernel.Edge, succs []interfaces.RegionSuccessor, conds []kernel.Lit, values func(interfaces.RegionPoint) []kernel.Value) []kernel.Edge {
	for i, s := range succs {
		c := a.f.And(in.Cond, conds[i])
		if c == kernel.No {
			continue
		}
		e := kernel.Edge{To: g.exit, Cond: c, St: fr.St, Values: values(interfaces.RegionPoint{Region: s.Region}), From: from}
		if s.Region != nil {
			e.To = s.Region.Index() + 1
			if s.Region.Empty() {
				e.To, e.Values = g.exit, nil
			}
		} else if len(s.Inputs) < op.NumResults() {
			// Some results come from elsewhere.
			e.Values = a.results(fr, op)
		}
		out = append(out, e)
		if len(succs) > 1 && conds[i] != kernel.Yes {
			a.event(fr, event{kind: branched, op: op, region: s.Region, choice: i}, conds[i])
		}
	}
	return out
}

// results returns values for the results of an operation that come from nowhere else.
func (a *analysis) results(fr *kernel.Frame, op *ir.Op) []kernel.Value {
	out := make([]kernel.Value, op.NumResults())
	for i := range out {
		out[i] = a.produced(fr, op, op.Result(i))
	}
	return out
}
