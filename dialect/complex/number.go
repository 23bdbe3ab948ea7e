package complex

import (
	"fmt"
	"math"

	"freehold/ir"
	"freehold/ir/asm"
)

const numberMnemonic = "number"

// parseNumber reads #complex.number<:f32 1.0, 2.0>, which has the type complex<f32>, and whose parameters are the two parts. They are read as f64, whatever the type, and
// are f128 if it isn't one of floats.
func parseNumber(p *asm.Parser, mnemonic string, _ ir.Type) (ir.Attribute, error) {
	if mnemonic != numberMnemonic {
		return nil, nil
	}
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	start := p.Pos()
	t, err := p.ColonType()
	if err != nil {
		return nil, err
	}
	if _, integer := t.(*ir.IntegerType); !integer && !ir.IsFloat(t) {
		return nil, p.Errorf(start, "invalid element type for complex")
	}
	format, ok := t.(*ir.FloatType)
	if !ok {
		format = ir.F128
	}
	c := p.Context()
	params := make([]ir.Attribute, 2)
	for i := range params {
		if i > 0 {
			if err := p.Expect(","); err != nil {
				return nil, err
			}
		}
		pos := p.Pos()
		a, _, err := p.OptionalAttr(ir.F64)
		if err != nil {
			return nil, err
		}
		f, ok := a.(*ir.FloatAttr)
		if !ok || f.Type != ir.F64 {
			return nil, p.Errorf(pos, "expected floating point literal")
		}
		params[i] = partOf(c, format, f.Lo)
	}
	return c.TypedDialectAttr(c.Dialect("complex"), numberMnemonic, c.Complex(t), params...), p.Expect(">")
}

// printNumber writes what parseNumber reads; its type follows, as that of any attribute.
func printNumber(w *ir.Writer, a *ir.DialectAttr) bool {
	if a.Mnemonic != numberMnemonic {
		return false
	}
	w.Text("number<:")
	w.Type(a.Type.(*ir.ComplexType).Elem)
	w.Text(" ")
	printPart(w, a.Params[0].(*ir.FloatAttr))
	w.Text(", ")
	printPart(w, a.Params[1].(*ir.FloatAttr))
	w.Text(">")
	return true
}

// Parts returns the real and the imaginary part of #complex.number, in the format of its type; nil for other attributes, and for numbers whose type isn't one
// of floats.
func Parts(a ir.Attribute) (re, im *ir.FloatAttr) {
	d, ok := a.(*ir.DialectAttr)
	if !ok || d.Dialect.Name != "complex" || d.Mnemonic != numberMnemonic || !ir.IsFloat(d.Type.(*ir.ComplexType).Elem) {
		return nil, nil
	}
	return d.Params[0].(*ir.FloatAttr), d.Params[1].(*ir.FloatAttr)
}

// Of a NaN in f64, the payload that other formats keep, and the bit in it that makes it quiet.
const (
	nanPayload = 1<<52 - 1
	quiet      = 1 << 51
)

// partOf returns the number with the bits of an f64 in a format. What is no number keeps its
// sign and payload.
func partOf(c *ir.Context, format *ir.FloatType, bits uint64) *ir.FloatAttr {
	x := math.Float64frombits(bits)
	if x == x || format.Width <= 64 {
		return c.FloatAttr(format, x)
	}
	sign, payload := bits>>63, bits&nanPayload|quiet
	if format.Format.Special == ir.X87 {
		return c.FloatBits(format, 1<<63|payload<<11, sign<<15|0x7FFF)
	}
	return c.FloatBits(format, payload<<60, sign<<63|0x7FFF<<48|payload>>4)
}

// printPart writes a part: what has no digits as the bits of an f64, as which they are read.
func printPart(w *ir.Writer, a *ir.FloatAttr) {
	if _, finite := a.Type.Format.ToBig(a.Lo, a.Hi); finite || a.Type == ir.F64 {
		w.AttrWithoutType(a)
		return
	}
	x := a.Float64()
	bits := math.Float64bits(x)
	if x != x && a.Type.Width > 64 {
		sign, payload := a.Hi>>63, a.Hi<<4|a.Lo>>60
		if a.Type.Format.Special == ir.X87 {
			sign, payload = a.Hi>>15, a.Lo>>11
		}
		bits = sign<<63 | 0x7FF<<52 | payload&nanPayload
	}
	w.Text(fmt.Sprintf("0x%016X", bits))
}
