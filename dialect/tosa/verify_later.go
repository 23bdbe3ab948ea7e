package tosa

import (
	"errors"
	"math"
	"slices"

	"freehold/ir"
)

// What LLVM 22 verifies besides what 19 does, or with other words.

// revised are the revisions of an operation that verifies something else since LLVM 22.
func revised(verify func(*ir.Op) error, rules ...ir.TypeRule) []ir.Revision {
	return []ir.Revision{{Since: 22, Verify: verify, TypeRules: rules}}
}

// atLeast checks all numbers of attributes.
func atLeast(op *ir.Op, least int64, what string, list []int64) error {
	for _, n := range list {
		if n < least {
			return op.Errorf("expect all %s values to be >= %d, got %s", what, least, ir.JoinInts(list))
		}
	}
	return nil
}

// list returns the numbers of an attribute.
func list(op *ir.Op, name string) []int64 { return op.Attr(name).(*ir.DenseArrayAttr).Ints() }

// window is what a dimension of an image is looked at through.
type window struct {
	size, before, after, kernel, dilation, stride int64
	result                                        int64
	// name is that of the dimension, and first and last are those of its sides.
	name, first, last, axis string
}

// verify checks that the window comes to the end of the padded image, and that the result has its size. Unknown sizes are left out.
func (w *window) verify(op *ir.Op, pooling bool) error {
	if w.size == ir.Dynamic || w.kernel == ir.Dynamic {
		return nil
	}
	rest := w.size - 1 + w.before + w.after - (w.kernel-1)*w.dilation
	if rest%w.stride != 0 {
		if pooling {
			return op.Errorf("expected input_%s + pad_%s + pad_%s - kernel_%s to be wholly divisible by stride_%s, got (%d + %d + %d - %d) / %d",
				w.name, w.first, w.last, w.axis, w.axis, w.size, w.before, w.after, w.kernel, w.stride)
		}
		return op.Errorf("expected input_%s - 1 + pad_%s + pad_%s - (kernel_%s - 1) * dilation_%s to be wholly divisible by stride_%s, got (%d - 1 + %d + %d - (%d - 1) * %d) / %d",
			w.name, w.first, w.last, w.name, w.axis, w.axis, w.size, w.before, w.after, w.kernel, w.dilation, w.stride)
	}
	if n := rest/w.stride + 1; w.result != ir.Dynamic && w.result != n {
		return op.Errorf("calculated output %s did not match expected: calculated=%d, expected=%d", w.name, n, w.result)
	}
	return nil
}

// sides are the names of dimensions of images, of their sides, and of their axes.
var sides = [][4]string{{"depth", "front", "back", "d"}, {"height", "top", "bottom", "y"}, {"width", "left", "right", "x"}}

// verifyWindows checks each dimension of images with batches and channels around them. Kernels are as large as they say.
func verifyWindows(op *ir.Op, kernel, pad, stride, dilation []int64, pooling bool) error {
	in, out := tensorType(op.Operand(0)), tensorType(op.Result(0))
	n := len(stride)
	for i := range n {
		s := sides[len(sides)-n+i]
		w := window{size: ir.Dynamic, before: pad[2*i], after: pad[2*i+1], kernel: kernel[i], dilation: 1, stride: stride[i], result: ir.Dynamic,
			name: s[0], first: s[1], last: s[2], axis: s[3]}
		if dilation != nil {
			w.dilation = dilation[i]
		}
		if in != nil {
			w.size = in.Shape[i+1]
		}
		if out != nil {
			w.result = out.Shape[i+1]
		}
		if err := w.verify(op, pooling); err != nil {
			return err
		}
	}
	return nil
}

// verifyScatterOf22 checks that there are as many places as values that are put there.
func verifyScatterOf22(op *ir.Op) error {
	to, at := tensorType(op.Operand(0)), tensorType(op.Operand(1))
	if to == nil || at == nil || len(to.Shape) != 3 || len(at.Shape) != 2 {
		return nil
	}
	if k, w := to.Shape[1], at.Shape[1]; k != ir.Dynamic && w != ir.Dynamic && k < w {
		return op.Errorf("requires dimensions K >= W, got K=%d and W=%d", k, w)
	}
	return nil
}

// verifyArgMaxOf22 checks that the result has the dimensions of the input without the axis.
func verifyArgMaxOf22(op *ir.Op) error {
	if err := verifyArgMax(op); err != nil {
		return err
	}
	in, out := tensorType(ArgMaxOp{op}.Input()), tensorType(op.Result(0))
	if in == nil || out == nil {
		return nil
	}
	axis := int(Axis(op))
	want := slices.Delete(slices.Clone(in.Shape), axis, axis+1)
	if !slices.EqualFunc(want, out.Shape, ir.SameSize) {
		return op.Errorf("expected output shape '%s', got '%s'", ir.JoinInts(want), ir.JoinInts(out.Shape))
	}
	return nil
}

func verifyMaxPoolOf22(op *ir.Op) error {
	kernel, pad, stride := list(op, "kernel"), list(op, "pad"), list(op, "stride")
	if err := atLeast(op, 1, "kernel", kernel); err != nil {
		return err
	}
	if err := atLeast(op, 1, "stride", stride); err != nil {
		return err
	}
	if err := atLeast(op, 0, "padding", pad); err != nil {
		return err
	}
	if pad[2] >= kernel[1] || pad[3] >= kernel[1] {
		return op.Errorf("expected left/right padding to be less than the width of the kernel, got pad_left=%d, pad_right=%d, kernel_x=%d", pad[2], pad[3], kernel[1])
	}
	if pad[0] >= kernel[0] || pad[1] >= kernel[0] {
		return op.Errorf("expected top/bottom padding to be less than the height of the kernel, got pad_top=%d, pad_bottom=%d, kernel_y=%d", pad[0], pad[1], kernel[0])
	}
	return verifyWindows(op, kernel, pad, stride, nil, true)
}

func verifyAvgPoolOf22(op *ir.Op) error {
	if err := verifyAvgPool(op); err != nil {
		return err
	}
	return verifyMaxPoolOf22(op)
}

// verifyConvolutionOf22 checks a convolution whose kernel is in the dimensions of the weights from that number on.
func verifyConvolutionOf22(kernelAt int) func(op *ir.Op) error {
	more := checkConvolution(kernelAt)
	return func(op *ir.Op) error {
		if err := verifyConvolution(op); err != nil {
			return err
		}
		return more(op)
	}
}

// checkConvolution checks what LLVM 22 demands besides.
func checkConvolution(kernelAt int) func(op *ir.Op) error {
	return func(op *ir.Op) error {
		pad, stride, dilation := list(op, "pad"), list(op, "stride"), list(op, "dilation")
		if err := atLeast(op, 0, "padding", pad); err != nil {
			return err
		}
		if err := atLeast(op, 1, "stride", stride); err != nil {
			return err
		}
		if err := atLeast(op, 1, "dilation", dilation); err != nil {
			return err
		}
		if w := tensorType(op.Operand(1)); w != nil {
			if err := verifyWindows(op, w.Shape[kernelAt:kernelAt+len(stride)], pad, stride, dilation, false); err != nil {
				return err
			}
		}
		out, bias := tensorType(op.Result(0)), tensorType(op.Operand(2))
		if out == nil || bias == nil || bias.Shape[0] == ir.Dynamic || bias.Shape[0] == 1 {
			return nil
		}
		if channels := out.Shape[len(out.Shape)-1]; channels != ir.Dynamic && channels != bias.Shape[0] {
			return op.Errorf("bias channels expected to be equal to output channels (%d) or 1, got %d", channels, bias.Shape[0])
		}
		return nil
	}
}

// checkAccumulator tells whether a convolution of LLVM 22 may sum products up in a type.
func checkAccumulator(in, acc ir.Type) error {
	named := func(name, want string, types ...ir.Type) error {
		for _, t := range types {
			if acc == t {
				return nil
			}
		}
		return errors.New("accumulator type for " + name + " tensor is not " + want)
	}
	switch {
	case isSignless(in, 8):
		return named("i8", "i32", ir.I32)
	case isSignless(in, 16):
		if !isSignless(acc, 48) {
			return named("i16", "i48")
		}
	case in == ir.Type(ir.F16):
		return named("f16", "f16/f32", ir.F16, ir.F32)
	case in == ir.Type(ir.BF16):
		return named("bf16", "f32", ir.F32)
	case in == ir.Type(ir.F32):
		return named("f32", "f32", ir.F32)
	}
	return nil
}

func verifyTransposeOf22(op *ir.Op) error {
	in, out := tensorType(TransposeOp{op}.Input1()), tensorType(op.Result(0))
	perm := Permutation(op)
	if perm == nil {
		return verifyTranspose(op)
	}
	if in != nil && len(perm) != len(in.Shape) {
		return op.Errorf("expected perms attribute to have size %d (input rank) but got size %d", len(in.Shape), len(perm))
	}
	if in != nil && out != nil && len(in.Shape) != len(out.Shape) {
		return op.Errorf("expected input tensor rank to equal result tensor rank")
	}
	if out != nil && len(perm) != len(out.Shape) {
		return op.Errorf("expected perms attribute to have size %d (output rank) but got size %d", len(out.Shape), len(perm))
	}
	if !isPermutation(perm) {
		return op.Errorf("expected valid permutation indices")
	}
	if in == nil || out == nil {
		return nil
	}
	if ir.IsStaticShape(in.Shape) && ir.IsStaticShape(out.Shape) {
		have, _ := ir.NumElements(in.Shape)
		want, _ := ir.NumElements(out.Shape)
		if have != want {
			return op.Errorf("expected input1 and output to have same numbers of elements, got %d and %d", have, want)
		}
	}
	for i, j := range perm {
		if from, to := in.Shape[j], out.Shape[i]; from != ir.Dynamic && to != ir.Dynamic && from != to {
			return op.Errorf("expected output tensor dim %d to match input dim %d with value of %d", i, j, from)
		}
	}
	return nil
}

// elementsStay says that a transposition has elements of one type.
var elementsStay = ir.TypeRule{Summary: "all of {input1, output} have same element type", Check: func(op *ir.Op) bool {
	return ir.ElementType(op.Operand(0).Type()) == ir.ElementType(op.Result(0).Type())
}}

var errLimits = errors.New("min/max attributes types are incompatible with input/output element types.")

func verifyClampOf22(op *ir.Op) error {
	if err := verifyClamp(op); err != nil {
		return err
	}
	c := op.Context()
	if f, ok := ir.ElementType(ClampOp{op}.Input().Type()).(*ir.FloatType); ok {
		low, high := op.Attr("min_fp").(*ir.FloatAttr), op.Attr("max_fp").(*ir.FloatAttr)
		x, y := low.Float64(), high.Float64()
		if math.IsNaN(x) || math.IsNaN(y) {
			return op.Errorf("min/max attributes should not be 'NaN', got min_val=%s, max_val=%s", low, high)
		}
		if x > y {
			return op.Errorf("expected min_val <= max_val, got min_val=%s, max_val=%s", c.FloatAttr(f, x), c.FloatAttr(f, y))
		}
		return nil
	}
	t, ok := ir.ElementType(ClampOp{op}.Input().Type()).(*ir.IntegerType)
	if low, high := op.Attr("min_int").(*ir.IntegerAttr), op.Attr("max_int").(*ir.IntegerAttr); ok && low.Value > high.Value {
		return op.Errorf("expected min_val <= max_val, got min_val=%s, max_val=%s", c.IntegerAttr(t, closest(t, low.Value)), c.IntegerAttr(t, closest(t, high.Value)))
	}
	return nil
}
