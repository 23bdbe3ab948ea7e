// Package lowering replaces operations by simpler ones: affine by scf and arith, scf by
// branches between blocks, bufferization by memref.
package lowering

import (
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/pass"
)

// The passes.
var (
	LowerAffinePass = pass.New(pass.Info{
		Name: "lower-affine", Title: "ConvertAffineToStandard",
		Summary: "Replace affine loops, accesses and maps by scf, memref and arith",
		Description: `Replaces loops and conditionals of the affine dialect by those of scf, memory accesses by those of
memref and vector, and affine maps by arithmetic. An operation whose maps divide by a constant that isn't
positive stays, and an error says so. Run ` + "`cse`" + ` and ` + "`canonicalize`" + ` afterwards: each map is computed where it is used.`,
	}, nil, conversion.Body(AffinePatterns, LowerAffine))
	ConvertSCFToCFPass = pass.New(pass.Info{
		Name: "convert-scf-to-cf", Title: "SCFToControlFlow",
		Summary: "Replace structured control flow by branches between blocks",
		Description: `Replaces loops and conditionals by blocks that branch to each other. The iterations of parallel loops
run one after another. It is an error if a ` + "`scf.forall`" + ` has results. This is a late step: passes that look for loops find
none afterwards.`,
	}, nil, conversion.Body(ControlFlowPatterns, ConvertSCFToCF))
	ConvertBufferizationToMemRefPass = pass.New(pass.Info{
		Name: "convert-bufferization-to-memref", Title: "ConvertBufferizationToMemRef",
		Summary: "Replace the operations of bufferization by those of memref",
		Description: `Replaces ` + "`bufferization.clone`" + ` by an allocation and a copy, and ` + "`bufferization.dealloc`" + ` by
` + "`memref.dealloc`" + ` under conditions, as ` + "`bufferization-lower-deallocations`" + ` does. It is an error if another operation of the
dialect is left, or if a clone's type has a layout that no new buffer can be cast to.`,
	}, nil, pass.OnModule(func(c *pass.Context, _ *pass.None, op *ir.Op) error { return LowerBufferization(op, c.Emit) }))
	ReconcilePass = pass.New(pass.Info{
		Name: "reconcile-unrealized-casts", Title: "ReconcileUnrealizedCasts",
		Summary: "Remove conversion casts that undo each other",
		Description: `Replaces the results of casts that undo earlier casts by the values that were cast at first, and
erases casts that nothing uses. Run it when all conversions are done; casts that are left show what was not converted.`,
	}, nil, pass.OnModule(func(_ *pass.Context, _ *pass.None, op *ir.Op) error {
		conversion.ReconcileCasts(op)
		return nil
	}))
)

// Register adds the passes.
func Register(r *pass.Registry) {
	r.Register(LowerAffinePass, ConvertSCFToCFPass, ConvertBufferizationToMemRefPass, ReconcilePass)
}
