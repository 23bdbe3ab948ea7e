package linalg

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// structuredBufferize makes a structured operation one on buffers, in the buffers
// of its inits.
type structuredBufferize struct {
	interfaces.DestinationBufferize
}

// Reads tells whether results depend on the elements of the operand. MLIR takes only those for read that the body uses.
func (structuredBufferize) Reads(u *ir.Use, s interfaces.AnalysisState) bool {
	o := StructuredOp{u.Owner()}
	return o.uses(u) || interfaces.IsInit(u) && !o.overwrites(u, s.EmptyParallelLoops())
}

// ElementwiseAccess holds if all loops are parallel and the maps are the identity.
func (structuredBufferize) ElementwiseAccess(op *ir.Op, _ interfaces.AnalysisState, uses []*ir.Use) bool {
	if !interfaces.AllParallel(op) {
		return false
	}
	maps := interfaces.IndexingMaps(op)
	for _, u := range uses {
		switch u.Value().Type().(type) {
		case *ir.RankedTensorType, *ir.MemRefType:
			if u.Index() >= len(maps) || !maps[u.Index()].IsIdentity() {
				return false
			}
		}
	}
	return true
}

func (structuredBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	return bufferizeInPlaceOfInits(op, b)
}

// bufferizeInPlaceOfInits makes a destination style operation on tensors one on
// buffers, without results.
func bufferizeInPlaceOfInits(op *ir.Op, b interfaces.Bufferizer) error {
	if interfaces.HasBufferSemantics(op) {
		return nil
	}
	if !interfaces.HasTensorSemantics(op) {
		return op.PlainErrorf("op does not have pure tensor semantics")
	}
	operands, err := interfaces.BuffersOf(op.Operands(), b)
	if err != nil {
		return err
	}
	inits := len(interfaces.DpsInits(op))
	b.Modify(op, operands, operands[len(operands)-inits:]...)
	return nil
}

// softmaxBufferize makes softmax one on buffers.
type softmaxBufferize struct {
	interfaces.DestinationBufferize
}

// Reads tells whether the operand is the input: the output is only written.
func (softmaxBufferize) Reads(u *ir.Use, _ interfaces.AnalysisState) bool {
	return !interfaces.IsInit(u)
}

func (softmaxBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	return bufferizeInPlaceOfInits(op, b)
}
