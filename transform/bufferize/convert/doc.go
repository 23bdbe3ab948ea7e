// Package convert makes programs on tensors programs on buffers by dialect conversion, a
// dialect at a time: the older passes, which MLIR had before One-Shot Bufferize. Each pass
// replaces the operations of one dialect; between what is bufferized and what is not yet,
// there are bufferization.to_tensor and to_memref, and finalizing-bufferize removes them
// in the end.
//
// Passes outside of this module that bufferize a dialect are made of the same parts:
// [NewTypeConverter], [Materializations] and [conversion.Pattern]; those of whole programs
// at once also of [FunctionPatterns], [ControlFlowPatterns] and [FinalPatterns].
//
// The passes for dialects whose operations implement interfaces.Bufferizable are
// transform/bufferize/oneshot without analysis ([Partial]).
package convert
