package memref

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// Reshape sees a contiguous buffer with another shape, which it reads from a buffer at run
// time (mlir-opt-19 takes it for pure; later versions don't).
var Reshape = ir.NewOpID("memref.reshape")

func reshapeDef() *ir.OpDef {
	return &ir.OpDef{
		ID:          Reshape,
		Operands:    []ir.OperandDef{ir.Operand("source", constraint.AnyRankedOrUnrankedMemRef), ir.Operand("shape", shapeMemRef)},
		Results:     ir.SingleResult("result", constraint.AnyRankedOrUnrankedMemRef),
		Format:      "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)",
		Verify:      verifyReshape,
		VerifyAlone: true,
		Models: []ir.Model{
			interfaces.BufferAddressing.Model(reshapeAddressing),
			named("reshape"),
			viewOfFirst,
			interfaces.FixedEffects(interfaces.OnOperand(interfaces.Read, 1)),
			exec.Executable.Model(executeReshape),
		},
	}
}

// reshapeAddressing says that a reshape demands a buffer without a layout. Sizes are read by their positions, but for a result of unknown rank:
// there the code that it becomes reads one after the other.
func reshapeAddressing(op *ir.Op, i int) interfaces.Addressing {
	if _, ranked := op.Result(0).Type().(*ir.MemRefType); i == 1 && ranked {
		return interfaces.ByPosition
	}
	return interfaces.AsLaidOut
}

// ReshapeOp is a memref.reshape.
type ReshapeOp struct{ *ir.Op }

// Source returns the buffer that is reshaped.
func (o ReshapeOp) Source() *ir.Value { return o.Operand(0) }

// Shape returns the buffer that holds the sizes.
func (o ReshapeOp) Shape() *ir.Value { return o.Operand(1) }

// NewReshape creates a view of source with the shape in another buffer.
func NewReshape(b *ir.Builder, t ir.Type, source, shape *ir.Value) *ir.Value {
	return b.CreateOp(Reshape, []ir.Type{t}, []*ir.Value{source, shape}).Result(0)
}

func verifyReshape(op *ir.Op) error {
	o := ReshapeOp{op}
	from, to := o.Source().Type(), op.Result(0).Type()
	if ir.ElementType(from) != ir.ElementType(to) {
		return op.Errorf("element types of source and destination memref types should be the same")
	}
	if m := memrefOf(from); m != nil && !m.HasIdentityLayout() {
		return op.Errorf("source memref type should have identity affine map")
	}
	n := memrefOf(o.Shape().Type()).Shape[0]
	if m := memrefOf(to); m != nil {
		if !m.HasIdentityLayout() {
			return op.Errorf("result memref type should have identity affine map")
		}
		if n == ir.Dynamic {
			return op.Errorf("cannot use shape operand with dynamic length to reshape to statically-ranked memref type")
		}
		if n != int64(len(m.Shape)) {
			return op.Errorf("length of shape operand differs from the result's memref rank")
		}
	}
	return nil
}

// ReassociationAttr lists, for each dimension of the smaller shape, the dimensions
// of the larger one.
const ReassociationAttr = interfaces.ReassociationAttr

// StaticOutputShapeAttr holds the static sizes of the result of an expansion.
const StaticOutputShapeAttr = "static_output_shape"

// ExpandShape sees a buffer with more dimensions.
var ExpandShape = ir.NewOpID("memref.expand_shape")

func expandShapeDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       ExpandShape,
		Operands: []ir.OperandDef{ir.Operand("src", stridedMemRef), indices("output_shape")},
		Results:  ir.SingleResult("result", stridedMemRef),
		Attrs:    []ir.AttrDef{{Name: interfaces.ReassociationAttr, Type: indexLists}, i64s(StaticOutputShapeAttr)},
		Traits:   ir.TraitPure,
		Format: "$src $reassociation `output_shape` custom<DynamicIndexList>($output_shape, $static_output_shape) " +
			"attr-dict `:` type($src) `into` type($result)",
		Earlier: []ir.Spelling{{Until: 18, Format: "$src $reassociation attr-dict `:` type($src) `into` type($result)",
			Upgrade: InferOutputShape(SizeOf)}},
		Verify:      verifyExpandShape,
		VerifyAlone: true,
		Models: []ir.Model{
			interfaces.Addresses(interfaces.AsViewed),
			named("expand_shape"),
			viewOfFirst,
			interfaces.ReifyShapes.Model(func(_ *ir.Builder, op *ir.Op) [][]shapes.OpFoldResult {
				return [][]shapes.OpFoldResult{ExpandShapeOp{op}.OutputShape()}
			}),
			exec.Executable.Model(executeExpand),
			rewrite.Patterns(expandShapePatterns()...),
		},
		Fold: foldReshape,
	}
}

// ExpandShapeOp is a memref.expand_shape.
type ExpandShapeOp struct{ *ir.Op }

// Source returns the buffer that is expanded.
func (o ExpandShapeOp) Source() *ir.Value { return o.Operand(0) }

// Reassociation lists, for each dimension of the source, those of the result.
func (o ExpandShapeOp) Reassociation() [][]int64 { return interfaces.Reassociation(o.Op) }

// OutputShape returns the sizes of the result.
func (o ExpandShapeOp) OutputShape() []shapes.OpFoldResult {
	return interfaces.MixedList(o.Op, 1, StaticOutputShapeAttr)
}

// CollapseShape sees a buffer with fewer dimensions.
var CollapseShape = ir.NewOpID("memref.collapse_shape")

func collapseShapeDef() *ir.OpDef {
	return &ir.OpDef{
		ID:          CollapseShape,
		Operands:    []ir.OperandDef{ir.Operand("src", stridedMemRef)},
		Results:     ir.SingleResult("result", stridedMemRef),
		Attrs:       []ir.AttrDef{{Name: interfaces.ReassociationAttr, Type: indexLists}},
		Traits:      ir.TraitPure,
		Format:      "$src $reassociation attr-dict `:` type($src) `into` type($result)",
		Verify:      verifyCollapseShape,
		VerifyAlone: true,
		Models: []ir.Model{
			interfaces.Addresses(interfaces.AsViewed),
			named("collapse_shape"),
			viewOfFirst,
			exec.Executable.Model(executeCollapse),
			rewrite.Patterns(collapseShapePatterns()...),
		},
		Fold: foldReshape,
	}
}

// CollapseShapeOp is a memref.collapse_shape.
type CollapseShapeOp struct{ *ir.Op }

// Source returns the buffer that is collapsed.
func (o CollapseShapeOp) Source() *ir.Value { return o.Operand(0) }

// Reassociation lists, for each dimension of the result, those of the source.
func (o CollapseShapeOp) Reassociation() [][]int64 { return interfaces.Reassociation(o.Op) }

// NewExpandShape creates a view of source of type t, whose sizes are given.
func NewExpandShape(b *ir.Builder, t *ir.MemRefType, source *ir.Value, groups [][]int64, sizes []shapes.OpFoldResult) *ir.Value {
	c := b.Context()
	static, dynamic := shapes.SplitMixed(sizes)
	return b.CreateOp(ExpandShape, []ir.Type{t}, append([]*ir.Value{source}, dynamic...),
		ir.NamedAttr{Name: interfaces.ReassociationAttr, Value: shapes.NewReassociation(c, groups)},
		ir.NamedAttr{Name: StaticOutputShapeAttr, Value: c.DenseI64Array(static...)}).Result(0)
}

// NewCollapseShape creates a view of source of type t; if t is nil, the type is
// inferred.
func NewCollapseShape(b *ir.Builder, t *ir.MemRefType, source *ir.Value, groups [][]int64) *ir.Value {
	c := b.Context()
	if t == nil {
		t = CollapsedType(c, memrefOf(source.Type()), groups)
	}
	return b.CreateOp(CollapseShape, []ir.Type{t}, []*ir.Value{source},
		ir.NamedAttr{Name: interfaces.ReassociationAttr, Value: shapes.NewReassociation(c, groups)}).Result(0)
}

// ExpandedType returns the type of a buffer of the given type after its
// dimensions were expanded to those of shape. It is nil if the layout is not
// strided.
func ExpandedType(c *ir.Context, m *ir.MemRefType, shape []int64, groups [][]int64) *ir.MemRefType {
	if m.HasIdentityLayout() {
		return c.MemRefOf(shape, m.Elem, nil, m.Space)
	}
	strides, offset, ok := m.StridesAndOffset()
	if !ok || len(groups) != len(strides) {
		return nil
	}
	out := ones(len(shape)) // what a buffer of rank 0 is expanded to
	for i, g := range groups {
		s := strides[i]
		for j := len(g) - 1; j >= 0; j-- {
			if g[j] < 0 || g[j] >= int64(len(shape)) {
				return nil
			}
			out[g[j]] = s
			s = mulDynamic(s, shape[g[j]])
		}
	}
	return c.MemRefOf(shape, m.Elem, c.StridedLayout(offset, out), m.Space)
}

// CollapsedType returns the type of a buffer of the given type after groups of
// its dimensions were collapsed. It is nil if that is known to be impossible.
func CollapsedType(c *ir.Context, m *ir.MemRefType, groups [][]int64) *ir.MemRefType {
	return collapsedType(c, m, groups, 0)
}

// contiguity are the conditions under which a group of dimensions may be collapsed.
type contiguity uint8

const (
	// certain rejects groups that are not known to be contiguous.
	certain contiguity = 1 << iota
	// anyUnitStride ignores the strides of dimensions of size 1, as LLVM does since 22: nothing is
	// addressed by them.
	anyUnitStride
)

// unitStridesSince is the first version of LLVM with anyUnitStride.
const unitStridesSince = 22

// collapsedType is CollapsedType by a rule of contiguity.
func collapsedType(c *ir.Context, m *ir.MemRefType, groups [][]int64, rule contiguity) *ir.MemRefType {
	shape := make([]int64, len(groups))
	for i, g := range groups {
		shape[i] = 1
		for _, d := range g {
			if d < 0 || d >= int64(len(m.Shape)) {
				return nil
			}
			shape[i] = mulDynamic(shape[i], m.Shape[d])
		}
	}
	if m.HasIdentityLayout() {
		return c.MemRefOf(shape, m.Elem, nil, m.Space)
	}
	strides, offset, ok := m.StridesAndOffset()
	if !ok {
		return nil
	}
	out := make([]int64, len(groups))
	for i, g := range groups {
		// The stride of the collapsed dimension is that of the innermost dimension
		// whose size is not 1.
		ref := g
		for len(ref) > 1 && m.Shape[ref[len(ref)-1]] == 1 {
			ref = ref[:len(ref)-1]
		}
		switch {
		case len(ref) == 0:
			out[i] = 1
		case len(ref) == 1 || m.Shape[ref[len(ref)-1]] != ir.Dynamic:
			out[i] = strides[ref[len(ref)-1]]
		default:
			// The dimension may turn out to have size 1, and then its stride is not the
			// one that matters.
			out[i] = ir.Dynamic
		}
	}
	for i, g := range groups {
		s := out[i]
		for j := len(g) - 1; j >= 1; j-- {
			s = mulDynamic(s, m.Shape[g[j]])
			src := strides[g[j-1]]
			if rule&anyUnitStride != 0 && m.Shape[g[j-1]] == 1 {
				continue
			}
			if rule&certain != 0 && (s == ir.Dynamic || src == ir.Dynamic) {
				return nil
			}
			if s != ir.Dynamic && src != ir.Dynamic && s != src {
				return nil
			}
		}
	}
	return c.MemRefOf(shape, m.Elem, c.StridedLayout(offset, out), m.Space)
}

// GuaranteedCollapsible tells whether the groups of dimensions of a type are
// known to be contiguous, so that a collapse can't fail.
func GuaranteedCollapsible(c *ir.Context, m *ir.MemRefType, groups [][]int64) bool {
	return collapsedType(c, m, groups, certain) != nil
}

// CollapsedInPlace returns the type of a buffer after groups of its dimensions were collapsed that are known
// to be contiguous by the rules of a version of LLVM; nil if they aren't.
func CollapsedInPlace(c *ir.Context, m *ir.MemRefType, groups [][]int64, llvm uint32) *ir.MemRefType {
	rule := certain
	if llvm >= unitStridesSince {
		rule |= anyUnitStride
	}
	return collapsedType(c, m, groups, rule)
}

// verifyGroups checks that groups lists all dimensions of the larger shape in
// order, and that sizes fit.
func verifyGroups(op *ir.Op, collapsed, expanded []int64, groups [][]int64, dynamicMany bool) error {
	next := int64(0)
	if len(groups) != len(collapsed) {
		return op.Errorf("invalid number of reassociation groups: found %d, expected %d", len(groups), len(collapsed))
	}
	for i, g := range groups {
		dynamic, product := 0, int64(1)
		for _, d := range g {
			if d != next {
				return op.Errorf("reassociation indices must be contiguous")
			}
			next++
			if d >= int64(len(expanded)) {
				return op.Errorf("reassociation index %d is out of bounds", d)
			}
			if expanded[d] == ir.Dynamic {
				dynamic++
			}
			product = mulDynamic(product, expanded[d])
		}
		if dynamic > 1 && !dynamicMany {
			return op.Errorf("at most one dimension in a reassociation group may be dynamic")
		}
		if (collapsed[i] == ir.Dynamic) != (dynamic > 0) {
			return op.Errorf("collapsed dim (%d) must be dynamic if and only if reassociation group is dynamic", i)
		}
		if dynamic == 0 && product != collapsed[i] {
			return op.Errorf("collapsed dim size (%d) must equal reassociation group size (%d)", collapsed[i], product)
		}
	}
	if len(collapsed) == 0 {
		for _, n := range expanded {
			if n != 1 {
				return op.Errorf("rank 0 memrefs can only be extended/collapsed with/from ones")
			}
		}
		return nil
	}
	if next != int64(len(expanded)) {
		return op.Errorf("expanded rank (%d) inconsistent with number of reassociation indices (%d)", len(expanded), next)
	}
	return nil
}

func verifyExpandShape(op *ir.Op) error {
	o := ExpandShapeOp{op}
	from, to := memrefOf(o.Source().Type()), memrefOf(op.Result(0).Type())
	if len(from.Shape) >= len(to.Shape) && len(from.Shape) > len(to.Shape) {
		return op.Errorf("has source rank %d and result rank %d. This is not an expansion (%d > %d).",
			len(from.Shape), len(to.Shape), len(from.Shape), len(to.Shape))
	}
	groups := o.Reassociation()
	if err := verifyGroups(op, from.Shape, to.Shape, groups, true); err != nil {
		return err
	}
	want := ExpandedType(op.Context(), from, to.Shape, groups)
	if want == nil {
		return op.Errorf("invalid source layout map")
	}
	if want != to {
		return op.Errorf("expected expanded type to be '%s' but found '%s'", want, to)
	}
	static := interfaces.StaticInts(op, StaticOutputShapeAttr)
	if len(static) != len(to.Shape) {
		return op.Errorf("expected number of static shape bounds to be equal to the output rank (%d) but found %d inputs instead",
			len(to.Shape), len(static))
	}
	dynamic := len(o.OperandGroup(1))
	if dynamic != ir.NumDynamic(static) {
		return op.Errorf("mismatch in dynamic dims in output_shape and static_output_shape: static_output_shape has %d dynamic dims while output_shape has %d values",
			ir.NumDynamic(static), dynamic)
	}
	for i, n := range to.Shape {
		if n != ir.Dynamic && n != static[i] {
			return op.Errorf("invalid output shape provided at pos %d", i)
		}
	}
	return nil
}

func verifyCollapseShape(op *ir.Op) error {
	o := CollapseShapeOp{op}
	from, to := memrefOf(o.Source().Type()), memrefOf(op.Result(0).Type())
	if len(from.Shape) < len(to.Shape) {
		return op.Errorf("has source rank %d and result rank %d. This is not a collapse (%d < %d).",
			len(from.Shape), len(to.Shape), len(from.Shape), len(to.Shape))
	}
	groups := o.Reassociation()
	if err := verifyGroups(op, to.Shape, from.Shape, groups, true); err != nil {
		return err
	}
	want := collapsedType(op.Context(), from, groups, anyUnitStride)
	if want == nil {
		return op.Errorf("invalid source layout map or collapsing non-contiguous dims")
	}
	if want != to {
		return op.Errorf("expected collapsed type to be '%s' but found '%s'", want, to)
	}
	return nil
}
