package clone

import (
	"freehold/dialect/bufferization"
	"freehold/dialect/cf"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// clone inserts copies before all places from which values that need copies get their buffers. An edge from a block with
// several successors gets a block for that, as the copy must not be made where control goes another way.
func (d *deallocation) clone() error {
	made := map[*ir.Value]bool{}
	for _, v := range d.order {
		var edges []edge
		if err := edgesInto(v, func(e edge) { edges = append(edges, e) }); err != nil {
			return err
		}
		for _, e := range edges {
			source := e.op.Operand(e.index)
			if made[source] || d.inFlight[source] {
				continue
			}
			if d.identity && d.mayTell(source, v, e.op) {
				return d.told(source, e.op)
			}
			if err := d.checkRetained(source, e.op); err != nil {
				return err
			}
			if e.successor >= 0 && e.op.NumSuccessors() > 1 {
				e = d.split(e, v)
			}
			c := d.buildClone(e.op, source)
			made[c] = true
			e.op.SetOperand(e.index, c)
		}
	}
	return nil
}

// findInFlight finds copies that were made to be passed on, by this pass or another one: clones all of whose uses
// are one operand, which only values get that would have copies of it otherwise.
func (d *deallocation) findInFlight() {
	kept := d.owners[:0]
	for _, o := range d.owners {
		if op := o.value.DefiningOp(); op.Is(bufferization.Clone) && o.value.HasOneUse() {
			passed, all := false, true
			d.flowsOf(o.value, func(to *ir.Value) {
				passed = true
				all = all && d.copied[to]
			})
			if passed && all {
				d.inFlight[o.value] = true
				continue
			}
		}
		kept = append(kept, o)
	}
	d.owners = kept
}

// split puts a block on the edge from a terminator to v's block, and returns the edge from there on.
func (d *deallocation) split(e edge, v *ir.Value) edge {
	block := d.splitEdge(e.op, e.successor)
	m, _ := interfaces.Branch.Of(block.Last())
	start, _, _ := m.SuccessorOperands(block.Last(), 0)
	return edge{op: block.Last(), successor: 0, index: start + v.Index()}
}

// splitEdge puts a block on the edge from a terminator to its successor i.
func (d *deallocation) splitEdge(op *ir.Op, i int) *ir.Block {
	block := cf.SplitEdge(d.b, op, i)
	d.added[block] = true
	return block
}

// buildClone inserts a copy of a buffer before op.
func (d *deallocation) buildClone(op *ir.Op, source *ir.Value) *ir.Value {
	d.b.SetBefore(op)
	d.b.Loc = source.Loc()
	d.clones++
	if def := source.DefiningOp(); def != nil {
		if m, ok := interfaces.Allocation.Of(def); ok {
			if c := m.BuildClone(d.b, source); c != nil {
				return c
			}
		}
	}
	return bufferization.NewClone(d.b, source)
}

// cloneReturned copies what the function returns if it may be one of several buffers, one of which would have to be freed by
// this function then. If the caller frees what is returned, what isn't its to free is copied, too, what is returned
// twice, and parts of buffers.
func (d *deallocation) cloneReturned() error {
	owned := map[*ir.Value]bool{}
	for _, o := range d.owners {
		owned[o.value] = true
	}
	for _, v := range d.several {
		owned[v] = true
	}
	for block := range d.fn.RegionAt(0).Blocks() {
		if t := block.Last(); t != nil && interfaces.IsRegionTerminator(t) && d.reachable(block) {
			if err := d.cloneReturnedBy(t, owned); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *deallocation) cloneReturnedBy(t *ir.Op, owned map[*ir.Value]bool) error {
	roots := make([][]*ir.Value, t.NumOperands())
	parts := make([]bool, t.NumOperands())
	returned := map[*ir.Value]bool{} // certainly
	freed := d.freedBefore(t)
	for i := range roots {
		if v := t.Operand(i); ir.IsMemRef(v.Type()) {
			parts[i] = d.roots(v, func(root *ir.Value) { roots[i] = append(roots[i], root) })
		}
		if len(roots[i]) == 1 {
			returned[roots[i][0]] = true
		}
	}
	gone := map[*ir.Value]bool{} // by an operand before
	for i, list := range roots {
		lost, theirs := false, true
		for _, root := range list {
			lost = lost || owned[root] && !returned[root] && !freed(root)
			theirs = theirs && owned[root] && !gone[root] && !freed(root)
		}
		if len(list) > 0 && (lost && len(list) > 1 || d.opts.Boundary && (!theirs || parts[i] || len(list) > 1)) {
			if interfaces.ResAttr(d.fn, i, interfaces.BorrowedAttr) != nil && !lost {
				continue // the caller doesn't free it
			}
			if interfaces.HasIdentity(d.fn, i) && d.returnsElsewhere(t, roots, i) {
				return d.told(t.Operand(i), t)
			}
			if err := d.checkRetained(t.Operand(i), t); err != nil {
				return err
			}
			t.SetOperand(i, d.buildClone(t, t.Operand(i)))
			continue
		}
		for _, root := range list {
			gone[root] = true
		}
	}
	return nil
}

// freedBefore returns a function that tells whether something frees a value on the way to a terminator of the function.
func (d *deallocation) freedBefore(t *ir.Op) func(v *ir.Value) bool {
	var before map[*ir.Block]bool // the blocks from which control comes to t
	return func(v *ir.Value) bool {
		for u := v.FirstUse(); u != nil; u = u.Next() {
			if !interfaces.HasEffect(u.Owner(), interfaces.Free, v) {
				continue
			}
			if before == nil {
				before = map[*ir.Block]bool{t.Block(): true}
				for work := []*ir.Block{t.Block()}; len(work) > 0; {
					b := work[len(work)-1]
					work = work[:len(work)-1]
					for p := b.FirstPred(); p != nil; p = p.NextPred() {
						if from := p.Owner().Block(); !before[from] {
							before[from] = true
							work = append(work, from)
						}
					}
				}
			}
			if before[t.Block().Region().AncestorIn(u.Owner()).Block()] {
				return true
			}
		}
		return false
	}
}

// roots calls fn for the values from which v may get its buffer without a copy, and tells whether v may be a part of it.
func (d *deallocation) roots(v *ir.Value, fn func(root *ir.Value)) (part bool) {
	seen := map[*ir.Value]bool{v: true}
	for work := []*ir.Value{v}; len(work) > 0; {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		root := true
		if !d.copied[x] {
			d.buffers.Sources(x, func(from *ir.Value) {
				root = false
				if !seen[from] {
					seen[from] = true
					work = append(work, from)
				}
			})
		}
		if root {
			fn(x)
		} else if def := x.DefiningOp(); def != nil {
			part = part || memref.Narrows(def)
		}
	}
	return part
}
