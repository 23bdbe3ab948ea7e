package certificate

import (
	"maps"
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/cf"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/iface"
	"freehold/ir"
)

// state is what holds at a point of the program: under which condition each object is
// allocated and not yet freed, and what the elements of buffers that are followed hold (nil
// is unknown, but no address).
type state struct {
	live   table[lit]
	memory table[*value]
}

// edge is a transfer of control, to a node of a graph, under a condition that is relative to
// the entry of the graph.
type edge struct {
	to     int
	cond   lit
	st     state
	values []value
	from   *ir.Op // the terminator, if the edge leaves a region
	// chosen tells that the edge comes from the head of a loop with several entries.
	chosen bool
}

// outside is the node that control goes to when it leaves a graph.
const outside = -1

// frame is a function at work, or the one that is called; path is that of the calls.
type frame struct {
	fn     *ir.Op
	path   string
	depth  int
	values map[*ir.Value]value
	st     state
	// cond is the condition of being here, relative to base.
	cond, base lit
}

func (v *verifier) here(fr *frame) lit { return v.f.and(fr.base, fr.cond) }

// merge joins edges to the same node, whose conditions exclude each other. It returns false
// if there are none that control may follow.
func (v *verifier) merge(edges []edge) (out edge, any bool) {
	for i := len(edges) - 1; i >= 0; i-- {
		e := edges[i]
		if e.cond == no {
			continue
		}
		if !any {
			out, any = e, true
			out.values = append([]value(nil), e.values...)
			continue
		}
		st := out.st
		e.st.live.compare(out.st.live, func(o int, x, y lit) { st.live = st.live.set(o, v.f.choose(e.cond, x, y)) })
		e.st.memory.compare(out.st.memory, func(c int, x, y *value) { st.memory = st.memory.set(c, v.either(e.cond, x, y)) })
		out.st = st
		for k := range out.values {
			out.values[k] = v.choose(e.cond, e.values[k], out.values[k])
		}
		out.cond = v.f.or(e.cond, out.cond)
	}
	return out, any && out.cond != no
}

// either returns the element that is x where c holds, else y.
func (v *verifier) either(c lit, x, y *value) *value {
	if x == nil || y == nil {
		if x == nil {
			x = y
		}
		return v.forgotten(x)
	}
	z := v.choose(c, *x, *y)
	return &z
}

// forgotten returns what is known of an element that held x and may hold something else by
// now. That it may be an address isn't forgotten.
func (v *verifier) forgotten(x *value) *value {
	if x == nil || !x.address() {
		return nil
	}
	z := v.fresh(derived)
	return &z
}

// walk is one execution of a graph: run executes a node, name returns what the certificate
// calls a loop.
type walk struct {
	v      *verifier
	fr     *frame
	op     *ir.Op // to which the graph belongs
	run    func(node int, in edge) []edge
	name   func(Item) string
	blocks []*ir.Block // the nodes, if they are blocks
	// heads are the loops with several entries, by their entries: all edges to these go to
	// the loop's head first.
	heads   map[int]Item
	pending map[int][]edge // edges into nodes that were not executed yet
}

// follow executes a graph in the given order, in which control must be able to follow it.
// It returns the edges that leave it.
func (w *walk) follow(order []Item, in edge) []edge {
	w.pending = map[int][]edge{order[0].Node: {in}}
	w.items(order)
	out := w.pending[outside]
	delete(w.pending, outside)
	for _, edges := range w.pending {
		for _, e := range edges {
			if e.cond != no {
				w.v.refuse(w.op, "control doesn't follow the order of its blocks")
			}
		}
	}
	return out
}

func (w *walk) push(edges []edge) {
	for _, e := range edges {
		if it, ok := w.heads[e.to]; ok && !e.chosen {
			e = w.enter(it, e)
		}
		w.pending[e.to] = append(w.pending[e.to], e)
	}
}

// execute executes a node, or the head of a loop with several entries.
func (w *walk) execute(it Item, in edge) []edge {
	if len(it.Entries) == 0 {
		return w.run(it.Node, in)
	}
	var out []edge
	rest, slots := yes, in.values[len(it.Entries)-1:]
	for i, n := range it.Entries {
		c := rest
		if i < len(it.Entries)-1 {
			c, rest = w.v.f.and(rest, in.values[i].truth), w.v.f.and(rest, in.values[i].truth.not())
		}
		e := edge{to: n, cond: w.v.f.and(in.cond, c), st: in.st, chosen: true}
		for _, at := range it.Slots[i] {
			e.values = append(e.values, slots[at])
		}
		out = append(out, e)
	}
	return out
}

// enter makes an edge to an entry of a loop one to its head. Its values are booleans that tell
// which entry is meant, and the entries' arguments, which share the slots that the certificate
// says. The slots that the entry doesn't have hold nothing that is used.
func (w *walk) enter(it Item, e edge) edge {
	var choices, slots []value
	for i, n := range it.Entries {
		if i < len(it.Entries)-1 {
			choices = append(choices, truthOf(truth(n == e.to)))
		}
		for arg, at := range it.Slots[i] {
			for len(slots) <= at {
				slots = append(slots, value{})
			}
			switch t := w.blocks[n].Arg(arg).Type(); {
			case n == e.to:
				slots[at] = e.values[arg]
			case slots[at] != value{}:
			case ir.IsMemRef(t):
				slots[at] = w.v.pointTo(w.v.global(w.op, "nothing"))
			case t == ir.Type(ir.I1):
				slots[at] = truthOf(no)
			default:
				slots[at] = w.v.fresh(number)
			}
		}
	}
	e.to, e.values = it.Node, append(choices, slots...)
	return e
}

func (w *walk) items(order []Item) {
	for _, it := range order {
		in, ok := w.v.merge(w.pending[it.Node])
		delete(w.pending, it.Node)
		switch {
		case w.v.err != nil:
			return
		case !ok:
		case it.Loop:
			w.loop(it, in)
		default:
			w.push(w.execute(it, in))
		}
	}
}

// iteration executes a loop once, and returns the edges back to its head and those that leave
// it.
func (w *walk) iteration(it Item, head edge) (back, exits []edge) {
	around := w.pending
	w.pending = map[int][]edge{}
	w.push(w.execute(it, head))
	w.items(it.Body)
	for _, n := range slices.Sorted(maps.Keys(w.pending)) {
		if n != it.Node {
			exits = append(exits, w.pending[n]...)
		}
	}
	back, w.pending = w.pending[it.Node], around
	return back, exits
}

// maxTrips limits the iterations of loops that are executed step by step.
const maxTrips = 1 << 12

// unroll executes a loop step by step: each iteration must tell whether there is another one.
func (w *walk) unroll(it Item, in edge) {
	for range maxTrips {
		back, exits := w.iteration(it, in)
		next, again := w.v.merge(back)
		if !again {
			w.push(exits)
			return
		}
		for _, e := range exits {
			again = again && e.cond == no
		}
		if !again || next.cond != in.cond || w.v.err != nil {
			break
		}
		in = next
	}
	w.v.refuse(w.op, "it isn't known how often a loop runs")
}

// region executes a region, and returns the edges that leave it, with the operands of the
// terminators as values.
func (v *verifier) region(fr *frame, r *ir.Region, in edge) []edge {
	if r.NumBlocks() == 1 {
		return v.block(fr, r.Entry(), in, nil)
	}
	blocks, numbers := []*ir.Block{}, map[*ir.Block]int{}
	for b := range r.Blocks() {
		numbers[b] = len(blocks)
		blocks = append(blocks, b)
	}
	name := v.regionName(fr, r)
	order := v.m.order(fr.fn, name)
	w := &walk{v: v, fr: fr, op: r.Op(), blocks: blocks, heads: map[int]Item{},
		run:  func(n int, in edge) []edge { return v.block(fr, blocks[n], in, numbers) },
		name: func(it Item) string { return fr.path + name + "^" + it.head() }}
	if len(order) == 0 || order[0].Node != 0 || !w.fits(order) {
		v.refuse(r.Op(), "there is no order of its blocks")
		return nil
	}
	return w.follow(order, in)
}

// fits tells whether an order is one of the blocks, and notes the loops with several entries.
func (w *walk) fits(order []Item) bool {
	for _, it := range order {
		if len(it.Entries) == 0 && (it.Node < 0 || it.Node >= len(w.blocks)) || !w.fits(it.Body) {
			return false
		}
		for i, n := range it.Entries {
			if n < 0 || n >= len(w.blocks) || len(it.Slots[i]) != w.blocks[n].NumArgs() || slices.Contains(it.Entries[:i], n) {
				return false
			}
			w.heads[n] = it
		}
	}
	return true
}

// block executes a block. numbers are those of the blocks of its region.
func (v *verifier) block(fr *frame, b *ir.Block, in edge, numbers map[*ir.Block]int) []edge {
	fr.st, fr.cond = in.st, in.cond
	if len(in.values) != b.NumArgs() {
		v.refuse(b.ParentOp(), "a block doesn't get its arguments")
		return nil
	}
	for i, x := range in.values {
		v.bind(fr, b.Arg(i), x)
	}
	last := b.Terminator()
	for op := b.First(); op != last; op = op.Next() {
		v.execute(fr, op)
		if v.err != nil || fr.cond == no {
			return nil
		}
	}
	if last == nil {
		return []edge{{to: outside, cond: fr.cond, st: fr.st}}
	}
	return v.terminate(fr, last, numbers)
}

// terminate returns the edges out of a block.
func (v *verifier) terminate(fr *frame, t *ir.Op, numbers map[*ir.Block]int) []edge {
	switch d := t.Dialect().Name; {
	case d != "affine" && d != "cf" && d != "func" && d != "linalg" && d != "memref" && d != "scf" && d != "test" && d != "vector",
		t.NumSuccessors() == 0 && t.NumRegions() == 0 && !iface.IsRegionTerminator(t) && !t.Is(memref.AtomicYield):
		v.refuse(t, "there is no rule for where it passes control to")
		return nil
	}
	operands := v.getAll(fr, t.Operands())
	if !v.inScope(t) || !v.passesOn(fr, t) {
		return nil
	}
	if t.NumSuccessors() == 0 {
		if t.NumRegions() > 0 {
			v.anyTimes(fr, t)
		}
		return []edge{{to: outside, cond: fr.cond, st: fr.st, values: operands, from: t}}
	}
	m, ok := iface.Branch.Of(t)
	if !ok || numbers == nil {
		v.refuse(t, "it isn't known where it branches to")
		return nil
	}
	var conds []lit
	switch {
	case t.Is(cf.CondBranch):
		c := v.truth(fr, t.Operand(0))
		conds = []lit{c, c.not()}
	case t.Is(cf.Switch):
		conds = v.anyCase(operands[0], switchCases(t))
	case t.NumSuccessors() == 1:
		conds = []lit{yes}
	}
	if len(conds) != t.NumSuccessors() {
		conds = v.anyOf(t.NumSuccessors())
	}
	var out []edge
	for i, c := range conds {
		start, n, produced := m.SuccessorOperands(t, i)
		if produced > 0 {
			v.refuse(t, "it makes values")
		}
		out = append(out, edge{to: numbers[t.Successor(i)], cond: v.f.and(fr.cond, c), st: fr.st, values: operands[start : start+n]})
	}
	return out
}

func switchCases(t *ir.Op) (out []int64) {
	values, _ := t.Attr("case_values").(*ir.DenseElementsAttr)
	for i := int64(0); values != nil && i < values.Len(); i++ {
		n, ok := values.Elem(t.Context(), i).(*ir.IntegerAttr)
		if !ok || n.Big != nil {
			return nil
		}
		out = append(out, n.Value)
	}
	return out
}

// anyCase returns the conditions that a number is none of the cases, and that it is each.
func (v *verifier) anyCase(x value, cases []int64) []lit {
	out, rest := []lit{no}, yes
	for _, c := range cases {
		is := v.compareNumbers(arith.EQ, x, constant(c))
		out = append(out, v.f.and(rest, is))
		rest = v.f.and(rest, is.not())
	}
	out[0] = rest
	return out
}

// anyOf returns n conditions of which one holds, no matter which.
func (v *verifier) anyOf(n int) []lit {
	out, rest := make([]lit, n), yes
	for i := range n - 1 {
		c := v.f.variable()
		out[i], rest = v.f.and(rest, c), v.f.and(rest, c.not())
	}
	out[n-1] = rest
	return out
}

// passesOn tells whether op gets addresses that aren't memrefs only to pass them on as a
// whole, to blocks, regions or results; else the certificate is refused.
func (v *verifier) passesOn(fr *frame, op *ir.Op) bool {
	for i := range op.NumOperands() {
		if x := op.Operand(i); v.get(fr, x).carries(x.Type()) && !forwards(op, i) {
			v.refuse(op, "an address gets out of sight")
			return false
		}
	}
	return true
}

func forwards(op *ir.Op, i int) bool {
	in := func(start, n int) bool { return start <= i && i < start+n }
	if m, ok := iface.Branch.Of(op); ok {
		for s := range op.NumSuccessors() {
			if start, n, _ := m.SuccessorOperands(op, s); in(start, n) {
				return true
			}
		}
		return false
	}
	parent, points, passed := op, iface.ParentPoint, func(to iface.RegionPoint) (int, int) { return 0, 0 }
	if m, ok := iface.RegionBranch.Of(op); ok {
		passed = func(to iface.RegionPoint) (int, int) { return m.EntryOperands(op, to) }
	} else if iface.IsRegionTerminator(op) {
		parent, points = op.Parent(), iface.RegionPoint{Region: op.Region()}
		passed = func(to iface.RegionPoint) (int, int) { return iface.TerminatorOperands(op, to) }
		if _, ok := iface.Function.Of(parent); ok {
			return op.Has(ir.TraitReturnLike)
		}
	}
	if m, ok := iface.RegionBranch.Of(parent); ok {
		for _, s := range m.Successors(parent, points) {
			if in(passed(iface.RegionPoint{Region: s.Region})) {
				return true
			}
		}
	}
	return false
}

// successorTo returns the one that is the region, or for nil the operation's results.
func successorTo(succs []iface.RegionSuccessor, r *ir.Region) *iface.RegionSuccessor {
	for i := range succs {
		if succs[i].Region == r {
			return &succs[i]
		}
	}
	return nil
}

// isLoop tells whether an operation has one region, which control enters or passes by, at
// first and after each time, with as many values: those of the region's end.
func isLoop(op *ir.Op, m iface.RegionBranchModel) bool {
	if op.NumRegions() != 1 || op.RegionAt(0).Empty() {
		return false
	}
	n := -1
	for _, from := range []*ir.Region{nil, op.RegionAt(0)} {
		succs := m.Successors(op, iface.RegionPoint{Region: from})
		in, out := successorTo(succs, op.RegionAt(0)), successorTo(succs, nil)
		if in == nil || out == nil || len(succs) != 2 || len(in.Inputs) != len(out.Inputs) || n >= 0 && len(in.Inputs) != n {
			return false
		}
		n = len(in.Inputs)
	}
	return true
}

// regions executes an operation that passes control to its regions. In the graph, node 0 is
// the operation, and node i+1 region i.
func (v *verifier) regions(fr *frame, op *ir.Op, m iface.RegionBranchModel) {
	if !v.passesOn(fr, op) {
		return
	}
	loop, first := isLoop(op, m), iface.RegionPoint{}
	if loop {
		first.Region = op.RegionAt(0)
	}
	trip := int64(0)
	run := func(n int, in edge) []edge {
		if loop && n == 0 {
			return v.loopHead(fr, op, in, &trip)
		}
		exits := []edge{in}
		point := iface.ParentPoint
		if n > 0 {
			point.Region = op.RegionAt(n - 1)
			exits = v.region(fr, point.Region, in)
		}
		succs := m.Successors(op, point)
		var out []edge
		for _, e := range exits {
			fr.st, fr.cond = e.st, e.cond
			passed := func(to *ir.Region) []value {
				start, n := 0, 0
				switch {
				case e.from == nil && point.Region == nil:
					start, n = m.EntryOperands(op, iface.RegionPoint{Region: to})
					return v.getAll(fr, op.Operands()[start:start+n])
				case e.from != nil && iface.IsRegionTerminator(e.from):
					start, n = iface.TerminatorOperands(e.from, iface.RegionPoint{Region: to})
				}
				return e.values[start : start+n]
			}
			if loop {
				out = append(out, edge{cond: e.cond, st: e.st, values: passed(op.RegionAt(0))})
				continue
			}
			conds := v.regionConditions(fr, op, e.from, succs)
			for i, s := range succs {
				e := edge{to: outside, cond: v.f.and(e.cond, conds[i]), st: e.st}
				if s.Region != nil && !s.Region.Empty() {
					e.to = s.Region.Index() + 1
					e.values = v.spread(fr, s.Region.Entry().Args(), s.Inputs, passed(s.Region))
				} else if s.Region == nil {
					e.values = v.spread(fr, results(op), s.Inputs, passed(nil))
				}
				out = append(out, e)
			}
		}
		return out
	}
	in := edge{cond: yes, st: fr.st}
	if loop {
		start, n := m.EntryOperands(op, first)
		in.values = v.getAll(fr, op.Operands()[start:start+n])
	}
	v.within(fr, op, v.regionOrder(op, m, loop), in, run)
}

// within follows the graph of an operation's regions, and passes control on to what follows
// the operation.
func (v *verifier) within(fr *frame, op *ir.Op, order []Item, in edge, run func(int, edge) []edge) {
	base, cond := fr.base, fr.cond
	fr.base = v.here(fr)
	w := &walk{v: v, fr: fr, op: op, run: run, name: func(Item) string { return v.opName(fr, op) }}
	out, any := v.merge(w.follow(order, in))
	fr.base, fr.cond = base, no
	if !any {
		return
	}
	fr.st, fr.cond = out.st, v.f.and(cond, out.cond)
	for i := range op.NumResults() {
		if i < len(out.values) {
			v.bind(fr, op.Result(i), out.values[i])
		} else {
			v.set(fr, op.Result(i))
		}
	}
	if op.Has(ir.TraitAutomaticAllocationScope) {
		v.endScope(fr, op)
	}
}

// regionOrder returns the order of the nodes of an operation's graph: that of the regions, of
// which those are a loop that control goes back to.
func (v *verifier) regionOrder(op *ir.Op, m iface.RegionBranchModel, loop bool) []Item {
	if loop {
		return []Item{{Node: 0, Loop: true, Body: []Item{{Node: 1}}}}
	}
	out := []Item{{Node: 0}}
	for i, r := range op.Regions() {
		out = append(out, Item{Node: i + 1})
		if r.Empty() {
			continue
		}
		for _, s := range m.Successors(op, iface.RegionPoint{Region: r}) {
			if s.Region != nil && s.Region.Index() <= i && len(out) > s.Region.Index()+1 {
				head := s.Region.Index() + 1
				out = append(out[:head], Item{Node: head, Loop: true, Body: append([]Item(nil), out[head+1:]...)})
				break
			}
		}
	}
	return out
}

// spread returns values for all receivers, of which inputs get the given ones; the others,
// such as induction variables, are made by the operation.
func (v *verifier) spread(fr *frame, receivers, inputs []*ir.Value, given []value) []value {
	out := make([]value, len(receivers))
	for i, r := range receivers {
		found := false
		for k, x := range inputs {
			if x == r && k < len(given) {
				out[i], found = given[k], true
			}
		}
		if !found {
			v.set(fr, r)
			out[i] = fr.values[r]
		}
	}
	return out
}

func results(op *ir.Op) (out []*ir.Value) {
	for i := range op.NumResults() {
		out = append(out, op.Result(i))
	}
	return out
}

// loopHead returns the edges from an operation that is a loop: into its region, and out.
// trip is the number of the iteration, if the loop is executed step by step. Otherwise
// control may go both ways; the two never meet.
func (v *verifier) loopHead(fr *frame, op *ir.Op, in edge, trip *int64) []edge {
	m, _ := iface.RegionBranch.Of(op)
	succs := m.Successors(op, iface.ParentPoint)
	r := op.RegionAt(0)
	into, out := in, in
	into.to, out.to = 1, outside
	fr.st, fr.cond = in.st, in.cond
	into.values = v.spread(fr, r.Entry().Args(), successorTo(succs, r).Inputs, in.values)
	out.values = v.spread(fr, results(op), successorTo(succs, nil).Inputs, in.values)
	l, known := v.c.Loops[v.opName(fr, op)]
	b, counted := v.bounds(fr, op)
	switch {
	case counted && b.trips == 0:
		return []edge{out}
	case !known || !l.Unroll:
		return []edge{into, out}
	case !counted:
		v.refuse(op, "it isn't known how often the loop runs")
		return nil
	case *trip >= b.trips:
		return []edge{out}
	}
	into.values[0] = constant(b.lower + *trip*b.step) // the induction variable is first
	*trip++
	return []edge{into}
}

// counted is how a loop counts.
type counted struct{ lower, step, trips int64 }

// bounds returns how a loop counts, if its bounds are constants and no number that it counts
// wraps: as signed numbers, in positive steps.
func (v *verifier) bounds(fr *frame, op *ir.Op) (c counted, ok bool) {
	if !op.Is(scf.For) {
		return c, false
	}
	l, u, s := v.get(fr, op.Operand(0)), v.get(fr, op.Operand(1)), v.get(fr, op.Operand(2))
	if l.kind != integer || u.kind != integer || s.kind != integer || s.number <= 0 {
		return c, false
	}
	const limit = 1 << 30
	if u.number <= l.number {
		return counted{l.number, s.number, 0}, true
	}
	if t := op.Operand(0).Type(); t != ir.Type(ir.Index) && t != ir.Type(ir.I64) || min(l.number, u.number) < -limit || max(l.number, u.number, s.number) > limit {
		return c, false
	}
	return counted{l.number, s.number, (u.number-l.number-1)/s.number + 1}, true
}

// regionConditions returns the conditions under which control goes to each successor, from
// the operation (t is nil) or from a terminator.
func (v *verifier) regionConditions(fr *frame, op, t *ir.Op, succs []iface.RegionSuccessor) []lit {
	var c lit
	var then *ir.Region
	switch {
	case len(succs) == 1:
		return []lit{yes}
	case t == nil && op.Is(scf.If):
		c, then = v.truth(fr, op.Operand(0)), op.RegionAt(0)
	case t != nil && t.Is(scf.Condition):
		c, then = v.truth(fr, t.Operand(0)), op.RegionAt(1)
	case t == nil && op.Is(scf.IndexSwitch) && len(succs) == op.NumRegions():
		return v.anyCase(v.get(fr, op.Operand(0)), (scf.IndexSwitchOp{Op: op}).Cases())
	}
	if then == nil || len(succs) != 2 || (succs[0].Region == then) == (succs[1].Region == then) {
		return v.anyOf(len(succs))
	}
	if succs[0].Region == then {
		return []lit{c, c.not()}
	}
	return []lit{c.not(), c}
}

// numbersOnly tells whether all that happens in the regions of an operation is that numbers are
// computed from numbers, so that it doesn't matter how often.
func (v *verifier) numbersOnly(fr *frame, op *ir.Op) bool {
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			for o := range b.Ops() {
				if o.NumRegions() > 0 || o.NumSuccessors() > 0 || o != b.Last() && !iface.IsMemoryEffectFree(o) {
					return false
				}
				for i := range o.NumOperands() {
					if x := o.Operand(i); fr.values[x].address() || !isNumber(x.Type()) {
						return false
					}
				}
				for i := range o.NumResults() {
					if !isNumber(o.Result(i).Type()) {
						return false
					}
				}
			}
			if last := b.Terminator(); last == nil || !iface.IsRegionTerminator(last) {
				return false
			}
		}
	}
	return true
}

func isNumber(t ir.Type) bool { return ir.IsIntOrIndex(t) || ir.IsFloat(t) }

// anyTimes executes regions of which it isn't known when they are executed: any number of
// times, in any order.
func (v *verifier) anyTimes(fr *frame, op *ir.Op) {
	var body []Item
	for i, r := range op.Regions() {
		if r.Empty() {
			continue
		}
		body = append(body, Item{Node: i + 1})
		for _, x := range r.Entry().Args() {
			if ir.IsMemRef(x.Type()) {
				v.refuse(op, "nothing is known about the buffers that its regions get")
			}
		}
	}
	if len(body) == 0 || v.numbersOnly(fr, op) {
		return
	}
	v.within(fr, op, []Item{{Node: 0, Loop: true, Body: body}}, edge{cond: yes, st: fr.st}, func(n int, in edge) []edge {
		if n > 0 {
			r := op.RegionAt(n - 1)
			in.values = v.spread(fr, r.Entry().Args(), nil, nil)
			out := v.region(fr, r, in)
			for i := range out {
				out[i].to, out[i].values = 0, nil
			}
			return out
		}
		// Nothing being known about which time this is, it may be the last.
		out := []edge{{to: outside, cond: in.cond, st: in.st}}
		for i, c := range v.anyOf(len(body)) {
			out = append(out, edge{to: body[i].Node, cond: v.f.and(in.cond, c), st: in.st})
		}
		return out
	})
}
