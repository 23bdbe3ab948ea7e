package linalg

import (
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/asm"
)

// parseCommon reads what structured operations have in common: properties,
// attributes, ins(...) and outs(...).
func parseCommon(p *asm.Parser, s *ir.OpState, withSegments bool) (ins, outs []ir.Type, err error) {
	if p.Optional("<") {
		a, err := p.Attr(nil)
		if err != nil {
			return nil, nil, err
		}
		if d, ok := a.(*ir.DictAttr); ok {
			for _, e := range d.Entries {
				s.SetAttr(e.Name, e.Value)
			}
		}
		if err := p.Expect(">"); err != nil {
			return nil, nil, err
		}
	}
	if err := p.OptionalAttrDict(s); err != nil {
		return nil, nil, err
	}
	ins, err = parseGroup(p, s, "ins")
	if err != nil {
		return nil, nil, err
	}
	outs, err = parseGroup(p, s, "outs")
	if err != nil {
		return nil, nil, err
	}
	if withSegments {
		s.SetAttr(ir.OperandSegmentsAttr, p.Context().DenseI32Array(int32(len(ins)), int32(len(outs))))
	}
	return ins, outs, nil
}

// parseGroup reads an optional ins(%a, %b : t, u).
func parseGroup(p *asm.Parser, s *ir.OpState, keyword string) ([]ir.Type, error) {
	if !p.OptionalKeyword(keyword) {
		return nil, nil
	}
	if err := p.Expect("("); err != nil {
		return nil, err
	}
	pos := p.Pos()
	us, err := p.Operands(asm.NoDelimiter)
	if err != nil {
		return nil, err
	}
	types, err := p.ColonTypes()
	if err != nil {
		return nil, err
	}
	if err := p.Expect(")"); err != nil {
		return nil, err
	}
	vs, err := p.ResolveAll(us, types, pos)
	if err != nil {
		return nil, err
	}
	s.Operands = append(s.Operands, vs...)
	return types, nil
}

// parse reads a named operation; its body is implied.
func (sp *spec) parse(p *asm.Parser, s *ir.OpState) error {
	ins, outs, err := parseCommon(p, s, true)
	if err != nil {
		return err
	}
	if s.Types, err = p.OptionalArrowTypes(); err != nil {
		return err
	}
	if n := len(ins) + len(outs); n != sp.numArgs() {
		return p.Errorf(p.Pos(), "[parseNamedStructuredOpRegion] ods-gen generated region expects %d args, got %d", sp.numArgs(), n)
	}
	b := p.Builder()
	loc := b.Loc
	b.Loc = s.Loc
	defer func() { b.Loc = loc }()
	if err := sp.fillBody(b, s.AddRegion(), append(ins, outs...), s.Attr); err != nil {
		return p.Errorf(p.NamePos(), "%s", err)
	}
	return nil
}

func printCommon(p *asm.Printer, op *ir.Op) {
	printGroup(p, " ins(", iface.DpsInputs(op))
	printGroup(p, " outs(", iface.DpsInits(op))
}

func printGroup(p *asm.Printer, prefix string, g ir.Operands) {
	if len(g) == 0 {
		return
	}
	p.Text(prefix)
	p.Operands(g.Values())
	p.Text(" : ")
	p.Types(g.Types())
	p.Text(")")
}

func printNamed(p *asm.Printer, op *ir.Op) {
	p.OptionalAttrDict(op.AllAttrs(), ir.OperandSegmentsAttr, memoizedMaps)
	printCommon(p, op)
	p.ArrowTypes(op.Results().Types())
}
