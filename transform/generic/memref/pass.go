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

// FoldAliasPass is --fold-memref-alias-ops.
var FoldAliasPass = pass.New(pass.Info{
	Name: "fold-memref-alias-ops", Title: "FoldMemRefAliasOps",
	Summary: "Access what views are views of",
	Description: `Replaces loads and stores of elements and vectors in ` + "`memref.subview`, `memref.expand_shape` and `memref.collapse_shape`" + `
by those in the buffer itself, at positions that operations of the affine dialect compute, and subviews of subviews by one, if
they have strides of one. Vectors that may go over the end of a row of a ` + "`memref.collapse_shape`" + ` stay, which mlir-opt-19 moves
over the end of that row in the buffer. Run ` + "`lower-affine`" + ` afterwards. It takes time in the size of the program.`,
}, nil, rewrite.GreedyBody(func(*ir.Context) []rewrite.Pattern { return AliasPatterns() }))

// AffineFoldAliasPass is --affine-fold-memref-alias-ops.
var AffineFoldAliasPass = pass.New(pass.Info{
	Name: "affine-fold-memref-alias-ops", Title: "AffineFoldMemRefAliasOps",
	Summary: "Let accesses of the affine dialect access what views are views of",
	Description: `Replaces ` + "`affine.load` and `affine.store`" + ` of elements in ` + "`memref.subview`, `memref.expand_shape` and `memref.collapse_shape`" + `
by those in the buffer itself, at positions that other operations of the dialect compute. Until LLVM 21, ` + "`fold-memref-alias-ops`" + ` does that as well.`,
}, nil, rewrite.GreedyBody(func(*ir.Context) []rewrite.Pattern { return AffineAliasPatterns() }))

// SpaceCastsPass is --bubble-down-memory-space-casts.
var SpaceCastsPass = pass.New(pass.Info{
	Name: "bubble-down-memory-space-casts", Title: "BubbleDownMemorySpaceCasts",
	Summary: "Move casts to the default memory space below views and accesses",
	Description: `Lets views and accesses of a ` + "`memref.memory_space_cast`" + ` to the default memory space take the buffer in its own
space. A view is cast instead of what it is a view of, and so on, until only what needs the default space is left with a cast.`,
}, nil, rewrite.GreedyBody(func(*ir.Context) []rewrite.Pattern { return SpaceCastPatterns() }))

// FlattenPass is --flatten-memref.
var FlattenPass = pass.New(pass.Info{
	Name: "flatten-memref", Title: "FlattenMemref",
	Summary: "Access and allocate buffers as if they had one dimension",
	Description: `Loads, stores and transfers of elements and of vectors with one dimension access a ` + "`memref.reinterpret_cast`" + ` of the buffer to one
dimension, at the position that an operation of the affine dialect computes; what is allocated with constant sizes is allocated with one
dimension. Buffers whose strides aren't known, or whose rows overlap, stay, as mlir-opt makes them too small, and so do transfers with a mask, which it
forgets. Run ` + "`lower-affine`" + ` afterwards.`,
}, nil, rewrite.GreedyBody(func(*ir.Context) []rewrite.Pattern { return FlattenPatterns() }))

// SubsetsPass is --fold-tensor-subset-ops.
var SubsetsPass = pass.New(pass.Info{
	Name: "fold-tensor-subset-ops", Title: "FoldTensorSubsetOps",
	Summary: "Let transfers read and write what slices are of",
	Description: `Lets ` + "`vector.transfer_read` of a `tensor.extract_slice`" + ` read from the tensor that the slice is of, and writes a vector that is all
of what a ` + "`tensor.insert_slice`" + ` puts into a tensor there. A slice that is all of the tensor that is put somewhere is put there itself. Positions are
computed by operations of the affine dialect.`,
}, nil, rewrite.GreedyBody(func(*ir.Context) []rewrite.Pattern { return SubsetPatterns() }))

// RaisePass is --affine-raise-from-memref.
var RaisePass = pass.New(pass.Info{
	Name: "affine-raise-from-memref", Title: "AffineRaiseFromMemref",
	Summary: "Make accesses at affine positions those of the affine dialect",
	Description: "Replaces `memref.load` and `memref.store` by `affine.load` and `affine.store`" + ` where all indices are constants, loop counters of the affine
dialect, symbols, and sums and products of them. What computed the indices stays, for ` + "`canonicalize`" + ` to remove; hints about the cache are lost.`,
}, nil, pass.OnModule(func(c *pass.Context, _ *pass.None, op *ir.Op) error {
	if !RaiseAccesses(op) {
		c.Unchanged()
	}
	return nil
}))

// ReifyPass is --reify-result-shapes.
var ReifyPass = pass.New(pass.Info{
	Name: "reify-result-shapes", Title: "ReifyResultShapes",
	Summary: "Give tensor.pad and tensor.concat the sizes that are constant",
	Description: `Gives results of ` + "`tensor.pad` and `tensor.concat`" + ` the sizes that turn out to be constant when they are computed from the operands, and
casts them to the type that they had. What computes the sizes stays, for ` + "`canonicalize`" + ` to remove. Linear time.`,
}, nil, pass.OnModule(func(c *pass.Context, _ *pass.None, op *ir.Op) error {
	if !ReifyResultShapes(op) {
		c.Unchanged()
	}
	return nil
}))

// NormalizePass is --normalize-memrefs.
var NormalizePass = pass.New(pass.Info{
	Name: "normalize-memrefs", Title: "NormalizeMemRefs", On: pass.Module,
	Summary: "Replace layouts of buffers by other shapes and positions",
	Description: "Gives buffers with a layout, such as tiles (`affine_map<(d0) -> (d0 floordiv 32, d0 mod 32)>`), constant strides or swapped " +
		"dimensions, a type without one: as large as the layout needs, accessed where the layout says. Allocations, arguments and results of " +
		"functions change, and functions that call each other together or not at all. Dynamic sizes need a layout of tiles. A buffer stays, with " +
		"all of its function, if something else than accesses at affine positions, loads, stores, sizes, frees, transfers, calls and " +
		"returns uses one that has a layout. Linear time.",
}, nil, pass.OnModule(func(c *pass.Context, _ *pass.None, op *ir.Op) error {
	if !Normalize(op) {
		c.Unchanged()
	}
	return nil
}))

// ResolveRankedDimsPass is --resolve-ranked-shaped-type-result-dims; ResolveDimsPass does the same by its other name.
var (
	ResolveRankedDimsPass = resolveDims("resolve-ranked-shaped-type-result-dims", "ResolveRankedShapeTypeResultDims")
	ResolveDimsPass       = resolveDims("resolve-shaped-type-result-dims", "ResolveShapedTypeResultDims")
)

// ResolveOptions are the options of the passes that compute sizes of results.
type ResolveOptions struct {
	// ErrorOnLimit is there for command lines of LLVM 22: patterns always come to an end here.
	ErrorOnLimit bool
}

func (o *ResolveOptions) declare(d *pass.Decl) {
	d.Bool(&o.ErrorOnLimit, "error-on-pattern-iteration-limit", true, "Accepted, and without effect: patterns always come to an end")
}

func resolveDims(name, title string) pass.Typed[ResolveOptions] {
	return pass.New(pass.Info{
		Name: name, Title: title,
		Summary: "Compute sizes of results from operands",
		Description: `Replaces ` + "`tensor.dim` and `memref.dim`" + ` of a result by what the operation that returns it computes its sizes
from. Then operations of whose results only the sizes are used can go away. Both names do the same.`,
	}, (*ResolveOptions).declare, rewrite.GreedyBodyWith(func(*ir.Context, *ResolveOptions) []rewrite.Pattern { return ResolveDimPatterns() }))
}

// Register adds the passes.
func Register(r *pass.Registry) {
	r.Register(ExpandPass, FoldAliasPass, AffineFoldAliasPass, SpaceCastsPass, FlattenPass, SubsetsPass, RaisePass, ReifyPass, NormalizePass, ResolveRankedDimsPass, ResolveDimsPass, UnusedGlobalsPass)
}
