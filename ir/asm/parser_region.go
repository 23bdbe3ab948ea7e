package asm

import (
	"freehold/ir"
)

// Region consumes a region in braces into r. args, whose types must be set, become
// the arguments of its entry block. A missing terminator is not added (see
// EnsureTerminator). Names from around the region can be used in it, whether its
// operation is isolated or not, which is for the verifier to find.
func (p *Parser) Region(r *ir.Region, args []Argument) error {
	return p.region(p.op.syntax.name, r, args, false)
}

// TerminatedRegion adds a region to the operation, and consumes it like Region, with the
// implicit terminator if it has none.
func (p *Parser) TerminatedRegion(s *ir.OpState, args []Argument) error {
	r := s.AddRegion()
	if err := p.Region(r, args); err != nil {
		return err
	}
	p.EnsureTerminator(s, r)
	return nil
}

// ShadowingRegion is Region with names of its own: those from around it are not
// seen.
func (p *Parser) ShadowingRegion(r *ir.Region, args []Argument) error {
	return p.region(p.op.syntax.name, r, args, true)
}

// OptionalRegion is Region if a brace is next.
func (p *Parser) OptionalRegion(r *ir.Region, args []Argument) (bool, error) {
	if p.tok.kind != tLBrace {
		return false, nil
	}
	return true, p.Region(r, args)
}

// region reads a region of an operation with that name.
func (p *Parser) region(owner *ir.OpName, r *ir.Region, args []Argument, isolated bool) error {
	if err := p.expect(tLBrace, "expected '{' to begin a region"); err != nil && !p.withoutBrace(err) {
		return err
	}
	if len(args) > 0 || p.tok.kind != tRBrace {
		if err := p.enter(); err != nil {
			return err
		}
		op, block := p.op, p.block
		p.pushScope(isolated, isolatedFromAbove(owner))
		if err := p.regionBody(r, args); err != nil {
			return err
		}
		if err := p.popScope(); err != nil {
			if !p.goesOn(err) {
				return err
			}
			p.dropScope()
		}
		p.op, p.block = op, block
		p.leave()
	}
	p.advance() // }
	return nil
}

func isolatedFromAbove(n *ir.OpName) bool {
	return n.Registered() && n.Def().Traits.Has(ir.TraitIsolatedFromAbove)
}

func (p *Parser) regionBody(r *ir.Region, args []Argument) error {
	b := p.builder.NewBlock(len(args))
	if len(args) > 0 && args[0].Name != "" {
		if err := p.namedArguments(b, args); err != nil {
			if !p.goesOn(err) {
				return err
			}
			for i := range args {
				p.unknownName(args[i].Name)
			}
			args = nil
		}
	}
	if p.tok.kind == tCaret {
		if err := p.labelledBlock(r, b); err != nil {
			return err
		}
		if len(args) > 0 && b.NumArgs() > len(args) {
			if err := p.failHere("entry block arguments were already defined"); !p.goesOn(err) {
				return err
			}
		}
	} else {
		r.Append(b)
		if err := p.blockBody(b); err != nil {
			return err
		}
	}
	for p.tok.kind != tRBrace {
		if err := p.labelledBlock(r, nil); err != nil {
			return err
		}
	}
	return nil
}

// namedArguments defines the arguments of a region's first block, which has no label.
func (p *Parser) namedArguments(b *ir.Block, args []Argument) error {
	if p.tok.kind == tCaret {
		return p.failHere("invalid block name in region with named arguments")
	}
	for i := range args {
		a := &args[i]
		ref := p.current(p.values.entry(a.Name), 0)
		if ref.value != nil && p.garbled() {
			p.unknownName(a.Name)
		}
		if ref.value != nil {
			d := p.fail(a.Pos, "region entry argument '%"+a.Name+"' is already in use").(*ir.Diagnostic)
			return d.WithNote(p.LocAt(ref.pos), "previously referenced here")
		}
		if err := p.define(a.Unresolved, p.addArgument(b, a)); err != nil {
			return err
		}
	}
	return nil
}

// addArgument adds an argument that was read to a block, with the location it
// gives or the place of its name.
func (p *Parser) addArgument(b *ir.Block, a *Argument) *ir.Value {
	loc := a.Loc
	if loc == nil {
		loc = p.LocAt(a.Pos)
	}
	v := p.builder.AddArg(b, a.Type, loc)
	if late, ok := loc.(*aliasLoc); ok {
		v.SetArgLoc(ir.Unknown)
		late.value = v
	}
	return v
}

// labelledBlock parses a block that starts with a label. b is the block to use
// for it, or nil.
func (p *Parser) labelledBlock(r *ir.Region, b *ir.Block) error {
	start, at := p.tok.pos, p.place()
	b, err := p.label(r, b)
	if err != nil {
		if !p.goesOn(err) {
			p.cutOff(start, at)
			return err
		}
		p.skipLabel(start, at)
		if b == nil { // It has no label of its own.
			b = p.builder.NewBlock(0)
			r.Append(b)
		}
	}
	return p.blockBody(b)
}

// label parses the label of a block and its arguments, and adds the block to the
// region.
func (p *Parser) label(r *ir.Region, b *ir.Block) (*ir.Block, error) {
	pos, label := p.Pos(), p.text()
	if p.tok.kind != tCaret {
		return nil, p.failToken("expected block name")
	}
	labels := p.labels()
	e := labels.at(label, pos)
	switch {
	case e.block == nil:
		if e.block = b; b == nil {
			e.block = p.builder.NewBlock(0)
		}
	case e.defined:
		p.advance()
		return nil, p.fail(pos, "redefinition of block '"+label+"'")
	default:
		labels.pending--
	}
	e.defined, e.pos = true, pos
	b = e.block
	r.Append(b)
	p.advance()
	if p.tokens != nil {
		p.tokens.label(pos, b, true)
	}
	if p.tok.kind == tLParen {
		if err := p.blockArguments(b); err != nil {
			return b, err
		}
	}
	return b, p.expect(tColon, "expected ':' after block name")
}

// blockArguments parses the arguments after a label.
func (p *Parser) blockArguments(b *ir.Block) error {
	return p.list(Paren, "", func() error {
		a := Argument{}
		var err error
		if a.Unresolved, err = p.operand(true); err != nil {
			return err
		}
		if err = p.expect(tColon, "expected ':' and type for SSA operand"); err != nil {
			return err
		}
		if a.Type, err = p.Type(); err != nil {
			return err
		}
		if a.Loc, err = p.OptionalLocation(); err != nil {
			return err
		}
		return p.define(a.Unresolved, p.addArgument(b, &a))
	})
}

func (p *Parser) blockBody(b *ir.Block) error {
	p.block = b
	more := func() bool { return p.tok.kind != tCaret && p.tok.kind != tRBrace }
	if p.split != nil && more() {
		return p.splitBlockBody(more)
	}
	at := p.place()
	for more() {
		start := p.tok.pos
		if err := p.operation(); err != nil {
			if !p.goesOn(err) {
				p.cutOff(start, at)
				return err
			}
			p.skipOperation(start, at)
		}
	}
	return nil
}

// Argument consumes %name with, as asked for, ": type" and attributes, and an
// optional location.
func (p *Parser) Argument(withType, withAttrs bool) (a Argument, err error) {
	if a.Unresolved, err = p.operand(false); err != nil {
		return a, err
	}
	return a, p.argumentRest(&a, withType, withAttrs)
}

// OptionalArgument is Argument if an argument is next.
func (p *Parser) OptionalArgument(withType, withAttrs bool) (a Argument, ok bool, err error) {
	if p.tok.kind != tPercent {
		return a, false, nil
	}
	a, err = p.Argument(withType, withAttrs)
	return a, true, err
}

func (p *Parser) argumentRest(a *Argument, withType, withAttrs bool) (err error) {
	if withType {
		if a.Type, err = p.ColonType(); err != nil {
			return err
		}
	}
	if withAttrs {
		if a.Attrs, err = p.OptionalDictAttr(); err != nil {
			return err
		}
	}
	a.Loc, err = p.OptionalLocation()
	return err
}

// Arguments consumes a list of arguments.
func (p *Parser) Arguments(d Delimiter, withType, withAttrs bool) ([]Argument, error) {
	if d == NoDelimiter && p.tok.kind != tPercent {
		return nil, nil
	}
	var out []Argument
	err := p.list(d, " in argument list", func() error {
		a, err := p.Argument(withType, withAttrs)
		out = append(out, a)
		return err
	})
	return out, err
}

// Assignments consumes (%a = %x, ...): arguments and the values that they start with.
func (p *Parser) Assignments() (args []Argument, values []Unresolved, err error) {
	if !p.accept(tLParen) {
		return nil, nil, p.failOp(p.Pos(), "expected '('")
	}
	err = p.listUntil(tRParen, true, func() error {
		a, v, err := p.Assignment()
		args, values = append(args, a), append(values, v)
		return err
	})
	return args, values, err
}

// Assignment consumes %a = %x: an argument and the value that it starts with.
func (p *Parser) Assignment() (a Argument, v Unresolved, err error) {
	if a, err = p.Argument(false, false); err != nil {
		return a, v, err
	}
	if err = p.Expect("="); err != nil {
		return a, v, err
	}
	v, err = p.Operand()
	return a, v, err
}
