package tensor

import (
	"slices"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/constraint"
)

// Gather collects slices of a tensor at given positions.
var Gather = ir.NewOpID("tensor.gather")

func gatherDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Gather,
		Operands: []ir.OperandDef{ir.Operand("source", constraint.AnyRankedTensor), ir.Operand("indices", indexTensor)},
		Results:  ir.SingleResult("result", constraint.AnyRankedTensor),
		Attrs:    []ir.AttrDef{i64s("gather_dims"), {Name: "unique", Type: constraint.UnitAttr, Optional: true}},
		Traits:   ir.TraitPure,
		Format:   "$source `[` $indices `]` `gather_dims` `(` $gather_dims `)` (`unique` $unique^)? attr-dict `:` functional-type(operands, results)",
		Verify:   verifyGather,
		Models: []ir.Model{
			named("gather"),
			exec.Executable.Model(executeGather),
		},
		Fold: foldGather,
	}
}

// GatherOp is a tensor.gather.
type GatherOp struct{ *ir.Op }

// Source returns the tensor that is read.
func (o GatherOp) Source() *ir.Value { return o.Operand(0) }

// Indices returns the tensor of positions.
func (o GatherOp) Indices() *ir.Value { return o.Operand(1) }

// Dims returns the dimensions of the source that the positions index.
func (o GatherOp) Dims() []int64 { return o.Attr("gather_dims").(*ir.DenseArrayAttr).Ints() }

// Scatter puts slices into a tensor at given positions.
var Scatter = ir.NewOpID("tensor.scatter")

func scatterDef() *ir.OpDef {
	return &ir.OpDef{
		ID: Scatter,
		Operands: []ir.OperandDef{ir.Operand("source", constraint.AnyRankedTensor), ir.Operand("dest", constraint.AnyRankedTensor),
			ir.Operand("indices", indexTensor)},
		Results: ir.SingleResult("result", constraint.AnyRankedTensor),
		Attrs:   []ir.AttrDef{i64s("scatter_dims"), {Name: "unique", Type: constraint.UnitAttr, Optional: true}},
		Traits:  ir.TraitPure,
		Format:  "$source `into` $dest `[` $indices `]` `scatter_dims` `(` $scatter_dims `)` (`unique` $unique^)? attr-dict `:` functional-type(operands, results)",
		Verify:  verifyScatter,
		Models: []ir.Model{
			named("scatter"),
			exec.Executable.Model(executeScatter),
		},
	}
}

// ScatterOp is a tensor.scatter.
type ScatterOp struct{ *ir.Op }

// Source returns the slices.
func (o ScatterOp) Source() *ir.Value { return o.Operand(0) }

// Dest returns the tensor that the slices are put into.
func (o ScatterOp) Dest() *ir.Value { return o.Operand(1) }

// Indices returns the tensor of positions.
func (o ScatterOp) Indices() *ir.Value { return o.Operand(2) }

// Dims returns the dimensions of the destination that the positions index.
func (o ScatterOp) Dims() []int64 { return o.Attr("scatter_dims").(*ir.DenseArrayAttr).Ints() }

// gatheredType returns the type of the slices of t at positions in a tensor of
// type indices; the indexed dimensions have size 1 or are dropped.
func gatheredType(c *ir.Context, t, indices *ir.RankedTensorType, dims []int64, reduced bool) *ir.RankedTensorType {
	shape := append([]int64(nil), indices.Shape[:len(indices.Shape)-1]...)
	for i, d := range t.Shape {
		if !slices.Contains(dims, int64(i)) {
			shape = append(shape, d)
		} else if !reduced {
			shape = append(shape, 1)
		}
	}
	return c.RankedTensorOf(shape, t.Elem, t.Encoding)
}

// coordinatesSince is the first version of LLVM that wants a coordinate for each dimension that is indexed.
const coordinatesSince = 22

func verifyIndexedDims(op *ir.Op, dims, indices []int64, rank int, what, tensor string) error {
	n := len(dims)
	switch {
	case len(indices) == 0:
		return op.Errorf("indices must have a dimension") // mlir-opt runs into an assertion.
	case n == 0:
		return op.Errorf("%s_dims must be non-empty", what)
	case n > rank:
		return op.Errorf("%s_dims overflow %s rank", what, tensor)
	case op.Context().LLVM() >= coordinatesSince && indices[len(indices)-1] != int64(n):
		return op.Errorf("%s_dims length must match the size of last dimension of indices", what)
	}
	for _, d := range dims {
		if d < 0 {
			return op.Errorf("%s_dims value must be non-negative", what)
		}
		if d >= int64(rank) {
			return op.Errorf("%s_dims value must be smaller than %s rank", what, tensor)
		}
	}
	for i := 1; i < n; i++ {
		if dims[i-1] >= dims[i] {
			return op.Errorf("%s_dims values must be strictly increasing", what)
		}
	}
	return nil
}

func verifyGather(op *ir.Op) error {
	o := GatherOp{op}
	src, idx, res := ranked(o.Source().Type()), ranked(o.Indices().Type()), ranked(op.Result(0).Type())
	if err := verifyIndexedDims(op, o.Dims(), idx.Shape, len(src.Shape), "gather", "source"); err != nil {
		return err
	}
	full := gatheredType(op.Context(), src, idx, o.Dims(), false)
	reduced := gatheredType(op.Context(), src, idx, o.Dims(), true)
	if res != full && res != reduced {
		return op.Errorf("result type mismatch: expected '%s' or its rank-reduced variant '%s' (got: '%s')", full, reduced, res)
	}
	return nil
}

func verifyScatter(op *ir.Op) error {
	o := ScatterOp{op}
	src, dst, idx := ranked(o.Source().Type()), ranked(o.Dest().Type()), ranked(o.Indices().Type())
	if err := verifyIndexedDims(op, o.Dims(), idx.Shape, len(dst.Shape), "scatter", "dest"); err != nil {
		return err
	}
	if op.Attr("unique") == nil {
		return op.Errorf("requires 'unique' attribute to be set")
	}
	full := gatheredType(op.Context(), dst, idx, o.Dims(), false)
	reduced := gatheredType(op.Context(), dst, idx, o.Dims(), true)
	if src != full && src != reduced {
		return op.Errorf("source type mismatch: expected '%s' or its rank-reduced variant '%s' (got: '%s')", full, reduced, src)
	}
	return nil
}
