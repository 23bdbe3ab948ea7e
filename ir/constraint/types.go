// Package constraint holds the type and attribute constraints that operation
// definitions are written with. Their summaries are part of the messages of the
// verifier.
package constraint

import "freehold/ir"

func tc(summary string, match func(ir.Type) bool) ir.TypeConstraint {
	return ir.TypeConstraint{Summary: summary, Match: match}
}

func classed(k ir.TypeClass, summary string, match func(ir.Type) bool) ir.TypeConstraint {
	return ir.TypeConstraint{Summary: summary, Match: match, Class: k}
}

func only(summary string, t ir.Type) ir.TypeConstraint {
	class := ir.AnyClass
	switch t.(type) {
	case *ir.IntegerType:
		class = ir.IntegerClass
	case *ir.FloatType:
		class = ir.FloatClass
	case *ir.IndexType:
		class = ir.IndexClass
	}
	return ir.TypeConstraint{Summary: summary, Match: func(x ir.Type) bool { return x == t }, Class: class,
		Buildable: func(*ir.Context) ir.Type { return t }}
}

// Constraints on single types.
var (
	AnyType            = tc("any type", func(ir.Type) bool { return true })
	Index              = only("index", ir.Index)
	I1                 = only("1-bit signless integer", ir.I1)
	I8                 = only("8-bit signless integer", ir.I8)
	I32                = only("32-bit signless integer", ir.I32)
	I64                = only("64-bit signless integer", ir.I64)
	F32                = only("32-bit float", ir.F32)
	F64                = only("64-bit float", ir.F64)
	AnyInteger         = classed(ir.IntegerClass, "integer", ir.IsInteger)
	AnySignlessInt     = classed(ir.IntegerClass, "signless integer", ir.IsSignlessInteger)
	AnyFloat           = classed(ir.FloatClass, "floating-point", ir.IsFloat)
	AnyComplex         = classed(ir.ComplexClass, "complex-type", func(t ir.Type) bool { _, ok := t.(*ir.ComplexType); return ok })
	SignlessIntOrIndex = tc("signless integer or index", func(t ir.Type) bool { return ir.IsSignlessInteger(t) || t == ir.Type(ir.Index) })
)

// Constraints on shaped types.
var (
	AnyShaped                 = classed(ir.ShapedClass, "shaped of any type values", ir.IsShaped)
	AnyVector                 = classed(ir.VectorClass, "vector of any type values", ir.IsVector)
	AnyTensor                 = classed(ir.TensorClass, "tensor of any type values", ir.IsTensor)
	AnyRankedTensor           = classed(ir.RankedTensorClass, "ranked tensor of any type values", func(t ir.Type) bool { _, ok := t.(*ir.RankedTensorType); return ok })
	AnyMemRef                 = classed(ir.MemRefClass, "memref of any type values", func(t ir.Type) bool { _, ok := t.(*ir.MemRefType); return ok })
	AnyRankedOrUnrankedMemRef = classed(ir.BaseMemRefClass, "ranked or unranked memref of any type values", ir.IsMemRef)
)

// Or accepts what any of the constraints accepts.
func Or(cs ...ir.TypeConstraint) ir.TypeConstraint {
	s, class := cs[0].Summary, cs[0].Class
	for _, c := range cs[1:] {
		s += " or " + c.Summary
		if c.Class != class {
			class = ir.AnyClass
		}
	}
	return classed(class, s, func(t ir.Type) bool {
		for _, c := range cs {
			if c.Match(t) {
				return true
			}
		}
		return false
	})
}

// RankedTensorOf accepts ranked tensors whose elements the constraint accepts.
func RankedTensorOf(c ir.TypeConstraint) ir.TypeConstraint {
	return classed(ir.RankedTensorClass, "ranked tensor of "+c.Summary+" values", func(t ir.Type) bool {
		x, ok := t.(*ir.RankedTensorType)
		return ok && c.Match(x.Elem)
	})
}

// TensorOf accepts tensors whose elements the constraint accepts.
func TensorOf(c ir.TypeConstraint) ir.TypeConstraint {
	return classed(ir.TensorClass, "tensor of "+c.Summary+" values", func(t ir.Type) bool {
		return ir.IsTensor(t) && c.Match(ir.ElementType(t))
	})
}

// DialectType accepts the type !dialect.mnemonic, which has no parameters, and builds it where that dialect is registered.
func DialectType(summary, dialect, mnemonic string) ir.TypeConstraint {
	return ir.TypeConstraint{
		Summary:   summary,
		Match:     func(t ir.Type) bool { return ir.IsDialectType(t, dialect, mnemonic) },
		Buildable: func(c *ir.Context) ir.Type { return c.DialectTypeOf(c.Dialect(dialect), mnemonic) },
	}
}

// MemRefOf accepts ranked memrefs whose elements the constraint accepts.
func MemRefOf(c ir.TypeConstraint) ir.TypeConstraint {
	return classed(ir.MemRefClass, "memref of "+c.Summary+" values", func(t ir.Type) bool {
		x, ok := t.(*ir.MemRefType)
		return ok && c.Match(x.Elem)
	})
}

// RankOf accepts what c accepts among types of the given rank. kind is "memref",
// "tensor" or "vector".
func RankOf(rank string, kind string, n int, elem ir.TypeConstraint) ir.TypeConstraint {
	class := map[string]ir.TypeClass{"memref": ir.MemRefClass, "vector": ir.VectorClass, "tensor": ir.RankedTensorClass}[kind]
	return classed(class, rank+" "+kind+" of "+elem.Summary+" values", func(t ir.Type) bool {
		shape, ok := ir.ShapeOf(t)
		if !ok || len(shape) != n || !elem.Match(ir.ElementType(t)) {
			return false
		}
		switch kind {
		case "memref":
			return ir.IsMemRef(t)
		case "vector":
			return ir.IsVector(t)
		}
		return ir.IsTensor(t)
	})
}

// Like constraints accept a scalar that c accepts, or a tensor or a vector of such.
func Like(summary string, c ir.TypeConstraint) ir.TypeConstraint {
	return tc(summary, func(t ir.Type) bool {
		if ir.IsVector(t) || ir.IsTensor(t) {
			return c.Match(ir.ElementType(t))
		}
		return c.Match(t)
	})
}

// ComplexOf accepts complex types whose elements the constraint accepts.
func ComplexOf(c ir.TypeConstraint) ir.TypeConstraint {
	return classed(ir.ComplexClass, "complex type with "+c.Summary+" elements", func(t ir.Type) bool {
		x, ok := t.(*ir.ComplexType)
		return ok && c.Match(x.Elem)
	})
}

// Scalars and containers of them.
var (
	SignlessIntegerLike = Like("signless-integer-like", SignlessIntOrIndex)
	FloatLike           = Like("floating-point-like", AnyFloat)
	BoolLike            = Like("bool-like", I1)
	FunctionTyped       = classed(ir.FunctionClass, "function type", func(t ir.Type) bool { _, ok := t.(*ir.FunctionType); return ok })
)
