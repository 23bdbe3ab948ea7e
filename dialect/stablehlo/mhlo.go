package stablehlo

import (
	"strings"

	"freehold/ir"
	"freehold/ir/asm"
)

// mhloName is the prefix of the dialect from which StableHLO was made.
const mhloName = "mhlo"

// MHLO is the dialect mhlo, as far as it means the same: its operations are those of stablehlo in another spelling, and
// so are its attributes.
var MHLO = &ir.Dialect{
	Name:  mhloName,
	Types: ir.PlainTypes(tokenName, futureName),
	Models: []ir.Model{
		asm.AttrParser.Model(parseAttr),
		asm.TypeParser.Model(parseType),
		asm.Enums.Model(enums),
		asm.Partial.Model("operations that StableHLO has, which are read as such"),
	},
}

// spelledAsMHLO gives all operations the spelling that they have in mhlo.
func spelledAsMHLO(ops []*ir.OpDef) []*ir.OpDef {
	for i, def := range ops {
		ops[i] = def.With(ir.OpDef{Earlier: []ir.Spelling{{Name: mhloName + strings.TrimPrefix(def.ID.String(), dialectName)}}})
	}
	return ops
}
