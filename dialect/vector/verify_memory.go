package vector

import (
	"slices"

	"freehold/ir"
	"freehold/ir/constraint"
)

func verifyIndices(op *ir.Op, base *ir.Value, group int) error {
	shape, _ := ir.ShapeOf(base.Type())
	if len(op.OperandGroup(group)) != len(shape) {
		return op.Errorf("requires %d indices", len(shape))
	}
	return nil
}

// verifyContiguous checks the access to memory of a vector.load or vector.store.
func verifyContiguous(op *ir.Op, base int, v *ir.Value, what, mismatch string) error {
	m, t := op.Operand(base).Type().(*ir.MemRefType), vec(v.Type())
	if strides, _, ok := m.StridesAndOffset(); !ok || len(strides) > 0 && strides[len(strides)-1] != 1 {
		return op.Errorf("most minor memref dim must have unit stride")
	}
	elem := m.Elem
	if e := vec(elem); e != nil {
		if e != t {
			return op.Errorf("base memref and %s vector types should match", what)
		}
		elem = e.Elem
	}
	if t.Elem != elem {
		return op.Errorf("%s", mismatch)
	}
	return verifyIndices(op, op.Operand(base), base+1)
}

func verifyMaskedLoad(op *ir.Op) error {
	base, res := MaskedLoadOp{op}.Base(), vec(op.Result(0).Type())
	mask, pass := op.OperandGroup(2).At(0), op.OperandGroup(3).At(0)
	if ir.ElementType(base.Type()) != res.Elem {
		return op.Errorf("base and result element type should match")
	}
	if err := verifyIndices(op, base, 1); err != nil {
		return err
	}
	if res.Shape[0] != vec(mask.Type()).Shape[0] {
		return op.Errorf("expected result dim to match mask dim")
	}
	if pass.Type() != ir.Type(res) {
		return op.Errorf("expected pass_thru of same type as result type")
	}
	return nil
}

func verifyMaskedStore(op *ir.Op) error {
	base, mask, value := MaskedStoreOp{op}.Base(), op.OperandGroup(2).At(0), vec(op.OperandGroup(3).At(0).Type())
	if ir.ElementType(base.Type()) != value.Elem {
		return op.Errorf("base and valueToStore element type should match")
	}
	if err := verifyIndices(op, base, 1); err != nil {
		return err
	}
	if value.Shape[0] != vec(mask.Type()).Shape[0] {
		return op.Errorf("expected valueToStore dim to match mask dim")
	}
	return nil
}

func verifyGather(op *ir.Op) error {
	base, res := GatherOp{op}.Base(), vec(op.Result(0).Type())
	switch base.Type().(type) {
	case *ir.MemRefType, *ir.RankedTensorType:
	default:
		return op.Errorf("requires base to be a memref or ranked tensor type")
	}
	if ir.ElementType(base.Type()) != res.Elem {
		return op.Errorf("base and result element type should match")
	}
	if err := verifyIndices(op, base, 1); err != nil {
		return err
	}
	shape := func(group int) []int64 { return vec(op.OperandGroup(group).At(0).Type()).Shape }
	switch {
	case !slices.Equal(res.Shape, shape(2)):
		return op.Errorf("expected result dim to match indices dim")
	case !slices.Equal(res.Shape, shape(3)):
		return op.Errorf("expected result dim to match mask dim")
	case op.OperandGroup(4).At(0).Type() != ir.Type(res):
		return op.Errorf("expected pass_thru of same type as result type")
	}
	return nil
}

func verifyScatter(op *ir.Op) error {
	base, value := ScatterOp{op}.Base(), vec(op.OperandGroup(4).At(0).Type())
	switch tensor := ir.IsTensor(base.Type()); {
	case tensor && op.NumResults() == 0:
		return op.Errorf("operand #0 must be %s, but got '%s'", constraint.AnyMemRef.Summary, base.Type())
	case !tensor && op.NumResults() > 0:
		return op.Errorf("has a result, but no tensor that is written to")
	case tensor && op.Result(0).Type() != base.Type():
		return op.Errorf("failed to verify that the result has the type of the base")
	}
	if ir.ElementType(base.Type()) != value.Elem {
		return op.Errorf("base and valueToStore element type should match")
	}
	if err := verifyIndices(op, base, 1); err != nil {
		return err
	}
	for i, what := range []string{"indices", "mask"} {
		if value.Shape[0] != vec(op.OperandGroup(2 + i).At(0).Type()).Shape[0] {
			return op.Errorf("expected valueToStore dim to match %s dim", what)
		}
	}
	return nil
}
