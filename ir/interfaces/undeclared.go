package interfaces

import "freehold/ir"

// LocalAccess says how long an operation accesses the buffers that it is given.
type LocalAccess uint8

// The kinds of accesses.
const (
	// WhileExecuted operations are done with buffers when they have been executed.
	WhileExecuted LocalAccess = iota
	// UntilWait operations start a transfer, which goes on until an AtWait operation.
	UntilWait
	// AtWait operations wait for a transfer.
	AtWait
)

// LocalMemory is implemented by operations that allocate and free nothing, and keep no
// buffer, of which passes that behave like those of MLIR must not know more than MLIR declares: most
// have no model of [MemoryEffects].
var LocalMemory = ir.NewInterface[LocalAccess]("LocalMemory")
