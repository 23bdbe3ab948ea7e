package deallocation

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

var ownershipType = ir.TypeConstraint{Summary: "ownership indicator", Match: IsOwnership, Buildable: Ownership}

var memrefOrOwnership = ir.TypeConstraint{
	Summary: "ranked or unranked memref of any type values or ownership indicator",
	Match:   func(t ir.Type) bool { return ir.IsMemRef(t) || IsOwnership(t) },
}

var segments = ir.AttrDef{Name: ir.OperandSegmentsAttr, Type: constraint.Segments, Derived: true}

// Null is the owner of nothing.
var Null = ir.NewOpID("deallocation.null")

func nullDef() *ir.OpDef {
	return &ir.OpDef{
		ID:         Null,
		Results:    []ir.ResultDef{{Name: "indicator", Type: ownershipType}},
		Traits:     ir.TraitPure,
		Format:     "attr-dict",
		InferTypes: oneOwner,
		Models:     []ir.Model{exec.Executable.Model(executeNull)},
	}
}

// Own declares who owns an allocation: it returns the pointer to the memory that its
// operand is part of.
var Own = ir.NewOpID("deallocation.own")

func ownDef() *ir.OpDef {
	return &ir.OpDef{
		ID:         Own,
		Operands:   []ir.OperandDef{{Name: "memref", Type: constraint.AnyRankedOrUnrankedMemRef}},
		Results:    []ir.ResultDef{{Name: "indicator", Type: ownershipType}},
		Traits:     ir.TraitPure,
		Format:     "attr-dict $memref `:` type($memref)",
		InferTypes: oneOwner,
		Models:     []ir.Model{interfaces.Addresses(interfaces.AsLaidOut), exec.Executable.Model(executeOwn)},
	}
}

// OwnOp is a deallocation.own.
type OwnOp struct{ *ir.Op }

// MemRef returns the buffer whose allocation is owned.
func (o OwnOp) MemRef() *ir.Value { return o.Operand(0) }

// GetBuffer is the address of a buffer's allocation, or that of an owner; that of null
// is 0.
var GetBuffer = ir.NewOpID("deallocation.get_buffer")

func getBufferDef() *ir.OpDef {
	return &ir.OpDef{
		ID:         GetBuffer,
		Operands:   []ir.OperandDef{{Name: "alloc", Type: memrefOrOwnership}},
		Results:    []ir.ResultDef{{Name: "base", Type: constraint.Index}},
		Traits:     ir.TraitPure,
		Format:     "attr-dict $alloc `:` type($alloc)",
		InferTypes: func(*ir.OpState) ([]ir.Type, error) { return []ir.Type{ir.Index}, nil },
		Fold:       foldGetBuffer,
		Models:     []ir.Model{interfaces.Addresses(interfaces.AsLaidOut), exec.Executable.Model(executeGetBuffer)},
	}
}

// foldGetBuffer knows the address of null.
func foldGetBuffer(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	if d := (GetBufferOp{op}).Alloc().DefiningOp(); d != nil && d.Is(Null) {
		return ir.FoldAttr(op.Context().IndexAttr(0))
	}
	return nil
}

// Free frees the memory of an owner, which isn't null.
var Free = ir.NewOpID("deallocation.free")

func freeDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Free,
		Operands: []ir.OperandDef{{Name: "alloc", Type: ownershipType}},
		Format:   "attr-dict $alloc",
		Models: []ir.Model{
			interfaces.FixedEffects(interfaces.OnOperand(interfaces.Free, 0)),
			exec.Executable.Model(executeFree),
		},
	}
}

func oneOwner(s *ir.OpState) ([]ir.Type, error) {
	return []ir.Type{Ownership(s.Name.Context())}, nil
}

// NewNull creates a deallocation.null.
func NewNull(b *ir.Builder) *ir.Value { return b.CreateOp(Null, nil, nil).Result(0) }

// NewOwn creates a deallocation.own of a buffer.
func NewOwn(b *ir.Builder, memref *ir.Value) *ir.Value {
	return b.CreateOp(Own, nil, []*ir.Value{memref}).Result(0)
}

// NewGetBuffer creates a deallocation.get_buffer of a buffer or owner.
func NewGetBuffer(b *ir.Builder, v *ir.Value) *ir.Value {
	return b.CreateOp(GetBuffer, nil, []*ir.Value{v}).Result(0)
}

// NewFree creates a deallocation.free.
func NewFree(b *ir.Builder, owner *ir.Value) *ir.Op {
	return b.CreateOp(Free, nil, []*ir.Value{owner})
}
