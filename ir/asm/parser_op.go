package asm

import (
	"fmt"
	"math"
	"strings"

	"freehold/ir"
)

// opSyntax is what the parser needs to know about an operation, found once.
type opSyntax struct {
	name *ir.OpName
	// parse reads what follows the operation's name; nil if there is only the
	// generic form.
	parse func(p *Parser, s *ir.OpState) error
	// dialect is the default dialect in the operation's regions, or "".
	dialect string
	// declarative is set if parse follows a format: inherent attributes that it
	// spells are then overridden by those of the dictionary.
	declarative bool
	// unread is set for what stands for an operation that couldn't be read.
	unread bool
	// later are the syntaxes in later versions of LLVM, which are tried first, and
	// earlier those in earlier ones, which are tried last.
	later, earlier []*opSyntax
}

// syntaxOf returns the syntax of the registered operation of that full name, or
// nil.
func (p *Parser) syntaxOf(name string) *opSyntax {
	if x, ok := p.syntaxes[name]; ok {
		return x
	}
	n := p.ctx.OpName(name)
	if n == nil {
		if n = p.ctx.OtherOpName(name); n == nil || !p.Reads(n.Spelling().Until) {
			return nil
		}
	}
	x := &opSyntax{name: n, later: otherSyntaxes(n, n.Later()), earlier: otherSyntaxes(n, n.Earlier())}
	x.later, x.earlier = longerFirst(n, x.later, x.earlier)
	if a, ok := Assembly.OfName(n); ok {
		x.parse = a.Parse
	} else if n.Def().Format != "" {
		x.parse, x.declarative = parseDeclarative, true
	}
	if f, ok := DefaultDialect.OfName(n); ok {
		x.dialect = f(nil)
		if sp := n.Spelling(); sp != nil && sp.Until <= builtinUntil {
			x.dialect = standardDialect
		}
	}
	p.syntaxes[n.String()] = x
	return x
}

const (
	// builtinUntil is the last version of LLVM in which functions were builtin.
	builtinUntil = 14
	// standardDialect is that of the operations in functions there, without a prefix.
	standardDialect = "std"
)

// resultNames is one "%name:count" before an operation.
type resultNames struct {
	Unresolved
	count int
}

// ResultNames returns the names that the text gives the results of the operation that is
// being read, without %; none if it has no regions yet and gives none.
func (p *Parser) ResultNames() []string {
	var names []string
	l := lexer{src: p.src, pos: int(p.resultsPos)}
	for t := l.next(); t.kind == tPercent; t = l.next() {
		name, n := p.src[t.pos+1:t.end], uint64(1)
		if t = l.next(); t.kind == tColon {
			t = l.next()
			n, _ = parseUint(p.src[t.pos:t.end])
			t = l.next()
		}
		for range min(n, maxNamed) {
			names = append(names, name)
		}
		if t.kind != tComma {
			break
		}
	}
	return names
}

// maxNamed bounds how many results are asked for by name.
const maxNamed = 1 << 16

// operation parses an operation and adds it to the current block.
func (p *Parser) operation() error {
	if p.tokens == nil {
		_, err := p.oneOperation()
		return err
	}
	start := p.tokens.begin()
	op, err := p.oneOperation()
	p.tokens.end(start, op, err == nil)
	return err
}

func (p *Parser) oneOperation() (*ir.Op, error) {
	var buf [4]resultNames
	names := buf[:0]
	pos := p.Pos()
	total := 0
	p.resultsPos = pos
	if p.tok.kind == tPercent {
		for {
			if p.tok.kind != tPercent {
				return nil, p.failToken("expected valid ssa identifier")
			}
			r := resultNames{Unresolved{Name: p.src[p.tok.pos+1 : p.tok.end], Pos: p.Pos()}, 1}
			p.advance()
			if p.accept(tColon) {
				if p.tok.kind != tInt {
					return nil, p.failToken("expected integer number of results")
				}
				n, ok := parseUint(p.text())
				if !ok || n < 1 || n > math.MaxInt {
					return nil, p.failHere("expected named operation to have at least 1 result")
				}
				r.count = int(n)
				p.advance()
			}
			total += min(r.count, math.MaxInt-total) // too many of any number are refused below
			names = append(names, r)
			if !p.accept(tComma) {
				break
			}
		}
		if err := p.expect(tEqual, "expected '=' after SSA name"); err != nil {
			return nil, err
		}
	}
	var op *ir.Op
	var err error
	switch p.tok.kind {
	case tWord:
		if _, _, ok := integerType(p.text()); ok {
			return nil, p.failToken("expected operation name in quotes")
		}
		op, err = p.customOp()
	case tString:
		op, err = p.genericOp()
	default:
		err = p.failToken("expected operation name in quotes")
	}
	if err != nil {
		return nil, err
	}
	if total == 0 {
		return op, nil
	}
	if err := p.bind(op, names, total, pos); err != nil {
		if !p.goesOn(err) {
			return nil, err
		}
		for _, r := range names {
			p.unknownName(r.Name)
		}
		p.recovery.behind = p.Pos()
	}
	return op, nil
}

// bind gives the results of an operation, which was read at pos, a total of names.
func (p *Parser) bind(op *ir.Op, names []resultNames, total int, pos Pos) error {
	if op.NumResults() == 0 && len(op.OpName().Returned(op.NumOperands())) == total {
		p.sawReturned(op.OpName(), pos)
		return p.defineReturned(op, names)
	}
	if op.NumResults() == 0 {
		return p.fail(pos, "cannot name an operation with no results")
	}
	if total != op.NumResults() {
		return p.fail(pos, fmt.Sprintf("operation defines %d results but was provided %d to bind", op.NumResults(), total))
	}
	i := 0
	for _, r := range names {
		for n := range r.count {
			if err := p.define(Unresolved{Name: r.Name, Number: n, Pos: r.Pos}, op.Result(i)); err != nil {
				return err
			}
			i++
		}
	}
	return nil
}

// opState is a state with room for what most operations have. Slices that the
// syntax of an operation puts into the state are never written to.
type opState struct {
	ir.OpState
	operands [8]*ir.Value
	types    [4]ir.Type
	attrs    [4]ir.NamedAttr
	props    [8]ir.Attribute
	regions  [4]*ir.Region
}

// newState returns an empty state for an operation.
func (p *Parser) newState(name *ir.OpName, pos Pos) *opState {
	var s *opState
	if n := len(p.states); n > 0 {
		s, p.states = p.states[n-1], p.states[:n-1]
	} else {
		s = &opState{}
	}
	s.OpState = ir.OpState{Name: name, Loc: p.locs.at(int(pos)),
		Operands: s.operands[:0], Types: s.types[:0], Attrs: s.attrs[:0], Regions: s.regions[:0]}
	if n := len(name.Def().Attrs); n > len(s.props) {
		s.Props = make([]ir.Attribute, n)
	} else {
		s.Props = s.props[:n]
		clear(s.Props)
	}
	implied(&s.OpState, name)
	return s
}

// implied gives a state the attributes that a spelling implies.
func implied(s *ir.OpState, name *ir.OpName) {
	if sp := name.Spelling(); sp != nil && sp.Implied != nil {
		for _, a := range sp.Implied(name.Context()) {
			if s.Attr(a.Name) == nil {
				s.SetAttr(a.Name, a.Value)
			}
		}
	}
}

// create makes the operation of a state, adds it to the current block, and takes
// the state back for reuse.
func (p *Parser) create(s *opState) *ir.Op {
	empty := true
	for _, a := range s.Props {
		empty = empty && a == nil
	}
	if empty {
		s.Props = nil
	}
	op := p.builder.CreateExact(&s.OpState)
	p.block.Append(op)
	if s.InPlace != nil {
		p.redefine(s.InPlace, op.Result(0))
	}
	p.states = append(p.states, s)
	return op
}

// customOp parses an operation in its own syntax.
func (p *Parser) customOp() (*ir.Op, error) {
	pos := p.Pos()
	x, err := p.customName()
	if err != nil {
		return nil, err
	}
	p.saw(x.name, pos)
	outer := p.op
	operands, slabs := len(p.operands), p.operandSlabs
	s, err := p.body(x, pos)
	if err != nil {
		return nil, err
	}
	for _, t := range s.Types {
		if t == nil {
			return nil, p.failOp(pos, "has a result without a type")
		}
	}
	if p.op.twice != "" {
		return nil, p.failOp(pos, "attribute '"+p.op.twice+"' occurs more than once in the attribute list")
	}
	if p.op.inherent && !x.declarative {
		dropInherent(&s.OpState)
	}
	p.op = outer
	if p.operandSlabs != slabs {
		operands = 0 // All in a slab that is new is the operation's.
	}
	p.operands = p.operands[:operands]
	s.Normalize()
	if err := p.upgrade(&s.OpState, pos, !p.shared); err != nil {
		return nil, err
	}
	op := p.create(s)
	return op, p.trailingLocation(op)
}

// customName consumes the name of an operation that is not in quotes.
func (p *Parser) customName() (*opSyntax, error) {
	if p.tok.kind != tWord {
		return nil, p.failToken("expected bare identifier")
	}
	pos, word := p.Pos(), p.text()
	full := word
	dialect, _, qualified := strings.Cut(word, ".")
	if !qualified {
		dialect = "builtin"
		if p.op.syntax != nil {
			dialect = p.op.syntax.dialect
		}
		full = dialect + "." + word
	}
	x := p.syntaxOf(full)
	if x == nil && !qualified {
		if x = p.syntaxOf(word); x == nil && p.op.standard {
			x = p.syntaxOf(standardDialect + "." + word)
		}
	}
	if x == nil {
		p.advance()
		if !qualified && p.foreign() {
			return nil, errUnread
		}
		if !qualified && dialect == standardDialect {
			dialect = "builtin" // it isn't registered, as its operations are those of other dialects today
		}
		return nil, p.unknownOp(pos, word, full, dialect)
	}
	p.note(OpToken)
	p.advance()
	return x, nil
}

func (p *Parser) unknownOp(pos Pos, word, full, dialect string) error {
	tried := ""
	if full != word {
		tried = " (tried '" + full + "' as well)"
	}
	if known := p.ctx.Dialect(dialect); known != nil {
		err := p.fail(pos, "custom op '"+word+"' is unknown"+tried)
		if l := p.ctx.OtherOpName(full); l != nil {
			err = notRead(err, l.Spelling())
		} else if part, ok := Partial.OfDialect(known); ok {
			if d, ok := err.(*ir.Diagnostic); ok {
				err = d.WithNote(d.Loc, "%s", part)
			}
		}
		return err
	}
	var names []string
	for _, d := range p.ctx.Dialects() {
		names = append(names, d.Name)
	}
	d := p.fail(pos, "Dialect `"+dialect+"' not found for custom op '"+word+"' "+tried).(*ir.Diagnostic)
	return d.WithNote(d.Loc, "Registered dialects: %s ; for more info on dialect registration see "+
		"https://mlir.llvm.org/getting_started/Faq/#registered-loaded-dependent-whats-up-with-dialects-management",
		strings.Join(names, ", "))
}

// OpName consumes the name of an operation, as in linalg.map { arith.addf }.
func (p *Parser) OpName() (*ir.OpName, error) {
	x, err := p.customName()
	if err != nil {
		return nil, err
	}
	return x.name.Base(), nil
}

// genericOp parses an operation in the generic form.
func (p *Parser) genericOp() (*ir.Op, error) {
	pos := p.Pos()
	name := unquote(p.src[p.tok.pos+1 : p.tok.end-1])
	if name == "" {
		return nil, p.failHere("empty operation name is invalid")
	}
	if strings.IndexByte(name, 0) >= 0 {
		return nil, p.failHere("null character not allowed in operation name")
	}
	p.note(OpToken)
	p.advance()
	n := p.ctx.OpName(name)
	spelled := n
	if n == nil {
		if l := p.ctx.OtherOpName(name); l != nil && p.Reads(l.Spelling().Until) {
			n, spelled = l.Base(), l
		}
	}
	if n == nil {
		n = p.ctx.UnregisteredOpName(name)
		if n.Dialect() == nil && !p.ctx.AllowUnregistered {
			return nil, p.failHere("operation being parsed with an unregistered dialect. If this is intended, " +
				"please use -allow-unregistered-dialect with the MLIR tool used")
		}
	}
	s := p.newState(n, pos)
	properties, err := p.genericBody(&s.OpState)
	if err != nil {
		return nil, err
	}
	var invalid error
	if properties == nil {
		s.TakeEarlier(p.Reads)
		if msg := checkInherent(&s.OpState); msg != "" {
			return nil, &ir.Diagnostic{Loc: s.Loc, Message: msg}
		}
	}
	if spelled != nil {
		p.saw(spelled, pos)
		implied(&s.OpState, spelled)
	}
	dropInherent(&s.OpState)
	p.dropReturned(&s.OpState, pos)
	if properties != nil {
		invalid = p.SetProperties(&s.OpState, properties)
	}
	if err := p.upgrade(&s.OpState, pos, true); err != nil {
		return nil, err
	}
	p.defaultSizes(&s.OpState)
	op := p.create(s)
	if err := p.trailingLocation(op); err != nil {
		return nil, err
	}
	return op, invalid
}

// genericBody parses what follows the name in the generic form. It returns the
// attribute in <>, or nil.
func (p *Parser) genericBody(s *ir.OpState) (properties ir.Attribute, err error) {
	if err := p.expect(tLParen, "expected '(' to start operand list"); err != nil {
		return nil, err
	}
	var operands []Unresolved
	if p.tok.kind == tPercent {
		if operands, err = p.Operands(NoDelimiter); err != nil {
			return nil, err
		}
	}
	if err := p.expect(tRParen, "expected ')' to end operand list"); err != nil {
		return nil, err
	}
	if p.tok.kind == tLSquare {
		if s.Name.Registered() && !s.Name.Def().Traits.Has(ir.TraitTerminator) {
			return nil, p.failHere("successors in non-terminator")
		}
		p.advance()
		err := p.listUntil(tRSquare, false, func() error {
			b, err := p.Successor()
			s.Successors = append(s.Successors, b)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if p.accept(tLess) {
		if properties, err = p.Attr(nil); err != nil {
			return nil, err
		}
		if err := p.expect(tGreater, "expected '>' to close properties"); err != nil {
			return nil, err
		}
	}
	if p.accept(tLParen) {
		for {
			if err := p.region(s.Name, s.AddRegion(), nil, false); err != nil {
				return nil, err
			}
			if !p.accept(tComma) {
				break
			}
		}
		if err := p.expect(tRParen, "expected ')' to end region list"); err != nil {
			return nil, err
		}
	}
	if p.tok.kind == tLBrace {
		d, err := p.dictEntries()
		if err != nil {
			return nil, err
		}
		for _, e := range d {
			i := s.Name.Def().AttrIndex(e.Name)
			if i < 0 {
				s.Attrs = append(s.Attrs, e)
				continue
			}
			s.Props[i] = e.Value
		}
	}
	if err := p.expect(tColon, "expected ':' followed by operation type"); err != nil {
		return nil, err
	}
	pos := p.Pos()
	t, err := p.Type()
	if err != nil {
		return nil, err
	}
	ft, ok := t.(*ir.FunctionType)
	if !ok {
		return nil, p.fail(pos, "expected function type")
	}
	if len(ft.Inputs) != len(operands) {
		plural := "s"
		if len(operands) == 1 {
			plural = "\x00" // the reference indexes past the end of "s"
		}
		return nil, p.fail(pos, fmt.Sprintf("expected %d operand type%s but had %d", len(operands), plural, len(ft.Inputs)))
	}
	for i, u := range operands {
		v, err := p.Resolve(u, ft.Inputs[i])
		if err != nil {
			return nil, err
		}
		s.Operands = append(s.Operands, v)
	}
	s.Types = append(s.Types, ft.Results...)
	return properties, nil
}

// checkInherent checks the inherent attributes that were spelled among the
// discardable ones. It returns what is wrong with the first by name, or "".
func checkInherent(s *ir.OpState) string {
	var wrong *ir.AttrDef
	check := func(d *ir.AttrDef, a ir.Attribute) {
		if a != nil && !d.Accepts(a) && (wrong == nil || d.Name < wrong.Name) {
			wrong = d
		}
	}
	attrs := s.Name.Def().Attrs
	for i, a := range s.Props {
		check(&attrs[i], a)
	}
	// What only the version of the program has is among the discardable ones.
	if n := s.Name.In(s.Name.Context().LLVM()); n != s.Name {
		later := n.Def().Attrs
		for i := len(s.Props); i < len(later); i++ {
			check(&later[i], s.Attr(later[i].Name))
		}
	}
	if wrong == nil {
		return ""
	}
	return "'" + s.Name.String() + "' op attribute '" + wrong.Name + "' failed to satisfy constraint: " + wrong.Type.Summary
}

// CheckInherent returns an error at pos if an inherent attribute that a dictionary
// of the operation's own syntax spells doesn't satisfy its constraint.
func (p *Parser) CheckInherent(s *ir.OpState, pos Pos) error {
	s.RespellIn(func(d *ir.AttrDef) bool { return d.Type.InDictionaries })
	if msg := checkInherent(s); msg != "" {
		return p.failOp(pos, msg)
	}
	return nil
}

// sizesIn returns the number of elements of a list of sizes.
func sizesIn(a ir.Attribute) int {
	if d, ok := a.(*ir.DenseArrayAttr); ok {
		return d.Len()
	}
	return 0
}

// dropInherent drops the inherent attributes, spelled among the discardable ones,
// that can't be stored.
func dropInherent(s *ir.OpState) {
	def := s.Name.Def()
	for i, a := range s.Props {
		if a == nil {
			continue
		}
		class := def.Attrs[i].Type.Class
		if class != nil && !class(a) {
			s.Props[i] = nil
		} else if n, ok := def.GroupsOf(i); ok && sizesIn(a) != n {
			s.Props[i] = nil
		}
	}
}

// defaultSizes makes the sizes of groups zero if they are not given.
func (p *Parser) defaultSizes(s *ir.OpState) {
	for i, a := range s.Props {
		if a != nil {
			continue
		}
		if n, ok := s.Name.Def().GroupsOf(i); ok {
			s.Props[i] = p.ctx.DenseArray(ir.I32, make([]byte, 4*n))
		}
	}
}

// SetProperties sets the inherent attributes of an operation from <{...}>. Of a
// registered operation, entries that it doesn't declare are dropped.
func (p *Parser) SetProperties(s *ir.OpState, a ir.Attribute) error {
	d, ok := a.(*ir.DictAttr)
	if !s.Name.Registered() {
		if ok {
			s.Properties = d
		}
		return nil
	}
	invalid := func(format string, args ...any) error {
		return &ir.Diagnostic{Loc: s.Loc, Message: "invalid properties " + a.String() + " for op " + s.Name.String() +
			": " + fmt.Sprintf(format, args...)}
	}
	def := s.Name.Def()
	if ok && len(s.Name.Later()) > 0 && p.laterProperties(s, d, p.Pos()) {
		return nil
	}
	if len(def.Attrs) == 0 {
		return invalid("this operation does not support properties")
	}
	if !ok {
		return invalid("expected DictionaryAttr to set properties")
	}
	var malformed error // sizes are looked at last
	for _, e := range d.Entries {
		i := def.AttrIndex(e.Name)
		if i < 0 {
			continue
		}
		e.Value = p.readValue(s.Name, e)
		n, isSizes := def.GroupsOf(i)
		class := def.Attrs[i].Type.Class
		if class != nil && !class(e.Value) {
			e.Value = fromLater(s.Name, i, e.Value)
		}
		switch {
		case class == nil || class(e.Value):
			if isSizes && sizesIn(e.Value) != n {
				malformed = invalid("size mismatch in attribute conversion: %d vs %d", sizesIn(e.Value), n)
			}
		case isSizes:
			malformed = invalid("expected DenseI32ArrayAttr for key `value`")
		default:
			return invalid("Invalid attribute `%s` in property conversion: %s", e.Name, e.Value)
		}
		s.Props[i] = e.Value
	}
	return malformed
}

// EnsureTerminator adds the definition's implicit terminator to the region of the
// operation being parsed if its only block has none, and a block if there is none.
func (p *Parser) EnsureTerminator(s *ir.OpState, r *ir.Region) {
	id := s.Name.Def().ImplicitTerminator
	if id == nil {
		return
	}
	if r.Empty() {
		r.AddBlock()
	}
	b := r.Last()
	if last := b.Last(); last != nil && last.Has(ir.TraitTerminator) {
		return
	}
	t := ir.OpState{Name: p.ctx.OpNameOf(id), Loc: s.Loc}
	b.Append(p.builder.CreateExact(&t))
}
