package memref

import (
	"freehold/ir"
	"freehold/ir/rewrite"
	"freehold/pass"
)

// ExpandPass is --expand-strided-metadata.
var ExpandPass = pass.New(pass.Info{
	Name: "expand-strided-metadata", Title: "ExpandStridedMetadata",
	Summary: "Reduce views of buffers to an offset, sizes and strides",
	Description: `Replaces operations on the shape of buffers by what they do to the offset, sizes and strides:
` + "`memref.subview`, `memref.expand_shape` and `memref.collapse_shape` become `memref.reinterpret_cast` of the base that " +
		"`memref.extract_strided_metadata`" + ` returns, with operations of the affine dialect that compute the arguments;
and what is known about the result of an allocation, cast or view is not extracted again. Unlike mlir-opt-19, which
crashes on it, the pass expands a dimension to several dynamic ones. Run ` + "`lower-affine`" + ` afterwards.`,
}, nil, rewrite.GreedyBody(func(*ir.Context) []rewrite.Pattern { return ExpandPatterns() }))

// Register adds the passes.
func Register(r *pass.Registry) { r.Register(ExpandPass) }
