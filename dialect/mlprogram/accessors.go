package mlprogram

import "freehold/ir"

// StoreOp is a ml_program.global_store or ml_program.global_store_graph.
type StoreOp struct{ *ir.Op }

// Value returns what is stored.
func (o StoreOp) Value() *ir.Value { return o.Operand(0) }
