package cf

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/fold"
)

// switchCases is the list of a switch's cases:
//
//	default: ^bb1(%a : i32), 42: ^bb2, ...
//
// Its arguments are the flag's type, the default destination, its operands and
// their types, the values, the destinations, their operands and their types.
var switchCases = asm.Directive{Parse: parseSwitchCases, Print: printSwitchCases}

func parseSwitchCases(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
	if err := p.Keyword("default"); err != nil {
		return err
	}
	if err := p.Expect(":"); err != nil {
		return err
	}
	dest, operands, types, err := parseCase(p)
	if err != nil {
		return err
	}
	s.AddSuccessor("defaultDestination", dest)
	s.SetOperands("defaultOperands", operands)
	s.SetTypes("defaultOperands", types)
	return ParseCases(p, s, s.TypesOf("flag")[0], func() bool { return p.Optional(",") })
}

// ParseCases reads the cases of a switch on a value of type flag, each of which more
// announces, into the attributes, operands and successors that [Switch] has.
func ParseCases(p *asm.Parser, s *asm.FormatState, flag ir.Type, more func() bool) error {
	c := p.Context()
	var data []byte
	var segments []int32
	var caseOperands []asm.Unresolved
	var caseTypes []ir.Type
	for more() {
		pos := p.Pos()
		v, ok, err := p.OptionalBigInteger()
		if err != nil {
			return err
		}
		if !ok {
			return p.Errorf(pos, "expected integer value")
		}
		data = ir.AppendElement(data, c.BigIntegerAttr(flag, v))
		if err := p.Expect(":"); err != nil {
			return err
		}
		dest, operands, types, err := parseCase(p)
		if err != nil {
			return err
		}
		s.AddSuccessor("caseDestinations", dest)
		caseOperands, caseTypes = append(caseOperands, operands...), append(caseTypes, types...)
		segments = append(segments, int32(len(operands)))
	}
	if len(segments) > 0 {
		if !ir.IsInteger(flag) {
			return p.Errorf(p.Pos(), "expected an integer type for the flag of a switch, got '%s'", flag)
		}
		s.SetAttr("case_values", c.DenseElements(c.Vector([]int64{int64(len(segments))}, nil, flag), data))
	}
	s.SetOperands("caseOperands", caseOperands)
	s.SetTypes("caseOperands", caseTypes)
	s.SetSegments("caseOperands", segments)
	return nil
}

func parseCase(p *asm.Parser) (dest *ir.Block, operands []asm.Unresolved, types []ir.Type, err error) {
	if dest, err = p.Successor(); err != nil {
		return nil, nil, nil, err
	}
	if !p.Optional("(") {
		return dest, nil, nil, nil
	}
	if operands, err = p.Operands(asm.NoDelimiter); err != nil {
		return nil, nil, nil, err
	}
	if types, err = p.ColonTypes(); err != nil {
		return nil, nil, nil, err
	}
	return dest, operands, types, p.Expect(")")
}

func printSwitchCases(p *asm.Printer, op *ir.Op, _ []asm.DirectiveArg) {
	def, cases := SwitchCases(op)
	p.Text("  default: ")
	p.SuccessorAndOperands(def.Dest, def.Operands)
	if len(cases) == 0 {
		return
	}
	for _, k := range cases {
		p.Text(",")
		p.Newline()
		PrintCase(p, k)
	}
	p.Newline()
}

// PrintCase writes a case of a switch, further right than the line it is in.
func PrintCase(p *asm.Printer, k Case) {
	p.Text("  ")
	p.Text(unsigned(k.Value))
	p.Text(": ")
	p.SuccessorAndOperands(k.Dest, k.Operands)
}

// unsigned returns how the value of a case is written: without sign, whatever its
// type.
func unsigned(value ir.Attribute) string {
	i, ok := value.(*ir.IntegerAttr)
	if !ok {
		return value.String()
	}
	return fold.Unsigned(i.BigInt(), fold.Width(i.Type)).String()
}
