package vector

import (
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

func vec(t ir.Type) *ir.VectorType { v, _ := t.(*ir.VectorType); return v }

func vectorOf(summary string, match func(*ir.VectorType) bool) ir.TypeConstraint {
	return ir.TypeConstraint{Summary: summary, Class: ir.VectorClass, Match: func(t ir.Type) bool { v := vec(t); return v != nil && match(v) }}
}

func rankAtLeast1(v *ir.VectorType) bool { return len(v.Shape) > 0 }

func isFloat(t ir.Type) bool { return ir.IsFloat(t) }

// Constraints on vector types. Vectors of any rank include those without
// dimensions.
var (
	anyRank   = vectorOf("vector of any type values", func(*ir.VectorType) bool { return true })
	anyVector = vectorOf("vector of any type values", rankAtLeast1)
	fixed     = vectorOf("fixed-length vector of any type values", func(v *ir.VectorType) bool {
		return v.Scalable == nil
	})
	floats = vectorOf("vector of floating-point values", func(v *ir.VectorType) bool { return isFloat(v.Elem) })
	bits   = vectorOf("vector of 1-bit signless integer values", func(v *ir.VectorType) bool {
		return rankAtLeast1(v) && v.Elem == ir.Type(ir.I1)
	})
	bitsAnyRank = vectorOf("vector of 1-bit signless integer values", func(v *ir.VectorType) bool { return v.Elem == ir.Type(ir.I1) })
	bits1D      = vectorOf("vector of 1-bit signless integer values of ranks 1", func(v *ir.VectorType) bool {
		return len(v.Shape) == 1 && v.Elem == ir.Type(ir.I1)
	})
	rank1    = vectorOf(" of ranks 1", func(v *ir.VectorType) bool { return len(v.Shape) == 1 })
	scalable = vectorOf(" of ranks 1", func(v *ir.VectorType) bool {
		return len(v.Shape) == 1 && v.Scalable != nil
	})
	ints = vectorOf("vector of integer or index values", func(v *ir.VectorType) bool {
		return rankAtLeast1(v) && ir.IsIntOrIndex(v.Elem)
	})
	ints1D = vectorOf("vector of integer or index values of ranks 1", func(v *ir.VectorType) bool {
		return len(v.Shape) == 1 && ir.IsIntOrIndex(v.Elem)
	})
	indices1D = vectorOf("vector of index values of ranks 1", func(v *ir.VectorType) bool {
		return len(v.Shape) == 1 && v.Elem == ir.Type(ir.Index)
	})
	numbers1D = vectorOf("vector of signless integer or signed integer or index or floating-point values of ranks 1", func(v *ir.VectorType) bool {
		return len(v.Shape) == 1
	})
	staticMemRef = ir.TypeConstraint{Summary: "statically shaped memref of any type values", Class: ir.MemRefClass, Match: func(t ir.Type) bool {
		m, ok := t.(*ir.MemRefType)
		return ok && ir.IsStaticShape(m.Shape)
	}}
	printable = ir.TypeConstraint{Summary: "", Match: func(t ir.Type) bool {
		return vec(t) != nil || ir.IsIntOrIndex(t) || ir.IsFloat(t)
	}}
	signlessOrIndex = ir.TypeConstraint{Summary: "signless integer or index", Match: constraint.SignlessIntOrIndex.Match}
	splatElement    = ir.TypeConstraint{Summary: "integer/index/float type", Match: func(t ir.Type) bool {
		return signlessOrIndex.Match(t) || ir.IsFloat(t)
	}}
	boolArray     = constraint.ArrayOf("1-bit boolean array attribute", constraint.BoolAttr.Match)
	iteratorArray = constraint.EnumArray("Iterator type should be an enum.", IteratorType)
	stringLiteral = ir.AttrConstraint{Summary: "An Attribute containing a string", Match: constraint.StrAttr.Match,
		Class: constraint.StrAttr.Class, Kind: constraint.StrAttr.Kind}
)

func indices(name string) ir.OperandDef {
	return ir.OperandDef{Name: name, Type: constraint.Index, Arity: ir.Variadic}
}

func attr(name string, t ir.AttrConstraint) ir.AttrDef { return ir.AttrDef{Name: name, Type: t} }

var segments = ir.AttrDef{Name: ir.OperandSegmentsAttr, Type: constraint.Segments, Derived: true}

// kindAttr is the combining kind, which is add unless given.
var (
	kindAttr        = attr("kind", constraint.Enum("Kind of combining function for contractions and reductions", CombiningKind))
	defaultKindAttr = ir.AttrDef{Name: "kind", Type: kindAttr.Type, Default: func(c *ir.Context) ir.Attribute { return c.EnumAttr(CombiningKind, 1) }}
	nontemporalAttr = ir.AttrDef{Name: "nontemporal", Type: constraint.BoolAttr, Optional: true,
		Default: func(c *ir.Context) ir.Attribute { return c.Bool(false) }}
)

func allSame(names ...string) ir.TypeRule {
	s := "all of {"
	for i, n := range names {
		if i > 0 {
			s += ", "
		}
		s += n
	}
	return ir.TypeRule{Same: names, Summary: s + "} have same type"}
}

// sameElement checks that an operand has the element type of the first result.
func sameElement(operand int, summary string) ir.TypeRule {
	return ir.TypeRule{Summary: summary, Check: func(op *ir.Op) bool {
		return operand >= op.NumOperands() || ir.ElementType(op.Operand(operand).Type()) == ir.ElementType(op.Result(0).Type())
	}}
}

func elementOf(from, to, summary string) ir.TypeRule {
	return ir.TypeRule{From: from, To: to, Transform: ir.ElementType, Summary: summary}
}

// groupType is the type of an operand or result that is a group of its own.
func groupType(op *ir.Op, name string) ir.Type {
	if i := op.Def().OperandIndex(name); i >= 0 {
		return op.OperandGroup(i).At(0).Type()
	}
	return op.ResultGroup(op.Def().ResultIndex(name)).At(0).Type()
}

func sameElements(a, b string) ir.TypeRule {
	return ir.TypeRule{Summary: "all of {" + a + ", " + b + "} have same element type", Check: func(op *ir.Op) bool {
		return ir.ElementType(groupType(op, a)) == ir.ElementType(groupType(op, b))
	}}
}

// positionMultiple demands that the attribute pos is a multiple of a vector's
// length.
func positionMultiple(of, summary string) ir.TypeRule {
	return ir.TypeRule{Summary: summary, Check: func(op *ir.Op) bool {
		pos, ok := op.Attr("pos").(*ir.IntegerAttr)
		n := vec(groupType(op, of)).Shape[0]
		return !ok || n > 0 && pos.Value%n == 0
	}}
}

// reads and writes are effects on a memref operand.
func reads(i int) ir.Model { return effect(interfaces.Read, i) }

// scattered accepts what elements of a vector are scattered to: tensors only where there is a result.
var scattered = ir.TypeConstraint{Summary: constraint.AnyMemRef.Summary, Match: func(t ir.Type) bool {
	_, tensor := t.(*ir.RankedTensorType)
	return tensor || constraint.AnyMemRef.Match(t)
}}

func writes(i int) ir.Model { return effect(interfaces.Write, i) }

func effect(kind interfaces.EffectKind, i int) ir.Model {
	list := []interfaces.Effect{interfaces.OnOperand(kind, i)}
	return interfaces.MemoryEffects.Model(func(op *ir.Op) []interfaces.Effect {
		if !ir.IsMemRef(op.Operand(i).Type()) {
			return nil
		}
		return list
	})
}
