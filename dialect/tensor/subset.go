package tensor

import (
	"freehold/iface"
	"freehold/ir"
)

// container returns the tensor of which a slice operation reads or writes a part,
// or nil for other operations.
func container(op *ir.Op) *ir.Value {
	switch op.Name() {
	case "tensor.extract_slice":
		return op.Operand(0)
	case "tensor.insert_slice", "tensor.parallel_insert_slice":
		return op.Operand(1)
	}
	return nil
}

// sameSubset tells whether two slice operations work on the same part of
// equivalent tensors.
func sameSubset(a, b *ir.Op, equivalent func(v, w *ir.Value) bool) bool {
	ca, cb := container(a), container(b)
	if ca == nil || cb == nil || ca != cb && !equivalent(ca, cb) {
		return false
	}
	sa, sb := iface.SliceOf(a), iface.SliceOf(b)
	return iface.SameList(sa.Offsets, sb.Offsets) && iface.SameList(sa.Sizes, sb.Sizes) && iface.SameList(sa.Strides, sb.Strides)
}

// disjointSubset tells whether two slice operations are known to work on different
// parts of equivalent tensors: with constant bounds that don't overlap in some
// dimension.
func disjointSubset(a, b *ir.Op, equivalent func(v, w *ir.Value) bool) bool {
	ca, cb := container(a), container(b)
	if ca == nil || cb == nil || ca != cb && !equivalent(ca, cb) {
		return false
	}
	sa, sb := iface.SliceOf(a), iface.SliceOf(b)
	for i := range sa.Offsets {
		if i < len(sb.Offsets) && (before(sa, sb, i) || before(sb, sa, i)) {
			return true
		}
	}
	return false
}

// before tells whether slice a ends before slice b begins in dimension i.
func before(a, b iface.Slice, i int) bool {
	ao, ok1 := a.Offsets[i].Int()
	as, ok2 := a.Sizes[i].Int()
	at, ok3 := a.Strides[i].Int()
	bo, ok4 := b.Offsets[i].Int()
	return ok1 && ok2 && ok3 && ok4 && as > 0 && at > 0 && ao+(as-1)*at < bo
}

type subset struct{}

func (subset) EquivalentSubset(op *ir.Op, candidate *ir.Value, equivalent func(a, b *ir.Value) bool) bool {
	def := candidate.DefiningOp()
	return def != nil && def.Name() == "tensor.extract_slice" && candidate.Type() == subsetType(op) && sameSubset(op, def, equivalent)
}

// subsetType returns the type of the part that a slice operation reads or writes.
func subsetType(op *ir.Op) ir.Type {
	if op.Name() == "tensor.extract_slice" {
		return op.Result(0).Type()
	}
	return op.Operand(0).Type()
}

func (subset) OperatesOnEquivalent(op, other *ir.Op, equivalent func(a, b *ir.Value) bool) bool {
	return sameSubset(op, other, equivalent)
}

func (subset) OperatesOnDisjoint(op, other *ir.Op, equivalent func(a, b *ir.Value) bool) bool {
	return disjointSubset(op, other, equivalent)
}

type subsetInsertion struct{ subset }

func (subsetInsertion) Source(op *ir.Op) *ir.Use      { return op.OperandUse(0) }
func (subsetInsertion) Destination(op *ir.Op) *ir.Use { return op.OperandUse(1) }

func (subsetInsertion) BuildExtraction(b *ir.Builder, op *ir.Op) *ir.Value {
	return NewExtractSlice(b, op.Operand(0).Type().(*ir.RankedTensorType), op.Operand(1), iface.SliceOf(op))
}

func (subsetInsertion) ValuesNeeded(op *ir.Op) []*ir.Value {
	values := []*ir.Value{op.Operand(1)}
	s := iface.SliceOf(op)
	for _, list := range [][]iface.OpFoldResult{s.Offsets, s.Sizes, s.Strides} {
		for _, x := range list {
			if x.Value != nil {
				values = append(values, x.Value)
			}
		}
	}
	return values
}
