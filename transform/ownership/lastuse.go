package ownership

import (
	"freehold/dialect/bufferization"
	"freehold/dialect/memref"
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/analysis"
)

// FreeAfterLastUse moves the deallocations in root, before or after they are
// lowered, from the end of their blocks to the place after the last use of the
// buffer, or of any that may be the same: the pass free-after-last-use. It tells
// whether there were any. Near-linear: a block takes as many steps as it has uses of
// buffers, and its deallocations times its different sets of buffers that a value may
// be.
func FreeAfterLastUse(root *ir.Op) (changed bool) {
	for _, fn := range functionsIn(root) {
		changed = freeEarly(fn) || changed
	}
	return changed
}

func isDealloc(op *ir.Op) bool { return op.Is(bufferization.Dealloc) || op.Is(memref.Dealloc) }

func freeEarly(fn *ir.Op) (changed bool) {
	frees := map[*ir.Block][]*ir.Op{}
	var blocks []*ir.Block
	fn.Walk(func(op *ir.Op) bool {
		if isDealloc(op) {
			b := op.Block()
			if frees[b] == nil {
				blocks = append(blocks, b)
			}
			frees[b] = append(frees[b], op)
		}
		return true
	})
	if len(blocks) == 0 {
		return false
	}
	o, l := analysis.NewOrigins(fn), analysis.NewLiveness(fn)
	for _, b := range blocks {
		e := &early{frees: map[*ir.Op]bool{}, at: map[*ir.Op]*ir.Op{}}
		for _, op := range frees[b] {
			e.collect(op)
		}
		e.last = analysis.NewLastUses(o, l, b, func(op *ir.Op) bool { return e.frees[op] })
		for _, op := range frees[b] {
			e.move(op)
		}
	}
	return true
}

// early moves the deallocations of one block.
type early struct {
	last *analysis.LastUses
	// frees holds the deallocations and what only computes their operands.
	frees map[*ir.Op]bool
	// at maps an operation to the last that was moved behind it.
	at map[*ir.Op]*ir.Op
}

// collect adds op, and what computes its operands for nothing else.
func (e *early) collect(op *ir.Op) {
	e.frees[op] = true
	for _, v := range op.Operands().Values() {
		def := v.DefiningOp()
		if def == nil || def.Block() != op.Block() || !isMemRef(v) || e.frees[def] || !iface.IsPure(def) {
			continue
		}
		if _, view := iface.ViewLike.Of(def); view && e.usedByFrees(def) {
			e.collect(def)
		}
	}
}

func (e *early) usedByFrees(op *ir.Op) bool {
	for i := range op.NumResults() {
		for u := op.Result(i).FirstUse(); u != nil; u = u.Next() {
			if !e.frees[u.Owner()] {
				return false
			}
		}
	}
	return true
}

// move puts a deallocation, with what computes its operands, after the last use of
// its buffers, unless operands are computed later.
func (e *early) move(op *ir.Op) {
	freed := op.Operands().Values()
	if op.Is(bufferization.Dealloc) {
		freed = dealloc(op).MemRefs().Values()
	}
	var target *ir.Op // nil: the start of the block
	after := func(x *ir.Op) {
		if x != nil && (target == nil || target.IsBefore(x)) {
			target = x
		}
	}
	for _, v := range freed {
		after(e.last.Of(v))
	}
	// What computes operands moves too, and stays in order.
	var with []*ir.Op
	var operands func(x *ir.Op)
	operands = func(x *ir.Op) {
		for _, v := range x.Operands().Values() {
			def := v.DefiningOp()
			switch {
			case def == nil || def.Block() != op.Block():
			case !e.frees[def] || isDealloc(def):
				after(def)
			default:
				operands(def)
				with = append(with, def)
			}
		}
	}
	operands(op)
	if target == nil || target == op.Block().Last() {
		return
	}
	place := target
	if p := e.at[target]; p != nil {
		place = p
	}
	for _, x := range append(with, op) {
		if place.IsBefore(x) && !(e.frees[x] && x.IsBefore(place)) {
			x.MoveAfter(place)
			place = x
		}
	}
	e.at[target] = place
}
