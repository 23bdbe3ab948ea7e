package asm

import (
	"strings"

	"freehold/ir"
)

// tokKind is the kind of a token.
type tokKind uint8

const (
	tEOF tokKind = iota
	tError
	tWord    // bare identifier or keyword
	tAt      // @name or @"name"
	tHash    // #name
	tPercent // %name
	tCaret   // ^name
	tBang    // !name
	tInt
	tFloat
	tString
	tArrow
	tColon
	tComma
	tEllipsis
	tEqual
	tLess
	tGreater
	tLBrace
	tRBrace
	tLParen
	tRParen
	tLSquare
	tRSquare
	tMinus
	tPlus
	tQuestion
	tStar
	tBar
	tMetaBegin // {-#
	tMetaEnd   // #-}
)

// tokSpelling is the spelling of the punctuation tokens.
var tokSpelling = [...]string{
	tArrow: "->", tColon: ":", tComma: ",", tEllipsis: "...", tEqual: "=",
	tLess: "<", tGreater: ">", tLBrace: "{", tRBrace: "}", tLParen: "(", tRParen: ")",
	tLSquare: "[", tRSquare: "]", tMinus: "-", tPlus: "+", tQuestion: "?", tStar: "*",
	tBar: "|", tMetaBegin: "{-#", tMetaEnd: "#-}",
}

// token is a token and where it stands in the source.
type token struct {
	kind     tokKind
	pos, end int
}

// punctuation returns the kind of a punctuation token by its spelling.
func punctuation(s string) tokKind {
	if len(s) == 1 {
		return charClass[s[0]].token
	}
	for k := tArrow; k <= tMetaEnd; k++ {
		if tokSpelling[k] == s {
			return k
		}
	}
	return tError
}

// Bits of charClass.
const (
	cLetter = 1 << iota // letter or _
	cDigit
	cWordPart // $ and .
	cDash     // -
	cHex
	cSpace
)

// charClass tells what a byte may be part of, and the token that it is by itself.
var charClass = func() (t [256]struct {
	bits  uint8
	token tokKind
}) {
	for c := range t {
		b := byte(c)
		switch {
		case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b == '_':
			t[c].bits |= cLetter
		case b >= '0' && b <= '9':
			t[c].bits |= cDigit | cHex
		case b == '$', b == '.':
			t[c].bits |= cWordPart
		case b == '-':
			t[c].bits |= cDash
		case b == ' ', b == '\t', b == '\n', b == '\r', b == 0:
			t[c].bits |= cSpace
		}
		if b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F' {
			t[c].bits |= cHex
		}
	}
	for k, s := range tokSpelling {
		if len(s) == 1 {
			t[s[0]].token = tokKind(k)
		}
	}
	return t
}()

// lexer cuts a source into tokens.
type lexer struct {
	src string
	pos int // where the next token is looked for
	// errPos and errMsg describe the last error token.
	errPos int
	errMsg string
}

func (l *lexer) fail(start, pos int, msg string) token {
	l.errPos, l.errMsg = pos, msg
	return token{tError, start, l.pos}
}

// skip moves past bytes of the given classes and returns where they end.
func (l *lexer) skip(bits uint8) int {
	i := l.pos
	for i < len(l.src) && charClass[l.src[i]].bits&bits != 0 {
		i++
	}
	l.pos = i
	return i
}

// next returns the next token.
func (l *lexer) next() token {
	for {
		start := l.skip(cSpace)
		if start >= len(l.src) {
			return token{tEOF, len(l.src), len(l.src)}
		}
		c := l.src[start]
		l.pos++
		if charClass[c].bits&cLetter != 0 {
			return token{tWord, start, l.skip(cLetter | cDigit | cWordPart)}
		}
		switch c {
		case '%':
			return l.prefixed(start, tPercent, "invalid SSA name")
		case '#':
			if strings.HasPrefix(l.src[l.pos:], "-}") {
				l.pos += 2
				return token{tMetaEnd, start, l.pos}
			}
			return l.prefixed(start, tHash, "invalid attribute name")
		case '^':
			return l.prefixed(start, tCaret, "invalid block name")
		case '!':
			return l.prefixed(start, tBang, "invalid type identifier")
		case '@':
			return l.at(start)
		case '"':
			return l.str(start)
		case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			return l.number(start)
		case '/':
			if l.pos < len(l.src) && l.src[l.pos] == '/' {
				if n := strings.IndexByte(l.src[l.pos:], '\n'); n >= 0 {
					l.pos += n
				} else {
					l.pos = len(l.src)
				}
				continue
			}
		case '-':
			if l.pos < len(l.src) && l.src[l.pos] == '>' {
				l.pos++
				return token{tArrow, start, l.pos}
			}
		case '{':
			if strings.HasPrefix(l.src[l.pos:], "-#") {
				l.pos += 2
				return token{tMetaBegin, start, l.pos}
			}
		case '.':
			for n := 1; n < 3; n++ {
				if l.pos >= len(l.src) || l.src[l.pos] != '.' {
					return l.fail(start, start+1, "expected three consecutive dots for an ellipsis")
				}
				l.pos++
			}
			return token{tEllipsis, start, l.pos}
		}
		if k := charClass[c].token; k != tEOF {
			return token{k, start, l.pos}
		}
		return l.fail(start, start, "unexpected character")
	}
}

// prefixed reads the name after %, #, ^ or !: a number, or a name that does not
// start with a digit.
func (l *lexer) prefixed(start int, kind tokKind, msg string) token {
	if l.pos < len(l.src) {
		switch b := charClass[l.src[l.pos]].bits; {
		case b&cDigit != 0:
			return token{kind, start, l.skip(cDigit)}
		case b&(cLetter|cWordPart|cDash) != 0:
			return token{kind, start, l.skip(cLetter | cDigit | cWordPart | cDash)}
		}
	}
	return l.fail(start, start, msg)
}

func (l *lexer) at(start int) token {
	if l.pos < len(l.src) {
		c := l.src[l.pos]
		if c == '"' {
			l.pos++
			t := l.str(l.pos - 1)
			if t.kind == tString {
				t.kind = tAt
			}
			t.pos = start
			return t
		}
		if charClass[c].bits&cLetter != 0 {
			return token{tAt, start, l.skip(cLetter | cDigit | cWordPart)}
		}
	}
	return l.fail(start, start+1, "@ identifier expected to start with letter or '_'")
}

// str reads a string literal whose opening quote was read.
func (l *lexer) str(start int) token {
	for i := l.pos; i < len(l.src); i++ {
		switch l.src[i] {
		case '"':
			l.pos = i + 1
			return token{tString, start, l.pos}
		case '\n', '\v', '\f':
			l.pos = i
			return l.fail(start, i, `expected '"' in string literal`)
		case '\\':
			if i+1 < len(l.src) {
				switch c := l.src[i+1]; {
				case c == '"', c == '\\', c == 'n', c == 't':
					i++
					continue
				case charClass[c].bits&cHex != 0 && i+2 < len(l.src) && charClass[l.src[i+2]].bits&cHex != 0:
					i += 2
					continue
				}
			}
			l.pos = i + 1
			return l.fail(start, i, "unknown escape in string literal")
		}
	}
	l.pos = len(l.src)
	return l.fail(start, len(l.src), `expected '"' in string literal`)
}

// number reads an integer or a float. A sign is a token of its own.
func (l *lexer) number(start int) token {
	s := l.src
	if s[start] == '0' && l.pos+1 < len(s) && s[l.pos] == 'x' && charClass[s[l.pos+1]].bits&cHex != 0 {
		l.pos++
		return token{tInt, start, l.skip(cHex)}
	}
	l.skip(cDigit)
	if l.pos >= len(s) || s[l.pos] != '.' {
		return token{tInt, start, l.pos}
	}
	l.pos++
	l.skip(cDigit)
	if l.pos < len(s) && (s[l.pos] == 'e' || s[l.pos] == 'E') {
		i := l.pos + 1
		if i < len(s) && (s[i] == '-' || s[i] == '+') {
			i++
		}
		if i < len(s) && charClass[s[i]].bits&cDigit != 0 {
			l.pos = i
			l.skip(cDigit)
		}
	}
	return token{tFloat, start, l.pos}
}

// unquote returns the contents of a string literal without its quotes, which the
// lexer has checked.
func unquote(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return strings.Clone(s)
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b = append(b, s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case '"', '\\':
			b = append(b, c)
		case 'n':
			b = append(b, '\n')
		case 't':
			b = append(b, '\t')
		default:
			b = append(b, hexDigit(c)<<4|hexDigit(s[i+1]))
			i++
		}
	}
	return string(b)
}

func hexDigit(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c >= 'a':
		return c - 'a' + 10
	}
	return c - 'A' + 10
}

// lineTable finds lines and columns of positions. Building it is linear in the
// source; look-ups close to the one before take constant time, others
// logarithmic time.
type lineTable struct {
	starts []int // where each line starts
	hint   int   // line of the last look-up
}

func newLineTable(src string) lineTable {
	starts := make([]int, 1, 1+strings.Count(src, "\n"))
	for i := 0; ; {
		n := strings.IndexByte(src[i:], '\n')
		if n < 0 {
			return lineTable{starts: starts}
		}
		i += n + 1
		starts = append(starts, i)
	}
}

// at returns the line and column of a position, counted from 1.
func (t *lineTable) at(pos int) (line, col uint32) {
	i := t.hint
	if pos < t.starts[i] || i+8 < len(t.starts) && pos >= t.starts[i+8] {
		lo, hi := 0, len(t.starts)
		for hi-lo > 1 {
			if mid := int(uint(lo+hi) >> 1); t.starts[mid] <= pos {
				lo = mid
			} else {
				hi = mid
			}
		}
		i = lo
	}
	for i+1 < len(t.starts) && t.starts[i+1] <= pos {
		i++
	}
	t.hint = i
	return uint32(i + 1), uint32(pos - t.starts[i] + 1)
}

const locSlab = 128

// locMaker makes the locations of one file.
type locMaker struct {
	lines lineTable
	proto ir.FileLineColLoc
	slab  []ir.FileLineColLoc
}

func (m *locMaker) at(pos int) *ir.FileLineColLoc {
	if len(m.slab) == 0 {
		m.slab = make([]ir.FileLineColLoc, locSlab)
	}
	l := &m.slab[0]
	m.slab = m.slab[1:]
	*l = m.proto
	l.Line, l.Col = m.lines.at(pos)
	return l
}
