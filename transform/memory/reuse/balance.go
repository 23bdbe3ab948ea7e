package reuse

import (
	"fmt"
	"slices"

	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// balance follows what a block allocates and frees, in order. Sizes needn't be known: they are numbers of bytes times values, of
// which is known whether they are the same.
type balance struct {
	changes []change
	of      map[*ir.Op]int    // the number of the change that an operation makes
	numbers map[*ir.Value]int // of the values that sizes are products of
}

// change is how many bytes, times a product of values, are alive after an operation that weren't before.
type change struct {
	values string
	bytes  int64
	unsure bool // it may be anything, and more in between
}

func newBalance() *balance { return &balance{of: map[*ir.Op]int{}, numbers: map[*ir.Value]int{}} }

// add adds what the next operation of the block changes.
func (b *balance) add(op *ir.Op) {
	var c change
	if op.Is(memref.Dealloc) {
		alloc := allocation(memref.DeallocOp{Op: op}.MemRef())
		if alloc == nil {
			return // so much is free at least
		}
		if c = b.size(alloc); c.unsure {
			return
		}
		c.bytes = -c.bytes
	} else if op.NumResults() == 1 && allocation(op.Result(0)) != nil {
		c = b.size(op)
	} else if c.unsure = mayAllocate(op); !c.unsure {
		return
	}
	b.of[op] = len(b.changes)
	b.changes = append(b.changes, c)
}

// remove takes back what an operation changed.
func (b *balance) remove(op *ir.Op) {
	if i, ok := b.of[op]; ok {
		b.changes[i] = change{}
	}
}

// size returns what an allocation allocates.
func (b *balance) size(alloc *ir.Op) change {
	t, ok := alloc.Result(0).Type().(*ir.MemRefType)
	if !ok || t.Layout != nil {
		return change{unsure: true}
	}
	bytes := ir.StorageBytes(t.Elem)
	for _, n := range t.Shape {
		if n >= 0 {
			bytes *= n
		}
	}
	var values []int
	for _, v := range alloc.Operands().Values() {
		n, known := b.numbers[v]
		if !known {
			n = len(b.numbers)
			b.numbers[v] = n
		}
		values = append(values, n)
	}
	slices.Sort(values)
	return change{values: fmt.Sprint(values), bytes: bytes, unsure: bytes < 0 || bytes >= unknownBytes}
}

// mayAllocate tells whether an operation, or one in it, may allocate memory.
func mayAllocate(op *ir.Op) (may bool) {
	op.Walk(func(o *ir.Op) bool {
		_, call := interfaces.Call.Of(o)
		effects, known := interfaces.EffectsOf(o)
		may = may || call || !known && o.NumRegions() == 0 ||
			slices.ContainsFunc(effects, func(e interfaces.Effect) bool {
				return e.Kind == interfaces.Allocate && e.On() == interfaces.DefaultResource
			})
		return !may
	})
	return may
}

// growsSince tells whether more may be alive at any time since an operation than right after it.
func (b *balance) growsSince(op *ir.Op) bool {
	i, ok := b.of[op]
	return !ok || grows(b.changes[i+1:])
}

// grows tells whether more may be alive at any time than at first.
func grows(changes []change) bool {
	if len(changes) > mostChanges {
		return true
	}
	at := map[string]int64{}
	for _, c := range changes {
		if at[c.values] += c.bytes; c.unsure || at[c.values] > 0 {
			return true
		}
	}
	return false
}

// mostChanges limits how many changes mayKeep looks at.
const mostChanges = 256

// mayKeep tells whether what an operation frees may be kept for as much that is allocated now.
func (b *balance) mayKeep(free *ir.Op) bool {
	i, ok := b.of[free]
	return ok && b.mayKeepFrom(i+1)
}

// mayKeepFrom tells whether as much may be kept since change i, before which it was freed, as is allocated now: all the time,
// no more is alive than right before that change, or than now.
func (b *balance) mayKeepFrom(i int) bool {
	between := b.changes[i:]
	if len(between) > mostChanges {
		return false
	}
	now := map[string]int64{}
	for _, c := range between {
		now[c.values] += c.bytes
	}
	at := map[string]int64{}
	for _, c := range between {
		at[c.values] += c.bytes
		sinceFree, thanNow := true, true
		for values, n := range at {
			sinceFree = sinceFree && n <= 0
			thanNow = thanNow && n <= now[values]
		}
		for values, n := range now {
			thanNow = thanNow && at[values] <= n
		}
		if c.unsure || !sinceFree && !thanNow {
			return false
		}
	}
	return true
}
