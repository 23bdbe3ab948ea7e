package check

import (
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/proof/kernel"
	"freehold/proof/models"
)

// blockFlow is the flow of the blocks of a region.
type blockFlow struct {
	*flow
	blocks []*ir.Block
	number map[*ir.Block]int
}

// blocks returns the flow of a region's blocks.
func (a *analysis) blocks(r *ir.Region) *blockFlow {
	if g := a.blockFlows[r]; g != nil {
		return g
	}
	g := newBlockFlow(r)
	for _, c := range g.order {
		if c.loop {
			in := map[*ir.Block]bool{}
			g.members(c, in)
			for b := range in {
				a.numberLoopValues(b, in)
			}
		}
	}
	a.blockFlows[r] = g
	return g
}

// newBlockFlow returns the flow of a region's blocks.
func newBlockFlow(r *ir.Region) *blockFlow {
	g := &blockFlow{number: map[*ir.Block]int{}}
	for b := range r.Blocks() {
		g.number[b] = len(g.blocks)
		g.blocks = append(g.blocks, b)
	}
	succs := make([][]int, len(g.blocks))
	for i, b := range g.blocks {
		for _, s := range b.Succs() {
			succs[i] = append(succs[i], g.number[s])
		}
	}
	g.flow = newFlow(len(g.blocks), succs)
	return g
}

// dispatchEntries returns the entries of the loop before which node d was put.
func (g *blockFlow) dispatchEntries(d int) []int { return g.flow.dispatch[d-g.exit-1] }

func (g *blockFlow) members(c component, in map[*ir.Block]bool) {
	if c.node < g.exit {
		in[g.blocks[c.node]] = true
	}
	for _, d := range c.body {
		g.members(d, in)
	}
}

// numberLoopValues numbers the values defined in a block of a loop that are used in
// another block. (Those that are used only inside the loop need no number, but do
// no harm.)
func (a *analysis) numberLoopValues(b *ir.Block, loop map[*ir.Block]bool) {
	visit := func(v *ir.Value) {
		for u := v.FirstUse(); u != nil; u = u.Next() {
			if b.AncestorIn(u.Owner()) == nil {
				a.Local[v] = len(a.Local)
				return
			}
		}
	}
	for _, v := range b.Args() {
		visit(v)
	}
	for op := range b.Ops() {
		for i := range op.NumResults() {
			visit(op.Result(i))
		}
	}
}

// regionGraph is the flow of an operation's regions: node 0 is the operation
// itself, node i+1 region i.
type regionGraph struct {
	*flow
	// inputs are, for each region, the arguments that its predecessors give values.
	inputs [][]*ir.Value
	// head tells that node 0 is the head of a loop: control enters headRegion or
	// leaves the operation, with the same values, at first and after each iteration.
	head       bool
	headRegion *ir.Region
	// results is the number of results that the head passes on.
	results int
	// entered are the nodes that node 0 chooses from, of an operation of which nothing
	// is known.
	entered []int
}

// anyOrder returns the flow of regions that are executed any number of times, in any
// order.
func (a *analysis) anyOrder(op *ir.Op) *regionGraph {
	if g := a.f.graphs[op]; g != nil {
		return g
	}
	n := op.NumRegions()
	g := &regionGraph{}
	succs := make([][]int, n+1)
	for i, r := range op.Regions() {
		if !r.Empty() {
			g.entered = append(g.entered, i+1)
			succs[i+1] = []int{0}
		}
	}
	succs[0] = g.entered
	g.flow = a.f.flow(n+1, succs)
	a.f.graphs[op] = g
	return g
}

// regions returns the flow of an operation's regions.
func (a *analysis) regions(op *ir.Op, m interfaces.RegionBranchModel) *regionGraph {
	if g := a.f.graphs[op]; g != nil {
		return g
	}
	n := op.NumRegions()
	g := &regionGraph{inputs: make([][]*ir.Value, n)}
	succs := make([][]int, n+1)
	from := func(node int, p interfaces.RegionPoint) {
		for _, s := range m.Successors(op, p) {
			if s.Region == nil || s.Region.Empty() {
				continue
			}
			g.inputs[s.Region.Index()] = s.Inputs
			succs[node] = append(succs[node], s.Region.Index()+1)
		}
	}
	from(0, interfaces.ParentPoint)
	for i, r := range op.Regions() {
		if !r.Empty() {
			from(i+1, interfaces.RegionPoint{Region: r})
		}
	}
	if kernel.IsLoop(op, m) {
		g.head, g.headRegion, g.results = true, op.RegionAt(0), len(kernel.SuccessorTo(m.Successors(op, interfaces.ParentPoint), nil).Inputs)
		succs[1] = []int{0}
	}
	g.flow = a.f.flow(n+1, succs)
	a.f.graphs[op] = g
	return g
}

// loopHead adds the edges from the head of an operation that is a loop: into its
// region, and out. trips is how often it was there before. The induction variable, unless
// it is nil, is i in the iteration that the first edge leads to.
func (a *analysis) loopHead(edges []kernel.Edge, fr *kernel.Frame, op *ir.Op, g *regionGraph, in kernel.Edge, trips *int, counts bool) (next []kernel.Edge, induction *ir.Value, i kernel.Value) {
	into, out := in, in
	into.To, out.To = g.headRegion.Index()+1, g.exit
	if g.results < op.NumResults() {
		out.Values = a.results(fr, op)
	}
	b, counted := a.bounds(fr, op)
	stepwise := a.unroll || fr.Unroll
	switch {
	case counted && stepwise && (fr.Unroll || b.trips <= int64(a.opts.Unroll)):
		n := int64(*trips)
		*trips++
		if n >= b.trips {
			return append(edges, out), nil, i
		}
		return append(edges, into), b.variable, kernel.Constant(b.lower + n*b.step)
	case counted && b.trips == 0:
		return append(edges, out), nil, i
	case counts:
		if lower, runs, ok := models.Counts(a.Machine, fr, op); ok {
			again := in.Values[len(in.Values)-1].Truth
			// Where it runs, it isn't left before the first iteration.
			into.Cond, out.Cond = a.f.And(in.Cond, runs), a.f.And(in.Cond, a.f.Iff(again, runs))
			induction, i = scf.ForOp{Op: op}.InductionVar(), a.Counter(lower, again)
		}
	case a.unroll:
		again := a.f.Variable()
		a.knowIteration(fr, op, again, int64(*trips))
		induction, i = a.inIteration(fr, op, int64(*trips))
		if *trips++; counted && *trips == 1 {
			again = kernel.Yes
		}
		into.Cond, out.Cond = a.f.And(in.Cond, again), a.f.And(in.Cond, again.Not())
		a.event(fr, event{kind: branched, op: op, region: g.headRegion}, again)
		a.event(fr, event{kind: branched, op: op, choice: 1}, again.Not())
	}
	// Otherwise, nothing being known about which iteration this is, control may go
	// both ways; the two never meet.
	return append(edges, into, out), induction, i
}
