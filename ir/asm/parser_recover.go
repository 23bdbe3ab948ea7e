package asm

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"freehold/ir"
)

// recovery is what a parser keeps that goes on after errors. It goes on where the next
// operation starts, which is looked for at the starts of lines. What an operation that
// couldn't be read would have defined is unknown: uses of it are no errors.
type recovery struct {
	errors []placedError
	quiet  int // errors that are not reported, as they follow from others
	// done is set once the parser gives up: at the end of the source, or when there are
	// too many errors.
	done bool
	// attempts counts the attempts to read something in one of several ways that the
	// parser is in: their errors are not reported.
	attempts int
	unknown  *ir.Block          // owns the values that stand for unknown ones
	aliases  map[aliasName]bool // those whose definitions couldn't be read
	// ended is set once all of the source was read.
	ended bool
	// failed is where the operation starts in which the last error was found.
	failed Pos
	// behind is where the last operation ended whose results couldn't get their names.
	behind Pos
}

// placedError is an error with the place by which it is sorted.
type placedError struct {
	*ir.Diagnostic
	at sourcePlace
}

// sourcePlace is a line and a column of the source.
type sourcePlace struct{ line, column uint32 }

func (a sourcePlace) compare(b sourcePlace) int {
	return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column))
}

// maxQuiet bounds the errors that follow from others: each takes the time of reading its
// operation again.
const maxQuiet = 100

// errUnread is the error that something can't be read because something before it
// couldn't, which was reported.
var errUnread = errors.New("asm: the definition could not be read")

// goesOn takes an error, and tells whether the parser goes on after it.
func (p *Parser) goesOn(err error) bool {
	r := p.recovery
	if r == nil || r.done || r.attempts > 0 {
		return false
	}
	n := len(r.errors)
	switch err := err.(type) {
	case *ir.Diagnostic:
		if n > 0 && p.follows(err, r.errors[n-1].Diagnostic) {
			r.quiet++
			break
		}
		p.take(err)
		r.failed = p.resultsPos
	case ir.Diagnostics:
		p.take(err...)
	default:
		r.quiet++
	}
	r.done = len(r.errors) > ir.MaxReported || p.tok.kind == tEOF && !r.ended || p.depth >= maxDepth || r.quiet > maxQuiet
	return !r.done
}

// take keeps errors. One of several stays behind those before it.
func (p *Parser) take(ds ...*ir.Diagnostic) {
	var last sourcePlace
	for i, d := range ds {
		at, ok := ir.SourcePos(d.Loc)
		if ok && at.File() == p.locs.proto.File() {
			if here := (sourcePlace{at.Line, at.Col}); i == 0 || here.compare(last) > 0 {
				last = here
			}
		} else if n := len(p.recovery.errors); i == 0 && n > 0 {
			last = p.recovery.errors[n-1].at
		}
		p.recovery.errors = append(p.recovery.errors, placedError{d, last})
	}
}

// follows tells whether an error is likely to be there because of the one before: it is in
// the same line, or what is missing at the end of the source is what couldn't be read, or
// braces don't match.
func (p *Parser) follows(err, before *ir.Diagnostic) bool {
	if p.recovery.ended {
		return false
	}
	a, ok := ir.SourcePos(err.Loc)
	b, known := ir.SourcePos(before.Loc)
	// An error where the next operation starts is rather about what comes before.
	start := p.locs.at(int(p.resultsPos))
	here := known && p.recovery.failed != p.resultsPos && start.Line == b.Line && start.Col == b.Col
	return ok && known && a.Line == b.Line && !here || p.tok.kind == tEOF ||
		p.resultsPos == p.recovery.behind && !p.startsLine(int(p.resultsPos)) ||
		len(p.scopes) == 1 && p.scopes[0].garbled && (p.tok.kind == tCaret || p.tok.kind == tRBrace)
}

// foreign tells whether a name without a dialect that isn't known is no error, as it may
// be in the wrong place because of others.
func (p *Parser) foreign() bool {
	if p.recovery == nil || len(p.recovery.errors) == 0 {
		return false
	}
	return len(p.scopes) == 1 || p.op.syntax != nil && p.op.syntax.unread
}

// garbled tells whether names may be defined twice because braces don't match.
func (p *Parser) garbled() bool {
	return p.recovery != nil && (p.scopes[0].garbled || p.scopes[len(p.scopes)-1].garbled)
}

// failures returns what was wrong with the source, whose reading ended with an error or
// nil.
func (p *Parser) failures(err error) error {
	r := p.recovery
	if r == nil {
		return err
	}
	if err != nil && !r.done {
		p.goesOn(err)
	}
	if p.tok.kind == tEOF {
		for len(p.scopes) > 0 {
			p.dropScope()
		}
	}
	missing := p.scoped.undeclared
	slices.Sort(missing)
	for _, pos := range missing[:min(len(missing), ir.MaxReported+1)] {
		p.take(&ir.Diagnostic{Loc: p.LocAt(pos), Message: undeclaredName})
	}
	slices.SortStableFunc(r.errors, func(a, b placedError) int { return a.at.compare(b.at) })
	r.errors = slices.CompactFunc(r.errors, func(a, b placedError) bool { return a.at == b.at && a.Message == b.Message })
	ds := make(ir.Diagnostics, len(r.errors))
	for i, e := range r.errors {
		ds[i] = e.Diagnostic
	}
	if len(ds) == 0 {
		return err
	}
	return ds.AtMost(ir.MaxReported)
}

// place is where a parser goes on after an error.
type place struct {
	op     opContext
	block  *ir.Block
	scopes int
	depth  int
	symbol bool
}

func (p *Parser) place() place { return place{p.op, p.block, len(p.scopes), p.depth, p.inSymbol} }

// returnTo leaves all that was entered since the parser was at a place.
func (p *Parser) returnTo(x place) {
	for len(p.scopes) > x.scopes {
		p.dropScope()
	}
	p.op, p.block, p.depth, p.inSymbol = x.op, x.block, x.depth, x.symbol
}

// dropScope leaves the innermost scope.
func (p *Parser) dropScope() {
	s := &p.scopes[len(p.scopes)-1]
	if p.scoped != nil {
		p.settle(s)
	}
	p.values.undo(s.defined)
	if s.isolated {
		p.values.reset()
		p.spare = append(p.spare, p.values)
		p.values = s.outer
	}
	p.scopes = p.scopes[:len(p.scopes)-1]
}

// settle decides about the values that were used in a scope and are not defined at its
// end. Each is decided about once.
func (p *Parser) settle(s *scope) {
	if !s.garbled && !s.closed {
		return
	}
	for _, i := range p.scoped.open[s.open:] {
		f := &p.forward[i]
		if f.defined {
			continue
		}
		if f.defined, f.missing = s.garbled, s.closed; !s.garbled {
			p.scoped.undeclared = append(p.scoped.undeclared, f.pos)
		}
	}
	p.scoped.open = p.scoped.open[:s.open]
	if s.closed {
		p.scoped.last = max(p.scoped.last, s.undeclared)
	}
}

// outside is called where something is outside of all operations that must be in one: the
// last one rather ended too early, so that names may be missing in it.
func (p *Parser) outside() {
	p.scopes[0].garbled = true
	p.scoped.undo(min(p.scoped.last, len(p.scoped.undeclared)))
}

// unknownRest makes the names unknown in the rest of the line that the lexer can't read, whose
// first token is next.
func (p *Parser) unknownRest() {
	line, _, _ := strings.Cut(p.src[p.tok.pos:], "\n")
	for i := range line {
		if line[i] != '%' {
			continue
		}
		l := lexer{src: p.src, pos: p.tok.pos + i}
		if t := l.next(); t.kind == tPercent {
			p.unknownName(p.src[t.pos+1 : t.end])
		} else {
			p.scopes[len(p.scopes)-1].garbled = true // It may be any name.
		}
	}
}

// cutOff leaves the operation or label that starts at a position if the source ends in
// it. What it would have defined is unknown.
func (p *Parser) cutOff(start int, to place) {
	if p.recovery == nil || !p.recovery.done || p.tok.kind != tEOF || start >= len(p.src) {
		return
	}
	p.returnTo(to)
	p.unknownStart(start)
}

// unknownStart makes the names unknown that a label or the start of an operation, at a position,
// gives in its first line.
func (p *Parser) unknownStart(start int) {
	if p.src[start] != '^' && (p.src[start] != '%' || !p.definesResults(start)) {
		return
	}
	l := lexer{src: p.src, pos: start}
	for t := l.next(); t.kind != tEOF && t.kind != tEqual && (t.pos == start || !p.startsLine(t.pos)); t = l.next() {
		if t.kind == tPercent {
			p.unknownName(p.src[t.pos+1 : t.end])
		}
	}
}

// skipOperation moves to where the parser goes on after an error in the operation that
// starts at a position.
func (p *Parser) skipOperation(start int, to place) {
	var owner *opSyntax
	if p.op.syntax != nil && p.op.pos >= Pos(start) {
		owner = p.op.syntax
	}
	p.returnTo(to)
	if p.src[start] == '%' {
		p.unknownStart(start)
	}
	garbled := &p.scopes[len(p.scopes)-1].garbled
	if last := p.block.Last(); owner == nil && last != nil && !p.startsLine(start) {
		// It is more likely to be in the wrong place than to be an operation.
		if len(p.scopes) == 1 && strings.HasSuffix(strings.TrimRight(p.src[:start], " \t"), "}") {
			p.outside() // That was the brace of another region.
		}
		start = p.lineOf(last.Loc(), start)
		owner = p.syntaxOf(last.Name())
	} else if owner == nil && p.src[start] != '%' && p.assigns(start) || p.src[start] == '^' || p.src[start] == '}' {
		*garbled = true
		if len(p.scopes) == 1 && p.src[start] != '%' && !p.assigns(start) {
			p.outside()
		}
	}
	p.skip(start, owner, to)
}

// assigns tells whether an operation follows an equals sign in the line of a position.
func (p *Parser) assigns(pos int) bool {
	l := lexer{src: p.src, pos: pos}
	for t := l.next(); t.kind != tEOF && (t.pos == pos || !p.startsLine(t.pos)); t = l.next() {
		if t.kind == tEqual {
			return p.operationAt(l.next(), &l)
		}
	}
	return false
}

// skipLabel is skipOperation for a label. All names that follow it are those of
// arguments.
func (p *Parser) skipLabel(start int, to place) {
	for _, name := range p.skip(start, nil, to) {
		p.unknownName(name)
	}
	p.scopes[len(p.scopes)-1].garbled = true
}

// skip moves to where the parser goes on after an error in what starts at a position, or
// to the end of the block. Regions that come before are read as those of the owner; nil if
// that is not known. It returns the names outside of braces.
func (p *Parser) skip(start int, owner *opSyntax, to place) []string {
	p.returnTo(to)
	if p.tokens != nil {
		n := p.tokens.begin()
		defer func() { p.tokens.end(n, nil, false) }()
	}
	names, braces, regions := p.unreadNames(start)
	for p.tok.kind != tEOF && !p.recovery.done {
		behind := p.tok.pos > start
		switch p.tok.kind {
		case tRBrace:
			if braces > 0 {
				braces--
			} else if len(p.scopes) > 1 {
				return names
			} else {
				p.outside()
			}
		case tLBrace:
			if behind && p.startsRegion() {
				p.advance()
				p.unreadRegion(owner, names)
				regions = true
				continue
			} else if behind {
				braces++
			}
		case tPercent, tWord, tString:
			if behind && p.startsLine(p.tok.pos) && p.startsOperation() {
				if regions || owner == nil || len(owner.name.Def().Regions) == 0 || !p.indented(start) {
					return names
				}
				p.unreadRegion(owner, names) // Its brace is missing.
				regions = true
				continue
			}
			if p.tok.kind == tPercent && braces == 0 {
				names = append(names, p.src[p.tok.pos+1:p.tok.end])
			}
		case tCaret:
			if behind && len(p.scopes) > 1 && p.startsLine(p.tok.pos) && !p.indented(start) {
				return names
			}
		case tError:
			if behind && p.startsLine(p.tok.pos) {
				return names
			}
			p.unknownRest()
			p.goesOn(p.failHere(""))
		case tHash, tBang, tMetaBegin:
			if behind && len(p.scopes) == 1 && p.startsLine(p.tok.pos) {
				return names
			}
		}
		p.advance()
	}
	return names
}

// unreadNames makes the names of results, of what couldn't be read from a position up to
// the next token, unknown. It returns all names outside of braces, the number of braces that
// are open, and whether there were any.
func (p *Parser) unreadNames(start int) (names []string, braces int, any bool) {
	l := lexer{src: p.src, pos: start}
	results := p.src[start] == '%' && p.definesResults(start)
	for t := l.next(); t.kind != tEOF && t.pos < p.tok.pos; t = l.next() {
		switch t.kind {
		case tLBrace:
			braces++
			any = true
		case tRBrace:
			braces--
		case tEqual:
			results = false
		case tPercent:
			name := p.src[t.pos+1 : t.end]
			if results {
				p.unknownName(name)
			}
			if braces == 0 {
				names = append(names, name)
			}
		}
	}
	return names, max(braces, 0), any
}

// definesResults tells whether the names at a position are followed by an equals sign,
// or by what is no part of such a list.
func (p *Parser) definesResults(pos int) bool {
	l := lexer{src: p.src, pos: pos}
	for {
		switch t := l.next(); t.kind {
		case tPercent, tComma, tColon, tInt:
		default:
			return true
		}
	}
}

// unknownName gives a name an unknown value in the innermost scope.
func (p *Parser) unknownName(name string) {
	e := p.values.entry(name)
	for n := 0; n <= len(e.more()); n++ {
		if v := e.at(n).value; v != nil && p.isForward(v) {
			p.forward[v.Index()].defined = true
		}
	}
	e.valueRef, e.rest = valueRef{}, nil
	e.unknown, e.known = true, true
	p.values.defined = append(p.values.defined, e)
}

// unknownValue returns a value for a use of an unknown one.
func (p *Parser) unknownValue(t ir.Type) *ir.Value {
	return p.builder.AddArg(p.recovery.unknown, t, nil)
}

func (p *Parser) isUnknown(v *ir.Value) bool {
	return p.recovery != nil && v.ArgOwner() == p.recovery.unknown
}

// unreadRegion reads the rest of a region, after the brace, of an operation that couldn't
// be read. What that may have given names in the region is unknown there.
func (p *Parser) unreadRegion(owner *opSyntax, names []string) {
	at := p.place()
	p.depth++
	if owner == nil {
		owner = p.unreadSyntax()
	}
	p.op = opContext{syntax: owner, pos: p.Pos(), standard: owner.dialect == standardDialect}
	isolated := isolatedFromAbove(owner.name)
	p.pushScope(isolated, isolated)
	p.scopes[len(p.scopes)-1].garbled = true
	for _, name := range names {
		if e := p.values.entry(name); p.current(e, 0).value == nil && !e.unknown {
			p.unknownName(name)
		}
	}
	var detached ir.OpState
	err := p.regionBody(detached.AddRegion(), nil)
	if err == nil {
		if err = p.popScope(); err == nil {
			p.op, p.block, p.depth = at.op, at.block, at.depth
			p.advance() // }
			return
		}
	}
	if p.goesOn(err) {
		p.advance()
	}
	p.returnTo(at)
}

// unreadAlias takes the name of an alias whose definition, which starts at a position,
// couldn't be read.
func (p *Parser) unreadAlias(start int) {
	l := lexer{src: p.src, pos: start}
	t := l.next()
	if p.recovery.aliases == nil {
		p.recovery.aliases = map[aliasName]bool{}
	}
	p.recovery.aliases[aliasName{p.src[start], p.src[start+1 : t.end]}] = true
}

// isUnread tells whether an alias is one whose definition couldn't be read.
func (p *Parser) isUnread(sigil byte, name string) bool {
	return p.recovery != nil && p.recovery.aliases[aliasName{sigil, name}]
}

// unreadSyntax stands for the syntax of an operation whose name couldn't be read.
func (p *Parser) unreadSyntax() *opSyntax {
	return &opSyntax{name: p.ctx.UnregisteredOpName("unread"), unread: true}
}

// startsLine tells whether a position is that of the first token of its line.
func (p *Parser) startsLine(pos int) bool {
	for i := pos - 1; i >= 0; i-- {
		switch p.src[i] {
		case '\n':
			return true
		case ' ', '\t', '\r':
		default:
			return false
		}
	}
	return true
}

// lineOf returns where the first token is in the line of a location, or pos if that is not
// in the source.
func (p *Parser) lineOf(l ir.Location, pos int) int {
	at, ok := ir.SourcePos(l)
	if !ok || at.File() != p.locs.proto.File() || at.Line == 0 || int(at.Line) > len(p.locs.lines.starts) {
		return pos
	}
	l0 := lexer{src: p.src, pos: p.locs.lines.starts[at.Line-1]}
	return min(l0.next().pos, pos)
}

// indented tells whether the next token, the first of its line, is further to the right
// than the first one of the line of a position.
func (p *Parser) indented(pos int) bool {
	return p.column(p.tok.pos) > p.column(pos)
}

// column returns by how many bytes the line of a position is indented.
func (p *Parser) column(pos int) int {
	line := strings.LastIndexByte(p.src[:pos], '\n') + 1
	return len(p.src[line:]) - len(strings.TrimLeft(p.src[line:], " \t"))
}

// startsOperation tells whether the next tokens look like the start of an operation.
func (p *Parser) startsOperation() bool {
	l := p.lex
	return p.operationAt(p.tok, &l)
}

// operationAt is startsOperation for a token and those that follow it.
func (p *Parser) operationAt(t token, l *lexer) bool {
	switch t.kind {
	case tString:
		return l.next().kind == tLParen
	case tWord:
		word := p.src[t.pos:t.end]
		if !strings.Contains(word, ".") {
			if p.syntaxOf("builtin."+word) == nil && (p.op.syntax == nil || p.syntaxOf(p.op.syntax.dialect+"."+word) == nil) {
				return false
			}
			k := l.next().kind
			return k != tEqual && k != tComma
		}
		k := l.next().kind
		return k != tEqual && k != tComma
	case tPercent:
		for {
			switch t = l.next(); t.kind {
			case tPercent, tComma, tColon, tInt:
			case tEqual:
				k := l.next().kind
				return k == tWord || k == tString
			default:
				return false
			}
		}
	}
	return false
}

// startsRegion tells whether the next token is the brace of a region rather than that of
// a dictionary.
func (p *Parser) startsRegion() bool {
	l := p.lex
	t := l.next()
	if t.kind == tWord {
		k := l.next().kind
		return k != tEqual && k != tComma && k != tRBrace
	}
	return t.kind == tCaret || p.operationAt(t, &l)
}

// withoutBrace tells whether the parser goes on after the error that a region has no
// opening brace: what looks like the region's inside follows on a line of its own.
func (p *Parser) withoutBrace(err error) bool {
	if p.recovery == nil || !p.startsLine(p.tok.pos) || p.tok.kind != tCaret && !p.startsOperation() {
		return false
	}
	return p.goesOn(err)
}
