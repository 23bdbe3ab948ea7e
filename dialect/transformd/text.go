package transformd

import (
	"freehold/internal/lazyregexp"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Scripts that are only kept as text.
var (
	// Sequence is transform.sequence, a script without a name.
	Sequence = ir.NewOpID("transform.sequence")
	// WithPDLPatterns is transform.with_pdl_patterns, a script with patterns that find operations.
	WithPDLPatterns = ir.NewOpID("transform.with_pdl_patterns")
)

// TextAttr is the text of a script, after the name of its operation, where it does what isn't known here. The script is
// left alone.
const TextAttr = "text"

var text = ir.AttrDef{Name: TextAttr, Type: constraint.StrAttr, Optional: true}

// textDef is the definition of a script that is never executed.
func textDef(id *ir.OpID) *ir.OpDef {
	return &ir.OpDef{ID: id,
		Attrs: []ir.AttrDef{{Name: TextAttr, Type: constraint.StrAttr}}, Verify: verifyText, VerifyAlone: true,
		Models: []ir.Model{asm.Assembly.Model(asm.OpAssembly{Parse: parseText, Print: printText})}}
}

// verifyText demands a text that can be read again.
func verifyText(op *ir.Op) error {
	if s := op.Attr(TextAttr).(*ir.StringAttr).Value; !asm.IsVerbatim(s) {
		return op.Errorf("requires the text of an operation that ends with a region, but it is %q", s)
	}
	return nil
}

func parseText(p *asm.Parser, s *ir.OpState) error {
	t, err := p.Verbatim()
	if err != nil {
		return err
	}
	s.SetAttr(TextAttr, p.Context().StringAttr(t))
	return nil
}

func printText(p *asm.Printer, op *ir.Op) {
	p.Text(" ")
	p.Text(op.Attr(TextAttr).(*ir.StringAttr).Value)
}

// nameIn finds the name of a script in its text.
var nameIn = lazyregexp.New(`^[^(]*?@("[^"]*"|[\w$.-]+)`)

// parseScript reads a named sequence: as text if an operation in it isn't known, or a type.
func parseScript(p *asm.Parser, s *ir.OpState) error {
	if !p.UnknownIn("transform", isKnownType) {
		return asm.FunctionAssembly.Parse(p, s)
	}
	pos, c := p.Pos(), p.Context()
	if err := parseText(p, s); err != nil {
		return err
	}
	m := nameIn().FindStringSubmatch(s.Attr(TextAttr).(*ir.StringAttr).Value)
	if m == nil {
		return p.Errorf(pos, "expected valid '@'-identifier for symbol name")
	}
	s.SetAttr(ir.SymbolNameAttr, c.StringAttr(unquote(m[1])))
	s.SetAttr(interfaces.FunctionTypeAttr, c.TypeAttr(c.Function(nil, nil)))
	s.AddRegion()
	return nil
}

func unquote(name string) string {
	if name[0] == '"' {
		return name[1 : len(name)-1]
	}
	return name
}

func printScript(p *asm.Printer, op *ir.Op) {
	if op.Attr(TextAttr) != nil {
		printText(p, op)
		return
	}
	asm.FunctionAssembly.Print(p, op)
}

func isKnownType(name string) bool {
	return name == "transform."+anyOp || name == "transform."+namedOp || name == "transform."+anyValue
}
