package memref

import (
	"strconv"

	"freehold/dialect/arith"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// Dim returns the size of a dimension of a buffer.
var Dim = ir.NewOpID("memref.dim")

func dimDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Dim,
		Operands: []ir.OperandDef{ir.Operand("source", nonScalarMemRef), ir.Operand("index", constraint.Index)},
		Results:  ir.SingleResult("result", constraint.Index),
		Traits:   ir.TraitNoMemoryEffect,
		Format:   "attr-dict $source `,` $index `:` type($source)",
		Earlier:  []ir.Spelling{{Until: 12, Name: "std.dim", Upgrade: dimOfTensor}},
		Models: []ir.Model{
			interfaces.Addresses(interfaces.ByPosition),
			named("dim"),
			interfaces.ShapedDim.Model(func(op *ir.Op) (shaped, dimension *ir.Value) { return DimOp{op}.Source(), DimOp{op}.Index() }),
			interfaces.ConditionallySpeculatable.Model(func(op *ir.Op) interfaces.Speculatability {
				o := DimOp{op}
				shape, ranked := ir.ShapeOf(o.Source().Type())
				i, ok := o.ConstantIndex()
				if ranked && ok && i >= 0 && i < int64(len(shape)) {
					return interfaces.AlwaysSpeculatable
				}
				return interfaces.NotSpeculatable
			}),
			exec.Executable.Model(executeDim),
			rewrite.Patterns(rewrite.Pattern{Name: "DimOfMemRefReshape", Rewrite: dimOfReshape}),
		},
		Fold:      dimFolder(DynamicSize),
		Revisions: []ir.Revision{{Since: 22, Fold: dimFolder(laterDynamicSize)}},
	}
}

// dimOfTensor makes tensor.dim of the size of a tensor, which was the same operation once.
func dimOfTensor(b *ir.Builder, s *ir.OpState) error {
	if len(s.Operands) > 0 && ir.IsTensor(s.Operands[0].Type()) {
		s.Name = b.Context().OpName("tensor.dim")
	}
	return nil
}

// DimOp is a memref.dim.
type DimOp struct{ *ir.Op }

// Source returns the buffer.
func (o DimOp) Source() *ir.Value { return o.Operand(0) }

// Index returns the number of the dimension.
func (o DimOp) Index() *ir.Value { return o.Operand(1) }

// ConstantIndex returns the number of the dimension if it is a constant.
func (o DimOp) ConstantIndex() (int64, bool) { return ir.ConstantInt(o.Index()) }

// NewDim creates the operation for the size of dimension i, with a constant for
// i.
func NewDim(b *ir.Builder, v *ir.Value, i int) *ir.Value {
	return b.CreateOp(Dim, []ir.Type{ir.Index}, []*ir.Value{v, arith.ConstantIndex(b, int64(i))}).Result(0)
}

// SizeOf returns the size of dimension i of a ranked buffer: a constant, or the
// result of a new dim.
func SizeOf(b *ir.Builder, v *ir.Value, i int) shapes.OpFoldResult {
	if n := memrefOf(v.Type()).Shape[i]; n != ir.Dynamic {
		return shapes.ConstSize(n)
	}
	return shapes.SizeOf(NewDim(b, v, i))
}

// KnownSizeOf returns what SizeOf does, or the value that the buffer got its size from.
func KnownSizeOf(b *ir.Builder, v *ir.Value, i int) shapes.OpFoldResult {
	if n := memrefOf(v.Type()).Shape[i]; n != ir.Dynamic {
		return shapes.ConstSize(n)
	}
	s := b.State(Dim)
	s.Types, s.Operands = []ir.Type{ir.Index}, []*ir.Value{v, arith.ConstantIndex(b, int64(i))}
	return shapes.SizeOf(rewrite.CreateOrFold(b, s)[0])
}

// DynamicSizes returns the sizes of the dynamic dimensions of a ranked buffer.
func DynamicSizes(b *ir.Builder, v *ir.Value) []*ir.Value {
	var out []*ir.Value
	for i, n := range memrefOf(v.Type()).Shape {
		if n == ir.Dynamic {
			out = append(out, NewDim(b, v, i))
		}
	}
	return out
}

// Rank returns the number of dimensions of a buffer.
var Rank = ir.NewOpID("memref.rank")

func rankDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Rank,
		Operands: []ir.OperandDef{ir.Operand("memref", constraint.AnyRankedOrUnrankedMemRef)},
		Results:  ir.SingleResult("", constraint.Index),
		Traits:   ir.TraitPure,
		Format:   "$memref attr-dict `:` type($memref)",
		Fold:     foldRank,
		Models: []ir.Model{
			interfaces.Addresses(interfaces.ByPosition),
			interfaces.ShapeOnly.Model(struct{}{}),
			exec.Executable.Model(executeRank),
		},
	}
}

// NewRank creates the operation for the number of dimensions of v.
func NewRank(b *ir.Builder, v *ir.Value) *ir.Value {
	return b.CreateOp(Rank, []ir.Type{ir.Index}, []*ir.Value{v}).Result(0)
}

// spell writes a size as types do.
func spell(n int64) string {
	if n == ir.Dynamic {
		return "dynamic"
	}
	return strconv.FormatInt(n, 10)
}
