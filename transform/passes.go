// Package transform lists the passes that freehold knows. Each family of passes is
// a package of its own.
package transform

import (
	"freehold/ir"
	"freehold/pass"
	"freehold/transform/boundary"
	"freehold/transform/bufferize"
	"freehold/transform/canonicalize"
	"freehold/transform/cloning"
	"freehold/transform/convert"
	"freehold/transform/cse"
	"freehold/transform/debugging"
	"freehold/transform/debuginfo"
	"freehold/transform/hlo"
	"freehold/transform/inline"
	"freehold/transform/interpreter"
	"freehold/transform/licm"
	"freehold/transform/linalg"
	"freehold/transform/lowering"
	"freehold/transform/memref"
	"freehold/transform/ownership"
	"freehold/transform/placement"
	"freehold/transform/prepare"
	"freehold/transform/reuse"
	"freehold/transform/shape"
	"freehold/transform/symboldce"
	"freehold/transform/tosa"
)

// Register adds all passes and pipelines.
func Register(r *pass.Registry) {
	for _, register := range []func(*pass.Registry){
		boundary.Register,
		bufferize.Register,
		canonicalize.Register,
		cloning.Register,
		convert.Register,
		cse.Register,
		debugging.Register,
		debuginfo.Register,
		hlo.Register,
		inline.Register,
		interpreter.Register,
		licm.Register,
		linalg.Register,
		lowering.Register,
		memref.Register,
		ownership.Register,
		placement.Register,
		prepare.Register,
		reuse.Register,
		shape.Register,
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
