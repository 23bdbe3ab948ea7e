// Package vector is the dialect of operations on vectors of one or more
// dimensions, and of transfers between vectors and memory.
package vector

import (
	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// Dialect is the vector dialect.
var Dialect = &ir.Dialect{
	Name: "vector",
	Ops: func() []*ir.OpDef {
		return []*ir.OpDef{bitCastDef(), broadcastDef(), compressStoreDef(), constantMaskDef(), contractDef(), createMaskDef(), deinterleaveDef(), expandLoadDef(), extractDef(),
			extractElementDef(), extractStridedSliceDef(), flatTransposeDef(), fmaDef(), fromElementsDef(), gatherDef(), insertDef(), insertElementDef(), insertStridedSliceDef(),
			interleaveDef(), loadDef(), maskDef(), maskedLoadDef(), maskedStoreDef(), matrixMultiplyDef(), multiReductionDef(), outerProductDef(), printDef(), reductionDef(), reshapeDef(),
			scalableExtractDef(), scalableInsertDef(), scanDef(), scatterDef(), shapeCastDef(), shuffleDef(), splatDef(), stepDef(), storeDef(), transferReadDef(), transferWriteDef(),
			toElementsDef(), transposeDef(), typeCastDef(), vScaleDef(), warpExecuteOnLane0Def(), yieldDef()}
	},
	Models: []ir.Model{
		asm.Enums.Model([]*ir.EnumDef{CombiningKind, IteratorType, PrintPunctuation}),
		interfaces.Inliner.Model(interfaces.InlineAnywhere{}),
		interfaces.ConstantMaterializer.Model(arith.Materialize),
		rewrite.DialectCanonicalization.Model([]rewrite.Pattern{
			writeSlicePattern,
			{Name: "add-to-contraction", Root: arith.AddI, Rewrite: contractAdd},
			{Name: "add-to-contraction", Root: arith.AddF, Rewrite: contractAdd},
		}),
	},
}

func enum(mnemonic, name string, keywords ...string) *ir.EnumDef {
	d := &ir.EnumDef{Dialect: "vector", Mnemonic: mnemonic, Name: name}
	for i, k := range keywords {
		d.Cases = append(d.Cases, ir.EnumCase{Keyword: k, Value: uint64(i)})
	}
	return d
}

// The enumerations of the dialect.
var (
	// CombiningKind is how elements are combined in reductions.
	CombiningKind = &ir.EnumDef{Dialect: "vector", Mnemonic: "kind", Name: "CombiningKind", Attr: "Vector_CombiningKindAttr", Bit: true, Separator: "|",
		Cases: []ir.EnumCase{{Keyword: "add", Value: 1}, {Keyword: "mul", Value: 2}, {Keyword: "minui", Value: 4},
			{Keyword: "minsi", Value: 8}, {Keyword: "minnumf", Value: 16}, {Keyword: "maxui", Value: 32},
			{Keyword: "maxsi", Value: 64}, {Keyword: "maxnumf", Value: 128}, {Keyword: "and", Value: 256},
			{Keyword: "or", Value: 512}, {Keyword: "xor", Value: 1024}, {Keyword: "maximumf", Value: 4096},
			{Keyword: "minimumf", Value: 2048}},
		Earlier: map[string]string{"maxf": "maxnumf", "minf": "minnumf"}, Until: 17}
	// IteratorType is the kind of a dimension of a contraction.
	IteratorType = enum("iterator_type", "IteratorType", "parallel", "reduction")
	// PrintPunctuation is what vector.print writes besides a value.
	PrintPunctuation = enum("punctuation", "PrintPunctuation", "no_punctuation", "newline", "comma", "open", "close")
)
