// Package lowering replaces operations by simpler ones: affine by scf and arith, scf by
// branches between blocks, bufferization by memref.
package lowering

import (
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/rewrite"
	"freehold/pass"
)

// The passes.
var (
	LowerAffinePass = &pass.Pass{
		Name: "lower-affine", Title: "ConvertAffineToStandard",
		Summary: "Lower Affine operations to a combination of Standard and SCF operations",
		Description: `Replaces loops and conditionals of the affine dialect by those of scf, memory accesses by those of
memref and vector, and affine maps by arithmetic. An operation whose maps divide by a constant that isn't
positive stays, and an error says so.`,
		Prepare: prepare(AffinePatterns),
		Run: func(c *pass.Context, op *ir.Op) error {
			return LowerAffine(op, c.Prepared().(*rewrite.PatternSet), c.Emit)
		},
	}
	ConvertSCFToCFPass = &pass.Pass{
		Name: "convert-scf-to-cf", Title: "SCFToControlFlow",
		Summary: "Convert SCF dialect to ControlFlow dialect, replacing structured control flow with a CFG",
		Description: `Replaces loops and conditionals by blocks that branch to each other. The iterations of parallel loops
run one after another. It is an error if a ` + "`scf.forall`" + ` has results.`,
		Prepare: prepare(ControlFlowPatterns),
		Run: func(c *pass.Context, op *ir.Op) error {
			return ConvertSCFToCF(op, c.Prepared().(*rewrite.PatternSet), c.Emit)
		},
	}
	ConvertBufferizationToMemRefPass = &pass.Pass{
		Name: "convert-bufferization-to-memref", Title: "ConvertBufferizationToMemRef",
		Summary: "Convert operations from the Bufferization dialect to the MemRef dialect",
		Description: `Replaces ` + "`bufferization.clone`" + ` by an allocation and a copy, and ` + "`bufferization.dealloc`" + ` by
` + "`memref.dealloc`" + ` under conditions, as ` + "`bufferization-lower-deallocations`" + ` does. It is an error if another operation of the
dialect is left, or if a clone's type has a layout that no new buffer can be cast to.`,
		Run: func(c *pass.Context, op *ir.Op) error { return LowerBufferization(op, c.Emit) },
	}
	ReconcilePass = &pass.Pass{
		Name: "reconcile-unrealized-casts", Title: "ReconcileUnrealizedCasts",
		Summary: "Simplify and eliminate unrealized conversion casts",
		Description: `Replaces the results of casts that undo earlier casts by the values that were cast at first, and
erases casts that nothing uses.`,
		Run: func(_ *pass.Context, op *ir.Op) error {
			conversion.ReconcileCasts(op)
			return nil
		},
	}
)

func prepare(patterns func() []rewrite.Pattern) func(*ir.Context, *pass.Options) (any, error) {
	return func(c *ir.Context, _ *pass.Options) (any, error) { return rewrite.NewPatternSet(c, patterns()), nil }
}

// Register adds the passes.
func Register(r *pass.Registry) {
	r.Register(LowerAffinePass, ConvertSCFToCFPass, ConvertBufferizationToMemRefPass, ReconcilePass)
}
