package emitc

import (
	"freehold/dialect/affine"
	"freehold/dialect/cf"
	"freehold/dialect/linalg"
	"freehold/dialect/memref"
	"freehold/ir"
)

// emitter writes an operation.
type emitter func(f *function, op *ir.Op)

// emitters has what is written for operations, and scalars for those that compute each element of their result from one element of each
// operand.
var (
	emitters = map[*ir.OpID]emitter{}
	scalars  = map[*ir.OpID]scalar{}
	// quiet operations have no comment that tells their lines.
	quiet = map[*ir.OpID]bool{}
)

func init() {
	for _, t := range []map[*ir.OpID]emitter{arithEmitters, indexEmitters, complexEmitters, memrefEmitters, viewEmitters, scfEmitters, affineEmitters,
		cfEmitters, funcEmitters, mathEmitters, linalgEmitters, vectorEmitters, vectorMemoryEmitters, vectorReduceEmitters, bufferizationEmitters, dmaEmitters, shapeEmitters, otherEmitters} {
		for id, e := range t {
			emitters[id] = e
		}
	}
	for _, t := range []map[*ir.OpID]scalar{arithScalars, castScalars, indexScalars, mathScalars, complexScalars, vectorScalars} {
		for id, s := range t {
			scalars[id] = s
		}
	}
	for _, t := range []map[*ir.OpID]emitter{arithEmitters, indexEmitters, viewEmitters} {
		for id := range t {
			quiet[id] = true
		}
	}
	for _, id := range []*ir.OpID{memref.Load, memref.Store, affine.Load, affine.Store, affine.Apply, linalg.Index, cf.Assert} {
		quiet[id] = true
	}
}
