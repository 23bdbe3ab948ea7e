package naive

import (
	"math/big"

	"freehold/ir"
)

// mapElements computes an elementwise operation.
func (f *frame) mapElements(op *ir.Op, fn func(op *ir.Op, in []ir.Type, out ir.Type, args []any) any) {
	var in []ir.Type
	for i := range op.NumOperands() {
		in = append(in, ir.ElementType(op.Operand(i).Type()))
	}
	results := make([][]any, op.NumResults())
	one := func(args []any) {
		undefined := false
		for _, a := range args {
			undefined = undefined || a == Undefined{}
		}
		for k := range results {
			var v any = Undefined{}
			if !undefined || op.Name() == "arith.select" {
				v = fn(op, in, ir.ElementType(op.Result(k).Type()), args)
			} else if divides[op.Name()] && (args[1] == Undefined{}) {
				f.wrong(op, Uninitialized, "an undefined divisor")
			} else if b, ok := args[len(args)-1].(*big.Int); ok && divides[op.Name()] && op.Name() != "math.ipowi" && b.Sign() == 0 {
				f.wrong(op, DivisionByZero, "division of what isn't defined by zero")
			}
			if several, ok := v.([]any); ok {
				v = several[k]
			}
			if w, ok := v.(*Wrong); ok {
				panic(w)
			}
			results[k] = append(results[k], v)
		}
	}
	var sizes []int64
	args := f.all(op)
	shaped := false
	for _, a := range args {
		if t, ok := a.(*Tensor); ok && (op.NumResults() == 0 || ir.IsShaped(op.Result(0).Type())) {
			if shaped && !equal(sizes, t.Sizes) {
				f.wrong(op, SizeMismatch, "operands of different sizes")
			}
			sizes, shaped = t.Sizes, true
		}
	}
	if !shaped {
		if shape, ok := ir.ShapeOf(op.Result(0).Type()); ok && ir.IsShaped(op.Result(0).Type()) {
			sizes, shaped = shape, true // a selection of undefined vectors
		}
	}
	if !shaped {
		one(args)
		for k := range results {
			f.set(op, k, results[k][0])
		}
		return
	}
	for i := range count(sizes) {
		at := make([]any, len(args))
		for k, a := range args {
			at[k] = a
			if t, ok := a.(*Tensor); ok {
				at[k] = t.Elems[i]
			}
		}
		one(at)
	}
	for k := range results {
		f.set(op, k, &Tensor{ir.ElementType(op.Result(k).Type()), sizes, results[k]})
	}
}
