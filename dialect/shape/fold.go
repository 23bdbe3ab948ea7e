package shape

import (
	"encoding/binary"
	"math/big"

	"freehold/ir"
)

// extents returns the extents of a constant shape.
func extents(a ir.Attribute) ([]int64, bool) {
	d, ok := a.(*ir.DenseElementsAttr)
	if !ok || ir.ElementType(d.Type) != ir.Type(ir.Index) {
		return nil, false
	}
	list := make([]int64, d.Len())
	for i := range list {
		list[i] = int64(binary.LittleEndian.Uint64([]byte(d.Raw(int64(i)))))
	}
	return list, true
}

// shapeAttr is the attribute of a constant shape.
func shapeAttr(c *ir.Context, extents []int64) ir.Attribute {
	var data []byte
	for _, e := range extents {
		data = binary.LittleEndian.AppendUint64(data, uint64(e))
	}
	return c.DenseElements(extentTensorType(c, int64(len(extents))), data)
}

func foldShape(c *ir.Context, extents []int64) []ir.FoldResult {
	return ir.FoldAttr(shapeAttr(c, extents))
}

func foldNumbers(compute func(z, a, b *big.Int) bool) func(*ir.Op, []ir.Attribute) []ir.FoldResult {
	return func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
		a, ok := operands[0].(*ir.IntegerAttr)
		b, ok2 := operands[1].(*ir.IntegerAttr)
		z := new(big.Int)
		if !ok || !ok2 || !compute(z, a.BigInt(), b.BigInt()) {
			return nil
		}
		return ir.FoldAttr(op.Context().BigIntegerAttr(ir.Index, z))
	}
}

// floorDiv rounds towards negative infinity.
func floorDiv(z, a, b *big.Int) bool {
	if b.Sign() == 0 {
		return false
	}
	var rem big.Int
	z.QuoRem(a, b, &rem)
	if rem.Sign() != 0 && rem.Sign() != b.Sign() {
		z.Sub(z, big.NewInt(1))
	}
	return true
}

func foldAdd(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	// Only numbers count as zero, sizes do not.
	rhs := AddOp{op}.RHS()
	if n, ok := ir.ConstantInt(rhs); ok && n == 0 && rhs.Type() == ir.Type(ir.Index) && (AddOp{op}).LHS().Type() == op.Result(0).Type() {
		return ir.FoldValue(AddOp{op}.LHS())
	}
	return foldNumbers(func(z, a, b *big.Int) bool { z.Add(a, b); return true })(op, operands)
}

func foldSameOperands(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	if op.Operand(0) != op.Operand(1) {
		return nil
	}
	return ir.FoldValue(op.Operand(0))
}

func foldRank(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	shape, ok := extents(operands[0])
	if !ok {
		return nil
	}
	return ir.FoldAttr(op.Context().IndexAttr(int64(len(shape))))
}

func foldNumElements(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	shape, ok := extents(operands[0])
	if !ok {
		return nil
	}
	n := int64(1)
	for _, e := range shape {
		n *= e
	}
	return ir.FoldAttr(op.Context().IndexAttr(n))
}

func foldGetExtent(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	shape, ok := extents(operands[0])
	at, ok2 := ir.ConstantInt(GetExtentOp{op}.Dim())
	if !ok || !ok2 || at < 0 || at >= int64(len(shape)) {
		return nil
	}
	return ir.FoldAttr(op.Context().IndexAttr(shape[at]))
}

func foldDim(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	shape, ok := ir.ShapeOf(DimOp{op}.Value().Type())
	at, ok2 := ir.ConstantInt(DimOp{op}.Index())
	if !ok || !ok2 || at < 0 || at >= int64(len(shape)) || shape[at] == ir.Dynamic {
		return nil
	}
	return ir.FoldAttr(op.Context().IndexAttr(shape[at]))
}

func foldFromExtents(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	list := make([]int64, len(operands))
	for i, a := range operands {
		n, ok := a.(*ir.IntegerAttr)
		if !ok {
			return nil
		}
		list[i] = n.Value
	}
	return foldShape(op.Context(), list)
}

func foldConcat(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	a, ok := extents(operands[0])
	b, ok2 := extents(operands[1])
	if !ok || !ok2 {
		return nil
	}
	return foldShape(op.Context(), append(a, b...))
}

func foldSplitAt(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	shape, ok := extents(operands[0])
	at, ok2 := operands[1].(*ir.IntegerAttr)
	if !ok || !ok2 {
		return nil
	}
	n, i := int64(len(shape)), at.Value
	if i < -n || i > n {
		return nil
	}
	if i < 0 {
		i += n
	}
	if !holds(op.Result(0).Type(), i) || !holds(op.Result(1).Type(), n-i) {
		return nil
	}
	c := op.Context()
	return []ir.FoldResult{{Attr: shapeAttr(c, shape[:i])}, {Attr: shapeAttr(c, shape[i:])}}
}

// holds tells whether a type is that of shapes that may have n extents.
func holds(t ir.Type, n int64) bool {
	sizes, ranked := ir.ShapeOf(t)
	return !ranked || len(sizes) != 1 || sizes[0] == ir.Dynamic || sizes[0] == n
}

// foldAny takes the last shape if it is constant: constants are ordered last.
func foldAny(_ *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if n := len(operands); n > 0 && operands[n-1] != nil {
		return ir.FoldAttr(operands[n-1])
	}
	return nil
}

func foldToExtentTensor(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if (ToExtentTensorOp{op}).Input().Type() == op.Result(0).Type() {
		return ir.FoldValue(ToExtentTensorOp{op}.Input())
	}
	if operands[0] == nil {
		return nil
	}
	return ir.FoldAttr(operands[0])
}

// foldConversion folds conversions between sizes and numbers: of constants, to the
// same type, and of a conversion from that type.
func foldConversion(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	in := op.OnlyOperand()
	if in.Type() == op.Result(0).Type() {
		return ir.FoldValue(in)
	}
	if operands[0] != nil {
		return ir.FoldAttr(operands[0])
	}
	return nil
}

func foldBroadcast(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	switch len(operands) {
	case 1:
		// Another type needs a cast, which a fold can't create.
		if op.OnlyOperand().Type() == op.Result(0).Type() {
			return ir.FoldValue(op.OnlyOperand())
		}
	case 2:
		a, ok := extents(operands[0])
		b, ok2 := extents(operands[1])
		if !ok || !ok2 {
			return nil
		}
		if shape, ok := broadcastShapes(a, b); ok {
			return foldShape(op.Context(), shape)
		}
	}
	return nil
}

func foldShapeEq(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	same := true
	for _, a := range operands {
		if a == nil {
			return nil
		}
		same = same && a == operands[0]
	}
	return ir.FoldAttr(op.Context().Bool(same))
}

func foldIsBroadcastable(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if len(operands) >= 2 {
		return nil
	}
	return ir.FoldAttr(op.Context().Bool(true))
}

// foldCstrEq folds only to a witness that holds: a failing one is an assertion
// that is to be kept.
func foldCstrEq(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	for _, a := range operands {
		if a == nil || a != operands[0] {
			return nil
		}
	}
	return ir.FoldAttr(op.Context().Bool(true))
}

func foldCstrBroadcastable(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	nonScalars := 0
	constant, known := make([][]int64, len(operands)), make([][]int64, len(operands))
	allConstant, allKnown := true, true
	for i, a := range operands {
		shape, ok := extents(a)
		if !ok || len(shape) > 0 {
			nonScalars++
		}
		constant[i], allConstant = shape, allConstant && ok
		shape, ok = knownShape(op.Operand(i))
		known[i], allKnown = shape, allKnown && ok
	}
	if nonScalars <= 1 || allConstant && broadcastable(constant) || allKnown && broadcastable(known) {
		return ir.FoldAttr(op.Context().Bool(true))
	}
	return nil
}

// knownShape returns what is known of the shape that a value is: the type of what
// it is the shape of, or its constant extents.
func knownShape(v *ir.Value) ([]int64, bool) {
	if def := v.DefiningOp(); def != nil && def.Is(ShapeOf) {
		return ir.ShapeOf(ShapeOfOp{def}.Arg().Type())
	}
	return extents(ir.ConstantOf(v))
}

// foldAssumingAll drops the witnesses that hold; constants are ordered last. Nothing is dropped where all is known, as who asks what the result is may go on
// with the operation.
func foldAssumingAll(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	open := len(operands)
	for ; open > 0; open-- {
		a, ok := operands[open-1].(*ir.IntegerAttr)
		switch {
		case ok && a.Value == 0:
			return ir.FoldAttr(a)
		case ok:
			continue
		case open == len(operands):
			return nil
		}
		op.EraseOperands(open, len(operands)-open)
		return ir.FoldedInPlace()
	}
	return ir.FoldAttr(op.Context().Bool(true))
}
