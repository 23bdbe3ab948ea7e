package oneshot

import (
	"math"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// order knows the positions of operations, as far as all regions around them, up to the function, are a single block.
type order struct{ extents map[*ir.Op]extent }

// extent is from the position of an operation to that of the last one in it, in the order in which they stand in the text.
type extent struct{ from, to int32 }

// noPosition is that of what is in no function with a single block.
const noPosition = -1

// of returns the position of an operation, or of the one in the function's body that it is nested in. It takes what [order.extentOf] takes.
func (o *order) of(op *ir.Op) int32 {
	if op = inBody(op); op == nil {
		return noPosition
	}
	return o.extentOf(op).from
}

// inBody returns an operation, or the one that it is nested in, that is in a function's body of one block; nil if there is none.
func inBody(op *ir.Op) *ir.Op {
	for op.Parent() != nil && !interfaces.Function.Has(op.Parent()) {
		op = op.Parent()
	}
	if op.Parent() == nil || op.Region().NumBlocks() != 1 {
		return nil
	}
	return op
}

// extentOf returns the extent of an operation, or of the one that it is nested in among other blocks. It takes time linear in the nesting, and once in
// the operations of the function.
func (o *order) extentOf(op *ir.Op) extent {
	if at, ok := o.extents[op]; ok {
		return at
	}
	outer := inBody(op)
	if outer == nil {
		return extent{noPosition, noPosition}
	}
	if _, ok := o.extents[outer]; !ok {
		if o.extents == nil {
			o.extents = map[*ir.Op]extent{}
		}
		o.number(outer.Block(), 0)
	}
	for {
		if at, ok := o.extents[op]; ok {
			return at
		}
		op = op.Parent()
	}
}

// number gives the operations of a block, and of blocks nested in them that are all there is in an operation, their extents, and returns the next position.
func (o *order) number(b *ir.Block, next int32) int32 {
	for op := range b.Ops() {
		from := next
		next++
		// Of two regions, neither comes first, and [analysis.conflict] tells what that means.
		if interfaces.RegionBranch.Has(op) && op.NumRegions() == 1 && op.RegionAt(0).NumBlocks() == 1 {
			next = o.number(op.RegionAt(0).Entry(), next)
		}
		o.extents[op] = extent{from, next - 1}
	}
	return next
}

// span is what is quickly said of a read, since it is asked of each pair of a read and a write: where it is, and the first position
// of what may have written what it must read, or noPosition. Writes before from are no conflict, and neither are those after to, which is the last
// position if a loop is around the read that isn't around all that may have written it.
type span struct {
	known    bool
	from, to int32
}

// apart tells whether a read, as the plan's entry, certainly doesn't conflict with a write somewhere, since that comes
// before what is read was written, or after the read. If it is false, [analysis.conflict] tells.
func (g *groups) apart(read uint32, write extent) bool {
	if write.from == noPosition {
		return false
	}
	s := g.span(read)
	return s.from > write.to || s.to < write.from
}

// span returns what is quickly said of a read.
func (g *groups) span(read uint32) *span {
	g.spans = grow(g.spans, int(read)-1, cap(g.plan.entries))
	s := &g.spans[read-1]
	if !s.known {
		*s = g.spanOf(g.plan.entries[read-1].use)
	}
	return s
}

func (g *groups) spanOf(read *ir.Use) span {
	reader := read.Owner()
	out := span{known: true, from: noPosition, to: g.order.extentOf(reader).to}
	if l, ok := g.lastingOf(reader); ok && out.to != noPosition {
		out.to = max(out.to, g.end(l, reader))
	}
	since := g.sinceOf(read.Value())
	if since.any {
		out.from = since.from
	}
	straight := reader.Region().NumBlocks() == 1 && out.to != noPosition &&
		(!since.any || !since.mixed && since.around == g.repetitive(reader.Region()))
	if !straight {
		out.to = math.MaxInt32
	}
	return out
}

// mayComeFrom tells whether a value may be made of another one, by their positions: what comes later in the function's block is in nothing that is
// there before.
func (a *analysis) mayComeFrom(v, other *ir.Value) bool {
	to := a.groups.order.of(interfaces.OwnerOf(other))
	if to == noPosition || other.IsBlockArg() && interfaces.Function.Has(interfaces.OwnerOf(other)) {
		return true
	}
	if owner := interfaces.OwnerOf(v); !interfaces.Function.Has(owner) {
		return a.groups.order.of(owner) >= to
	}
	return false // an argument of the function
}
