package gpu

import (
	"strings"

	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

// Binary is gpu.binary, what a module was compiled to.
var Binary = ir.NewOpID("gpu.binary")

const (
	objectsAttr    = "objects"
	selectMnemonic = "select_object"
)

func binaryDef() *ir.OpDef {
	objects := constraint.ArrayOf("an array of GPU object attributes with at least 1 elements", func(a ir.Attribute) bool { return strings.HasPrefix(a.String(), "#gpu.object<") })
	are := objects.Match
	objects.Match = func(a ir.Attribute) bool { return are(a) && len(a.(*ir.ArrayAttr).Elems) > 0 }
	return &ir.OpDef{
		ID: Binary,
		Attrs: []ir.AttrDef{
			{Name: ir.SymbolNameAttr, Type: constraint.SymbolNameAttr},
			{Name: handlerAttr, Type: constraint.AnyAttr, Optional: true, Default: selectFirst},
			{Name: objectsAttr, Type: objects},
		},
		Traits: ir.TraitSymbol,
		Format: "$sym_name custom<OffloadingHandler>($offloadingHandler) attr-dict $objects",
	}
}

// selectFirst is how launches choose an object, unless the binary says something else.
func selectFirst(c *ir.Context) ir.Attribute {
	return c.DialectAttrOf(c.Dialect(dialectName), selectMnemonic)
}

// parseAttr reads #gpu.select_object, and #gpu.select_object<1>. Parameters of other attributes are not looked at.
func parseAttr(p *asm.Parser, mnemonic string, _ ir.Type) (ir.Attribute, error) {
	if mnemonic != selectMnemonic {
		return nil, nil
	}
	if !p.Optional("<") {
		return selectFirst(p.Context()), nil
	}
	object, err := p.Attr(nil)
	if err != nil {
		return nil, err
	}
	return p.Context().DialectAttrOf(p.Context().Dialect(dialectName), selectMnemonic, object), p.Expect(">")
}

// printAttr prints the parameter of #gpu.select_object with its type.
func printAttr(w *ir.Writer, a *ir.DialectAttr) bool {
	if a.Mnemonic != selectMnemonic || len(a.Params) == 0 {
		return false
	}
	w.Text(a.Mnemonic + "<")
	w.Attr(a.Params[0])
	w.Byte('>')
	return true
}

// offloadingHandler is <#gpu.select_object<1>>, or nothing.
var offloadingHandler = asm.Directive{
	Parse: func(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
		handler := selectFirst(p.Context())
		if p.Optional("<") {
			var err error
			if handler, err = p.Attr(nil); err != nil {
				return err
			}
			if err := p.Expect(">"); err != nil {
				return err
			}
		}
		s.SetAttr(args[0].Name, handler)
		return nil
	},
	Print: func(p *asm.Printer, op *ir.Op, args []asm.DirectiveArg) {
		if a := op.Attr(args[0].Name); a != nil && a != selectFirst(op.Context()) {
			p.Text("<")
			p.Attr(a)
			p.Text(">")
		}
	},
}
