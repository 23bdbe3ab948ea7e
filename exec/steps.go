package exec

import "freehold/ir"

// Nothing is the model of [Executable] of operations that have no effect in the
// interpreter: hints, declarations, what another operation executes.
func Nothing(*Compiler, *ir.Op) (Step, error) { return nil, nil }

// LeaveRegion is the model of [Executable] of terminators that end a region with the
// values of their operands.
func LeaveRegion(c *Compiler, op *ir.Op) (Step, error) { return c.Leave(op.Operands()), nil }

// Jump is the model of [Executable] of terminators that go to their only successor with
// the values of their operands.
func Jump(c *Compiler, op *ir.Op) (Step, error) { return c.Goto(op.Successor(0), op.Operands()), nil }
