package linalg

import (
	"freehold/ir"
	"freehold/ir/rewrite"
	"freehold/pass"
)

// greedy is a pass that applies patterns to whatever it runs on.
func greedy(p pass.Pass, patterns func(*ir.Context) []rewrite.Pattern) *pass.Pass {
	p.Prepare = func(c *ir.Context, _ *pass.Options) (any, error) { return rewrite.NewPatternSet(c, patterns(c)), nil }
	p.Run = func(c *pass.Context, op *ir.Op) error {
		set := c.Prepared().(*rewrite.PatternSet)
		rewrite.ApplyPatternsInParallel(op, set, c.Threads(), rewrite.Config{})
		return nil
	}
	return &p
}

func loopsPass(name, title, loops string, kind LoopKind) *pass.Pass {
	return greedy(pass.Pass{
		Name: name, Title: title,
		Summary: "Lower the operations from the linalg dialect into " + loops,
		Description: `Replaces each structured operation whose operands are memrefs and scalars by a loop nest over its
iteration space; its body is computed once for each point. Operations on tensors stay.`,
	}, func(c *ir.Context) []rewrite.Pattern { return LoopPatterns(c, kind) })
}

// GeneralizePass is --linalg-generalize-named-ops.
var GeneralizePass = greedy(pass.Pass{
	Name: "linalg-generalize-named-ops", Title: "LinalgGeneralizeNamedOpsPass",
	Summary: "Convert named ops into generic ops",
	Description: "Replaces named structured operations, such as `linalg.matmul`, by `linalg.generic` with the same maps and body. " +
		"`linalg.map` stays.",
}, func(*ir.Context) []rewrite.Pattern { return GeneralizePatterns() })

// The passes that lower structured operations to loops.
var (
	// LoopsPass is --convert-linalg-to-loops.
	LoopsPass = loopsPass("convert-linalg-to-loops", "ConvertLinalgToLoopsPass", "loops", SCFLoops)
	// AffineLoopsPass is --convert-linalg-to-affine-loops.
	AffineLoopsPass = loopsPass("convert-linalg-to-affine-loops", "ConvertLinalgToAffineLoopsPass", "affine loops", AffineLoops)
	// ParallelLoopsPass is --convert-linalg-to-parallel-loops.
	ParallelLoopsPass = loopsPass("convert-linalg-to-parallel-loops", "ConvertLinalgToParallelLoopsPass", "parallel loops", ParallelLoops)
)

// Register adds the passes.
func Register(r *pass.Registry) {
	r.Register(GeneralizePass, LoopsPass, AffineLoopsPass, ParallelLoopsPass)
}
