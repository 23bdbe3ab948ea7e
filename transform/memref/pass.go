package memref

import (
	"freehold/ir"
	"freehold/ir/rewrite"
	"freehold/pass"
)

// ExpandPass is --expand-strided-metadata.
var ExpandPass = &pass.Pass{
	Name: "expand-strided-metadata", Title: "ExpandStridedMetadata",
	Summary: "Expand memref operations into easier to analyze constructs",
	Description: `Replaces operations on the shape of buffers by what they do to the offset, sizes and strides:
` + "`memref.subview`, `memref.expand_shape` and `memref.collapse_shape` become `memref.reinterpret_cast` of the base that " +
		"`memref.extract_strided_metadata`" + ` returns, with operations of the affine dialect that compute the arguments;
and what is known about the result of an allocation, cast or view is not extracted again. Unlike mlir-opt-19, which
crashes on it, the pass expands a dimension to several dynamic ones.`,
	Prepare: func(c *ir.Context, _ *pass.Options) (any, error) {
		return rewrite.NewPatternSet(c, ExpandPatterns()), nil
	},
	Run: func(c *pass.Context, op *ir.Op) error {
		set := c.Prepared().(*rewrite.PatternSet)
		rewrite.ApplyPatternsInParallel(op, set, c.Threads(), rewrite.Config{})
		return nil
	},
}

// Register adds the passes.
func Register(r *pass.Registry) { r.Register(ExpandPass) }
