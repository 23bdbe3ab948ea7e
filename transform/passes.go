// Package transform lists the passes that freehold knows. Each package below has
// some of them.
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

// Family is passes that do one kind of thing.
type Family struct {
	// Name is a word for it, Title a heading, and About a sentence.
	Name, Title, About string
	registers          []func(*pass.Registry)
}

// Register adds the passes and pipelines of the family.
func (f Family) Register(r *pass.Registry) {
	for _, register := range f.registers {
		register(r)
	}
}

// Families returns the families, in the order in which a program meets their passes.
func Families() []Family {
	return []Family{
		{"lowering", "Passes that lower dialects", "They replace the operations of one dialect by those of another that is closer to a machine.",
			[]func(*pass.Registry){core.Register, quant.Register, shape.Register, stablehlo.Register, tosa.Register}},
		{"bufferization", "Passes that bufferize", "They turn tensors into buffers, or bring a program into a form from which that needs fewer buffers and copies.",
			[]func(*pass.Registry){convert.Register, normalize.Register, oneshot.Register, prepare.Register}},
		{"functions", "Passes about arguments and results", "They change which buffers functions are given, return and may overwrite.",
			[]func(*pass.Registry){boundary.Register}},
		{"deallocation", "Passes that free buffers", "They insert the frees of a program, or simplify and lower those that it has.",
			[]func(*pass.Registry){clone.Register, hlo.Register, ownership.Register}},
		{"memory", "Passes that save memory", "They make the peak smaller: by another order, by smaller pieces, by computing again, by sharing buffers.",
			[]func(*pass.Registry){placement.Register, rematerialize.Register, reuse.Register, schedule.Register, staticplan.Register, tile.Register}},
		{"rewriting", "Passes that rewrite and inspect", "They simplify programs within their dialects, or print what analyses know about them.",
			[]func(*pass.Registry){canonicalize.Register, cse.Register, debugging.Register, debuginfo.Register, inline.Register, interpreter.Register, licm.Register,
				linalg.Register, memref.Register, symboldce.Register}},
	}
}

// Register adds all passes and pipelines.
func Register(r *pass.Registry) {
	for _, f := range Families() {
		f.Register(r)
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
