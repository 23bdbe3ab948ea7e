package asm

import (
	"fmt"
	"math/big"
	"strings"

	"freehold/internal/slab"
	"freehold/ir"
)

// Unresolved is an operand that was read, and whose type is not known yet.
type Unresolved struct {
	Name   string // without %
	Number int    // after #, 0 if there is none
	Pos    Pos
}

// Pos is a place in the source, for messages.
type Pos int

// Argument is the argument of a region that was read: %name, and, as asked for,
// its type, attributes and location.
type Argument struct {
	Unresolved
	Type  ir.Type
	Attrs *ir.DictAttr
	Loc   ir.Location
}

// Delimiter is what encloses a list.
type Delimiter uint8

// The delimiters. The Optional ones allow the list to be absent altogether.
const (
	NoDelimiter Delimiter = iota
	Paren
	Square
	Braces
	LessGreater
	OptionalParen
	OptionalSquare
	OptionalBraces
	OptionalLessGreater
)

// maxDepth bounds the nesting of regions, types, attributes and expressions, so
// that no input exhausts the stack.
const maxDepth = 2048

// Parser reads one source. Methods that start with Optional return false without
// an error and without consuming anything if what they look for isn't there.
type Parser struct {
	ctx     *ir.Context
	src     string
	lex     lexer
	tok     token // the next token
	prevEnd int   // where the last consumed token ended
	locs    locMaker
	depth   int
	version int // see [ParseOptions]
	// evidence is what was found so far, if detects is set, which [ParseOptions.Evidence] asks for.
	evidence evidence
	detects  bool
	// shared is set if the operation read last is in a syntax of a later version, and could have been read in that of the
	// definition just as well.
	shared bool

	resultsPos  Pos // where the names of the results of the operation start
	symbolPos   Pos // where the dialect's attribute or type starts
	attrAliases map[string]ir.Attribute
	distinct    map[uint64]*ir.DistinctAttr // by the numbers in the source
	typeAliases map[string]ir.Type
	expansion   expansion
	typeMemo    map[string]spelledType
	names       map[string]string
	resources   *Resources

	builder  *ir.Builder
	args     []Argument // for reuse by functions
	operands []Unresolved
	// operandSlabs counts the slabs that operands was so far.
	operandSlabs int
	// Lists whose length is not known yet are collected in scratch, behind those
	// around them, and then cut from slabs.
	typeScratch []ir.Type
	attrScratch []ir.Attribute
	types       slab.Pool[ir.Type]
	resolved    slab.Pool[*ir.Value]
	syntaxes    map[string]*opSyntax
	states      []*opState     // free ones
	formats     []*FormatState // free ones
	op          opContext      // the operation being parsed
	inSymbol    bool           // inside of a dialect type or attribute
	values      *valueTable
	spare       []*valueTable
	scopes      []scope
	block       *ir.Block // where parsed operations go
	forward     []forwardRef
	scoped      *scopedRefs // nil if names are only looked at at the end of the source
	fwdBlock    *ir.Block   // owns the placeholders of forward references
	late        []*aliasLoc
	// recovery is nil if the parser ends with the first error, and tokens if their
	// places are not asked for.
	recovery *recovery
	tokens   *tokenTable
	// split lets other goroutines help; nil where there are none.
	split *parseSplitter
	// ahead is set if the parser works on a part of the source while what precedes it
	// is not known yet.
	ahead bool
}

// opContext is what the parser knows about the operation it is in.
type opContext struct {
	syntax *opSyntax
	pos    Pos    // of the name
	twice  string // an attribute that was given twice
	// inherent is set if a dictionary of discardable attributes has inherent ones.
	inherent bool
	// standard is set in functions of LLVM 14 and before, and what is in their operations.
	standard bool
	// own is set if something was read that is in the syntax, and not in that of the definition, which it extends.
	own bool
}

func newParser(ctx *ir.Context, src, filename string) *Parser {
	p := &Parser{
		ctx: ctx, src: src,
		lex:         lexer{src: src},
		locs:        locMaker{lines: newLineTable(src), proto: *ir.FileLineCol(strings.Clone(filename), 0, 0)},
		attrAliases: map[string]ir.Attribute{},
		typeAliases: map[string]ir.Type{},
		typeMemo:    map[string]spelledType{},
		names:       map[string]string{},
		builder:     ir.NewBuilder(ctx),
		syntaxes:    map[string]*opSyntax{},
		fwdBlock:    &ir.Block{},
	}
	p.advance()
	return p
}

// Context returns the context that types and attributes are made in.
func (p *Parser) Context() *ir.Context { return p.ctx }

func (p *Parser) advance() {
	if p.tokens != nil {
		p.tokens.consumed(p.tok)
	}
	p.prevEnd = p.tok.end
	p.tok = p.lex.next()
}

// reset makes the token at pos the next one.
func (p *Parser) reset(pos int) {
	if p.tokens != nil {
		p.tokens.truncate(pos)
	}
	p.lex.pos = pos
	p.tok = p.lex.next()
}

// text returns the spelling of the next token.
func (p *Parser) text() string { return p.src[p.tok.pos:p.tok.end] }

// isWord tells whether the next token is the given bare word.
func (p *Parser) isWord(w string) bool {
	return p.tok.kind == tWord && p.tok.end-p.tok.pos == len(w) && p.text() == w
}

// intern returns a copy of s that doesn't keep the source alive.
func (p *Parser) intern(s string) string {
	if n, ok := p.names[s]; ok {
		return n
	}
	s = strings.Clone(s)
	p.names[s] = s
	return s
}

// enter counts one level of nesting; leave must be called if it succeeds.
func (p *Parser) enter() error {
	if p.depth >= maxDepth {
		return p.failHere("nesting is deeper than " + fmt.Sprint(maxDepth) + " levels")
	}
	p.depth++
	return nil
}

func (p *Parser) leave() { p.depth-- }

// Nested calls read for something that may be nested in itself, as types are. It
// fails where the nesting is too deep.
func (p *Parser) Nested(read func() error) error {
	if err := p.enter(); err != nil {
		return err
	}
	defer p.leave()
	return read()
}

// Pos returns the position of the next token.
func (p *Parser) Pos() Pos { return Pos(p.tok.pos) }

// Since returns the text from a position up to the end of the last token that was consumed.
func (p *Parser) Since(pos Pos) string { return p.src[pos:max(p.prevEnd, int(pos))] }

// NamePos returns the position of the operation's name that is being parsed.
func (p *Parser) NamePos() Pos { return p.op.pos }

// SymbolPos returns the position of the mnemonic of the dialect's attribute or type
// that is being parsed.
func (p *Parser) SymbolPos() Pos { return p.symbolPos }

// LocAt returns a position as a location.
func (p *Parser) LocAt(pos Pos) ir.Location { return p.locs.at(int(pos)) }

// Errorf returns an error at pos. In the syntax of an operation its message starts
// with the operation's name: "custom op 'arith.cmpi' ...".
func (p *Parser) Errorf(pos Pos, format string, args ...any) error {
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	return p.failOp(pos, format)
}

// failOp is Errorf for a finished message.
func (p *Parser) failOp(pos Pos, msg string) error {
	if p.op.syntax != nil && !p.inSymbol {
		msg = "custom op '" + p.op.syntax.name.String() + "' " + msg
	}
	return p.fail(pos, msg)
}

// fail returns an error at pos. An error of the lexer explains what follows it.
func (p *Parser) fail(pos Pos, msg string) error {
	if p.tok.kind == tError {
		pos, msg = Pos(p.lex.errPos), p.lex.errMsg
	}
	return &ir.Diagnostic{Loc: p.locs.at(int(pos)), Message: msg}
}

// failHere returns an error at the next token.
func (p *Parser) failHere(msg string) error {
	pos := p.tok.pos
	if p.tok.kind == tEOF && pos > 0 {
		pos--
	}
	return p.fail(Pos(pos), msg)
}

// also returns two errors as one.
func also(a, b error) error {
	var ds ir.Diagnostics
	for _, err := range [...]error{a, b} {
		switch err := err.(type) {
		case *ir.Diagnostic:
			ds = append(ds, err)
		case ir.Diagnostics:
			ds = append(ds, err...)
		}
	}
	return ds
}

// failToken returns the error that the next token is not what was expected. If
// the token starts a line, something is rather missing from the line before, so
// the error is reported where that ends.
func (p *Parser) failToken(msg string) error {
	at := p.tok.pos
	if p.tok.kind == tEOF && at > 0 {
		at--
	}
	for end := at; ; {
		end = len(strings.TrimRight(p.src[:end], " \t"))
		if end == 0 {
			return p.fail(Pos(at), msg)
		}
		if c := p.src[end-1]; c != '\n' && c != '\r' {
			return p.fail(Pos(end), msg)
		}
		end--
		start := strings.LastIndexAny(p.src[:end], "\n\r") + 1
		if n := strings.Index(p.src[start:end], "//"); n >= 0 {
			end = start + n
		}
	}
}

// expect consumes a token of the given kind; msg is the error if it isn't next.
func (p *Parser) expect(k tokKind, msg string) error {
	if p.tok.kind != k {
		return p.failToken(msg)
	}
	p.advance()
	return nil
}

// accept consumes a token of the given kind if it is next.
func (p *Parser) accept(k tokKind) bool {
	if p.tok.kind != k {
		return false
	}
	p.advance()
	return true
}

// Expect consumes a punctuation token such as "(" or "->".
func (p *Parser) Expect(tok string) error {
	if p.tok.kind != punctuation(tok) {
		return p.failToken("expected '" + tok + "'")
	}
	p.advance()
	return nil
}

// Optional consumes a punctuation token if it is next.
func (p *Parser) Optional(tok string) bool { return p.accept(punctuation(tok)) }

// At tells whether the punctuation tok comes next, without consuming it.
func (p *Parser) At(tok string) bool { return p.tok.kind == punctuation(tok) }

// Keyword consumes the given bare word.
func (p *Parser) Keyword(word string) error {
	if !p.OptionalKeyword(word) {
		return p.failOp(p.Pos(), "expected '"+word+"'")
	}
	return nil
}

// OptionalKeyword consumes the given bare word if it is next.
func (p *Parser) OptionalKeyword(word string) bool {
	if !p.isWord(word) {
		return false
	}
	p.advance()
	return true
}

// AnyKeyword consumes and returns a bare word.
func (p *Parser) AnyKeyword() (string, error) {
	if w, ok := p.OptionalAnyKeyword(); ok {
		return w, nil
	}
	return "", p.failOp(p.Pos(), "expected valid keyword")
}

// OptionalAnyKeyword consumes a bare word if one is next; of several allowed
// words if any are given.
func (p *Parser) OptionalAnyKeyword(allowed ...string) (string, bool) {
	if p.tok.kind != tWord {
		return "", false
	}
	w := p.text()
	if len(allowed) > 0 {
		for _, a := range allowed {
			if a == w {
				p.advance()
				return a, true
			}
		}
		return "", false
	}
	p.advance()
	return p.intern(w), true
}

// KeywordOrString consumes a bare word or a string.
func (p *Parser) KeywordOrString() (string, error) {
	if s, ok := p.OptionalKeywordOrString(); ok {
		return s, nil
	}
	return "", p.failOp(p.Pos(), "expected valid keyword or string")
}

// OptionalKeywordOrString consumes a bare word or a string if one is next.
func (p *Parser) OptionalKeywordOrString() (string, bool) {
	if s, ok := p.OptionalAnyKeyword(); ok {
		return s, true
	}
	return p.OptionalString()
}

// String consumes a string literal and returns its contents.
func (p *Parser) String() (string, error) {
	if s, ok := p.OptionalString(); ok {
		return s, nil
	}
	return "", p.failOp(p.Pos(), "expected string")
}

// OptionalString consumes a string literal if one is next.
func (p *Parser) OptionalString() (string, bool) {
	if p.tok.kind != tString {
		return "", false
	}
	s := unquote(p.src[p.tok.pos+1 : p.tok.end-1])
	p.advance()
	return s, true
}

// SymbolName consumes @name.
func (p *Parser) SymbolName() (string, error) {
	if s, ok := p.OptionalSymbolName(); ok {
		return s, nil
	}
	return "", p.failOp(p.Pos(), "expected valid '@'-identifier for symbol name")
}

// OptionalSymbolName consumes @name if it is next.
func (p *Parser) OptionalSymbolName() (string, bool) {
	if p.tok.kind != tAt {
		return "", false
	}
	s := p.symbolText()
	p.advance()
	return s, true
}

// symbolText returns the name in the next token, which is an @name.
func (p *Parser) symbolText() string {
	s := p.src[p.tok.pos+1 : p.tok.end]
	if s[0] == '"' {
		return unquote(s[1 : len(s)-1])
	}
	return p.intern(s)
}

// delimiters gives the tokens of each delimiter.
var delimiters = [...]struct {
	open, close tokKind
	optional    bool
}{
	Paren: {tLParen, tRParen, false}, Square: {tLSquare, tRSquare, false},
	Braces: {tLBrace, tRBrace, false}, LessGreater: {tLess, tGreater, false},
	OptionalParen: {tLParen, tRParen, true}, OptionalSquare: {tLSquare, tRSquare, true},
	OptionalBraces: {tLBrace, tRBrace, true}, OptionalLessGreater: {tLess, tGreater, true},
}

// List calls elem for each element of a comma-separated list in delimiters. With
// NoDelimiter at least one element is read.
func (p *Parser) List(d Delimiter, elem func() error) error { return p.list(d, "", elem) }

// list is List with the end of its messages, such as " in operand list".
func (p *Parser) list(d Delimiter, context string, elem func() error) error {
	x := delimiters[d]
	if d != NoDelimiter {
		if x.optional && p.tok.kind != x.open {
			return nil
		}
		if !p.accept(x.open) {
			return p.failToken("expected '" + tokSpelling[x.open] + "'" + context)
		}
		if p.accept(x.close) {
			return nil
		}
	}
	for {
		if err := elem(); err != nil {
			return err
		}
		if !p.accept(tComma) {
			break
		}
	}
	if d != NoDelimiter {
		if p.tok.kind != x.close {
			return p.failToken("expected '" + tokSpelling[x.close] + "'" + context)
		}
		p.advance()
	}
	return nil
}

// listUntil reads a list whose opening token was read, up to the closing one.
func (p *Parser) listUntil(closing tokKind, allowEmpty bool, elem func() error) error {
	if p.tok.kind == closing {
		if !allowEmpty {
			return p.failToken("expected list element")
		}
		p.advance()
		return nil
	}
	for {
		if err := elem(); err != nil {
			return err
		}
		if !p.accept(tComma) {
			if p.accept(closing) {
				return nil
			}
			return p.failToken("expected ',' or '" + tokSpelling[closing] + "'")
		}
	}
}

// Integer consumes a decimal or hexadecimal integer with optional minus sign.
func (p *Parser) Integer() (int64, error) {
	pos := p.Pos()
	v, ok, err := p.OptionalInteger()
	if err == nil && !ok {
		err = p.failOp(pos, "expected integer value")
	}
	return v, err
}

// OptionalInteger consumes an integer if one is next.
func (p *Parser) OptionalInteger() (v int64, ok bool, err error) {
	if p.isWord("true") || p.isWord("false") {
		if p.isWord("true") {
			v = 1
		}
		p.advance()
		return v, true, nil
	}
	if p.tok.kind != tInt && p.tok.kind != tMinus {
		return 0, false, nil
	}
	start := p.Pos()
	neg := p.accept(tMinus)
	if p.tok.kind != tInt {
		return 0, true, p.failOp(p.Pos(), "expected integer value")
	}
	u, ok := parseUint(p.text())
	if !ok || u > 1<<63 && neg { // the bits count
		return 0, true, p.failOp(start, "integer value too large")
	}
	p.advance()
	if neg {
		u = -u
	}
	return int64(u), true, nil
}

// OptionalBigInteger is OptionalInteger for integers of any size; it doesn't take
// true and false for one.
func (p *Parser) OptionalBigInteger() (v *big.Int, ok bool, err error) {
	if p.tok.kind != tInt && p.tok.kind != tMinus {
		return nil, false, nil
	}
	neg := p.accept(tMinus)
	if p.tok.kind != tInt {
		return nil, true, p.failOp(p.Pos(), "expected integer value")
	}
	base, digits := 10, p.text()
	if len(digits) > 2 && digits[1] == 'x' {
		base, digits = 16, digits[2:]
	}
	v, ok = new(big.Int).SetString(digits, base)
	if !ok || v.BitLen() > ir.MaxIntegerWidth {
		return nil, true, p.failOp(p.Pos(), "integer value too large")
	}
	p.advance()
	if neg {
		v.Neg(v)
	}
	return v, true, nil
}

// parseUint reads an integer token.
func parseUint(s string) (uint64, bool) {
	var v uint64
	if len(s) > 2 && s[1] == 'x' {
		s = strings.TrimLeft(s[2:], "0")
		if len(s) > 16 {
			return 0, false
		}
		for i := range len(s) {
			v = v<<4 | uint64(hexDigit(s[i]))
		}
		return v, true
	}
	for i := range len(s) {
		d := uint64(s[i] - '0')
		if v > (1<<64-1-d)/10 {
			return 0, false
		}
		v = v*10 + d
	}
	return v, true
}
