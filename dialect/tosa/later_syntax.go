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

// printWords prints such words as attributes, which LLVM 22 reads as well.
func printWords(p *asm.Printer, op *ir.Op, _ []asm.DirectiveArg) {
	attrs := slices.Clone(op.DiscardableAttrs())
	for i, a := range op.Props() {
		if a != nil {
			attrs = append(attrs, ir.NamedAttr{Name: op.Def().Attrs[i].Name, Value: a})
		}
	}
	slices.SortFunc(attrs, func(a, b ir.NamedAttr) int { return strings.Compare(a.Name, b.Name) })
	p.OptionalAttrDict(attrs)
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

// parseType reads !tosa.shape<n>, which is a tensor of n numbers here.
func parseType(p *asm.Parser, mnemonic string) (ir.Type, error) {
	if mnemonic != shapeType {
		return nil, nil
	}
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	n, err := p.Integer()
	if err != nil {
		return nil, err
	}
	return p.Context().RankedTensor([]int64{n}, ir.I64), p.Expect(">")
}

// printType writes !tosa.shape<n>.
func printType(w *ir.Writer, t *ir.DialectType) bool {
	if t.Mnemonic != shapeType || len(t.Params) != 1 {
		return false
	}
	w.Text(shapeType)
	w.Byte('<')
	w.Int(t.Params[0].(*ir.IntegerAttr).Value)
	w.Byte('>')
	return true
}
