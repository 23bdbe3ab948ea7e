package asm

import (
	"cmp"
	"slices"

	"freehold/ir"
)

// TokenKind is what a token names.
type TokenKind uint8

// The kinds of tokens that are kept.
const (
	// OpToken is the name of an operation.
	OpToken TokenKind = iota
	// ValueToken is %name, of a result, an argument or an operand.
	ValueToken
	// BlockToken is ^label.
	BlockToken
	// SymbolToken is @name; of a nested reference each part is one.
	SymbolToken
	// AttrToken is the name of an attribute in a dictionary.
	AttrToken
)

// Token is a name in the source of a program.
type Token struct {
	Kind TokenKind
	// Def is set where a value or a block gets the name, and where a symbol does; other
	// tokens refer to what has it.
	Def bool
	// Start and End are offsets in bytes; the text between them is the whole token.
	Start, End int
	// Op is the operation whose text the token is part of: that of the innermost one, where
	// operations are nested. nil if that couldn't be read.
	Op *ir.Op
	// Value is the value of a ValueToken, the first one of a group of results; nil if it
	// isn't known.
	Value *ir.Value
	// Block is the block of a BlockToken; nil if it isn't known.
	Block *ir.Block
}

// Tokens are the names in a source, in their order. A program that is changed afterwards
// leaves them as they are.
type Tokens []Token

// At returns the token that contains the byte at an offset, or ends there; nil if none
// does. Logarithmic time.
func (ts Tokens) At(offset int) *Token {
	i, _ := slices.BinarySearchFunc(ts, offset, func(t Token, at int) int { return cmp.Compare(t.End, at) })
	if i == len(ts) || ts[i].Start > offset {
		return nil
	}
	if i+1 < len(ts) && ts[i+1].Start == offset {
		i++
	}
	return &ts[i]
}

// tokenTable collects tokens while the parser passes them.
type tokenTable struct {
	src  string
	list Tokens
	open []int // indices of tokens of operations that are not finished, in their order
	// forward has the uses of values that are not defined yet.
	forward map[*ir.Value][]Pos
}

// consumed takes a token that the parser moved past.
func (x *tokenTable) consumed(t token) {
	switch t.kind {
	case tPercent:
		x.add(ValueToken, t)
	case tCaret:
		x.add(BlockToken, t)
	case tAt:
		x.add(SymbolToken, t)
	}
}

// add takes a token. One that is there already was added before it was passed.
func (x *tokenTable) add(k TokenKind, t token) {
	if n := len(x.list); n > 0 && x.list[n-1].Start >= t.pos {
		return
	}
	x.open = append(x.open, len(x.list))
	x.list = append(x.list, Token{Kind: k, Start: t.pos, End: t.end})
}

// truncate forgets the tokens from a position on, which are read again.
func (x *tokenTable) truncate(pos int) {
	n := len(x.list)
	for n > 0 && x.list[n-1].Start >= pos {
		n--
	}
	x.list = x.list[:n]
	for len(x.open) > 0 && x.open[len(x.open)-1] >= n {
		x.open = x.open[:len(x.open)-1]
	}
}

// at returns the token at a position, or nil.
func (x *tokenTable) at(pos Pos) *Token {
	i, ok := slices.BinarySearchFunc(x.list, int(pos), func(t Token, at int) int { return cmp.Compare(t.Start, at) })
	if !ok {
		return nil
	}
	return &x.list[i]
}

// begin returns where the tokens of an operation start.
func (x *tokenTable) begin() int { return len(x.list) }

// end gives the tokens of an operation that started there to it, if it was read.
func (x *tokenTable) end(start int, op *ir.Op, read bool) {
	n := len(x.open)
	for n > 0 && x.open[n-1] >= start {
		n--
	}
	mine := x.open[n:]
	x.open = x.open[:n]
	if !read {
		return
	}
	symbol, named := ir.SymbolName(op)
	for _, i := range mine {
		t := &x.list[i]
		t.Op = op
		if text := x.src[t.Start+1 : t.End]; named && t.Kind == SymbolToken && (text == symbol || text[0] == '"' && unquote(text[1:len(text)-1]) == symbol) {
			t.Def, named = true, false
		}
	}
}

// defines says that a value has the name at a position.
func (x *tokenTable) defines(pos Pos, v *ir.Value) {
	if t := x.at(pos); t != nil && !t.Def {
		t.Def, t.Value = true, v
	}
}

// uses says that the name at a position stands for a value; forward that it is not
// defined yet.
func (x *tokenTable) uses(pos Pos, v *ir.Value, forward bool) {
	t := x.at(pos)
	if t == nil {
		return
	}
	if !forward {
		t.Value = v
		return
	}
	if x.forward == nil {
		x.forward = map[*ir.Value][]Pos{}
	}
	x.forward[v] = append(x.forward[v], pos)
}

// resolved says which value was meant before it was defined.
func (x *tokenTable) resolved(forward, v *ir.Value) {
	for _, pos := range x.forward[forward] {
		x.uses(pos, v, false)
	}
	delete(x.forward, forward)
}

// label says which block the label at a position stands for.
func (x *tokenTable) label(pos Pos, b *ir.Block, def bool) {
	if t := x.at(pos); t != nil {
		t.Block, t.Def = b, def
	}
}

// note keeps the next token, if tokens are kept.
func (p *Parser) note(k TokenKind) {
	if p.tokens != nil {
		p.tokens.add(k, p.tok)
	}
}
