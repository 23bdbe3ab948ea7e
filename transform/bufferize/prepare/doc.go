// Package prepare rewrites programs on tensors that One-Shot Bufferize refuses to
// programs that it takes: functions get one return, operations without a rule for
// bufferization become others that have one, and control flow of dialects that know
// nothing of tensors becomes that of scf and cf.
//
// Each step is a pass; [Pipeline] is all of them. The results stay what they are. What
// mlir-opt has is in transform/generic/linalg and transform/lower/shape.
package prepare
