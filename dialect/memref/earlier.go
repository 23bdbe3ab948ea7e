package memref

import (
	"fmt"

	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// InferOutputShape returns what completes the state of an expansion that doesn't say the
// sizes of its result, as before LLVM 19: in each group of dimensions, one at most wasn't
// constant. sizeOf tells, or computes, a size of what is expanded.
func InferOutputShape(sizeOf func(b *ir.Builder, v *ir.Value, i int) shapes.OpFoldResult) func(b *ir.Builder, s *ir.OpState) error {
	return func(b *ir.Builder, s *ir.OpState) error {
		def := s.Name.Def()
		groups := s.Attr(interfaces.ReassociationAttr)
		if s.Attr(StaticOutputShapeAttr) != nil || len(s.Operands) != 1 || len(s.Types) != 1 || groups == nil ||
			!def.Operands[0].Type.Match(s.Operands[0].Type()) || !def.Attrs[def.AttrIndex(interfaces.ReassociationAttr)].Accepts(groups) {
			return nil
		}
		to, ok1 := ir.ShapeOf(s.Types[0])
		from, ok2 := ir.ShapeOf(s.Operands[0].Type())
		if !ok1 || !ok2 || len(groups.(*ir.ArrayAttr).Elems) != len(from) {
			return nil // an error of the verifier
		}
		for i, group := range shapes.ReassociationOf(groups) {
			rest, unknown := int64(1), 0
			for _, d := range group {
				if d < 0 || d >= int64(len(to)) {
					return nil
				}
				if to[d] == ir.Dynamic {
					unknown++
				} else {
					rest *= to[d]
				}
			}
			if unknown > 1 {
				return fmt.Errorf("has several dynamic sizes that belong to dimension %d, and doesn't say what they are", i)
			}
			if unknown == 1 {
				s.Operands = append(s.Operands, quotient(b, sizeOf(b, s.Operands[0], i), rest))
			}
		}
		s.SetAttr(StaticOutputShapeAttr, b.Context().DenseI64Array(to...))
		return nil
	}
}

// quotient returns a size divided by a constant.
func quotient(b *ir.Builder, size shapes.OpFoldResult, by int64) *ir.Value {
	v := arith.ValueOf(b, size)
	if by == 1 {
		return v
	}
	return b.CreateOp(arith.DivUI, []ir.Type{ir.Index}, []*ir.Value{v, arith.ConstantIndex(b, by)}).Result(0)
}
