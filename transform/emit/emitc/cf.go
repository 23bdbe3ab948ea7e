package emitc

import (
	"freehold/dialect/cf"
	"freehold/ir"
)

// Branches are written by the region around them, see function.branch.
func cfEmitters() map[*ir.OpID]emitter {
	return map[*ir.OpID]emitter{
		cf.Assert: func(f *function, op *ir.Op) {
			f.linef("%s(%s);", f.m.helper("fh_assert"), f.value(cf.AssertOp{Op: op}.Arg()))
		},
	}
}
