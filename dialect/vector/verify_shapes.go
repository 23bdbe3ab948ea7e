package vector

import (
	"fmt"
	"strconv"

	"freehold/ir"
)

// listAttr returns the numbers of an array of integer attributes.
func listAttr(op *ir.Op, name string) []int64 {
	arr, ok := op.Attr(name).(*ir.ArrayAttr)
	if !ok {
		return nil
	}
	out := make([]int64, len(arr.Elems))
	for i, e := range arr.Elems {
		if x, ok := e.(*ir.IntegerAttr); ok {
			out[i] = x.Value
		}
	}
	return out
}

// scalableDim tells whether dimension i of a vector is scalable.
func scalableDim(v *ir.VectorType, i int) bool { return v.Scalable != nil && v.Scalable[i] }

func verifyBroadcast(op *ir.Op) error {
	t := BroadcastOp{op}.Source().Type()
	dst := vec(op.Result(0).Type())
	if ir.IsIntOrIndex(t) || ir.IsFloat(t) {
		return nil
	}
	src := vec(t)
	if src == nil {
		return op.Errorf("source type is not a vector")
	}
	lead := len(dst.Shape) - len(src.Shape)
	if lead < 0 {
		return op.Errorf("source rank higher than destination rank")
	}
	later := op.Context().LLVM() >= 22
	for i, d := range src.Shape {
		e, from, to := dst.Shape[lead+i], scalableDim(src, i), scalableDim(dst, lead+i)
		switch {
		case later && (d != e || from != to) && (d != 1 || from):
			return op.Errorf("dimension mismatch (%s vs. %s)", spellDim(d, from), spellDim(e, to))
		case !later && d != 1 && d != e:
			return op.Errorf("dimension mismatch (%d vs. %d)", d, e)
		}
	}
	return nil
}

// spellDim spells a dimension as types do: in brackets if it is scalable.
func spellDim(d int64, scalable bool) string {
	if scalable {
		return fmt.Sprintf("[%d]", d)
	}
	return strconv.FormatInt(d, 10)
}

func verifyShuffle(op *ir.Op) error { return verifyShuffleFrom(op, 0) }

// verifyShufflePoison is verifyShuffle where elements may be poison.
func verifyShufflePoison(op *ir.Op) error { return verifyShuffleFrom(op, poisonPosition) }

func verifyShuffleFrom(op *ir.Op, least int64) error {
	a, b, res := vec(ShuffleOp{op}.V1().Type()), vec(ShuffleOp{op}.V2().Type()), vec(op.Result(0).Type())
	scalars := len(a.Shape) == 0 && len(b.Shape) == 0 && len(res.Shape) == 1
	if !scalars && (len(a.Shape) != len(res.Shape) || len(b.Shape) != len(res.Shape)) {
		return op.Errorf("rank mismatch")
	}
	for i := 1; i < len(a.Shape); i++ {
		if res.Shape[i] != a.Shape[i] || a.Shape[i] != b.Shape[i] {
			return op.Errorf("dimension mismatch")
		}
	}
	mask := listAttr(op, "mask")
	if len(mask) == 0 {
		return op.Errorf("invalid mask length")
	}
	if int64(len(mask)) != res.Shape[0] {
		return op.Errorf("mask length mismatch")
	}
	n := leading(a) + leading(b)
	for i, m := range mask {
		if m < least || m >= n {
			return op.Errorf("mask index #%d out of range", i+1)
		}
	}
	return nil
}

// leading is the size of the first dimension, 1 for a vector without dimensions.
func leading(v *ir.VectorType) int64 {
	if len(v.Shape) == 0 {
		return 1
	}
	return v.Shape[0]
}

func verifyShapeCast(op *ir.Op) error {
	src, dst := vec(ShapeCastOp{op}.Source().Type()), vec(op.Result(0).Type())
	if src.Elem != dst.Elem {
		return op.Errorf("source/result vectors must have same element type")
	}
	if ir.ElementCount(src.Shape) != ir.ElementCount(dst.Shape) {
		return op.Errorf("source/result number of elements must match")
	}
	if a, b := len(src.Shape), len(dst.Shape); a < b && !regroups(src.Shape, dst.Shape) || a > b && !regroups(dst.Shape, src.Shape) {
		return op.Errorf("invalid shape cast")
	}
	return nil
}

// verifyAnyShapeCast is how LLVM 21 and later verify vector.shape_cast: dimensions needn't be divided or joined each by itself.
func verifyAnyShapeCast(op *ir.Op) error {
	src, dst := vec(ShapeCastOp{op}.Source().Type()), vec(op.Result(0).Type())
	if src.Elem != dst.Elem {
		return op.Errorf("has different source and result element types")
	}
	if a, b := ir.ElementCount(src.Shape), ir.ElementCount(dst.Shape); a != b {
		return op.Errorf("has different number of elements at source (%d) and result (%d)", a, b)
	}
	if a, b := scalableDims(src), scalableDims(dst); a != b {
		return op.Errorf("has different number of scalable dims at source (%d) and result (%d)", a, b)
	}
	return nil
}

// scalableDims returns how many dimensions of a vector are scalable.
func scalableDims(v *ir.VectorType) (n int) {
	for _, s := range v.Scalable {
		if s {
			n++
		}
	}
	return n
}

// regroups tells whether each dimension of a is the product of successive ones of
// b.
func regroups(a, b []int64) bool {
	ones := func(s []int64) bool {
		for _, d := range s {
			if d != 1 {
				return false
			}
		}
		return true
	}
	if len(a) == 0 {
		return ones(b)
	}
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		n := int64(1)
		for n < a[i] && j < len(b) {
			n *= b[j]
			j++
		}
		if n != a[i] {
			break
		}
		i++
		if i < len(a) && ones(a[i:]) {
			i = len(a)
		}
		if j < len(b) && ones(b[j:]) {
			j = len(b)
		}
	}
	return i == len(a) && j == len(b)
}

// bitsOf is the number of bits of an element.
func bitsOf(t ir.Type) int64 {
	switch t := t.(type) {
	case *ir.IntegerType:
		return int64(t.Width)
	case *ir.FloatType:
		return int64(t.Width)
	}
	return 64
}

// minorBits is the number of bits of the last dimension.
func minorBits(v *ir.VectorType) int64 {
	if len(v.Shape) == 0 {
		return bitsOf(v.Elem)
	}
	return bitsOf(v.Elem) * v.Shape[len(v.Shape)-1]
}

func verifyBitCast(op *ir.Op) error {
	src, dst := vec(BitCastOp{op}.Source().Type()), vec(op.Result(0).Type())
	for i := range len(src.Shape) - 1 {
		if src.Shape[i] != dst.Shape[i] {
			return op.Errorf("dimension size mismatch at: %d", i)
		}
	}
	switch {
	case minorBits(src) == minorBits(dst):
		return nil
	case len(src.Shape) == 0:
		return op.Errorf("source/result bitwidth of the 0-D vector element types must be equal")
	}
	return op.Errorf("source/result bitwidth of the minor 1-D vectors must be equal")
}

func verifyTypeCast(op *ir.Op) error {
	src, dst := TypeCastOp{op}.MemRef().Type().(*ir.MemRefType), op.Result(0).Type().(*ir.MemRefType)
	if src.Layout != nil && !isContiguous(src) {
		return op.Errorf("expects operand to be a memref with identity layout")
	}
	if !dst.HasIdentityLayout() {
		return op.Errorf("expects result to be a memref with identity layout")
	}
	if src.Space != dst.Space {
		return op.Errorf("expects result in same memory space")
	}
	a, b := flatShape(src), flatShape(dst)
	if scalarOf(src) != scalarOf(dst) {
		return op.Errorf("expects result and operand with same underlying scalar type: '%s'", dst)
	}
	same := len(a) == len(b)
	for i := 0; same && i < len(a); i++ {
		same = a[i] == b[i]
	}
	if !same {
		return op.Errorf("expects concatenated result and operand shapes to be equal: '%s'", dst)
	}
	return nil
}

// isContiguous tells whether the layout is the one that a memref without a layout
// has.
func isContiguous(t *ir.MemRefType) bool {
	strides, offset, ok := t.StridesAndOffset()
	if !ok || offset != 0 {
		return false
	}
	for i, s := range ir.IdentityStrides(t.Shape) {
		if strides[i] != s {
			return false
		}
	}
	return true
}

// flatShape is the shape of a memref followed by that of its vectors.
func flatShape(t *ir.MemRefType) []int64 {
	shape := append([]int64(nil), t.Shape...)
	if v := vec(t.Elem); v != nil {
		shape = append(shape, v.Shape...)
	}
	return shape
}

func scalarOf(t *ir.MemRefType) ir.Type {
	if v := vec(t.Elem); v != nil {
		return v.Elem
	}
	return t.Elem
}

func verifyReshape(op *ir.Op) error {
	src, dst := vec(ReshapeOp{op}.Vector().Type()), vec(op.Result(0).Type())
	in, out := op.OperandGroup(1), op.OperandGroup(2)
	fixedSizes := listAttr(op, "fixed_vector_sizes")
	k := len(fixedSizes)
	if len(src.Shape) != len(in)+k {
		return op.PlainErrorf("invalid input shape for vector type '%s'", src)
	}
	if len(dst.Shape) != len(out)+k {
		return op.PlainErrorf("invalid output shape for vector type '%s'", dst)
	}
	for _, side := range []struct {
		name string
		t    *ir.VectorType
	}{{"input", src}, {"output", dst}} {
		for i, size := range fixedSizes {
			if at := len(side.t.Shape) - k + i; size != side.t.Shape[at] {
				return op.PlainErrorf("fixed vector size must match %s vector for dim %d", side.name, i)
			}
		}
	}
	a, ok := constantProduct(in)
	b, ok2 := constantProduct(out)
	if ok && ok2 && a != b {
		return op.PlainErrorf("product of input and output shape sizes must match")
	}
	return nil
}

func constantProduct(values ir.Operands) (int64, bool) {
	n := int64(1)
	for _, v := range values.Values() {
		x, ok := ir.ConstantInt(v)
		if !ok {
			return 0, false
		}
		n *= x
	}
	return n, true
}

func verifyConstantMask(op *ir.Op) error {
	t := vec(op.Result(0).Type())
	sizes := listAttr(op, "mask_dim_sizes")
	if len(t.Shape) == 0 {
		if len(sizes) != 1 {
			return op.PlainErrorf("array attr must have length 1 for 0-D vectors")
		}
		if sizes[0] != 0 && sizes[0] != 1 {
			return op.PlainErrorf("mask dim size must be either 0 or 1 for 0-D vectors")
		}
		return nil
	}
	if len(sizes) != len(t.Shape) {
		return op.Errorf("must specify array attr of size equal vector result rank")
	}
	zeros := 0
	for i, n := range sizes {
		if n < 0 || n > t.Shape[i] {
			return op.Errorf("array attr of size out of bounds of vector result dimension size")
		}
		if n == 0 {
			zeros++
		}
	}
	if zeros > 0 && zeros < len(sizes) {
		return op.Errorf("expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim")
	}
	for i, n := range sizes {
		if scalableDim(t, i) && n != 0 && n != t.Shape[i] {
			return op.Errorf("only supports 'none set' or 'all set' scalable dimensions")
		}
	}
	return nil
}

func verifyCreateMask(op *ir.Op) error {
	t := vec(op.Result(0).Type())
	if len(t.Shape) == 0 {
		if op.NumOperands() != 1 {
			return op.Errorf("must specify exactly one operand for 0-D create_mask")
		}
		return nil
	}
	if op.NumOperands() != len(t.Shape) {
		return op.Errorf("must specify an operand for each result vector dimension")
	}
	return nil
}
