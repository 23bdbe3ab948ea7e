package reuse

import (
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// FreeAfterLastUse moves the operations in root that only free buffers, under conditions or
// not, up to the place after the last operation of their block that may use the buffer:
// the pass free-after-last-use. What computes their operands for nothing else moves along.
// It returns how many frees it moved, of how many. If root is no symbol table, nothing is
// known about callees. Near-linear: a block takes as many steps as it has uses of buffers,
// and its frees times its different sets of buffers that a value may be.
func FreeAfterLastUse(root *ir.Op, threads int) (moved, frees int) {
	n := inFunctions(root, threads, freeEarly)
	return n[0], n[1]
}

// freeEarly is [FreeAfterLastUse] for a function.
func freeEarly(fn *ir.Op, calls *analysis.CallSummaries) (n counts) {
	var blocks []*ir.Block
	for _, b := range blocksIn(fn) {
		for op := range b.Ops() {
			if onlyFrees(op) {
				blocks = append(blocks, b)
				break
			}
		}
	}
	if len(blocks) == 0 {
		return n
	}
	buffers := analysis.NewBuffers(fn, analysis.BufferOptions{Calls: calls})
	for _, b := range blocks {
		moved, frees := freeEarlyIn(b, buffers)
		n[0] += moved
		n[1] += frees
	}
	return n
}

// onlyFrees tells whether an operation, with what is nested in it, does nothing with memory
// but free buffers.
func onlyFrees(op *ir.Op) bool {
	if op.Has(ir.TraitTerminator) {
		return false
	}
	frees, other := false, false
	op.Walk(func(x *ir.Op) bool {
		if interfaces.ConditionalFree.Has(x) {
			frees = true
			return true
		}
		if x.NumRegions() > 0 && !interfaces.RegionBranch.Has(x) {
			other = true
			return false
		}
		effects, known := interfaces.EffectsOf(x)
		other = other || !known && !interfaces.IsRegionTerminator(x)
		for _, e := range effects {
			other = other || e.Kind != interfaces.Free || !e.IsOnOperand()
			frees = true
		}
		return !other
	})
	return frees && !other
}

// early moves the frees of one block.
type early struct {
	last *analysis.LastUses
	// frees holds the frees and what only computes their operands.
	frees map[*ir.Op]bool
	// others counts, for what computes operands of frees, the uses by what isn't in frees.
	others map[*ir.Op]int
	// at maps an operation to the last that was moved behind it; nil is the start.
	at map[*ir.Op]*ir.Op
}

func freeEarlyIn(b *ir.Block, buffers *analysis.Buffers) (moved, frees int) {
	e := &early{last: buffers.NewLastUses(), frees: map[*ir.Op]bool{}, others: map[*ir.Op]int{}, at: map[*ir.Op]*ir.Op{}}
	var list []*ir.Op
	for op := range b.Ops() {
		if onlyFrees(op) {
			e.frees[op] = true
			list = append(list, op)
		}
	}
	for _, op := range list {
		e.collect(op)
	}
	for op := b.First(); op != nil; {
		next := op.Next()
		switch {
		case !e.frees[op]:
			e.last.Add(op, nil)
		case onlyFrees(op) && e.move(op):
			moved++
		}
		op = next
	}
	return moved, len(list)
}

// collect adds what computes the operands of a free for nothing but frees.
func (e *early) collect(op *ir.Op) {
	e.needs(op, func(_ *ir.Value, def *ir.Op) {
		if !e.frees[def] && def.NumRegions() == 0 && interfaces.IsPure(def) && e.usedByOthers(def) == 0 {
			e.frees[def] = true
			e.needs(def, func(_ *ir.Value, x *ir.Op) {
				if n, ok := e.others[x]; ok {
					e.others[x] = n - 1
				}
			})
			e.collect(def)
		}
	})
}

// needs calls fn for the values that an operation, or what is nested in it, needs from
// others in its block.
func (e *early) needs(op *ir.Op, fn func(v *ir.Value, def *ir.Op)) {
	op.Walk(func(x *ir.Op) bool {
		for i := range x.NumOperands() {
			v := x.Operand(i)
			if def := v.DefiningOp(); def != nil && def.Block() == op.Block() && def != op {
				fn(v, def)
			}
		}
		return true
	})
}

// usedByOthers counts the uses of what an operation computes by what isn't in frees.
func (e *early) usedByOthers(op *ir.Op) int {
	n, known := e.others[op]
	if known {
		return n
	}
	for i := range op.NumResults() {
		for u := op.Result(i).FirstUse(); u != nil; u = u.Next() {
			if user := op.Block().Region().AncestorIn(u.Owner()); user == nil || !e.frees[user] {
				n++
			}
		}
	}
	e.others[op] = n
	return n
}

// move puts a free, with what computes its operands, after the last use of its buffers,
// unless operands are computed later. It tells whether that is another place.
func (e *early) move(op *ir.Op) bool {
	var target *ir.Op // nil: the start of the block
	after := func(x *ir.Op) {
		if x != nil && (target == nil || target.IsBefore(x)) {
			target = x
		}
	}
	op.Walk(func(x *ir.Op) bool {
		e.freed(x, func(v *ir.Value) { after(e.last.Of(v)) })
		return true
	})
	// What computes operands moves too, and stays in order.
	var with []*ir.Op
	seen := map[*ir.Op]bool{}
	var operands func(x *ir.Op)
	operands = func(x *ir.Op) {
		e.needs(x, func(_ *ir.Value, def *ir.Op) {
			switch {
			case seen[def]:
			case !e.frees[def] || onlyFrees(def):
				after(def)
			default:
				seen[def] = true
				operands(def)
				with = append(with, def)
			}
		})
	}
	operands(op)
	place := target
	if p := e.at[target]; p != nil {
		place = p
	}
	if place != nil && !place.IsBefore(op) {
		return false
	}
	moved := false
	for _, x := range append(with, op) {
		switch {
		case x.Prev() == place:
		case place == nil:
			x.MoveToStart(op.Block())
			moved = true
		case place.IsBefore(x):
			x.MoveAfter(place)
			moved = true
		default:
			continue // moved before
		}
		place = x
	}
	e.at[target] = place
	return moved
}

// freed calls fn for the buffers that an operation itself frees.
func (e *early) freed(op *ir.Op, fn func(v *ir.Value)) {
	if m, ok := interfaces.ConditionalFree.Of(op); ok {
		start, n := m(op)
		for i := range n {
			fn(op.Operand(start + i))
		}
		return
	}
	effects, _ := interfaces.EffectsOf(op)
	for _, f := range effects {
		if f.Kind == interfaces.Free && f.IsOnOperand() {
			fn(f.Value(op))
		}
	}
}
