package async

import (
	"freehold/ir"
	"freehold/ir/constraint"
)

// What the dialect is lowered to before coroutines: operations on values, tokens and groups that a runtime counts references of.
var (
	// RuntimeCreate is async.runtime.create, a new value or token. RuntimeCreateGroup is async.runtime.create_group, a new group.
	RuntimeCreate, RuntimeCreateGroup = ir.NewOpID("async.runtime.create"), ir.NewOpID("async.runtime.create_group")
	// RuntimeSetAvailable, async.runtime.set_available, says that it is there, RuntimeSetError, async.runtime.set_error, that it won't be.
	RuntimeSetAvailable, RuntimeSetError = ir.NewOpID("async.runtime.set_available"), ir.NewOpID("async.runtime.set_error")
	// RuntimeIsError is async.runtime.is_error, which tells whether there was an error.
	RuntimeIsError = ir.NewOpID("async.runtime.is_error")
	// RuntimeAwait is async.runtime.await, which blocks. RuntimeAwaitAndResume, async.runtime.await_and_resume, resumes a coroutine later, and RuntimeResume,
	// async.runtime.resume, does so on some thread.
	RuntimeAwait, RuntimeAwaitAndResume, RuntimeResume = ir.NewOpID("async.runtime.await"), ir.NewOpID("async.runtime.await_and_resume"), ir.NewOpID("async.runtime.resume")
	// RuntimeStore is async.runtime.store, which makes a value hold something. RuntimeLoad is async.runtime.load, which returns that.
	RuntimeStore, RuntimeLoad = ir.NewOpID("async.runtime.store"), ir.NewOpID("async.runtime.load")
	// RuntimeAddToGroup is async.runtime.add_to_group, which returns the number of the new member.
	RuntimeAddToGroup = ir.NewOpID("async.runtime.add_to_group")
	// RuntimeAddRef and RuntimeDropRef are async.runtime.add_ref and drop_ref, by which there are more references, or fewer.
	RuntimeAddRef, RuntimeDropRef = ir.NewOpID("async.runtime.add_ref"), ir.NewOpID("async.runtime.drop_ref")
	// RuntimeNumWorkerThreads is async.runtime.num_worker_threads, the number of threads.
	RuntimeNumWorkerThreads = ir.NewOpID("async.runtime.num_worker_threads")
)

var count = ir.AttrDef{Name: "count",
	Type: constraint.Integer("64-bit signless integer attribute whose value is positive", ir.I64, func(n int64) bool { return n > 0 })}

func runtimeDefs() []*ir.OpDef {
	const typed = "$operand attr-dict `:` type($operand)"
	any := []ir.OperandDef{ir.Operand("operand", counted)}
	handle := ir.Operand("handle", handleType)
	held := ir.TypeRule{From: "storage", To: "value", Transform: HeldBy, Summary: "type of 'value' matches element type of 'storage'"}
	return []*ir.OpDef{
		{ID: RuntimeCreate, Results: ir.SingleResult("result", awaitable), Format: "attr-dict `:` type($result)"},
		{ID: RuntimeCreateGroup, Operands: []ir.OperandDef{ir.Operand("size", constraint.Index)}, Results: ir.SingleResult("result", groupType),
			Format: "$size `:` type($result) attr-dict"},
		{ID: RuntimeSetAvailable, Operands: []ir.OperandDef{ir.Operand("operand", awaitable)}, Format: typed},
		{ID: RuntimeSetError, Operands: []ir.OperandDef{ir.Operand("operand", awaitable)}, Format: typed},
		{ID: RuntimeIsError, Operands: any, Results: ir.SingleResult("is_error", constraint.I1), Format: typed},
		{ID: RuntimeAwait, Operands: any, Format: typed},
		{ID: RuntimeResume, Operands: []ir.OperandDef{handle}, Format: "$handle attr-dict"},
		{ID: RuntimeAwaitAndResume, Operands: append(any[:1:1], handle), Format: "$operand `,` $handle attr-dict `:` type($operand)"},
		{ID: RuntimeStore, Operands: []ir.OperandDef{ir.Operand("value", constraint.AnyType), ir.Operand("storage", valueType)},
			TypeRules: []ir.TypeRule{held}, Format: "$value `,` $storage attr-dict `:` custom<HeldType>(type($storage), type($value))"},
		{ID: RuntimeLoad, Operands: []ir.OperandDef{ir.Operand("storage", valueType)}, Results: ir.SingleResult("value", constraint.AnyType),
			TypeRules: []ir.TypeRule{held}, Format: "$storage attr-dict `:` custom<HeldType>(type($storage), type($value))"},
		{ID: RuntimeAddToGroup, Operands: []ir.OperandDef{ir.Operand("operand", awaitable), ir.Operand("group", groupType)},
			Results: ir.SingleResult("rank", constraint.Index), Format: "$operand `,` $group attr-dict `:` type($operand)"},
		{ID: RuntimeAddRef, Operands: any, Attrs: []ir.AttrDef{count}, Format: typed},
		{ID: RuntimeDropRef, Operands: any, Attrs: []ir.AttrDef{count}, Format: typed},
		{ID: RuntimeNumWorkerThreads, Results: ir.SingleResult("result", constraint.Index), Format: "attr-dict `:` type($result)"},
	}
}
