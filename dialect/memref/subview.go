package memref

import (
	"fmt"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

const (
	sliceOffsets = 1
	sliceSizes   = 2
	sliceStrides = 3
)

var sliceOperands = []ir.OperandDef{indices("offsets"), indices("sizes"), indices("strides")}

var sliceAttrs = []ir.AttrDef{i64s(interfaces.StaticOffsets), i64Sizes(interfaces.StaticSizes), i64s(interfaces.StaticStrides), segments}

// SubView sees a strided part of a buffer.
var SubView = ir.NewOpID("memref.subview")

func subViewDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       SubView,
		Operands: append([]ir.OperandDef{ir.Operand("source", constraint.AnyMemRef)}, sliceOperands...),
		Results:  ir.SingleResult("result", constraint.AnyMemRef),
		Attrs:    sliceAttrs,
		Traits:   ir.TraitAttrSizedOperandSegments | ir.TraitPure,
		Format: "$source `` custom<DynamicIndexList>($offsets, $static_offsets) " +
			"custom<DynamicIndexList>($sizes, $static_sizes) custom<DynamicIndexList>($strides, $static_strides) " +
			"attr-dict `:` type($source) `to` type($result)",
		Verify:      verifySubView,
		VerifyAlone: true,
		Models: []ir.Model{
			interfaces.Addresses(interfaces.AsViewed),
			named("subview"),
			viewOfFirst,
			interfaces.OffsetSizeAndStride.Model(interfaces.OffsetsModel{
				Offsets: sliceOffsets, Sizes: sliceSizes, Strides: sliceStrides,
				Rank: func(op *ir.Op) (int, int, int) {
					n := len(memrefOf(RankOp{op}.MemRef().Type()).Shape)
					return n, n, n
				}}),
			exec.Executable.Model(executeSubView),
			rewrite.Patterns(subViewPatterns()...),
		},
		Fold: foldSubView,
		Revisions: []ir.Revision{{Since: 22, Fold: foldLaterSubView, Verify: func(op *ir.Op) error {
			if err := verifySubView(op); err != nil {
				return err
			}
			return interfaces.VerifyWithin(op, SubViewOp{op}.SourceType().Shape)
		}}},
	}
}

// SubViewOp is a memref.subview.
type SubViewOp struct{ *ir.Op }

// Source returns the buffer of which a part is seen.
func (o SubViewOp) Source() *ir.Value { return o.Operand(0) }

// SourceType returns the type of the source.
func (o SubViewOp) SourceType() *ir.MemRefType { return memrefOf(o.Source().Type()) }

// Type returns the type of the view.
func (o SubViewOp) Type() *ir.MemRefType { return memrefOf(o.Result(0).Type()) }

// Slice returns offsets, sizes and strides.
func (o SubViewOp) Slice() shapes.Slice { return interfaces.SliceOf(o.Op) }

// DroppedDims tells for each dimension of the source whether the type of the
// result leaves it out. It is nil if the types don't fit each other.
func (o SubViewOp) DroppedDims() []bool {
	return droppedDims(o.SourceType(), o.Type(), interfaces.MixedSizes(o.Op), interfaces.StaticInts(o.Op, interfaces.StaticStrides))
}

// NewSubView creates a view of a part of source. t is the type of the result,
// which may leave out dimensions of size 1; if it is nil, the type is inferred
// without leaving out any.
func NewSubView(b *ir.Builder, t *ir.MemRefType, source *ir.Value, s shapes.Slice) *ir.Value {
	c := b.Context()
	if t == nil {
		t = SubViewType(c, memrefOf(source.Type()), s)
	}
	return newSlice(b, SubView, t, source, s)
}

func newSlice(b *ir.Builder, id *ir.OpID, t *ir.MemRefType, source *ir.Value, sl shapes.Slice) *ir.Value {
	c := b.Context()
	so, do := shapes.SplitMixed(sl.Offsets)
	ss, ds := shapes.SplitMixed(sl.Sizes)
	st, dt := shapes.SplitMixed(sl.Strides)
	s := b.State(id)
	s.Types = []ir.Type{t}
	s.Operands = append(append(append([]*ir.Value{source}, do...), ds...), dt...)
	s.SetAttr(interfaces.StaticOffsets, c.DenseI64Array(so...))
	s.SetAttr(interfaces.StaticSizes, c.DenseI64Array(ss...))
	s.SetAttr(interfaces.StaticStrides, c.DenseI64Array(st...))
	s.SetAttr(ir.OperandSegmentsAttr, c.Segments(1, len(do), len(ds), len(dt)))
	return b.Create(s).Result(0)
}

// SubViewType returns the type of a part of a buffer of a strided type, all
// dimensions kept.
func SubViewType(c *ir.Context, source *ir.MemRefType, s shapes.Slice) *ir.MemRefType {
	return subViewType(c, source, shapes.StaticOf(s.Offsets), shapes.StaticOf(s.Sizes), shapes.StaticOf(s.Strides))
}

func subViewType(c *ir.Context, source *ir.MemRefType, offsets, sizes, steps []int64) *ir.MemRefType {
	strides, offset, _ := source.StridesAndOffset()
	out := make([]int64, len(strides))
	for i := range strides {
		offset = addDynamic(offset, mulDynamic(offsets[i], strides[i]))
		out[i] = mulDynamic(strides[i], steps[i])
	}
	return c.MemRefOf(sizes, source.Elem, c.StridedLayout(offset, out), source.Space)
}

func addDynamic(a, b int64) int64 {
	if a == ir.Dynamic || b == ir.Dynamic {
		return ir.Dynamic
	}
	return a + b
}

func mulDynamic(a, b int64) int64 {
	if a == 0 || b == 0 {
		return 0
	}
	if a == ir.Dynamic || b == ir.Dynamic {
		return ir.Dynamic
	}
	return a * b
}

// RankReducedSubViewType is [SubViewType] for a result of the given shape, which
// leaves out some of the dimensions of size 1.
func RankReducedSubViewType(c *ir.Context, shape []int64, source *ir.MemRefType, s shapes.Slice) *ir.MemRefType {
	full := SubViewType(c, source, s)
	if len(full.Shape) == len(shape) {
		return full
	}
	dropped, ok := shapes.RankReduction(full.Shape, shape)
	if !ok {
		return full
	}
	return dropDims(c, full, dropped)
}

// dropDims removes the dropped dimensions from a type with a strided layout.
func dropDims(c *ir.Context, m *ir.MemRefType, dropped []bool) *ir.MemRefType {
	strides, offset, _ := m.StridesAndOffset()
	var shape, st []int64
	for i := range m.Shape {
		if !dropped[i] {
			shape, st = append(shape, m.Shape[i]), append(st, strides[i])
		}
	}
	return c.MemRefOf(shape, m.Elem, c.StridedLayout(offset, st), m.Space)
}

// droppedDims finds out which dimensions of size 1 a subview leaves out. Where
// several could be meant, the strides of the result tell.
func droppedDims(source, res *ir.MemRefType, sizes []shapes.OpFoldResult, steps []int64) []bool {
	n := len(source.Shape) - len(res.Shape)
	dropped := make([]bool, len(source.Shape))
	if n == 0 {
		return dropped
	}
	ones := 0
	for i, s := range sizes {
		if s.Value == nil && s.Const == 1 {
			dropped[i] = true
			ones++
		}
	}
	if ones == n {
		return dropped
	}
	from, _, ok1 := source.StridesAndOffset()
	to, _, ok2 := res.StridesAndOffset()
	if !ok1 || !ok2 {
		return nil
	}
	// A stride that the result has as often as the source keeps its dimension.
	count := map[int64]int{}
	for i := range from {
		count[mulDynamic(from[i], steps[i])]++
	}
	kept := map[int64]int{}
	for _, s := range to {
		kept[s]++
	}
	for i := range dropped {
		if !dropped[i] {
			continue
		}
		s := mulDynamic(from[i], steps[i])
		switch {
		case kept[s] < count[s]:
			count[s]--
		case kept[s] == count[s]:
			dropped[i] = false
			ones--
		default:
			return nil
		}
	}
	if ones != n {
		return nil
	}
	return dropped
}

// mismatch returns the error that a view has the wrong type, which LLVM 22 says; until then, the message ends otherwise.
func mismatch(op *ir.Op, got ir.Type, what, end string) error {
	if op.Context().LLVM() >= 22 {
		return op.PlainErrorf("%s, but got '%s'", what, got)
	}
	return op.PlainErrorf("%s%s", what, end)
}

func verifySubView(op *ir.Op) error {
	if err := interfaces.VerifyOffsetSizeAndStride(op); err != nil {
		return err
	}
	o := SubViewOp{op}
	from, to := o.SourceType(), o.Type()
	if from.Space != to.Space {
		return op.PlainErrorf("different memory spaces specified for base memref type '%s' and subview memref type '%s'", from, to)
	}
	if _, _, ok := from.StridesAndOffset(); !ok {
		return op.PlainErrorf("base type '%s' is not strided", from)
	}
	offsets, sizes, steps := interfaces.StaticInts(op, interfaces.StaticOffsets), interfaces.StaticInts(op, interfaces.StaticSizes), interfaces.StaticInts(op, interfaces.StaticStrides)
	want := subViewType(op.Context(), from, offsets, sizes, steps)
	if len(to.Shape) > len(want.Shape) {
		return mismatch(op, to, "expected result rank to be smaller or equal to the source rank", ". ")
	}
	if _, ok := shapes.RankReduction(want.Shape, to.Shape); !ok || len(to.Shape) == len(want.Shape) && !sameShape(to.Shape, want.Shape) {
		return mismatch(op, to, fmt.Sprintf("expected result type to be '%s' or a rank-reduced version. (mismatch of result sizes)", want), " ")
	}
	if want.Elem != to.Elem {
		return mismatch(op, to, fmt.Sprintf("expected result element type to be '%s'", want.Elem), "")
	}
	dropped := droppedDims(want, to, interfaces.MixedSizes(op), ones(len(want.Shape)))
	if dropped == nil || !stridesFit(want, to, dropped) {
		return mismatch(op, to, fmt.Sprintf("expected result type to be '%s' or a rank-reduced version. (mismatch of result layout)", want), " ")
	}
	return nil
}

func ones(n int) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = 1
	}
	return out
}

func sameShape(a, b []int64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return len(a) == len(b)
}

// stridesFit tells whether a type has the strides and the offset of another one
// without the dropped dimensions.
func stridesFit(want, got *ir.MemRefType, dropped []bool) bool {
	ws, wo, _ := want.StridesAndOffset()
	gs, g, ok := got.StridesAndOffset()
	if !ok || wo != g {
		return false
	}
	j := 0
	for i := range ws {
		if dropped[i] {
			continue
		}
		if j >= len(gs) || ws[i] != gs[j] {
			return false
		}
		j++
	}
	return true
}

// ReinterpretCast sees a buffer with any offset, sizes and strides.
var ReinterpretCast = ir.NewOpID("memref.reinterpret_cast")

func reinterpretCastDef() *ir.OpDef {
	return reinterpretCast(constraint.AnyMemRef, ir.SameSize, ir.Revision{Since: 22, Def: reinterpretCast(stridedMemRef, saysNoMore)})
}

// reinterpretCast is the definition with what a result must be, and how its type fits the operation.
func reinterpretCast(result ir.TypeConstraint, fits func(inType, inOp int64) bool, revisions ...ir.Revision) *ir.OpDef {
	return &ir.OpDef{
		ID:       ReinterpretCast,
		Operands: append([]ir.OperandDef{ir.Operand("source", constraint.AnyRankedOrUnrankedMemRef)}, sliceOperands...),
		Results:  ir.SingleResult("result", result),
		Attrs:    sliceAttrs,
		Traits:   ir.TraitAttrSizedOperandSegments | ir.TraitPure,
		Format: "$source `to` `offset` `` `:` custom<DynamicIndexList>($offsets, $static_offsets) " +
			"`` `,` `sizes` `` `:` custom<DynamicIndexList>($sizes, $static_sizes) " +
			"`` `,` `strides` `` `:` custom<DynamicIndexList>($strides, $static_strides) " +
			"attr-dict `:` type($source) `to` type($result)",
		Verify:      verifyReinterpretCast(fits),
		Revisions:   revisions,
		VerifyAlone: true,
		Models: []ir.Model{
			interfaces.Addresses(interfaces.AsLaidOut),
			named("reinterpret_cast"),
			viewOfFirst,
			interfaces.OffsetSizeAndStride.Model(interfaces.OffsetsModel{
				Offsets: sliceOffsets, Sizes: sliceSizes, Strides: sliceStrides,
				Rank: func(op *ir.Op) (int, int, int) {
					n := len(memrefOf(op.Result(0).Type()).Shape)
					return 1, n, n
				}}),
			exec.Executable.Model(executeReinterpretCast),
			rewrite.Patterns(reinterpretCastPatterns()...),
		},
		Fold: foldReinterpretCast,
	}
}

// ReinterpretCastOp is a memref.reinterpret_cast.
type ReinterpretCastOp struct{ *ir.Op }

// Source returns the buffer that is seen in another way.
func (o ReinterpretCastOp) Source() *ir.Value { return o.Operand(0) }

// Type returns the type of the result.
func (o ReinterpretCastOp) Type() *ir.MemRefType { return memrefOf(o.Result(0).Type()) }

// Slice returns the offset, sizes and strides.
func (o ReinterpretCastOp) Slice() shapes.Slice { return interfaces.SliceOf(o.Op) }

// NewReinterpretCast creates a view of source with one offset and the given
// sizes and strides; if t is nil, the type is inferred from them.
func NewReinterpretCast(b *ir.Builder, t *ir.MemRefType, source *ir.Value, s shapes.Slice) *ir.Value {
	if t == nil {
		c := b.Context()
		layout := c.StridedLayout(shapes.StaticOf(s.Offsets)[0], shapes.StaticOf(s.Strides))
		t = c.MemRefOf(shapes.StaticOf(s.Sizes), ir.ElementType(source.Type()), layout, ir.MemorySpaceOf(source.Type()))
	}
	return newSlice(b, ReinterpretCast, t, source, s)
}

// saysNoMore tells whether a size, stride or offset of a type says no more than the operation does.
func saysNoMore(inType, inOp int64) bool { return inType == ir.Dynamic || inType == inOp }

// verifyReinterpretCast returns a verifier; fits tells which sizes, strides and offsets a type may have for those of the operation.
func verifyReinterpretCast(fits func(inType, inOp int64) bool) func(*ir.Op) error {
	return func(op *ir.Op) error { return verifyReinterpreted(op, fits) }
}

func verifyReinterpreted(op *ir.Op, fits func(inType, inOp int64) bool) error {
	if err := interfaces.VerifyOffsetSizeAndStride(op); err != nil {
		return err
	}
	o := ReinterpretCastOp{op}
	from, to := o.Source().Type(), o.Type()
	if ir.MemorySpaceOf(from) != to.Space {
		return op.PlainErrorf("different memory spaces specified for source type '%s' and result memref type '%s'", from, to)
	}
	if ir.ElementType(from) != to.Elem {
		return op.PlainErrorf("different element types specified for source type '%s' and result memref type '%s'", from, to)
	}
	offsets, sizes, steps := interfaces.StaticInts(op, interfaces.StaticOffsets), interfaces.StaticInts(op, interfaces.StaticSizes), interfaces.StaticInts(op, interfaces.StaticStrides)
	for i, n := range to.Shape {
		if !fits(n, sizes[i]) {
			return op.PlainErrorf("expected result type with size = %s instead of %s in dim = %d", spell(sizes[i]), spell(n), i)
		}
	}
	strides, offset, ok := to.StridesAndOffset()
	if !ok {
		return op.PlainErrorf("expected result type to have strided layout but found '%s'", to)
	}
	if !fits(offset, offsets[0]) {
		return op.PlainErrorf("expected result type with offset = %s instead of %s", spell(offsets[0]), spell(offset))
	}
	for i, n := range strides {
		if !fits(n, steps[i]) {
			return op.PlainErrorf("expected result type with stride = %s instead of %s in dim = %d", spell(steps[i]), spell(n), i)
		}
	}
	return nil
}
