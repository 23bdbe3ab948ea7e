package vector

import (
	"slices"

	"freehold/ir"
)

// expectedMask returns the type of masks for an operation that vector.mask can
// hold, and whether another value may stand in for what is masked; nil if it can't
// hold the operation.
func expectedMask(op *ir.Op) (t *ir.VectorType, passthru bool) {
	c := op.Context()
	like := func(v *ir.VectorType) *ir.VectorType { return c.Vector(v.Shape, v.Scalable, ir.I1) }
	switch op.ID() {
	case Reduction:
		return like(vec(ReductionOp{op}.Vector().Type())), false
	case MultiReduction:
		return like(vec(MultiReductionOp{op}.Source().Type())), false
	case OuterProduct:
		return like(vec(op.Result(0).Type())), true
	case Contract:
		maps := contractMaps(op)
		if len(maps) != 3 {
			return nil, false
		}
		sizes, scalable := iterationSpace(op, maps)
		return c.Vector(sizes, scalable, ir.I1), false
	case Gather:
		return like(vec(op.OperandGroup(2).At(0).Type())), true
	case TransferRead, TransferWrite:
		o := TransferOp{op}
		return maskType(c, o.VectorType(), o.PermutationMap()), !o.IsWrite()
	}
	return nil, false
}

func verifyMask(op *ir.Op) error {
	body := op.BodyBlock(0)
	first, last := body.First(), body.Last()
	if last == nil {
		return op.Errorf("expects a terminator within the mask region")
	}
	if first != last && first.Next() != last {
		return op.Errorf("expects only one operation to mask")
	}
	if !last.Is(Yield) {
		return op.Errorf("expects a terminator within the mask region")
	}
	if last.NumOperands() != op.NumResults() {
		return op.Errorf("expects number of results to match mask region yielded values")
	}
	// The masked operation itself was not verified yet, but its operands' types are
	// those that its mask depends on.
	if ir.VerifyOp(first) != nil {
		return nil
	}
	want, supportsPassthru := expectedMask(first)
	later := op.Context().LLVM() >= 22
	switch {
	case later && first != last && want == nil && !first.Is(Contract):
		return op.Errorf("expects a MaskableOpInterface within the mask region")
	case want == nil:
		return nil
	case later && !slices.Equal(first.Results().Values(), last.Operands().Values()):
		return op.Errorf("expects all the results from the MaskableOpInterface to match all the values returned by the terminator")
	}
	if first.NumResults() != op.NumResults() {
		return op.Errorf("expects number of results to match maskable operation number of results")
	}
	for i := range first.NumResults() {
		if first.Result(i).Type() != op.Result(i).Type() {
			return op.Errorf("expects result type to match maskable operation result type")
		}
	}
	if (MaskOp{op}).Mask().Type() != ir.Type(want) {
		return op.Errorf("expects a '%s' mask for the maskable operation", want)
	}
	if passthru := op.OptionalOperand(1); passthru != nil {
		switch {
		case !supportsPassthru:
			return op.Errorf("doesn't expect a passthru argument for this maskable operation")
		case first.NumResults() != 1:
			return op.Errorf("expects result when passthru argument is provided")
		case passthru.Type() != first.Result(0).Type():
			return op.Errorf("expects passthru type to match result type")
		}
	}
	return nil
}

func verifyWarp(op *ir.Op) error {
	body, args := op.BodyBlock(0), op.OperandGroup(1)
	if len(args) != body.NumArgs() {
		return op.Errorf("expected same number op arguments and block arguments.")
	}
	yield := body.Last()
	if yield == nil || yield.NumOperands() != op.NumResults() {
		return op.Errorf("expected same number of yield operands and return values.")
	}
	size := int64(0)
	if a, ok := op.Attr("warp_size").(*ir.IntegerAttr); ok {
		size = a.Value
	}
	for i := range args {
		if err := verifyDistributed(op, body.Arg(i).Type(), args.At(i).Type(), size); err != nil {
			return err
		}
	}
	for i := range op.NumResults() {
		if err := verifyDistributed(op, yield.Operand(i).Type(), op.Result(i).Type(), size); err != nil {
			return err
		}
	}
	return nil
}

// verifyDistributed checks that the part of a value that each of n threads has
// adds up to the whole.
func verifyDistributed(op *ir.Op, whole, part ir.Type, n int64) error {
	if whole == part {
		return nil
	}
	w, p := vec(whole), vec(part)
	if w == nil || p == nil {
		return op.Errorf("expected vector type for distributed operands.")
	}
	if len(w.Shape) != len(p.Shape) || w.Elem != p.Elem {
		return op.Errorf("expected distributed vectors to have same rank and element type.")
	}
	scale := int64(1)
	for i, d := range w.Shape {
		if d%p.Shape[i] != 0 {
			return op.Errorf("expected expanded vector dimension #%d (%d) to be a multipler of the distributed vector dimension (%d)", i, d, p.Shape[i])
		}
		scale *= d / p.Shape[i]
	}
	if scale != n {
		return op.Errorf("incompatible distribution dimensions from '%s' to '%s' with warp size = %d", w, p, n)
	}
	return nil
}
