package interfaces

import "freehold/ir"

// AsyncModel is about operations that control may leave before they have done their work.
type AsyncModel interface {
	// Token returns the result that stands for the work that is still to be done; nil if control
	// leaves the operation when all is done, and what it depends on as well.
	Token(op *ir.Op) *ir.Value
	// Dependencies returns position and number of the operands that are tokens: the operation begins when
	// their work has been done.
	Dependencies(op *ir.Op) (start, n int)
}

// Asynchronous is implemented by operations that may do their work later, or wait for that of others. They use their
// buffers, and those that their regions use, until an operation without a token depends on theirs, directly or by
// the tokens of others.
var Asynchronous = ir.NewInterface[AsyncModel]("Asynchronous")

// Tokens returns the results of an operation that stand for work on its buffers that may still be to be done. Of
// operations about which nothing is known, these may be all results of types that dialects define.
func Tokens(op *ir.Op) (tokens []*ir.Value) {
	if m, ok := Asynchronous.Of(op); ok {
		if t := m.Token(op); t != nil {
			tokens = append(tokens, t)
		}
		return tokens
	}
	for i := range op.NumResults() {
		switch r := op.Result(i); r.Type().(type) {
		case *ir.DialectType, *ir.OpaqueType:
			tokens = append(tokens, r)
		}
	}
	if len(tokens) == 0 || Call.Has(op) || RegionBranch.Has(op) {
		return nil
	}
	if _, known := EffectsOf(op); known {
		return nil
	}
	return tokens
}

// FreedBy is implemented by allocations whose buffers another operation than memref.dealloc frees. The model inserts
// that operation, for a buffer, and returns it.
var FreedBy = ir.NewInterface[func(b *ir.Builder, v *ir.Value) *ir.Op]("FreedBy")

// OtherFree is implemented by operations, besides memref.dealloc, that do nothing but free a buffer, which the program may be rid of since buffers are freed anew. The model
// inserts what is left of the operation then, and returns what takes the place of its results.
var OtherFree = ir.NewInterface[func(b *ir.Builder, op *ir.Op) []*ir.Value]("OtherFree")
