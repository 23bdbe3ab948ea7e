package asm

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"freehold/ir"
)

// denseElement is one number, word or string of an elements literal.
type denseElement struct {
	kind     tokKind
	neg      bool
	pos, end int
}

// denseLiteral is what stands in dense<...>.
type denseLiteral struct {
	elems []denseElement
	// shape is empty for a splat.
	shape []int64
	// hex is set if the literal is one string outside of brackets, which may be data
	// in hexadecimal.
	hex bool
}

// literal reads an elements literal.
func (p *Parser) literal(allowHex bool) (l denseLiteral, err error) {
	if allowHex && p.tok.kind == tString {
		l.hex = true
		l.elems = append(l.elems, denseElement{tString, false, p.tok.pos, p.tok.end})
		p.advance()
		return l, nil
	}
	if p.tok.kind == tLSquare {
		err = p.literalList(&l, 0)
	} else {
		err = p.literalElement(&l)
	}
	return l, err
}

// literalList reads a list at a depth of nesting; the first list at a depth fixes
// the size of that dimension.
func (p *Parser) literalList(l *denseLiteral, depth int) error {
	if err := p.enter(); err != nil {
		return err
	}
	defer p.leave()
	// -1 marks the dimension that is being counted for the first time.
	first := depth == len(l.shape)
	if first {
		l.shape = append(l.shape, -1)
	}
	n := int64(0)
	nested := false
	err := p.list(Square, "", func() error {
		isList := p.tok.kind == tLSquare
		if n > 0 && isList != nested {
			if isList {
				before := len(l.shape)
				if err := p.literalList(l, depth+1); err != nil {
					return err
				}
				l.shape = l.shape[:before]
			} else if err := p.literalElement(l); err != nil {
				return err
			}
			return p.failHere("tensor literal is invalid; ranks are not consistent between elements")
		}
		n++
		if !isList {
			if depth+1 < len(l.shape) {
				if err := p.literalElement(l); err != nil {
					return err
				}
				return p.failHere("tensor literal is invalid; ranks are not consistent between elements")
			}
			return p.literalElement(l)
		}
		nested = true
		return p.literalList(l, depth+1)
	})
	if err != nil {
		return err
	}
	switch {
	case first:
		l.shape[depth] = n
	case l.shape[depth] == -1 && n >= 0:
		l.shape[depth] = n
	case l.shape[depth] != n || !nested && depth+1 < len(l.shape):
		return p.failHere("tensor literal is invalid; ranks are not consistent between elements")
	}
	return nil
}

func (p *Parser) literalElement(l *denseLiteral) error {
	switch p.tok.kind {
	case tInt, tFloat, tString:
		l.elems = append(l.elems, denseElement{p.tok.kind, false, p.tok.pos, p.tok.end})
		p.advance()
		return nil
	case tMinus:
		p.advance()
		if p.tok.kind != tInt && p.tok.kind != tFloat {
			return p.failHere("expected integer or floating point literal")
		}
		l.elems = append(l.elems, denseElement{p.tok.kind, true, p.tok.pos, p.tok.end})
		p.advance()
		return nil
	case tWord:
		if p.isWord("true") || p.isWord("false") {
			l.elems = append(l.elems, denseElement{tWord, false, p.tok.pos, p.tok.end})
			p.advance()
			return nil
		}
	case tLParen:
		p.advance()
		if err := p.literalElement(l); err != nil {
			return err
		}
		if err := p.expect(tComma, "expected ',' between complex elements"); err != nil {
			return err
		}
		if err := p.literalElement(l); err != nil {
			return err
		}
		return p.expect(tRParen, "expected ')' after complex elements")
	}
	return p.failHere("expected element literal of primitive type")
}

// colonTypeUnless returns t, or, where that is nil, consumes ": type".
func (p *Parser) colonTypeUnless(t ir.Type) (ir.Type, error) {
	if t != nil {
		return t, nil
	}
	return p.ColonType()
}

// elementsType reads the type of an elements literal that starts at start, unless t is it. LLVM 22 points at the literal where the
// type is wrong, and versions before behind it.
func (p *Parser) elementsType(start Pos, t ir.Type) (ir.Type, error) {
	t, err := p.colonTypeUnless(t)
	if err != nil {
		return nil, err
	}
	if p.ctx.LLVM() < wordsOf22 {
		start = p.Pos()
	}
	if !ir.IsShaped(t) {
		return nil, p.fail(start, "elements literal must be a shaped type")
	}
	if shape, ranked := ir.ShapeOf(t); !ranked || !ir.IsStaticShape(shape) {
		return nil, p.fail(start, "elements literal type must have static shape")
	}
	return t, nil
}

func (p *Parser) denseAttr(t ir.Type) (ir.Attribute, error) {
	start := p.Pos()
	p.advance()
	if err := p.expect(tLess, "expected '<' after 'dense'"); err != nil {
		return nil, err
	}
	var l denseLiteral
	if p.tok.kind != tGreater {
		var err error
		if l, err = p.literal(true); err != nil {
			return nil, err
		}
	}
	if err := p.expect(tGreater, "expected '>'"); err != nil {
		return nil, err
	}
	pos := p.Pos()
	if t != nil {
		pos = start
	}
	t, err := p.elementsType(start, t)
	if err != nil {
		return nil, err
	}
	return p.denseOf(pos, t, &l)
}

// denseOf makes the attribute of a literal; pos is for messages about all of it.
func (p *Parser) denseOf(pos Pos, t ir.Type, l *denseLiteral) (ir.Attribute, error) {
	shape, _ := ir.ShapeOf(t)
	n, ok := ir.NumElements(shape)
	if !ok {
		n = math.MaxInt64
	}
	elem := ir.ElementType(t)
	if l.hex && ir.ElementBytes(elem) > 0 {
		data, err := p.hexData(pos, t, l.elems[0])
		if err != nil {
			return nil, err
		}
		return p.ctx.DenseElements(t, data), nil
	}
	if len(l.shape) > 0 && !slices.Equal(l.shape, shape) {
		return nil, p.fail(pos, fmt.Sprintf("inferred shape of elements literal ([%s]) does not match type ([%s])",
			spellShape(l.shape), spellShape(shape)))
	}
	if len(l.elems) == 0 && !l.hex && n != 0 {
		return nil, p.fail(pos, "parsed zero elements, but type ('"+t.String()+"') expected at least 1")
	}
	if ir.ElementBytes(elem) == 0 {
		return p.denseStrings(t, l)
	}
	part, perElement := elem, 1
	if c, ok := elem.(*ir.ComplexType); ok {
		part, perElement = c.Elem, 2
	}
	want := n
	if len(l.shape) == 0 {
		want = min(int64(len(l.elems)), 1)
	}
	if err := p.expand(pos, len(l.elems)*ir.ElementBytes(part)); err != nil {
		return nil, err
	}
	data := make([]byte, 0, len(l.elems)*ir.ElementBytes(part))
	var err error
	for i := range l.elems {
		if data, err = p.appendElement(data, part, &l.elems[i]); err != nil {
			return nil, err
		}
	}
	if int64(len(l.elems)) != want*int64(perElement) {
		return nil, p.fail(pos, "expected "+strconv.FormatInt(want*int64(perElement), 10)+" elements, but parsed "+
			strconv.Itoa(len(l.elems)))
	}
	return p.ctx.DenseElements(t, data), nil
}

func spellShape(s []int64) string {
	out := make([]string, len(s))
	for i, d := range s {
		out[i] = strconv.FormatInt(d, 10)
	}
	return strings.Join(out, ", ")
}

// elementsAsFloats is the version of LLVM since which an integer among floating-point elements is told to be one as elsewhere.
const elementsAsFloats = 22

// appendElement appends the bytes of an element of type t.
func (p *Parser) appendElement(b []byte, t ir.Type, e *denseElement) ([]byte, error) {
	s := p.src[e.pos:e.end]
	if ft, ok := t.(*ir.FloatType); ok {
		var lo, hi uint64
		switch {
		case e.kind == tFloat:
			lo, hi = ft.Format.ParseDecimal(s, e.neg)
		case e.kind == tInt && (len(s) > 1 && s[1] == 'x' || p.ctx.LLVM() >= elementsAsFloats):
			var err error
			if lo, hi, err = p.hexFloat(Pos(e.pos), s, e.neg, ft); err != nil {
				return nil, err
			}
		case e.kind == tInt:
			return nil, p.failHere("expected floating-point elements, but parsed integer")
		default:
			return nil, p.fail(Pos(e.pos), "expected floating point literal")
		}
		var w [16]byte
		binary.LittleEndian.PutUint64(w[:], lo)
		binary.LittleEndian.PutUint64(w[8:], hi)
		return append(b, w[:ir.ElementBytes(ft)]...), nil
	}
	it, _ := t.(*ir.IntegerType)
	switch e.kind {
	case tWord:
		if it == nil || it.Width != 1 {
			return nil, p.fail(Pos(e.pos), "expected i1 type for 'true' or 'false' values")
		}
		if s == "true" {
			return append(b, 1), nil
		}
		return append(b, 0), nil
	case tFloat:
		return nil, p.fail(Pos(e.pos), "expected integer elements, but parsed floating-point")
	case tString:
		return nil, p.fail(Pos(e.pos), "expected integer elements, but parsed string")
	}
	if e.neg && it != nil && it.Signedness == ir.Unsigned {
		return nil, p.fail(Pos(e.pos), "expected unsigned integer elements, but parsed negative value")
	}
	v, wide, ok := integerValue(s, e.neg, t)
	if !ok {
		return nil, p.fail(Pos(e.pos), "integer constant out of range for type")
	}
	if it != nil && it.Width == 1 {
		return append(b, byte(v&1)), nil
	}
	if wide != nil {
		return ir.AppendElement(b, p.ctx.BigIntegerAttr(t, new(big.Int).Set(wide))), nil
	}
	if it != nil && it.Width%8 != 0 {
		return ir.AppendElement(b, p.ctx.IntegerAttr(t, v)), nil
	}
	for range ir.ElementBytes(t) {
		b = append(b, byte(v))
		v >>= 8
	}
	return b, nil
}

// denseStrings makes the attribute of a literal with strings.
func (p *Parser) denseStrings(t ir.Type, l *denseLiteral) (ir.Attribute, error) {
	elems := make([]string, len(l.elems))
	for i, e := range l.elems {
		if s := p.src[e.pos:e.end]; e.kind == tString {
			elems[i] = unquote(s[1 : len(s)-1])
		} else {
			return nil, p.fail(Pos(e.pos), "expected string token")
		}
	}
	return p.ctx.DenseStringElements(t, elems), nil
}

// hexBytes decodes a string "0x..." of hexadecimal digits.
func (p *Parser) hexBytes(e denseElement) ([]byte, bool) {
	s := p.src[e.pos+1 : e.end-1]
	if !strings.HasPrefix(s, "0x") || len(s)%2 != 0 {
		return nil, false
	}
	s = s[2:]
	out := make([]byte, len(s)/2)
	for i := range out {
		if charClass[s[2*i]].bits&charClass[s[2*i+1]].bits&cHex == 0 {
			return nil, false
		}
		out[i] = hexDigit(s[2*i])<<4 | hexDigit(s[2*i+1])
	}
	return out, true
}

// hexData decodes the data of dense elements: all elements, or one for a splat.
// Elements of one bit are packed, and all bits of a byte make a splat.
func (p *Parser) hexData(pos Pos, t ir.Type, e denseElement) ([]byte, error) {
	data, ok := p.hexBytes(e)
	if !ok {
		return nil, p.fail(Pos(e.pos), "expected string containing hex digits starting with `0x`")
	}
	shape, _ := ir.ShapeOf(t)
	n, ok := ir.NumElements(shape)
	elem := ir.ElementType(t)
	if it, isInt := elem.(*ir.IntegerType); isInt && it.Width == 1 {
		if len(data) == 1 && (data[0] == 0 || data[0] == 0xff) && n > 0 {
			return []byte{data[0] & 1}, nil
		}
		if ok && int64(len(data)) == (n+7)/8 {
			out := make([]byte, n)
			for i := range out {
				out[i] = data[i/8] >> (i % 8) & 1
			}
			return out, nil
		}
	} else if size := int64(ir.ElementBytes(elem)); ok && (int64(len(data)) == size && n > 0 || n <= 1<<56/size && int64(len(data)) == n*size) {
		return data, nil
	}
	return nil, p.fail(pos, "elements hex data size is invalid for provided type: '"+t.String()+"'")
}

func (p *Parser) sparseAttr(t ir.Type) (ir.Attribute, error) {
	start := p.Pos()
	p.advance()
	if err := p.expect(tLess, "expected '<' after 'sparse'"); err != nil {
		return nil, err
	}
	var indices, values denseLiteral
	var err error
	if p.tok.kind == tGreater {
		p.advance()
	} else {
		if indices, err = p.literal(false); err != nil {
			return nil, err
		}
		if err := p.expect(tComma, "expected ','"); err != nil {
			return nil, err
		}
		if values, err = p.literal(true); err != nil {
			return nil, err
		}
		if err := p.expect(tGreater, "expected '>'"); err != nil {
			return nil, err
		}
	}
	pos := p.Pos()
	if t, err = p.elementsType(start, t); err != nil {
		return nil, err
	}
	shape, _ := ir.ShapeOf(t)
	rank := int64(len(shape))
	if len(indices.elems) == 0 && len(values.elems) == 0 {
		indices.shape, values.shape = []int64{0, rank}, []int64{0}
	}
	ishape, vshape := indices.shape, values.shape
	if len(ishape) == 0 {
		ishape = []int64{1, rank}
	}
	if len(vshape) == 0 {
		vshape = []int64{ishape[0]}
	}
	full := ishape
	if len(ishape) == 1 && rank == 1 {
		full = []int64{ishape[0], 1}
	}
	if len(full) != 2 || full[1] != rank || len(vshape) != 1 || vshape[0] != full[0] {
		return nil, p.fail(start, fmt.Sprintf("expected shape ([%s]); inferred shape of indices literal ([%s]); inferred shape of values literal ([%s])",
			spellShape(shape), spellShape(ishape), spellShape(vshape)))
	}
	ia, err := p.denseOf(pos, p.ctx.RankedTensor(ishape, ir.I64), &indices)
	if err != nil {
		return nil, err
	}
	va, err := p.denseOf(pos, p.ctx.RankedTensor(vshape, ir.ElementType(t)), &values)
	if err != nil {
		return nil, err
	}
	iv, ok := ia.(*ir.DenseElementsAttr)
	if !ok {
		return nil, p.fail(start, "sparse indices must be numbers")
	}
	if err := ir.CheckSparseIndices(t, iv); err != nil {
		return nil, p.fail(start, err.Error())
	}
	return p.ctx.SparseElements(t, iv, va), nil
}

func (p *Parser) denseResourceAttr(t ir.Type) (ir.Attribute, error) {
	p.advance()
	if err := p.expect(tLess, "expected '<' after 'dense_resource'"); err != nil {
		return nil, err
	}
	key, ok := p.optionalResourceKey()
	if !ok {
		return nil, p.failHere("expected identifier key for 'resource' entry")
	}
	if err := p.expect(tGreater, "expected '>'"); err != nil {
		return nil, err
	}
	pos := p.Pos()
	t, err := p.colonTypeUnless(t)
	if err != nil {
		return nil, err
	}
	if !ir.IsShaped(t) {
		return nil, p.fail(pos, "`dense_resource` expected a shaped type")
	}
	return p.ctx.DenseResource(t, key), nil
}

func (p *Parser) denseArrayAttr(ir.Type) (ir.Attribute, error) {
	p.advance()
	if err := p.expect(tLess, "expected '<' after 'array'"); err != nil {
		return nil, err
	}
	pos := p.Pos()
	t, err := p.Type()
	if err != nil {
		return nil, also(err, p.failHere("expected an integer or floating point type"))
	}
	it, isInt := t.(*ir.IntegerType)
	switch {
	case !ir.IsIntOrIndex(t) && !ir.IsFloat(t):
		return nil, p.fail(pos, "expected integer or float type, got: '"+t.String()+"'")
	case isInt && it.Width != 1 && it.Width%8 != 0:
		return nil, p.fail(pos, "element type bitwidth must be a multiple of 8")
	}
	var data []byte
	if !p.accept(tGreater) {
		if err := p.expect(tColon, "expected ':' after dense array type"); err != nil {
			return nil, err
		}
		err := p.list(NoDelimiter, "", func() error {
			var err error
			if data, err = p.arrayElement(data, t); isInt && it.Width == 0 {
				data = append(data, 0) // such a number has no byte of its own
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if err := p.expect(tGreater, "expected '>' to close an array attribute"); err != nil {
			return nil, err
		}
	}
	return p.ctx.DenseArray(t, data), nil
}

// arrayElement reads an element of a dense array of type t.
func (p *Parser) arrayElement(data []byte, t ir.Type) ([]byte, error) {
	if err := p.expand(p.Pos(), ir.ElementBytes(t)); err != nil {
		return nil, err
	}
	_, isFloat := t.(*ir.FloatType)
	it, _ := t.(*ir.IntegerType)
	e := denseElement{kind: p.tok.kind, neg: p.tok.kind == tMinus}
	if e.neg {
		p.advance()
		e.kind = p.tok.kind
	}
	e.pos, e.end = p.tok.pos, p.tok.end
	switch {
	case !e.neg && it != nil && it.Width == 1 && (p.isWord("true") || p.isWord("false")):
	case isFloat && e.kind != tFloat && e.kind != tInt:
		return nil, p.failHere("expected integer or floating point literal")
	case isFloat && e.kind == tInt:
		if _, _, err := p.hexFloat(Pos(e.pos), p.text(), e.neg, t.(*ir.FloatType)); err != nil {
			return nil, err
		}
	case !isFloat && e.kind != tInt:
		return nil, p.failHere("expected integer literal")
	case !isFloat:
		if _, _, ok := integerValue(p.text(), e.neg, t); !ok {
			p.advance()
			return nil, p.failHere("integer constant out of range")
		}
	}
	p.advance()
	return p.appendElement(data, t, &e)
}
