package reuse

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// refuseUnbounded returns an error about what the function needs of which it isn't known how much it is, or in which memory: nothing can be said to fit then.
func (f *functionPlanner) refuseUnbounded() error {
	if f.recursive && len(f.alive.Buffers) > 0 {
		return f.fn.PlainErrorf("the function may be called again while it is active, so that how much memory it needs isn't known")
	}
	var unknown *ir.Op
	f.fn.Walk(func(op *ir.Op) bool {
		if unknown == nil && interfaces.Call.Has(op) && f.callee(op) == nil && f.calls != nil && f.calls.HasBody(op) {
			unknown = op
		}
		return unknown == nil
	})
	if unknown != nil {
		return unknown.Errorf("calls a function that isn't known, and so isn't how much memory it needs")
	}
	for i := range f.alive.Buffers {
		l := &f.alive.Buffers[i]
		op := l.Value.DefiningOp()
		space := ir.MemorySpaceOf(l.Value.Type())
		_, call := interfaces.Call.Of(op)
		switch {
		case f.memoryOf(space) < 0 && space != nil:
			return op.Errorf("makes a buffer in the memory space %s, and none of the memories has it: %s", spaceName(space), f.named())
		case bytesOf(l.Value) >= unknownBytes:
			return op.Errorf("makes a buffer whose size isn't known before the program runs, so that it can't be said to fit into a memory")
		case l.Leaked && (l.Overlaps || l.Rounds.Any()):
			return op.Errorf("makes buffers in a loop that nothing frees, so that it isn't known how many there are at a time")
		case !call && inParallel(op, f.fn):
			return op.Errorf("makes buffers in iterations that may be executed at the same time, so that it isn't known how many there are")
		}
	}
	return nil
}

// inParallel tells whether an operation is in iterations that may be executed at the same time.
func inParallel(op, fn *ir.Op) bool {
	for op = op.Parent(); op != nil && op != fn; op = op.Parent() {
		if op.Has(ir.TraitParallelRegion) {
			return true
		}
	}
	return false
}
