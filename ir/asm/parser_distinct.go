package asm

import "freehold/ir"

// distinctAttr consumes distinct[n]<attribute> or distinct[n]<>. The same number means
// the same attribute everywhere in the source.
func (p *Parser) distinctAttr(ir.Type) (ir.Attribute, error) {
	pos := p.Pos()
	if p.ahead {
		// Numbers would be known from parts that may have to be read again.
		return nil, p.fail(pos, "distinct attributes can't be read ahead")
	}
	p.advance()
	if err := p.expect(tLSquare, "expected '[' after 'distinct'"); err != nil {
		return nil, err
	}
	if p.tok.kind != tInt {
		return nil, p.failToken("expected distinct ID")
	}
	n, ok := parseUint(p.text())
	p.advance()
	if !ok {
		return nil, p.failToken("expected an unsigned 64-bit integer")
	}
	if err := p.expect(tRSquare, "expected ']' to close distinct ID"); err != nil {
		return nil, err
	}
	if err := p.expect(tLess, "expected '<' after distinct ID"); err != nil {
		return nil, err
	}
	var referenced ir.Attribute = ir.Unit
	if !p.accept(tGreater) {
		var err error
		if referenced, err = p.Attr(nil); err != nil {
			return nil, err
		}
		if err := p.expect(tGreater, "expected '>' to close distinct attribute"); err != nil {
			return nil, err
		}
	}
	a := p.distinct[n]
	if a == nil {
		if p.distinct == nil {
			p.distinct = map[uint64]*ir.DistinctAttr{}
		}
		a = p.ctx.Distinct(referenced)
		p.distinct[n] = a
	} else if a.Referenced != referenced {
		return nil, p.fail(pos, "referenced attribute does not match previous definition: "+a.Referenced.String())
	}
	return a, nil
}
