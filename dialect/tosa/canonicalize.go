package tosa

import (
	"math"
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// again creates an operation of the same kind as another one, with its attributes.
func again(r *rewrite.Rewriter, op *ir.Op, operands []*ir.Value, attrs ...ir.NamedAttr) *ir.Op {
	r.At(op)
	return r.CreateOp(op.ID(), op.Results().Types(), operands, attrs...)
}

// removeClamp forwards what no limit changes.
func removeClamp(r *rewrite.Rewriter, op *ir.Op) bool {
	t := tensorType(ClampOp{op}.Input())
	if t == nil || !ir.IsStaticShape(t.Shape) || (ClampOp{op}).Input().Type() != op.Result(0).Type() {
		return false
	}
	switch elem := t.Elem.(type) {
	case *ir.FloatType:
		low, high := op.Attr("min_fp").(*ir.FloatAttr).Float64(), op.Attr("max_fp").(*ir.FloatAttr).Float64()
		if !math.IsInf(low, -1) || !math.IsInf(high, 1) {
			return false
		}
	case *ir.IntegerType:
		if elem.Width > 63 {
			return false
		}
		least, largest := int64(-1)<<(elem.Width-1), int64(1)<<(elem.Width-1)-1
		if elem.Signedness == ir.Unsigned {
			least, largest = 0, int64(1)<<elem.Width-1
		}
		if op.Attr("min_int").(*ir.IntegerAttr).Value > least || op.Attr("max_int").(*ir.IntegerAttr).Value < largest {
			return false
		}
	}
	r.Replace(op, ClampOp{op}.Input())
	return true
}

// joinClamps makes one clamp of two whose ranges overlap.
func joinClamps(r *rewrite.Rewriter, op *ir.Op) bool {
	inner := ClampOp{op}.Input().DefinedBy(Clamp)
	if inner == nil || (ClampOp{inner}).Input().Type() != (ClampOp{op}).Input().Type() {
		return false
	}
	lowInt, highInt := op.Attr("min_int").(*ir.IntegerAttr), op.Attr("max_int").(*ir.IntegerAttr)
	lowFloat, highFloat := op.Attr("min_fp").(*ir.FloatAttr), op.Attr("max_fp").(*ir.FloatAttr)
	if a := inner.Attr("min_int").(*ir.IntegerAttr); a.Value > lowInt.Value {
		lowInt = a
	}
	if a := inner.Attr("max_int").(*ir.IntegerAttr); a.Value < highInt.Value {
		highInt = a
	}
	if a := inner.Attr("min_fp").(*ir.FloatAttr); a.Float64() > lowFloat.Float64() {
		lowFloat = a
	}
	if a := inner.Attr("max_fp").(*ir.FloatAttr); a.Float64() < highFloat.Float64() {
		highFloat = a
	}
	if lowInt.Value > highInt.Value || !(lowFloat.Float64() <= highFloat.Float64()) || lowFloat.Type != highFloat.Type {
		return false
	}
	r.Replace(op, again(r, op, []*ir.Value{ClampOp{inner}.Input()}, ir.NamedAttr{Name: "min_int", Value: lowInt}, ir.NamedAttr{Name: "max_int", Value: highInt},
		ir.NamedAttr{Name: "min_fp", Value: lowFloat}, ir.NamedAttr{Name: "max_fp", Value: highFloat}).Result(0))
	return true
}

// removeMaxPool forwards images of one element.
func removeMaxPool(r *rewrite.Rewriter, op *ir.Op) bool {
	in, out := tensorType(MaxPool2DOp{op}.Input()), tensorType(op.Result(0))
	if in == nil || out == nil || in != out || !slices.Equal(in.Shape[1:3], []int64{1, 1}) {
		return false
	}
	r.Replace(op, MaxPool2DOp{op}.Input())
	return true
}

// selectOfNot exchanges what is chosen from, instead of inverting the choice.
func selectOfNot(r *rewrite.Rewriter, op *ir.Op) bool {
	not := SelectOp{op}.Pred().DefinedBy(LogicalNot)
	if not == nil {
		return false
	}
	r.Modify(op, func() {
		on, off := SelectOp{op}.OnTrue(), SelectOp{op}.OnFalse()
		op.SetOperands([]*ir.Value{LogicalNotOp{not}.Input1(), off, on})
	})
	return true
}

// materializePadValue says what is padded with where that is the number that stands for zero.
func materializePadValue(r *rewrite.Rewriter, op *ir.Op) bool {
	if op.NumOperands() == 3 {
		return false
	}
	elem := ir.ElementType(PadOp{op}.Input1().Type())
	c := r.Context()
	var number ir.Attribute
	points, quantized := ZeroPoints(op)
	switch t := elem.(type) {
	case *ir.FloatType:
		number = c.FloatAttr(t, 0)
	case *ir.IntegerType:
		n := int64(0)
		if quantized {
			n = points[0]
		}
		number = c.IntegerAttr(t, n)
	default:
		return false
	}
	r.At(op)
	with := NewConst(r.Builder, c.DenseElements(c.RankedTensor(nil, elem), ir.AppendElement(nil, number)))
	attrs := op.DiscardableAttrs()
	if quantized {
		attrs = append(attrs, ir.NamedAttr{Name: quantName, Value: op.Attr(quantName)})
	}
	r.Replace(op, again(r, op, []*ir.Value{PadOp{op}.Input1(), PadOp{op}.Padding(), with}, attrs...).Result(0))
	return true
}

// removeConcat forwards a tensor that nothing is concatenated with.
func removeConcat(r *rewrite.Rewriter, op *ir.Op) bool {
	if op.NumOperands() != 1 {
		return false
	}
	v := op.OnlyOperand()
	if v.Type() != op.Result(0).Type() {
		r.At(op)
		v = tensor.NewCast(r.Builder, op.Result(0).Type(), v)
	}
	r.Replace(op, v)
	return true
}

// sliceOfConcat takes a slice of the part of a concatenation that it lies in.
func sliceOfConcat(r *rewrite.Rewriter, op *ir.Op) bool {
	concat := SliceOp{op}.Input().DefinedBy(Concat)
	if concat == nil {
		return false
	}
	axis := Axis(concat)
	start, size := ints(op, "start"), ints(op, "size")
	if axis < 0 || axis >= int64(len(start)) {
		return false
	}
	for _, v := range concat.Operands().Values() {
		t := tensorType(v)
		if t == nil || axis >= int64(len(t.Shape)) || t.Shape[axis] == ir.Dynamic {
			return false
		}
		if n := t.Shape[axis]; start[axis] >= 0 && start[axis]+size[axis] <= n && size[axis] >= 0 {
			c := r.Context()
			r.Replace(op, again(r, op, []*ir.Value{v}, ir.NamedAttr{Name: "start", Value: c.DenseI64Array(start...)},
				ir.NamedAttr{Name: "size", Value: c.DenseI64Array(size...)}).Result(0))
			return true
		}
		start[axis] -= t.Shape[axis]
	}
	return false
}

// joinTransposes makes one transposition of two.
func joinTransposes(r *rewrite.Rewriter, op *ir.Op) bool {
	inner := TransposeOp{op}.Input1().DefinedBy(Transpose)
	if inner == nil {
		return false
	}
	first, second := Permutation(inner), Permutation(op)
	if first == nil || second == nil || len(first) != len(second) || !isPermutation(first) || !isPermutation(second) {
		return false
	}
	c := r.Context()
	var data []byte
	for _, d := range second {
		data = ir.AppendElement(data, c.IntegerAttr(ir.I32, first[d]))
	}
	r.At(op)
	perm := arith.NewConstant(r.Builder, c.DenseElements(c.RankedTensor([]int64{int64(len(first))}, ir.I32), data)).Result(0)
	r.Replace(op, again(r, op, []*ir.Value{TransposeOp{inner}.Input1(), perm}).Result(0))
	return true
}

// transposeToReshape replaces a transposition that only moves dimensions of size 1.
func transposeToReshape(r *rewrite.Rewriter, op *ir.Op) bool {
	in, out := tensorType(TransposeOp{op}.Input1()), tensorType(op.Result(0))
	perm := Permutation(op)
	if in == nil || out == nil || len(perm) != len(in.Shape) || !isPermutation(perm) || ir.NumDynamic(in.Shape) > 1 {
		return false
	}
	var moved []int64
	for _, d := range perm {
		if in.Shape[d] != 1 {
			moved = append(moved, d)
		}
	}
	if !slices.IsSorted(moved) || !slices.EqualFunc(perm, out.Shape, func(d, n int64) bool { return n == ir.Dynamic || in.Shape[d] == ir.Dynamic || n == in.Shape[d] }) {
		return false
	}
	shape := make([]int64, len(perm))
	for i, d := range perm {
		shape[i] = in.Shape[d]
		if shape[i] == ir.Dynamic {
			shape[i] = -1
		}
	}
	r.At(op)
	r.Replace(op, r.CreateOp(Reshape, op.Results().Types(), []*ir.Value{TransposeOp{op}.Input1()},
		ir.NamedAttr{Name: "new_shape", Value: r.Context().DenseI64Array(shape...)}).Result(0))
	return true
}
