package schedule

import (
	"time"

	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
	"freehold/memory/order"
)

// Options limit the search.
type Options struct {
	// TimeLimit is how long the search for an order of one block may take; 0 is no limit.
	TimeLimit time.Duration
	// StepLimit is after how many operations that were tried it ends, about; 0 is never.
	StepLimit int64
	// Memo, if it isn't nil, has orders that were found in another copy of the program, which are taken, and gets those that are found.
	Memo *Memo
}

// Memo keeps the orders that were found for the blocks of a program, for other copies of it. The zero value has none.
type Memo struct{ found []*order.Solution }

// solve returns the order of the block that is visited after so many others.
func (m *Memo) solve(at int, g *Graph, o order.Options) (*order.Solution, error) {
	if m != nil && at < len(m.found) {
		// What is found at the same place of another copy must be an order of this graph, and as good for it.
		if peak, err := g.Peak(m.found[at].Order); err == nil && peak == m.found[at].Peak {
			return m.found[at], nil
		}
	}
	found, err := order.Solve(g.Graph, o)
	if m != nil && err == nil && at == len(m.found) {
		m.found = append(m.found, found)
	}
	return found, err
}

// Result is what became of a block.
type Result struct {
	Block *ir.Block
	// Before and After are the peaks by the order that the block had and by the one that it has, Bound what no order is below.
	Before, After, Bound int64
	// Moved counts the operations that now follow another one than before.
	Moved int
}

// Run orders the operations of each block in root, the innermost first and callees before callers, and returns what became of the blocks that
// need memory. An order is changed only where that lowers the peak. It takes the time of [order.Solve] for each block.
func Run(root *ir.Op, o Options) ([]Result, error) {
	var results []Result
	visited := 0
	err := Visit(root, func(g *Graph) (int64, error) {
		found, err := o.Memo.solve(visited, g, order.Options{TimeLimit: o.TimeLimit, StepLimit: o.StepLimit})
		if err != nil {
			return 0, g.Block.ParentOp().Errorf("operations can't be ordered: %v", err)
		}
		if visited++; found.Before > 0 {
			results = append(results, Result{Block: g.Block, Before: found.Before, After: found.Peak, Bound: found.Bound, Moved: apply(g.Block, g.Ops, found.Order[:len(g.Ops)])})
		}
		return found.Peak, nil
	})
	return results, err
}

// Visit calls visit with each block in root that has tensors, the innermost first and those of callees before those of callers. It returns what the
// block needs then, which counts for the operation that it is in. Visit fails as visit does.
func Visit(root *ir.Op, visit func(g *Graph) (need int64, err error)) error {
	v := &visitor{visit: visit, tables: ir.NewSymbolTables(), functions: map[*ir.Op]int64{}, dominance: ir.NewDominance()}
	for _, group := range analysis.NewCallGraph(root).BottomUp() {
		for _, fn := range group {
			need, _, err := v.regions(fn)
			if err != nil {
				return err
			}
			v.functions[fn] = need
		}
	}
	return nil
}

// visitor goes through a program.
type visitor struct {
	visit  func(g *Graph) (need int64, err error)
	tables *ir.SymbolTables
	// functions tells what functions need.
	functions map[*ir.Op]int64
	// dominance tells which blocks are reached: in others, values may be used before they are defined, or by themselves.
	dominance *ir.Dominance
}

// regions visits what is in the regions of an operation, and returns what they need at most, and what that is beyond what they make for the results.
func (v *visitor) regions(op *ir.Op) (most, beyond int64, err error) {
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			if op.Has(ir.TraitGraphRegion) || !op.Registered() || !v.dominance.IsReachable(b) {
				continue
			}
			need, made, err := v.inBlock(b)
			if err != nil {
				return 0, 0, err
			}
			most, beyond = max(most, need), max(beyond, need-made)
		}
	}
	return most, beyond, nil
}

// inBlock visits a block, and returns what it needs, and the size of what it makes for whom it belongs to.
func (v *visitor) inBlock(b *ir.Block) (need, made int64, err error) {
	inner := map[*ir.Op]int64{}
	tensors := false
	for op := range b.Ops() {
		for _, r := range op.Results().Values() {
			tensors = tensors || interfaces.IsTensorLike(r.Type())
		}
		if interfaces.Function.Has(op) {
			continue
		}
		_, beyond, err := v.regions(op)
		if err != nil {
			return 0, 0, err
		}
		if inner[op] = max(beyond, v.called(op)); inner[op] > 0 {
			tensors = true
		}
	}
	if !tensors {
		return 0, 0, nil
	}
	g := graphOf(b, func(op *ir.Op) int64 { return inner[op] })
	need, err = v.visit(g)
	return need, g.yielded, err
}

// called returns what a function needs that an operation calls, but for results.
func (v *visitor) called(op *ir.Op) int64 {
	m, ok := interfaces.Call.Of(op)
	if !ok {
		return 0
	}
	ref, _ := m.Callee(op)
	if ref == nil {
		return 0
	}
	need := v.functions[v.tables.Lookup(op, ref)]
	for _, r := range op.Results().Values() {
		if interfaces.IsTensorLike(r.Type()) {
			need -= sizeOf(r.Type())
		}
	}
	return max(need, 0)
}

// apply puts the operations of a block into an order, and returns how many follow another one than before.
func apply(b *ir.Block, ops []*ir.Op, order []int) (moved int) {
	for i, k := range order {
		if i == 0 && k != 0 || i > 0 && k != order[i-1]+1 {
			moved++
		}
	}
	if moved == 0 {
		return 0
	}
	last := b.Terminator()
	for _, k := range order {
		if last != nil {
			ops[k].MoveBefore(last)
		} else {
			ops[k].Remove()
			b.Append(ops[k])
		}
	}
	return moved
}
