package asm

import (
	"errors"
	"slices"
	"strings"

	"freehold/ir"
)

// otherSyntaxes returns the syntaxes of an operation in other versions of LLVM where
// it has the same name.
func otherSyntaxes(n *ir.OpName, spellings []*ir.OpName) []*opSyntax {
	var out []*opSyntax
	for _, l := range spellings {
		if l.String() == n.String() && l.Def().Format != n.Def().Format {
			out = append(out, &opSyntax{name: l, parse: parseDeclarative, declarative: true})
		}
	}
	slices.SortFunc(out, func(a, b *opSyntax) int { return b.name.Spelling().Since - a.name.Spelling().Since })
	return out
}

// longerFirst moves the syntaxes of earlier versions that go on where that of the definition ends to those that are
// tried before it.
func longerFirst(n *ir.OpName, before, behind []*opSyntax) (_, _ []*opSyntax) {
	behind = slices.DeleteFunc(behind, func(x *opSyntax) bool {
		longer := strings.HasPrefix(x.name.Def().Format, n.Def().Format)
		if longer {
			before = append(before, x)
		}
		return longer
	})
	return before, behind
}

// strictSince is the first version of LLVM of which old spellings are errors where a later
// version is asked for: programs that mlir-opt 19 is tested to refuse have them.
const strictSince = 17

// Reads tells whether a spelling is read whose last version of LLVM is given; 0 if it has
// none.
func (p *Parser) Reads(until int) bool {
	return p.version == 0 || until == 0 || until < strictSince || p.version <= until
}

// notRead adds to an error that an earlier spelling of an operation is not read.
func notRead(err error, sp *ir.Spelling) error {
	d, ok := err.(*ir.Diagnostic)
	if !ok {
		return err
	}
	return d.WithNote(d.Loc, "LLVM %d spells it so, which is read with --mlir-version=%d", sp.Until, sp.Until)
}

// body reads what follows the name of an operation: in the latest spelling that fits, in
// that of the definition, or else in an earlier one. Errors are those of the definition, or of the context's version of LLVM.
func (p *Parser) body(x *opSyntax, pos Pos) (*opState, error) {
	shared := p.definitionEnd(x, pos)
	if s := p.otherBody(x.later, pos); s != nil {
		p.shared = p.prevEnd == shared
		if formatOf(s.Name).extends {
			p.shared = !p.op.own
		}
		if !p.shared {
			p.sawBody(s.Name, pos)
		}
		return s, nil
	}
	defer func() { p.shared = false }()
	if x.parse == nil {
		return nil, p.asVersioned(p.versioned(x), pos, p.fail(pos, "custom op '"+x.name.String()+"' has no custom assembly form"))
	}
	start, prev, at, declared := p.tok.pos, p.prevEnd, p.place(), p.scoped.mark()
	p.op = opContext{syntax: x, pos: pos, standard: p.op.standard || x.dialect == standardDialect}
	s := p.newState(x.name, pos)
	err := x.parse(p, &s.OpState)
	versioned := p.versioned(x)
	if err == nil || len(x.earlier) == 0 && versioned == nil {
		return s, err
	}
	furthest, failed := p.tok.pos, p.place()
	p.returnTo(at)
	p.scoped.undo(declared)
	p.reset(start)
	p.prevEnd = prev
	if s := p.otherBody(x.earlier, pos); s != nil {
		if sp := s.Name.Spelling(); !p.Reads(sp.Until) {
			return s, notRead(err, sp)
		}
		p.sawBody(s.Name, pos)
		return s, nil
	}
	if versioned != nil {
		return s, p.asVersioned(versioned, pos, err)
	}
	if p.recovery != nil {
		p.op = failed.op
		p.reset(furthest)
	}
	return s, err
}

// asVersioned returns the error that the syntax of the context's version of LLVM tells, if there is such a syntax, and else the given one.
func (p *Parser) asVersioned(x *opSyntax, pos Pos, err error) error {
	if x == nil {
		return err
	}
	p.op = opContext{syntax: x, pos: pos, standard: p.op.standard}
	if told := x.parse(p, &p.newState(x.name, pos).OpState); told != nil {
		return told
	}
	return err
}

// versioned returns the syntax of an operation in the context's version of LLVM, if that isn't the one of the definition and nothing
// is to be recovered.
func (p *Parser) versioned(x *opSyntax) *opSyntax {
	if p.recovery != nil || p.ctx.LLVM() < firstLater {
		return nil
	}
	n := x.name.In(p.ctx.LLVM())
	for _, l := range x.later {
		if l.name == n {
			return l
		}
	}
	return nil
}

// definitionEnd returns where what follows the name of an operation ends if it is read as the definition spells it; -1 if
// it isn't, or nobody asks for evidence that a later version may be. It consumes nothing.
func (p *Parser) definitionEnd(x *opSyntax, pos Pos) int {
	if !p.detects || x.parse == nil || len(x.later) == 0 || p.evidence.since >= x.later[0].name.Spelling().Since ||
		!slices.ContainsFunc(x.later, func(l *opSyntax) bool { return !formatOf(l.name).extends }) {
		return -1
	}
	start, prev, at, declared, known := p.tok.pos, p.prevEnd, p.place(), p.scoped.mark(), p.evidence
	end := -1
	if p.otherBody([]*opSyntax{{name: x.name, parse: x.parse, declarative: x.declarative}}, pos) != nil {
		end = p.prevEnd
	}
	p.returnTo(at)
	p.scoped.undo(declared)
	p.reset(start)
	p.prevEnd, p.evidence = prev, known
	return end
}

// otherBody reads what follows the name of an operation in the first syntax that
// fits; nil if none does, and nothing was consumed.
func (p *Parser) otherBody(syntaxes []*opSyntax, pos Pos) *opState {
	if len(syntaxes) == 0 {
		return nil
	}
	start, prev, at := p.tok.pos, p.prevEnd, p.place()
	if p.recovery != nil {
		p.recovery.attempts++
		defer func() { p.recovery.attempts-- }()
	}
	declared, known := p.scoped.mark(), p.evidence
	for _, l := range syntaxes {
		p.op = opContext{syntax: l, pos: pos, standard: p.op.standard}
		s := p.newState(l.name, pos)
		if l.parse(p, &s.OpState) == nil && !slices.Contains(s.Types, nil) && p.op.twice == "" {
			return s
		}
		p.returnTo(at)
		p.scoped.undo(declared)
		p.reset(start)
		p.prevEnd, p.evidence = prev, known
	}
	return nil
}

// upgrade makes a state that was read at pos one of the definition if another version
// of LLVM has other operands, attributes or regions. tells is whether that it has is evidence of that version.
func (p *Parser) upgrade(s *ir.OpState, pos Pos, tells bool) error {
	if len(s.Name.Upgraded()) == 0 {
		return nil
	}
	at, loc := p.builder.InsertionPoint(), p.builder.Loc
	p.builder.SetEnd(p.block)
	p.builder.Loc = s.Loc
	var changed func(*ir.Spelling)
	if p.detects && tells {
		changed = p.changed(s.Name, pos)
	}
	err := s.Upgrade(p.builder, p.Reads, changed)
	p.builder.SetInsertionPoint(at)
	p.builder.Loc = loc
	if err == nil && s.InPlace != nil && s.InPlace.ParentBlock() != p.block {
		err = errOuter
	}
	if err != nil {
		return p.fail(pos, "'"+s.Name.String()+"' op "+err.Error())
	}
	return nil
}

// errOuter is the error of operations whose result can't take the place of a value in all that follows.
var errOuter = errors.New("changes a value of another block in place, which is not read")

// redefine makes the name of a value of the current region that of another one.
func (p *Parser) redefine(old, v *ir.Value) {
	for _, e := range p.values.defined[p.scopes[len(p.scopes)-1].defined:] {
		for n := range 1 + len(e.more()) {
			if ref := e.at(n); ref.value == old {
				ref.value = v
			}
		}
	}
}

// laterProperties takes the inherent attributes out of a dictionary that only later
// spellings of an operation have. It returns whether that leaves nothing.
func (p *Parser) laterProperties(s *ir.OpState, d *ir.DictAttr, pos Pos) bool {
	known := map[string]bool{}
	for _, l := range s.Name.Later() {
		sp := l.Spelling()
		for _, a := range sp.Attrs {
			if s.Name.Def().AttrIndex(a.Name) >= 0 || known[a.Name] {
				continue // it is read with the others, or was
			}
			if v := d.Get(a.Name); v != nil && (a.Type.Class == nil || a.Type.Class(v)) {
				sp.Keep(s, a.Name, v)
				p.sawBody(l, pos)
				known[a.Name] = true
			}
		}
	}
	return len(known) == len(d.Entries)
}

// defineReturned binds names of results that stand for operands.
func (p *Parser) defineReturned(op *ir.Op, names []resultNames) error {
	operands := op.OpName().Returned(op.NumOperands())
	for _, r := range names {
		for n := range r.count {
			if err := p.define(Unresolved{Name: r.Name, Number: n, Pos: r.Pos}, op.Operand(operands[0])); err != nil {
				return err
			}
			operands = operands[1:]
		}
	}
	return nil
}

// dropReturned leaves out the types of results that stand for operands.
func (p *Parser) dropReturned(s *ir.OpState, pos Pos) {
	r := s.Name.Returned(len(s.Operands))
	if len(s.Types) != len(r) {
		return
	}
	for i, operand := range r {
		if s.Operands[operand].Type() != s.Types[i] {
			return
		}
	}
	s.Types = s.Types[:0]
	p.sawReturned(s.Name, pos)
}

// fromLater returns an inherent attribute, the i-th of the definition, of what a later
// version of LLVM has in its place.
func fromLater(n *ir.OpName, i int, a ir.Attribute) ir.Attribute {
	for _, l := range n.Later() {
		t := n.Def().Attrs[i].Type
		if t.Respell == nil || !l.Def().Attrs[i].Type.Match(a) {
			continue
		}
		if r := t.Respell(n.Context(), a); r != nil {
			return r
		}
	}
	return a
}

// readValue returns the value of an inherent attribute that the version that is read calls
// otherwise.
func (p *Parser) readValue(n *ir.OpName, a ir.NamedAttr) ir.Attribute {
	return n.In(p.version).Meant(a)
}
