// Package semantics is how operations state their semantics in terms of memory effects, for proofs: [freehold/proof/check] judges by
// it, and the verifier of certificates compares it with the effects by which it verifies. No pass asks for it.
//
// The operations of freehold's dialects have rules in a table of the check. Any other operation has the one that
// it states, as a model of [Stated] in its definition or attached to the context. A rule is part of what a proof
// assumes: it must be true.
package semantics

import (
	"fmt"
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// Kind is a kind of thing that operations do with buffers and addresses. The zero value is none.
type Kind uint8

// The kinds. None is for operations with regions, nor for those that pass control on or call something.
const (
	_ Kind = iota
	// Computes: its results are numbers, which depend on nothing but its operands, which are numbers as well, and
	// its attributes.
	Computes
	// Asks: it asks a buffer for what its memref says about it, such as a size, and doesn't touch the memory. Its
	// results are numbers, and none is an address.
	Asks
	// Views: its result sees the memory of its first operand, all or a part of it. It needs a model of
	// [interfaces.ViewLike], and one of [interfaces.ShiftedBase] if the base address is another one.
	Views
	// Accesses: it reads and writes the memory of buffers that the rule lists. Its results are numbers. It keeps no
	// buffer, and what it does with the contents it does with numbers.
	Accesses
	// Allocates: its result is a new buffer on the heap, which the program has to free.
	Allocates
	// Reserves: its result is a new buffer on the stack.
	Reserves
	// Frees: it frees its first operand, whatever the others are.
	Frees
)

// Rule is what an operation does with buffers and addresses.
type Rule struct {
	Does Kind
	// Reads and Writes are the operands whose memory it accesses; those that are no buffers don't count. What it
	// allocates itself is not listed.
	Reads, Writes []int
	// Destination tells that it reads all its buffers, and writes those that [interfaces.DestinationStyle] says, without lists.
	Destination bool
}

// Stated is implemented by operations that state a rule. Where the check has a rule of its own for an operation, what is
// stated about it, or attached to it, changes nothing there; the verifier of certificates refuses the operation if its effects contradict that.
var Stated = ir.NewInterface[Rule]("StatedRule")

// Known tells whether the rule is of a kind that there is.
func (r Rule) Known() bool { return r.Does >= Computes && r.Does <= Frees }

// Accessed returns the operands whose memory an operation with the rule reads and writes, buffers or not.
func (r Rule) Accessed(op *ir.Op) (reads, writes []int) {
	if !r.Destination {
		return r.Reads, r.Writes
	}
	start, n := 0, op.NumOperands()
	if m, ok := interfaces.DestinationStyle.Of(op); ok {
		start, n = m(op)
	}
	for i := range op.NumOperands() {
		reads = append(reads, i)
		if i >= start && i < start+n {
			writes = append(writes, i)
		}
	}
	return reads, writes
}

// Contradiction returns why the rule can't be that of an operation: it is none that there is, or doesn't fit the
// operation's operands, results and interfaces, or its effects, if they are known. It returns "" if nothing is known
// to be wrong. It takes time linear in operands, results and effects.
func (r Rule) Contradiction(op *ir.Op) string {
	if !r.Known() {
		return fmt.Sprintf("there is no rule of kind %d", r.Does)
	}
	if op.NumRegions() > 0 || op.NumSuccessors() > 0 || op.Has(ir.TraitTerminator) || interfaces.Call.Has(op) || interfaces.Function.Has(op) {
		return "no rule can be stated for what has regions, or passes control on"
	}
	if interfaces.ConditionalFree.Has(op) || interfaces.GlobalBuffer.Has(op) || interfaces.BufferViewFlow.Has(op) {
		return "no rule can be stated for what frees under conditions, returns global buffers, or passes buffers on"
	}
	accesses := len(r.Reads) > 0 || len(r.Writes) > 0 || r.Destination
	if accesses && (r.Does == Computes || r.Does == Asks) {
		return "it accesses memory, but does nothing that could"
	}
	if r.Destination && (len(r.Reads) > 0 || len(r.Writes) > 0 || !interfaces.DestinationStyle.Has(op)) {
		return "it accesses destinations, but the operation has none, or the rule lists operands"
	}
	for _, list := range [][]int{r.Reads, r.Writes} {
		for _, i := range list {
			if i < 0 || i >= op.NumOperands() {
				return fmt.Sprintf("it accesses operand #%d, which there isn't", i)
			}
		}
	}
	if why := r.againstTypes(op); why != "" {
		return why
	}
	if why := r.againstViews(op); why != "" {
		return why
	}
	return r.againstEffects(op)
}

// againstTypes tells whether the operation has the buffers that the rule is about.
func (r Rule) againstTypes(op *ir.Op) string {
	isBuffer := func(v *ir.Value) bool { return ir.IsMemRef(v.Type()) }
	if r.Does == Computes {
		for i := range op.NumOperands() {
			if isBuffer(op.Operand(i)) {
				return fmt.Sprintf("it computes from numbers, but operand #%d is a buffer", i)
			}
		}
	}
	if (r.Does == Views || r.Does == Frees) && (op.NumOperands() == 0 || !isBuffer(op.Operand(0))) {
		return "it is about the buffer that is the first operand, which there isn't"
	}
	makes := r.Does == Views || r.Does == Allocates || r.Does == Reserves
	if makes && (op.NumResults() == 0 || !isBuffer(op.Result(0))) {
		return "it is about the buffer that is the first result, which there isn't"
	}
	for i := range op.NumResults() {
		if isBuffer(op.Result(i)) && !(makes && i == 0) {
			return fmt.Sprintf("it doesn't say which buffer result #%d is", i)
		}
	}
	return ""
}

// againstViews tells whether the rule and the operation's interfaces agree on what its result is a view of.
func (r Rule) againstViews(op *ir.Op) string {
	of, view := interfaces.ViewLike.Of(op)
	if !view {
		of, view = interfaces.OtherView.Of(op)
	}
	switch {
	case view != (r.Does == Views):
		return "either the rule says that the operation is a view, or a model of ViewLikeOpInterface"
	case view && of(op) != op.Operand(0):
		return "its result is a view of the first operand, but by ViewLikeOpInterface of another one"
	}
	return ""
}

// againstEffects tells whether the rule and the operation's effects, if they are known, are the same.
func (r Rule) againstEffects(op *ir.Op) string {
	effects, known := interfaces.EffectsOf(op)
	if !known {
		return ""
	}
	allocates, reserves, frees := false, false, false
	for _, e := range effects {
		stack, v := e.On() == interfaces.AutomaticAllocationScopeResource, e.Value(op)
		switch {
		case v == nil && (stack || e.On() == interfaces.DefaultResource):
			return "by its effects the operation accesses memory at large"
		case v == nil: // no memory that buffers are in
		case e.Kind == interfaces.Allocate && e.IsOnResult() && v == op.Result(0):
			allocates, reserves = allocates || !stack, reserves || stack
		case e.Kind == interfaces.Free && e.IsOn(0):
			frees = true
		case e.Kind > interfaces.Write:
			return "by its effects the operation allocates or frees something else"
		}
	}
	if allocates != (r.Does == Allocates) || reserves != (r.Does == Reserves) || frees != (r.Does == Frees) {
		return "by its effects the operation allocates or frees something else"
	}
	reads, writes := r.Accessed(op)
	for i := range op.NumOperands() {
		if !ir.IsMemRef(op.Operand(i).Type()) {
			continue
		}
		has := func(kind interfaces.EffectKind) bool {
			return slices.ContainsFunc(effects, func(e interfaces.Effect) bool { return e.Kind == kind && e.IsOn(i) })
		}
		read, written := has(interfaces.Read), has(interfaces.Write)
		// What is written in full need not be read, though a rule about destinations says so.
		if listed := slices.Contains(reads, i); read != listed && (read || !r.Destination) {
			return disagreement("reads", listed, i)
		}
		if listed := slices.Contains(writes, i); written != listed {
			return disagreement("writes", listed, i)
		}
	}
	return ""
}

func disagreement(verb string, listed bool, i int) string {
	if listed {
		return fmt.Sprintf("it %s operand #%d, but by its effects the operation doesn't", verb, i)
	}
	return fmt.Sprintf("by its effects the operation %s operand #%d", verb, i)
}
