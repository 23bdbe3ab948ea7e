package asm

import "freehold/ir"

// ConditionalAssembly returns the syntax of operations with a condition and one or two
// regions:
//
//	%cond -> (types) {...} else {...}
//
// The condition, the first operand, has the type that cond returns. Other operands are not
// printed, and neither are arguments of the regions.
func ConditionalAssembly(cond func(c *ir.Context) ir.Type) OpAssembly {
	return OpAssembly{
		Parse: func(p *Parser, s *ir.OpState) error { return parseConditional(p, s, cond(p.Context())) },
		Print: printConditional,
	}
}

func parseConditional(p *Parser, s *ir.OpState, t ir.Type) error {
	cond, err := p.Operand()
	if err != nil {
		return err
	}
	if err := p.ResolveInto(s, t, cond); err != nil {
		return err
	}
	if s.Types, err = p.OptionalArrowTypes(); err != nil {
		return err
	}
	return p.ThenElse(s)
}

// ThenElse consumes a region and, after the keyword else, maybe a second one, without
// arguments, and a dictionary of attributes: the end of operations that choose between two
// regions. Without else the second one is empty.
func (p *Parser) ThenElse(s *ir.OpState) error {
	then, els := s.AddRegion(), s.AddRegion()
	if err := p.Region(then, nil); err != nil {
		return err
	}
	p.EnsureTerminator(s, then)
	if p.OptionalKeyword("else") {
		if err := p.Region(els, nil); err != nil {
			return err
		}
		p.EnsureTerminator(s, els)
	}
	return p.OptionalAttrDict(s)
}

func printConditional(p *Printer, op *ir.Op) {
	p.Text(" ")
	p.Operand(op.Operand(0))
	if op.NumResults() > 0 {
		p.Text(" -> (")
		p.Types(op.Results().Types())
		p.Text(")")
	}
	p.ThenElse(op)
}

// ThenElse prints what [Parser.ThenElse] consumes, without the given attributes. The
// terminators are printed if the operation has results.
func (p *Printer) ThenElse(op *ir.Op, without ...string) {
	results := op.NumResults() > 0
	p.Text(" ")
	p.Region(op.RegionAt(0), false, results, false)
	if els := op.RegionAt(1); !els.Empty() {
		p.Text(" else ")
		p.Region(els, false, results, false)
	}
	p.OptionalAttrDict(op.DiscardableAttrs(), without...)
}
