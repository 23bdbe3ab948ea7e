// Package tensor is the dialect of operations that create and take apart
// tensors: slices, reshapes, padding, elements and sizes.
package tensor

import (
	"freehold/dialect/complex"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// Dialect is the tensor dialect.
var Dialect = &ir.Dialect{
	Name: "tensor",
	Ops: []*ir.OpDef{bitcastDef, castDef, collapseShapeDef, concatDef, dimDef, emptyDef, expandShapeDef, extractDef, extractSliceDef, fromElementsDef,
		gatherDef, generateDef, insertDef, insertSliceDef, packDef, padDef, parallelInsertSliceDef, rankDef, reshapeDef, scatterDef, splatDef, unpackDef, yieldDef},
	Models: []ir.Model{
		interfaces.Inliner.Model(interfaces.InlineAnywhere{}),
		interfaces.ConstantMaterializer.Model(complex.Materialize),
		rewrite.DialectCanonicalization.Model(dialectPatterns()),
	},
}
