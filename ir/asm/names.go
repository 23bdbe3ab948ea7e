package asm

import "freehold/ir"

// Names knows the names that values have where an operation is printed.
type Names struct{ names *valueNames }

// NewNames names the values in the regions of an operation, which should be the
// outermost one. Linear time.
func NewNames(op *ir.Op) *Names { return &Names{numberValues(op, &PrintOptions{}, true)} }

// Of returns the value's name, with %, and with #n for one of several results.
func (n *Names) Of(v *ir.Value) string { return string(n.names.append(nil, v, true)) }
