package boundary

import (
	"slices"

	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// hoist makes the allocations that returns have as operand i the argument, as far as that keeps what the
// function does. It returns the arguments that are the buffer's dynamic sizes, if the argument took the place of all
// that is returned.
func hoist(arg *ir.Value, returns []*ir.Op, i int, o OutParamOptions) []int {
	t := arg.Type().(*ir.MemRefType)
	dynamic := ir.NumDynamic(t.Shape) > 0
	if !t.HasIdentityLayout() || dynamic && !o.HoistDynamicAllocs || !dynamic && !o.HoistStaticAllocs {
		return nil
	}
	var sizes []int
	var allocs []*ir.Op
	for k, ret := range returns {
		op := ret.Operand(i).DefinedBy(memref.Alloc)
		if op == nil {
			if dynamic {
				return nil
			}
			continue
		}
		if dynamic {
			numbers := sizeArguments(op)
			if numbers == nil || k > 0 && !slices.Equal(numbers, sizes) {
				return nil
			}
			sizes = numbers
		}
		if !slices.Contains(allocs, op) {
			allocs = append(allocs, op)
		}
	}
	if !separate(allocs, returns, i) {
		return nil
	}
	for _, op := range allocs {
		op.Result(0).ReplaceAllUsesWith(arg)
		op.Erase()
	}
	return sizes
}

// sizeArguments returns the numbers of the function's arguments that are an allocation's sizes; nil if others
// are among them.
func sizeArguments(op *ir.Op) (numbers []int) {
	alloc, _ := memref.AsAlloc(op)
	entry := op.Region().Entry()
	for _, v := range alloc.DynamicSizes().Values() {
		if v.ArgOwner() != entry {
			return nil
		}
		numbers = append(numbers, v.Index())
	}
	return numbers
}

// separate tells whether one buffer can be all of the allocations: an execution of the function gets at most one
// of them, once, doesn't free it, and returns it as operand i. (Otherwise the argument is overwritten by what is returned
// instead, while another operand may still have to be copied from it.)
func separate(allocs, returns []*ir.Op, i int) bool {
	if len(allocs) == 0 {
		return true
	}
	cycles := analysis.NewCycles(allocs[0].Region())
	for _, a := range allocs {
		if cycles.InCycle(a.Block()) || freed(a.Result(0)) {
			return false
		}
		if len(allocs) == 1 && len(returns) == 1 {
			break
		}
		after := map[*ir.Block]bool{a.Block(): true}
		work := []*ir.Block{a.Block()}
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			for _, s := range b.Succs() {
				if !after[s] {
					after[s] = true
					work = append(work, s)
				}
			}
		}
		for _, other := range allocs {
			if other != a && after[other.Block()] {
				return false
			}
		}
		for _, ret := range returns {
			if after[ret.Block()] && ret.Operand(i) != a.Result(0) {
				return false
			}
		}
	}
	return true
}

// freed tells whether something may free the buffer, under this name, that of a view or that of a
// block's argument.
func freed(v *ir.Value) bool {
	seen := map[*ir.Value]bool{v: true}
	work := []*ir.Value{v}
	add := func(v *ir.Value) {
		if ir.IsMemRef(v.Type()) && !seen[v] {
			seen[v] = true
			work = append(work, v)
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for u := v.FirstUse(); u != nil; u = u.Next() {
			op := u.Owner()
			if interfaces.HasEffect(op, interfaces.Free, v) {
				return true
			}
			if interfaces.ConditionalFree.Has(op) {
				return true
			}
			for i := range op.Results() {
				if r := op.Result(i); !interfaces.HasEffect(op, interfaces.Allocate, r) {
					add(r)
				}
			}
			for i := range op.NumSuccessors() {
				for _, a := range op.Successor(i).Args() {
					add(a)
				}
			}
		}
	}
	return false
}
