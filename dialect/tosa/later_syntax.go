package tosa

import (
	"slices"
	"strings"

	"freehold/ir"
	"freehold/ir/asm"
)

// words is the syntax of operations in LLVM 22 that have attributes with one of several words.
const words = "operands `` custom<Words>() `:` functional-type(operands, results)"

// wordy gives spellings that syntax.
func wordy(list []ir.Spelling) []ir.Spelling {
	for i := range list {
		list[i].Format = words
	}
	return list
}

// wordsSince is the version of LLVM that has such words.
const wordsSince = 22

// parseWords reads a dictionary of attributes of which at least one is a word without quotes, unless such words aren't what tells the
// version.
func parseWords(p *asm.Parser, s *asm.FormatState, _ []asm.DirectiveArg) error {
	told := p.Context().LLVM() >= wordsSince
	if told && !p.At("{") {
		return nil
	}
	if err := p.Expect("{"); err != nil {
		return err
	}
	for found := false; ; {
		name, err := p.AnyKeyword()
		if err != nil {
			return err
		}
		if err := p.Expect("="); err != nil {
			return err
		}
		mnemonic := name
		if name == "mode" {
			mnemonic = resizeModeOf
		}
		var value ir.Attribute
		if isWord(mnemonic) {
			if w, ok := p.OptionalAnyKeyword(); ok {
				value, found = wordAttr(p.Context(), mnemonic, w), true
			}
		}
		if value == nil {
			if value, err = p.Attr(nil); err != nil {
				return err
			}
		}
		s.SetAttr(name, value)
		if !p.Optional(",") {
			if !found && !told {
				return p.Errorf(p.Pos(), "expected a word")
			}
			return p.Expect("}")
		}
	}
}

// printWords prints a dictionary with such words.
func printWords(p *asm.Printer, op *ir.Op, _ []asm.DirectiveArg) {
	attrs := slices.Clone(op.DiscardableAttrs())
	for i, a := range op.Props() {
		if a != nil {
			attrs = append(attrs, ir.NamedAttr{Name: op.Def().Attrs[i].Name, Value: a})
		}
	}
	if len(attrs) == 0 {
		return
	}
	slices.SortFunc(attrs, func(a, b ir.NamedAttr) int { return strings.Compare(a.Name, b.Name) })
	p.Text(" {")
	for i, a := range attrs {
		if i > 0 {
			p.Text(", ")
		}
		p.Text(a.Name)
		if a.Value == ir.Attribute(ir.Unit) {
			continue
		}
		p.Text(" = ")
		if w := word(a.Value); w != "" {
			p.Text(w)
		} else {
			p.Attr(a.Value)
		}
	}
	p.Text("}")
}

// parseWord reads <BILINEAR>.
func parseWord(p *asm.Parser, mnemonic string) (ir.Attribute, error) {
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	w, err := p.AnyKeyword()
	if err != nil {
		return nil, err
	}
	return wordAttr(p.Context(), mnemonic, w), p.Expect(">")
}

// parseType reads !tosa.shape<n>, which is a tensor of n numbers in a program of a version that doesn't have it, and !tosa.mxint8.
func parseType(p *asm.Parser, mnemonic string) (ir.Type, error) {
	c := p.Context()
	if mnemonic == mxint8Type {
		p.Later(wordsSince, mxint8Type)
		return c.DialectTypeOf(c.Dialect(dialectName), mxint8Type), nil
	}
	if mnemonic != shapeType {
		return nil, nil
	}
	pos := p.Pos()
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	n, err := p.Integer()
	if err != nil {
		return nil, err
	}
	if n < 0 {
		return nil, p.Errorf(pos, "invalid rank (must be >= 0): %d", n)
	}
	if c.LLVM() >= wordsSince {
		return c.DialectTypeOf(c.Dialect(dialectName), shapeType, c.I64Attr(n)), p.Expect(">")
	}
	return c.RankedTensor([]int64{n}, ir.I64), p.Expect(">")
}

// printType writes !tosa.shape<n> or !tosa.mxint8.
func printType(w *ir.Writer, t *ir.DialectType) bool {
	if t.Mnemonic == mxint8Type {
		w.Text(mxint8Type)
		return true
	}
	if t.Mnemonic != shapeType || len(t.Params) != 1 {
		return false
	}
	w.Text(shapeType)
	w.Byte('<')
	w.Int(t.Params[0].(*ir.IntegerAttr).Value)
	w.Byte('>')
	return true
}
