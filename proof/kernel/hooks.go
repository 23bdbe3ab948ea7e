package kernel

import "freehold/ir"

// Hooks are called by a machine for who runs it, and decides there what to make of a program: package check goes on, and keeps what
// proofs, paths and certificates are made of; package verify refuses what isn't shown.
type Hooks struct {
	// Demand is called with a verification condition, of what must not happen to an object: bad must not hold where the frame is.
	// Require is called with one of the rule that gathers objects.
	Demand  func(fr *Frame, op *ir.Op, d Demand, object int, bad Lit)
	Require func(fr *Frame, op *ir.Op, bad Lit, format string, args ...any)
	// Regions executes the regions of an operation that is executed by its effects, any number of times, in any order.
	Regions func(fr *Frame, op *ir.Op)
	// Unknown returns a value that is used though nothing gave it one.
	Unknown func(fr *Frame, x *ir.Value) Value

	// All that follow do nothing, or refuse, unless they are set.

	// Assigned is told of what values get.
	Assigned func(x *ir.Value, is Value)
	// Made is told of an object that may be result i of an operation, and Allocated where it is allocated, if c holds.
	Made      func(fr *Frame, op *ir.Op, i, object int)
	Allocated func(fr *Frame, op *ir.Op, object int, c Lit)
	// Freed is told of an object that an operation frees where c holds, Spared of one that it doesn't free where c holds, but
	// otherwise.
	Freed  func(fr *Frame, op *ir.Op, object int, c Lit)
	Spared func(fr *Frame, op *ir.Op, object int, c Lit)
	// Stored is told of what an element gets that a memref sees, nil if that is unknown.
	Stored func(fr *Frame, to Value, is *Value)
	// Hidden is told of an operation that gets an address, and may do anything with it, and Refused of what can't be said.
	Hidden  func(fr *Frame, op *ir.Op)
	Refused func(op *ir.Op, why string)
	// Joined is told of a number that is x where c holds, else y, and Compared of a variable that holds just if a comparison has one of
	// some outcomes.
	Joined   func(out Value, c Lit, x, y Value)
	Compared func(l Lit, o Order, some Outcomes, x, y Value)
	// Exhausted tells to do no more.
	Exhausted func() bool
}
