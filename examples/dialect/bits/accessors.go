package bits

import "freehold/ir"

// InsertOp is a bits.insert.
type InsertOp struct{ *ir.Op }

// Number returns the number that is put into the set.
func (o InsertOp) Number() *ir.Value { return o.Operand(0) }

// Set returns the set that the number is put into.
func (o InsertOp) Set() *ir.Value { return o.Operand(1) }

// CopyOp is a bits.copy.
type CopyOp struct{ *ir.Op }

// Set returns the set that is copied.
func (o CopyOp) Set() *ir.Value { return o.Operand(0) }

// ContainsOp is a bits.contains.
type ContainsOp struct{ *ir.Op }

// Set returns the set that is asked.
func (o ContainsOp) Set() *ir.Value { return o.Operand(0) }

// Number returns the number that it is asked for.
func (o ContainsOp) Number() *ir.Value { return o.Operand(1) }
