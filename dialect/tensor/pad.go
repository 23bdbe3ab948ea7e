package tensor

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

const (
	staticLow  = "static_low"
	staticHigh = "static_high"
	nofold     = "nofold"
)

// Pad surrounds a tensor with further elements, which the body computes from
// their indices.
var Pad = ir.NewOpID("tensor.pad")

func padDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Pad,
		Operands: []ir.OperandDef{ir.Operand("source", constraint.AnyRankedTensor), indices("low"), indices("high")},
		Results:  ir.SingleResult("result", constraint.AnyRankedTensor),
		Attrs: []ir.AttrDef{i64Sizes(staticLow), i64Sizes(staticHigh), {Name: nofold, Type: constraint.UnitAttr, Optional: true},
			segments},
		Regions:            []ir.RegionDef{{Name: "region", Sized: 1}},
		Traits:             ir.TraitPure | ir.TraitRecursiveMemoryEffects | ir.TraitAttrSizedOperandSegments | ir.TraitSingleBlock,
		ImplicitTerminator: Yield,
		Format: "$source (`nofold` $nofold^)? `low` `` custom<DynamicIndexList>($low, $static_low)" +
			" `high` `` custom<DynamicIndexList>($high, $static_high) $region attr-dict `:` type($source) `to` type($result)",
		Verify:        verifyPad,
		VerifyRegions: verifyPadRegions,
		Models: []ir.Model{
			interfaces.Bufferizable.Model(padBufferize{}),
			named("padded"),
			interfaces.ReifyShapes.Model(reifyPad),
			rewrite.Patterns(padPatterns()...),
			exec.Executable.Model(executePad),
		},
		Fold: foldPad,
	}
}

// PadOp is a tensor.pad.
type PadOp struct{ *ir.Op }

// Source returns the tensor that is padded.
func (o PadOp) Source() *ir.Value { return o.Operand(0) }

// SourceType returns the type of the source.
func (o PadOp) SourceType() *ir.RankedTensorType { return ranked(o.Source().Type()) }

// Type returns the type of the result.
func (o PadOp) Type() *ir.RankedTensorType { return ranked(o.Result(0).Type()) }

// Low returns how much is added before each dimension, known where it is a constant.
func (o PadOp) Low() []shapes.OpFoldResult { return o.padding(1, staticLow) }

// High returns how much is added after each dimension, known where it is a constant.
func (o PadOp) High() []shapes.OpFoldResult { return o.padding(2, staticHigh) }

func (o PadOp) padding(group int, attr string) []shapes.OpFoldResult {
	list := interfaces.MixedList(o.Op, group, attr)
	shapes.FoldConstants(list, false, false)
	return list
}

// asWritten returns what is added before and after each dimension, values also where they are constants.
func (o PadOp) asWritten() (low, high []shapes.OpFoldResult) {
	return interfaces.MixedList(o.Op, 1, staticLow), interfaces.MixedList(o.Op, 2, staticHigh)
}

// Nofold tells whether the operation must stay even if it pads nothing.
func (o PadOp) Nofold() bool { return o.Attr(nofold) != nil }

// Body returns the block that computes an element of the padding.
func (o PadOp) Body() *ir.Block { return o.BodyBlock(0) }

// ConstantPadding returns the value of all padding elements if it is defined
// outside of the body, or is a constant; otherwise nil.
func (o PadOp) ConstantPadding() *ir.Value {
	v := YieldedValue(o.Body())
	if v == nil {
		return nil
	}
	if ir.ConstantOf(v) != nil || v.ParentBlock() != o.Body() {
		return v
	}
	return nil
}

// PaddedType returns the type of the result for the given static padding.
func PaddedType(c *ir.Context, source *ir.RankedTensorType, low, high []int64) *ir.RankedTensorType {
	shape := make([]int64, len(source.Shape))
	for i, d := range source.Shape {
		if d == ir.Dynamic || low[i] == ir.Dynamic || high[i] == ir.Dynamic {
			shape[i] = ir.Dynamic
		} else {
			shape[i] = d + low[i] + high[i]
		}
	}
	return c.RankedTensorOf(shape, source.Elem, nil)
}

// padState describes a tensor.pad but for its body; t is nil for the inferred type.
func padState(b *ir.Builder, t ir.Type, source *ir.Value, low, high []shapes.OpFoldResult, keep bool) ir.OpState {
	c := b.Context()
	sl, dl := shapes.SplitMixed(low)
	sh, dh := shapes.SplitMixed(high)
	if t == nil {
		t = PaddedType(c, ranked(source.Type()), sl, sh)
	}
	s := b.State(Pad)
	s.Types = []ir.Type{t}
	s.Operands = append(append([]*ir.Value{source}, dl...), dh...)
	s.SetAttr(staticLow, c.DenseI64Array(sl...))
	s.SetAttr(staticHigh, c.DenseI64Array(sh...))
	if keep {
		s.SetAttr(nofold, ir.Unit)
	}
	s.SetAttr(ir.OperandSegmentsAttr, c.DenseI32Array(1, int32(len(dl)), int32(len(dh))))
	return s
}

// NewPad pads source with the value; t is nil for the inferred type.
func NewPad(b *ir.Builder, t ir.Type, source *ir.Value, low, high []shapes.OpFoldResult, value *ir.Value, keep bool) *ir.Op {
	s := padState(b, t, source, low, high, keep)
	body := s.AddRegion().AddBlock()
	for range low {
		body.AddArg(ir.Index, nil)
	}
	op := b.Create(s)
	ip := b.InsertionPoint()
	b.SetEnd(body)
	NewYield(b, value)
	b.SetInsertionPoint(ip)
	return op
}

func verifyPad(op *ir.Op) error {
	o := PadOp{op}
	src, res := o.SourceType(), o.Type()
	low, high := interfaces.StaticInts(op, staticLow), interfaces.StaticInts(op, staticHigh)
	if len(low) != len(src.Shape) || len(high) != len(src.Shape) {
		return op.PlainErrorf("failed to infer expectedType from sourceType '%s', specified resultType is '%s'", src, res)
	}
	if err := interfaces.VerifyMixedList(op, "low", len(low), low, 1); err != nil {
		return err
	}
	if err := interfaces.VerifyMixedList(op, "high", len(high), high, 2); err != nil {
		return err
	}
	expected := PaddedType(op.Context(), src, low, high)
	ok := len(res.Shape) == len(expected.Shape)
	for i := 0; ok && i < len(expected.Shape); i++ {
		ok = res.Shape[i] == expected.Shape[i] || expected.Shape[i] == ir.Dynamic
	}
	if !ok {
		return op.PlainErrorf("specified type '%s' does not match the inferred type '%s'", res, expected)
	}
	return nil
}

func verifyPadRegions(op *ir.Op) error {
	o := PadOp{op}
	body := o.Body()
	if rank := len(o.Type().Shape); body.NumArgs() != rank {
		return op.PlainErrorf("expected the block to have %d arguments", rank)
	}
	for i, a := range body.Args() {
		if a.Type() != ir.Type(ir.Index) {
			return op.Errorf("expected block argument %d to be an index", i+1)
		}
	}
	if v := YieldedValue(body); v == nil || v.Type() != o.Type().Elem {
		return op.Errorf("expected yield type to match shape element type")
	}
	return nil
}
