package asm

import (
	"cmp"
	"slices"
	"strings"

	"freehold/ir"
)

// extendedSymbol is !dialect.name, !dialect<name> or !alias, or the same with #.
type extendedSymbol struct {
	// dialect is "" for an alias, whose name is in name.
	dialect, name string
	// body is where the text after the prefix starts and angle tells that it is in
	// angle brackets after the bare dialect name.
	body  int
	angle bool
}

// readSymbol splits the next token, which is not consumed.
func (p *Parser) readSymbol() extendedSymbol {
	id := p.src[p.tok.pos+1 : p.tok.end]
	if dialect, _, pretty := strings.Cut(id, "."); pretty {
		return extendedSymbol{dialect: dialect, body: p.tok.pos + 1 + len(dialect) + 1}
	}
	if p.tok.end < len(p.src) && p.src[p.tok.end] == '<' {
		return extendedSymbol{dialect: id, body: p.tok.end + 1, angle: true}
	}
	return extendedSymbol{name: id}
}

// rawBody returns the end of the uninterpreted text of a symbol that starts at
// x.body, up to the closing bracket if there is one, and moves behind it.
func (p *Parser) rawBody(x extendedSymbol) (end int, err error) {
	end = p.tok.end
	if x.angle {
		end = x.body - 1
	}
	if x.angle || end < len(p.src) && p.src[end] == '<' {
		if end, err = p.balanced(end); err != nil {
			return 0, err
		}
	}
	p.prevEnd = end
	p.reset(end)
	if x.angle {
		end--
	}
	return end, nil
}

// unbalanced returns err, or, if the brackets of a symbol that could not be read
// don't match, an error about that: mlir-opt looks at them before it reads a symbol.
func (p *Parser) unbalanced(x extendedSymbol, err error) error {
	start := x.body - 1
	if !x.angle {
		for start++; start < len(p.src) && charClass[p.src[start]].bits&(cLetter|cDigit|cWordPart) != 0; {
			start++
		}
	}
	if start >= len(p.src) || p.src[start] != '<' {
		return err
	}
	if _, e := p.balanced(start); e != nil {
		return e
	}
	return err
}

// balanced returns the position after the bracket that closes the one at pos. Errors
// are at the last string, if there is one.
func (p *Parser) balanced(pos int) (int, error) {
	var open []byte
	s := p.src
	for i := pos; i < len(s); i++ {
		switch c := s[i]; c {
		case '<', '(', '[', '{':
			open = append(open, c)
		case '-':
			if i+1 < len(s) && s[i+1] == '>' {
				i++
			}
		case '>', ')', ']', '}':
			want := c - 2
			if c == ')' {
				want = '('
			}
			if open[len(open)-1] != want {
				return 0, p.fail(Pos(pos), "unbalanced '"+string(open[len(open)-1])+"' character in pretty dialect name")
			}
			if open = open[:len(open)-1]; len(open) == 0 {
				return i + 1, nil
			}
		case '"':
			l := lexer{src: s, pos: i}
			t := l.next()
			if t.kind != tString {
				return 0, &ir.Diagnostic{Loc: p.LocAt(Pos(l.errPos)), Message: l.errMsg}
			}
			pos, i = i, t.end-1 // mlir-opt reports what follows here
		case 0:
			return 0, p.fail(Pos(pos), "unexpected nul or EOF in pretty dialect name")
		}
	}
	return 0, p.fail(Pos(pos), "unbalanced '"+string(open[len(open)-1])+"' character in pretty dialect name")
}

// extendedType reads !dialect.type, !dialect<type> or !alias.
func (p *Parser) extendedType() (ir.Type, error) {
	x := p.readSymbol()
	if x.dialect == "" {
		t, ok := p.typeAliases[x.name]
		pos := p.Pos()
		p.advance()
		if !ok && p.isUnread('!', x.name) {
			return nil, errUnread
		}
		if !ok {
			return nil, p.failToken("undefined symbol alias id '" + x.name + "'")
		}
		return t, p.useAlias(pos, '!', x.name)
	}
	d := p.ctx.Dialect(x.dialect)
	if d == nil {
		return p.opaqueType(x)
	}
	t, err := p.dialectType(d, x)
	if err != nil {
		return nil, p.unbalanced(x, err)
	}
	return t, nil
}

// dialectType reads a type of a registered dialect whose text starts at x.body.
func (p *Parser) dialectType(d *ir.Dialect, x extendedSymbol) (ir.Type, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	start := p.tok
	p.prevEnd = x.body
	p.reset(x.body)
	pos := p.Pos()
	outer := p.inSymbol
	p.inSymbol = true
	defer func() { p.inSymbol = outer }()
	outerPos := p.symbolPos
	p.symbolPos = pos
	defer func() { p.symbolPos = outerPos }()
	parse, ok := TypeParser.OfDialect(d)
	if !ok {
		if d.AllowUnknownTypes {
			p.tok = start
			return p.opaqueType(x)
		}
		return nil, p.fail(pos, "dialect '"+x.dialect+"' provides no type parsing hook")
	}
	mnemonic, err := p.AnyKeyword()
	if err != nil {
		return nil, err
	}
	t, err := parse(p, mnemonic)
	if err != nil {
		return nil, err
	}
	if t == nil {
		if d.AllowUnknownTypes {
			p.tok = start
			return p.opaqueType(x)
		}
		return nil, p.fail(pos, "unknown  type `"+mnemonic+"` in dialect `"+x.dialect+"`")
	}
	if x.angle {
		return t, p.expect(tGreater, "expected '>'")
	}
	return t, nil
}

// opaqueType reads the type of a dialect that doesn't interpret it.
func (p *Parser) opaqueType(x extendedSymbol) (ir.Type, error) {
	end, err := p.rawBody(x)
	if err != nil {
		return nil, err
	}
	data := p.src[x.body:end]
	if p.ctx.Dialect(x.dialect) == nil && !p.ctx.AllowUnregistered {
		return nil, p.fail(Pos(x.body), "`!\""+x.dialect+"\"<\""+data+"\">` type created with unregistered dialect. "+
			"If this is intended, please call allowUnregisteredDialects() on the MLIRContext, or use "+
			"-allow-unregistered-dialect with the MLIR opt tool used")
	}
	return p.ctx.OpaqueTypeOf(p.intern(x.dialect), strings.Clone(data)), nil
}

// extendedAttr reads #dialect.attr, #dialect<attr> or #alias; t is the type that
// the attribute has if it doesn't spell one, or nil.
func (p *Parser) extendedAttr(t ir.Type) (ir.Attribute, error) {
	x := p.readSymbol()
	if x.dialect == "" {
		a, ok := p.attrAliases[x.name]
		pos := p.Pos()
		p.advance()
		if !ok && p.isUnread('#', x.name) {
			return nil, errUnread
		}
		if !ok {
			return nil, p.failToken("undefined symbol alias id '" + x.name + "'")
		}
		if _, isLoc := a.(ir.Location); isLoc {
			return a, nil // is printed by an alias again
		}
		return a, p.useAlias(pos, '#', x.name)
	}
	d := p.ctx.Dialect(x.dialect)
	if d == nil {
		return p.opaqueAttr(x, t)
	}
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	a, err := p.dialectAttr(d, x, t)
	if err != nil {
		return nil, p.unbalanced(x, err)
	}
	if t != nil || p.tok.kind != tColon {
		return a, nil
	}
	// The type comes last, but the dialect may need it, so the attribute is read
	// again: only the outermost one, as time would double with each level.
	p.advance()
	if t, err = p.Type(); err != nil || p.inSymbol {
		return a, err
	}
	after, prev := p.tok, p.prevEnd
	p.reset(x.body)
	if a, err = p.dialectAttr(d, x, t); err != nil {
		return nil, err
	}
	p.prevEnd = prev
	p.reset(after.pos)
	return a, nil
}

// dialectAttr reads an attribute of a registered dialect whose text starts at
// x.body.
func (p *Parser) dialectAttr(d *ir.Dialect, x extendedSymbol, t ir.Type) (ir.Attribute, error) {
	p.prevEnd = x.body
	p.reset(x.body)
	pos := p.Pos()
	outer := p.inSymbol
	p.inSymbol = true
	defer func() { p.inSymbol = outer }()
	outerPos := p.symbolPos
	p.symbolPos = pos
	defer func() { p.symbolPos = outerPos }()
	enums, hasEnums := Enums.OfDialect(d)
	parse, hasParser := AttrParser.OfDialect(d)
	if !hasEnums && !hasParser {
		return nil, p.fail(pos, "dialect '"+x.dialect+"' provides no attribute parsing hook")
	}
	if x.angle && p.tok.kind == tString {
		return p.quotedEnum(enums)
	}
	mnemonic, err := p.AnyKeyword()
	if err != nil {
		return nil, err
	}
	var a ir.Attribute
	if i := slices.IndexFunc(enums, func(e *ir.EnumDef) bool { return e.Mnemonic == mnemonic }); i >= 0 {
		if e := enums[i]; e.Bare {
			var v uint64
			v, err = p.EnumKeyword(e)
			a = p.ctx.EnumAttr(e, v)
		} else {
			a, err = p.EnumAttr(e)
		}
	} else if hasParser {
		a, err = parse(p, mnemonic, t)
	}
	if err != nil {
		return nil, err
	}
	if a == nil && d.AllowUnknownTypes {
		p.reset(x.body)
		return p.opaqueAttr(x, t)
	}
	if a == nil {
		return nil, p.fail(pos, "unknown attribute `"+mnemonic+"` in dialect `"+x.dialect+"`")
	}
	if x.angle {
		return a, p.expect(tGreater, "expected '>'")
	}
	return a, nil
}

// quotedEnum consumes "mnemonic case">, as LLVM 14 and 15 wrote values of enumerations after #dialect<.
func (p *Parser) quotedEnum(enums []*ir.EnumDef) (ir.Attribute, error) {
	pos := p.Pos()
	text, err := p.String()
	if err != nil {
		return nil, err
	}
	mnemonic, word, _ := strings.Cut(text, " ")
	for _, e := range enums {
		if e.Mnemonic != mnemonic {
			continue
		}
		if v, ok := p.enumCase(e, word); ok {
			return p.ctx.EnumAttr(e, v), p.expect(tGreater, "expected '>'")
		}
	}
	return nil, p.fail(pos, "expected valid keyword")
}

// EnumAttr consumes <case> of an enumeration attribute, what follows its
// mnemonic.
func (p *Parser) EnumAttr(def *ir.EnumDef) (ir.Attribute, error) {
	if err := p.expect(tLess, "expected '<'"); err != nil {
		return nil, err
	}
	v, err := p.EnumKeyword(def)
	if err != nil {
		return nil, err
	}
	return p.ctx.EnumAttr(def, v), p.expect(tGreater, "expected '>'")
}

// EnumKeyword consumes a case of the enumeration; of an enumeration of bits,
// cases joined by its separator.
func (p *Parser) EnumKeyword(def *ir.EnumDef) (uint64, error) {
	sep := tComma
	if strings.Contains(def.Separator, "|") {
		sep = tBar
	}
	var v uint64
	pos := p.Pos()
	for {
		word, err := p.AnyKeyword()
		if err != nil {
			return 0, p.failEnum(def, err)
		}
		c, ok := p.enumCase(def, word)
		if !ok {
			return 0, p.failEnum(def, p.failOp(pos, "expected "+enumName(def)+" to be one of: "+def.Keywords(p.ctx.LLVM())))
		}
		v |= c
		if !def.Bit || !p.accept(sep) {
			return v, nil
		}
	}
}

// enumCase returns the value of a keyword, which may be that of an earlier version.
func (p *Parser) enumCase(def *ir.EnumDef, word string) (uint64, bool) {
	if today := def.Earlier[word]; today != "" && p.Reads(def.Until) {
		word = today
	}
	for _, c := range def.Cases {
		if c.Keyword == word {
			p.Later(c.Since, word)
		}
	}
	return def.Parse(word)
}

// failEnum adds to an error in the spelling of a value which attribute it is for.
func (p *Parser) failEnum(def *ir.EnumDef, err error) error {
	first, ok := err.(*ir.Diagnostic)
	if !ok || def.Attr == "" {
		return err
	}
	param := cmp.Or(def.Param, "value")
	second := p.failOp(p.Pos(), "failed to parse "+def.Attr+" parameter '"+param+"' which is to be a `"+enumName(def)+"`")
	return ir.Diagnostics{first, second.(*ir.Diagnostic)}
}

// enumName returns what messages call an enumeration: its name, qualified by the
// dialect unless the name is qualified already.
func enumName(def *ir.EnumDef) string {
	if strings.Contains(def.Name, "::") {
		return def.Name
	}
	return "::mlir::" + def.Dialect + "::" + def.Name
}

// opaqueAttr reads the attribute of a dialect that is not registered.
func (p *Parser) opaqueAttr(x extendedSymbol, t ir.Type) (ir.Attribute, error) {
	end, err := p.rawBody(x)
	if err != nil {
		return nil, err
	}
	data := p.src[x.body:end]
	if p.accept(tColon) {
		if t, err = p.Type(); err != nil {
			return nil, err
		}
	}
	if p.ctx.Dialect(x.dialect) == nil && !p.ctx.AllowUnregistered {
		return nil, p.fail(Pos(x.body), "#\""+x.dialect+"\"<\""+data+"\"> : '"+spellType(t)+"' attribute created with unregistered dialect. "+
			"If this is intended, please call allowUnregisteredDialects() on the MLIRContext, or use "+
			"-allow-unregistered-dialect with the MLIR opt tool used")
	}
	return p.ctx.OpaqueAttr(p.intern(x.dialect), strings.Clone(data), t), nil
}

func spellType(t ir.Type) string {
	if t == nil {
		return "none"
	}
	return t.String()
}
