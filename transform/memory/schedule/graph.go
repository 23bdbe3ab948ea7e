package schedule

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/memory/footprint"
	"freehold/memory/order"
)

// grapher puts a block as a graph.
type grapher struct {
	block  *ir.Block
	ops    []*ir.Op
	number map[*ir.Op]int
	of     map[*ir.Value][]int
	all    []storage
	steps  []order.Step
	// pairs are those of storages that operations may work in place with, by operation.
	pairs [][][2]int
	// effect is the last operation so far with an effect, or -1.
	effect int
	// copied is the size of the copies that are made at the end of the block.
	copied int64
	// inner tells what an operation needs beside its results while it is executed.
	inner func(op *ir.Op) int64
}

// Graph is what is to be done in a block, but for its terminator. A last step stands for the copies that the terminator needs, if it needs some.
type Graph struct {
	*order.Graph
	Block *ir.Block
	// Ops are the operations that are the steps.
	Ops []*ir.Op
	// Tensors are what buffers are made for.
	Tensors []*ir.Value
	// yielded is the size of what the block makes for its terminator.
	yielded int64
	inner   func(op *ir.Op) int64
}

// Again returns the graph of the block after operations without regions on tensors were added or erased. Near-linear.
func (g *Graph) Again() *Graph { return graphOf(g.Block, g.inner) }

// graphOf returns what is to be done in a block; inner tells what an operation needs beside its results while it is executed.
func graphOf(block *ir.Block, inner func(op *ir.Op) int64) *Graph {
	g := &grapher{block: block, number: map[*ir.Op]int{}, of: map[*ir.Value][]int{}, effect: -1, inner: inner}
	last := block.Terminator()
	for op := range block.Ops() {
		if op != last {
			g.number[op] = len(g.ops)
			g.ops = append(g.ops, op)
		}
	}
	g.steps, g.pairs = make([]order.Step, len(g.ops)), make([][][2]int, len(g.ops))
	for i, op := range g.ops {
		g.step(i, op)
	}
	if last != nil {
		g.end(last)
	}
	return g.graph()
}

// step adds an operation.
func (g *grapher) step(i int, op *ir.Op) {
	ordered := !interfaces.IsMemoryEffectFree(op) || touchesBuffers(op)
	seen := map[int]bool{}
	op.Walk(func(o *ir.Op) bool {
		for _, v := range o.Operands().Values() {
			if d := v.DefiningOp(); d != nil {
				if n, here := g.number[d]; here && n != i {
					g.after(i, n)
				}
			}
			if !interfaces.IsTensorLike(v.Type()) || v.DefiningOp() != nil && op.IsAncestorOf(v.DefiningOp()) || o != op && v.IsBlockArg() && op.IsAncestorOf(interfaces.OwnerOf(v)) {
				continue
			}
			for _, s := range g.storages(v) {
				ordered = ordered || g.all[s].bound
				if !seen[s] && !g.isPlaceOf(s) {
					seen[s] = true
					g.all[s].users = append(g.all[s].users, i)
				}
			}
		}
		return true
	})
	if ordered {
		if g.effect >= 0 {
			g.after(i, g.effect)
		}
		g.effect = i
	}
	g.steps[i].Extra = g.inner(op)
	for _, r := range op.Results().Values() {
		if interfaces.IsTensorLike(r.Type()) {
			g.of[r] = g.result(i, op, r, ordered)
		}
	}
}

// isPlaceOf tells whether a storage is that of a tensor without contents that is only written to.
func (g *grapher) isPlaceOf(s int) bool { return g.all[s].maker == isNowhere }

// isNowhere is the maker of what is no buffer of its own.
const isNowhere = -2

// after notes that one operation must come after another one.
func (g *grapher) after(i, n int) { g.steps[i].After = append(g.steps[i].After, n) }

// result returns what a result is in.
func (g *grapher) result(i int, op *ir.Op, r *ir.Value, ordered bool) []int {
	if op.Has(ir.TraitConstantLike) {
		return []int{g.add(storage{maker: -1})}
	}
	if isView(op) {
		var list []int
		for _, v := range op.Operands().Values() {
			if interfaces.IsTensorLike(v.Type()) {
				list = append(list, g.storages(v)...)
			}
		}
		if len(list) > 0 {
			slices.Sort(list)
			return slices.Compact(list)
		}
	}
	if v := turned(op); v != nil && len(g.ops) <= mostTurned {
		return g.storages(v)
	}
	if footprint.IsPlace(r) {
		return []int{g.add(storage{maker: isNowhere})}
	}
	if touchesBuffers(op) {
		return []int{g.add(storage{maker: -1, bound: true})}
	}
	init := interfaces.TiedInit(r)
	if init != nil {
		if list := g.inArgument(i, init); list != nil {
			return list
		}
	}
	n := g.add(storage{of: r, size: sizeOf(r.Type()), maker: i, bound: ordered && init != nil && slices.ContainsFunc(g.storages(init.Value()), func(s int) bool { return g.all[s].bound })})
	g.inPlace(i, op, r, n)
	return []int{n}
}

// inArgument returns the storage of a destination that is an argument of the block, and that nothing uses later: what is computed is
// written there, after all other uses, as the program has it. Nil if it isn't so.
func (g *grapher) inArgument(i int, init *ir.Use) []int {
	list := g.storages(init.Value())
	if len(list) != 1 || !g.all[list[0]].own || g.usedAfter(init.Value(), i, map[*ir.Value]bool{}) {
		return nil
	}
	s := &g.all[list[0]]
	for _, u := range s.users[s.settled:] {
		if u != i {
			g.after(i, u)
		}
	}
	if n := len(s.users); n > 0 && s.users[n-1] == i {
		s.settled = n - 1 // what comes after i comes after these
	}
	return list
}

// usedAfter tells whether a tensor, one that is a view of it, or one that it is a view of, is used by a later operation of the block.
func (g *grapher) usedAfter(v *ir.Value, i int, seen map[*ir.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	for u := v.FirstUse(); u != nil; u = u.Next() {
		op := g.block.AncestorIn(u.Owner())
		if op == nil {
			return true
		}
		if n, here := g.number[op]; !here || n > i {
			return true
		}
		if isView(op) && slices.ContainsFunc(op.Results().Values(), func(r *ir.Value) bool { return g.usedAfter(r, i, seen) }) {
			return true
		}
	}
	if op := v.DefiningOp(); op != nil && isView(op) {
		return slices.ContainsFunc(op.Operands().Values(), func(x *ir.Value) bool { return interfaces.IsTensorLike(x.Type()) && g.usedAfter(x, i, seen) })
	}
	return false
}

// inPlace notes where a new storage may lie if that dies: the destination first.
func (g *grapher) inPlace(i int, op *ir.Op, r *ir.Value, n int) {
	add := func(v *ir.Value) {
		for _, s := range g.storages(v) {
			if g.all[s].maker >= 0 && g.all[s].maker != i && g.all[s].size > 0 && g.all[s].size <= g.all[n].size {
				g.pairs[i] = append(g.pairs[i], [2]int{n, s})
			}
		}
	}
	init := interfaces.TiedInit(r)
	if init != nil {
		add(init.Value())
	}
	if l, ok := interfaces.LoopLike.Of(op); ok {
		if start, n := l.Inits(op); len(l.Results(op)) == n && r.Index() < n {
			add(op.Operand(start + r.Index()))
		}
	}
	switch {
	case interfaces.SubsetInsertion.Has(op), len(interfaces.IndexingMaps(op)) == 0 && op.NumRegions() <= 1 && movesOperands(op):
		for _, v := range op.Operands().Values() {
			if interfaces.IsTensorLike(v.Type()) && (init == nil || v != init.Value()) {
				add(v)
			}
		}
	case init != nil:
		for _, v := range elementwise(op, init) {
			add(v)
		}
	}
}

// movesOperands tells whether an operation makes a new tensor that has the elements of its operands, as padding and concatenation do.
func movesOperands(op *ir.Op) bool {
	m, ok := interfaces.Bufferizable.Of(op)
	return ok && op.NumResults() == 1 && !interfaces.DestinationStyle.Has(op) && !interfaces.RegionBranch.Has(op) && !interfaces.Call.Has(op) && m.Allocates(op.Result(0))
}

// elementwise returns the operands that a structured operation reads element by element as it writes the only destination, of the same type.
func elementwise(op *ir.Op, init *ir.Use) (out []*ir.Value) {
	maps := interfaces.IndexingMaps(op)
	if len(maps) != op.NumOperands() || len(interfaces.DpsInits(op)) != 1 || !maps[init.Index()].IsPermutation() {
		return nil
	}
	entry := op.RegionAt(0).Entry()
	if entry == nil || init.Index() >= entry.NumArgs() || entry.Arg(init.Index()).HasUses() {
		return nil
	}
	for i := range op.NumOperands() {
		v := op.Operand(i)
		if i == init.Index() || v.Type() != init.Value().Type() || slices.Contains(out, v) {
			continue
		}
		same := true
		for j := range op.NumOperands() {
			same = same && (op.Operand(j) != v || maps[j] == maps[init.Index()])
		}
		if same {
			out = append(out, v)
		}
	}
	return out
}

// end notes what is needed at the end of the block: what the terminator has, and what other blocks use.
func (g *grapher) end(last *ir.Op) {
	keep := func(v *ir.Value) {
		for _, s := range g.storages(v) {
			g.all[s].kept = true
		}
	}
	for _, v := range last.Operands().Values() {
		if interfaces.IsTensorLike(v.Type()) {
			keep(v)
			g.copies(v)
		}
	}
	for _, op := range g.ops {
		for _, r := range op.Results().Values() {
			for u := r.FirstUse(); u != nil; u = u.Next() {
				if o := g.block.AncestorIn(u.Owner()); (o == nil || o == last) && interfaces.IsTensorLike(r.Type()) {
					keep(r)
				}
			}
		}
	}
}

// copies counts the copy that a public function returns of an argument that it has written to.
func (g *grapher) copies(v *ir.Value) {
	fn := g.block.ParentOp()
	if !interfaces.Function.Has(fn) || ir.IsPrivate(fn) {
		return
	}
	for _, s := range g.storages(v) {
		if g.all[s].own {
			g.copied += sizeOf(v.Type())
			return
		}
	}
}

// graph returns the graph.
func (g *grapher) graph() *Graph {
	out := &Graph{Graph: &order.Graph{Steps: g.steps}, Block: g.block, Ops: g.ops, inner: g.inner}
	number := make([]int, len(g.all))
	for s, x := range g.all {
		if x.maker < 0 || x.size == 0 {
			number[s] = -1
			continue
		}
		number[s] = len(out.Buffers)
		out.Buffers = append(out.Buffers, order.Buffer{Size: x.size, Maker: x.maker, Users: x.users, Kept: x.kept})
		out.Tensors = append(out.Tensors, x.of)
		if x.kept {
			out.yielded += x.size
		}
	}
	if g.copied > 0 {
		end := order.Step{Extra: g.copied}
		for i := range g.ops {
			end.After = append(end.After, i)
		}
		out.Steps = append(out.Steps, end)
	}
	for i, list := range g.pairs {
		for _, p := range list {
			out.Steps[i].InPlace = append(out.Steps[i].InPlace, [2]int{number[p[0]], number[p[1]]})
		}
	}
	return out
}

// Alive is a tensor that is alive at some time, and what it takes.
type Alive struct {
	Tensor *ir.Value
	Bytes  int64
}

// PeakAsWritten returns what is alive at most if the operations are executed as they stand, and the first step at which it is, or -1.
func (g *Graph) PeakAsWritten() (peak int64, at int) {
	inOrder := make([]int, len(g.Steps))
	for i := range inOrder {
		inOrder[i] = i
	}
	at = -1
	profile, _ := g.Profile(inOrder) // the order that there is, is one
	for i, p := range profile {
		if p > peak {
			peak, at = p, i
		}
	}
	return peak, at
}

// Alive returns the tensors that are alive at a step as the operations stand, in the order in which they are made, but for those in the place of which the
// step makes others.
func (g *Graph) Alive(step int) (out []Alive) {
	replaced := map[int]bool{}
	for _, p := range g.Steps[step].InPlace {
		replaced[p[1]] = true
	}
	for k, b := range g.Buffers {
		last := b.Maker
		for _, u := range b.Users {
			last = max(last, u)
		}
		if b.Maker <= step && (step < last || step == last && !replaced[k] || b.Kept) {
			out = append(out, Alive{g.Tensors[k], b.Size})
		}
	}
	return out
}
