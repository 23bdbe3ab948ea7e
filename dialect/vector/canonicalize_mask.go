package vector

import (
	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// maskBounds returns the bounds of a vector.constant_mask.
func maskBounds(op *ir.Op) []int64 { return listAttr(op, "mask_dim_sizes") }

// replaceMask replaces an operation by a vector.constant_mask; a bound of 0 makes
// all of them 0.
func replaceMask(r *rewrite.Rewriter, op *ir.Op, bounds []int64) {
	for _, b := range bounds {
		if b == 0 {
			clear(bounds)
			break
		}
	}
	r.Loc = op.Loc()
	r.Replace(op, r.CreateOp(ConstantMask, []ir.Type{op.Result(0).Type()}, nil,
		ir.NamedAttr{Name: "mask_dim_sizes", Value: i64Array(op.Context(), bounds)}).Result(0))
}

// vscaleMultiple returns n if the value is n times vector.vscale.
func vscaleMultiple(v *ir.Value) (int64, bool) {
	if v.DefinedBy(VScale) != nil {
		return 1, true
	}
	mul := v.DefinedBy(arith.MulI)
	if mul == nil {
		return 0, false
	}
	a, b := arith.MulIOp{Op: mul}.LHS(), arith.MulIOp{Op: mul}.RHS()
	if a.DefinedBy(VScale) == nil {
		a, b = b, a
	}
	if a.DefinedBy(VScale) == nil {
		return 0, false
	}
	return ir.ConstantInt(b)
}

func createMaskPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{{Name: "create-constant-mask", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
		t := vec(op.Result(0).Type())
		if op.NumOperands() != max(len(t.Shape), 1) {
			return false
		}
		bounds := make([]int64, op.NumOperands())
		for i := range bounds {
			size, scalable := int64(1), false
			if i < len(t.Shape) {
				size, scalable = t.Shape[i], t.Scalable != nil && t.Scalable[i]
			}
			v, ok := ir.ConstantInt(op.Operand(i))
			switch {
			case ok && !scalable:
				bounds[i] = min(max(v, 0), size)
			case ok && v <= 0:
				bounds[i] = 0
			case scalable:
				if n, ok := vscaleMultiple(op.Operand(i)); !ok || n < size {
					return false
				}
				bounds[i] = size
			default:
				return false
			}
		}
		replaceMask(r, op, bounds)
		return true
	}}}
}

// maskFormat is what is known about a mask.
type maskFormat uint8

const (
	mixedMask maskFormat = iota
	allSet
	noneSet
)

// formatOf finds out whether a mask selects everything, or nothing.
func formatOf(m *ir.Value) maskFormat {
	op := m.DefiningOp()
	if op == nil {
		return mixedMask
	}
	t := vec(m.Type())
	bounds := func(n int, bound func(i int) (int64, bool)) maskFormat {
		all := true
		for i := range n {
			b, ok := bound(i)
			if ok && b <= 0 {
				return noneSet
			}
			size := int64(1)
			if i < len(t.Shape) {
				size = t.Shape[i]
			}
			all = all && ok && b >= size
		}
		if all {
			return allSet
		}
		return mixedMask
	}
	switch {
	case op.Is(ConstantMask):
		list := maskBounds(op)
		return bounds(len(list), func(i int) (int64, bool) { return list[i], true })
	case op.Is(CreateMask):
		if t.Scalable != nil {
			return mixedMask
		}
		return bounds(op.NumOperands(), func(i int) (int64, bool) { return ir.ConstantInt(op.Operand(i)) })
	}
	if d, ok := ir.ConstantOf(m).(*ir.DenseElementsAttr); ok && d.Splat {
		if d.Data[0] != 0 {
			return allSet
		}
		return noneSet
	}
	return mixedMask
}

// maskedPatterns replace a masked operation on memory whose mask, operand group
// mask, selects everything or nothing; the functions may be nil.
func maskedPatterns(name string, mask int, all, none func(r *rewrite.Rewriter, op *ir.Op) bool) []rewrite.Pattern {
	return []rewrite.Pattern{{Name: name, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
		switch f := formatOf(op.OperandGroup(mask).At(0)); {
		case f == allSet && all != nil:
			return all(r, op)
		case f == noneSet && none != nil:
			return none(r, op)
		}
		return false
	}}}
}

func replaceByPassThru(r *rewrite.Rewriter, op *ir.Op) bool {
	r.Replace(op, op.OperandGroup(op.Def().OperandIndex("pass_thru")).At(0))
	return true
}

// eraseStore leaves a tensor as it was, where the operation returns one.
func eraseStore(r *rewrite.Rewriter, op *ir.Op) bool {
	if op.NumResults() > 0 {
		r.Replace(op, MaskedAccessOp{op}.Base())
		return true
	}
	r.Erase(op)
	return true
}

// replaceByLoad reads all elements, unless the buffer has a layout that vector.load doesn't take. MLIR makes an invalid one.
func replaceByLoad(r *rewrite.Rewriter, op *ir.Op) bool {
	if !inRows(op) {
		return false
	}
	r.Loc = op.Loc()
	operands := append([]*ir.Value{MaskedAccessOp{op}.Base()}, op.OperandGroup(1).Values()...)
	r.Replace(op, r.CreateOp(Load, []ir.Type{op.Result(0).Type()}, operands).Result(0))
	return true
}

// inRows tells whether the elements of the rows of a buffer follow each other in memory, as vector.load and vector.store demand.
func inRows(op *ir.Op) bool {
	t, ok := MaskedAccessOp{op}.Base().Type().(*ir.MemRefType)
	return ok && interfaces.HasUnitInnermostStride(t)
}

func replaceByStore(r *rewrite.Rewriter, op *ir.Op) bool {
	if !inRows(op) {
		return false
	}
	r.Loc = op.Loc()
	operands := append([]*ir.Value{op.OperandGroup(3).At(0), MaskedAccessOp{op}.Base()}, op.OperandGroup(1).Values()...)
	r.CreateOp(Store, nil, operands)
	r.Erase(op)
	return true
}

// foldCasts looks through casts of memrefs.
func foldCasts(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	if memref.FoldCasts(op, nil) {
		return ir.FoldedInPlace()
	}
	return nil
}

// foldAllTrueMask takes an operation with results out of a mask that selects everything, before it.
func foldAllTrueMask(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	body := op.BodyBlock(0)
	if body == nil || op.NumResults() == 0 || formatOf(MaskOp{op}.Mask()) != allSet {
		return nil
	}
	inner, yield := body.First(), body.Last()
	if inner == nil || inner == yield || inner.Next() != yield || !yield.Is(Yield) {
		return nil
	}
	inner.MoveBefore(op)
	results := make([]ir.FoldResult, 0, op.NumResults())
	for _, v := range yield.Operands().Values() {
		results = append(results, ir.FoldResult{Value: v})
	}
	return results
}

// maskPatterns take operations out of masks that select everything, and replace
// masks around nothing.
func maskPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{{Name: "empty-mask-with-passthru", Since: 22, Benefit: 2, Rewrite: emptyMaskWithPassthru}, {Name: "all-true-or-empty-mask", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
		body := op.BodyBlock(0)
		if body == nil || body.Last() == nil || !body.Last().Is(Yield) {
			return false
		}
		yield := body.Last()
		inner := body.First()
		if inner != yield && (formatOf(MaskOp{op}.Mask()) != allSet || inner.Next() != yield) {
			return false
		}
		values := yield.Operands().Values()
		if inner != yield {
			r.MoveBefore(inner, op)
		}
		if op.NumResults() == 0 {
			r.Erase(op)
			return true
		}
		r.Replace(op, values...)
		return true
	}}}
}
