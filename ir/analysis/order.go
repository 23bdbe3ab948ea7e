package analysis

import (
	"freehold/iface"
	"freehold/ir"
)

// Order tells which operations may be executed after others before a value is defined
// again.
type Order struct {
	def    *ir.Value
	region *ir.Region // that the value is defined in
	// after holds, for blocks that were asked about, those that control may get to from
	// their ends.
	after map[*ir.Block]map[*ir.Block]bool
}

// NewOrder returns the order of what happens between two definitions of v.
func NewOrder(v *ir.Value) *Order {
	return &Order{v, v.ParentRegion(), map[*ir.Block]map[*ir.Block]bool{}}
}

// MayFollow tells whether op may be executed, or be at work still, after first was
// executed. What is not in the region of the definition may. It takes as many steps as
// operations are nested, and looks at the blocks of a region once for each block asked
// about.
func (o *Order) MayFollow(first, op *ir.Op) bool {
	r := first.Region()
	for r != nil && r.AncestorIn(op) == nil {
		r = r.Op().Region()
	}
	if r == nil || !o.region.IsAncestorOf(r) {
		return true
	}
	a, b := r.AncestorIn(first), r.AncestorIn(op)
	for s := r; s != o.region; s = s.Op().Region() {
		outer := s.Op()
		if mayGoTo(outer, s, s) || o.reaches(outer, outer) {
			return true
		}
	}
	switch {
	case a != b && a.Block() == b.Block() && a.IsBefore(b):
		return true
	case a == b && op == a && first != op && !isRegionBranch(op):
		return true // it may do something after its regions
	case a == b && first != a && op != a && mayGoTo(a, regionOf(a, first), regionOf(a, op)):
		return true
	}
	return o.reaches(a, b)
}

// reaches tells whether control may get from the end of a's block to b, in the same region.
func (o *Order) reaches(a, b *ir.Op) bool {
	from := a.Block()
	if from.Region().NumBlocks() == 1 && from.FirstPred() == nil {
		return false
	}
	blocks := o.after[from]
	if blocks == nil {
		blocks = o.search(from)
		o.after[from] = blocks
	}
	if !blocks[b.Block()] {
		return false
	}
	if b.Block() != o.def.ParentBlock() {
		return true
	}
	def := o.def.DefiningOp()
	return def != nil && b.IsBefore(def)
}

// search finds the blocks that control may get to from the end of a block, up to the one
// that defines the value.
func (o *Order) search(from *ir.Block) map[*ir.Block]bool {
	found := map[*ir.Block]bool{}
	work := []*ir.Block{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		t := b.Last()
		if t == nil || b == o.def.ParentBlock() && b != from {
			continue
		}
		for i := range t.NumSuccessors() {
			if s := t.Successor(i); !found[s] {
				found[s] = true
				work = append(work, s)
			}
		}
	}
	return found
}

func isRegionBranch(op *ir.Op) bool { _, ok := iface.RegionBranch.Of(op); return ok }

// regionOf returns the region of op that x is nested in.
func regionOf(op, x *ir.Op) *ir.Region {
	for x.Parent() != op {
		x = x.Parent()
	}
	return x.Region()
}

// mayGoTo tells whether control may get from the end of a region of op to the start of one,
// without leaving op.
func mayGoTo(op *ir.Op, from, to *ir.Region) bool {
	m, ok := iface.RegionBranch.Of(op)
	if !ok {
		return true
	}
	found := map[*ir.Region]bool{}
	work := []*ir.Region{from}
	for len(work) > 0 {
		r := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range m.Successors(op, iface.RegionPoint{Region: r}) {
			if s.Region == to {
				return true
			}
			if s.Region != nil && !found[s.Region] {
				found[s.Region] = true
				work = append(work, s.Region)
			}
		}
	}
	return false
}
