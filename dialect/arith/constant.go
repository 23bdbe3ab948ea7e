package arith

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Constant is arith.constant, a number or a vector or tensor of numbers that is
// known before the program runs.
var Constant = ir.NewOpID("arith.constant")

func constantDef() *ir.OpDef {
	return &ir.OpDef{
		ID:      Constant,
		Results: []ir.ResultDef{{Name: "result", Type: constraint.AnyType}},
		Attrs:   []ir.AttrDef{{Name: "value", Type: constraint.TypedAttr}},
		Traits:  ir.TraitPure | ir.TraitConstantLike,
		TypeRules: []ir.TypeRule{
			{Same: []string{"value", "result"}, Summary: "all of {value, result} have same type"},
		},
		Format: "attr-dict $value",
		InferTypes: func(s *ir.OpState) ([]ir.Type, error) {
			return append(s.TypeRoom(1), ir.TypeOfAttr(s.Attr("value"))), nil
		},
		Verify:      verifyConstant,
		VerifyAlone: true,
		Models:      []ir.Model{interfaces.Bufferizable.Model(constantBufferize{}), asm.ResultNames.Model(nameConstant)},
	}
}

func verifyConstant(op *ir.Op) error {
	t := op.Result(0).Type()
	if i, ok := t.(*ir.IntegerType); ok && i.Signedness != ir.Signless {
		return op.Errorf("integer return type must be signless")
	}
	switch a := op.Prop(0).(type) {
	case *ir.IntegerAttr, *ir.FloatAttr, *ir.DenseElementsAttr, *ir.DenseStringElementsAttr, *ir.SparseElementsAttr, *ir.DenseResourceAttr:
	case *ir.DialectAttr:
		if a.Type == nil || !ir.IsShaped(a.Type) {
			return op.Errorf("value must be an integer, float, or elements attribute")
		}
	default:
		return op.Errorf("value must be an integer, float, or elements attribute")
	}
	if v, ok := t.(*ir.VectorType); ok && v.Scalable != nil {
		if d, ok := op.Prop(0).(*ir.DenseElementsAttr); !ok || !d.Splat {
			return op.Errorf("intializing scalable vectors with elements attribute is not supported unless it's a vector splat")
		}
	}
	return nil
}

func nameConstant(op *ir.Op, name func(*ir.Value, string)) {
	v := op.Result(0)
	i, ok := op.Prop(0).(*ir.IntegerAttr)
	if !ok {
		name(v, "cst")
		return
	}
	if i.Type == ir.Type(ir.I1) {
		if i.Value != 0 {
			name(v, "true")
		} else {
			name(v, "false")
		}
		return
	}
	s := "c" + i.BigInt().String()
	if i.Type != ir.Type(ir.Index) {
		s += "_" + i.Type.String()
	}
	name(v, s)
}

// nameMultiple names a constant multiple of the size of scalable vectors by the constant.
func nameMultiple(op *ir.Op, name func(*ir.Value, string)) {
	n, scale := BinaryOp{op}.LHS(), BinaryOp{op}.RHS()
	if interfaces.IsVectorScale(n) {
		n, scale = scale, n
	}
	if c := n.DefiningOp(); c != nil && c.Is(Constant) && interfaces.IsVectorScale(scale) {
		nameConstant(c, func(_ *ir.Value, s string) { name(op.Result(0), s+"_vscale") })
	}
}

// NewConstant creates the constant of a typed attribute.
func NewConstant(b *ir.Builder, value ir.Attribute) *ir.Op {
	return b.CreateOp(Constant, []ir.Type{ir.TypeOfAttr(value)}, nil, ir.NamedAttr{Name: "value", Value: value})
}

// ConstantIndex creates the constant n of type index and returns its value.
func ConstantIndex(b *ir.Builder, n int64) *ir.Value {
	return NewConstant(b, b.Context().IndexAttr(n)).Result(0)
}

// ConstantBool creates the constant true or false and returns its value.
func ConstantBool(b *ir.Builder, v bool) *ir.Value {
	return NewConstant(b, b.Context().Bool(v)).Result(0)
}

// ConstantInt creates the constant n of an integer type or index and returns its
// value.
func ConstantInt(b *ir.Builder, t ir.Type, n int64) *ir.Value {
	return NewConstant(b, b.Context().IntegerAttr(t, n)).Result(0)
}

// ConstantFloat creates the constant x of a floating-point type and returns its
// value.
func ConstantFloat(b *ir.Builder, t *ir.FloatType, x float64) *ir.Value {
	return NewConstant(b, b.Context().FloatAttr(t, x)).Result(0)
}

// New creates an arith operation (other than casts and comparisons) whose result
// types are those of its first operand, and returns its first result.
func New(b *ir.Builder, id *ir.OpID, operands ...*ir.Value) *ir.Value {
	types := make([]ir.Type, len(b.Context().OpNameOf(id).Def().Results))
	for i := range types {
		types[i] = operands[0].Type()
	}
	return b.CreateOp(id, types, operands).Result(0)
}

// NewCast creates a cast of v to type t and returns its result.
func NewCast(b *ir.Builder, id *ir.OpID, t ir.Type, v *ir.Value) *ir.Value {
	return b.CreateOp(id, []ir.Type{t}, []*ir.Value{v}).Result(0)
}

// NewCmpI creates a comparison of integers and returns its result.
func NewCmpI(b *ir.Builder, pred IntPredicate, lhs, rhs *ir.Value) *ir.Value {
	s := b.State(CmpI)
	s.SetAttr("predicate", b.Context().EnumAttr(CmpIPredicate, uint64(pred)))
	s.Operands = []*ir.Value{lhs, rhs}
	return b.Create(s).Result(0)
}

// NewCmpF creates a comparison of floating-point numbers and returns its result.
func NewCmpF(b *ir.Builder, pred FloatPredicate, lhs, rhs *ir.Value) *ir.Value {
	s := b.State(CmpF)
	s.SetAttr("predicate", b.Context().EnumAttr(CmpFPredicate, uint64(pred)))
	s.Operands = []*ir.Value{lhs, rhs}
	return b.Create(s).Result(0)
}

// NewSelect creates the choice of a where cond is true and of b elsewhere, and
// returns its result.
func NewSelect(b *ir.Builder, cond, t, f *ir.Value) *ir.Value {
	return b.CreateOp(Select, []ir.Type{t.Type()}, []*ir.Value{cond, t, f}).Result(0)
}

// Predicate returns the predicate of an arith.cmpi.
func Predicate(cmp *ir.Op) IntPredicate { return IntPredicate(cmp.Prop(0).(*ir.IntegerAttr).Value) }

// FPredicate returns the predicate of an arith.cmpf.
func FPredicate(cmp *ir.Op) FloatPredicate {
	return FloatPredicate(cmp.Prop(0).(*ir.IntegerAttr).Value)
}
