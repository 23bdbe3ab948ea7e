// Package async defines the async dialect: work that goes on while control is elsewhere, tokens and values by which it is waited for, and the runtime
// and the coroutines that it is lowered to. Programs are read, verified and printed; none of this can be executed here.
package async

import (
	"freehold/ir"
	"freehold/ir/asm"
)

const dialectName = "async"

// Dialect is the async dialect.
var Dialect = &ir.Dialect{
	Name: dialectName,
	Ops: func() []*ir.OpDef {
		ops := []*ir.OpDef{executeDef(), yieldDef(), awaitDef(), createGroupDef(), addToGroupDef(), awaitAllDef(), funcDef(), returnDef(), callDef()}
		return append(append(ops, coroutineDefs()...), runtimeDefs()...)
	},
	Types: ir.PlainTypes(tokenMnemonic, groupMnemonic, idMnemonic, handleMnemonic, stateMnemonic, valueMnemonic),
	Models: []ir.Model{
		asm.TypeParser.Model(parseType),
		asm.Directives.Model(map[string]asm.Directive{"AwaitType": awaitedType, "HeldType": heldType}),
	},
}
