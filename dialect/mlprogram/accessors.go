package mlprogram

import "freehold/ir"

// storeOp is a ml_program.global_store or ml_program.global_store_graph.
type storeOp struct{ *ir.Op }

// Value returns what is stored.
func (o storeOp) Value() *ir.Value { return o.Operand(0) }
