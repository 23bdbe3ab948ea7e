package linalg

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

func enum(mnemonic, name, attr string, keywords ...string) *ir.EnumDef {
	d := &ir.EnumDef{Dialect: "linalg", Mnemonic: mnemonic, Name: name, Attr: attr}
	for i, k := range keywords {
		d.Cases = append(d.Cases, ir.EnumCase{Keyword: k, Value: uint64(i)})
	}
	return d
}

// The enumerations of the dialect: kinds of iteration dimensions (its values are
// those of [interfaces.Iterator]), and the scalar functions that bodies of named
// operations are made of.
var (
	IteratorType = enum("iterator_type", "::mlir::utils::IteratorType", "IteratorTypeEnum", "parallel", "reduction")
	UnaryFn      = enum("unary_fn", "UnaryFn", "UnaryFnAttr", "exp", "log", "abs", "ceil", "floor", "negf", "reciprocal", "round", "sqrt", "rsqrt",
		"square", "tanh", "erf")
	BinaryFn = enum("binary_fn", "BinaryFn", "BinaryFnAttr", "add", "sub", "mul", "div", "div_unsigned", "max_signed", "min_signed", "max_unsigned",
		"min_unsigned", "powf")
	TernaryFn = enum("ternary_fn", "TernaryFn", "TernaryFnAttr", "select")
	TypeFn    = enum("type_fn", "TypeFn", "TypeFnAttr", "cast_signed", "cast_unsigned")
)

// IteratorAttr returns the attribute for a list of iterator types.
func IteratorAttr(c *ir.Context, iterators []interfaces.Iterator) *ir.ArrayAttr {
	elems := make([]ir.Attribute, len(iterators))
	for i, it := range iterators {
		elems[i] = c.EnumAttr(IteratorType, uint64(it))
	}
	return c.ArrayAttr(elems...)
}

// MapsAttr returns the attribute for a list of indexing maps.
func MapsAttr(c *ir.Context, maps []*ir.AffineMap) *ir.ArrayAttr {
	elems := make([]ir.Attribute, len(maps))
	for i, m := range maps {
		elems[i] = c.AffineMapAttr(m)
	}
	return c.ArrayAttr(elems...)
}

func mapsOf(a ir.Attribute) []*ir.AffineMap {
	arr, ok := a.(*ir.ArrayAttr)
	if !ok {
		return nil
	}
	out := make([]*ir.AffineMap, len(arr.Elems))
	for i, e := range arr.Elems {
		m, ok := e.(*ir.AffineMapAttr)
		if !ok {
			return nil
		}
		out[i] = m.Map
	}
	return out
}
