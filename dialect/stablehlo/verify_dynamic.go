package stablehlo

import (
	"freehold/ir"
)

// Constraints of operations whose sizes, or what they do along dimensions, are operands.

// verifyLists demands that operands, from one on, are lists with a number for each of rank dimensions.
func verifyLists(op *ir.Op, first, rank int) error {
	for i := first; i < op.NumOperands(); i++ {
		if n := tensorAt(op, i).Shape[0]; !ir.SameSize(n, int64(rank)) {
			return op.Errorf("operand #%d has %d numbers, for %d dimensions", i, n, rank)
		}
	}
	return nil
}

func verifyDynamicPad(op *ir.Op) error {
	if err := verifySameRank(op); err != nil {
		return err
	}
	x, fill := tensorAt(op, 0), tensorAt(op, 1)
	if len(fill.Shape) != 0 || !sameElement(fill.Elem, x.Elem) {
		return op.Errorf("padding_value must be one element like those of the operand, but is %s", fill)
	}
	return verifyLists(op, 2, len(x.Shape))
}

func verifyRealDynamicSlice(op *ir.Op) error {
	if err := verifySameRank(op); err != nil {
		return err
	}
	return verifyLists(op, 1, len(tensorAt(op, 0).Shape))
}

func verifyDynamicIota(op *ir.Op) error {
	if err := verifyIota(op); err != nil {
		return err
	}
	return verifyLists(op, 0, len(resultAt(op, 0).Shape))
}

// verifyDynamicGather demands what gather demands, but that the sizes of slices are known only when the program runs.
func verifyDynamicGather(op *ir.Op) error {
	x, at, r := tensorAt(op, 0), tensorAt(op, 1), resultAt(op, 0)
	if err := verifyLists(op, 2, len(x.Shape)); err != nil {
		return err
	}
	sizes := make([]int64, len(x.Shape))
	for i := range sizes {
		sizes[i] = ir.Dynamic
	}
	shape, err := GatherDimsOf(op.Attr("dimension_numbers")).resultShape(x.Shape, at.Shape, sizes)
	if err != nil {
		return failed(op, err)
	}
	if !sameShape(shape, r.Shape) {
		return op.Errorf("expected a result of rank %d, with the sizes of the indices", len(shape))
	}
	return failedUnless(op, sameElement(x.Elem, r.Elem), "operand and result must have the same elements")
}

// verifyRNG demands limits, or parameters, that are one number each, like those of the result.
func verifyRNG(op *ir.Op) error {
	r := resultAt(op, 0)
	for _, i := range []int{0, 1} {
		if x := tensorAt(op, i); len(x.Shape) != 0 || x.Elem != r.Elem {
			return op.Errorf("operand #%d must be one number like those of the result, but is %s", i, x)
		}
	}
	if EnumValue(op, "rng_distribution", 0) == Normal && !ir.IsFloat(r.Elem) {
		return op.Errorf("numbers of a normal distribution must be floats, not %s", r.Elem)
	}
	return verifyLists(op, 2, len(r.Shape))
}
