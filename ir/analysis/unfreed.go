package analysis

import (
	"cmp"
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// unfreed follows a buffer from where it appears on all paths up to what certainly frees or returns it.
type unfreed struct {
	spanner
	v *ir.Value
	// freed has, by block, the operations in it that free the buffer, or have such operations in their regions, in order.
	freed map[*ir.Block][]*ir.Op
	names map[*ir.Value]bool // that are nothing but the buffer, or a view of it
	// again tells that a path comes back to where the buffer appears.
	again bool
}

// unfreedTimes returns when a buffer that something may free is alive on the paths on which nothing does; none if it is
// freed on all paths. What several operations may free together, by names that may be other buffers, or in a function that
// they call, is taken to be freed unless frees are doubted.
func (l *Lifetimes) unfreedTimes(v *ir.Value, calls *CallSummaries) []Span {
	x := &unfreed{spanner: spanner{l: l}, v: v, freed: map[*ir.Block][]*ir.Op{}, names: map[*ir.Value]bool{v: true}}
	frees, alone := 0, true
	var sure []*ir.Op
	names := []*ir.Value{v}
	for k := 0; k < len(names); k++ {
		for u := names[k].FirstUse(); u != nil; u = u.Next() {
			op := u.Owner()
			switch {
			case calls.MayFree(op, u.Index()):
				frees++
				if calls.freesCertainly(op, u.Index()) {
					sure = append(sure, op)
				} else if interfaces.Call.Has(op) {
					alone = false
				}
			case op.Has(ir.TraitTerminator):
				alone = false
			case anyMemRef(ir.TypesOf(op.Results().Values())):
				m, ok := interfaces.ViewLike.Of(op)
				if !ok || m(op) != names[k] {
					alone = false
					continue
				}
				for _, r := range op.Results().Values() {
					if ir.IsMemRef(r.Type()) && !x.names[r] {
						x.names[r] = true
						names = append(names, r)
					}
				}
			}
		}
	}
	if trusted := frees != 1 || !alone; trusted && (l.doubts == nil || l.asked && !l.doubt) {
		return nil
	} else if home := v.ParentBlock(); len(sure) > 0 && slices.ContainsFunc(sure, func(op *ir.Op) bool { return op.Block() == home }) {
		return nil
	} else if x.follow(sure); len(x.spans) == 0 || trusted && !l.doubted() {
		return nil
	}
	return x.merged()
}

// doubted tells whether frees are doubted. It asks once.
func (l *Lifetimes) doubted() bool {
	if !l.asked {
		l.asked, l.doubt = true, l.doubts()
	}
	return l.doubt
}

// follow follows the buffer. No times are left over if it is freed, or returned, on all paths that end.
func (x *unfreed) follow(sure []*ir.Op) {
	home := x.v.ParentBlock()
	seen := map[*ir.Op]bool{}
	for _, op := range sure {
		for ; op != nil && op.Block() != nil && !seen[op]; op = op.Parent() {
			seen[op] = true
			x.freed[op.Block()] = append(x.freed[op.Block()], op)
			if op.Region() == home.Region() {
				break
			}
		}
	}
	for _, list := range x.freed {
		slices.SortFunc(list, func(a, b *ir.Op) int {
			from, _ := x.l.Of(a)
			to, _ := x.l.Of(b)
			return cmp.Compare(from, to)
		})
	}
	leaves := x.region(home, x.l.defined(x.v))
	if !leaves && !x.again {
		x.spans = nil
		return
	}
	if op := home.ParentOp(); leaves && op != x.l.fn && op.Block() != nil {
		begin, end := x.l.Of(op)
		if !x.l.entersOnce(op) {
			end = begin
		}
		x.toEnd(op.Block(), end, false)
	}
}

// region follows the buffer from a time in a block, and tells whether it may still be there when control leaves the region.
func (x *unfreed) region(from *ir.Block, start int64) (leaves bool) {
	seen := map[*ir.Block]bool{}
	visit := func(b *ir.Block, start int64) (next []*ir.Block) {
		if !x.block(b, start) {
			return nil
		}
		t := b.Last()
		if t == nil || t.NumSuccessors() == 0 {
			leaves = leaves || t == nil || !x.returned(t)
			return nil
		}
		return b.Succs()
	}
	work := visit(from, start)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !seen[b] {
			seen[b] = true
			x.again = x.again || b == x.v.ParentBlock()
			work = append(work, visit(b, x.l.blockStart(b))...)
		}
	}
	return leaves
}

// returned tells whether a terminator hands the buffer to the function's caller.
func (x *unfreed) returned(t *ir.Op) bool {
	if t.Parent() != x.l.fn || !interfaces.IsRegionTerminator(t) {
		return false
	}
	for _, v := range t.Operands() {
		if x.names[v.Value()] {
			return true
		}
	}
	return false
}

// block follows the buffer from a time in a block, and tells whether it may still be there at its end.
func (x *unfreed) block(b *ir.Block, start int64) bool {
	for _, op := range x.freed[b] {
		begin, end := x.l.Of(op)
		if begin < start {
			continue
		}
		x.add(start, begin+1)
		if op.NumRegions() == 0 || !x.through(op) {
			return false
		}
		start = end
	}
	x.add(start, x.l.blockEnd(b))
	return true
}

// through follows the buffer through the regions of an operation, and tells whether it may still be there after it.
func (x *unfreed) through(op *ir.Op) (leaves bool) {
	m, ok := interfaces.RegionBranch.Of(op)
	if !ok {
		for _, r := range op.Regions() {
			if !r.Empty() {
				x.region(r.Entry(), x.l.blockStart(r.Entry()))
			}
		}
		return true
	}
	n, counted := int64(0), false
	if m, ok := interfaces.TripCount.Of(op); ok {
		n, counted = m(op)
	}
	seen := map[*ir.Region]bool{}
	var enter func(next []interfaces.RegionSuccessor, first bool)
	enter = func(next []interfaces.RegionSuccessor, first bool) {
		for _, s := range next {
			r := s.Region
			switch {
			case r == nil:
				leaves = leaves || !first || !counted || n == 0
			case !seen[r] && !r.Empty():
				seen[r] = true
				if x.region(r.Entry(), x.l.blockStart(r.Entry())) {
					enter(m.Successors(op, interfaces.RegionPoint{Region: r}), false)
				}
			}
		}
	}
	enter(m.Successors(op, interfaces.ParentPoint), true)
	return leaves
}
