package vector

import (
	"freehold/dialect/memref"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// foldSame folds operations whose result has the type of an operand, which it
// then must be.
func foldSame(operand int) func(*ir.Op, []ir.Attribute) []ir.FoldResult {
	return func(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
		if op.Operand(operand).Type() == op.Result(0).Type() {
			return ir.FoldValue(op.Operand(operand))
		}
		return nil
	}
}

// splatOf returns the constant a, a scalar or a splat, as a constant of type t, or
// nil.
func splatOf(c *ir.Context, a ir.Attribute, t *ir.VectorType) ir.Attribute {
	if n, ok := ir.NumElements(t.Shape); !ok || n == 0 || t.Scalable != nil {
		return nil
	}
	switch a := a.(type) {
	case *ir.IntegerAttr, *ir.FloatAttr:
		return c.DenseElements(t, ir.AppendElement(nil, a))
	case *ir.DenseElementsAttr:
		if a.Splat {
			return c.DenseElements(t, []byte(a.Data))
		}
	}
	return nil
}

// foldBroadcast folds broadcasts that change nothing and those of constants.
func foldBroadcast(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if (BroadcastOp{op}).Source().Type() == op.Result(0).Type() {
		return ir.FoldValue(BroadcastOp{op}.Source())
	}
	if len(operands) == 0 || operands[0] == nil {
		return nil
	}
	if a := splatOf(op.Context(), operands[0], vec(op.Result(0).Type())); a != nil {
		return ir.FoldAttr(a)
	}
	return nil
}

// foldTranspose folds the identity, and transpositions of splats.
func foldTranspose(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if len(operands) > 0 {
		if d, ok := operands[0].(*ir.DenseElementsAttr); ok {
			if a := splatOf(op.Context(), d, vec(op.Result(0).Type())); a != nil {
				return ir.FoldAttr(a)
			}
		}
	}
	for i, p := range interfaces.StaticInts(op, "permutation") {
		if p != int64(i) {
			return nil
		}
	}
	return ir.FoldValue(TransposeOp{op}.Vector())
}

// foldBitCast folds casts to the same type, casts of casts, and those of constants.
func foldBitCast(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	src := BitCastOp{op}.Source()
	if src.Type() == op.Result(0).Type() {
		return ir.FoldValue(src)
	}
	inner := src.DefinedBy(BitCast)
	if inner == nil {
		return foldBitCastConstant(op, operands)
	}
	if (BitCastOp{inner}).Source().Type() == op.Result(0).Type() {
		return ir.FoldValue(BitCastOp{inner}.Source())
	}
	op.SetOperand(0, BitCastOp{inner}.Source())
	return ir.FoldedInPlace()
}

// keep is the fold of what LLVM 22 no longer folds.
func keep(*ir.Op, []ir.Attribute) []ir.FoldResult { return nil }

// foldStep folds to the numbers, where it is known how many there are, and that they may be listed.
func foldStep(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	t := vec(op.Result(0).Type())
	if t.Scalable != nil || t.Shape[0] > listedElements {
		return nil
	}
	c := op.Context()
	var data []byte
	for i := range t.Shape[0] {
		data = ir.AppendElement(data, c.IndexAttr(i))
	}
	return ir.FoldAttr(c.DenseElements(t, data))
}

// foldShuffle folds picking just one of the vectors, or from constants.
func foldShuffle(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if f := foldWholeShuffle(op); f != nil {
		return f
	}
	return foldShuffleConstants(op, operands)
}

// foldWholeShuffle folds a shuffle that takes all elements of one vector, in order.
func foldWholeShuffle(op *ir.Op) []ir.FoldResult {
	mask, ok := op.Attr("mask").(*ir.ArrayAttr)
	v1, v2 := vec(ShuffleOp{op}.V1().Type()), vec(ShuffleOp{op}.V2().Type())
	if !ok || v1 == nil || v2 == nil || len(v1.Shape) == 0 || len(v2.Shape) == 0 {
		return nil
	}
	counts := func(start, n int64) bool {
		if int64(len(mask.Elems)) != n {
			return false
		}
		for i, e := range mask.Elems {
			if x, ok := e.(*ir.IntegerAttr); !ok || x.Value != start+int64(i) {
				return false
			}
		}
		return true
	}
	switch {
	case counts(0, v1.Shape[0]):
		return ir.FoldValue(ShuffleOp{op}.V1())
	case counts(v1.Shape[0], v2.Shape[0]):
		return ir.FoldValue(ShuffleOp{op}.V2())
	}
	return nil
}

// foldTransfer marks dimensions that are known to be within bounds, drops masks that
// select everything, and looks through casts that forget static sizes.
func foldTransfer(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	o := TransferOp{op}
	if inferInBounds(o) || dropFullMask(o) || memref.FoldCasts(op, nil) {
		return ir.FoldedInPlace()
	}
	// The result of a write to a tensor has the tensor's type, so only reads may
	// change it.
	if o.IsWrite() {
		return nil
	}
	if cast := tensor.FoldableCast(o.Source()); cast != nil {
		op.SetOperand(0, tensor.CastOp{Op: cast}.Source())
		return ir.FoldedInPlace()
	}
	return nil
}

// dropFullMask takes away a constant mask that selects everything, and tells whether there was one.
func dropFullMask(o TransferOp) bool {
	m := o.Mask()
	if m == nil || m.DefinedBy(CreateMask) != nil || formatOf(m) != allSet {
		return false
	}
	o.SetOperandGroup(o.Def().OperandIndex("mask"), nil)
	return true
}

// inferInBounds sets in_bounds for dimensions whose index is constant and whose
// size is static; broadcast dimensions are in bounds if all others are. It tells
// whether anything changed.
func inferInBounds(o TransferOp) bool {
	m, v := o.PermutationMap(), o.VectorType()
	in := o.InBounds()
	if len(in) == 0 || len(in) != len(m.Results) || len(in) > len(v.Shape) {
		return false
	}
	shape, _ := ir.ShapeOf(o.Source().Type())
	changed, all := false, true
	for i, r := range m.Results {
		if r.Kind != ir.AffineDim {
			continue
		}
		if d := shape[r.Value]; !in[i] && d != ir.Dynamic {
			if at, ok := ir.ConstantInt(o.Indices().At(int(r.Value))); ok && at+v.Shape[i] <= d {
				in[i], changed = true, true
			}
		}
		all = all && in[i]
	}
	for i, r := range m.Results {
		if all && r.Kind == ir.AffineConst && !in[i] {
			in[i], changed = true, true
		}
	}
	if !changed {
		return false
	}
	elems := make([]ir.Attribute, len(in))
	for i, b := range in {
		elems[i] = o.Context().Bool(b)
	}
	o.SetAttr(inBounds, o.Context().ArrayAttr(elems...))
	return true
}

// foldToElements returns the elements that a vector was made of.
func foldToElements(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	from := ToElementsOp{op}.Source().DefinedBy(FromElements)
	if from == nil || from.NumOperands() != op.NumResults() {
		return nil
	}
	out := make([]ir.FoldResult, op.NumResults())
	for i := range out {
		out[i].Value = from.Operand(i)
	}
	return out
}
