package asm

import (
	"slices"

	"freehold/ir"
)

// laterSyntaxes returns the syntaxes that later versions of LLVM gave to an operation
// without another name, latest first.
func laterSyntaxes(n *ir.OpName) []*opSyntax {
	var out []*opSyntax
	for _, l := range slices.Backward(n.Later()) {
		if l.String() == n.String() && l.Def().Format != n.Def().Format {
			out = append(out, &opSyntax{name: l, parse: parseDeclarative, declarative: true})
		}
	}
	return out
}

// laterBody reads what follows the name of an operation in the latest spelling that
// fits; nil if none does, and nothing was consumed.
func (p *Parser) laterBody(x *opSyntax, pos Pos) *opState {
	if len(x.later) == 0 {
		return nil
	}
	start, prev, at := p.tok.pos, p.prevEnd, p.place()
	if p.recovery != nil {
		p.recovery.attempts++
		defer func() { p.recovery.attempts-- }()
	}
	for _, l := range x.later {
		p.op = opContext{syntax: l, pos: pos}
		s := p.newState(l.name, pos)
		if l.parse(p, &s.OpState) == nil && !slices.Contains(s.Types, nil) && p.op.twice == "" {
			return s
		}
		p.returnTo(at)
		p.reset(start)
		p.prevEnd = prev
	}
	return nil
}

// laterProperties takes the inherent attributes out of a dictionary that only later
// spellings of an operation have. It returns whether that leaves nothing.
func laterProperties(s *ir.OpState, d *ir.DictAttr) bool {
	rest := len(d.Entries)
	for _, l := range s.Name.Later() {
		sp := l.Spelling()
		for _, a := range sp.Attrs {
			if v := d.Get(a.Name); v != nil && (a.Type.Class == nil || a.Type.Class(v)) {
				sp.Keep(s, a.Name, v)
				rest--
			}
		}
	}
	return rest == 0
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
func dropReturned(s *ir.OpState) {
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
}
