package bytecode_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/bytecode"
)

// units is a dialect with an attribute #units.length<n> that encodes it as its number, and
// a type !units.mark that it leaves to the text.
func units() *ir.Dialect {
	var d *ir.Dialect
	d = &ir.Dialect{Name: "units", AllowUnknownOps: true, Models: []ir.Model{
		asm.TypeParser.Model(func(p *asm.Parser, mnemonic string) (ir.Type, error) {
			return p.Context().DialectTypeOf(d, mnemonic), nil
		}),
		asm.AttrParser.Model(func(p *asm.Parser, mnemonic string, _ ir.Type) (ir.Attribute, error) {
			if err := p.Expect("<"); err != nil {
				return nil, err
			}
			n, err := p.Integer()
			if err != nil {
				return nil, err
			}
			return p.Context().DialectAttrOf(d, mnemonic, p.Context().I64Attr(n)), p.Expect(">")
		}),
		bytecode.Encoded.Model(&bytecode.Encoding{
			WriteAttr: func(w *bytecode.Writer, a ir.Attribute) bool {
				w.SignedVarint(a.(*ir.DialectAttr).Params[0].(*ir.IntegerAttr).Value)
				return true
			},
			ReadAttr: func(r *bytecode.Reader) (ir.Attribute, error) {
				n := r.SignedVarint()
				if n < 0 {
					return nil, errors.New("a length is negative")
				}
				return r.Context().DialectAttrOf(d, "length", r.Context().I64Attr(n)), nil
			},
		}),
	}, PrintAttr: func(w *ir.Writer, a *ir.DialectAttr) bool {
		w.Text(a.Mnemonic + "<")
		w.AttrWithoutType(a.Params[0])
		w.Byte('>')
		return true
	}}
	return d
}

// A dialect's own encoding is used; what it leaves out is text.
func TestDialectEncoding(t *testing.T) {
	through := func(src string) (string, error) {
		c := ir.NewContext(append(dialect.All(), units())...)
		d, err := asm.ParseDocument(c, []byte(src), "a.mlir", asm.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		data := write(t, d, bytecode.Options{Version: bytecode.Version})
		if bytes.Contains(data, []byte("length")) || !bytes.Contains(data, []byte("!units.mark\x00")) {
			t.Errorf("the encoding isn't that of the dialect: %q", data)
		}
		again, err := bytecode.Read(ir.NewContext(append(dialect.All(), units())...), data, "a", asm.ParseOptions{})
		if err != nil {
			return "", err
		}
		return string(asm.PrintDocument(again, asm.PrintOptions{})), nil
	}
	const src = "module {\n  %0 = \"units.one\"() {l = #units.length<300>} : () -> !units.mark\n}\n"
	if got, err := through(src); err != nil || got != src {
		t.Errorf("got %s, %v", got, err)
	}
	if _, err := through(strings.Replace(src, "300", "-1", 1)); err == nil || !strings.Contains(err.Error(), "a length is negative (at byte ") {
		t.Errorf("got error %v", err)
	}
}
