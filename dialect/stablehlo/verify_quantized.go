package stablehlo

import (
	"slices"

	"freehold/dialect/quant"
	"freehold/ir"
)

// Constraints of quantized elements.

// validQuantized tells whether a quantized type is one that the specification has: its zero points can be stored.
func validQuantized(q *quant.Uniform) bool {
	for _, z := range q.ZeroPoints {
		if z < q.Min || z > q.Max {
			return false
		}
	}
	return true
}

// axisFits tells whether a tensor has the dimension along which its scales differ, with as many elements as there are scales.
func axisFits(t ir.Type) bool {
	r := rankedOf(t)
	if _, ok := r.Elem.(*ir.DialectType); !ok {
		return true
	}
	q := quant.Of(r.Elem)
	return q == nil || q.Axis < 0 || q.Axis < len(r.Shape) && ir.SameSize(r.Shape[q.Axis], int64(len(q.Scales)))
}

// sameStorage tells whether numbers are stored as the same integers, and sameExpressed whether they stand for the same ones.
func sameStorage(p, q *quant.Uniform) bool   { return p.Width == q.Width && p.Signed == q.Signed }
func sameExpressed(p, q *quant.Uniform) bool { return p.Expressed == q.Expressed }

// sameButAxis tells whether numbers are quantized in the same way, perhaps along another dimension.
func sameButAxis(p, q *quant.Uniform) bool {
	return sameStorage(p, q) && sameExpressed(p, q) && p.Min == q.Min && p.Max == q.Max && p.Axis < 0 == (q.Axis < 0) &&
		slices.Equal(p.Scales, q.Scales) && slices.Equal(p.ZeroPoints, q.ZeroPoints)
}

// verifyAdd demands operands and a result that are all quantized, or none: as the same integers, and along the same dimension.
func verifyAdd(op *ir.Op) error {
	if err := verifySameElements(op); err != nil {
		return err
	}
	l, r, out := quant.Of(tensorAt(op, 0).Elem), quant.Of(tensorAt(op, 1).Elem), quant.Of(resultAt(op, 0).Elem)
	switch {
	case l == nil && r == nil && out == nil:
		return nil
	case l == nil || r == nil || out == nil:
		return op.Errorf("either all operands and results must be quantized, or none")
	case !sameStorage(l, r) || !sameStorage(l, out) || !sameExpressed(l, r) || !sameExpressed(l, out):
		return op.Errorf("operands and result must be stored as the same integers, and express the same numbers")
	case (l.Axis >= 0 || r.Axis >= 0) != (out.Axis >= 0):
		return op.Errorf("the scales of the result must differ along a dimension exactly if those of an operand do")
	case l.Axis >= 0 && l.Axis != out.Axis || r.Axis >= 0 && r.Axis != out.Axis:
		return op.Errorf("the scales of operands and result must differ along the same dimension")
	}
	return nil
}

// verifyMoved demands that elements that are only moved stay as they are: in the result, the scales of dimension d of the operand
// differ along dimension to(d).
func verifyMoved(op *ir.Op, to func(d int) int) error {
	p, q := quant.Of(tensorAt(op, 0).Elem), quant.Of(resultAt(op, 0).Elem)
	switch {
	case p == nil && q == nil:
		return nil
	case p == nil || q == nil || !sameButAxis(p, q):
		return op.Errorf("operand and result must have the same elements")
	case p.Axis >= 0 && to(p.Axis) != q.Axis:
		return op.Errorf("the scales of the result must differ along dimension %d, not %d", to(p.Axis), q.Axis)
	}
	return nil
}

func verifyTranspose(op *ir.Op) error {
	perm := Ints(op.Attr("permutation"))
	return verifyMoved(op, func(d int) int { return slices.Index(perm, int64(d)) })
}

// verifyReshaped demands that there are as many elements before the dimension along which scales differ, and behind it, as before.
func verifyReshaped(op *ir.Op) error {
	x, r := tensorAt(op, 0), resultAt(op, 0)
	p, q := quant.Of(x.Elem), quant.Of(r.Elem)
	if err := verifyMoved(op, func(int) int { return q.Axis }); err != nil || p == nil || p.Axis < 0 {
		return err
	}
	before, ok1 := ir.NumElements(x.Shape[:p.Axis])
	after, ok2 := ir.NumElements(r.Shape[:q.Axis])
	return failedUnless(op, !ok1 || !ok2 || before == after, "the dimension along which scales differ must keep its place among the elements")
}

// verifyBroadcasted is verifyMoved for what is repeated along dimensions, whose one scale is repeated as well.
func verifyBroadcasted(op *ir.Op, dims []int64) error {
	x, r := tensorAt(op, 0), resultAt(op, 0)
	p, q := quant.Of(x.Elem), quant.Of(r.Elem)
	if p == nil || q == nil || p.Axis < 0 || q.Axis < 0 || len(p.Scales) != 1 {
		return verifyMoved(op, func(d int) int { return int(dims[d]) })
	}
	repeated := *p
	n := max(1, len(q.Scales))
	repeated.Scales, repeated.ZeroPoints = slices.Repeat(p.Scales, n), slices.Repeat(p.ZeroPoints, n)
	return failedUnless(op, sameButAxis(&repeated, q) && int(dims[p.Axis]) == q.Axis, "operand and result must have the same elements")
}

// verifyProduct demands elements that can be multiplied and summed: numbers of the same kind; or quantized ones, where the first
// operand may also have the numbers that the second one expresses. The scales of the second operand may differ along dimensions
// that kept accepts, and those of the result then along out, if it isn't negative.
func verifyProduct(op *ir.Op, kept func(axis int) bool, out int64) error {
	x, y, z := tensorAt(op, 0).Elem, tensorAt(op, 1).Elem, resultAt(op, 0).Elem
	p, q, r := quant.Of(x), quant.Of(y), quant.Of(z)
	switch {
	case p == nil && q == nil && r == nil:
		return failedUnless(op, multiplied(x, y), "operands must have the same elements")
	case q == nil || (p == nil) != (r == nil):
		return op.Errorf("the second operand must be quantized, and the result exactly if the first one is")
	case p != nil && p.Axis >= 0:
		return op.Errorf("the scales of the first operand must not differ along a dimension")
	case q.Axis >= 0 && !kept(q.Axis):
		return op.Errorf("the scales of the second operand must not differ along dimension %d", q.Axis)
	case p == nil:
		return failedUnless(op, x == ir.Type(q.Expressed) && x == z, "operands and result must express the same numbers")
	case !sameStorage(p, q):
		return op.Errorf("operands must be stored as the same integers")
	case !sameExpressed(p, q) || !sameExpressed(p, r):
		return op.Errorf("operands and result must express the same numbers")
	case q.Axis < 0 && r.Axis >= 0 || r.Axis >= 0 && out >= 0 && int64(r.Axis) != out:
		return op.Errorf("the scales of the result must not differ along dimension %d", r.Axis)
	}
	return nil
}

// multiplied tells whether products of two types have a meaning: the same ones, integers, or floats. The specification has mixed ones only of few bits; but StableHLO's
// own verifier never looked at that, so that exporters write others (openxla/stablehlo#1439).
func multiplied(a, b ir.Type) bool {
	if a == b || ir.IsIntOrIndex(a) && ir.IsIntOrIndex(b) && !isBool(a) && !isBool(b) {
		return true
	}
	return ir.IsFloat(a) && ir.IsFloat(b)
}
