package complex

import (
	"freehold/ir"
	"freehold/ir/asm"
)

const numberMnemonic = "number"

// parseNumber reads #complex.number<:f32 1.0, 2.0>, whose parameters are the two parts. They are read as f64, whatever the type, and
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
	params := make([]ir.Attribute, 2, 3)
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
		params[i] = c.FloatAttr(format, f.Float64())
	}
	if !ok {
		params = append(params, c.TypeAttr(t))
	}
	return c.DialectAttrOf(c.Dialect("complex"), numberMnemonic, params...), p.Expect(">")
}

func printNumber(w *ir.Writer, a *ir.DialectAttr) bool {
	re, ok := a.Params[0].(*ir.FloatAttr)
	if !ok || a.Mnemonic != numberMnemonic {
		return false
	}
	t := ir.Type(re.Type)
	if len(a.Params) > 2 {
		t = a.Params[2].(*ir.TypeAttr).Type
	}
	w.Text("number<:")
	w.Type(t)
	w.Text(" ")
	w.AttrWithoutType(a.Params[0])
	w.Text(", ")
	w.AttrWithoutType(a.Params[1])
	w.Text("> : complex<")
	w.Type(t)
	w.Text(">")
	return true
}
