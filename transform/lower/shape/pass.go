package shape

import (
	"freehold/dialect/shape"
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/rewrite"
	"freehold/pass"
)

// The passes.
var (
	// StdPass is --convert-shape-to-std.
	StdPass = pass.New(pass.Info{
		Name: "convert-shape-to-std", Title: "ConvertShapeToStandard",
		Summary: "Compute shapes with tensors of extents",
		Description: "Replaces operations of the shape dialect by those of tensor, arith and scf, where shapes are tensors of extents and sizes numbers. " +
			"What works on `!shape.shape` and `!shape.size`, which may be invalid, stays. Run `shape-to-shape-lowering` and `convert-shape-constraints` before. Linear time.",
		On: pass.Module,
	}, nil, conversion.Body(StdPatterns, ConvertToStd))
	// ConstraintsPass is --convert-shape-constraints.
	ConstraintsPass = pass.New(pass.Info{
		Name: "convert-shape-constraints", Title: "ConvertShapeConstraints",
		Summary: "Turn conditions on shapes into assertions",
		Description: "Replaces the witness of a condition by one that holds, and an assertion of the condition. The program ends where the condition doesn't hold, " +
			"also if nothing uses the witness. Linear time.",
	}, nil, rewrite.GreedyBody(func(*ir.Context) []rewrite.Pattern { return ConstraintPatterns() }))
	// RemoveConstraintsPass is --remove-shape-constraints.
	RemoveConstraintsPass = pass.New(pass.Info{
		Name: "remove-shape-constraints", Title: "RemoveShapeConstraints",
		Summary:     "Trust that conditions on shapes hold",
		Description: "Replaces witnesses that shapes are equal, or can be broadcast, by one that always holds. For programs that are known to be right. Linear time.",
		On:          pass.Function,
	}, nil, rewrite.GreedyBody(func(*ir.Context) []rewrite.Pattern { return RemovalPatterns() }))
	// SimplerPass is --shape-to-shape-lowering.
	SimplerPass = pass.New(pass.Info{
		Name: "shape-to-shape-lowering", Title: "ShapeToShapeLowering",
		Summary:     "Use fewer kinds of operations on shapes",
		Description: "Replaces `shape.num_elements` by the product of the extents, a `shape.reduce`. Run it before `convert-shape-to-std`. Linear time.",
		On:          pass.Function,
	}, nil, conversion.Body(SimplerPatterns, func(op *ir.Op, set *rewrite.PatternSet, report func(*ir.Diagnostic)) error {
		t := conversion.NewTarget()
		t.LegalDialects("arith", "shape")
		t.Illegal(shape.NumElements)
		return conversion.Partial(op, t, set, conversion.Config{Report: report})
	}))
)

// Register adds the passes.
func Register(r *pass.Registry) {
	r.Register(StdPass, ConstraintsPass, RemoveConstraintsPass, SimplerPass)
}
