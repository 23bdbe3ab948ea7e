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
	s := &scheduler{Options: o, tables: ir.NewSymbolTables(), functions: map[*ir.Op]int64{}}
	for _, group := range analysis.NewCallGraph(root).BottomUp() {
		for _, fn := range group {
			need, err := s.regions(fn)
			if err != nil {
				return nil, err
			}
			s.functions[fn] = need
		}
	}
	return s.results, nil
}

// scheduler works on a program.
type scheduler struct {
	Options
	tables *ir.SymbolTables
	// functions tells what functions need.
	functions map[*ir.Op]int64
	results   []Result
}

// regions orders what is in the regions of an operation, and returns what they need at most.
func (s *scheduler) regions(op *ir.Op) (most int64, err error) {
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			if op.Has(ir.TraitGraphRegion) || !op.Registered() {
				continue
			}
			need, err := s.inBlock(b)
			if err != nil {
				return 0, err
			}
			most = max(most, need)
		}
	}
	return most, nil
}

// inBlock orders a block, and returns what it needs.
func (s *scheduler) inBlock(b *ir.Block) (int64, error) {
	inner := map[*ir.Op]int64{}
	tensors := false
	for op := range b.Ops() {
		for _, r := range op.Results().Values() {
			tensors = tensors || interfaces.IsTensorLike(r.Type())
		}
		if interfaces.Function.Has(op) {
			continue
		}
		need, err := s.regions(op)
		if err != nil {
			return 0, err
		}
		if inner[op] = max(need-sizeOfResults(op), s.called(op)); inner[op] > 0 {
			tensors = true
		}
	}
	if !tensors {
		return 0, nil
	}
	g, ops := graphOf(b, func(op *ir.Op) int64 { return inner[op] })
	found, err := order.Solve(g, order.Options{TimeLimit: s.TimeLimit, StepLimit: s.StepLimit})
	if err != nil {
		return 0, b.ParentOp().Errorf("operations can't be ordered: %v", err)
	}
	if found.Before > 0 {
		s.results = append(s.results, Result{Block: b, Before: found.Before, After: found.Peak, Bound: found.Bound, Moved: apply(b, ops, found.Order[:len(ops)])})
	}
	return found.Peak, nil
}

// sizeOfResults returns the size of the results of an operation with regions, which are counted where they are made in these as well.
func sizeOfResults(op *ir.Op) (sum int64) {
	if op.NumRegions() == 0 {
		return 0
	}
	for _, r := range op.Results().Values() {
		if interfaces.IsTensorLike(r.Type()) {
			sum += sizeOf(r.Type())
		}
	}
	return sum
}

// called returns what a function needs that an operation calls, but for results.
func (s *scheduler) called(op *ir.Op) int64 {
	m, ok := interfaces.Call.Of(op)
	if !ok {
		return 0
	}
	ref, _ := m.Callee(op)
	if ref == nil {
		return 0
	}
	need := s.functions[s.tables.Lookup(op, ref)]
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
