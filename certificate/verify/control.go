package verify

import (
	"freehold/certificate"
	"freehold/certificate/logic"
	"freehold/certificate/symbolic"
	"freehold/dialect/affine"
	"freehold/dialect/cf"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	testd "freehold/dialect/test"
	"freehold/iface"
	"freehold/ir"
)

// region executes a region, and returns the edges that leave it, with the operands of the
// terminators as values.
func (v *verifier) region(fr *symbolic.Frame, r *ir.Region, in symbolic.Edge) []symbolic.Edge {
	if r.NumBlocks() == 1 {
		return v.block(fr, r.Entry(), in, nil)
	}
	blocks, numbers := []*ir.Block{}, map[*ir.Block]int{}
	for b := range r.Blocks() {
		numbers[b] = len(blocks)
		blocks = append(blocks, b)
	}
	name := v.RegionName(fr, r)
	var order []certificate.Item
	if c := v.m.contracts[fr.Fn]; c != nil {
		order = c.Blocks[name]
	}
	w := &symbolic.Walk{V: v.Machine, Fr: fr, Op: r.Op(), Blocks: blocks, Heads: map[int]certificate.Item{},
		Run:  func(n int, in symbolic.Edge) []symbolic.Edge { return v.block(fr, blocks[n], in, numbers) },
		Name: func(it certificate.Item) string { return fr.Path + name + "^" + it.Head() }}
	w.Loop = func(it certificate.Item, in symbolic.Edge) { v.loop(w, it, in) }
	w.Enter = func(it certificate.Item, in *symbolic.Edge) {
		fr.St, fr.Cond = in.St, in.Cond
		v.gather(fr, r.Op(), w.Name(it), in.Values)
		in.St = fr.St
	}
	if len(order) == 0 || order[0].Node != 0 || !w.Fits(order) {
		v.Refuse(r.Op(), "there is no order of its blocks")
		return nil
	}
	return w.Follow(order, in)
}

// block executes a block. numbers are those of the blocks of its region.
func (v *verifier) block(fr *symbolic.Frame, b *ir.Block, in symbolic.Edge, numbers map[*ir.Block]int) []symbolic.Edge {
	fr.St, fr.Cond = in.St, in.Cond
	if len(in.Values) != b.NumArgs() {
		v.Refuse(b.ParentOp(), "a block doesn't get its arguments")
		return nil
	}
	for i, x := range in.Values {
		v.Bind(fr, b.Arg(i), x)
	}
	last := b.Terminator()
	for op := b.First(); op != last; op = op.Next() {
		v.execute(fr, op)
		if v.Err != nil || fr.Cond == logic.No {
			return nil
		}
	}
	if last == nil {
		return []symbolic.Edge{{To: symbolic.Outside, Cond: fr.Cond, St: fr.St}}
	}
	return v.terminate(fr, last, numbers)
}

// terminate returns the edges out of a block.
func (v *verifier) terminate(fr *symbolic.Frame, t *ir.Op, numbers map[*ir.Block]int) []symbolic.Edge {
	switch d := symbolic.Dialect(t); {
	case d != "affine" && d != "cf" && d != "func" && d != "linalg" && d != "memref" && d != "scf" && d != "shape" && d != "test" && d != "vector",
		t.NumSuccessors() == 0 && t.NumRegions() == 0 && !iface.IsRegionTerminator(t) && !t.Is(memref.AtomicYield):
		v.Refuse(t, "there is no rule for where it passes control to")
		return nil
	}
	operands := v.GetAll(fr, t.Operands())
	if !v.InScope(t) || !v.passesOn(fr, t) {
		return nil
	}
	if t.NumSuccessors() == 0 {
		if t.NumRegions() > 0 {
			v.anyTimes(fr, t)
		}
		return []symbolic.Edge{{To: symbolic.Outside, Cond: fr.Cond, St: fr.St, Values: operands, From: t}}
	}
	m, ok := iface.Branch.Of(t)
	if !ok || numbers == nil {
		v.Refuse(t, "it isn't known where it branches to")
		return nil
	}
	var conds []logic.Lit
	switch {
	case t.Is(cf.CondBranch):
		c := v.Truth(fr, t.Operand(0))
		conds = []logic.Lit{c, c.Not()}
	case t.Is(cf.Switch):
		conds = v.AnyCase(operands[0], switchCases(t))
	case t.NumSuccessors() == 1:
		conds = []logic.Lit{logic.Yes}
	}
	if len(conds) != t.NumSuccessors() {
		conds = v.AnyOf(t.NumSuccessors())
	}
	var out []symbolic.Edge
	for i, c := range conds {
		start, n, produced := m.SuccessorOperands(t, i)
		if produced > 0 {
			v.Refuse(t, "it makes values")
		}
		out = append(out, symbolic.Edge{To: numbers[t.Successor(i)], Cond: v.F.And(fr.Cond, c), St: fr.St, Values: operands[start : start+n]})
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

// passesOn tells whether op gets addresses that aren't memrefs only to pass them on as a
// whole, to blocks, regions or results; else the certificate is refused.
func (v *verifier) passesOn(fr *symbolic.Frame, op *ir.Op) bool {
	for i := range op.NumOperands() {
		if x := op.Operand(i); v.Get(fr, x).Carries(x.Type()) && !forwards(op, i) {
			v.Refuse(op, "an address gets out of sight")
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
func (v *verifier) regions(fr *symbolic.Frame, op *ir.Op, m iface.RegionBranchModel) {
	if !v.passesOn(fr, op) {
		return
	}
	loop, first := isLoop(op, m), iface.RegionPoint{}
	if loop {
		first.Region = op.RegionAt(0)
	}
	trip := int64(0)
	run := func(n int, in symbolic.Edge) []symbolic.Edge {
		if loop && n == 0 {
			return v.loopHead(fr, op, in, &trip)
		}
		exits := []symbolic.Edge{in}
		point := iface.ParentPoint
		if n > 0 {
			point.Region = op.RegionAt(n - 1)
			exits = v.region(fr, point.Region, in)
		}
		succs := m.Successors(op, point)
		var out []symbolic.Edge
		for _, e := range exits {
			fr.St, fr.Cond = e.St, e.Cond
			passed := func(to *ir.Region) []symbolic.Value {
				start, n := 0, 0
				switch {
				case e.From == nil && point.Region == nil:
					start, n = m.EntryOperands(op, iface.RegionPoint{Region: to})
					return v.GetAll(fr, op.Operands()[start:start+n])
				case e.From != nil && iface.IsRegionTerminator(e.From):
					start, n = iface.TerminatorOperands(e.From, iface.RegionPoint{Region: to})
				}
				return e.Values[start : start+n]
			}
			if loop {
				out = append(out, symbolic.Edge{Cond: e.Cond, St: e.St, Values: passed(op.RegionAt(0))})
				continue
			}
			conds := v.regionConditions(fr, op, e.From, succs)
			for i, s := range succs {
				e := symbolic.Edge{To: symbolic.Outside, Cond: v.F.And(e.Cond, conds[i]), St: e.St}
				if s.Region != nil && !s.Region.Empty() {
					e.To = s.Region.Index() + 1
					e.Values = v.spread(fr, s.Region.Entry().Args(), s.Inputs, passed(s.Region))
				} else if s.Region == nil {
					e.Values = v.spread(fr, symbolic.Results(op), s.Inputs, passed(nil))
				}
				out = append(out, e)
			}
		}
		return out
	}
	in := symbolic.Edge{Cond: logic.Yes, St: fr.St}
	if loop {
		start, n := m.EntryOperands(op, first)
		in.Values = v.GetAll(fr, op.Operands()[start:start+n])
	}
	v.graph(fr, op, v.regionOrder(op, m, loop), in, run)
}

// graph follows the graph of an operation's regions, and passes control on to what follows
// the operation.
func (v *verifier) graph(fr *symbolic.Frame, op *ir.Op, order []certificate.Item, in symbolic.Edge, run func(int, symbolic.Edge) []symbolic.Edge) {
	base, cond := fr.Base, fr.Cond
	fr.Base = v.Here(fr)
	w := &symbolic.Walk{V: v.Machine, Fr: fr, Op: op, Run: run, Name: func(certificate.Item) string { return v.OpName(fr, op) }}
	w.Loop = func(it certificate.Item, in symbolic.Edge) { v.loop(w, it, in) }
	out, any := v.Merge(w.Follow(order, in))
	fr.Base, fr.Cond = base, logic.No
	if !any {
		return
	}
	fr.St, fr.Cond = out.St, v.F.And(cond, out.Cond)
	v.gather(fr, op, v.OpName(fr, op), out.Values)
	for i := range op.NumResults() {
		if i < len(out.Values) {
			v.Bind(fr, op.Result(i), out.Values[i])
		} else {
			v.Set(fr, op.Result(i))
		}
	}
	if op.Has(ir.TraitAutomaticAllocationScope) {
		v.EndScope(fr, op)
	}
}

// gather gives what values point to new names, where the certificate says so.
func (v *verifier) gather(fr *symbolic.Frame, op *ir.Op, place string, values []symbolic.Value) {
	if v.c.Gathers[place] {
		v.Gather(fr, op, place, v.within, values)
	}
}

// regionOrder returns the order of the nodes of an operation's graph: that of the regions, of
// which those are a loop that control goes back to.
func (v *verifier) regionOrder(op *ir.Op, m iface.RegionBranchModel, loop bool) []certificate.Item {
	if loop {
		return []certificate.Item{{Node: 0, Loop: true, Body: []certificate.Item{{Node: 1}}}}
	}
	out := []certificate.Item{{Node: 0}}
	for i, r := range op.Regions() {
		out = append(out, certificate.Item{Node: i + 1})
		if r.Empty() {
			continue
		}
		for _, s := range m.Successors(op, iface.RegionPoint{Region: r}) {
			if s.Region != nil && s.Region.Index() <= i && len(out) > s.Region.Index()+1 {
				head := s.Region.Index() + 1
				out = append(out[:head], certificate.Item{Node: head, Loop: true, Body: append([]certificate.Item(nil), out[head+1:]...)})
				break
			}
		}
	}
	return out
}

// spread returns values for all receivers, of which inputs get the given ones; the others,
// such as induction variables, are made by the operation.
func (v *verifier) spread(fr *symbolic.Frame, receivers, inputs []*ir.Value, given []symbolic.Value) []symbolic.Value {
	out := make([]symbolic.Value, len(receivers))
	for i, r := range receivers {
		found := false
		for k, x := range inputs {
			if x == r && k < len(given) {
				out[i], found = given[k], true
			}
		}
		if !found {
			v.Set(fr, r)
			out[i] = fr.Values[r]
		}
	}
	return out
}

// loopHead returns the edges from an operation that is a loop: into its region, and out.
// trip is the number of the iteration, if the loop is executed step by step. Otherwise
// control may go both ways; the two never meet.
func (v *verifier) loopHead(fr *symbolic.Frame, op *ir.Op, in symbolic.Edge, trip *int64) []symbolic.Edge {
	m, _ := iface.RegionBranch.Of(op)
	succs := m.Successors(op, iface.ParentPoint)
	r := op.RegionAt(0)
	into, out := in, in
	into.To, out.To = 1, symbolic.Outside
	fr.St, fr.Cond = in.St, in.Cond
	into.Values = v.spread(fr, r.Entry().Args(), successorTo(succs, r).Inputs, in.Values)
	out.Values = v.spread(fr, symbolic.Results(op), successorTo(succs, nil).Inputs, in.Values)
	unroll := false
	if len(v.c.Loops) > 0 {
		l := v.c.Loops[v.OpName(fr, op)]
		unroll = l != nil && l.Unroll
	}
	b, counted := v.bounds(fr, op)
	switch {
	case counted && b.trips == 0:
		return []symbolic.Edge{out}
	case !unroll:
		return []symbolic.Edge{into, out}
	case !counted:
		v.Refuse(op, "it isn't known how often the loop runs")
		return nil
	case *trip >= b.trips:
		return []symbolic.Edge{out}
	}
	into.Values[0] = symbolic.Constant(b.lower + *trip*b.step) // the induction variable is first
	*trip++
	return []symbolic.Edge{into}
}

// counted is how a loop counts.
type counted struct{ lower, step, trips int64 }

// bounds returns how a loop counts, if its bounds are constants and no number that it counts
// wraps: as signed numbers, in positive steps.
func (v *verifier) bounds(fr *symbolic.Frame, op *ir.Op) (c counted, ok bool) {
	if !op.Is(scf.For) {
		return c, false
	}
	l, u, s := v.Get(fr, op.Operand(0)), v.Get(fr, op.Operand(1)), v.Get(fr, op.Operand(2))
	if l.Kind != symbolic.Integer || u.Kind != symbolic.Integer || s.Kind != symbolic.Integer || s.Number <= 0 {
		return c, false
	}
	const limit = 1 << 30
	if u.Number <= l.Number {
		return counted{l.Number, s.Number, 0}, true
	}
	if t := op.Operand(0).Type(); t != ir.Type(ir.Index) && t != ir.Type(ir.I64) || min(l.Number, u.Number) < -limit || max(l.Number, u.Number, s.Number) > limit {
		return c, false
	}
	return counted{l.Number, s.Number, (u.Number-l.Number-1)/s.Number + 1}, true
}

// regionConditions returns the conditions under which control goes to each successor, from
// the operation (t is nil) or from a terminator.
func (v *verifier) regionConditions(fr *symbolic.Frame, op, t *ir.Op, succs []iface.RegionSuccessor) []logic.Lit {
	var c logic.Lit
	var then *ir.Region
	switch {
	case len(succs) == 1:
		return []logic.Lit{logic.Yes}
	case t == nil && op.Is(scf.If):
		c, then = v.Truth(fr, op.Operand(0)), op.RegionAt(0)
	case t != nil && t.Is(scf.Condition):
		c, then = v.Truth(fr, t.Operand(0)), op.RegionAt(1)
	case t == nil && op.Is(scf.IndexSwitch) && len(succs) == op.NumRegions():
		return v.AnyCase(v.Get(fr, op.Operand(0)), (scf.IndexSwitchOp{Op: op}).Cases())
	}
	if then == nil || len(succs) != 2 || (succs[0].Region == then) == (succs[1].Region == then) {
		return v.AnyOf(len(succs))
	}
	if succs[0].Region == then {
		return []logic.Lit{c, c.Not()}
	}
	return []logic.Lit{c.Not(), c}
}

// anyTimes executes regions of which it isn't known when they are executed: any number of
// times, in any order.
func (v *verifier) anyTimes(fr *symbolic.Frame, op *ir.Op) {
	var body []certificate.Item
	for i, r := range op.Regions() {
		if r.Empty() {
			continue
		}
		body = append(body, certificate.Item{Node: i + 1})
		for _, x := range r.Entry().Args() {
			if ir.IsMemRef(x.Type()) {
				v.Refuse(op, "nothing is known about the buffers that its regions get")
			}
		}
	}
	if len(body) == 0 || v.NumbersOnly(fr, op) {
		return
	}
	v.graph(fr, op, []certificate.Item{{Node: 0, Loop: true, Body: body}}, symbolic.Edge{Cond: logic.Yes, St: fr.St}, func(n int, in symbolic.Edge) []symbolic.Edge {
		if n > 0 {
			r := op.RegionAt(n - 1)
			in.Values = v.spread(fr, r.Entry().Args(), nil, nil)
			out := v.region(fr, r, in)
			for i := range out {
				out[i].To, out[i].Values = 0, nil
			}
			return out
		}
		// Nothing being known about which time this is, it may be the last.
		out := []symbolic.Edge{{To: symbolic.Outside, Cond: in.Cond, St: in.St}}
		for i, c := range v.AnyOf(len(body)) {
			out = append(out, symbolic.Edge{To: body[i].Node, Cond: v.F.And(in.Cond, c), St: in.St})
		}
		return out
	})
}

// maxSteps limits the operations that are executed for a function.
const maxSteps = 8 << 20

// execute updates the state for an operation that is no terminator.
func (v *verifier) execute(fr *symbolic.Frame, op *ir.Op) {
	if v.steps++; v.steps > maxSteps {
		v.Refuse(op, "its function takes too many steps")
	}
	if v.Err != nil || !v.InScope(op) || v.Apply(fr, op) {
		return
	}
	if m, ok := iface.Call.Of(op); ok && symbolic.Dialect(op) == "func" {
		v.call(fr, op, m)
		return
	}
	if m, ok := iface.RegionBranch.Of(op); ok {
		if d := symbolic.Dialect(op); d == "scf" || d == "shape" || d == "affine" && !op.Is(affine.Parallel) || op.Is(memref.AllocaScope) || op.Is(testd.RegionIf) {
			v.regions(fr, op, m)
			return
		}
	}
	v.Access(fr, op)
}
