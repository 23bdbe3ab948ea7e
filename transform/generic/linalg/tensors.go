package linalg

import (
	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// TensorPatterns returns the pattern that replaces tensor.pad by filling a tensor and
// inserting the source.
func TensorPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{{Name: "PadOpConverter", Root: tensor.Pad, Rewrite: padToFill}}
}

// ConvertTensors replaces the operations of the tensor dialect in op that structured
// operations can express: tensor.pad. It is convert-tensor-to-linalg.
func ConvertTensors(op *ir.Op, patterns *rewrite.PatternSet, report func(*ir.Diagnostic)) error {
	t := conversion.NewTarget()
	t.LegalDialects("arith", "linalg", "tensor")
	t.Illegal(tensor.Pad)
	return conversion.Partial(op, t, patterns, conversion.Config{Report: report})
}

// padToFill creates a tensor that has the padding everywhere, and inserts the source. If
// the padding is not the same everywhere, the body of tensor.pad becomes that of a
// tensor.generate.
func padToFill(r *rewrite.Rewriter, op *ir.Op) bool {
	o := tensor.PadOp{Op: op}
	r.Loc = op.Loc()
	b, t, low, high := r.Builder, o.Type(), o.Low(), o.High()
	var dynamic []*ir.Value
	for i, n := range t.Shape {
		if n != ir.Dynamic {
			continue
		}
		size := arith.ValueOf(b, tensor.MixedSize(b, o.Source(), i))
		for _, more := range []shapes.OpFoldResult{low[i], high[i]} {
			s := b.State(arith.AddI)
			s.Operands, s.Types = []*ir.Value{size, arith.ValueOf(b, more)}, []ir.Type{ir.Index}
			size = rewrite.CreateOrFold(b, s)[0]
		}
		dynamic = append(dynamic, size)
	}
	v := outerPadding(b, o)
	padded := tensor.NewEmptyOf(b, t, dynamic) // made and left alone in the second case, as in MLIR
	if v != nil {
		padded = linalg.NewFill(b, v, padded).Result(0)
	} else {
		s := b.State(tensor.Generate)
		s.Operands, s.Types = dynamic, []ir.Type{t}
		s.AddRegion()
		generate := b.Create(s)
		b.CloneRegion(op.RegionAt(0), generate.RegionAt(0), nil, ir.NewMapping())
		padded = generate.Result(0)
	}
	steps := make([]shapes.OpFoldResult, len(low))
	offsets := make([]shapes.OpFoldResult, len(low))
	for i := range steps {
		steps[i] = shapes.ConstSize(1)
		offsets[i] = low[i]
		if n, ok := low[i].Int(); ok {
			offsets[i] = shapes.ConstSize(n)
		}
	}
	slice := shapes.Slice{Offsets: offsets, Sizes: tensor.MixedSizes(b, o.Source()), Strides: steps}
	r.Replace(op, tensor.NewInsertSlice(b, o.Source(), padded, slice))
	return true
}

// outerPadding returns the value of all padding elements, defined outside of the body; nil
// if they are not all the same, or if the body does something else, which must not be lost. A constant that the body defines is repeated.
func outerPadding(b *ir.Builder, o tensor.PadOp) *ir.Value {
	for op := range o.Body().Ops() {
		if !interfaces.IsMemoryEffectFree(op) {
			return nil
		}
	}
	v := o.ConstantPadding()
	if v == nil || v.ParentBlock() != o.Body() {
		return v
	}
	return b.Clone(v.DefiningOp(), ir.NewMapping()).Result(0)
}
