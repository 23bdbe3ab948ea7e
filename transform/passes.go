// Package transform lists the passes that freehold knows. Each family of passes is
// a package of its own.
package transform

import (
	"freehold/ir"
	"freehold/pass"
	"freehold/transform/bufferize/boundary"
	"freehold/transform/bufferize/convert"
	"freehold/transform/bufferize/normalize"
	"freehold/transform/bufferize/oneshot"
	"freehold/transform/bufferize/prepare"
	"freehold/transform/deallocate/clone"
	"freehold/transform/deallocate/hlo"
	"freehold/transform/deallocate/ownership"
	"freehold/transform/generic/canonicalize"
	"freehold/transform/generic/cse"
	"freehold/transform/generic/debugging"
	"freehold/transform/generic/debuginfo"
	"freehold/transform/generic/inline"
	"freehold/transform/generic/interpreter"
	"freehold/transform/generic/licm"
	"freehold/transform/generic/linalg"
	"freehold/transform/generic/memref"
	"freehold/transform/generic/symboldce"
	"freehold/transform/lower/core"
	"freehold/transform/lower/quant"
	"freehold/transform/lower/shape"
	"freehold/transform/lower/stablehlo"
	"freehold/transform/lower/tosa"
	"freehold/transform/memory/placement"
	"freehold/transform/memory/rematerialize"
	"freehold/transform/memory/reuse"
	"freehold/transform/memory/schedule"
	"freehold/transform/memory/staticplan"
	"freehold/transform/memory/tile"
)

// Register adds all passes and pipelines.
func Register(r *pass.Registry) {
	for _, register := range []func(*pass.Registry){
		boundary.Register,
		oneshot.Register,
		canonicalize.Register,
		clone.Register,
		convert.Register,
		cse.Register,
		debugging.Register,
		debuginfo.Register,
		hlo.Register,
		inline.Register,
		interpreter.Register,
		licm.Register,
		linalg.Register,
		core.Register,
		memref.Register,
		normalize.Register,
		ownership.Register,
		placement.Register,
		prepare.Register,
		quant.Register,
		rematerialize.Register,
		reuse.Register,
		schedule.Register,
		staticplan.Register,
		tile.Register,
		shape.Register,
		stablehlo.Register,
		symboldce.Register,
		tosa.Register,
	} {
		register(r)
	}
}

// Attach attaches the models that families of passes bring for the operations of
// dialects. All dialects must be registered in the context.
func Attach(c *ir.Context) {
	for _, attach := range []func(*ir.Context){
		hlo.Attach,
	} {
		attach(c)
	}
}
