package tflite

import (
	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// compare is an operator that compares elements. Quantized ones are brought to one scale before.
func compare(float arith.FloatPredicate, signed, unsignedToo arith.IntPredicate) func(k *kernel) error {
	return func(k *kernel) error {
		a, b, out := k.in[0], k.in[1], k.out[0]
		if a.Type != b.Type || out.Type != model.Bool {
			return k.unsupported()
		}
		values, err := k.inputs(0, 1)
		if err != nil {
			return err
		}
		if isQuantized(a) && len(a.Scale) == 1 && len(b.Scale) == 1 {
			if err := k.quantized(a, b); err != nil {
				return err
			}
			scaled := func(x *ir.Value, of *model.Tensor) *ir.Value {
				return k.rescale(k.shl(k.offset(x, of, ir.I32), k.i32(8)), quantizeMultiplier(scale(of)))
			}
			return k.pointwise(values, func(e []*ir.Value) *ir.Value { return k.cmp(signed, scaled(e[0], a), scaled(e[1], b)) })
		}
		return k.pointwise(values, func(e []*ir.Value) *ir.Value {
			switch {
			case ir.IsFloat(e[0].Type()):
				return k.cmpf(float, e[0], e[1])
			case unsigned(a.Type):
				return k.cmp(unsignedToo, e[0], e[1])
			}
			return k.cmp(signed, e[0], e[1])
		})
	}
}

// logical is an operator on truth values.
func logical(id *ir.OpID) func(k *kernel) error {
	return func(k *kernel) error {
		if k.in[0].Type != model.Bool || k.in[1].Type != model.Bool || k.out[0].Type != model.Bool {
			return k.unsupported()
		}
		values, err := k.inputs(0, 1)
		if err != nil {
			return err
		}
		return k.pointwise(values, func(e []*ir.Value) *ir.Value { return k.op2(id, e[0], e[1]) })
	}
}

// logicalNot is LOGICAL_NOT.
func logicalNot(k *kernel) error {
	if k.in[0].Type != model.Bool || k.out[0].Type != model.Bool {
		return k.unsupported()
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value { return k.op2(arith.XOrI, e[0], k.int(ir.I1, 1)) })
}

// selectKernel is SELECT and SELECT_V2.
func selectKernel(k *kernel) error {
	if k.in[0].Type != model.Bool || k.in[1].Type != k.out[0].Type || k.in[2].Type != k.out[0].Type {
		return k.unsupported()
	}
	values, err := k.inputs(0, 1, 2)
	if err != nil {
		return err
	}
	if c := k.in[0].Shape; k.code == "SELECT" && len(c) == 1 && len(k.out[0].Shape) > 1 {
		// A list of conditions is for the first dimension.
		shape := ones(len(k.out[0].Shape))
		shape[0] = c[0]
		values[0] = k.reshape(values[0], shape)
	}
	return k.pointwise(values, func(e []*ir.Value) *ir.Value { return k.pick(e[0], e[1], e[2]) })
}
