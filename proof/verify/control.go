package verify

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/proof/certificate"
	"freehold/proof/kernel"
	"freehold/proof/models"
)

// region executes a region, and returns the edges that leave it, with the operands of the
// terminators as values.
func (v *verifier) region(fr *kernel.Frame, r *ir.Region, in kernel.Edge) []kernel.Edge {
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
	w := &walk{verifier: v, fr: fr, op: r.Op(), name: fr.Path + name, blocks: blocks, heads: map[int]certificate.Item{}, listed: map[int]bool{},
		run: func(n int, in kernel.Edge) []kernel.Edge { return v.block(fr, blocks[n], in, numbers) }}
	if len(order) == 0 || order[0].Node != 0 || !w.fits(order) {
		v.Refuse(r.Op(), "there is no order of its blocks")
		return nil
	}
	return w.follow(order, in)
}

// block executes a block. numbers are those of the blocks of its region.
func (v *verifier) block(fr *kernel.Frame, b *ir.Block, in kernel.Edge, numbers map[*ir.Block]int) []kernel.Edge {
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
		if v.Err != nil || fr.Cond == kernel.No {
			return nil
		}
	}
	if last == nil {
		return []kernel.Edge{{To: kernel.Outside, Cond: fr.Cond, St: fr.St}}
	}
	return v.terminate(fr, last, numbers)
}

// terminate returns the edges out of a block.
func (v *verifier) terminate(fr *kernel.Frame, t *ir.Op, numbers map[*ir.Block]int) []kernel.Edge {
	if !models.Terminates(t) {
		v.Refuse(t, "there is no rule for where it passes control to")
		return nil
	}
	operands := v.GetAll(fr, t.Operands())
	if !v.InScope(t) {
		return nil
	}
	if t.NumSuccessors() == 0 {
		if t.NumRegions() > 0 {
			v.hides(t, operands)
			v.anyTimes(fr, t)
		}
		return []kernel.Edge{{To: kernel.Outside, Cond: fr.Cond, St: fr.St, Values: operands, From: t}}
	}
	m, ok := interfaces.Branch.Of(t)
	if !ok || numbers == nil {
		v.Refuse(t, "it isn't known where it branches to")
		return nil
	}
	var out []kernel.Edge
	for i, c := range models.BranchConditions(v.Machine, fr, t) {
		start, n, produced := m.SuccessorOperands(t, i)
		if produced > 0 {
			v.Refuse(t, "it makes values")
		}
		out = append(out, kernel.Edge{To: numbers[t.Successor(i)], Cond: v.F.And(fr.Cond, c), St: fr.St, Values: operands[start : start+n]})
	}
	return out
}

// regions executes an operation that passes control to its regions. In the graph, node 0 is
// the operation, and node i+1 region i.
func (v *verifier) regions(fr *kernel.Frame, op *ir.Op, m interfaces.RegionBranchModel) {
	// passed returns what an edge that comes from the operation, or leaves one of its regions, passes to a region, or to the results.
	passed := func(e kernel.Edge, to *ir.Region) []kernel.Value {
		start, n := 0, 0
		switch point := (interfaces.RegionPoint{Region: to}); {
		case e.From == nil:
			return e.Values
		case e.From == op:
			start, n = m.EntryOperands(op, point)
		case interfaces.IsRegionTerminator(e.From):
			start, n = interfaces.TerminatorOperands(e.From, point)
		}
		return e.Values[start : start+n]
	}
	entry := kernel.Edge{Cond: kernel.Yes, St: fr.St, Values: v.GetAll(fr, op.Operands()), From: op}
	others := slices.Clone(entry.Values) // those of which it makes something itself, such as numbers that it counts to
	for _, s := range m.Successors(op, interfaces.ParentPoint) {
		clear(passed(kernel.Edge{Values: others, From: op}, s.Region))
	}
	v.hides(op, others)
	loop, turn := kernel.IsLoop(op, m), &turns{verifier: v, fr: fr, op: op, l: &certificate.Loop{}}
	if l := v.c.Loops[v.OpName(fr, op)]; l != nil {
		turn.l = l
	}
	if loop {
		entry.Values, entry.From = turn.values(passed(entry, op.RegionAt(0)), kernel.No), nil
	}
	v.graph(fr, op, kernel.RegionOrder(op, m, loop), entry, func(n int, in kernel.Edge) []kernel.Edge {
		exits, point := []kernel.Edge{in}, interfaces.ParentPoint
		if n > 0 {
			point.Region = op.RegionAt(n - 1)
			in.Values = v.Spread(fr, point.Region.Entry().Args(), inputs(op, m, point.Region), in.Values)
			if turn.counter != nil {
				in.Values[0] = *turn.counter // the induction variable is first
			}
			exits = v.region(fr, point.Region, in)
		}
		succs := m.Successors(op, point)
		var out []kernel.Edge
		for _, e := range exits {
			fr.St, fr.Cond = e.St, e.Cond
			if loop && n > 0 {
				out = append(out, kernel.Edge{Cond: e.Cond, St: e.St, Values: turn.values(passed(e, op.RegionAt(0)), kernel.Yes)})
				continue
			}
			var conds []kernel.Lit
			if loop {
				conds = turn.conditions(e, succs)
			} else {
				conds = models.RegionConditions(v.Machine, fr, op, e.From, succs)
			}
			for i, s := range succs {
				next := kernel.Edge{To: kernel.Outside, Cond: v.F.And(e.Cond, conds[i]), St: e.St}
				if s.Region == nil {
					next.Values = v.Spread(fr, op.Results().Values(), s.Inputs, passed(e, nil))
				} else if !s.Region.Empty() {
					next.To, next.Values = s.Region.Index()+1, passed(e, s.Region) // without what the operation makes itself
				}
				out = append(out, next)
			}
		}
		return out
	})
}

// hides refuses an operation if one of the values may be an address, which it does something with that isn't followed.
func (v *verifier) hides(op *ir.Op, values []kernel.Value) {
	if slices.ContainsFunc(values, kernel.Value.Address) {
		v.Refuse(op, "an address gets out of sight")
	}
}

// inputs returns the arguments of a region that receive what is passed to it.
func inputs(op *ir.Op, m interfaces.RegionBranchModel, r *ir.Region) []*ir.Value {
	for i := range op.NumRegions() + 1 {
		from := interfaces.ParentPoint
		if i > 0 {
			from.Region = op.RegionAt(i - 1)
		}
		if s := kernel.SuccessorTo(m.Successors(op, from), r); s != nil {
			return s.Inputs
		}
	}
	return nil
}

// turns are those of an operation that is a loop. Of one that is executed step by step, the number of the iteration is known, and so is what
// counts it; of one that counts, whether there was one before. Otherwise control may go both ways at the head, and the two never meet.
type turns struct {
	*verifier
	fr      *kernel.Frame
	op      *ir.Op
	l       *certificate.Loop
	trip    int64
	counter *kernel.Value
}

// values returns what control passes to the head; again tells that it comes from an iteration.
func (t *turns) values(passed []kernel.Value, again kernel.Lit) []kernel.Value {
	if !t.l.Counts {
		return passed
	}
	return append(slices.Clip(passed), kernel.TruthOf(again))
}

// conditions returns those under which control goes from the head into the region, and out.
func (t *turns) conditions(head kernel.Edge, succs []interfaces.RegionSuccessor) (out []kernel.Lit) {
	into, leave := kernel.Yes, kernel.Yes
	b, counted := models.Bounds(t.Machine, t.fr, t.op)
	switch {
	case counted && (b.Trips == 0 || t.l.Unroll && t.trip >= b.Trips):
		into = kernel.No
	case t.l.Counts:
		lower, runs, ok := models.Counts(t.Machine, t.fr, t.op)
		again := head.Values[len(head.Values)-1]
		if !ok || again.Kind != kernel.Boolean {
			t.Refuse(t.op, "it isn't known how the loop counts")
		}
		counter := t.Counter(lower, again.Truth)
		into, leave, t.counter = runs, t.F.Iff(again.Truth, runs), &counter // where it runs, it isn't left before the first iteration
	case t.l.Unroll && counted:
		counter := kernel.Constant(b.Lower + t.trip*b.Step)
		leave, t.counter = kernel.No, &counter
		t.trip++
	case t.l.Unroll:
		t.Refuse(t.op, "it isn't known how often the loop runs")
	}
	for _, s := range succs {
		if s.Region != nil {
			out = append(out, into)
		} else {
			out = append(out, leave)
		}
	}
	return out
}

// graph follows the graph of an operation's regions, and passes control on to what follows
// the operation.
func (v *verifier) graph(fr *kernel.Frame, op *ir.Op, order []certificate.Item, in kernel.Edge, run func(int, kernel.Edge) []kernel.Edge) {
	base, cond := fr.Base, fr.Cond
	fr.Base = v.Here(fr)
	w := &walk{verifier: v, fr: fr, op: op, name: v.OpName(fr, op), run: run}
	out, any := v.Merge(w.follow(order, in))
	fr.Base, fr.Cond = base, kernel.No
	if !any {
		return
	}
	fr.St, fr.Cond = out.St, v.F.And(cond, out.Cond)
	out.Values = v.gather(fr, op, op.Block(), w.name, out.Values)
	for i := range op.NumResults() {
		if i < len(out.Values) {
			v.Bind(fr, op.Result(i), out.Values[i])
		} else {
			v.Assign(fr, op.Result(i), v.Anything(fr, op.Result(i)))
		}
	}
	if op.Has(ir.TraitAutomaticAllocationScope) {
		v.EndScope(fr, fr.Path, op)
	}
}

// gather gives what values point to, and others with them, new names, where the certificate says so.
func (v *verifier) gather(fr *kernel.Frame, op *ir.Op, b *ir.Block, place string, values []kernel.Value) []kernel.Value {
	if g, ok := v.c.Gathers[place]; ok {
		values = v.Gather(fr, op, b, place, g, v.within, values)
	}
	return values
}

// anyTimes executes regions of which it isn't known when they are executed: any number of
// times, in any order.
func (v *verifier) anyTimes(fr *kernel.Frame, op *ir.Op) {
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
	if len(body) == 0 {
		return
	}
	v.graph(fr, op, []certificate.Item{{Node: 0, Loop: true, Body: body}}, kernel.Edge{Cond: kernel.Yes, St: fr.St}, func(n int, in kernel.Edge) []kernel.Edge {
		if n > 0 {
			r := op.RegionAt(n - 1)
			in.Values = v.Spread(fr, r.Entry().Args(), nil, nil)
			out := v.region(fr, r, in)
			for i := range out {
				v.hides(op, out[i].Values)
				out[i].To, out[i].Values = 0, nil
			}
			return out
		}
		// Nothing being known about which time this is, it may be the last.
		out := []kernel.Edge{{To: kernel.Outside, Cond: in.Cond, St: in.St}}
		for i, c := range v.AnyOf(len(body)) {
			out = append(out, kernel.Edge{To: body[i].Node, Cond: v.F.And(in.Cond, c), St: in.St})
		}
		return out
	})
}

// maxSteps limits the operations that are executed for a function.
const maxSteps = 8 << 20

// execute updates the state for an operation that is no terminator.
func (v *verifier) execute(fr *kernel.Frame, op *ir.Op) {
	if v.Steps++; v.Steps > maxSteps {
		v.Refuse(op, "its function takes too many steps")
	}
	if v.Err != nil || !v.InScope(op) || v.Apply(fr, op) {
		return
	}
	if models.IsCall(op) {
		v.call(fr, op)
		return
	}
	if m, ok := interfaces.RegionBranch.Of(op); ok {
		if models.PassesControl(op) {
			v.regions(fr, op, m)
			return
		}
	}
	v.Access(fr, op)
}
