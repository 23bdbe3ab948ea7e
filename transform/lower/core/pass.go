// Package core replaces operations by simpler ones: affine by scf and arith, scf by
// branches between blocks, bufferization by memref.
package core

import (
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/rewrite"
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
	}, func(o *rollback, d *pass.Decl) {
		d.Bool(&o.allowed, "allow-pattern-rollback", true, "Accepted, and without effect: nothing is rolled back here")
	}, pass.Prepared(func(ctx *ir.Context, _ *rollback) func(*pass.Context, *ir.Op) error {
		patterns := rewrite.NewPatternSet(ctx, ControlFlowPatterns())
		return func(c *pass.Context, op *ir.Op) error { return ConvertSCFToCF(op, patterns, c.Emit) }
	}))
	ConvertBufferizationToMemRefPass = pass.New(pass.Info{
		Name: "convert-bufferization-to-memref", Title: "ConvertBufferizationToMemRef",
		Summary: "Replace the operations of bufferization by those of memref",
		Description: `Replaces ` + "`bufferization.clone`" + ` by an allocation and a copy, and ` + "`bufferization.dealloc`" + ` by
` + "`memref.dealloc`" + ` under conditions, as ` + "`bufferization-lower-deallocations`" + ` does. It is an error if another operation of the
dialect is left, or if a clone's type has a layout that no new buffer can be cast to.`,
	}, nil, pass.OnModule(func(c *pass.Context, _ *pass.None, op *ir.Op) error { return LowerBufferization(op, c.Emit) }))
	ArithExpandPass = pass.New(pass.Info{
		Name: "arith-expand", Title: "ArithExpandOps",
		Summary: "Compute rounded divisions, minima and maxima by simpler operations",
		Description: `Replaces divisions that round up or down, and minima and maxima, by operations of arith that are instructions of
LLVM, and conversions with a scale by those without. ` + "`arith.ceildivsi`" + ` is right for all numbers, as by the pass of LLVM 22; that of LLVM 19 is wrong for the least one.
As by both, zeros are equal whatever their signs are. The bodies of operations that their names say, such as that of ` + "`linalg.pooling_nhwc_max`" + `, stay as they
are; ` + "`mlir-opt`" + ` expands them, and prints the names.`,
	}, func(o *ExpandOptions, d *pass.Decl) {
		d.Bool(&o.BF16, "include-bf16", false, "Replace conversions between bf16 and f32 by operations on integers, too")
		d.Bool(&o.F8E8M0, "include-f8e8m0", false, "Replace conversions from and to f8E8M0FNU by operations on integers, too; they take the exponent, and don't round")
		d.Bool(&o.F4E2M1, "include-f4e2m1", false, "Replace conversions from and to f4E2M1FN by operations on integers, too; they round halves away from zero")
	}, pass.Prepared(func(ctx *ir.Context, o *ExpandOptions) func(*pass.Context, *ir.Op) error {
		patterns := rewrite.NewPatternSet(ctx, ArithExpandPatterns())
		return func(c *pass.Context, op *ir.Op) error { return ArithExpand(op, *o, patterns, c.Emit) }
	}))
	MemRefExpandPass = pass.New(pass.Info{
		Name: "memref-expand", Title: "ExpandOps",
		Summary: "Replace operations on buffers that LLVM has no instructions for",
		Description: `Replaces ` + "`memref.reshape`" + ` to a static number of sizes by ` + "`memref.reinterpret_cast`, and `memref.atomic_rmw`" + ` of
minima and maxima of floats whose result isn't used by ` + "`memref.generic_atomic_rmw`" + `. If the result is used, the operation stays:
` + "`memref.generic_atomic_rmw`" + ` returns the new element, and not the old one.`,
	}, nil, conversion.Body(MemRefExpandPatterns, MemRefExpand))
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

// rollback is the option of LLVM 22 that lets patterns fail after they changed something.
type rollback struct{ allowed bool }

// Register adds the passes.
func Register(r *pass.Registry) {
	r.Register(LowerAffinePass, ConvertSCFToCFPass, ConvertBufferizationToMemRefPass, ArithExpandPass, MemRefExpandPass, ReconcilePass)
}
