package tosa

import (
	"fmt"
	"slices"
	"strings"

	"freehold/ir"
	"freehold/ir/asm"
)

func verifyClamp(op *ir.Op) error {
	in, out := ir.ElementType(ClampOp{op}.Input().Type()), ir.ElementType(op.Result(0).Type())
	bad := in != out
	if f, ok := in.(*ir.FloatType); ok {
		// Limits of shorter numbers may also be in single precision.
		low, high := op.Attr("min_fp").(*ir.FloatAttr), op.Attr("max_fp").(*ir.FloatAttr)
		single := ir.Type(low.Type) == ir.Type(ir.F32) && f.Width < ir.F32.Width
		bad = bad || low.Type != high.Type || low.Type != f && !single
	}
	if bad {
		return op.Errorf("min/max attributes types are incompatible with input/output element types.")
	}
	return nil
}

// verifyMul checks that products of integers aren't narrower than the factors, and that all
// else have one element type.
func verifyMul(op *ir.Op) error {
	result, ok := ir.ElementType(op.Result(0).Type()).(*ir.IntegerType)
	if ok {
		a, isInt := ir.ElementType(MulOp{op}.Input1().Type()).(*ir.IntegerType)
		b, alsoInt := ir.ElementType(MulOp{op}.Input2().Type()).(*ir.IntegerType)
		if isInt && alsoInt {
			if a.Width > result.Width || b.Width > result.Width || a.Width != b.Width {
				return op.Errorf("invalid data type size for operands or result")
			}
			return nil
		}
	}
	if ir.ElementType(MulOp{op}.Input1().Type()) != ir.ElementType(MulOp{op}.Input2().Type()) ||
		ir.ElementType(MulOp{op}.Input1().Type()) != ir.ElementType(op.Result(0).Type()) {
		return op.Errorf("requires the same element type for all operands and results")
	}
	return nil
}

func verifyConvolution(op *ir.Op) error {
	input, weight := ConvolutionOp{op}.Input(), ConvolutionOp{op}.Weight()
	if tensorType(input) == nil {
		return op.Errorf("expect a ranked tensor for input, got %s", describe(input))
	}
	in, w := ir.ElementType(input.Type()), ir.ElementType(weight.Type())
	if ir.IsFloat(in) != ir.IsFloat(w) {
		return op.Errorf("expect both input and weight to be float or not together, got '%s' and '%s'", in, w)
	}
	if ir.IsFloat(in) == (op.Attr(quantName) != nil) {
		return op.Errorf("quantizationattr is required for quantized type, and not allowed for float type")
	}
	return nil
}

// describe is how the reference writes a value in messages.
func describe(v *ir.Value) string {
	if op := v.DefiningOp(); op != nil {
		return strings.TrimSpace(string(asm.Print(op, asm.PrintOptions{})))
	}
	return fmt.Sprintf("<block argument> of type '%s' at index: %d", v.Type(), v.Index())
}

// verifyNotEmpty checks that operands and results have elements, as far as that is known.
func verifyNotEmpty(op *ir.Op) error {
	for _, t := range append(op.Operands().Types(), op.Results().Types()...) {
		if shape, ok := ir.ShapeOf(t); ok && slices.Contains(shape, 0) {
			return op.Errorf("tensor has a dimension with size zero. Each dimension of a tensor must have size >= 1")
		}
	}
	return nil
}

func verifyAvgPool(op *ir.Op) error {
	if err := verifyNotEmpty(op); err != nil {
		return err
	}
	in, out := ir.ElementType(AvgPool2DOp{op}.Input().Type()), ir.ElementType(op.Result(0).Type())
	acc := op.Attr("acc_type").(*ir.TypeAttr).Type
	isI32 := isSignless(acc, 32)
	switch {
	case ir.IsInteger(in) && !isI32:
		return op.Errorf("accumulator type for integer tensor is not i32")
	case in == ir.Type(ir.F16) && acc != ir.Type(ir.F16) && acc != ir.Type(ir.F32):
		return op.Errorf("accumulator type for f16 tensor is not f16/f32")
	case in == ir.Type(ir.BF16) && acc != ir.Type(ir.F32):
		return op.Errorf("accumulator type for bf16 tensor is not f32")
	case in == ir.Type(ir.F32) && acc != ir.Type(ir.F32):
		return op.Errorf("accumulator type for f32 tensor is not f32")
	}
	switch {
	case in != out:
	case in == ir.Type(ir.F32), in == ir.Type(ir.F16), in == ir.Type(ir.BF16), isSignless(in, 8), isSignless(in, 16):
		return nil
	}
	return op.Errorf("input/output element types are incompatible.")
}

func verifyReduction(op *ir.Op) error {
	in, out := tensorType(ReductionOp{op}.Input()), tensorType(op.Result(0))
	axis := Axis(op)
	if axis < 0 {
		return op.Errorf("reduce axis must not be negative")
	}
	for i, t := range []*ir.RankedTensorType{in, out} {
		// A number can be reduced along its dimension 0, which it doesn't have.
		if t == nil || axis < int64(len(t.Shape)) || axis == 0 && len(t.Shape) == 0 {
			continue
		}
		what := [...]string{"input", "output"}[i]
		return op.Errorf("expect %s tensor rank (%d) to be larger than reduce axis (%d)", what, len(t.Shape), axis)
	}
	if out != nil && len(out.Shape) > 0 {
		if d := out.Shape[axis]; d != 1 && d != ir.Dynamic {
			return op.Errorf("expect reduced dimension size to be 1, got %d", d)
		}
	}
	return nil
}

func verifyArgMax(op *ir.Op) error {
	if !ir.IsInteger(ir.ElementType(op.Result(0).Type())) {
		return op.Errorf("result tensor is not of integer type")
	}
	if t := tensorType(ArgMaxOp{op}.Input()); t != nil {
		if axis := Axis(op); axis < 0 || axis >= int64(len(t.Shape)) {
			return op.Errorf("specified axis is outside the rank of the tensor")
		}
	}
	return nil
}

func verifyReshape(op *ir.Op) error {
	if err := verifyNotEmpty(op); err != nil {
		return err
	}
	shape := op.Attr("new_shape").(*ir.DenseArrayAttr).Ints()
	in, out := tensorType(ReshapeOp{op}.Input1()), tensorType(op.Result(0))
	unknown := 0
	for _, d := range shape {
		if d == -1 {
			unknown++
		}
	}
	if unknown > 1 {
		return op.Errorf("expected at most one target dimension to be -1")
	}
	if len(shape) != len(out.Shape) {
		return op.Errorf("new shape does not match result rank")
	}
	for i, d := range shape {
		if d != -1 && out.Shape[i] != ir.Dynamic && d != out.Shape[i] {
			return op.Errorf("new shape is inconsistent with result shape")
		}
	}
	if in != nil && ir.IsStaticShape(in.Shape) && ir.IsStaticShape(out.Shape) {
		have, _ := ir.NumElements(in.Shape)
		want, _ := ir.NumElements(out.Shape)
		if have != want {
			return op.Errorf("cannot reshape %d elements into %d", have, want)
		}
	}
	return nil
}

func verifyReverse(op *ir.Op) error {
	in, out := tensorType(ReverseOp{op}.Input()), tensorType(op.Result(0))
	axis := Axis(op)
	if axis < 0 {
		return op.Errorf("expected non-negative reverse axis")
	}
	if in != nil {
		rank := int64(len(in.Shape))
		if axis >= rank && (axis != 0 || rank != 0) {
			return op.Errorf("expect input tensor rank (%d) to be larger than reverse axis (%d)", rank, axis)
		}
	}
	if out != nil {
		rank := int64(len(out.Shape))
		if in != nil && rank != int64(len(in.Shape)) {
			return op.Errorf("expect output tensor rank to be equal to input tensor rank")
		}
		if axis >= rank && (axis != 0 || rank != 0) {
			return op.Errorf("expect output tensor rank (%d) to be larger than reverse axis (%d)", rank, axis)
		}
	}
	return nil
}

func verifySlice(op *ir.Op) error {
	in := tensorType(SliceOp{op}.Input())
	if in == nil {
		return nil
	}
	for _, name := range []string{"start", "size"} {
		if op.Attr(name).(*ir.DenseArrayAttr).Len() != len(in.Shape) {
			return op.Errorf("length of %s attribute is not equal rank of input shape", name)
		}
	}
	return nil
}

func verifyTile(op *ir.Op) error {
	in, out := tensorType(TileOp{op}.Input1()), tensorType(op.Result(0))
	n := op.Attr("multiples").(*ir.DenseArrayAttr).Len()
	switch {
	case in != nil && len(in.Shape) != n:
		return op.Errorf("expect 'multiples' array to have length %d but got %d.", len(in.Shape), n)
	case in != nil && out != nil && len(in.Shape) != len(out.Shape):
		return op.Errorf("expect same input and output tensor rank.")
	case in == nil && out != nil && len(out.Shape) != n:
		return op.Errorf("expect 'multiples' array to have length %d but got %d.", len(out.Shape), n)
	}
	return nil
}

func verifyTranspose(op *ir.Op) error {
	in, perms, out := tensorType(TransposeOp{op}.Input1()), tensorType(TransposeOp{op}.Perms()), tensorType(op.Result(0))
	if perms != nil && len(perms.Shape) != 1 {
		return op.Errorf("expected permutation tensor to be rank 1 but got rank %d", len(perms.Shape))
	}
	if perms != nil && in != nil && perms.Shape[0] != ir.Dynamic && perms.Shape[0] != int64(len(in.Shape)) {
		return op.Errorf("expected permutation tensor dim 0 to have size %d (input rank) but got size %d", len(in.Shape), perms.Shape[0])
	}
	if in != nil && out != nil && len(in.Shape) != len(out.Shape) {
		return op.Errorf("expected input tensor rank to equal result tensor rank")
	}
	if perms != nil && out != nil && perms.Shape[0] != ir.Dynamic && perms.Shape[0] != int64(len(out.Shape)) {
		return op.Errorf("expected permutation tensor dim 0 to have size %d (output rank) but got size %d", len(out.Shape), perms.Shape[0])
	}
	if perm := Permutation(op); perm != nil && !isPermutation(perm) {
		return op.Errorf("expected valid permutation tensor")
	}
	return nil
}

// Permutation returns the permutation of a tosa.transpose if it is constant, or nil. It need
// not be one if the operation isn't verified.
func Permutation(op *ir.Op) []int64 {
	d := ConstantOf(TransposeOp{op}.Perms())
	if d == nil {
		return nil
	}
	return Ints(d)
}

func isPermutation(perm []int64) bool {
	seen := make([]bool, len(perm))
	for _, d := range perm {
		if d < 0 || d >= int64(len(perm)) || seen[d] {
			return false
		}
		seen[d] = true
	}
	return true
}
