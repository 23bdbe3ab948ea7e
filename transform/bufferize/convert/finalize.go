package convert

import (
	"freehold/dialect/bufferization"
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/rewrite"
)

// FinalPatterns returns the patterns that remove the operations between tensors and
// buffers.
func FinalPatterns(types *conversion.TypeConverter) []rewrite.Pattern {
	forward := func(r *conversion.Rewriter, op *ir.Op, operands conversion.Adaptor) bool {
		r.Replace(op, operands.Operand(0))
		return true
	}
	return []rewrite.Pattern{
		conversion.Pattern(rewrite.Pattern{Name: "BufferizeToTensorOp", Root: bufferization.ToTensor}, types, forward),
		conversion.Pattern(rewrite.Pattern{Name: "BufferizeToMemrefOp", Root: bufferization.ToMemref}, types, forward),
	}
}

// Finalize removes the operations between tensors and buffers in op. It is an error if that
// isn't enough for all tensors to be gone. Linear time.
func Finalize(op *ir.Op, report func(*ir.Diagnostic)) error {
	types := NewTypeConverter(op.Context())
	t := conversion.NewTarget()
	t.DynamicOthers(func(op *ir.Op) conversion.Legality { return conversion.Legalized(types.IsLegalOp(op)) })
	return conversion.Full(op, t, rewrite.NewPatternSet(op.Context(), FinalPatterns(types)), conversion.Config{Report: report})
}

// BufferizeFunctions converts functions, calls, returns and branches in op. Linear time.
func BufferizeFunctions(op *ir.Op, report func(*ir.Diagnostic)) error {
	types := NewTypeConverter(op.Context())
	t := conversion.NewTarget()
	Functions(t, types)
	Materializations(t)
	return conversion.Full(op, t, rewrite.NewPatternSet(op.Context(), FunctionPatterns(types)), conversion.Config{Report: report})
}

// BufferizeControlFlow converts loops and conditionals of scf in op. Linear time.
func BufferizeControlFlow(op *ir.Op, report func(*ir.Diagnostic)) error {
	types := NewTypeConverter(op.Context())
	t := conversion.NewTarget()
	ControlFlow(t, types)
	Materializations(t)
	return conversion.Partial(op, t, rewrite.NewPatternSet(op.Context(), ControlFlowPatterns(types)), conversion.Config{Report: report})
}
