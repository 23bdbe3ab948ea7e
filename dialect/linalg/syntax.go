package linalg

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

// parseCommon reads what structured operations have in common: properties,
// attributes, ins(...) and outs(...).
func parseCommon(p *asm.Parser, s *ir.OpState, withSegments bool) (ins, outs []ir.Type, err error) {
	var properties ir.Attribute
	if p.Optional("<") {
		if properties, err = p.Attr(nil); err != nil {
			return nil, nil, err
		}
		if err := p.Expect(">"); err != nil {
			return nil, nil, err
		}
	}
	attrs := p.Pos()
	if err := p.OptionalAttrDict(s); err != nil {
		return nil, nil, err
	}
	var in, out operandGroup
	if err := in.parse(p, "ins"); err != nil {
		return nil, nil, err
	}
	if err := out.parse(p, "outs"); err != nil {
		return nil, nil, err
	}
	for _, g := range []*operandGroup{&in, &out} {
		vs, err := p.ResolveAll(g.names, g.types, g.pos)
		if err != nil {
			return nil, nil, err
		}
		s.Operands = append(s.Operands, vs...)
	}
	if properties == nil {
		err = p.CheckInherent(s, attrs)
	} else {
		err = p.SetProperties(s, properties)
	}
	if err != nil {
		return nil, nil, err
	}
	if withSegments {
		p.AddAttr(s, ir.OperandSegmentsAttr, p.Context().DenseI32Array(int32(len(in.types)), int32(len(out.types))))
	}
	return in.types, out.types, nil
}

// operandGroup is a spelled group of operands.
type operandGroup struct {
	names []asm.Unresolved
	types []ir.Type
	pos   asm.Pos
}

// parse reads an optional ins(%a, %b : t, u).
func (g *operandGroup) parse(p *asm.Parser, keyword string) (err error) {
	if !p.OptionalKeyword(keyword) {
		return nil
	}
	g.pos = p.Pos()
	if err := p.Expect("("); err != nil {
		return err
	}
	if keyword == "ins" {
		g.pos = p.Pos()
	}
	if g.names, err = p.Operands(asm.NoDelimiter); err != nil {
		return err
	}
	if g.types, err = p.ColonTypes(); err != nil {
		return err
	}
	return p.Expect(")")
}

// regionArguments says that an operation has another number of operands than its name says.
const regionArguments = "[parseNamedStructuredOpRegion] ods-gen generated region expects %d args, got %d"

// parse reads a named operation; its body is implied.
func (sp *spec) parse(p *asm.Parser, s *ir.OpState) error {
	if sp.spelled || sp.chosen {
		if err := parseMaps(p, s, false); err != nil {
			return err
		}
	}
	if positional := p.At("(") && (sp.id == Fill || sp.id == Copy); positional {
		if err := parsePositional(p, s); err != nil {
			return err
		}
	} else if _, _, err := parseCommon(p, s, true); err != nil {
		return err
	}
	var err error
	if s.Types, err = p.OptionalArrowTypes(); err != nil {
		return err
	}
	if n := len(s.Operands); n != sp.numArgs() {
		return p.Errorf(p.Pos(), regionArguments, sp.numArgs(), n)
	}
	if sp.spelled && !sp.casts() {
		if a, ok := s.Attr(castAttr.Name).(*ir.EnumAttr); ok && a.Def == TypeFn && a.Value != 0 {
			return p.Errorf(p.NamePos(), "has conversions that aren't supported")
		}
		if s.Attr(indexingMapsAttr) != nil {
			// With maps, the body is that of LLVM 22, which converts both factors.
			converting := *sp
			converting.body = mulAdd
			sp = &converting
		}
	}
	return sp.impliedBody(p, s)
}

// parsePositional reads (%in, %out) : type, type, as fill and copy were written up to LLVM 14. Up to LLVM 12, what is filled came first.
func parsePositional(p *asm.Parser, s *ir.OpState) error {
	pos := p.Pos()
	names, err := p.Operands(asm.Paren)
	if err != nil {
		return err
	}
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	types, err := p.ColonTypes()
	if err != nil {
		return err
	}
	if s.Operands, err = p.ResolveAll(names, types, pos); err != nil {
		return err
	}
	if len(types) == 2 && ir.IsShaped(types[0]) && !ir.IsShaped(types[1]) {
		s.Operands[0], s.Operands[1] = s.Operands[1], s.Operands[0]
	}
	p.AddAttr(s, ir.OperandSegmentsAttr, p.Context().DenseI32Array(int32(len(types)-1), 1))
	return nil
}

// impliedBody adds the body of an operation that has its operands.
func (sp *spec) impliedBody(p *asm.Parser, s *ir.OpState) error {
	b := p.Builder()
	loc := b.Loc
	b.Loc = ir.Unknown // the body is nowhere in the source
	defer func() { b.Loc = loc }()
	if err := sp.fillBody(b, s.AddRegion(), s.Operands, s); err != nil {
		return p.Errorf(p.NamePos(), "%s", err)
	}
	return nil
}

func printCommon(p *asm.Printer, op *ir.Op) {
	printGroup(p, " ins(", interfaces.DpsInputs(op))
	printGroup(p, " outs(", interfaces.DpsInits(op))
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

func (sp *spec) print(p *asm.Printer, op *ir.Op) {
	sp.printHead(p, op)
	elided := []string{ir.OperandSegmentsAttr, memoizedMaps}
	if sp.chosen {
		elided = append(elided, indexingMapsAttr)
	}
	p.OptionalAttrDict(p.AllAttrs(op), elided...)
	printCommon(p, op)
	p.ArrowTypes(op.Results().Types())
}
