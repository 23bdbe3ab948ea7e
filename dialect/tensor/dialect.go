// Package tensor is the dialect of operations that create and take apart
// tensors: slices, reshapes, padding, elements and sizes.
package tensor

import (
	"freehold/dialect/arith"
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// Dialect is the tensor dialect.
var Dialect = &ir.Dialect{
	Name: "tensor",
	Ops: []*ir.OpDef{bitcastDef, castDef, collapseShapeDef, concatDef, dimDef, emptyDef, expandShapeDef, extractDef, extractSliceDef, fromElementsDef,
		gatherDef, generateDef, insertDef, insertSliceDef, packDef, padDef, parallelInsertSliceDef, rankDef, reshapeDef, scatterDef, splatDef, unpackDef, yieldDef},
	Models: []ir.Model{
		iface.Inliner.Model(inliner{}),
		iface.ConstantMaterializer.Model(materializeConstant),
		rewrite.DialectCanonicalization.Model(dialectPatterns()),
	},
}

// inliner allows every operation of the dialect to be inlined.
type inliner struct{}

func (inliner) LegalCall(call, callee *ir.Op) bool                     { return true }
func (inliner) LegalOp(op *ir.Op, dest *ir.Region) bool                { return true }
func (inliner) Terminator(*ir.Builder, *ir.Op, *ir.Block, []*ir.Value) {}

// materializeConstant creates constants as arith does.
func materializeConstant(b *ir.Builder, value ir.Attribute, t ir.Type) *ir.Op {
	m, ok := iface.ConstantMaterializer.OfDialect(arith.Dialect)
	if !ok {
		return nil
	}
	return m(b, value, t)
}
