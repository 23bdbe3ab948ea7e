package linalg

import (
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/rewrite"
	"freehold/pass"
)

func loopsPass(name, title, loops string, kind LoopKind) pass.Typed[pass.None] {
	return pass.New(pass.Info{
		Name: name, Title: title,
		Summary: "Turn structured operations on buffers into " + loops,
		Description: `Replaces each structured operation whose operands are memrefs and scalars by a loop nest over its
iteration space; its body is computed once for each point. Operations on tensors stay: bufferize first.`,
	}, nil, rewrite.GreedyBody(func(c *ir.Context) []rewrite.Pattern { return LoopPatterns(c, kind) }))
}

// GeneralizePass is --linalg-generalize-named-ops.
var GeneralizePass = pass.New(pass.Info{
	Name: "linalg-generalize-named-ops", Title: "LinalgGeneralizeNamedOpsPass",
	Summary: "Write named structured operations as linalg.generic",
	Description: "Replaces named structured operations, such as `linalg.matmul`, by `linalg.generic` with the same maps and body. " +
		"`linalg.map` stays. Run it before passes that know only `linalg.generic`.",
}, nil, rewrite.GreedyBody(func(*ir.Context) []rewrite.Pattern { return GeneralizePatterns() }))

// The passes that make other operations structured ones.
var (
	// ElementwisePass is --convert-elementwise-to-linalg.
	ElementwisePass = pass.New(pass.Info{
		Name: "convert-elementwise-to-linalg", Title: "ConvertElementwiseToLinalgPass",
		Summary: "Turn arithmetic on whole tensors into structured operations",
		Description: "Replaces operations such as `arith.addf` and `math.exp`, where they work on ranked tensors, by `linalg.generic` with the " +
			"operation on scalars in its body. Bufferization knows structured operations only. An operand of the result's type is the init, " +
			"so that its buffer may be used again; else an empty tensor is. Linear time.",
	}, nil, conversion.Body(ElementwisePatterns, ConvertElementwise))
	// TensorsPass is --convert-tensor-to-linalg.
	TensorsPass = pass.New(pass.Info{
		Name: "convert-tensor-to-linalg", Title: "ConvertTensorToLinalgPass",
		Summary: "Turn tensor.pad into linalg.fill and an insertion",
		Description: "Replaces `tensor.pad` by a tensor that holds the padding, into which the source is inserted: by `linalg.fill` if the padding is the same " +
			"everywhere, else by `tensor.generate`. Passes that know structured operations, such as tiling and fusion, can work with that. Linear time.",
	}, nil, conversion.Body(TensorPatterns, ConvertTensors))
)

// UnitDimOptions are the options of linalg-fold-unit-extent-dims.
type UnitDimOptions struct {
	// Slices takes and inserts slices that lack dimensions of size 1; else, values are reshaped.
	Slices bool
}

func (o *UnitDimOptions) declare(d *pass.Decl) {
	d.Bool(&o.Slices, "use-rank-reducing-slices", false, "Take and insert slices that lack the dimensions, where passes that follow look for slices, such as tiling; else reshape")
}

// UnitDimsPass is --linalg-fold-unit-extent-dims.
var UnitDimsPass = pass.New(pass.Info{
	Name: "linalg-fold-unit-extent-dims", Title: "LinalgFoldUnitExtentDimsPass",
	Summary: "Drop dimensions of size 1",
	Description: "Drops the dimensions of size 1 from the iteration space of each `linalg.generic`, with those of its operands, and from " +
		"`tensor.pad`, slices and insertions; reshapes (or slices) at both ends make up for it, and cancel out where operations follow each other. " +
		"Inits that are read become inputs where all dimensions are parallel. Buffers with layouts keep their dimensions. Named " +
		"operations stay: run `linalg-generalize-named-ops` before. Linear time.",
}, (*UnitDimOptions).declare, rewrite.GreedyBodyWith(func(c *ir.Context, o *UnitDimOptions) []rewrite.Pattern { return UnitDimPatterns(c, *o) }))

// The passes that lower structured operations to loops.
var (
	// LoopsPass is --convert-linalg-to-loops.
	LoopsPass = loopsPass("convert-linalg-to-loops", "ConvertLinalgToLoopsPass", "loops of scf", SCFLoops)
	// AffineLoopsPass is --convert-linalg-to-affine-loops.
	AffineLoopsPass = loopsPass("convert-linalg-to-affine-loops", "ConvertLinalgToAffineLoopsPass", "loops of affine", AffineLoops)
	// ParallelLoopsPass is --convert-linalg-to-parallel-loops.
	ParallelLoopsPass = loopsPass("convert-linalg-to-parallel-loops", "ConvertLinalgToParallelLoopsPass", "parallel loops", ParallelLoops)
)

// Register adds the passes.
func Register(r *pass.Registry) {
	r.Register(GeneralizePass, ElementwisePass, TensorsPass, UnitDimsPass, LoopsPass, AffineLoopsPass, ParallelLoopsPass)
}
