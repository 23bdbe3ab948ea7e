package async

import (
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Groups of work that is waited for together.
var (
	// CreateGroup is async.create_group, a group of as many members as a number says.
	CreateGroup = ir.NewOpID("async.create_group")
	// AddToGroup is async.add_to_group, which returns the number of the new member.
	AddToGroup = ir.NewOpID("async.add_to_group")
	// AwaitAll is async.await_all, which waits for all members.
	AwaitAll = ir.NewOpID("async.await_all")
)

func createGroupDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       CreateGroup,
		Operands: []ir.OperandDef{ir.Operand("size", constraint.Index)},
		Results:  ir.SingleResult("result", groupType),
		Traits:   ir.TraitPure,
		Format:   "$size `:` type($result) attr-dict",
	}
}

func addToGroupDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       AddToGroup,
		Operands: []ir.OperandDef{ir.Operand("operand", awaitable), ir.Operand("group", groupType)},
		Results:  ir.SingleResult("rank", constraint.Index),
		Format:   "$operand `,` $group `:` type($operand) attr-dict",
	}
}

func awaitAllDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       AwaitAll,
		Operands: []ir.OperandDef{ir.Operand("operand", groupType)},
		Format:   "$operand attr-dict",
		Models:   []ir.Model{interfaces.Asynchronous.Model(waiting{})},
	}
}
