package hlo

import (
	"slices"

	"freehold/dialect/deallocation"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// regionBranch hands owners through an operation with regions: its operands, the
// arguments of its regions, what these yield, and its results are each followed by an
// owner for each buffer.
func (d *deallocator) regionBranch(op *ir.Op, m interfaces.RegionBranchModel, owned *ownerSet) (t transfer, err error) {
	inner := make([]transfer, op.NumRegions())
	for i := range inner {
		r := op.RegionAt(i)
		if r.Empty() {
			continue
		}
		blk, err := onlyBlock(op, r)
		if err != nil {
			return t, err
		}
		if end := blk.Last(); end != nil && end.NumRegions() > 0 && len(memrefs(op.Results().Values())) > 0 {
			return t, op.Errorf("returns buffers, but has no place for their owners").WithNote(end.Loc(), "what is returned is computed here, instead of being handed on")
		}
		if inner[i], err = d.block(blk, takes); err != nil {
			return t, err
		}
	}
	if t.released, err = d.captured(op, inner); err != nil {
		return t, err
	}
	operands, released := d.passOwners(op, m, owned, t.released)
	t.released = append(t.released, released...)
	count := op.NumResults()
	buffers := memrefs(op.Results().Values())
	if len(buffers) > 0 {
		op = d.withOwners(op, len(buffers))
		t.acquired = d.own(memrefs(op.Results().Values()[:count]), op.Results().Values()[count:])
	}
	if operands != nil {
		operands(op)
	}
	d.edges(op, m)
	return t, nil
}

// captured returns the owners that the regions of an operation took from the block around
// it, without having been given them.
func (d *deallocator) captured(op *ir.Op, inner []transfer) (released []*ir.Value, err error) {
	for _, t := range inner {
		for _, o := range t.released {
			if !slices.Contains(released, o) {
				released = append(released, o)
			}
		}
	}
	if len(released) == 0 {
		return nil, nil
	}
	if _, ok := CapturingBranch.Of(op); !ok {
		return nil, op.Errorf("can't implicitly capture across loop boundaries; use an explicit iter arg instead")
	}
	for i, t := range inner {
		for _, o := range released {
			if slices.Contains(t.released, o) {
				continue
			}
			if op.RegionAt(i).Empty() {
				return nil, op.Errorf("cannot implicitly capture from an if without else")
			}
			if !d.yieldInstead(op.BodyBlock(i).Last(), o) {
				return nil, op.Errorf("released value not yielded on other branch")
			}
		}
	}
	return released, nil
}

// yieldInstead makes a terminator pass the owner on beside its buffer, and tells whether
// it passes the buffer.
func (d *deallocator) yieldInstead(end *ir.Op, owner *ir.Value) bool {
	buffers := memrefs(end.Operands().Values())
	for i, v := range buffers {
		if d.findOwner(v) == owner {
			end.SetOperand(end.NumOperands()-len(buffers)+i, owner)
			return true
		}
	}
	return false
}

// passOwners determines the owners that an operation is given for the buffers that it
// passes to its regions. It returns what adds them to the operands, and which the block
// gave away.
func (d *deallocator) passOwners(op *ir.Op, m interfaces.RegionBranchModel, owned *ownerSet, gone []*ir.Value) (add func(op *ir.Op), released []*ir.Value) {
	start, n := entryOperands(op, m)
	buffers := memrefs(op.Operands()[start : start+n].Values())
	if len(buffers) == 0 {
		return nil, nil
	}
	var null *ir.Value
	var passed []*ir.Value
	for _, v := range buffers {
		o := d.findOwner(v)
		if o != nil && owned.has(o) && !slices.Contains(gone, o) && !slices.Contains(released, o) && !d.aliases.usedAfter(v, op) {
			released, passed = append(released, o), append(passed, o)
			continue
		}
		if null == nil {
			d.b.SetBefore(op)
			d.b.Loc = op.Loc()
			null = deallocation.NewNull(d.b)
		}
		passed = append(passed, null)
	}
	return func(op *ir.Op) { appendOperands(op, start+n, passed) }, released
}

// edges notes that what is passed along an edge of control flow is the same buffer on both
// ends.
func (d *deallocator) edges(op *ir.Op, m interfaces.RegionBranchModel) {
	interfaces.ForEachRegionEdge(op, m, func(operands ir.Operands, inputs []*ir.Value) {
		for i := range min(len(operands), len(inputs)) {
			if from, to := operands.At(i), inputs[i]; isMemRef(from) && isMemRef(to) {
				d.aliases.union(from, to)
			}
		}
	})
}

// joinPassedTwice joins what regions and results get from one edge of control flow if that may pass one buffer by two names, before any block is processed: only one of
// them gets the owner, so that a block which frees what it owns has to compare the others with it. It takes time linear in the function for each
// edge on a way that passes such buffers on.
func (d *deallocator) joinPassedTwice(fn *ir.Op) {
	var branches []*ir.Op
	fn.Walk(func(op *ir.Op) bool {
		if interfaces.RegionBranch.Has(op) && op.NumRegions() > 0 {
			branches = append(branches, op)
		}
		return true
	})
	for changed := true; changed; {
		changed = false
		for _, op := range branches {
			m, _ := interfaces.RegionBranch.Of(op)
			interfaces.ForEachRegionEdge(op, m, func(operands ir.Operands, inputs []*ir.Value) {
				changed = d.joinInputs(operands, inputs) || changed
			})
		}
	}
}

// joinInputs joins the inputs of an edge that may get one buffer, and tells whether they weren't joined before.
func (d *deallocator) joinInputs(operands ir.Operands, inputs []*ir.Value) (changed bool) {
	passed := map[*class]*ir.Value{}
	for i := range min(len(operands), len(inputs)) {
		to := inputs[i]
		if !isMemRef(operands.At(i)) || !isMemRef(to) {
			continue
		}
		for _, v := range sourcesOf(operands.At(i)) {
			c := d.aliases.class(v)
			switch other := passed[c]; {
			case other == nil:
				passed[c] = to
			case d.aliases.class(other) != d.aliases.class(to):
				d.aliases.union(other, to)
				changed = true
			}
		}
	}
	return changed
}

// sourcesOf returns the buffers that a value may be a view or another name of, as far as operations without regions, and but calls, tell: those that
// are allocated, arguments, and results of others. It takes time linear in the values on the way.
func sourcesOf(v *ir.Value) (sources []*ir.Value) {
	seen := map[*ir.Value]bool{v: true}
	for work := []*ir.Value{v}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		from := 0
		if op := at.DefiningOp(); op != nil && op.NumRegions() == 0 && !interfaces.Call.Has(op) {
			for _, w := range memrefs(op.Operands().Values()) {
				if ir.ElementType(w.Type()) != ir.ElementType(at.Type()) {
					continue
				}
				if from++; !seen[w] {
					seen[w] = true
					work = append(work, w)
				}
			}
		}
		if from == 0 {
			sources = append(sources, at)
		}
	}
	return sources
}
