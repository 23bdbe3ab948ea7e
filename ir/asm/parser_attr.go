package asm

import (
	"maps"
	"math/big"
	"slices"
	"strings"

	"freehold/ir"
)

// Attr consumes an attribute; t is the type it has if it doesn't spell one, or
// nil.
func (p *Parser) Attr(t ir.Type) (ir.Attribute, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	switch p.tok.kind {
	case tInt, tFloat:
		return p.numberAttr(t, false)
	case tMinus:
		p.advance()
		if p.tok.kind != tInt && p.tok.kind != tFloat {
			return nil, p.failToken("expected constant integer or floating point value")
		}
		return p.numberAttr(t, true)
	case tString:
		s, _ := p.OptionalString()
		if t == nil && p.accept(tColon) {
			var err error
			if t, err = p.Type(); err != nil {
				return nil, err
			}
		}
		return p.ctx.TypedStringAttr(s, t), nil
	case tAt:
		return p.symbolRef()
	case tHash:
		return p.extendedAttr(t)
	case tLSquare:
		return p.arrayAttr()
	case tLBrace:
		d, err := p.dictEntries()
		if err != nil {
			return nil, err
		}
		return p.ctx.DictAttr(d...), nil
	case tWord:
		w := p.text()
		if f := attrParsers[w]; f != nil {
			return f(p, t)
		}
		if startsType(w) {
			return p.typeAttr()
		}
	case tLParen, tBang:
		return p.typeAttr()
	}
	return nil, p.failToken("expected attribute value")
}

// AttributeWords are the words that attributes start with, in order.
func AttributeWords() []string { return slices.Sorted(maps.Keys(attrParsers)) }

// attrParsers are the attributes that start with a word.
var attrParsers map[string]func(p *Parser, t ir.Type) (ir.Attribute, error)

func init() {
	attrParsers = map[string]func(p *Parser, t ir.Type) (ir.Attribute, error){
		"true":           func(p *Parser, _ ir.Type) (ir.Attribute, error) { p.advance(); return p.ctx.Bool(true), nil },
		"false":          func(p *Parser, _ ir.Type) (ir.Attribute, error) { p.advance(); return p.ctx.Bool(false), nil },
		"unit":           func(p *Parser, _ ir.Type) (ir.Attribute, error) { p.advance(); return ir.Unit, nil },
		"affine_map":     (*Parser).affineMapAttr,
		"affine_set":     (*Parser).affineSetAttr,
		"dense":          (*Parser).denseAttr,
		"sparse":         (*Parser).sparseAttr,
		"dense_resource": (*Parser).denseResourceAttr,
		"array":          (*Parser).denseArrayAttr,
		"strided":        (*Parser).stridedAttr,
		"distinct":       (*Parser).distinctAttr,
		"loc": func(p *Parser, _ ir.Type) (ir.Attribute, error) {
			p.advance()
			if err := p.expect(tLParen, "expected '(' in inline location"); err != nil {
				return nil, err
			}
			l, err := p.location()
			if err != nil {
				return nil, err
			}
			return p.ctx.UniqueLocation(l), p.expect(tRParen, "expected ')' in inline location")
		},
	}
}

// OptionalAttr consumes an attribute if one is next.
func (p *Parser) OptionalAttr(t ir.Type) (a ir.Attribute, ok bool, err error) {
	switch p.tok.kind {
	case tInt, tFloat, tMinus, tString, tAt, tHash, tLSquare, tLBrace, tLParen, tBang:
	case tWord:
		switch w := p.text(); {
		case w == "array" || w == "distinct" || w == "strided":
			return nil, false, nil // They are read only where an attribute has to be.
		case attrParsers[w] == nil && !startsType(w):
			return nil, false, nil
		}
	default:
		return nil, false, nil
	}
	a, err = p.Attr(t)
	return a, true, err
}

// AttrOf consumes an attribute like [Parser.Attr], which must be of kind A.
func AttrOf[A ir.Attribute](p *Parser, t ir.Type) (attr A, err error) {
	pos := p.Pos()
	a, err := p.Attr(t)
	if err != nil {
		return attr, err
	}
	attr, ok := a.(A)
	if !ok {
		return attr, p.Errorf(pos, "invalid kind of attribute specified")
	}
	return attr, nil
}

// AttrInto consumes an attribute and sets it in the state.
func (p *Parser) AttrInto(s *ir.OpState, name string, t ir.Type) (ir.Attribute, error) {
	a, err := p.Attr(t)
	if err == nil {
		s.SetAttr(name, a)
	}
	return a, err
}

func (p *Parser) typeAttr() (ir.Attribute, error) {
	t, err := p.Type()
	if err != nil {
		return nil, err
	}
	return p.ctx.TypeAttr(t), nil
}

func (p *Parser) arrayAttr() (ir.Attribute, error) {
	p.advance()
	start := len(p.attrScratch)
	defer func() { p.attrScratch = p.attrScratch[:start] }()
	err := p.listUntil(tRSquare, true, func() error {
		a, err := p.Attr(nil)
		p.attrScratch = append(p.attrScratch, a)
		return err
	})
	if err != nil {
		return nil, err
	}
	return p.ctx.ArrayAttr(p.attrScratch[start:]...), nil
}

// dictEntries consumes {name = attr, ...} and returns the entries in order of
// their names, which are different.
func (p *Parser) dictEntries() ([]ir.NamedAttr, error) {
	var out []ir.NamedAttr
	var seen map[string]bool
	err := p.list(Braces, " in attribute dictionary", func() error {
		var name string
		pos := p.Pos()
		switch p.tok.kind {
		case tString:
			name = p.intern(unquote(p.src[p.tok.pos+1 : p.tok.end-1]))
		case tWord:
			name = p.intern(p.text())
		default:
			return p.failToken("expected attribute name")
		}
		if name == "" {
			return p.failHere("expected valid attribute name")
		}
		if dup := seen[name]; dup || seen == nil && slices.ContainsFunc(out, func(n ir.NamedAttr) bool { return n.Name == name }) {
			return p.fail(pos, "duplicate key '"+name+"' in dictionary attribute")
		}
		if seen != nil {
			seen[name] = true
		} else if len(out) == 16 {
			seen = map[string]bool{name: true}
			for _, n := range out {
				seen[n.Name] = true
			}
		}
		p.note(AttrToken)
		p.advance()
		if !p.accept(tEqual) {
			out = append(out, ir.NamedAttr{Name: name, Value: ir.Unit})
			return nil
		}
		a, err := p.Attr(nil)
		out = append(out, ir.NamedAttr{Name: name, Value: a})
		return err
	})
	slices.SortFunc(out, func(a, b ir.NamedAttr) int { return strings.Compare(a.Name, b.Name) })
	return out, err
}

// AddAttr gives the state an attribute that the syntax of the operation tells. It is an error if the
// dictionary gave it, too.
func (p *Parser) AddAttr(s *ir.OpState, name string, a ir.Attribute) {
	if s.Attr(name) != nil {
		p.op.twice = name
	}
	s.SetAttr(name, a)
}

// OptionalAttrDict consumes {name = attr, ...} if it is next, into the state.
func (p *Parser) OptionalAttrDict(s *ir.OpState) error {
	if p.tok.kind != tLBrace {
		return nil
	}
	d, err := p.dictEntries()
	if err != nil {
		return err
	}
	fresh := len(s.Attrs) == 0
	for _, e := range d {
		if i := s.Name.Def().AttrIndex(e.Name); i >= 0 {
			p.op.inherent = true
			if i < len(s.Props) && s.Props[i] != nil && (p.op.syntax == nil || !p.op.syntax.declarative) {
				p.op.twice = e.Name
			}
			s.SetAttr(e.Name, e.Value)
			continue
		}
		if fresh {
			s.Attrs = append(s.Attrs, e)
			continue
		}
		if s.Attr(e.Name) != nil {
			p.op.twice = e.Name
		}
		s.SetAttr(e.Name, e.Value)
	}
	return nil
}

// OptionalAttrDictWithKeyword consumes "attributes {...}" if it is next.
func (p *Parser) OptionalAttrDictWithKeyword(s *ir.OpState) error {
	if !p.OptionalKeyword("attributes") {
		return nil
	}
	if p.tok.kind != tLBrace {
		return p.failToken("expected '{' in attribute dictionary")
	}
	return p.OptionalAttrDict(s)
}

// OptionalDictAttr consumes {...} if it is next and returns it, or nil.
func (p *Parser) OptionalDictAttr() (*ir.DictAttr, error) {
	if p.tok.kind != tLBrace {
		return nil, nil
	}
	d, err := p.dictEntries()
	if err != nil || len(d) == 0 {
		return nil, err
	}
	return p.ctx.DictAttr(d...), nil
}

func (p *Parser) symbolRef() (ir.Attribute, error) {
	root := p.symbolText()
	p.advance()
	var nested []string
	for p.tok.kind == tColon && strings.HasPrefix(p.src[p.tok.end:], ":") {
		p.advance()
		p.advance()
		if p.tok.kind != tAt {
			return nil, p.failHere("expected nested symbol reference identifier")
		}
		nested = append(nested, p.symbolText())
		p.advance()
	}
	return p.ctx.SymbolRef(root, nested...), nil
}

// numberAttr reads an integer or float whose sign was read.
func (p *Parser) numberAttr(t ir.Type, neg bool) (ir.Attribute, error) {
	pos, kind, s := p.Pos(), p.tok.kind, p.text()
	p.advance()
	if t == nil {
		switch {
		case p.accept(tColon):
			var err error
			if t, err = p.Type(); err != nil {
				return nil, err
			}
		case kind == tFloat:
			t = ir.F64
		default:
			t = ir.I64
		}
	}
	ft, isFloat := t.(*ir.FloatType)
	if kind == tFloat {
		if !isFloat {
			return nil, p.failHere("floating point value not valid for specified type")
		}
		lo, hi := ft.Format.ParseDecimal(s, neg)
		return p.ctx.FloatBits(ft, lo, hi), nil
	}
	if isFloat {
		lo, hi, err := p.hexFloat(pos, s, neg, ft)
		if err != nil {
			return nil, err
		}
		return p.ctx.FloatBits(ft, lo, hi), nil
	}
	if !ir.IsIntOrIndex(t) {
		return nil, p.fail(pos, "integer literal not valid for specified type")
	}
	if it, ok := t.(*ir.IntegerType); ok && neg && it.Signedness == ir.Unsigned {
		return nil, p.fail(pos, "negative integer literal not valid for unsigned integer type")
	}
	v, wide, ok := integerValue(s, neg, t)
	switch {
	case !ok:
		return nil, p.fail(pos, "integer constant out of range for attribute")
	case wide != nil:
		return p.ctx.BigIntegerAttr(t, wide), nil
	}
	return p.ctx.IntegerAttr(t, v), nil
}

// hexFloat returns the bits of a float of type t that are spelled as a
// hexadecimal number.
func (p *Parser) hexFloat(pos Pos, s string, neg bool, t *ir.FloatType) (lo, hi uint64, err error) {
	if len(s) < 2 || s[1] != 'x' {
		d := p.fail(pos, "unexpected decimal integer literal for a floating point value").(*ir.Diagnostic)
		return 0, 0, d.WithNote(d.Loc, "add a trailing dot to make the literal a float")
	}
	if neg {
		return 0, 0, p.fail(pos, "hexadecimal float literal should not have a leading minus")
	}
	digits := strings.TrimLeft(s[2:], "0")
	v := new(big.Int)
	if len(digits) <= 32 && digits != "" {
		v.SetString(digits, 16)
	}
	if len(digits) > 32 || v.BitLen() > t.Width {
		return 0, 0, p.fail(pos, "hexadecimal float constant out of range for type")
	}
	mask := new(big.Int).SetUint64(1<<64 - 1)
	return new(big.Int).And(v, mask).Uint64(), new(big.Int).Rsh(v, 64).Uint64(), nil
}

// integerValue returns the value of an integer token as a number of type t, an
// integer or index type: as wide if the type is wider than 64 bits. It reports
// whether the type can hold it; signless types hold both signed and unsigned
// numbers of their width.
func integerValue(s string, neg bool, t ir.Type) (v int64, wide *big.Int, ok bool) {
	width, signed := 64, true
	if it, isInt := t.(*ir.IntegerType); isInt {
		width, signed = it.Width, it.Signedness == ir.Signed
	}
	u, small := parseUint(s)
	if width <= 64 {
		switch {
		case !small || width < 64 && u>>width != 0:
			return 0, nil, false
		case width == 0:
			return 0, nil, true
		case neg:
			// The negated number must have its sign bit set.
			return -int64(u), nil, u != 0 && u <= 1<<(width-1)
		}
		return int64(u), nil, !signed || u>>(width-1) == 0
	}
	wide = new(big.Int)
	if small {
		wide.SetUint64(u)
	} else if len(s) > 1 && s[1] == 'x' {
		if len(s)-2 > width/4+1+strings.Count(s, "0") {
			return 0, nil, false
		}
		wide.SetString(s[2:], 16)
	} else {
		// A decimal digit takes more than three bits.
		if len(strings.TrimLeft(s, "0")) > width/3+1 {
			return 0, nil, false
		}
		wide = decimal(s)
	}
	// Comparing with powers of two would take numbers as wide as the type.
	bits := wide.BitLen()
	switch {
	case neg:
		ok = bits > 0 && (bits < width || bits == width && int(wide.TrailingZeroBits()) == width-1)
		wide.Neg(wide)
	case signed:
		ok = bits < width
	default:
		ok = bits <= width
	}
	return 0, wide, ok
}

// decimal returns the number that decimal digits spell. Long ones are cut into
// halves, since reading digit by digit takes quadratic time.
func decimal(s string) *big.Int {
	if len(s) <= 2000 {
		v, _ := new(big.Int).SetString(s, 10)
		return v
	}
	n := len(s) / 2
	v := decimal(s[:len(s)-n])
	v.Mul(v, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil))
	return v.Add(v, decimal(s[len(s)-n:]))
}

func (p *Parser) affineMapAttr(ir.Type) (ir.Attribute, error) {
	p.advance()
	if err := p.expect(tLess, "expected '<' in affine map"); err != nil {
		return nil, err
	}
	m, err := p.AffineMap()
	if err != nil {
		return nil, err
	}
	return p.ctx.AffineMapAttr(m), p.expect(tGreater, "expected '>' in affine map")
}

func (p *Parser) affineSetAttr(ir.Type) (ir.Attribute, error) {
	p.advance()
	if err := p.expect(tLess, "expected '<' in integer set"); err != nil {
		return nil, err
	}
	s, err := p.IntegerSet()
	if err != nil {
		return nil, err
	}
	return p.ctx.IntegerSetAttr(s), p.expect(tGreater, "expected '>' in integer set")
}

func (p *Parser) stridedAttr(ir.Type) (ir.Attribute, error) {
	start := p.Pos()
	p.advance()
	if err := p.expect(tLess, "expected '<' after 'strided'"); err != nil {
		return nil, err
	}
	strides := []int64{}
	one := func() (int64, error) {
		if p.accept(tQuestion) {
			return ir.Dynamic, nil
		}
		pos := p.Pos()
		neg := p.accept(tMinus)
		if p.tok.kind == tInt {
			u, ok := parseUint(p.text())
			if ok && u <= 1<<63-1 {
				p.advance()
				if neg {
					return -int64(u), nil
				}
				return int64(u), nil
			}
		}
		return 0, p.fail(pos, "expected a 64-bit signed integer or '?'")
	}
	err := p.list(Square, "", func() error {
		v, err := one()
		strides = append(strides, v)
		return err
	})
	if err != nil {
		return nil, err
	}
	offset := int64(0)
	if !p.accept(tGreater) {
		if err := p.expect(tComma, "expected ','"); err != nil {
			return nil, err
		}
		if !p.OptionalKeyword("offset") {
			return nil, p.failToken("expected 'offset' after comma")
		}
		if err := p.expect(tColon, "expected ':' after 'offset'"); err != nil {
			return nil, err
		}
		if offset, err = one(); err != nil {
			return nil, err
		}
		if err := p.expect(tGreater, "expected '>'"); err != nil {
			return nil, err
		}
	}
	if slices.Contains(strides, 0) && p.ctx.LLVM() < ir.ZeroStrides {
		return nil, p.fail(start, "strides must not be zero")
	}
	return p.ctx.StridedLayout(offset, strides), nil
}
