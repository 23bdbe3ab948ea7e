package constraint

import "freehold/ir"

// kind is a constraint that is about attributes of one Go type.
func kind[T ir.Attribute](summary string, match func(ir.Attribute) bool) ir.AttrConstraint {
	return ir.AttrConstraint{Summary: summary, Match: match, Class: is[T]}
}

func is[T ir.Attribute](a ir.Attribute) bool { _, ok := a.(T); return ok }

func typed(t ir.Type) func(*ir.Context) ir.Type { return func(*ir.Context) ir.Type { return t } }

// Integer accepts the integers of a type that satisfy holds; all if holds is nil.
func Integer(summary string, t ir.Type, holds func(int64) bool) ir.AttrConstraint {
	c := kind[*ir.IntegerAttr](summary, func(a ir.Attribute) bool {
		i, ok := a.(*ir.IntegerAttr)
		return ok && i.Type == t && (holds == nil || holds(i.Value))
	})
	c.ValueType = typed(t)
	return c
}

func denseArray(summary string, t ir.Type) ir.AttrConstraint {
	match := func(a ir.Attribute) bool {
		d, ok := a.(*ir.DenseArrayAttr)
		return ok && d.Elem == t
	}
	return ir.AttrConstraint{Summary: summary, Kind: ir.DenseArrayKind, ValueType: typed(t), Match: match, Class: match, Respell: toDenseArray(t)}
}

// Elements accepts dense integers of any shape whose type satisfies holds.
func Elements(summary string, holds func(ir.Type) bool) ir.AttrConstraint {
	return ir.AttrConstraint{Summary: summary, Class: denseIntegers, Match: func(a ir.Attribute) bool {
		return denseIntegers(a) && holds(a.(*ir.DenseElementsAttr).Type)
	}}
}

func denseIntegers(a ir.Attribute) bool {
	d, ok := a.(*ir.DenseElementsAttr)
	return ok && ir.IsIntOrIndex(ir.ElementType(d.Type))
}

// ArrayOf accepts arrays whose elements all satisfy match.
func ArrayOf(summary string, match func(ir.Attribute) bool) ir.AttrConstraint {
	return kind[*ir.ArrayAttr](summary, func(a ir.Attribute) bool {
		arr, ok := a.(*ir.ArrayAttr)
		if !ok {
			return false
		}
		for _, e := range arr.Elems {
			if !match(e) {
				return false
			}
		}
		return true
	})
}

// Constraints on attributes.
var (
	AnyAttr        = ir.AttrConstraint{Summary: "any attribute", Match: func(ir.Attribute) bool { return true }}
	BoolAttr       = ir.AttrConstraint{Summary: "bool attribute", Match: isBool, Class: isBool, ValueType: typed(ir.I1)}
	I32Attr        = Integer("32-bit signless integer attribute", ir.I32, nil)
	I64Attr        = Integer("64-bit signless integer attribute", ir.I64, nil)
	IndexAttr      = Integer("index attribute", ir.Index, nil)
	UnitAttr       = simple[*ir.UnitAttr]("unit attribute", ir.UnitKind)
	StrAttr        = simple[*ir.StringAttr]("string attribute", ir.StringKind)
	SymbolNameAttr = simple[*ir.StringAttr]("string attribute", ir.SymbolNameKind)
	FlatSymbolRef  = ir.AttrConstraint{Summary: "flat symbol reference attribute", Kind: ir.SymbolRefKind, Match: isFlatSymbolRef, Class: isFlatSymbolRef}
	SymbolRef      = simple[*ir.SymbolRefAttr]("symbol reference attribute", ir.SymbolRefKind)
	TypeAttr       = simple[*ir.TypeAttr]("any type attribute", ir.TypeKind)
	ArrayAttr      = kind[*ir.ArrayAttr]("array attribute", is[*ir.ArrayAttr])
	DictAttr       = kind[*ir.DictAttr]("dictionary of named attribute values", is[*ir.DictAttr])
	DictArray      = ArrayOf("Array of dictionary attributes", is[*ir.DictAttr])
	I64ArrayAttr   = i64Array()
	AffineMapAttr  = kind[*ir.AffineMapAttr]("AffineMap attribute", is[*ir.AffineMapAttr])
	AffineMapArray = ArrayOf("AffineMap array attribute", is[*ir.AffineMapAttr])
	// TypedAttr accepts the attributes that can carry a type.
	TypedAttr = ir.AttrConstraint{Summary: "TypedAttr instance", Match: canBeTyped, Class: canBeTyped}
	// IntElements accepts dense integers of any type.
	IntElements    = Elements("integer elements attribute", func(ir.Type) bool { return true })
	IntegerSetAttr = kind[*ir.IntegerSetAttr]("IntegerSet attribute", is[*ir.IntegerSetAttr])
	DenseI64Array  = denseArray("i64 dense array attribute", ir.I64)
	DenseI32Array  = denseArray("i32 dense array attribute", ir.I32)
	DenseBoolArray = denseArray("i1 dense array attribute", ir.I1)
	FunctionType   = TypeAttrOf("type attribute of function type", func(t ir.Type) bool { _, ok := t.(*ir.FunctionType); return ok })
)

func i64Array() ir.AttrConstraint {
	out := ArrayOf("64-bit integer array attribute", func(a ir.Attribute) bool { i, ok := a.(*ir.IntegerAttr); return ok && i.Type == ir.Type(ir.I64) })
	out.Respell = toArray
	return out
}

func simple[T ir.Attribute](summary string, k ir.AttrKind) ir.AttrConstraint {
	return ir.AttrConstraint{Summary: summary, Match: is[T], Class: is[T], Kind: k}
}

// TypeAttrOf accepts the types that satisfy match.
func TypeAttrOf(summary string, match func(ir.Type) bool) ir.AttrConstraint {
	return ir.AttrConstraint{Summary: summary, Kind: ir.TypeKind, Class: is[*ir.TypeAttr], Match: func(a ir.Attribute) bool {
		t, ok := a.(*ir.TypeAttr)
		return ok && match(t.Type)
	}}
}

func isBool(a ir.Attribute) bool {
	i, ok := a.(*ir.IntegerAttr)
	return ok && i.Type == ir.Type(ir.I1)
}

func isFlatSymbolRef(a ir.Attribute) bool {
	s, ok := a.(*ir.SymbolRefAttr)
	return ok && len(s.Nested) == 0
}

func canBeTyped(a ir.Attribute) bool { return ir.TypeOfAttr(a) != nil || is[*ir.StringAttr](a) }

// Segments is the attribute that keeps group sizes; use it as Derived.
var Segments = denseArray("i32 dense array attribute", ir.I32)

// Enum accepts the values of an enumeration.
func Enum(summary string, d *ir.EnumDef) ir.AttrConstraint {
	match := func(a ir.Attribute) bool {
		if d.Int == nil {
			e, ok := a.(*ir.EnumAttr)
			return ok && e.Def == d
		}
		i, ok := a.(*ir.IntegerAttr)
		return ok && i.Type == ir.Type(d.Int) && (d.Bit || d.Keyword(uint64(i.Value)) != "")
	}
	c := ir.AttrConstraint{Summary: summary, Enum: d, Match: match, Class: match}
	if d.Int != nil {
		c.ValueType = typed(d.Int)
	}
	return c
}
