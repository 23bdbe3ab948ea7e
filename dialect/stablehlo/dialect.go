// Package stablehlo is the dialect in which JAX, PyTorch/XLA and TensorFlow hand models to compilers: operations on whole
// tensors, as the StableHLO specification defines them. They aren't bufferized or executed as such, but lowered to other
// dialects (transform/lower/stablehlo). What programs in mhlo spell differs in the prefix only, and is read as this dialect.
package stablehlo

import (
	"slices"

	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

const dialectName = "stablehlo"

// Dialect is the stablehlo dialect.
var Dialect = &ir.Dialect{
	Name: dialectName,
	Ops: func() []*ir.OpDef {
		return spelledAsMHLO(slices.Concat(elementwiseOps(), layoutOps(), contractionOps(), controlOps(), deviceOps()))
	},
	PrintAttr: printAttr,
	PrintType: printType,
	Types:     ir.PlainTypes(tokenName, futureName),
	Models: []ir.Model{
		asm.AttrParser.Model(parseAttr),
		asm.TypeParser.Model(parseType),
		asm.Enums.Model(enums),
		asm.Directives.Model(directives),
		interfaces.ConstantMaterializer.Model(materialize),
		interfaces.Inliner.Model(interfaces.InlineAnywhere{}),
	},
	VerifyEncoding: verifyBounds,
}

func printType(w *ir.Writer, t *ir.DialectType) bool {
	if t.Mnemonic != futureName {
		return false
	}
	w.Text(futureName + "<")
	for i, p := range t.Params {
		if i > 0 {
			w.Text(", ")
		}
		w.Type(p.(*ir.TypeAttr).Type)
	}
	w.Byte('>')
	return true
}
