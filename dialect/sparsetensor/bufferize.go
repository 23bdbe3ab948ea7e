package sparsetensor

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// sparseBufferize is what the models of the dialect have in common: sparse tensors
// become buffers when loops are made of the operations on them, not by bufferization,
// whose analysis knows them all the same.
type sparseBufferize struct{ interfaces.BufferizeDefaults }

// Bufferize implements interfaces.BufferizableModel.
func (sparseBufferize) Bufferize(op *ir.Op, _ interfaces.Bufferizer) error {
	return op.PlainErrorf("sparse_tensor ops must be bufferized with the sparsifier")
}

// readBufferize is about operations that read their operands, and whose results, if
// they are tensors, are new ones.
type readBufferize struct{ sparseBufferize }

// Reads implements interfaces.BufferizableModel.
func (readBufferize) Reads(*ir.Use, interfaces.AnalysisState) bool { return true }

// Allocates implements interfaces.BufferizableModel.
func (readBufferize) Allocates(v *ir.Value) bool { return ir.IsTensor(v.Type()) }

// sameBufferize is about operations whose result is made of their operands' buffers.
type sameBufferize struct {
	sparseBufferize
	reads bool
}

// Reads implements interfaces.BufferizableModel.
func (m sameBufferize) Reads(*ir.Use, interfaces.AnalysisState) bool { return m.reads }

// AliasingValues implements interfaces.BufferizableModel.
func (sameBufferize) AliasingValues(u *ir.Use, _ interfaces.AnalysisState) []interfaces.AliasingValue {
	return []interfaces.AliasingValue{{Value: u.Owner().Result(0), Relation: interfaces.Equivalent, Definite: true}}
}

// disassembleBufferize is about sparse_tensor.disassemble, which reads a tensor and
// writes its parts to the other operands.
type disassembleBufferize struct{ sparseBufferize }

// Reads implements interfaces.BufferizableModel.
func (disassembleBufferize) Reads(u *ir.Use, _ interfaces.AnalysisState) bool { return u.Index() == 0 }

// Writes implements interfaces.BufferizableModel.
func (disassembleBufferize) Writes(u *ir.Use, _ interfaces.AnalysisState) bool { return u.Index() > 0 }

// AliasingValues implements interfaces.BufferizableModel: the results are in the order of the
// operands that are written.
func (disassembleBufferize) AliasingValues(u *ir.Use, _ interfaces.AnalysisState) []interfaces.AliasingValue {
	if u.Index() == 0 {
		return nil
	}
	return []interfaces.AliasingValue{{Value: u.Owner().Result(u.Index() - 1), Relation: interfaces.Equivalent, Definite: true}}
}

// noTensorResults refuses loops that carry tensors.
func noTensorResults(op *ir.Op) error {
	for _, t := range op.Results().Types() {
		if ir.IsTensor(t) {
			return op.Errorf("tensor results are not supported yet")
		}
	}
	return nil
}
