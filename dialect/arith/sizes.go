package arith

import (
	"freehold/ir"
	"freehold/ir/shapes"
)

// ValueOf returns a size, offset or stride as a value of type index.
func ValueOf(b *ir.Builder, r shapes.OpFoldResult) *ir.Value {
	if r.Value != nil {
		return r.Value
	}
	return ConstantIndex(b, r.Const)
}

// ValuesOf is [ValueOf] for a list.
func ValuesOf(b *ir.Builder, list []shapes.OpFoldResult) []*ir.Value {
	out := make([]*ir.Value, len(list))
	for i, r := range list {
		out[i] = ValueOf(b, r)
	}
	return out
}
