package placement

import (
	"freehold/dialect/bufferization"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// allocation is an operation that allocates one buffer.
type allocation struct {
	buffer *ir.Value
	model  interfaces.AllocationModel
	frees  int // operations that free it by this name
}

func (a allocation) op() *ir.Op { return a.buffer.DefiningOp() }

// allocationsIn lists the operations that say how they allocate: those on the heap, and then those on the stack.
func allocationsIn(fn *ir.Op) []allocation {
	var heap, stack []allocation
	fn.Walk(func(op *ir.Op) bool {
		m, ok := interfaces.Allocation.Of(op)
		if !ok {
			return true
		}
		effects, _ := interfaces.EffectsOf(op)
		var buffer *ir.Value
		n, automatic := 0, false
		for _, e := range effects {
			if e.Kind == interfaces.Allocate && e.IsOnResult() {
				buffer, automatic = e.Value(op), e.On() == interfaces.AutomaticAllocationScopeResource
				n++
			}
		}
		switch {
		case n != 1 || op.Attr(bufferization.ManualDeallocationAttr) != nil: // those that nobody frees stay apart
		case automatic:
			stack = append(stack, allocation{buffer: buffer, model: m})
		default:
			heap = append(heap, allocation{buffer, m, frees(buffer)})
		}
		return true
	})
	return append(heap, stack...)
}

// frees counts the uses of a buffer by operations that free it.
func frees(buffer *ir.Value) (n int) {
	for u := buffer.FirstUse(); u != nil; u = u.Next() {
		if interfaces.HasEffect(u.Owner(), interfaces.Free, buffer) {
			n++
		}
	}
	return n
}

// freedByOtherNames returns which buffers may be freed by other names than the result of their allocation, under
// a condition, or by a function that is called. If calls is nil, nothing is known of these.
func freedByOtherNames(b *analysis.Buffers, calls *analysis.CallSummaries) *analysis.Summaries[bool] {
	return analysis.Summarize(b, nil, func(v *ir.Value) bool {
		op := v.DefiningOp()
		own := op != nil && interfaces.HasEffect(op, interfaces.Allocate, v)
		for u := v.FirstUse(); u != nil; u = u.Next() {
			if interfaces.Call.Has(u.Owner()) {
				if calls == nil || calls.MayFree(u.Owner(), u.Index()) {
					return true
				}
			} else if m, ok := interfaces.ConditionalFree.Of(u.Owner()); ok {
				if start, n := m(u.Owner()); u.Index() >= start && u.Index() < start+n {
					return true
				}
			} else if !own && interfaces.HasEffect(u.Owner(), interfaces.Free, v) {
				return true
			}
		}
		return false
	}, func(x, y bool) bool { return x || y })
}

// usedLater returns which buffers are given to functions that keep a way to them, or to work that goes on when control has left its operation.
func usedLater(b *analysis.Buffers, calls *analysis.CallSummaries) *analysis.Summaries[bool] {
	return analysis.Summarize(b, nil, func(v *ir.Value) bool {
		for u := v.FirstUse(); u != nil; u = u.Next() {
			op := u.Owner()
			if m, ok := interfaces.Call.Of(op); ok {
				if start, _ := m.Args(op); calls == nil || calls.Keeps(op, u.Index()-start) {
					return true
				}
			} else if m, ok := interfaces.LocalMemory.Of(op); interfaces.Asynchronous.Has(op) || ok && m == interfaces.UntilWait && !isAwaited(op) {
				return true
			}
		}
		return false
	}, func(x, y bool) bool { return x || y })
}

// isAwaited tells whether a later operation of the block waits for a transfer: one that is given the same buffer, which is the tag.
func isAwaited(transfer *ir.Op) bool {
	for _, v := range transfer.Operands().Values() {
		if !ir.IsMemRef(v.Type()) {
			continue
		}
		for u := v.FirstUse(); u != nil; u = u.Next() {
			if m, ok := interfaces.LocalMemory.Of(u.Owner()); ok && m == interfaces.AtWait && u.Owner().Block() == transfer.Block() && transfer.IsBefore(u.Owner()) {
				return true
			}
		}
	}
	return false
}

// stays tells whether a buffer leaves what can be seen, so that it must outlive its scope. later is what [usedLater] returns.
func stays(b *analysis.Buffers, v *ir.Value, later *analysis.Summaries[bool]) bool {
	ways := b.Escapes(v)
	return ways.Has(analysis.Stored|analysis.AddressKept) || ways.Has(analysis.Passed) && later.Of(v)
}

// commonDominators returns, for each buffer, the closest block that dominates all uses of all its names; nil if there is
// none.
func commonDominators(b *analysis.Buffers, dom *ir.Dominance, follow func(*ir.Value) bool) *analysis.Summaries[*ir.Block] {
	join := func(x, y *ir.Block) *ir.Block {
		switch {
		case x == nil || y == nil:
			return nil
		case dom.BlockDominates(x, y):
			return x
		case dom.BlockDominates(y, x):
			return y
		}
		return dom.NearestCommonDominator(x, y)
	}
	return analysis.Summarize(b, follow, func(v *ir.Value) *ir.Block {
		block := v.ParentBlock()
		for u := v.FirstUse(); u != nil; u = u.Next() {
			block = join(block, u.Owner().Block())
		}
		return block
	}, join)
}

// passesControl tells whether an operation is known to pass control to its regions, and whether it may execute one
// of them several times.
func passesControl(op *ir.Op) (known, loop bool) {
	if interfaces.LoopLike.Has(op) {
		return true, true
	}
	m, ok := interfaces.RegionBranch.Of(op)
	if !ok {
		return false, false
	}
	for _, r := range op.Regions() {
		seen := map[*ir.Region]bool{}
		work := []*ir.Region{r}
		for len(work) > 0 {
			from := work[len(work)-1]
			work = work[:len(work)-1]
			for _, s := range m.Successors(op, interfaces.RegionPoint{Region: from}) {
				if s.Region == r {
					return true, true
				}
				if s.Region != nil && !seen[s.Region] {
					seen[s.Region] = true
					work = append(work, s.Region)
				}
			}
		}
	}
	return true, false
}
