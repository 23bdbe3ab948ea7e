package kernel

import (
	"freehold/ir"
)

// question is what an operation asks its first operand.
type question struct {
	of   *ir.Value
	what string
}

// AskedBefore returns the operation that asked the first operand of op for the same, given a number, wherever op is executed: of the block where op is, or of one that
// holds it or comes before it there. It returns nil if there is none, and notes op to be found by others.
func (v *Machine) AskedBefore(fr *Frame, op *ir.Op, number Value) *ir.Op {
	q := question{op.Operand(0), op.Name() + Identity(number)}
	if Identity(number) == "" {
		return nil
	}
	before := fr.asked[q]
	if before != nil && before != op && comesFirst(before, op) {
		return before
	}
	if fr.asked == nil {
		fr.asked = map[question]*ir.Op{}
	}
	fr.asked[q] = op
	return nil
}

// comesFirst tells whether control comes to x each time before it comes to y, as is seen without a search for other ways.
func comesFirst(x, y *ir.Op) bool {
	in := x.Block().AncestorIn(y)
	if in != nil {
		return in != x && x.IsBefore(in)
	}
	return x.Block().IsEntry() && x.Block().Region().AncestorIn(y) != nil
}
