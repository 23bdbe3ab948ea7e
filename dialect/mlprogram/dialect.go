// Package mlprogram defines what the ml_program dialect has of globals: variables of a
// program, which hold tensors or other values.
package mlprogram

import (
	"freehold/ir"
	"freehold/ir/asm"
)

// Dialect is the ml_program dialect.
var Dialect = &ir.Dialect{
	Name: "ml_program",
	Ops:  []*ir.OpDef{globalDef, globalLoadDef, globalLoadConstDef, globalStoreDef},
	Models: []ir.Model{
		asm.Directives.Model(map[string]asm.Directive{"TypedInitialValue": {Parse: parseInitialValue, Print: printInitialValue}}),
		asm.AttrParser.Model(parseAttr),
		asm.AliasNames.Model(func(any) string { return externMnemonic }),
	},
	Aliases: true,
}

const externMnemonic = "extern"

// parseAttr reads #ml_program.extern, which says that what a global holds at first is found
// elsewhere. It has a type.
func parseAttr(p *asm.Parser, mnemonic string, t ir.Type) (ir.Attribute, error) {
	if mnemonic != externMnemonic {
		return nil, nil
	}
	if t == nil {
		if err := p.Expect(":"); err != nil {
			return nil, err
		}
		var err error
		if t, err = p.Type(); err != nil {
			return nil, err
		}
	}
	return p.Context().TypedDialectAttr(p.Context().Dialect("ml_program"), externMnemonic, t), nil
}

// isExtern tells whether the attribute is #ml_program.extern.
func isExtern(a ir.Attribute) bool {
	d, ok := a.(*ir.DialectAttr)
	return ok && d.Dialect.Name == "ml_program" && d.Mnemonic == externMnemonic
}
