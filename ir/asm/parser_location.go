package asm

import (
	"slices"
	"strings"

	"freehold/ir"
)

// aliasLoc stands for a location alias that is not defined yet. op or value is
// where the location goes.
type aliasLoc struct {
	ir.Location
	alias string
	pos   Pos
	op    *ir.Op
	value *ir.Value
}

// OptionalLocation consumes loc(...) if it is next; nil if it isn't.
func (p *Parser) OptionalLocation() (ir.Location, error) {
	if !p.isWord("loc") {
		return nil, nil
	}
	p.advance()
	if err := p.expect(tLParen, "expected '(' in location"); err != nil {
		return nil, err
	}
	var l ir.Location
	var err error
	if p.tok.kind == tHash {
		l, err = p.locationAlias()
	} else {
		l, err = p.location()
	}
	if err != nil {
		return nil, err
	}
	return l, p.expect(tRParen, "expected ')' in location")
}

// locationAlias reads #alias, which may be defined later.
func (p *Parser) locationAlias() (ir.Location, error) {
	pos, name := p.Pos(), p.src[p.tok.pos+1:p.tok.end]
	p.advance()
	if strings.IndexByte(name, '.') >= 0 {
		return nil, p.fail(pos, "expected location, but found dialect attribute: '#"+name+"'")
	}
	if a, ok := p.attrAliases[name]; ok {
		if l, ok := a.(ir.Location); ok {
			return l, nil
		}
		return nil, p.fail(pos, "expected location, but found '"+a.String()+"'")
	}
	late := &aliasLoc{Location: ir.Unknown, alias: name, pos: pos}
	p.late = append(p.late, late)
	return late, nil
}

// trailingLocation reads the optional location after an operation.
func (p *Parser) trailingLocation(op *ir.Op) error {
	l, err := p.OptionalLocation()
	if late, ok := l.(*aliasLoc); ok {
		late.op = op
	} else if l != nil {
		op.SetLoc(l)
	}
	return err
}

// resolveLocations puts the locations in place whose aliases were defined after
// their use.
func (p *Parser) resolveLocations() error {
	for _, late := range p.late {
		a, ok := p.attrAliases[late.alias]
		if !ok && p.isUnread('#', late.alias) {
			continue
		}
		if !ok {
			return p.fail(late.pos, "operation location alias was never defined")
		}
		l, ok := a.(ir.Location)
		if !ok {
			return p.fail(late.pos, "expected location, but found '"+a.String()+"'")
		}
		switch {
		case late.op != nil:
			late.op.SetLoc(l)
		case late.value != nil:
			late.value.SetArgLoc(l)
		}
	}
	return nil
}

// location reads what stands between the parentheses of loc(...).
func (p *Parser) location() (ir.Location, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	switch {
	case p.tok.kind == tHash:
		a, err := p.extendedAttr(nil)
		if err != nil {
			return nil, err
		}
		if l, ok := a.(ir.Location); ok {
			return l, nil
		}
		return nil, p.failHere("expected location attribute, but got " + a.String())
	case p.tok.kind == tString:
		return p.nameOrFileLoc()
	case p.OptionalKeyword("unknown"):
		return ir.Unknown, nil
	case p.OptionalKeyword("callsite"):
		return p.callSiteLoc()
	case p.OptionalKeyword("fused"):
		return p.fusedLoc()
	}
	return nil, p.failToken("expected location instance")
}

func (p *Parser) nameOrFileLoc() (ir.Location, error) {
	s, _ := p.OptionalString()
	if p.accept(tColon) {
		line, ok := p.uint32()
		if !ok {
			return nil, p.failHere("expected integer line number in FileLineColLoc")
		}
		if err := p.expect(tColon, "expected ':' in FileLineColLoc"); err != nil {
			return nil, err
		}
		col, ok := p.uint32()
		if !ok {
			return nil, p.failHere("expected integer column number in FileLineColLoc")
		}
		if err := p.endOfRange(); err != nil {
			return nil, err
		}
		return p.ctx.FileLineColLoc(p.intern(s), line, col), nil
	}
	if !p.accept(tLParen) {
		return p.ctx.NameLoc(s, ir.Unknown), nil
	}
	l, err := p.location()
	if err != nil {
		return nil, err
	}
	return p.ctx.NameLoc(s, l), p.expect(tRParen, "expected ')' after child location of NameLoc")
}

// endOfRange consumes the end of a range, "to line:column" or "to :column", which
// locations have in later versions of LLVM. Only the start is kept.
func (p *Parser) endOfRange() error {
	if !p.OptionalKeyword("to") {
		return nil
	}
	if p.tok.kind == tInt {
		if _, ok := p.uint32(); !ok {
			return p.failHere("expected integer line number in FileLineColRange")
		}
	}
	if err := p.expect(tColon, "expected ':' in FileLineColRange"); err != nil {
		return err
	}
	if _, ok := p.uint32(); !ok {
		return p.failHere("expected integer column number in FileLineColRange")
	}
	return nil
}

// uint32 consumes an integer of 32 bits.
func (p *Parser) uint32() (uint32, bool) {
	if p.tok.kind != tInt {
		return 0, false
	}
	v, ok := parseUint(p.text())
	if !ok || v > 1<<32-1 {
		return 0, false
	}
	p.advance()
	return uint32(v), true
}

func (p *Parser) callSiteLoc() (ir.Location, error) {
	if err := p.expect(tLParen, "expected '(' in callsite location"); err != nil {
		return nil, err
	}
	callee, err := p.location()
	if err != nil {
		return nil, err
	}
	if !p.OptionalKeyword("at") {
		return nil, p.failToken("expected 'at' in callsite location")
	}
	caller, err := p.location()
	if err != nil {
		return nil, err
	}
	return p.ctx.CallSiteLoc(callee, caller), p.expect(tRParen, "expected ')' in callsite location")
}

func (p *Parser) fusedLoc() (ir.Location, error) {
	var metadata ir.Attribute
	if p.accept(tLess) {
		var err error
		if metadata, err = p.Attr(nil); err != nil {
			return nil, err
		}
		if err := p.expect(tGreater, "expected '>' after fused location metadata"); err != nil {
			return nil, err
		}
	}
	var locs []ir.Location
	err := p.list(Square, " in fused location", func() error {
		l, err := p.location()
		locs = append(locs, l)
		return err
	})
	if err != nil {
		return nil, err
	}
	return p.fuse(locs, metadata), nil
}

// fuse joins locations: unknown ones and duplicates are dropped, and fused ones
// with the same metadata are flattened.
func (p *Parser) fuse(locs []ir.Location, metadata ir.Attribute) ir.Location {
	var all []ir.Location
	seen := map[ir.Location]bool{}
	add := func(l ir.Location) {
		l = p.ctx.UniqueLocation(l)
		if !seen[l] {
			seen[l] = true
			all = append(all, l)
		}
	}
	for _, l := range locs {
		if f, ok := l.(*ir.FusedLoc); ok && f.Metadata == metadata {
			for _, x := range f.Locs {
				add(x)
			}
		} else if l != ir.Location(ir.Unknown) {
			add(l)
		}
	}
	all = slices.DeleteFunc(all, func(l ir.Location) bool { return l == ir.Location(ir.Unknown) })
	if metadata == nil && len(all) < 2 {
		if len(all) == 1 {
			return all[0]
		}
		return ir.Unknown
	}
	if len(all) == 0 {
		all = []ir.Location{ir.Unknown}
	}
	return p.ctx.FusedLoc(all, metadata)
}
