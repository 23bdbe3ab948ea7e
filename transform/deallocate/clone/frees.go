package clone

import (
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// place is what the uses of a buffer have in common: the closest block that post-dominates them all, and the last
// operation in the block that uses it, itself or in its regions, if there is one.
type place struct {
	block *ir.Block
	last  *ir.Op
	// none tells that there is no such block.
	none bool
}

// free frees each owner once on each path, after the last use of all its names.
func (d *deallocation) free() {
	places := analysis.Summarize(d.buffers, nil, d.placeOf, d.join)
	freed := d.freed()
	for _, o := range d.owners {
		home := o.value.ParentBlock()
		if !d.reachable(home) || d.leaves(o, freed) {
			continue // nothing is said of uses in blocks that are never executed
		}
		p := places.Of(o.value)
		if p.none || p.block == nil || p.block.Region() != home.Region() || !d.dom.BlockDominates(home, p.block) {
			d.freeOnPaths(o)
			continue
		}
		at := p.last
		if at == nil {
			at = p.block.First()
		}
		switch {
		case at != p.block.Last():
			d.freeAfter(o, at)
		case p.last != nil:
		case o.free != nil:
			o.free.MoveBefore(at)
			d.moved++
		default:
			d.b.SetBefore(at)
			d.freeHere(o)
		}
	}
}

// leaves tells whether an owner is somebody else's to free.
func (d *deallocation) leaves(o owner, freed *analysis.Summaries[bool]) bool {
	if o.free != nil && (!analysis.FreesOnly(o.free, o.value) || o.free.NumResults() > 0) {
		return true // what makes a token frees when the program says so, and can't be behind what waits for it
	}
	if d.buffers.Escapes(o.value).Has(analysis.Stored | analysis.AddressKept) {
		return true
	}
	other := false
	d.buffers.Flows(o.value, func(to *ir.Value) { other = other || !d.copied[to] && freed.Of(to) })
	return other
}

// freed tells of values whether they are freed, by themselves or by what they are passed on as without a copy.
func (d *deallocation) freed() *analysis.Summaries[bool] {
	return analysis.Summarize(d.buffers, func(v *ir.Value) bool { return !d.copied[v] }, freedSomehow, func(x, y bool) bool { return x || y })
}

// freedSomehow tells whether an operation frees a value that it uses.
func freedSomehow(v *ir.Value) bool {
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if interfaces.HasEffect(u.Owner(), interfaces.Free, v) {
			return true
		}
	}
	return false
}

// placeOf returns what the uses of one name have in common.
func (d *deallocation) placeOf(v *ir.Value) place {
	var p place
	if b := v.ParentBlock(); d.reachable(b) {
		p = place{block: b, last: v.DefiningOp()}
	}
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if b := u.Owner().Block(); d.reachable(b) {
			p = d.join(p, place{block: b, last: u.Owner()})
		}
	}
	return p
}

func (d *deallocation) reachable(b *ir.Block) bool { return d.added[b] || d.dom.IsReachable(b) }

// join returns what two lists of uses have in common.
func (d *deallocation) join(x, y place) place {
	switch {
	case x.none || y.block == nil && !y.none:
		return x
	case y.none || x.block == nil:
		return y
	}
	b := x.block
	switch {
	case d.postDom.BlockPostDominates(x.block, y.block):
	case d.postDom.BlockPostDominates(y.block, x.block):
		b = y.block
	default:
		b = d.postDom.NearestCommonPostDominator(x.block, y.block)
	}
	if b == nil {
		return place{none: true}
	}
	last := x.lastIn(b)
	if l := y.lastIn(b); last == nil || l != nil && last.IsBefore(l) {
		last = l
	}
	return place{block: b, last: last}
}

// lastIn returns the last of the uses in a block that post-dominates all of them.
func (p place) lastIn(b *ir.Block) *ir.Op {
	if p.block == b {
		return p.last
	}
	if op := p.block.ParentOp(); op != nil {
		return b.AncestorIn(op)
	}
	return nil
}

// freeAfter frees an owner after an operation, by the operation that frees it already if there is one.
func (d *deallocation) freeAfter(o owner, op *ir.Op) {
	if o.free == nil {
		d.b.SetAfter(op)
		d.freeHere(o)
	} else if o.free != op {
		o.free.MoveAfter(op)
		d.moved++
	}
}

// freeHere inserts what frees an owner.
func (d *deallocation) freeHere(o owner) {
	d.b.Loc = o.value.Loc()
	d.frees++
	if o.model == nil || o.model.BuildDealloc(d.b, o.value) == nil {
		memref.NewDealloc(d.b, o.value)
	}
}

// freeOnPaths frees an owner on each path where it isn't used any more, if there is no block for that which is on all
// paths, as where a function returns in several places, or where control comes to the block without the owner, too.
func (d *deallocation) freeOnPaths(o owner) {
	home := o.value.ParentBlock()
	r := home.Region()
	last := map[*ir.Block]*ir.Op{}
	used := []*ir.Block{home}
	touch := func(b *ir.Block, op *ir.Op) {
		if l, ok := last[b]; !ok || l == nil || op != nil && l.IsBefore(op) {
			last[b] = op
		}
		used = append(used, b)
	}
	d.buffers.Names(o.value, func(name *ir.Value) {
		def := name.DefiningOp()
		if def == nil {
			def = name.ArgOwner().First()
		}
		switch at := r.AncestorIn(def); {
		case at == nil || !d.reachable(at.Block()):
		case name.IsBlockArg() && at == def:
			touch(at.Block(), nil)
		default:
			touch(at.Block(), at)
		}
		for u := name.FirstUse(); u != nil; u = u.Next() {
			if at := r.AncestorIn(u.Owner()); u.Owner() != o.free && at != nil && d.reachable(at.Block()) {
				touch(at.Block(), at)
			}
		}
	})
	// live are the blocks at whose start the buffer is used later, and home.
	live := map[*ir.Block]bool{home: true}
	blocks := []*ir.Block{home}
	for len(used) > 0 {
		b := used[len(used)-1]
		used = used[:len(used)-1]
		if b != home && !live[b] {
			live[b] = true
			blocks = append(blocks, b)
			for u := b.FirstPred(); u != nil; u = u.NextPred() {
				if p := u.Owner().Block(); d.reachable(p) {
					used = append(used, p)
				}
			}
		}
	}
	liveAfter := func(b *ir.Block) bool {
		for _, s := range b.Succs() {
			if live[s] && s != home {
				return true
			}
		}
		return false
	}
	var spots []spot
	done := map[*ir.Block]bool{}
	for _, b := range blocks {
		t := b.Last()
		if !liveAfter(b) {
			if at := last[b]; at != t {
				spots = append(spots, spot{block: b, after: at})
			}
			continue
		}
		for i := range t.NumSuccessors() {
			s := t.Successor(i)
			if live[s] || done[s] {
				continue
			}
			all := true
			for u := s.FirstPred(); u != nil; u = u.NextPred() {
				p := u.Owner().Block()
				all = all && (!d.reachable(p) || live[p] && liveAfter(p))
			}
			if all {
				done[s] = true
				spots = append(spots, spot{block: s})
			} else {
				spots = append(spots, spot{branch: t, successor: i})
			}
		}
	}
	if o.free != nil {
		if len(spots) == 1 && spots[0].has(o.free) {
			return
		}
		o.free.Erase()
		o.free = nil
	}
	for _, at := range spots {
		switch {
		case at.branch != nil:
			d.b.SetStart(d.splitEdge(at.branch, at.successor))
		case at.after != nil:
			d.b.SetAfter(at.after)
		default:
			d.b.SetStart(at.block)
		}
		d.freeHere(o)
	}
}

// spot is where a free belongs: after an operation of a block, or at its start if that is nil, or else on the edge from a
// terminator to one of its successors.
type spot struct {
	block     *ir.Block
	after     *ir.Op
	branch    *ir.Op
	successor int
}

// has tells whether a free is where it belongs, or has only other frees before it.
func (s spot) has(free *ir.Op) bool {
	if s.branch != nil {
		return false
	}
	op := s.block.First()
	if s.after != nil {
		op = s.after.Next()
	}
	for op != nil && op != free && op.NumOperands() > 0 && interfaces.HasEffect(op, interfaces.Free, op.Operand(0)) {
		op = op.Next()
	}
	return op == free
}
