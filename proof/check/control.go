package check

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/cf"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// runFlow follows control through a graph from the edge in, and returns the edges
// to its exit. run executes a node and returns the edges out of it, which nothing else keeps; redirect is for
// edges to the entries of loops that have several.
func (a *analysis) runFlow(fr *frame, g *flow, in edge, run func(node int, in edge) []edge, redirect func(edge) edge, enter func(node int, in *edge)) []edge {
	in.to = 0
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
	fr  *frame
	g   *flow
	run func(node int, in edge) []edge
	// redirect changes an edge to an entry of a loop with several ones.
	redirect func(edge) edge
	// enter is called before an edge into a node is followed from outside; may be nil.
	enter   func(node int, in *edge)
	pending [][]edge // by node: edges into those that were not executed yet, and into the exit
}

// leave returns the edges into a node.
func (w *walk) leave(node int) []edge {
	out := w.pending[node]
	w.pending[node] = nil
	return out
}

// take merges the edges into a node. It returns false if control doesn't get there.
func (w *walk) take(node int) (edge, bool) {
	edges := w.pending[node]
	w.pending[node] = edges[:0]
	live := edges[:0]
	for _, e := range edges {
		if e.cond != no {
			live = append(live, e)
		}
	}
	if len(live) == 0 {
		return edge{}, false
	}
	e := w.a.merge(live)
	return e, e.cond != no
}

func (w *walk) push(edges []edge) {
	for _, e := range edges {
		if _, ok := w.g.dispatchOf[e.to]; ok && !e.dispatched {
			e = w.redirect(e)
		}
		if w.pending[e.to] == nil {
			w.pending[e.to] = w.a.f.takeEdges()
		}
		w.pending[e.to] = append(w.pending[e.to], e)
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
func (w *walk) hand(edges []edge) {
	w.push(edges)
	w.a.f.giveEdges(edges)
}

// iteration executes a loop once, from its head, and returns the edges back to the
// head and those that leave the loop. Nothing else keeps these.
func (w *walk) iteration(c component, head edge) (back, exits []edge) {
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

func (w *walk) loop(c component, in edge) {
	a, fr := w.a, w.fr
	if a.unroll {
		w.unroll(c, in, a.opts.Unroll)
		return
	}
	if fr.unroll {
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
func (w *walk) unroll(c component, in edge, n int) {
	for i := 0; ; i++ {
		back, exits := w.iteration(c, in)
		w.hand(exits)
		w.pending[c.node] = back
		var ok bool
		if in, ok = w.take(c.node); !ok {
			return
		}
		if i >= n && !(in.cond == yes && i < maxTrips) {
			return
		}
	}
}

// maxTrips limits the iterations of loops that are executed step by step.
const maxTrips = 1 << 12

// unrollExactly executes a loop for which each iteration tells whether there is a
// next one. It returns false if that isn't so.
func (w *walk) unrollExactly(c component, in edge) bool {
	exits := w.a.f.takeEdges()
	before := in.st.live
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
		if next.cond != in.cond || w.a.exhausted() || left {
			return false
		}
		in = next
	}
	return false
}

// carriesStack tells whether an edge carries a buffer on the stack that wasn't there before: its
// scope may have ended, or it may be reserved again.
func (a *analysis) carriesStack(e edge, before persistent[lit]) bool {
	carries := func(v value) bool {
		for _, t := range v.targets {
			if a.objects[t.object].kind == stack && before.get(t.object) != yes {
				return true
			}
		}
		return false
	}
	for _, v := range e.values {
		if carries(v) {
			return true
		}
	}
	for c := range a.cells {
		if v := e.st.memory.get(c); v != nil && carries(*v) {
			return true
		}
	}
	return false
}

// leaves tells whether control may follow one of the edges.
func leaves(edges []edge) bool {
	for _, e := range edges {
		if e.cond != no {
			return true
		}
	}
	return false
}

// runRegion executes a region from its entry. The edges that it returns are its
// exits, with the operands of the terminators as values.
func (a *analysis) runRegion(fr *frame, r *ir.Region, in edge) []edge {
	if r.NumBlocks() == 1 {
		return a.runBlock(fr, r.Entry(), in, nil)
	}
	g := a.blocks(r)
	a.notes.flow(fr, g.flow, r)
	return a.runFlow(fr, g.flow, in, func(n int, in edge) []edge {
		if n > g.exit {
			return a.dispatch(g, n, in)
		}
		return a.runBlock(fr, g.blocks[n], in, g)
	}, func(e edge) edge { return a.redirect(fr, g, e) }, func(n int, in *edge) {
		if n < g.exit {
			fr.st, fr.cond = in.st, in.cond
			in.values = a.gather(fr, place{r.Op(), g.blocks[n], n}, in.values)
			in.st = fr.st
		}
	})
}

// redirect makes an edge to an entry of a loop one to the node that stands before
// all entries. Its values are booleans that tell which entry is meant, and values
// for the arguments of the entries, which share them as far as their types allow: so
// what the loop carries is the same thing, no matter where control enters.
func (a *analysis) redirect(fr *frame, g *blockFlow, e edge) edge {
	d := g.dispatchOf[e.to]
	entries := g.dispatchEntries(d)
	var values []value
	for _, n := range entries[:len(entries)-1] {
		values = append(values, truthOf(boolLit(n == e.to)))
	}
	a.entries = true
	shared, places := g.sharedArguments(entries, a.apart)
	given := map[int]value{}
	for i, n := range entries {
		if n == e.to {
			for k, at := range places[i] {
				given[at] = e.values[k]
			}
		}
	}
	for at, v := range shared {
		x, ok := given[at]
		switch {
		case ok:
		case v.Type() == ir.Type(ir.I1):
			x = truthOf(no)
		case isOwner(v.Type()):
			x = a.null()
		default:
			x = a.fresh(fr, v)
		}
		values = append(values, x)
	}
	e.to, e.values = d, values
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

func boolLit(b bool) lit {
	if b {
		return yes
	}
	return no
}

// dispatch passes control on to the entry that is meant.
func (a *analysis) dispatch(g *blockFlow, d int, in edge) []edge {
	entries := g.dispatchEntries(d)
	which := in.values[:len(entries)-1]
	given := in.values[len(entries)-1:]
	_, places := g.sharedArguments(entries, a.apart)
	var out []edge
	rest := in.cond
	for i, n := range entries {
		c := rest
		if i < len(which) {
			c = a.f.and(rest, which[i].truth)
			rest = a.f.and(rest, which[i].truth.not())
		}
		if c == no {
			continue
		}
		var values []value
		for _, at := range places[i] {
			values = append(values, given[at])
		}
		out = append(out, edge{to: n, cond: c, st: in.st, values: values, dispatched: true})
	}
	return out
}

// runBlock executes a block. g is the flow of its region; nil if it is alone.
func (a *analysis) runBlock(fr *frame, b *ir.Block, in edge, g *blockFlow) []edge {
	fr.st, fr.cond = in.st, in.cond
	for i, v := range in.values {
		a.set(fr, b.Arg(i), v)
	}
	for i := len(in.values); i < b.NumArgs(); i++ {
		a.set(fr, b.Arg(i), a.fresh(fr, b.Arg(i)))
	}
	last := b.Terminator()
	for op := b.First(); op != nil; op = op.Next() {
		if op == last {
			break
		}
		a.execute(fr, op)
		if fr.cond == no || a.exhausted() {
			return nil
		}
	}
	if last == nil {
		// A region that needs no terminator.
		return append(a.f.takeEdges(), edge{to: exitOf(g), cond: fr.cond, st: fr.st})
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
func (a *analysis) terminate(fr *frame, t *ir.Op, g *blockFlow) []edge {
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
		return append(a.f.takeEdges(), edge{to: exitOf(g), cond: fr.cond, st: fr.st, values: a.getAll(fr, t.Operands()), from: t})
	}
	if !branch || g == nil {
		if g != nil {
			a.cannotJudge(t, "nothing is known about where it branches to")
		}
		return nil
	}
	conds := a.branchConditions(fr, t, m)
	var out []edge
	for i, c := range conds {
		if c = a.f.and(fr.cond, c); c == no {
			continue
		}
		start, n, produced := m.SuccessorOperands(t, i)
		to := t.Successor(i)
		values := make([]value, 0, to.NumArgs())
		for k := range produced {
			values = append(values, a.produced(fr, t, to.Arg(k)))
		}
		values = append(values, a.getAll(fr, t.Operands()[start:start+n])...)
		out = append(out, edge{to: g.number[to], cond: c, st: fr.st, values: values})
		if len(conds) > 1 {
			a.event(fr, event{kind: branched, op: t, choice: i}, conds[i])
		}
	}
	return out
}

func (a *analysis) getAll(fr *frame, vs ir.Operands) []value {
	out := make([]value, len(vs))
	for i := range vs {
		out[i] = a.get(fr, vs.At(i))
	}
	return out
}

// branchConditions returns for each successor of a terminator the condition under
// which it is taken.
func (a *analysis) branchConditions(fr *frame, t *ir.Op, m interfaces.BranchModel) []lit {
	n := t.NumSuccessors()
	if n == 1 {
		return []lit{yes}
	}
	known := make([]ir.Attribute, t.NumOperands())
	for i := range known {
		switch v := a.get(fr, t.Operand(i)); {
		case v.kind == integer:
			known[i] = t.Context().IntegerAttr(t.Operand(i).Type(), v.number)
		case v.kind == boolean && v.truth <= yes:
			known[i] = t.Context().Bool(v.truth == yes)
		}
	}
	out := make([]lit, n)
	if s := m.TakenSuccessor(t, known); s >= 0 {
		out[s] = yes
		return out
	}
	if n == 2 {
		for i := range t.NumOperands() {
			if t.Operand(i).Type() != ir.Type(ir.I1) {
				continue
			}
			probe := func(b bool) int {
				try := append([]ir.Attribute(nil), known...)
				try[i] = t.Context().Bool(b)
				return m.TakenSuccessor(t, try)
			}
			if s := probe(true); s >= 0 && probe(false) == 1-s {
				out[s] = a.truth(fr, t.Operand(i))
				out[1-s] = out[s].not()
				return out
			}
		}
	}
	if t.Is(cf.Switch) {
		if values, ok := t.Attr("case_values").(*ir.DenseElementsAttr); ok {
			var cases []int64
			for i := range values.Len() {
				if v := values.Elem(t.Context(), i).(*ir.IntegerAttr); v.Big == nil {
					cases = append(cases, v.Value)
				}
			}
			if len(cases) == n-1 {
				return a.anyCase(a.get(fr, t.Operand(0)), cases)
			}
		}
	}
	return a.anyOf(n)
}

// anyCase returns the conditions of a value being none of the cases, and of being
// each of them.
func (a *analysis) anyCase(v value, cases []int64) []lit {
	out := []lit{no}
	rest := yes
	for _, c := range cases {
		is := a.compareNumbers(arith.EQ, v, constant(c))
		if v.kind == boolean {
			is = a.f.iff(v.truth, boolLit(c != 0))
		}
		out = append(out, a.f.and(rest, is))
		rest = a.f.and(rest, is.not())
	}
	out[0] = rest
	return out
}

// anyOf returns n conditions of which one holds, no matter which.
func (a *analysis) anyOf(n int) []lit {
	out := make([]lit, n)
	rest := yes
	for i := range n - 1 {
		v := a.f.variable()
		out[i] = a.f.and(rest, v)
		rest = a.f.and(rest, v.not())
	}
	out[n-1] = rest
	return out
}

// regionFlow executes an operation that passes control to its regions.
func (a *analysis) regionFlow(fr *frame, op *ir.Op, m interfaces.RegionBranchModel) {
	if a.hidesAddress(fr, op) {
		return
	}
	g := a.regions(op, m)
	a.notes.flowOf(fr, g.flow, op)
	base, outer := fr.base, fr.cond
	fr.base = a.here(fr)
	entry := edge{cond: yes, st: fr.st}
	if g.head {
		start, n := m.EntryOperands(op, interfaces.RegionPoint{Region: g.headRegion})
		entry.values = a.getAll(fr, op.Operands()[start:start+n])
	}
	trips := 0
	var induction *ir.Value // known in the iteration that follows, if it isn't nil
	var number value
	exits := a.runFlow(fr, g.flow, entry, func(n int, in edge) []edge {
		fr.st, fr.cond = in.st, in.cond
		out := a.f.takeEdges()
		if n == 0 && !g.head {
			succs := m.Successors(op, interfaces.ParentPoint)
			conds := a.regionConditions(fr, op, nil, succs)
			out = a.toSuccessors(out, fr, op, op, g, in, succs, conds, func(to interfaces.RegionPoint) []value {
				start, n := m.EntryOperands(op, to)
				return a.getAll(fr, op.Operands()[start:start+n])
			})
			return out
		}
		if n == 0 {
			out, induction, number = a.loopHead(out, fr, op, g, in, &trips)
			return out
		}
		r := op.RegionAt(n - 1)
		values := in.values
		if !r.Empty() {
			values = a.spread(fr, op, r.Entry(), g.inputs[n-1], in.values)
			if induction != nil && induction.ArgOwner() == r.Entry() {
				values[induction.Index()] = number
			}
		}
		leaving := a.runRegion(fr, r, edge{cond: in.cond, st: in.st, values: values})
		for _, e := range leaving {
			fr.st, fr.cond = e.st, e.cond
			if g.head {
				e.values = a.passed(e, g.headRegion)
				e.to = 0
				out = append(out, e)
				continue
			}
			succs := m.Successors(op, interfaces.RegionPoint{Region: r})
			conds := a.regionConditions(fr, op, e.from, succs)
			out = a.toSuccessors(out, fr, op, e.from, g, e, succs, conds, func(to interfaces.RegionPoint) []value { return a.passed(e, to.Region) })
		}
		a.f.giveEdges(leaving)
		return out
	}, nil, nil)
	fr.base, fr.cond = base, outer
	if len(exits) == 0 {
		fr.cond = no
		return
	}
	after := a.merge(exits)
	a.f.giveEdges(exits)
	fr.st, fr.cond = after.st, a.f.and(outer, after.cond)
	after.values = a.gather(fr, place{op: op}, after.values)
	for i := range op.NumResults() {
		if i < len(after.values) {
			a.set(fr, op.Result(i), after.values[i])
		} else {
			a.set(fr, op.Result(i), a.produced(fr, op, op.Result(i)))
		}
	}
	a.endScope(fr, op)
}

// anyTimes executes the regions of an operation of which it isn't known when it
// does so, such as a structured computation: any number of times, in any order.
func (a *analysis) anyTimes(fr *frame, op *ir.Op) {
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
	base, outer := fr.base, fr.cond
	fr.base = a.here(fr)
	exits := a.runFlow(fr, g.flow, edge{cond: yes, st: fr.st}, func(n int, in edge) []edge {
		if n > 0 {
			out := a.runRegion(fr, op.RegionAt(n-1), in)
			for i := range out {
				out[i].to, out[i].values = 0, nil
			}
			return out
		}
		n = len(g.entered)
		var out []edge
		if a.unroll {
			n++
		}
		for i, c := range a.anyOf(n) {
			e := edge{to: g.exit, cond: a.f.and(in.cond, c), st: in.st}
			if i < len(g.entered) {
				e.to = g.entered[i]
			}
			out = append(out, e)
		}
		if !a.unroll {
			// Nothing being known about which time this is, it may be the last.
			out = append(out, edge{to: g.exit, cond: in.cond, st: in.st})
		}
		return out
	}, nil, nil)
	fr.base, fr.cond = base, outer
	if len(exits) == 0 {
		fr.cond = no
		return
	}
	out := a.merge(exits)
	fr.st, fr.cond = out.st, a.f.and(outer, out.cond)
	a.endScope(fr, op)
}

// endScope ends the stack objects that were made inside op, if it is a scope.
func (a *analysis) endScope(fr *frame, op *ir.Op) {
	if !op.Has(ir.TraitAutomaticAllocationScope) {
		return
	}
	for o, x := range a.objects {
		if x.kind == stack && x.op != nil && op.IsProperAncestorOf(x.op) {
			fr.st.live = fr.st.live.set(o, no)
		}
	}
}

// passed returns the values that an exit of a region passes to a successor.
func (a *analysis) passed(e edge, to *ir.Region) []value {
	if e.from == nil || !interfaces.IsRegionTerminator(e.from) {
		return nil
	}
	start, n := interfaces.TerminatorOperands(e.from, interfaces.RegionPoint{Region: to})
	return e.values[start : start+n]
}

// spread returns values for all arguments of a block of which inputs receive the
// given ones. What the operation itself makes, such as an induction variable, is
// unknown.
func (a *analysis) spread(fr *frame, op *ir.Op, b *ir.Block, inputs []*ir.Value, values []value) []value {
	if len(inputs) == b.NumArgs() && len(values) == len(inputs) {
		return values
	}
	out := make([]value, b.NumArgs())
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
func (a *analysis) produced(fr *frame, op *ir.Op, v *ir.Value) value {
	if ir.IsMemRef(v.Type()) || isOwner(v.Type()) {
		a.cannotJudge(op, "it makes a buffer of which nothing is known")
		a.lose(fr, op) // it may be one of those that the operation gets hold of
	}
	return a.fresh(fr, v)
}

// toSuccessors adds the edges to region successors.
func (a *analysis) toSuccessors(out []edge, fr *frame, op, from *ir.Op, g *regionGraph, in edge, succs []interfaces.RegionSuccessor, conds []lit, values func(interfaces.RegionPoint) []value) []edge {
	for i, s := range succs {
		c := a.f.and(in.cond, conds[i])
		if c == no {
			continue
		}
		e := edge{to: g.exit, cond: c, st: fr.st, values: values(interfaces.RegionPoint{Region: s.Region}), from: from}
		if s.Region != nil {
			e.to = s.Region.Index() + 1
			if s.Region.Empty() {
				e.to, e.values = g.exit, nil
			}
		} else if len(s.Inputs) < op.NumResults() {
			// Some results come from elsewhere.
			e.values = a.results(fr, op)
		}
		out = append(out, e)
		if len(succs) > 1 && conds[i] != yes {
			a.event(fr, event{kind: branched, op: op, region: s.Region, choice: i}, conds[i])
		}
	}
	return out
}

// results returns values for the results of an operation that come from nowhere else.
func (a *analysis) results(fr *frame, op *ir.Op) []value {
	out := make([]value, op.NumResults())
	for i := range out {
		out[i] = a.produced(fr, op, op.Result(i))
	}
	return out
}
