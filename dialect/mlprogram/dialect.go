// Package mlprogram defines the ml_program dialect: functions, graphs, and globals, which are variables of a
// program that hold tensors or other values.
package mlprogram

import (
	"freehold/ir"
	"freehold/ir/asm"
)

// Dialect is the ml_program dialect.
var Dialect = &ir.Dialect{
	Name: dialectName,
	Ops: func() []*ir.OpDef {
		return []*ir.OpDef{funcDef(), globalDef(), globalLoadDef(), globalLoadConstDef(), globalLoadGraphDef(), globalStoreDef(), globalStoreGraphDef(),
			outputDef(), returnDef(), subgraphDef(), tokenDef()}
	},
	Types: ir.PlainTypes(tokenMnemonic),
	Models: []ir.Model{
		asm.Directives.Model(map[string]asm.Directive{"TypedInitialValue": {Parse: parseInitialValue, Print: printInitialValue},
			"TokenOrdering": tokenOrdering}),
		asm.TypeParser.Model(parseType),
		asm.AttrParser.Model(parseAttr),
		asm.AliasNames.Model(func(x any) string {
			if _, attr := x.(ir.Attribute); attr {
				return externMnemonic
			}
			return ""
		}),
	},
	Aliases: true,
}

const (
	dialectName    = "ml_program"
	externMnemonic = "extern"
)

// parseAttr reads #ml_program.extern, which says that what a global holds at first is found
// elsewhere. It may have a type, and another one in brackets, which means nothing.
func parseAttr(p *asm.Parser, mnemonic string, t ir.Type) (ir.Attribute, error) {
	if mnemonic != externMnemonic {
		return nil, nil
	}
	if p.Optional("<") { // what mlir-opt reads and forgets
		if _, err := p.Attr(nil); err != nil {
			return nil, err
		}
		if err := p.Expect(">"); err != nil {
			return nil, err
		}
	}
	if t == nil && p.Optional(":") {
		var err error
		if t, err = p.Type(); err != nil {
			return nil, err
		}
	}
	return p.Context().TypedDialectAttr(p.Context().Dialect(dialectName), externMnemonic, t), nil
}

// isExtern tells whether the attribute is #ml_program.extern.
func isExtern(a ir.Attribute) bool {
	d, ok := a.(*ir.DialectAttr)
	return ok && d.Dialect.Name == dialectName && d.Mnemonic == externMnemonic
}
