package reuse

import (
	"freehold/internal/parallel"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// inFunctions calls work for each function with a body in root, on several goroutines, and
// returns the sum of what it counts. If root is no symbol table, nothing is known about
// callees.
func inFunctions(root *ir.Op, threads int, work func(fn *ir.Op, calls *analysis.CallSummaries) counts) (sum counts) {
	var functions []*ir.Op
	calls := false
	root.Walk(func(op *ir.Op) bool {
		_, call := interfaces.Call.Of(op)
		calls = calls || call
		if interfaces.Function.Has(op) && op.NumRegions() > 0 && !op.RegionAt(0).Empty() {
			functions = append(functions, op)
		}
		return true
	})
	var summaries *analysis.CallSummaries
	if calls && root.Has(ir.TraitSymbolTable) {
		summaries = analysis.NewCallSummaries(root)
	}
	each := make([]counts, len(functions))
	parallel.For(len(functions), threads, func() func(int) {
		return func(i int) { each[i] = work(functions[i], summaries) }
	})
	for _, c := range each {
		for i, n := range c {
			sum[i] += n
		}
	}
	return sum
}

// counts are the numbers of what a pass did, in the order of its statistics.
type counts [3]int

// blocksIn lists the blocks of a function, without those of functions in it.
func blocksIn(fn *ir.Op) (blocks []*ir.Block) {
	var regions func(op *ir.Op)
	regions = func(op *ir.Op) {
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				blocks = append(blocks, b)
				for x := range b.Ops() {
					if x.NumRegions() == 0 {
						continue
					}
					if !interfaces.Function.Has(x) {
						regions(x)
					}
				}
			}
		}
	}
	regions(fn)
	return blocks
}

// accesses tells whether an operation uses memory through an operand, and not only makes a
// view of it.
func accesses(op *ir.Op, operand int) bool {
	effects, known := interfaces.EffectsOf(op)
	if known && len(effects) == 0 {
		_, call := interfaces.Call.Of(op)
		return call || ir.IsTensor(op.Operand(operand).Type())
	}
	return true
}

// changes tells whether an operation may write or free the memory of an operand.
func changes(op *ir.Op, operand int) bool {
	effects, known := interfaces.EffectsOf(op)
	if interfaces.Call.Has(op) || !known {
		return true
	}
	for _, e := range effects {
		if (e.Kind == interfaces.Write || e.Kind == interfaces.Free) && e.IsOn(operand) {
			return true
		}
	}
	return false
}

// reads tells whether an operation does nothing with the memory of an operand but read it,
// and gives nobody else access.
func reads(op *ir.Op, operand int) bool {
	effects, known := interfaces.EffectsOf(op)
	if interfaces.Call.Has(op) || !known || op.Has(ir.TraitTerminator) {
		return false
	}
	read := false
	for _, e := range effects {
		switch {
		case !e.IsOn(operand):
		case e.Kind != interfaces.Read:
			return false
		default:
			read = true
		}
	}
	return read && !hasMemRefResults(op)
}

func hasMemRefResults(op *ir.Op) bool {
	for i := range op.NumResults() {
		if ir.IsMemRef(op.Result(i).Type()) {
			return true
		}
	}
	return false
}

// usesOf lists the uses of a buffer by all its names, so that they can be changed.
func usesOf(b *analysis.Buffers, terminal *ir.Value) (uses []*ir.Use) {
	b.Uses(terminal, func(u *ir.Use) { uses = append(uses, u) })
	return uses
}

// allocation returns the operation that allocates v and does nothing else with memory; nil
// if there is none.
func allocation(v *ir.Value) *ir.Op {
	op := v.DefiningOp()
	if op == nil || op.NumResults() != 1 || op.NumRegions() > 0 {
		return nil
	}
	effects, known := interfaces.EffectsOf(op)
	if !known || len(effects) != 1 || effects[0].Kind != interfaces.Allocate || effects[0].Value(op) != v || effects[0].On() != interfaces.DefaultResource {
		return nil
	}
	return op
}
