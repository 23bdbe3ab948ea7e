package tensor

import (
	"freehold/dialect/memref"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// Extract reads an element of a tensor.
var Extract = ir.NewOpID("tensor.extract")

func extractDef() *ir.OpDef {
	return &ir.OpDef{
		ID:        Extract,
		Operands:  []ir.OperandDef{ir.Operand("tensor", constraint.AnyRankedTensor), indices("indices")},
		Results:   ir.SingleResult("result", constraint.AnyType),
		Traits:    ir.TraitPure,
		TypeRules: []ir.TypeRule{elementOf("tensor", "result", "result type matches element type of tensor")},
		Format:    "$tensor `[` $indices `]` attr-dict `:` type($tensor)",
		Verify: func(op *ir.Op) error {
			o := ExtractOp{op}
			if len(ranked(o.Tensor().Type()).Shape) != len(o.Indices()) {
				return op.Errorf("incorrect number of indices for extract_element")
			}
			return nil
		},
		Models: []ir.Model{
			interfaces.Bufferizable.Model(extractBufferize{}),
			named("extracted"),
			rewrite.Patterns(extractPatterns()...),
			exec.Executable.Model(executeExtract),
			interfaces.ConditionallySpeculatable.Model(func(op *ir.Op) interfaces.Speculatability {
				return speculateElement(ranked(ExtractOp{op}.Tensor().Type()), ExtractOp{op}.Indices())
			}),
		},
		Revisions: []ir.Revision{{Since: 22, Fold: foldLaterExtract}},
		Fold:      foldExtract,
	}
}

// ExtractOp is a tensor.extract.
type ExtractOp struct{ *ir.Op }

// Tensor returns the tensor that is read.
func (o ExtractOp) Tensor() *ir.Value { return o.Operand(0) }

// Indices returns the position of the element.
func (o ExtractOp) Indices() ir.Operands { return o.OperandGroup(1) }

// NewExtract reads an element.
func NewExtract(b *ir.Builder, t *ir.Value, indices ...*ir.Value) *ir.Value {
	return b.CreateOp(Extract, []ir.Type{ir.ElementType(t.Type())}, append([]*ir.Value{t}, indices...)).Result(0)
}

// Insert is a tensor with one element replaced.
var Insert = ir.NewOpID("tensor.insert")

func insertDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Insert,
		Operands: []ir.OperandDef{ir.Operand("scalar", constraint.AnyType), ir.Operand("dest", constraint.AnyRankedTensor), indices("indices")},
		Results:  ir.SingleResult("result", constraint.AnyRankedTensor),
		Traits:   ir.TraitPure,
		TypeRules: []ir.TypeRule{
			sameAs("dest", "result", "result type matches type of dest"),
			elementOf("dest", "scalar", "scalar type matches element type of dest"),
		},
		Format:  "$scalar `into` $dest `[` $indices `]` attr-dict `:` type($dest)",
		Earlier: []ir.Spelling{{Until: 18, Name: "sparse_tensor.insert"}, insertInPlace},
		Verify: func(op *ir.Op) error {
			o := InsertOp{op}
			if len(ranked(o.Dest().Type()).Shape) != len(o.Indices()) {
				return op.Errorf("incorrect number of indices")
			}
			return nil
		},
		Models: []ir.Model{
			interfaces.Bufferizable.Model(insertBufferize{}),
			named("inserted"),
			interfaces.DestinationStyle.Model(secondOperand),
			interfaces.ConditionallySpeculatable.Model(func(op *ir.Op) interfaces.Speculatability {
				return speculateElement(ranked(InsertOp{op}.Dest().Type()), InsertOp{op}.Indices())
			}),
			exec.Executable.Model(executeInsert),
			exec.StoredOperands.Model(exec.FirstOperand),
		},
		Fold: foldInsert,
	}
}

// insertInPlace is how LLVM 15 inserts an element into a sparse tensor: it changes the tensor, and finds the position in memory.
var insertInPlace = ir.Spelling{Until: 15, Name: "sparse_tensor.lex_insert",
	Operands: []ir.OperandDef{ir.Operand("tensor", constraint.AnyRankedTensor), ir.Operand("indices", constraint.RankOf("1D", "memref", 1, constraint.Index)),
		ir.Operand("value", constraint.AnyType)},
	Results: []ir.ResultDef{},
	Format:  "$tensor `,` $indices `,` $value attr-dict `:` type($tensor) `,` type($indices) `,` type($value)",
	Upgrade: func(b *ir.Builder, s *ir.OpState) error {
		if len(s.Types) != 0 || len(s.Operands) != 3 {
			return nil
		}
		tensor, value := s.Operands[0], s.Operands[2]
		t, ok := tensor.Type().(*ir.RankedTensorType)
		if m, ranked := s.Operands[1].Type().(*ir.MemRefType); !ok || !ranked || len(m.Shape) != 1 {
			return nil // an error of the verifier
		}
		s.Operands = append([]*ir.Value{value, tensor}, memref.LoadAll(b, s.Operands[1], len(t.Shape))...)
		s.Types, s.InPlace = []ir.Type{t}, tensor
		return nil
	}}

// InsertOp is a tensor.insert.
type InsertOp struct{ *ir.Op }

// Scalar returns the new element.
func (o InsertOp) Scalar() *ir.Value { return o.Operand(0) }

// Dest returns the tensor that the element is put into.
func (o InsertOp) Dest() *ir.Value { return o.Operand(1) }

// Indices returns the position of the element.
func (o InsertOp) Indices() ir.Operands { return o.OperandGroup(2) }

// NewInsert puts an element into a tensor.
func NewInsert(b *ir.Builder, scalar, dest *ir.Value, indices ...*ir.Value) *ir.Value {
	return b.CreateOp(Insert, []ir.Type{dest.Type()}, append([]*ir.Value{scalar, dest}, indices...)).Result(0)
}

// secondOperand is the destination of operations of the form source, dest, ...
func secondOperand(*ir.Op) (start, n int) { return 1, 1 }
