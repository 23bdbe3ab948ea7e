package deallocation

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

const (
	retained = 0
	owners   = 1
)

// Retain returns, for each of its buffers, the owner of its allocation, or null if it
// is none of the given owners; each owner is returned at most once, for the first
// buffer that it owns, where a value that is listed again counts only for its last
// place. What is left of the owners is freed, but for null.
var Retain = ir.NewOpID("deallocation.retain")

func retainDef() *ir.OpDef {
	return &ir.OpDef{
		ID: Retain,
		Operands: []ir.OperandDef{
			{Name: "retained", Type: constraint.AnyRankedOrUnrankedMemRef, Arity: ir.Variadic},
			{Name: "allocs", Type: ownershipType, Arity: ir.Variadic}},
		Results: []ir.ResultDef{{Name: "result", Type: ownershipType, Arity: ir.Variadic}},
		Attrs:   []ir.AttrDef{segments},
		Traits:  ir.TraitAttrSizedOperandSegments,
		Format:  "`(` $retained `)` `of` `(` $allocs `)` attr-dict `:` functional-type(operands, results)",
		Verify:  verifyRetain,
		Models: []ir.Model{
			interfaces.Addresses(interfaces.AsLaidOut),
			interfaces.MemoryEffects.Model(retainEffects),
			exec.Executable.Model(executeRetain),
		},
	}
}

// RetainOp is a deallocation.retain.
type RetainOp struct{ *ir.Op }

// Retained returns the buffers whose owners are returned.
func (o RetainOp) Retained() ir.Operands { return o.OperandGroup(retained) }

// Owners returns the owners that are returned or freed.
func (o RetainOp) Owners() ir.Operands { return o.OperandGroup(owners) }

// Counts tells whether buffer i is not listed again.
func (o RetainOp) Counts(i int) bool {
	list := o.Retained()
	for j := i + 1; j < len(list); j++ {
		if list.At(j) == list.At(i) {
			return false
		}
	}
	return true
}

// NewRetain creates a deallocation.retain.
func NewRetain(b *ir.Builder, memrefs, owned []*ir.Value) *ir.Op {
	s := b.State(Retain)
	s.Operands = append(append([]*ir.Value(nil), memrefs...), owned...)
	for range memrefs {
		s.Types = append(s.Types, Ownership(b.Context()))
	}
	s.SetAttr(ir.OperandSegmentsAttr, b.Context().DenseI32Array(int32(len(memrefs)), int32(len(owned))))
	return b.Create(s)
}

func verifyRetain(op *ir.Op) error {
	if n := len(RetainOp{op}.Retained()); n != op.NumResults() {
		return op.Errorf("expected one result for each of its %d memrefs, but there are %d", n, op.NumResults())
	}
	return nil
}

// retainEffects lists that any of the owners may be freed.
func retainEffects(op *ir.Op) []interfaces.Effect {
	start, n := op.OperandGroupRange(owners)
	effects := make([]interfaces.Effect, n)
	for i := range effects {
		effects[i] = interfaces.OnOperand(interfaces.Free, start+i)
	}
	return effects
}
