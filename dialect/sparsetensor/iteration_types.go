package sparsetensor

import (
	"freehold/ir"
	"freehold/ir/asm"
)

// Types that have an encoding and a range of levels: positions in them, and one such.
const (
	spaceMnemonic    = "iter_space"
	iteratorMnemonic = "iterator"
)

// levelRange is a type with a range of levels.
type levelRange struct{ *ir.DialectType }

// levelRangeOf returns a type as one with a range of levels, if it has the mnemonic.
func levelRangeOf(t ir.Type, mnemonic string) (levelRange, bool) {
	if !ir.IsDialectType(t, dialectName, mnemonic) {
		return levelRange{}, false
	}
	return levelRange{t.(*ir.DialectType)}, true
}

func newLevelRange(c *ir.Context, mnemonic string, e ir.Attribute, lo, hi int64) ir.Type {
	return c.DialectTypeOf(c.Dialect(dialectName), mnemonic, e, c.I64Attr(lo), c.I64Attr(hi))
}

func (t levelRange) encoding() ir.Attribute { return t.Params[0] }
func (t levelRange) lo() int64              { return t.Params[1].(*ir.IntegerAttr).Value }
func (t levelRange) hi() int64              { return t.Params[2].(*ir.IntegerAttr).Value }

// rank returns the number of levels.
func (t levelRange) rank() int64 { return t.hi() - t.lo() }

// iterator returns the type of the positions in a space.
func (t levelRange) iterator(c *ir.Context) ir.Type {
	return newLevelRange(c, iteratorMnemonic, t.encoding(), t.lo(), t.hi())
}

// parseLevelRange reads <#encoding, lvls = 0 to 2>. The name of the attribute may be left out.
func parseLevelRange(p *asm.Parser, mnemonic string) (ir.Type, error) {
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	pos := p.Pos()
	e, err := parseStripped(p)
	if err != nil {
		name := map[string]string{spaceMnemonic: "IterSpace", iteratorMnemonic: "Iterator"}[mnemonic]
		return nil, also(err, p.Errorf(pos, "failed to parse SparseTensor_%s parameter 'encoding' which is to be a `::mlir::sparse_tensor::SparseTensorEncodingAttr`", name))
	}
	if err := p.Expect(","); err != nil {
		return nil, err
	}
	if err := p.Keyword("lvls"); err != nil {
		return nil, err
	}
	if err := p.Expect("="); err != nil {
		return nil, err
	}
	lo, hi, err := parseLevels(p, p.SymbolPos())
	if err != nil {
		return nil, err
	}
	return newLevelRange(p.Context(), mnemonic, e, lo, hi), p.Expect(">")
}

// parseStripped reads an encoding, or what follows its name.
func parseStripped(p *asm.Parser) (ir.Attribute, error) {
	if p.At("<") {
		return parseEncoding(p)
	}
	pos := p.Pos()
	a, ok, err := p.OptionalAttr(nil)
	if err != nil {
		return nil, err
	}
	e, isEncoding := EncodingOf(a)
	if !ok || !isEncoding {
		return nil, p.Errorf(pos, "expected '<'")
	}
	return e.DialectAttr, nil
}

// parseLevels reads the first level, and what follows the last one if there are several. An empty range is an error at pos.
func parseLevels(p *asm.Parser, pos asm.Pos) (lo, hi int64, err error) {
	if lo, err = p.Integer(); err != nil {
		return 0, 0, err
	}
	hi = lo + 1
	if p.OptionalKeyword("to") {
		if hi, err = p.Integer(); err != nil {
			return 0, 0, err
		}
	}
	if uint64(lo) >= uint64(hi) {
		return 0, 0, p.Errorf(pos, "expect larger level upper bound than lower bound")
	}
	return lo, hi, nil
}

func printLevels(w *ir.Writer, lo, hi int64) {
	w.Int(lo)
	if hi != lo+1 {
		w.Text(" to ")
		w.Int(hi)
	}
}

// printLevelRange leaves the encoding's name out, if it has no alias.
func printLevelRange(w *ir.Writer, t levelRange) {
	const name = "#" + dialectName + "." + encodingMnemonic
	at := len(w.Buf)
	w.Attr(t.encoding())
	if len(w.Buf) > at+len(name) && string(w.Buf[at:at+len(name)]) == name {
		w.Buf = append(w.Buf[:at], w.Buf[at+len(name):]...)
	}
	w.Text(", lvls = ")
	printLevels(w, t.lo(), t.hi())
}

// also is two errors, the first of which is why there is the second one.
func also(why, what error) error {
	first, ok := why.(*ir.Diagnostic)
	second, ok2 := what.(*ir.Diagnostic)
	if !ok || !ok2 {
		return why
	}
	return ir.Diagnostics{first, second}
}
