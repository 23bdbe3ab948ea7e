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
