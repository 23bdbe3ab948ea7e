package conversion

import (
	"freehold/ir"
	"freehold/ir/rewrite"
)

// Adaptor is an operation with its operands as they are after conversion.
type Adaptor struct {
	op     *ir.Op
	values []*ir.Value
	lists  map[int][]*ir.Value // of the operands that became several values, or none
}

// Values returns all operands. An operand that became several values is the original
// one.
func (a Adaptor) Values() []*ir.Value { return a.values }

// Operand returns operand i.
func (a Adaptor) Operand(i int) *ir.Value { return a.values[i] }

// List returns the values that operand i became.
func (a Adaptor) List(i int) []*ir.Value {
	if l, ok := a.lists[i]; ok {
		return l
	}
	return a.values[i : i+1]
}

// Convert rewrites op by the rewriter, given its operands after conversion, and
// returns true; or returns false, and what it changed is undone. It must replace or
// erase op, or modify it in place.
type Convert func(r *Rewriter, op *ir.Op, operands Adaptor) bool

// Pattern completes p, which lacks Rewrite, to a pattern of dialect conversion, which
// matches nothing elsewhere. If types is not nil, operands have the types that it
// converts theirs to, and the pattern doesn't match operations with an operand whose
// type it can't convert; else operands have the types of their latest replacements.
func Pattern(p rewrite.Pattern, types *TypeConverter, convert Convert) rewrite.Pattern {
	p.Rewrite = func(r *rewrite.Rewriter, op *ir.Op) bool {
		s := stateOf(r)
		if s == nil {
			return false
		}
		outer := s.types
		s.types = types
		defer func() { s.types = outer }()
		a, ok := s.adapt(op)
		return ok && convert(&Rewriter{r, s}, op, a)
	}
	return p
}
