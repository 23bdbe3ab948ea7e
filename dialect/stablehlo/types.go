package stablehlo

import (
	"freehold/dialect/quant"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

// The mnemonics of the dialect's types.
const (
	tokenName  = "token"
	futureName = "future"
)

// parseType reads what follows !stablehlo.token, which is nothing, or <types> of a future.
func parseType(p *asm.Parser, mnemonic string) (ir.Type, error) {
	c := p.Context()
	switch mnemonic {
	case tokenName:
		return Token(c), nil
	case futureName:
		var params []ir.Attribute
		if err := p.Expect("<"); err != nil {
			return nil, err
		}
		for len(params) == 0 || p.Optional(",") {
			t, err := p.Type()
			if err != nil {
				return nil, err
			}
			params = append(params, c.TypeAttr(t))
		}
		return c.DialectTypeOf(c.Dialect(dialectName), futureName, params...), p.Expect(">")
	}
	return nil, nil
}

// Token is the type of what only orders operations.
func Token(c *ir.Context) ir.Type { return c.DialectTypeOf(c.Dialect(dialectName), tokenName) }

// IsToken tells whether t is the type of tokens.
func IsToken(t ir.Type) bool { return ir.IsDialectType(t, dialectName, tokenName) }

func isFuture(t ir.Type) bool { return ir.IsDialectType(t, dialectName, futureName) }

// IsUnsigned tells whether t is a type of unsigned integers: one that says so, or booleans.
func IsUnsigned(t ir.Type) bool {
	i, ok := t.(*ir.IntegerType)
	return ok && (i.Signedness == ir.Unsigned || i.Width == 1)
}

func isComplex(t ir.Type) bool { _, ok := t.(*ir.ComplexType); return ok }

// isComplexFloat tells whether a type is one of the two of complex numbers that the specification has.
func isComplexFloat(t ir.Type) bool {
	c, ok := t.(*ir.ComplexType)
	return ok && (c.Elem == ir.Type(ir.F32) || c.Elem == ir.Type(ir.F64))
}

// isQuantized tells whether a type is of numbers with one scale, and isPerAxis whether it is of those with several.
func isQuantized(t ir.Type) bool {
	q := quant.Of(t)
	return q != nil && q.Axis < 0 && validQuantized(q)
}

func isPerAxis(t ir.Type) bool { q := quant.Of(t); return q != nil && q.Axis >= 0 && validQuantized(q) }

func isBool(t ir.Type) bool { return t == ir.Type(ir.I1) }

func isInt(t ir.Type) bool {
	i, ok := t.(*ir.IntegerType)
	if !ok || i.Signedness == ir.Signed {
		return false
	}
	switch i.Width {
	case 2, 4, 8, 16, 32, 64:
		return true
	}
	return false
}

// kinds of elements, which constraints are made of.
type kinds uint8

const (
	bools kinds = 1 << iota
	ints
	signed
	floats
	complexes
	quantized
	perAxis
	indices
)

var kindNames = []struct {
	kind  kinds
	name  string
	match func(ir.Type) bool
}{
	{bools, "pred (AKA boolean or 1-bit integer)", isBool},
	{ints, "2/4/8/16/32/64-bit signless or unsigned integer", isInt},
	{signed, "2/4/8/16/32/64-bit signless integer", func(t ir.Type) bool { return isInt(t) && !IsUnsigned(t) }},
	{floats, "floating-point", ir.IsFloat},
	{complexes, "complex type with 32-bit float or 64-bit float elements", isComplexFloat},
	{quantized, "per-tensor integer quantized", isQuantized},
	{perAxis, "per-axis integer quantized", isPerAxis},
	{indices, "index", func(t ir.Type) bool { return t == ir.Type(ir.Index) }},
}

func (k kinds) match(t ir.Type) bool {
	for _, x := range kindNames {
		if k&x.kind != 0 && x.match(t) {
			return true
		}
	}
	return false
}

func (k kinds) summary() string {
	out := ""
	for _, x := range kindNames {
		if k&x.kind == 0 {
			continue
		}
		if out != "" {
			out += " or "
		}
		out += x.name
	}
	return out
}

// tensorOf accepts ranked tensors whose elements are of some kinds.
func tensorOf(k kinds) ir.TypeConstraint {
	c := constraint.RankedTensorOf(ir.TypeConstraint{Summary: k.summary(), Match: k.match})
	if k&perAxis != 0 {
		elements := c.Match
		c.Match = func(t ir.Type) bool { return elements(t) && axisFits(t) }
	}
	return c
}

// The kinds of elements that groups of operations take.
const (
	numbers  = ints | floats | complexes | quantized
	anything = bools | numbers | perAxis | indices
)

var (
	anyTensor   = tensorOf(anything)
	boolTensor  = tensorOf(bools)
	floatTensor = tensorOf(floats | quantized)
	indexTensor = tensorOf(ints | indices)

	tokenType  = ir.TypeConstraint{Summary: "token", Match: IsToken}
	futureType = ir.TypeConstraint{Summary: "future", Match: isFuture}
	tupleType  = ir.TypeConstraint{Summary: "nested tuple with any combination of ranked tensor or token values", Match: isTuple}
	// anyValue accepts what a value of the dialect can be: a tensor, a token or a tuple.
	anyValue = ir.TypeConstraint{Summary: "ranked tensor, token or tuple", Match: isValue}
	// foreign accepts what goes to other processes or functions.
	foreign = ir.TypeConstraint{Summary: "ranked tensor, token, tuple or future", Match: func(t ir.Type) bool { return isValue(t) || isFuture(t) }}
	// called accepts what custom calls take.
	called = ir.TypeConstraint{Summary: "ranked tensor, token, tuple, future or memref", Match: func(t ir.Type) bool { return isValue(t) || isFuture(t) || ir.IsMemRef(t) }}
)

func isTuple(t ir.Type) bool {
	x, ok := t.(*ir.TupleType)
	if !ok {
		return false
	}
	for _, e := range x.Types {
		if !isValue(e) {
			return false
		}
	}
	return true
}

func isValue(t ir.Type) bool { return anyTensor.Match(t) || ir.IsTensor(t) || IsToken(t) || isTuple(t) }

func rankedOf(t ir.Type) *ir.RankedTensorType { r, _ := t.(*ir.RankedTensorType); return r }
