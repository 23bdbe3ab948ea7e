package analysis

import (
	"sync"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// Contract is what a function and those who call it owe each other about the buffers that it is passed. Whoever executes a
// function by itself, to judge it or to compare it with another, is a caller and keeps to it.
type Contract struct {
	// Inner tells that only calls in the program come to the function: what it does with buffers is settled between it and
	// these, and passes may settle it anew.
	Inner bool
	// Args has an entry for each argument.
	Args []ArgContract
}

// ArgContract is about the buffer of one argument.
type ArgContract struct {
	// Owned tells that the function may free the buffer, or leave anything in it: callers hand it over, and don't look at it
	// afterwards.
	Owned bool
	// Overwritable tells that nothing needs what the argument held after a call: tensors are values, and the program may give a buffer up.
	Overwritable bool
	// Distinct tells that callers pass no memory of another argument.
	Distinct bool
}

// Contracts know the contracts of the functions in a program.
type Contracts struct {
	callers   *Callers
	summaries *CallSummaries
	// givenUp and restricted are what [argumentsOf] returns.
	givenUp, restricted func() map[*ir.Op][]bool
}

// NewContracts looks at all functions in root; see [NewCallSummaries] for how long it takes.
func NewContracts(root *ir.Op) *Contracts {
	summaries := NewCallSummaries(root)
	return &Contracts{NewCallers(root, ir.NewSymbolTables()), summaries,
		sync.OnceValue(func() map[*ir.Op][]bool { return argumentsOf(root, summaries, interfaces.GivesUp) }),
		sync.OnceValue(func() map[*ir.Op][]bool { return argumentsOf(root, summaries, interfaces.Restricts) })}
}

// Of returns the contract of a function. A function that is public, that something else than calls refers to, or that nothing calls,
// has the contract of the C interface: the caller keeps its buffers, and they may be anywhere unless [DistinctAttr] says otherwise,
// or the function makes a tensor of one of which it says that nothing else is.
// Linear in the calls of the function.
func (c *Contracts) Of(fn *ir.Op) Contract {
	var out Contract
	entry := fn.BodyBlock(0)
	if entry == nil {
		return out
	}
	out.Args = make([]ArgContract, entry.NumArgs())
	calls := c.callers.Calls(fn)
	out.Inner = ir.IsPrivate(fn) && len(calls) > 0 && c.callers.OnlyCalled(fn)
	var frees []freeing
	if k := c.summaries.known[fn]; k != nil {
		frees = k.frees
	}
	givenUp, restricted := c.givenUp()[fn], c.restricted()[fn]
	for i := range out.Args {
		out.Args[i] = ArgContract{
			Owned:        out.Inner && i < len(frees) && frees[i].may,
			Overwritable: ir.IsTensor(entry.Arg(i).Type()) || i < len(givenUp) && givenUp[i],
			Distinct:     out.Inner || IsDistinct(entry.Arg(i)) || i < len(restricted) && restricted[i],
		}
	}
	if !out.Inner {
		return out
	}
	for _, call := range calls {
		m, _ := interfaces.Call.Of(call)
		start, n := m.Args(call)
		first := map[*ir.Value]int{}
		for i := range min(n, len(out.Args)) {
			v := call.Operand(start + i)
			if j, ok := first[v]; ok {
				out.Args[i].Distinct, out.Args[j].Distinct = false, false
			} else {
				first[v] = i
			}
		}
	}
	return out
}
