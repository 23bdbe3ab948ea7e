package vector

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// verifyElement checks the position in an operand, a vector of at most one
// dimension; the position is the operand after it.
func verifyElement(op *ir.Op, operand int) error {
	v := vec(op.Operand(operand).Type())
	position := op.OptionalOperand(operand + 1)
	switch {
	case len(v.Shape) == 0 && position != nil:
		return op.Errorf("expected position to be empty with 0-D vector")
	case len(v.Shape) == 0:
		return nil
	case len(v.Shape) != 1:
		return op.Errorf("unexpected >1 vector rank")
	case position == nil:
		return op.Errorf("expected position for 1-D vector")
	}
	return nil
}

// verifyDynamicPositions checks that there is an operand for each position that is
// not static.
func verifyDynamicPositions(op *ir.Op, pos []int64, group int) error {
	if ir.NumDynamic(pos) != len(op.OperandGroup(group)) {
		return op.Errorf("mismatch between dynamic and static positions (kDynamic marker but no corresponding dynamic position) -- " +
			"this can only happen due to an incorrect fold/rewrite")
	}
	return nil
}

func verifyExtract(op *ir.Op) error { return verifyExtractFrom(op, 0, "vector dimension") }

// verifyExtractPoison is verifyExtract where the position may be that of poison.
func verifyExtractPoison(op *ir.Op) error {
	return verifyExtractFrom(op, poisonPosition, "vector dimension or poison (-1)")
}

// verifyExtractScalar is verifyExtractPoison where single elements are scalars, and not vectors without dimensions.
func verifyExtractScalar(op *ir.Op) error {
	if t := vec(op.Result(0).Type()); t != nil && len(t.Shape) == 0 {
		return op.PlainErrorf("expected a scalar instead of a 0-d vector as the result type")
	}
	return verifyExtractPoison(op)
}

func verifyExtractFrom(op *ir.Op, least int64, limit string) error {
	t, pos := vec(ExtractOp{op}.Vector().Type()), interfaces.StaticInts(op, staticPosition)
	if err := verifyDynamicPositions(op, pos, 1); err != nil {
		return err
	}
	if len(pos) > len(t.Shape) {
		return op.Errorf("expected position attribute of rank no greater than vector rank")
	}
	return verifyPositions(op, pos, t.Shape, least, limit)
}

func inferExtract(s *ir.OpState) ([]ir.Type, error) {
	t := vec(s.Operands[0].Type())
	pos, _ := s.Attr(staticPosition).(*ir.DenseArrayAttr)
	if pos == nil {
		return nil, ir.Errorf(s.Loc, "expects a position")
	}
	n := min(pos.Len(), len(t.Shape))
	if n == len(t.Shape) {
		return []ir.Type{t.Elem}, nil
	}
	return []ir.Type{s.Name.Context().Vector(t.Shape[n:], dropLeading(t.Scalable, n), t.Elem)}, nil
}

func dropLeading(scalable []bool, n int) []bool {
	if scalable == nil {
		return nil
	}
	return scalable[n:]
}

// extractCompatible lets vectors of one element stand for scalars.
func extractCompatible(inferred, actual []ir.Type) bool {
	single := func(v, t ir.Type) bool {
		x := vec(v)
		return x != nil && len(x.Shape) == 1 && x.Shape[0] == 1 && x.Elem == t
	}
	return len(inferred) == 1 && len(actual) == 1 && (single(inferred[0], actual[0]) || single(actual[0], inferred[0]))
}

func verifyInsert(op *ir.Op) error { return verifyInsertFrom(op, 0) }

// verifyInsertPoison is verifyInsert where the position may be that of poison.
func verifyInsertPoison(op *ir.Op) error { return verifyInsertFrom(op, poisonPosition) }

func verifyInsertFrom(op *ir.Op, least int64) error {
	src, dst := vec(InsertOp{op}.Source().Type()), vec(InsertOp{op}.Dest().Type())
	pos := interfaces.StaticInts(op, staticPosition)
	if err := verifyDynamicPositions(op, pos, 2); err != nil {
		return err
	}
	if len(pos) > len(dst.Shape) {
		return op.Errorf("expected position attribute of rank no greater than dest vector rank")
	}
	if src != nil && len(src.Shape)+len(pos) != len(dst.Shape) {
		return op.Errorf("expected position attribute rank + source rank to match dest vector rank")
	}
	if src == nil && len(pos) != len(dst.Shape) {
		return op.Errorf("expected position attribute rank to match the dest vector rank")
	}
	return verifyPositions(op, pos, dst.Shape, least, "dest vector dimension")
}

// confinedTo checks that values are in a range per dimension; least is the first
// value that is allowed, and the sizes are excluded unless inclusive is set.
func confinedTo(op *ir.Op, values, shape []int64, name string, least int64, inclusive bool) error {
	for i, v := range values {
		end := shape[i]
		if inclusive {
			end++
		}
		if v < least || v >= end {
			return op.Errorf("expected %s dimension %d to be confined to [%d, %d)", name, i, least, end)
		}
	}
	return nil
}

func unitStrides(op *ir.Op, strides []int64) error {
	for _, s := range strides {
		if s != 1 {
			return op.Errorf("expected strides to be confined to [1, 2)")
		}
	}
	return nil
}

func sums(a, b []int64) []int64 {
	out := make([]int64, min(len(a), len(b)))
	for i := range out {
		out[i] = a[i] + b[i]
	}
	return out
}

func verifyInsertStridedSlice(op *ir.Op) error {
	src, dst := vec(InsertStridedSliceOp{op}.Source().Type()), vec(InsertStridedSliceOp{op}.Dest().Type())
	offsets, strides := listAttr(op, "offsets"), listAttr(op, "strides")
	switch {
	case len(offsets) != len(dst.Shape):
		return op.Errorf("expected offsets of same size as destination vector rank")
	case len(strides) != len(src.Shape):
		return op.Errorf("expected strides of same size as source vector rank")
	case len(src.Shape) > len(dst.Shape):
		return op.Errorf("expected source rank to be no greater than destination rank")
	}
	lead := len(dst.Shape) - len(src.Shape)
	sizes := append(make([]int64, lead), src.Shape...)
	if err := confinedTo(op, offsets, dst.Shape, "offsets", 0, false); err != nil {
		return err
	}
	if err := unitStrides(op, strides); err != nil {
		return err
	}
	if err := confinedSum(op, offsets, sizes, dst.Shape, "source vector shape"); err != nil {
		return err
	}
	for i, d := range src.Shape {
		if scalableDim(src, i) != scalableDim(dst, lead+i) {
			return op.Errorf("mismatching scalable flags (at source vector idx=%d)", i)
		}
		if e := dst.Shape[lead+i]; scalableDim(src, i) && d != e {
			return op.Errorf("expected size at idx=%d to match the corresponding base size from the input vector (%d vs %d)", i, d, e)
		}
	}
	return nil
}

// confinedSum checks the ends of a slice. A sum of zero is for the dimensions that
// the slice doesn't have.
func confinedSum(op *ir.Op, offsets, sizes, shape []int64, name string) error {
	for i, s := range sums(offsets, sizes) {
		if s < 1 && sizes[i] != 0 || s > shape[i] {
			return op.Errorf("expected sum(offsets, %s) dimension %d to be confined to [1, %d)", name, i, shape[i]+1)
		}
	}
	return nil
}

func verifyExtractStridedSlice(op *ir.Op) error {
	src := vec(ExtractStridedSliceOp{op}.Vector().Type())
	offsets, sizes, strides := listAttr(op, "offsets"), listAttr(op, "sizes"), listAttr(op, "strides")
	if len(offsets) != len(sizes) || len(offsets) != len(strides) {
		return op.Errorf("expected offsets, sizes and strides attributes of same size")
	}
	if len(offsets) > len(src.Shape) {
		return op.Errorf("expected offsets attribute of rank no greater than vector rank")
	}
	if err := confinedTo(op, offsets, src.Shape, "offsets", 0, false); err != nil {
		return err
	}
	if err := confinedTo(op, sizes, src.Shape, "sizes", 1, true); err != nil {
		return err
	}
	if err := unitStrides(op, strides); err != nil {
		return err
	}
	if err := confinedSum(op, offsets, sizes, src.Shape, "sizes"); err != nil {
		return err
	}
	shape := append(append([]int64(nil), sizes...), src.Shape[len(sizes):]...)
	if want := op.Context().Vector(shape, src.Scalable, src.Elem); op.Result(0).Type() != ir.Type(want) {
		return op.Errorf("expected result type to be '%s'", want)
	}
	for i, n := range sizes {
		if scalableDim(src, i) && n != src.Shape[i] {
			return op.Errorf("expected size at idx=%d to match the corresponding base size from the input vector (%d vs %d)", i, n, src.Shape[i])
		}
	}
	return nil
}
