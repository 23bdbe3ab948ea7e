package bufferization

import (
	"freehold/dialect/memref"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// Clone is a buffer with the elements of another one; the two may be the same, as
// neither may be written afterwards.
var Clone = ir.NewOpID("bufferization.clone")

func cloneDef() *ir.OpDef {
	return &ir.OpDef{
		Earlier:  []ir.Spelling{{Until: 13, Name: "memref.clone"}},
		ID:       Clone,
		Operands: []ir.OperandDef{ir.Operand("input", constraint.AnyRankedOrUnrankedMemRef)},
		Results:  []ir.ResultDef{{Name: "output", Type: constraint.AnyRankedOrUnrankedMemRef}},
		Format:   "$input attr-dict `:` type($input) `to` type($output)",
		Models: []ir.Model{
			interfaces.Addresses(interfaces.ByPosition),
			interfaces.FixedEffects(interfaces.OnOperand(interfaces.Read, 0), interfaces.OnResult(interfaces.Allocate, 0), interfaces.OnResult(interfaces.Write, 0)),
			interfaces.Copy.Model(func(op *ir.Op) (source, target *ir.Value) { return CloneOp{op}.Input(), op.Result(0) }),
			interfaces.Allocation.Model(cloneAllocation{}),
			rewrite.Patterns(rewrite.Pattern{Name: "SimplifyClones", Rewrite: simplifyClone}),
			exec.Executable.Model(executeClone),
		},
		Fold: foldClone,
	}
}

// CloneOp is a bufferization.clone.
type CloneOp struct{ *ir.Op }

// Input returns the buffer that is copied.
func (o CloneOp) Input() *ir.Value { return o.Operand(0) }

// NewClone creates a clone of a buffer with the same type.
func NewClone(b *ir.Builder, v *ir.Value) *ir.Value {
	return b.CreateOp(Clone, []ir.Type{v.Type()}, []*ir.Value{v}).Result(0)
}

// cloneAllocation tells how clones are freed and copied.
type cloneAllocation struct{}

func (cloneAllocation) BuildDealloc(b *ir.Builder, v *ir.Value) *ir.Op {
	return memref.NewDealloc(b, v)
}
func (cloneAllocation) BuildClone(b *ir.Builder, v *ir.Value) *ir.Value { return NewClone(b, v) }
func (cloneAllocation) Hoisting() interfaces.Hoisting                   { return interfaces.HoistNone }
func (cloneAllocation) BuildPromoted(b *ir.Builder, op *ir.Op) *ir.Op   { return nil }

const (
	deallocMemrefs    = 0
	deallocConditions = 1
	deallocRetained   = 2
)

// Dealloc frees each of its buffers whose condition holds and that is not the same
// allocation as a retained one. Result i tells whether retained buffer i is the same
// allocation as one whose condition holds, and so has to be freed later.
var Dealloc = ir.NewOpID("bufferization.dealloc")

func deallocDef() *ir.OpDef {
	return &ir.OpDef{
		ID: Dealloc,
		Operands: []ir.OperandDef{{Name: "memrefs", Type: constraint.AnyRankedOrUnrankedMemRef, Arity: ir.Variadic},
			{Name: "conditions", Type: constraint.I1, Arity: ir.Variadic},
			{Name: "retained", Type: constraint.AnyRankedOrUnrankedMemRef, Arity: ir.Variadic}},
		Results: []ir.ResultDef{{Name: "updatedConditions", Type: constraint.I1, Arity: ir.Variadic}},
		Attrs:   []ir.AttrDef{segments},
		Traits:  ir.TraitAttrSizedOperandSegments,
		Format: "(` ``(` $memrefs^ `:` type($memrefs) `)` `if` ` ` `(` $conditions `)` )? " +
			"(`retain` ` ` `(` $retained^ `:` type($retained) `)` )? attr-dict",
		InferTypes: func(s *ir.OpState) ([]ir.Type, error) {
			return conditionTypes(len(s.OperandGroup(deallocRetained))), nil
		},
		Verify: verifyDealloc,
		Models: []ir.Model{
			interfaces.Addresses(interfaces.AsLaidOut),
			rewrite.Patterns(deallocPatterns()...),
			exec.Executable.Model(executeDealloc),
			interfaces.ConditionalFree.Model(func(op *ir.Op) (start, n int) { return 0, len(DeallocOp{op}.MemRefs()) }),
		},
	}
}

func conditionTypes(n int) []ir.Type {
	types := make([]ir.Type, n)
	for i := range types {
		types[i] = ir.I1
	}
	return types
}

// DeallocOp is a bufferization.dealloc.
type DeallocOp struct{ *ir.Op }

// MemRefs returns the buffers that may be freed.
func (o DeallocOp) MemRefs() ir.Operands { return o.OperandGroup(deallocMemrefs) }

// Conditions tell, for each buffer, whether it is to be freed.
func (o DeallocOp) Conditions() ir.Operands { return o.OperandGroup(deallocConditions) }

// Retained returns the buffers that are not freed.
func (o DeallocOp) Retained() ir.Operands { return o.OperandGroup(deallocRetained) }

// Set replaces buffers and conditions.
func (o DeallocOp) Set(memrefs, conditions []*ir.Value) {
	retained := o.Retained().Values()
	values := append(append(append([]*ir.Value(nil), memrefs...), conditions...), retained...)
	o.SetOperands(values)
	o.SetAttr(ir.OperandSegmentsAttr, o.Context().Segments(len(memrefs), len(conditions), len(retained)))
}

// NewDealloc creates the operation; there must be as many conditions as buffers.
func NewDealloc(b *ir.Builder, memrefs, conditions, retained []*ir.Value) *ir.Op {
	s := b.State(Dealloc)
	s.Operands = append(append(append(s.Operands, memrefs...), conditions...), retained...)
	s.Types = conditionTypes(len(retained))
	s.SetAttr(ir.OperandSegmentsAttr, b.Context().Segments(len(memrefs), len(conditions), len(retained)))
	return b.Create(s)
}

func verifyDealloc(op *ir.Op) error {
	o := DeallocOp{op}
	if op.NumResults() != len(o.Retained()) {
		return op.Errorf("must have the same number of updated conditions (results) as retained operands")
	}
	if len(o.MemRefs()) != len(o.Conditions()) {
		return op.Errorf("must have the same number of conditions as memrefs to deallocate")
	}
	return nil
}
