package async

import "freehold/ir"

// Coroutines, as LLVM has them.
var (
	// CoroID is async.coro.id, a coroutine. CoroBegin, async.coro.begin, allocates its frame, and CoroFree frees it.
	CoroID, CoroBegin, CoroFree = ir.NewOpID("async.coro.id"), ir.NewOpID("async.coro.begin"), ir.NewOpID("async.coro.free")
	// CoroEnd is async.coro.end, the end of a coroutine.
	CoroEnd = ir.NewOpID("async.coro.end")
	// CoroSave is async.coro.save, which makes a coroutine ready to be suspended at CoroSuspend, async.coro.suspend.
	CoroSave, CoroSuspend = ir.NewOpID("async.coro.save"), ir.NewOpID("async.coro.suspend")
)

func coroutineDefs() []*ir.OpDef {
	id, handle, state := ir.Operand("id", idType), ir.Operand("handle", handleType), ir.Operand("state", stateType)
	return []*ir.OpDef{
		{ID: CoroID, Results: ir.SingleResult("id", idType), Format: "attr-dict"},
		{ID: CoroBegin, Operands: []ir.OperandDef{id}, Results: ir.SingleResult("handle", handleType), Format: "$id attr-dict"},
		{ID: CoroFree, Operands: []ir.OperandDef{id, handle}, Format: "$id `,` $handle attr-dict"},
		{ID: CoroEnd, Operands: []ir.OperandDef{handle}, Format: "$handle attr-dict"},
		{ID: CoroSave, Operands: []ir.OperandDef{handle}, Results: ir.SingleResult("state", stateType), Format: "$handle attr-dict"},
		{ID: CoroSuspend, Operands: []ir.OperandDef{state},
			Successors: []ir.SuccessorDef{{Name: "suspendDest"}, {Name: "resumeDest"}, {Name: "cleanupDest"}},
			Traits:     ir.TraitTerminator,
			Format:     "$state `,` $suspendDest `,` $resumeDest `,` $cleanupDest attr-dict"},
	}
}
