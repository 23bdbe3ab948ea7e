package stablehlo

import (
	"freehold/ir"
)

// quantizedRule lowers an operation on quantized numbers; nil if it isn't one, or only moves them.
func quantizedRule(op *ir.Op) rule { return nil }
