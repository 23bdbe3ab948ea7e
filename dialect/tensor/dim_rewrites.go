package tensor

import (
	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// foldDim folds sizes that are static, or that the producer of the tensor was
// given.
func foldDim(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	o := DimOp{op}
	var i int64
	if len(operands) > 1 && operands[1] != nil {
		a, ok := operands[1].(*ir.IntegerAttr)
		if !ok {
			return nil
		}
		i = a.Value
	} else {
		v, ok := o.ConstantIndex()
		if !ok {
			return nil
		}
		i = v
	}
	t := ranked(o.Source().Type())
	if t == nil || i < 0 || i >= int64(len(t.Shape)) {
		return nil
	}
	if d := t.Shape[i]; d != ir.Dynamic {
		return ir.FoldAttr(op.Context().IndexAttr(d))
	}
	if g := o.Source().DefinedBy(Generate); g != nil {
		return ir.FoldValue(GenerateOp{g}.DynamicExtents().At(ir.NumDynamic(t.Shape[:i])))
	}
	if s := o.Source().DefinedBy(ExtractSlice); s != nil {
		e := ExtractSliceOp{s}
		if size := interfaces.MixedSizes(s)[i]; len(e.Type().Shape) == len(e.SourceType().Shape) && size.Value != nil {
			return ir.FoldValue(size.Value)
		}
	}
	if foldOperandCasts(op) {
		return ir.FoldedInPlace()
	}
	return nil
}

func dimPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "DimOfCastOp", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			cast := DimOp{op}.Source().DefinedBy(Cast)
			if cast == nil {
				return false
			}
			r.Replace(op, NewDimOf(r.At(op), CastOp{cast}.Source(), DimOp{op}.Index()))
			return true
		}},
		{Name: "DimOfDestStyleOp", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			init := interfaces.TiedInit(DimOp{op}.Source())
			if init == nil {
				return false
			}
			v := init.Value()
			r.Modify(op, func() { op.SetOperand(0, v) })
			return true
		}},
		{Name: "DimOfReshapeOp", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			reshape := DimOp{op}.Source().DefinedBy(Reshape)
			if reshape == nil {
				return false
			}
			b := r.At(op)
			v := NewExtract(b, ReshapeOp{reshape}.Shape(), DimOp{op}.Index())
			if v.Type() != op.Result(0).Type() {
				v = arith.NewCast(b, arith.IndexCast, op.Result(0).Type(), v)
			}
			r.Replace(op, v)
			return true
		}},
	}
}
