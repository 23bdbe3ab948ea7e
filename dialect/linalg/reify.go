package linalg

import (
	"freehold/dialect/tensor"
	"freehold/iface"
	"freehold/ir"
)

// reifyInits returns the sizes of the destinations, which are those of the
// results.
func reifyInits(b *ir.Builder, op *ir.Op) [][]iface.OpFoldResult {
	var out [][]iface.OpFoldResult
	inits := iface.DpsInits(op)
	for i := range inits {
		if v := inits.At(i); ir.IsTensor(v.Type()) {
			out = append(out, tensor.MixedSizes(b, v))
		}
	}
	return out
}
