package tensor

import (
	"slices"

	"freehold/dialect/memref"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// Reshape gives a tensor the shape that another tensor holds.
var Reshape = ir.NewOpID("tensor.reshape")

func reshapeDef() *ir.OpDef {
	return &ir.OpDef{
		ID:          Reshape,
		Operands:    []ir.OperandDef{ir.Operand("source", constraint.AnyTensor), ir.Operand("shape", shapeTensor)},
		Results:     ir.SingleResult("result", constraint.AnyTensor),
		Traits:      ir.TraitPure,
		Format:      "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)",
		Verify:      verifyReshape,
		VerifyAlone: true,
		Revisions: []ir.Revision{{Since: 20, Models: []ir.Model{
			interfaces.Bufferizable.Model(laterReshapeBufferize{reshapeBufferize{viewBufferize{relation: interfaces.Equivalent}}}),
		}}},
		Models: []ir.Model{
			interfaces.Bufferizable.Model(reshapeBufferize{viewBufferize{relation: interfaces.Equivalent}}),
			named("reshape"),
			exec.Executable.Model(executeReshape),
		},
		Fold: foldReshape,
	}
}

// ReshapeOp is a tensor.reshape.
type ReshapeOp struct{ *ir.Op }

// Source returns the tensor that is reshaped.
func (o ReshapeOp) Source() *ir.Value { return o.Operand(0) }

// Shape returns the tensor with the new shape.
func (o ReshapeOp) Shape() *ir.Value { return o.Operand(1) }

func verifyReshape(op *ir.Op) error {
	o := ReshapeOp{op}
	from, to := o.Source().Type(), op.Result(0).Type()
	if ir.ElementType(from) != ir.ElementType(to) {
		return op.Errorf("element types of source and destination tensor types should be the same")
	}
	t := ranked(to)
	if t == nil {
		return nil
	}
	if f := ranked(from); f != nil && ir.IsStaticShape(f.Shape) && ir.IsStaticShape(t.Shape) {
		n, _ := ir.NumElements(f.Shape)
		m, _ := ir.NumElements(t.Shape)
		if n != m {
			return op.Errorf("source and destination tensor should have the same number of elements")
		}
	}
	n := ranked(o.Shape().Type()).Shape[0]
	if n == ir.Dynamic {
		return op.Errorf("cannot use shape operand with dynamic length to reshape to statically-ranked tensor type")
	}
	if n != int64(len(t.Shape)) {
		return op.Errorf("length of shape operand differs from the result's tensor rank")
	}
	return nil
}

var reassociation = ir.AttrDef{Name: interfaces.ReassociationAttr, Type: constraint.ArrayOf("Array of 64-bit integer array attributes", constraint.I64ArrayAttr.Match)}

const staticOutputShape = "static_output_shape"

// ExpandShape splits dimensions of a tensor into several.
var ExpandShape = ir.NewOpID("tensor.expand_shape")

func expandShapeDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       ExpandShape,
		Operands: []ir.OperandDef{ir.Operand("src", constraint.AnyTensor), indices("output_shape")},
		Results:  ir.SingleResult("result", constraint.AnyTensor),
		Attrs:    []ir.AttrDef{reassociation, i64s(staticOutputShape)},
		Traits:   ir.TraitPure,
		Format: "$src $reassociation `output_shape` custom<DynamicIndexList>($output_shape, $static_output_shape)" +
			" attr-dict `:` type($src) `into` type($result)",
		Earlier: []ir.Spelling{{Until: 18, Format: "$src $reassociation attr-dict `:` type($src) `into` type($result)",
			Upgrade: memref.InferOutputShape(unfoldedSize)}},
		Verify:      verifyExpandShape,
		VerifyAlone: true,
		Models: []ir.Model{
			interfaces.Bufferizable.Model(expandBufferize{viewBufferize: viewBufferize{relation: interfaces.Equivalent}}),
			named("expanded"),
			interfaces.ReifyShapes.Model(func(_ *ir.Builder, op *ir.Op) [][]shapes.OpFoldResult {
				return [][]shapes.OpFoldResult{ExpandShapeOp{op}.OutputShape()}
			}),
			rewrite.Patterns(expandShapePatterns()...),
			exec.Executable.Model(executeExpand),
		},
		Revisions: []ir.Revision{{Since: 22, Models: []ir.Model{
			interfaces.Bufferizable.Model(expandBufferize{viewBufferize: viewBufferize{relation: interfaces.Equivalent}, given: true}),
		}}},
		Fold: foldExpandShape,
	}
}

// unfoldedSize returns the size of dimension i of a tensor, whatever defines that.
func unfoldedSize(b *ir.Builder, v *ir.Value, i int) shapes.OpFoldResult {
	if d := ranked(v.Type()).Shape[i]; d != ir.Dynamic {
		return shapes.ConstSize(d)
	}
	return shapes.SizeOf(NewDim(b, v, int64(i)))
}

// ExpandShapeOp is a tensor.expand_shape.
type ExpandShapeOp struct{ *ir.Op }

// Source returns the tensor that is expanded.
func (o ExpandShapeOp) Source() *ir.Value { return o.Operand(0) }

// OutputShape returns the sizes of the result.
func (o ExpandShapeOp) OutputShape() []shapes.OpFoldResult {
	return interfaces.MixedList(o.Op, 1, staticOutputShape)
}

// Reassociation returns for each dimension of the source the dimensions of the
// result.
func (o ExpandShapeOp) Reassociation() [][]int64 { return interfaces.Reassociation(o.Op) }

// NewExpandShape expands a tensor to the type t with the given sizes.
func NewExpandShape(b *ir.Builder, t ir.Type, src *ir.Value, groups [][]int64, shape []shapes.OpFoldResult) *ir.Value {
	c := b.Context()
	static, dynamic := shapes.SplitMixed(shape)
	return b.CreateOp(ExpandShape, []ir.Type{t}, append([]*ir.Value{src}, dynamic...),
		ir.NamedAttr{Name: interfaces.ReassociationAttr, Value: shapes.NewReassociation(c, groups)},
		ir.NamedAttr{Name: staticOutputShape, Value: c.DenseI64Array(static...)}).Result(0)
}

// CollapseShape joins neighbouring dimensions of a tensor.
var CollapseShape = ir.NewOpID("tensor.collapse_shape")

func collapseShapeDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       CollapseShape,
		Operands: []ir.OperandDef{ir.Operand("src", constraint.AnyTensor)},
		Results:  ir.SingleResult("result", constraint.AnyTensor),
		Attrs:    []ir.AttrDef{reassociation},
		Traits:   ir.TraitPure,
		Format:   "$src $reassociation attr-dict `:` type($src) `into` type($result)",
		Verify: func(op *ir.Op) error {
			return verifyTensorReshape(op, CollapseShapeOp{op}.Source().Type(), op.Result(0).Type())
		},
		VerifyAlone: true,
		Models: []ir.Model{
			interfaces.Bufferizable.Model(collapseBufferize{viewBufferize{relation: interfaces.Equivalent}}),
			named("collapsed"),
			interfaces.ReifyShapes.Model(reifyCollapseShape),
			rewrite.Patterns(collapseShapePatterns()...),
			exec.Executable.Model(executeCollapse),
		},
		Fold: foldCollapseShape,
	}
}

// CollapseShapeOp is a tensor.collapse_shape.
type CollapseShapeOp struct{ *ir.Op }

// Source returns the tensor that is collapsed.
func (o CollapseShapeOp) Source() *ir.Value { return o.Operand(0) }

// Reassociation returns for each dimension of the result the dimensions of the
// source.
func (o CollapseShapeOp) Reassociation() [][]int64 { return interfaces.Reassociation(o.Op) }

// NewCollapseShape collapses groups of dimensions of a ranked tensor.
func NewCollapseShape(b *ir.Builder, src *ir.Value, groups [][]int64) *ir.Value {
	t := ranked(src.Type())
	return newCollapseShape(b, b.Context().RankedTensor(shapes.CollapsedShape(t.Shape, groups), t.Elem), src, groups)
}

// NewStaticReshape creates the operations that give a tensor of static sizes another shape with as many elements: a collapse or an
// expansion where one does, else both, by way of a single dimension; none if it has that shape.
func NewStaticReshape(b *ir.Builder, v *ir.Value, shape []int64) *ir.Value {
	from := ranked(v.Type())
	to := b.Context().RankedTensor(shape, from.Elem)
	if slices.Equal(from.Shape, shape) {
		return v
	}
	if groups, ok := shapes.GroupsForCollapse(from.Shape, shape); ok {
		return NewCollapseShape(b, v, groups)
	}
	if groups, ok := shapes.GroupsForCollapse(shape, from.Shape); ok {
		return NewExpandShape(b, to, v, groups, shapes.ConstSizes(shape))
	}
	if len(from.Shape) > 1 {
		v = NewCollapseShape(b, v, [][]int64{shapes.UpTo(len(from.Shape))})
	}
	if len(shape) == 1 {
		return v
	}
	return NewExpandShape(b, to, v, [][]int64{shapes.UpTo(len(shape))}, shapes.ConstSizes(shape))
}

func newCollapseShape(b *ir.Builder, t ir.Type, src *ir.Value, groups [][]int64) *ir.Value {
	return b.CreateOp(CollapseShape, []ir.Type{t}, []*ir.Value{src},
		ir.NamedAttr{Name: interfaces.ReassociationAttr, Value: shapes.NewReassociation(b.Context(), groups)}).Result(0)
}

func verifyExpandShape(op *ir.Op) error {
	t := ranked(op.Result(0).Type())
	if t == nil {
		return op.Errorf("expected ranked tensor types")
	}
	static := interfaces.StaticInts(op, staticOutputShape)
	if len(static) != len(t.Shape) {
		return op.Errorf("expected number of static shape dims to be equal to the output rank (%d) but found %d inputs instead", len(t.Shape), len(static))
	}
	if n := len(op.OperandGroup(1)); n != ir.NumDynamic(static) {
		return op.Errorf("mismatch in dynamic dims in output_shape and static_output_shape: static_output_shape has %d dynamic dims while output_shape has %d values",
			ir.NumDynamic(static), n)
	}
	return verifyTensorReshape(op, t, ExpandShapeOp{op}.Source().Type())
}

func verifyTensorReshape(op *ir.Op, expanded, collapsed ir.Type) error {
	e, c := ranked(expanded), ranked(collapsed)
	if e == nil || c == nil {
		return op.Errorf("expected ranked tensor types")
	}
	if err := interfaces.VerifyReassociation(op, e, c); err != nil {
		return err
	}
	want := op.Context().RankedTensor(shapes.CollapsedShape(e.Shape, interfaces.Reassociation(op)), e.Elem)
	if op.Context().RankedTensor(c.Shape, c.Elem) != want {
		return op.Errorf("expected collapsed type to be '%s', but got '%s'", want, c)
	}
	return nil
}
