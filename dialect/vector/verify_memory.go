package vector

import (
	"slices"

	"freehold/dialect/memref"
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

// verifyContiguous checks the access to memory of a vector.load or vector.store. The messages are those about other elements,
// and about a vector of more dimensions.
func verifyContiguous(op *ir.Op, base int, v *ir.Value, what, mismatch, lower string) error {
	m, t := op.Operand(base).Type().(*ir.MemRefType), vec(v.Type())
	later := op.Context().LLVM() >= 22
	if later {
		if err := memref.VerifyAlignment(op); err != nil {
			return err
		}
		if len(m.Shape) < len(t.Shape) {
			return op.Errorf("%s", lower)
		}
	}
	one := later && slices.Equal(t.Shape, []int64{1}) && t.Scalable == nil // where a stride tells nothing
	if strides, _, ok := m.StridesAndOffset(); !one && (!ok || len(strides) > 0 && strides[len(strides)-1] != 1) {
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
	if err := verifyMasked(op, MaskedLoad, "result", res, vec(mask.Type())); err != nil {
		return err
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
	return verifyMasked(op, MaskedStore, "valueToStore", value, vec(mask.Type()))
}

// verifyMasked checks that a mask has a place for each element. LLVM 22 speaks of shapes where it is about the operation that has
// any number of dimensions in more than its type.
func verifyMasked(op *ir.Op, shaped *ir.OpID, what string, values, mask *ir.VectorType) error {
	if err := memref.VerifyAlignment(op); err != nil {
		return err
	}
	if slices.Equal(values.Shape, mask.Shape) {
		return nil
	}
	part := "dim"
	if op.Is(shaped) && op.Context().LLVM() >= 22 {
		part = "shape"
	}
	return op.Errorf("expected %s %s to match mask %s", what, part, part)
}

// verifyLaterGather is verifyGather as LLVM 22 words it.
func verifyLaterGather(op *ir.Op) error {
	base := GatherOp{op}.Base().Type()
	if _, ranked := base.(*ir.MemRefType); !ranked && !ir.IsTensor(base) {
		return op.Errorf("operand #0 must be Tensor or MemRef of any type values, but got '%s'", base)
	}
	return verifyGather(op)
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
		if !slices.Equal(value.Shape, vec(op.OperandGroup(2+i).At(0).Type()).Shape) {
			return op.Errorf("expected valueToStore dim to match %s dim", what)
		}
	}
	return nil
}
