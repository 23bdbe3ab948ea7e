// Package tensor is the dialect of operations that create and take apart
// tensors: slices, reshapes, padding, elements and sizes.
package tensor

import (
	"freehold/dialect/arith"
	"freehold/exec"
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// Dialect is the tensor dialect.
var Dialect = &ir.Dialect{
	Name: "tensor",
	Ops: []*ir.OpDef{Bitcast, Cast, CollapseShape, Concat, Dim, Empty, ExpandShape, Extract, ExtractSlice, FromElements,
		Gather, Generate, Insert, InsertSlice, Pack, Pad, ParallelInsertSlice, Rank, Reshape, Scatter, Splat, Unpack, Yield},
	Models: []ir.Model{
		exec.DialectModels.Model(execute),
		exec.StoredOperand.Model(storedOperand),
		iface.Inliner.Model(inliner{}),
	},
}

// Folds, patterns and checks refer to definitions, their own among them, so they
// are attached after the definitions exist.
func init() {
	Dialect.Models = append(Dialect.Models, iface.ConstantMaterializer.Model(materializeConstant),
		rewrite.DialectCanonicalization.Model(dialectPatterns()))
	Pack.Verify = verifyPack
	Unpack.Verify = func(op *ir.Op) error { return verifyTiles(RelayoutOp{op}) }
	for _, def := range []*ir.OpDef{Pack, Unpack} {
		def.Models = append(def.Models, iface.ConditionallySpeculatable.Model(tiledSpeculatability))
	}
	Pad.Models = append(Pad.Models, iface.ReifyShapes.Model(reifyPad))
	Concat.Models = append(Concat.Models, iface.ReifyShapes.Model(reifyConcat))
	CollapseShape.Models = append(CollapseShape.Models, iface.ReifyShapes.Model(reifyCollapseShape))
	attach(Bitcast, foldCast, bitcastPatterns()...)
	attach(Cast, foldCast, castPatterns()...)
	attach(CollapseShape, foldCollapseShape, collapseShapePatterns()...)
	attach(Concat, foldConcat, concatPatterns()...)
	attach(Dim, foldDim, dimPatterns()...)
	attach(Empty, nil, emptyPatterns()...)
	attach(ExpandShape, foldExpandShape, expandShapePatterns()...)
	attach(Extract, foldExtract, extractPatterns()...)
	attach(ExtractSlice, foldExtractSlice, extractSlicePatterns()...)
	attach(FromElements, foldFromElements, fromElementsPatterns()...)
	attach(Gather, foldGather)
	attach(Generate, nil, generatePatterns()...)
	attach(Insert, foldInsert)
	attach(InsertSlice, foldInsertSlice, insertSlicePatterns()...)
	attach(Pack, foldPack, packPatterns()...)
	attach(Pad, foldPad, padPatterns()...)
	attach(ParallelInsertSlice, nil, parallelInsertSlicePatterns()...)
	attach(Rank, foldRank)
	attach(Reshape, foldReshape)
	attach(Splat, foldSplat)
	attach(Unpack, foldUnpack, unpackPatterns()...)
}

func attach(def *ir.OpDef, fold func(*ir.Op, []ir.Attribute) []ir.FoldResult, patterns ...rewrite.Pattern) {
	def.Fold = fold
	if len(patterns) > 0 {
		def.Models = append(def.Models, rewrite.Canonicalization.Model(patterns))
	}
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
