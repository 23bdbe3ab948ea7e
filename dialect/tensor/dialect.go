// Package tensor is the dialect of operations that create and take apart
// tensors: slices, reshapes, padding, elements and sizes.
package tensor

import (
	"freehold/dialect/complex"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// standardNames are the names in the standard dialect, from which LLVM took these operations.
func standardNames() map[*ir.OpID][]string {
	return map[*ir.OpID][]string{
		Cast: {"std.tensor_cast"}, Extract: {"std.extract_element"}, FromElements: {"std.tensor_from_elements"},
		Generate: {"std.dynamic_tensor_from_elements"}, Splat: {"std.splat"},
	}
}

// Dialect is the tensor dialect.
var Dialect = &ir.Dialect{
	Name: "tensor",
	Ops: func() []*ir.OpDef {
		return ir.WithNames([]*ir.OpDef{bitcastDef(), castDef(), collapseShapeDef(), concatDef(), dimDef(), emptyDef(), expandShapeDef(), extractDef(), extractSliceDef(), fromElementsDef(),
			gatherDef(), generateDef(), insertDef(), insertSliceDef(), packDef(), padDef(), parallelInsertSliceDef(), rankDef(), reshapeDef(), scatterDef(), splatDef(), unpackDef(), yieldDef()}, 14, standardNames())
	},
	Models: []ir.Model{
		interfaces.Inliner.Model(interfaces.InlineAnywhere{}),
		interfaces.ConstantMaterializer.Model(complex.Materialize),
		rewrite.DialectCanonicalization.Model(dialectPatterns()),
	},
}
