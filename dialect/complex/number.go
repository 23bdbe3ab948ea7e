package complex

import (
	"freehold/ir"
	"freehold/ir/asm"
)

const numberMnemonic = "number"

// parseNumber reads #complex.number<:f32 1.0, 2.0>, whose parameters are the two
// parts.
func parseNumber(p *asm.Parser, mnemonic string, _ ir.Type) (ir.Attribute, error) {
	if mnemonic != numberMnemonic {
		return nil, nil
	}
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	t, err := p.ColonType()
	if err != nil {
		return nil, err
	}
	pos := p.Pos()
	var parts [2]ir.Attribute
	for i := range parts {
		if i > 0 {
			if err := p.Expect(","); err != nil {
				return nil, err
			}
		}
		if parts[i], err = p.Attr(t); err != nil {
			return nil, err
		}
		if f, ok := parts[i].(*ir.FloatAttr); !ok || f.Type != t {
			return nil, p.Errorf(pos, "expected floating point literal")
		}
	}
	c := p.Context()
	return c.DialectAttrOf(c.Dialect("complex"), numberMnemonic, parts[:]...), p.Expect(">")
}

func printNumber(w *ir.Writer, a *ir.DialectAttr) bool {
	re, ok := a.Params[0].(*ir.FloatAttr)
	if !ok || a.Mnemonic != numberMnemonic {
		return false
	}
	w.Text("number<:")
	w.Type(re.Type)
	w.Text(" ")
	w.AttrWithoutType(a.Params[0])
	w.Text(", ")
	w.AttrWithoutType(a.Params[1])
	w.Text("> : complex<")
	w.Type(re.Type)
	w.Text(">")
	return true
}
