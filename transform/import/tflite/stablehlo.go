package tflite

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/math"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// elementFunction computes an element of a type of two others. It returns nil if there is no kernel for the type.
type elementFunction func(k *kernel, t model.Type, a, b *ir.Value) *ir.Value

// stablehloFunction is operations of arith for numbers of floating point, others, and truth values. They may be nil.
func stablehloFunction(float, integer, truth *ir.OpID) elementFunction {
	return func(k *kernel, t model.Type, a, b *ir.Value) *ir.Value {
		id := integer
		switch {
		case t == model.Bool:
			id = truth
		case ir.IsFloat(a.Type()):
			id = float
		}
		if id == nil {
			return nil
		}
		return k.op2(id, a, b)
	}
}

// stablehloExtreme is the larger or the smaller element.
func stablehloExtreme(largest bool) elementFunction {
	return func(k *kernel, t model.Type, a, b *ir.Value) *ir.Value {
		switch {
		case t == model.Bool && largest:
			return k.op2(arith.OrI, a, b)
		case t == model.Bool:
			return k.op2(arith.AndI, a, b)
		case largest:
			return k.pick(k.less(t, a, b), b, a)
		}
		return k.pick(k.less(t, b, a), b, a)
	}
}

// stablehloFunctions returns the functions of operators on two tensors of one type and size, whose numbers aren't scaled.
func stablehloFunctions() map[string]elementFunction {
	return map[string]elementFunction{
		"STABLEHLO_ADD":      stablehloFunction(arith.AddF, arith.AddI, arith.OrI),
		"STABLEHLO_MULTIPLY": stablehloFunction(arith.MulF, arith.MulI, arith.AndI),
		"STABLEHLO_AND":      stablehloFunction(nil, arith.AndI, arith.AndI),
		"STABLEHLO_MAXIMUM":  stablehloExtreme(true),
		"STABLEHLO_MINIMUM":  stablehloExtreme(false),
	}
}

// stablehloPair is one of the [stablehloFunctions].
func stablehloPair(k *kernel) error { return stablehloElements(stablehloFunctions()[k.code])(k) }

// stablehloShiftLeft is STABLEHLO_SHIFT_LEFT. What is shifted by more bits than it has, or by fewer than none, becomes 0.
func stablehloShiftLeft(k *kernel) error {
	return stablehloElements(func(k *kernel, t model.Type, a, b *ir.Value) *ir.Value {
		if t != model.Int8 && t != model.Int16 && t != model.Int32 {
			return nil
		}
		zero := k.int(a.Type(), 0)
		some := k.cmp(arith.ULT, b, k.int(a.Type(), 8*t.Size()))
		return k.pick(some, k.shl(a, k.pick(some, b, zero)), zero)
	})(k)
}

// stablehloElements computes output 0 element by element from two inputs.
func stablehloElements(of elementFunction) func(k *kernel) error {
	return func(k *kernel) error {
		a, b, out := k.in[0], k.in[1], k.out[0]
		if a.Type != b.Type || a.Type != out.Type || a.Type == model.Int4 || a.Type == model.BFloat16 {
			return k.unsupported()
		}
		if !slices.Equal(a.Shape, b.Shape) || !slices.Equal(a.Shape, out.Shape) {
			return k.malformed()
		}
		values, err := k.inputs(0, 1)
		if err != nil {
			return err
		}
		if err := k.pointwise(values, func(e []*ir.Value) *ir.Value {
			if y := of(k, a.Type, e[0], e[1]); y != nil {
				return y
			}
			err = k.unsupported()
			return e[0]
		}); err != nil {
			return err
		}
		return err
	}
}

// stablehloCubeRoot is STABLEHLO_CBRT.
func stablehloCubeRoot(k *kernel) error { return unaryFloat(mathOp(math.Cbrt), nil)(k) }
