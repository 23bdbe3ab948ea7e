package constraint

import "freehold/ir"

func ac(summary string, match func(ir.Attribute) bool) ir.AttrConstraint {
	return ir.AttrConstraint{Summary: summary, Match: match}
}

// kind is a constraint that is about attributes of one Go type.
func kind[T ir.Attribute](summary string, match func(ir.Attribute) bool) ir.AttrConstraint {
	return ir.AttrConstraint{Summary: summary, Match: match, Class: is[T]}
}

func is[T ir.Attribute](a ir.Attribute) bool { _, ok := a.(T); return ok }

func typed(t ir.Type) func(*ir.Context) ir.Type { return func(*ir.Context) ir.Type { return t } }

func intAttr(summary string, t ir.Type) ir.AttrConstraint {
	return ir.AttrConstraint{Summary: summary, ValueType: typed(t), Class: is[*ir.IntegerAttr], Match: func(a ir.Attribute) bool {
		i, ok := a.(*ir.IntegerAttr)
		return ok && i.Type == t
	}}
}

func denseArray(summary string, t ir.Type) ir.AttrConstraint {
	return ir.AttrConstraint{Summary: summary, Kind: ir.DenseArrayKind, ValueType: typed(t), Match: func(a ir.Attribute) bool {
		d, ok := a.(*ir.DenseArrayAttr)
		return ok && d.Elem == t
	}}
}

func arrayOf(summary string, match func(ir.Attribute) bool) ir.AttrConstraint {
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
	AnyAttr        = ac("any attribute", func(ir.Attribute) bool { return true })
	BoolAttr       = intAttr("bool attribute", ir.I1)
	I32Attr        = intAttr("32-bit signless integer attribute", ir.I32)
	I64Attr        = intAttr("64-bit signless integer attribute", ir.I64)
	IndexAttr      = intAttr("index attribute", ir.Index)
	UnitAttr       = ir.AttrConstraint{Summary: "unit attribute", Match: is[*ir.UnitAttr], Kind: ir.UnitKind}
	StrAttr        = ir.AttrConstraint{Summary: "string attribute", Match: is[*ir.StringAttr], Class: is[*ir.StringAttr], Kind: ir.StringKind}
	SymbolNameAttr = ir.AttrConstraint{Summary: "string attribute", Match: is[*ir.StringAttr], Kind: ir.SymbolNameKind}
	FlatSymbolRef  = ir.AttrConstraint{Summary: "flat symbol reference attribute", Kind: ir.SymbolRefKind, Match: func(a ir.Attribute) bool {
		s, ok := a.(*ir.SymbolRefAttr)
		return ok && len(s.Nested) == 0
	}}
	SymbolRef      = ir.AttrConstraint{Summary: "symbol reference attribute", Kind: ir.SymbolRefKind, Match: is[*ir.SymbolRefAttr]}
	TypeAttr       = ir.AttrConstraint{Summary: "any type attribute", Kind: ir.TypeKind, Match: is[*ir.TypeAttr]}
	ArrayAttr      = kind[*ir.ArrayAttr]("array attribute", is[*ir.ArrayAttr])
	DictAttr       = kind[*ir.DictAttr]("dictionary of named attribute values", is[*ir.DictAttr])
	DictArray      = arrayOf("Array of dictionary attributes", is[*ir.DictAttr])
	I64ArrayAttr   = arrayOf("64-bit integer array attribute", func(a ir.Attribute) bool { i, ok := a.(*ir.IntegerAttr); return ok && i.Type == ir.Type(ir.I64) })
	AffineMapAttr  = kind[*ir.AffineMapAttr]("AffineMap attribute", is[*ir.AffineMapAttr])
	AffineMapArray = arrayOf("AffineMap array attribute", is[*ir.AffineMapAttr])
	// TypedAttr accepts the attributes that can carry a type.
	TypedAttr = ir.AttrConstraint{Summary: "TypedAttr instance", Match: canBeTyped, Class: canBeTyped}
	// IntElements accepts dense integers of any type.
	IntElements = ac("integer elements attribute", func(a ir.Attribute) bool {
		t := ir.TypeOfAttr(a)
		return t != nil && ir.IsShaped(t) && ir.IsIntOrIndex(ir.ElementType(t))
	})
	IntegerSetAttr = kind[*ir.IntegerSetAttr]("IntegerSet attribute", is[*ir.IntegerSetAttr])
	DenseI64Array  = denseArray("i64 dense array attribute", ir.I64)
	DenseI32Array  = denseArray("i32 dense array attribute", ir.I32)
	DenseBoolArray = denseArray("i1 dense array attribute", ir.I1)
	FunctionType   = ir.AttrConstraint{Summary: "type attribute of function type", Kind: ir.TypeKind, Match: func(a ir.Attribute) bool {
		t, ok := a.(*ir.TypeAttr)
		if !ok {
			return false
		}
		_, ok = t.Type.(*ir.FunctionType)
		return ok
	}}
)

func canBeTyped(a ir.Attribute) bool { return ir.TypeOfAttr(a) != nil || is[*ir.StringAttr](a) }

// Segments is the attribute that keeps group sizes; use it as Derived.
var Segments = denseArray("i32 dense array attribute", ir.I32)

// Enum accepts the values of an enumeration.
func Enum(summary string, d *ir.EnumDef) ir.AttrConstraint {
	c := ir.AttrConstraint{Summary: summary, Enum: d, Match: func(a ir.Attribute) bool {
		if d.Int == nil {
			e, ok := a.(*ir.EnumAttr)
			return ok && e.Def == d
		}
		i, ok := a.(*ir.IntegerAttr)
		return ok && i.Type == ir.Type(d.Int) && (d.Bit || d.Keyword(uint64(i.Value)) != "")
	}}
	if d.Int != nil {
		c.ValueType = typed(d.Int)
	}
	return c
}
