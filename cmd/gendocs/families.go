package main

import (
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

// family is a page of passes that do one kind of thing.
type family struct {
	name, title, about string
	registers          []func(*pass.Registry)
}

// families are in the order in which a program meets their passes.
var families = []family{
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

// registry returns the passes of the family.
func (f family) registry() *pass.Registry {
	r := &pass.Registry{}
	for _, register := range f.registers {
		register(r)
	}
	return r
}
