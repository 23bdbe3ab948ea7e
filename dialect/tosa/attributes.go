package tosa

import (
	"freehold/ir"
	"freehold/ir/asm"
)

// The mnemonics of the attributes that hold zero points: the numbers that stand for zero in
// quantized tensors.
const (
	unaryQuant  = "unary_quant"
	convQuant   = "conv_quant"
	matmulQuant = "matmul_quant"
	padQuant    = "pad_quant"
)

// zeroPoints describes an attribute with zero points.
type zeroPoints struct {
	// name is that of the attribute in the reference's messages.
	name   string
	params []string
}

func zeroPointsOf(mnemonic string) (z zeroPoints, ok bool) {
	switch mnemonic {
	case unaryQuant:
		return zeroPoints{"UnaryOp", []string{"input_zp", "output_zp"}}, true
	case convQuant:
		return zeroPoints{"ConvOp", []string{"input_zp", "weight_zp"}}, true
	case matmulQuant:
		return zeroPoints{"MatMulOp", []string{"a_zp", "b_zp"}}, true
	case padQuant:
		return zeroPoints{"PadOp", []string{"input_zp"}}, true
	}
	return z, false
}

// quantAttr declares the attribute that holds an operation's zero points.
func quantAttr(mnemonic, summary string) ir.AttrDef {
	match := func(a ir.Attribute) bool { return quantOf(a, mnemonic) != nil }
	return ir.AttrDef{Name: quantName, Optional: true, Type: ir.AttrConstraint{
		Summary: "Attribute for " + summary + " quantization information.",
		Kind:    ir.DialectAttrKind, Attribute: dialectName + "." + mnemonic, Match: match, Class: match,
	}}
}

const quantName = "quantization_info"

var (
	unaryQuantAttr  = quantAttr(unaryQuant, "UnaryOp")
	convQuantAttr   = quantAttr(convQuant, "Conv type op")
	matmulQuantAttr = quantAttr(matmulQuant, "MatMulOp")
	padQuantAttr    = quantAttr(padQuant, "PadOp")
)

func quantOf(a ir.Attribute, mnemonic string) *ir.DialectAttr {
	d, ok := a.(*ir.DialectAttr)
	if !ok || d.Dialect.Name != dialectName || d.Mnemonic != mnemonic {
		return nil
	}
	return d
}

// ZeroPoints returns the zero points of a quantized operation: those of its input and its
// output, of its input and its weights, of its two inputs, or of its input alone. It returns
// false if the operation has none.
func ZeroPoints(op *ir.Op) ([]int64, bool) {
	d, ok := op.Attr(quantName).(*ir.DialectAttr)
	if !ok {
		return nil, false
	}
	out := make([]int64, len(d.Params))
	for i, p := range d.Params {
		out[i] = p.(*ir.IntegerAttr).Value
	}
	return out, true
}

// PadZeroPoint returns the attribute of a tosa.pad that says which number stands for zero.
func PadZeroPoint(c *ir.Context, n int64) ir.Attribute {
	return c.DialectAttrOf(c.Dialect(dialectName), padQuant, c.I64Attr(n))
}

// parseAttr reads <input_zp = 1, output_zp = 2>, in any order.
func parseAttr(p *asm.Parser, mnemonic string, _ ir.Type) (ir.Attribute, error) {
	if isWord(mnemonic) {
		return parseWord(p, mnemonic)
	}
	z, ok := zeroPointsOf(mnemonic)
	if !ok {
		return nil, nil
	}
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	params := make([]ir.Attribute, len(z.params))
	for n := range params {
		if n > 0 {
			if err := p.Expect(","); err != nil {
				return nil, err
			}
		}
		word, err := p.AnyKeyword()
		if err != nil {
			return nil, err
		}
		if err := p.Expect("="); err != nil {
			return nil, err
		}
		pos := p.Pos()
		i := z.index(word)
		if i < 0 || params[i] != nil {
			return nil, p.Errorf(pos, "duplicate or unknown struct parameter name: %s", word)
		}
		v, err := p.Integer()
		if err != nil {
			failed := p.Errorf(pos, "failed to parse Tosa_%sQuantizationAttr parameter '%s' which is to be a `int64_t`", z.name, word)
			return nil, both(err, failed)
		}
		params[i] = p.Context().I64Attr(v)
	}
	c := p.Context()
	return c.DialectAttrOf(c.Dialect(dialectName), mnemonic, params...), p.Expect(">")
}

// both is two errors of the parser, in this order.
func both(first, second error) error {
	a, ok := first.(*ir.Diagnostic)
	b, also := second.(*ir.Diagnostic)
	if !ok || !also {
		return first
	}
	return ir.Diagnostics{a, b}
}

func (z zeroPoints) index(name string) int {
	for i, p := range z.params {
		if p == name {
			return i
		}
	}
	return -1
}

func printAttr(w *ir.Writer, a *ir.DialectAttr) bool {
	if isWord(a.Mnemonic) {
		w.Text(a.Mnemonic)
		w.Byte('<')
		w.Text(word(a))
		w.Byte('>')
		return true
	}
	z, ok := zeroPointsOf(a.Mnemonic)
	if !ok {
		return false
	}
	w.Text(a.Mnemonic)
	w.Byte('<')
	for i, p := range z.params {
		if i > 0 {
			w.Text(", ")
		}
		w.Text(p)
		w.Text(" = ")
		w.Int(a.Params[i].(*ir.IntegerAttr).Value)
	}
	w.Byte('>')
	return true
}
