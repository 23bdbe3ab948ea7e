package twin

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// unshare gives each use of a tensor that is made of nothing but numbers, such as an empty one or a filled one, one of its own.
func unshare(module *ir.Op, choose func(n int) int) (n int) {
	b := ir.NewBuilder(module.Context())
	for _, op := range each(module, interfaces.IsPure) {
		if op.NumResults() != 1 || !ir.IsTensor(op.Result(0).Type()) || !madeOfNumbers(op) {
			continue
		}
		for i, u := range op.Result(0).Uses() {
			if i == 0 {
				continue
			}
			b.SetBefore(op)
			u.Set(copyOf(b, op))
			n++
		}
	}
	return n
}

// madeOfNumbers tells whether an operation has no tensors as operands but those that are made of numbers themselves.
func madeOfNumbers(op *ir.Op) bool {
	if op.NumOperands() > 0 && op.NumRegions() > 0 && op.RegionAt(0).Entry().NumArgs() == 0 {
		return false // control flow
	}
	for _, v := range op.Operands().Values() {
		if ir.IsShaped(v.Type()) && (v.IsBlockArg() || v.DefiningOp().NumResults() != 1 || !interfaces.IsPure(v.DefiningOp()) || !madeOfNumbers(v.DefiningOp())) {
			return false
		}
	}
	return true
}

// copyOf makes the only result of an operation again, and the tensors that it is made of.
func copyOf(b *ir.Builder, op *ir.Op) *ir.Value {
	m := ir.NewMapping()
	for _, v := range op.Operands().Values() {
		if ir.IsTensor(v.Type()) {
			m.Map(v, copyOf(b, v.DefiningOp()))
		}
	}
	return b.Clone(op, m).Result(0)
}
