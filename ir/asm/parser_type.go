package asm

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"freehold/ir"
)

// Type consumes a type.
func (p *Parser) Type() (ir.Type, error) {
	if p.tok.kind == tLParen {
		return p.functionType()
	}
	return p.nonFunctionType()
}

// TypeOf consumes a type that must be of the given class.
func (p *Parser) TypeOf(class ir.TypeClass) (ir.Type, error) {
	return p.typeOf(class, p.Pos())
}

func (p *Parser) typeOf(class ir.TypeClass, pos Pos) (ir.Type, error) {
	t, err := p.Type()
	if err == nil && !class.Has(t) {
		err = p.wrongKind(pos, class, t)
	}
	return t, err
}

// wrongKind is the error about a type of another class, which LLVM 22 names if types of it have a name of their own.
func (p *Parser) wrongKind(pos Pos, class ir.TypeClass, t ir.Type) error {
	name, ok := classNames[class]
	if !ok || p.ctx.LLVM() < wordsOf22 {
		return p.Errorf(pos, "invalid kind of type specified")
	}
	return p.Errorf(pos, "invalid kind of type specified: expected builtin.%s, but found '%s'", name, t)
}

// classNames are the names, in the builtin dialect, of the classes of types that aren't made of others.
var classNames = map[ir.TypeClass]string{
	ir.IntegerClass: "integer", ir.IndexClass: "index", ir.ComplexClass: "complex", ir.FunctionClass: "function", ir.VectorClass: "vector",
	ir.RankedTensorClass: "tensor", ir.UnrankedTensorClass: "unranked_tensor", ir.MemRefClass: "memref", ir.UnrankedMemRefClass: "unranked_memref",
}

// ColonTypeOf consumes ": type" where the type must be of the given class.
func (p *Parser) ColonTypeOf(class ir.TypeClass) (ir.Type, error) {
	pos := p.Pos()
	if err := p.expect(tColon, "expected ':'"); err != nil {
		return nil, err
	}
	return p.typeOf(class, pos)
}

// OptionalType consumes a type if one is next.
func (p *Parser) OptionalType() (t ir.Type, ok bool, err error) {
	switch p.tok.kind {
	case tLParen, tBang:
	case tWord:
		if !startsType(p.text()) {
			return nil, false, nil
		}
	default:
		return nil, false, nil
	}
	t, err = p.Type()
	return t, true, err
}

// ColonType consumes ": type".
func (p *Parser) ColonType() (ir.Type, error) {
	if err := p.expect(tColon, "expected ':'"); err != nil {
		return nil, err
	}
	return p.Type()
}

// ColonTypes consumes ": type, type, ...".
func (p *Parser) ColonTypes() ([]ir.Type, error) {
	if err := p.expect(tColon, "expected ':'"); err != nil {
		return nil, err
	}
	return p.Types()
}

// Types consumes a comma-separated list of at least one type.
func (p *Parser) Types() ([]ir.Type, error) {
	start := len(p.typeScratch)
	defer func() { p.typeScratch = p.typeScratch[:start] }()
	for {
		t, err := p.Type()
		if err != nil {
			return nil, err
		}
		p.typeScratch = append(p.typeScratch, t)
		if !p.accept(tComma) {
			return p.types.Copy(p.typeScratch[start:]), nil
		}
	}
}

// ArrowTypes consumes "-> type" or "-> (types)".
func (p *Parser) ArrowTypes() ([]ir.Type, error) {
	if err := p.expect(tArrow, "expected '->'"); err != nil {
		return nil, err
	}
	return p.resultTypes()
}

// OptionalArrowTypes is ArrowTypes, or nothing where there is no arrow.
func (p *Parser) OptionalArrowTypes() ([]ir.Type, error) {
	if !p.accept(tArrow) {
		return nil, nil
	}
	return p.resultTypes()
}

// resultTypes parses the types after the arrow of a function type.
func (p *Parser) resultTypes() ([]ir.Type, error) {
	if p.tok.kind == tLParen {
		return p.typesInParens()
	}
	t, err := p.nonFunctionType()
	if err != nil {
		return nil, err
	}
	one := p.types.Take(1)
	one[0] = t
	return one, nil
}

func (p *Parser) typesInParens() ([]ir.Type, error) {
	if err := p.expect(tLParen, "expected '('"); err != nil {
		return nil, err
	}
	if p.accept(tRParen) {
		return nil, nil
	}
	ts, err := p.Types()
	if err != nil {
		return nil, err
	}
	return ts, p.expect(tRParen, "expected ')'")
}

// FunctionType consumes "(types) -> type" or "(types) -> (types)".
func (p *Parser) FunctionType() (*ir.FunctionType, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	in, err := p.typesInParens()
	if err != nil {
		return nil, err
	}
	if err := p.expect(tArrow, "expected '->' in function type"); err != nil {
		return nil, err
	}
	out, err := p.resultTypes()
	if err != nil {
		return nil, err
	}
	return p.ctx.Function(in, out), nil
}

// typeWord is what a bare word that starts a type stands for: the type, or what reads its
// parameters.
type typeWord struct {
	ir.Type
	parse func(p *Parser, pos Pos) (ir.Type, error)
	// since is the first version of LLVM that has it, if it is later than 19.
	since int
}

// typeWords are the types that are single words, and those with parameters.
var typeWords map[string]typeWord

func init() {
	typeWords = map[string]typeWord{
		"index":   {Type: ir.Index},
		"none":    {Type: ir.None},
		"tensor":  {parse: (*Parser).tensorType},
		"memref":  {parse: (*Parser).memrefType},
		"vector":  {parse: (*Parser).vectorType},
		"complex": {parse: (*Parser).complexType},
		"tuple":   {parse: (*Parser).tupleType},
	}
	for _, t := range []*ir.IntegerType{ir.I1, ir.I8, ir.I16, ir.I32, ir.I64} {
		typeWords[t.String()] = typeWord{Type: t}
	}
	for _, t := range ir.FloatTypes() {
		typeWords[t.Name] = typeWord{Type: t, since: t.Since()}
	}
}

// integerType returns the signedness and the digits of the width of a word such
// as si32.
func integerType(w string) (s ir.Signedness, width string, ok bool) {
	switch {
	case strings.HasPrefix(w, "i"):
		s, w = ir.Signless, w[1:]
	case strings.HasPrefix(w, "si"):
		s, w = ir.Signed, w[2:]
	case strings.HasPrefix(w, "ui"):
		s, w = ir.Unsigned, w[2:]
	default:
		return 0, "", false
	}
	if w == "" {
		return 0, "", false
	}
	for i := range len(w) {
		if charClass[w[i]].bits&cDigit == 0 {
			return 0, "", false
		}
	}
	return s, w, true
}

// startsType tells whether a bare word starts a type.
func startsType(w string) bool {
	if _, ok := typeWords[w]; ok {
		return true
	}
	_, _, ok := integerType(w)
	return ok
}

func (p *Parser) nonFunctionType() (ir.Type, error) {
	switch p.tok.kind {
	case tWord:
		pos, w := p.Pos(), p.text()
		if t, ok := typeWords[w]; ok {
			if t.parse != nil {
				return p.parametricType(t.parse)
			}
			p.advance()
			if t.since > 0 {
				p.Later(t.since, w)
			}
			return t.Type, nil
		}
		if s, width, ok := integerType(w); ok {
			n, ok := parseUint(width)
			if !ok || n > 1<<32-1 {
				return nil, p.failHere("invalid integer width")
			}
			if n > ir.MaxIntegerWidth {
				return nil, p.fail(pos, "integer bitwidth is limited to 16777215 bits")
			}
			p.advance()
			return p.ctx.IntegerOf(int(n), s), nil
		}
	case tBang:
		return p.extendedType()
	}
	return nil, p.failToken("expected non-function type")
}

// maxMemo is the longest spelling of a type that is remembered.
const maxMemo = 160

// spelledType is a type that was read, and what its aliases stand for.
type spelledType struct {
	ir.Type
	expansion int
}

// parametricType parses a type such as tensor<...>. Types repeat a lot, so the
// spelling is looked up among those seen before; aliases inside never change
// their meaning.
func (p *Parser) parametricType(f func(p *Parser, pos Pos) (ir.Type, error)) (ir.Type, error) {
	start := p.tok.pos
	end := closeAngle(p.src, p.tok.end)
	if end > 0 {
		if t, ok := p.typeMemo[p.src[start:end]]; ok {
			if err := p.expand(Pos(start), t.expansion); err != nil {
				return nil, err
			}
			p.prevEnd = end
			p.reset(end)
			return t.Type, nil
		}
	}
	if err := p.enter(); err != nil {
		return nil, err
	}
	used := p.expansion.used
	p.advance()
	t, err := f(p, Pos(start))
	p.leave()
	if err == nil && end > 0 && p.prevEnd == end {
		p.typeMemo[p.src[start:end]] = spelledType{t, p.expansion.used - used}
	}
	return t, err
}

// closeAngle returns the position after the > that closes the < at pos, or 0 if
// it is not there, not near, or not found by counting alone.
func closeAngle(s string, pos int) int {
	if pos >= len(s) || s[pos] != '<' {
		return 0
	}
	depth := 0
	for i := pos; i < min(len(s), pos+maxMemo); i++ {
		switch s[i] {
		case '<':
			depth++
		case '>':
			if s[i-1] == '-' {
				continue
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '\n':
			return 0
		}
	}
	return 0
}

func (p *Parser) complexType(Pos) (ir.Type, error) {
	if err := p.expect(tLess, "expected '<' in complex type"); err != nil {
		return nil, err
	}
	pos := p.Pos()
	t, err := p.Type()
	if err != nil {
		return nil, err
	}
	if err := p.expect(tGreater, "expected '>' in complex type"); err != nil {
		return nil, err
	}
	if !ir.IsFloat(t) && !ir.IsInteger(t) {
		return nil, p.fail(pos, "invalid element type for complex")
	}
	return p.ctx.Complex(t), nil
}

func (p *Parser) tupleType(Pos) (ir.Type, error) {
	if err := p.expect(tLess, "expected '<' in tuple type"); err != nil {
		return nil, err
	}
	if p.accept(tGreater) {
		return p.ctx.Tuple(), nil
	}
	ts, err := p.Types()
	if err != nil {
		return nil, err
	}
	return p.ctx.Tuple(ts...), p.expect(tGreater, "expected '>' in tuple type")
}

// emptyVector returns the error that vectors of a shape have no elements; start is where their type starts.
func (p *Parser) emptyVector(start Pos, shape []int64) error {
	const message = "vector types must have positive constant sizes"
	if p.ctx.LLVM() < wordsOf22 {
		return p.fail(p.Pos(), message)
	}
	sizes := make([]string, len(shape))
	for i, d := range shape {
		sizes[i] = strconv.FormatInt(d, 10)
	}
	return p.fail(start, message+" but got "+strings.Join(sizes, ", "))
}

// elementsByInterface is the version of LLVM since which types of dialects may be elements of vectors.
const elementsByInterface = 22

func (p *Parser) vectorType(start Pos) (ir.Type, error) {
	if err := p.expect(tLess, "expected '<' in vector type"); err != nil {
		return nil, err
	}
	var shape []int64
	var scalable []bool
	for p.tok.kind == tInt || p.tok.kind == tLSquare {
		bracket := p.accept(tLSquare)
		if bracket && p.tok.kind != tInt {
			return nil, p.failToken("invalid dimension")
		}
		v, err := p.dimension()
		if err != nil {
			return nil, err
		}
		if bracket {
			if err := p.expect(tRSquare, "missing ']' closing scalable dimension"); err != nil {
				return nil, err
			}
		}
		shape, scalable = append(shape, v), append(scalable, bracket)
		if err := p.dimensionX(); err != nil {
			return nil, err
		}
	}
	pos := p.Pos()
	if slices.Contains(shape, 0) {
		return nil, p.emptyVector(start, shape)
	}
	t, err := p.Type()
	if err != nil {
		return nil, err
	}
	if err := p.expect(tGreater, "expected '>' in vector type"); err != nil {
		return nil, err
	}
	if !ir.IsFloat(t) && !ir.IsIntOrIndex(t) {
		if p.ctx.LLVM() >= elementsByInterface {
			return nil, p.fail(start, "failed to verify 'elementType': VectorElementTypeInterface instance")
		}
		return nil, p.fail(pos, "vector elements must be int/index/float type")
	}
	return p.ctx.Vector(shape, scalable, t), nil
}

// shape parses the dimensions and the x before the element type of a tensor or
// memref; unranked is the form *x.
func (p *Parser) shape() (dims []int64, unranked bool, err error) {
	if p.accept(tStar) {
		return nil, true, p.dimensionX()
	}
	dims, err = p.DimensionList(true, true)
	return dims, false, err
}

func (p *Parser) tensorType(Pos) (ir.Type, error) {
	if err := p.expect(tLess, "expected '<' in tensor type"); err != nil {
		return nil, err
	}
	dims, unranked, err := p.shape()
	if err != nil {
		return nil, err
	}
	pos := p.Pos()
	t, err := p.Type()
	if err != nil {
		return nil, err
	}
	var encoding ir.Attribute
	if p.accept(tComma) {
		if encoding, _, err = p.OptionalAttr(nil); err != nil {
			return nil, err
		}
		switch encoding.(type) {
		case *ir.DenseArrayAttr, *ir.StridedLayoutAttr:
			return nil, p.failHere("such an encoding can't be spelled without an alias") // see OptionalAttr
		}
	}
	if !ir.ValidTensorElement(t) {
		return nil, p.fail(pos, "invalid tensor element type")
	}
	end := p.Pos()
	if err := p.expect(tGreater, "expected '>' in tensor type"); err != nil {
		return nil, err
	}
	if unranked && encoding != nil {
		return nil, p.failHere("cannot apply encoding to unranked tensor")
	}
	if unranked {
		return p.ctx.UnrankedTensor(t), nil
	}
	if a, ok := encoding.(*ir.DialectAttr); ok && a.Dialect.VerifyEncoding != nil {
		if err := a.Dialect.VerifyEncoding(a, dims, t); err != nil {
			return nil, p.fail(end, err.Error())
		}
	}
	return p.ctx.RankedTensorOf(dims, t, encoding), nil
}

func isLayout(a ir.Attribute) bool {
	switch a.(type) {
	case *ir.AffineMapAttr, *ir.StridedLayoutAttr:
		return true
	}
	return false
}

func (p *Parser) memrefType(start Pos) (ir.Type, error) {
	if err := p.expect(tLess, "expected '<' in memref type"); err != nil {
		return nil, err
	}
	dims, unranked, err := p.shape()
	if err != nil {
		return nil, err
	}
	pos := p.Pos()
	t, err := p.Type()
	if err != nil {
		return nil, err
	}
	if !ir.ValidMemRefElement(t) {
		return nil, p.fail(pos, "invalid memref element type")
	}
	var layout, space ir.Attribute
	if !p.accept(tGreater) {
		if err := p.expect(tComma, "expected ',' or '>' in memref type"); err != nil {
			return nil, err
		}
		err := p.listUntil(tGreater, false, func() error {
			a, err := p.Attr(nil)
			switch {
			case err != nil:
				return err
			case !isLayout(a) && space != nil:
				return p.failHere("multiple memory spaces specified in memref type")
			case !isLayout(a):
				space = a
				return nil
			case unranked:
				return p.failHere("cannot have affine map for unranked memref type")
			case space != nil:
				return p.failHere("expected memory space to be last in memref type")
			}
			layout = a
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if !ir.ValidMemorySpace(space) {
		return nil, p.fail(start, "unsupported memory space Attribute")
	}
	if unranked {
		return p.ctx.UnrankedMemRef(t, space), nil
	}
	switch l := layout.(type) {
	case *ir.AffineMapAttr:
		if l.Map.Dims != len(dims) {
			return nil, p.fail(start, fmt.Sprintf("memref layout mismatch between rank and affine map: %d != %d", len(dims), l.Map.Dims))
		}
	case *ir.StridedLayoutAttr:
		if len(l.Strides) != len(dims) {
			return nil, p.fail(start, "expected the number of strides to match the rank")
		}
	}
	return p.ctx.MemRefOf(dims, t, layout, space), nil
}

// DimensionList consumes 4x?x2x (a dimension list with trailing x if trailingX).
func (p *Parser) DimensionList(allowDynamic, trailingX bool) ([]int64, error) {
	var dims []int64
	one := func() error {
		if p.tok.kind == tQuestion {
			if !allowDynamic {
				return p.failHere("expected static shape")
			}
			p.afterDimension(p.tok.end)
			dims = append(dims, ir.Dynamic)
			return nil
		}
		v, err := p.dimension()
		dims = append(dims, v)
		return err
	}
	if trailingX {
		for p.tok.kind == tInt || p.tok.kind == tQuestion {
			if err := one(); err != nil {
				return nil, err
			}
			if err := p.dimensionX(); err != nil {
				return nil, err
			}
		}
		return dims, nil
	}
	if p.tok.kind != tInt && p.tok.kind != tQuestion {
		return nil, nil
	}
	for {
		if err := one(); err != nil {
			return nil, err
		}
		if p.tok.kind != tWord || p.src[p.tok.pos] != 'x' {
			return dims, nil
		}
		if err := p.dimensionX(); err != nil {
			return nil, err
		}
	}
}

// dimension consumes a number in a dimension list; 0x4 is 0, x, 4.
func (p *Parser) dimension() (int64, error) {
	if p.tok.kind != tInt {
		return 0, p.failToken("expected integer dimension")
	}
	pos, s := p.tok.pos, p.text()
	if len(s) > 1 && s[1] == 'x' {
		p.afterDimension(pos + 1)
		return 0, nil
	}
	v, ok := parseUint(s)
	if !ok || v > 1<<63-1 {
		return 0, p.failHere("invalid dimension")
	}
	p.afterDimension(p.tok.end)
	return int64(v), nil
}

// afterDimension moves behind a dimension. An x that follows at once becomes a
// token of its own: as part of a word it would be read again after each x.
func (p *Parser) afterDimension(end int) {
	p.prevEnd = end
	if end < len(p.src) && p.src[end] == 'x' {
		p.tok = token{tWord, end, end + 1}
		p.lex.pos = end + 1
		return
	}
	p.reset(end)
}

// dimensionX consumes the x between dimensions, which may be the start of a
// longer word.
func (p *Parser) dimensionX() error {
	if p.tok.kind != tWord || p.src[p.tok.pos] != 'x' {
		return p.failToken("expected 'x' in dimension list")
	}
	p.prevEnd = p.tok.pos + 1
	p.reset(p.tok.pos + 1)
	return nil
}

func (p *Parser) functionType() (ir.Type, error) {
	t, err := p.FunctionType()
	if err != nil {
		return nil, err
	}
	return t, nil
}
