package tensor

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

var sliceAttrs = []ir.AttrDef{i64s(interfaces.StaticOffsets), i64Sizes(interfaces.StaticSizes), i64s(interfaces.StaticStrides), segments}

// ExtractSlice is a strided part of a tensor; dimensions of size 1 may be dropped
// from the result.
var ExtractSlice = ir.NewOpID("tensor.extract_slice")

func extractSliceDef() *ir.OpDef {
	return &ir.OpDef{
		ID: ExtractSlice,
		Operands: []ir.OperandDef{ir.Operand("source", constraint.AnyRankedTensor),
			indices("offsets"), indices("sizes"), indices("strides")},
		Results: ir.SingleResult("result", constraint.AnyRankedTensor),
		Attrs:   sliceAttrs,
		Traits:  ir.TraitPure | ir.TraitAttrSizedOperandSegments,
		Format: "$source `` custom<DynamicIndexList>($offsets, $static_offsets)" +
			" custom<DynamicIndexList>($sizes, $static_sizes) custom<DynamicIndexList>($strides, $static_strides)" +
			" attr-dict `:` type($source) `to` type($result)",
		Verify:      verifyExtractSlice,
		Revisions:   sliceWithin(verifyExtractSlice, func(op *ir.Op) []int64 { return ExtractSliceOp{op}.SourceType().Shape }),
		VerifyAlone: true,
		Models: []ir.Model{
			interfaces.Subset.Model(subset{}),
			interfaces.SubsetExtraction.Model(struct{}{}),
			interfaces.Bufferizable.Model(extractSliceBufferize{}),
			named("extracted_slice"),
			interfaces.OffsetSizeAndStride.Model(interfaces.OffsetsModel{Offsets: 1, Sizes: 2, Strides: 3, Rank: sourceRank}),
			interfaces.ReifyShapes.Model(reifyExtractSlice),
			rewrite.Patterns(extractSlicePatterns()...),
			exec.Executable.Model(executeExtractSlice),
		},
		Fold: foldExtractSlice,
	}
}

// ExtractSliceOp is a tensor.extract_slice.
type ExtractSliceOp struct{ *ir.Op }

// Source returns the tensor that the slice is taken from.
func (o ExtractSliceOp) Source() *ir.Value { return o.Operand(0) }

// SourceType returns the type of the source.
func (o ExtractSliceOp) SourceType() *ir.RankedTensorType { return ranked(o.Source().Type()) }

// Type returns the type of the result.
func (o ExtractSliceOp) Type() *ir.RankedTensorType { return ranked(o.Result(0).Type()) }

// Slice returns offsets, sizes and strides.
func (o ExtractSliceOp) Slice() shapes.Slice { return interfaces.SliceOf(o.Op) }

// DroppedDims tells for each dimension of the source whether the result lacks it.
func (o ExtractSliceOp) DroppedDims() []bool {
	return droppedDims(interfaces.MixedSizes(o.Op), o.Type().Shape)
}

// droppedDims tells which of the sizes, all constant 1, don't appear in the
// shape.
func droppedDims(sizes []shapes.OpFoldResult, shape []int64) []bool {
	dropped := make([]bool, len(sizes))
	pos := 0
	for i, s := range sizes {
		one := s.Value == nil && s.Const == 1
		if !one || pos < len(shape) && shape[pos] == 1 {
			pos++
			continue
		}
		dropped[i] = true
	}
	return dropped
}

func sourceRank(op *ir.Op) (int, int, int) {
	r := len(ExtractSliceOp{op}.SourceType().Shape)
	return r, r, r
}

// SliceType returns the type of a slice of the given static sizes of a tensor.
func SliceType(c *ir.Context, source *ir.RankedTensorType, sizes []int64) *ir.RankedTensorType {
	return c.RankedTensorOf(sizes, source.Elem, source.Encoding)
}

// RankReducedSliceType returns the type of a slice with as many dimensions of size
// 1 dropped, from the left, as give the rank.
func RankReducedSliceType(c *ir.Context, rank int, source *ir.RankedTensorType, sizes []int64) *ir.RankedTensorType {
	drop := len(sizes) - rank
	if drop <= 0 {
		return SliceType(c, source, sizes)
	}
	var shape []int64
	for _, s := range sizes {
		if s == 1 && drop > 0 {
			drop--
			continue
		}
		shape = append(shape, s)
	}
	return SliceType(c, source, shape)
}

// NewExtractSlice takes a slice of source; t is the type of the result, nil for
// that without dropped dimensions.
func NewExtractSlice(b *ir.Builder, t *ir.RankedTensorType, source *ir.Value, s shapes.Slice) *ir.Value {
	if t == nil {
		t = SliceType(b.Context(), ranked(source.Type()), shapes.StaticOf(s.Sizes))
	}
	return newSlice(b, ExtractSlice, []ir.Type{t}, []*ir.Value{source}, s).Result(0)
}

func newSlice(b *ir.Builder, id *ir.OpID, types []ir.Type, operands []*ir.Value, s shapes.Slice) *ir.Op {
	c := b.Context()
	offsets, do := shapes.SplitMixed(s.Offsets)
	sizes, ds := shapes.SplitMixed(s.Sizes)
	strides, dt := shapes.SplitMixed(s.Strides)
	seg := make([]int32, 0, 5)
	for range operands {
		seg = append(seg, 1)
	}
	seg = append(seg, int32(len(do)), int32(len(ds)), int32(len(dt)))
	all := append(append(append(append([]*ir.Value(nil), operands...), do...), ds...), dt...)
	st := b.State(id)
	st.Types, st.Operands = types, all
	st.Props = []ir.Attribute{c.DenseI64Array(offsets...), c.DenseI64Array(sizes...), c.DenseI64Array(strides...), c.DenseI32Array(seg...)}
	return b.Create(st)
}

func verifyExtractSlice(op *ir.Op) error {
	if err := interfaces.VerifyOffsetSizeAndStride(op); err != nil {
		return err
	}
	o := ExtractSliceOp{op}
	return verifySliceType(op, SliceType(op.Context(), o.SourceType(), interfaces.StaticInts(op, interfaces.StaticSizes)), o.Type())
}

// verifySliceType checks that t is the expected type, possibly with dimensions of
// size 1 dropped.
func verifySliceType(op *ir.Op, expected, t *ir.RankedTensorType) error {
	if t == expected {
		return nil
	}
	if len(t.Shape) > len(expected.Shape) {
		return op.PlainErrorf("expected rank to be smaller or equal to the other rank. ")
	}
	if _, ok := shapes.RankReduction(expected.Shape, t.Shape); !ok {
		return op.PlainErrorf("expected type to be '%s' or a rank-reduced version. (size mismatch) ", expected)
	}
	if t.Elem != expected.Elem {
		return op.PlainErrorf("expected element type to be '%s'", expected.Elem)
	}
	return nil
}

func reifyExtractSlice(_ *ir.Builder, op *ir.Op) [][]shapes.OpFoldResult {
	o := ExtractSliceOp{op}
	dropped := o.DroppedDims()
	var out []shapes.OpFoldResult
	for i, s := range interfaces.MixedSizes(op) {
		if !dropped[i] {
			out = append(out, s)
		}
	}
	return [][]shapes.OpFoldResult{out}
}

// InsertSlice is a tensor with a strided part replaced by another tensor.
var InsertSlice = ir.NewOpID("tensor.insert_slice")

func insertSliceDef() *ir.OpDef {
	return &ir.OpDef{
		ID: InsertSlice,
		Operands: []ir.OperandDef{ir.Operand("source", constraint.AnyRankedTensor), ir.Operand("dest", constraint.AnyRankedTensor),
			indices("offsets"), indices("sizes"), indices("strides")},
		Results:     ir.SingleResult("result", constraint.AnyRankedTensor),
		Attrs:       sliceAttrs,
		Traits:      ir.TraitPure | ir.TraitAttrSizedOperandSegments,
		TypeRules:   []ir.TypeRule{sameAs("dest", "result", "expected result type to match dest type")},
		Format:      insertFormat,
		Verify:      verifyInsertSlice,
		Revisions:   sliceWithin(verifyInsertSlice, insertedInto),
		VerifyAlone: true,
		Models: []ir.Model{
			interfaces.SubsetInsertion.Model(subsetInsertion{}),
			interfaces.Subset.Model(subset{}),
			interfaces.Bufferizable.Model(insertSliceBufferize{}),
			named("inserted_slice"),
			interfaces.OffsetSizeAndStride.Model(interfaces.OffsetsModel{Offsets: 2, Sizes: 3, Strides: 4, Rank: destRank}),
			interfaces.DestinationStyle.Model(secondOperand),
			interfaces.ReifyShapes.Model(func(b *ir.Builder, op *ir.Op) [][]shapes.OpFoldResult {
				return [][]shapes.OpFoldResult{MixedSizes(b, InsertSliceOp{op}.Dest())}
			}),
			rewrite.Patterns(insertSlicePatterns()...),
			exec.Executable.Model(executeInsertSlice),
			interfaces.ConditionallySpeculatable.Model(func(op *ir.Op) interfaces.Speculatability {
				return speculateSlice(InsertSliceOp{op}.DestType(), InsertSliceOp{op}.Slice())
			}),
		},
		Fold: foldInsertSlice,
	}
}

const insertFormat = "$source `into` $dest `` custom<DynamicIndexList>($offsets, $static_offsets)" +
	" custom<DynamicIndexList>($sizes, $static_sizes) custom<DynamicIndexList>($strides, $static_strides)" +
	" attr-dict `:` type($source) `into` type($dest)"

// InsertSliceOp is a tensor.insert_slice or tensor.parallel_insert_slice.
type InsertSliceOp struct{ *ir.Op }

// Source returns the tensor that is put in.
func (o InsertSliceOp) Source() *ir.Value { return o.Operand(0) }

// Dest returns the tensor that the source is put into.
func (o InsertSliceOp) Dest() *ir.Value { return o.Operand(1) }

// SourceType returns the type of the source.
func (o InsertSliceOp) SourceType() *ir.RankedTensorType { return ranked(o.Source().Type()) }

// DestType returns the type of the destination.
func (o InsertSliceOp) DestType() *ir.RankedTensorType { return ranked(o.Dest().Type()) }

// Slice returns offsets, sizes and strides.
func (o InsertSliceOp) Slice() shapes.Slice { return interfaces.SliceOf(o.Op) }

// DroppedDims tells for each dimension of the destination whether the source
// lacks it.
func (o InsertSliceOp) DroppedDims() []bool {
	return droppedDims(interfaces.MixedSizes(o.Op), o.SourceType().Shape)
}

func destRank(op *ir.Op) (int, int, int) {
	r := len(InsertSliceOp{op}.DestType().Shape)
	return r, r, r
}

// NewInsertSlice puts source into a slice of dest.
func NewInsertSlice(b *ir.Builder, source, dest *ir.Value, s shapes.Slice) *ir.Value {
	return newSlice(b, InsertSlice, []ir.Type{dest.Type()}, []*ir.Value{source, dest}, s).Result(0)
}

// NewParallelInsertSlice puts source into a slice of the shared tensor dest.
func NewParallelInsertSlice(b *ir.Builder, source, dest *ir.Value, s shapes.Slice) *ir.Op {
	return newSlice(b, ParallelInsertSlice, nil, []*ir.Value{source, dest}, s)
}

func verifyInsertSlice(op *ir.Op) error {
	if err := interfaces.VerifyOffsetSizeAndStride(op); err != nil {
		return err
	}
	o := InsertSliceOp{op}
	return verifySliceType(op, SliceType(op.Context(), o.DestType(), interfaces.StaticInts(op, interfaces.StaticSizes)), o.SourceType())
}

// ParallelInsertSlice puts a tensor into a part of a tensor that the threads of
// the enclosing operation share.
var ParallelInsertSlice = ir.NewOpID("tensor.parallel_insert_slice")

func parallelInsertSliceDef() *ir.OpDef {
	return &ir.OpDef{
		ID: ParallelInsertSlice,
		Operands: []ir.OperandDef{ir.Operand("source", constraint.AnyRankedTensor), ir.Operand("dest", constraint.AnyRankedTensor),
			indices("offsets"), indices("sizes"), indices("strides")},
		Attrs:     sliceAttrs,
		Traits:    ir.TraitAttrSizedOperandSegments,
		Format:    insertFormat,
		Verify:    verifyParallelInsertSlice,
		Revisions: sliceWithin(verifyParallelInsertSlice, insertedInto),
		Models: []ir.Model{
			interfaces.SubsetInsertion.Model(subsetInsertion{}),
			interfaces.Subset.Model(subset{}),
			interfaces.Bufferizable.Model(parallelInsertSliceBufferize{}),
			interfaces.OffsetSizeAndStride.Model(interfaces.OffsetsModel{Offsets: 2, Sizes: 3, Strides: 4, Rank: destRank}),
			rewrite.Patterns(parallelInsertSlicePatterns()...),
			exec.Executable.Model(executeParallelInsert),
		},
	}
}

func verifyParallelInsertSlice(op *ir.Op) error {
	if p := op.Parent(); p != nil && p.Registered() && !interfaces.ParallelCombining.Has(p) {
		d := op.PlainErrorf("expected %s parent, got:", interfaces.ParallelCombining.Name())
		d.Suffix = p
		return d
	}
	return verifyInsertSlice(op)
}
