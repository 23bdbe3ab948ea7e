package arith

import (
	"freehold/dialect/ub"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// divides says when an integer division may be executed where it wasn't.
func divides(signed bool) ir.Model {
	return interfaces.ConditionallySpeculatable.Model(func(op *ir.Op) interfaces.Speculatability {
		return speculateDivision(op, signed)
	})
}

// speculateDivision allows a division where the divisor is a constant that can't
// be zero, nor -1 for a signed one, which could overflow.
func speculateDivision(op *ir.Op, signed bool) interfaces.Speculatability {
	d, ok := splat(op.Context(), ir.ConstantOf(BinaryOp{op}.RHS())).(*ir.IntegerAttr)
	if !ok || isZero(d) || signed && isAllOnes(d) {
		return interfaces.NotSpeculatable
	}
	return interfaces.AlwaysSpeculatable
}

// Materialize creates the constant of type t for the attribute that an operation was
// folded to; nil if there is none. It is how most dialects make their constants.
func Materialize(b *ir.Builder, value ir.Attribute, t ir.Type) *ir.Op {
	if ub.IsPoison(value) {
		return b.CreateOp(ub.Poison, []ir.Type{t}, nil, ir.NamedAttr{Name: "value", Value: value})
	}
	if ir.TypeOfAttr(value) != t {
		return nil
	}
	if i, ok := t.(*ir.IntegerType); ok && i.Signedness != ir.Signless {
		return nil
	}
	switch value.(type) {
	case *ir.IntegerAttr, *ir.FloatAttr, *ir.DenseElementsAttr, *ir.DenseResourceAttr, *ir.SparseElementsAttr:
		return NewConstant(b, value)
	}
	return nil
}

// splat returns the scalar that the constant a is or consists of, or nil.
func splat(c *ir.Context, a ir.Attribute) ir.Attribute {
	switch a := a.(type) {
	case *ir.IntegerAttr, *ir.FloatAttr:
		return a
	case *ir.DenseElementsAttr:
		if a.Splat {
			return a.Elem(c, 0)
		}
	}
	return nil
}

func isZero(a *ir.IntegerAttr) bool { return isInt(a, 0) }

// isInt tells whether the attribute's bits, as a signed number, are v.
func isInt(a *ir.IntegerAttr, v int64) bool {
	if a.Big != nil {
		return a.Big.IsInt64() && a.Big.Int64() == v
	}
	return a.Value == v
}

func isAllOnes(a *ir.IntegerAttr) bool {
	if bitWidth(a.Type) == 1 {
		return a.Value == 1
	}
	return isInt(a, -1)
}

func isOne(a *ir.IntegerAttr) bool { return isInt(a, 1) }
