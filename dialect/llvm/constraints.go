package llvm

import (
	"slices"

	"freehold/ir"
	"freehold/ir/constraint"
)

func tc(summary string, match func(ir.Type) bool) ir.TypeConstraint {
	return ir.TypeConstraint{Summary: summary, Match: match}
}

// compatible tells whether values of the type exist in the dialect.
func compatible(t ir.Type) bool {
	switch t := t.(type) {
	case *ir.IntegerType:
		return ir.IsSignlessInteger(t)
	case *ir.FloatType:
		return true
	case *ir.VectorType:
		return len(t.Shape) == 1 && compatible(t.Elem)
	case *ir.DialectType:
		return t.Dialect.Name == dialectName
	}
	return false
}

// elementOr returns the element type of a vector, and other types as they are.
func elementOr(t ir.Type) ir.Type {
	if v, ok := t.(*ir.VectorType); ok {
		return v.Elem
	}
	if d, ok := is(t, vectorOf); ok {
		return d.Params[1].(*ir.TypeAttr).Type
	}
	return t
}

// addressSpace returns that of a pointer type.
func addressSpace(t ir.Type) int64 {
	if d, ok := is(t, pointer); ok && len(d.Params) > 0 {
		return d.Params[0].(*ir.IntegerAttr).Value
	}
	return 0
}

func isPointer(t ir.Type) bool { _, ok := is(t, pointer); return ok }

func isFloat(t ir.Type) bool { _, ok := is(t, quadPPC); return ok || ir.IsFloat(t) }

func scalarOrVector(what string, match func(ir.Type) bool) ir.TypeConstraint {
	return tc(what+" or LLVM dialect-compatible vector of "+what, func(t ir.Type) bool {
		return compatible(t) && match(elementOr(t))
	})
}

// Constraints on the types of operands and results.
var (
	anyLLVM  = tc("LLVM dialect-compatible type", compatible)
	loadable = tc("LLVM type with size", func(t ir.Type) bool {
		if d, ok := t.(*ir.DialectType); ok {
			switch d.Mnemonic {
			case voidType, function, "label", "metadata", "token":
				return false
			case structure:
				return d.Dialect.Name == dialectName && len(d.Params) == 3
			}
		}
		return compatible(t)
	})
	anyPointer  = tc("LLVM pointer type", isPointer)
	ints        = scalarOrVector("signless integer", ir.IsSignlessInteger)
	floats      = scalarOrVector("floating point LLVM type", isFloat)
	pointers    = scalarOrVector("LLVM pointer type", isPointer)
	intsOrPtrs  = constraint.Or(ints, pointers)
	bools       = scalarOrVector("1-bit signless integer", func(t ir.Type) bool { return t == ir.Type(ir.I1) })
	nonAggr     = tc("primitive LLVM type", func(t ir.Type) bool { return compatible(t) && !aggregate(t) })
	aggregates  = tc("LLVM aggregate type", aggregate)
	vectors     = tc("LLVM dialect-compatible vector type", func(t ir.Type) bool { return compatible(t) && elementOr(t) != t })
	signlessInt = constraint.AnySignlessInt
)

func aggregate(t ir.Type) bool {
	_, s := is(t, structure)
	_, a := is(t, array)
	return s || a
}

func result(t ir.TypeConstraint) []ir.ResultDef { return []ir.ResultDef{{Name: "res", Type: t}} }

func attr(name string, t ir.AttrConstraint) ir.AttrDef { return ir.AttrDef{Name: name, Type: t} }

func optional(name string, t ir.AttrConstraint) ir.AttrDef {
	return ir.AttrDef{Name: name, Type: t, Optional: true}
}

func withDefault(name string, e *ir.EnumDef, v uint64) ir.AttrDef {
	return ir.AttrDef{Name: name, Type: constraint.Enum("LLVM "+e.Mnemonic, e),
		Default: func(c *ir.Context) ir.Attribute { return c.EnumAttr(e, v) }}
}

var (
	fastMathFlags = withDefault("fastmathFlags", FastMath, 0)
	overflowFlags = func() ir.AttrDef {
		d := asNumber(withDefault("overflowFlags", Overflow, 0))
		d.Type.Respell = func(c *ir.Context, a ir.Attribute) ir.Attribute {
			if n, ok := a.(*ir.IntegerAttr); ok && constraint.I32Attr.Match(a) && n.Value >= 0 && n.Value < 4 {
				return c.EnumAttr(Overflow, uint64(n.Value))
			}
			return nil
		}
		return d
	}()
	alignment = optional("alignment", constraint.I64Attr)
	// accessMetadata says what LLVM may know of an access to memory.
	accessMetadata = optionals(constraint.ArrayAttr, "access_groups", "alias_scopes", "noalias_scopes", "tbaa")
	branchWeights  = optional("branch_weights", constraint.DenseI32Array)
	loopAnnotation = optional("loop_annotation", constraint.AnyAttr)
)

// asNumber is an enumeration that bytecode keeps as a number.
func asNumber(d ir.AttrDef) ir.AttrDef {
	d.Number = true
	return d
}

// optionals declares attributes that may be absent.
func optionals(t ir.AttrConstraint, names ...string) []ir.AttrDef {
	out := make([]ir.AttrDef, len(names))
	for i, name := range names {
		out[i] = optional(name, t)
	}
	return out
}

// with joins lists of attributes.
func with(attrs []ir.AttrDef, more ...[]ir.AttrDef) []ir.AttrDef {
	return slices.Concat(append([][]ir.AttrDef{attrs}, more...)...)
}

// zeroI64 declares an enumeration of which only the default is spelled by number.
func zeroI64(name string) ir.AttrDef {
	return ir.AttrDef{Name: name, Type: constraint.I64Attr, Default: func(c *ir.Context) ir.Attribute { return c.I64Attr(0) }}
}
