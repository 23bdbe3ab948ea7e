package asm

import "strings"

// Verbatim consumes the rest of an operation that ends with a region in braces, and returns its text: a program of its own, which isn't looked
// into. Aliases are replaced with what they stand for, since their names are those of the source.
func (p *Parser) Verbatim() (string, error) {
	var b strings.Builder
	var body bodyEnd
	for from := p.tok.pos; ; {
		switch p.tok.kind {
		case tError, tEOF:
			return "", p.failToken("expected '}'")
		case tHash, tBang:
			expanded, known, err := p.expandAlias()
			if err != nil {
				return "", err
			}
			if known {
				b.WriteString(p.src[from:p.tok.pos])
				b.WriteString(expanded)
				from = p.tok.end
			}
		}
		ends := body.ends(p.tok, p.src)
		p.advance()
		if ends {
			b.WriteString(p.src[from:p.prevEnd])
			return b.String(), nil
		}
	}
}

// IsVerbatim tells whether a text is one that [Parser.Verbatim] reads to its end.
func IsVerbatim(text string) bool {
	l := lexer{src: text}
	for body := (bodyEnd{}); ; {
		t := l.next()
		if t.kind == tError || t.kind == tEOF {
			return false
		}
		if body.ends(t, text) {
			return t.end == len(text)
		}
	}
}

// bodyEnd looks for the end of an operation with a region in braces, as its tokens come: the brace that closes the first one that is in no other bracket, and isn't that of its attributes.
type bodyEnd struct {
	depth int
	// body tells that the region has begun, and attributes that attributes may follow.
	body, attributes bool
}

// ends tells whether the next token is the end.
func (e *bodyEnd) ends(t token, src string) (end bool) {
	switch t.kind {
	case tLParen, tLSquare:
		e.depth++
	case tRParen, tRSquare:
		e.depth--
	case tLBrace:
		e.body = e.body || e.depth == 0 && !e.attributes
		e.depth++
	case tRBrace:
		e.depth--
		end = e.depth == 0 && e.body
	}
	e.attributes = t.kind == tWord && src[t.pos:t.end] == "attributes"
	return end
}

// expandAlias returns the text of what the alias that is next stands for, and whether it is one.
func (p *Parser) expandAlias() (text string, known bool, err error) {
	name := p.src[p.tok.pos+1 : p.tok.end]
	if p.tok.kind == tBang {
		if t, ok := p.typeAliases[name]; ok {
			return t.String(), true, p.useAlias(p.Pos(), '!', name)
		}
		return "", false, nil
	}
	if a, ok := p.attrAliases[name]; ok {
		return a.String(), true, p.useAlias(p.Pos(), '#', name)
	}
	return "", false, nil
}

// UnknownIn tells whether the rest of an operation that ends with a region in braces has an operation of the dialect that isn't known, or a type
// that known doesn't accept, given as it is spelled. Nothing is consumed, and linear time.
func (p *Parser) UnknownIn(dialect string, known func(typeName string) bool) bool {
	prefix := dialect + "."
	l := lexer{src: p.src, pos: p.tok.pos}
	var body bodyEnd
	line := p.tok.pos // where the line of the last token ends
	var before, last token
	for {
		t := l.next()
		if body.ends(t, p.src) {
			return false
		}
		switch t.kind {
		case tError, tEOF:
			return false
		case tBang:
			if name := p.src[t.pos+1 : t.end]; strings.Contains(name, ".") && !known(name) {
				return true
			}
		case tWord:
			name := p.src[t.pos:t.end]
			assigned := last.kind == tEqual && (before.kind == tPercent || before.kind == tInt)
			begins := strings.Contains(p.src[line:t.pos], "\n") || last.kind == tLBrace && body.depth == 1
			if body.body && strings.HasPrefix(name, prefix) && (assigned || begins) && !p.registered(name) {
				return true
			}
		}
		before, last, line = last, t, t.end
	}
}

// registered tells whether the context knows an operation.
func (p *Parser) registered(name string) bool {
	n := p.ctx.OpName(name)
	return n != nil && n.Registered()
}
