package tensor

import (
	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

func emptyPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "FoldEmptyTensorWithCastOp", Root: Cast, Rewrite: castOfEmpty},
		{Name: "FoldEmptyTensorWithDimOp", Root: Dim, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			empty := DimOp{op}.Source().DefinedBy(Empty)
			i, ok := DimOp{op}.ConstantIndex()
			if empty == nil || !ok || i < 0 || i >= int64(len(EmptyOp{empty}.Type().Shape)) {
				return false
			}
			size := EmptyOp{empty}.MixedSizes()[i]
			if size.Value == nil {
				return false
			}
			r.Replace(op, size.Value)
			return true
		}},
		{Name: "ReplaceEmptyTensorStaticShapeDims", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			o := EmptyOp{op}
			t, rest := staticSizes(op.Context(), o.Type(), o.DynamicSizes().Values())
			if t == o.Type() {
				return false
			}
			replaceCast(r, op, NewEmptyOf(r.At(op), t, rest))
			return true
		}},
	}
}

// castOfEmpty creates an empty tensor with the type that it is cast to.
func castOfEmpty(r *rewrite.Rewriter, op *ir.Op) bool {
	empty := CastOp{op}.Source().DefinedBy(Empty)
	if empty == nil || !foldsIntoProducer(op) {
		return false
	}
	t := ranked(op.Result(0).Type())
	sizes := EmptyOp{empty}.MixedSizes()
	for i, d := range t.Shape {
		if sizes[i].Value == nil && sizes[i].Const != d {
			return false
		}
		if d != ir.Dynamic {
			sizes[i] = shapes.ConstSize(d)
		}
	}
	r.Replace(op, NewEmpty(r.At(op), sizes, t.Elem, t.Encoding))
	return true
}

// foldFromElements makes a constant of constant elements.
func foldFromElements(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if len(operands) == 0 && op.NumOperands() > 0 {
		return nil
	}
	var data []byte
	for _, a := range operands {
		switch a.(type) {
		case *ir.IntegerAttr, *ir.FloatAttr:
			data = ir.AppendElement(data, a)
		default:
			return nil
		}
	}
	return ir.FoldAttr(op.Context().DenseElements(op.Result(0).Type(), data))
}

func fromElementsPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{{Name: "ExtractElementFromIndexCast", Root: Extract, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
		o := ExtractOp{op}
		cast := o.Tensor().DefinedBy(arith.IndexCast)
		if cast == nil {
			return false
		}
		b := r.At(op)
		v := NewExtract(b, arith.IndexCastOp{Op: cast}.In(), o.Indices().Values()...)
		r.Replace(op, arith.NewCast(b, arith.IndexCast, op.Result(0).Type(), v))
		return true
	}}}
}

// foldSplat makes a constant of a constant element.
func foldSplat(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if len(operands) == 0 {
		return nil
	}
	t := ranked(op.Result(0).Type())
	if !ir.IsStaticShape(t.Shape) {
		return nil
	}
	switch a := operands[0].(type) {
	case *ir.IntegerAttr, *ir.FloatAttr:
		n, ok := ir.NumElements(t.Shape)
		if !ok {
			return nil
		}
		if n == 0 {
			return ir.FoldAttr(op.Context().DenseElements(t, nil))
		}
		return ir.FoldAttr(op.Context().DenseElements(t, ir.AppendElement(nil, a)))
	}
	return nil
}

func generatePatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "ExtractFromTensorGenerate", Root: Extract, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			o := ExtractOp{op}
			g := o.Tensor().DefinedBy(Generate)
			if g == nil || !interfaces.WouldBeTriviallyDead(g) {
				return false
			}
			body, m := GenerateOp{g}.Body(), ir.NewMapping()
			for i, a := range body.Args() {
				m.Map(a, o.Indices().At(i))
			}
			b := r.At(op)
			for x := body.First(); x != body.Last(); x = x.Next() {
				b.Clone(x, m)
			}
			r.Replace(op, m.Value(YieldedValue(body)))
			return true
		}},
		{Name: "StaticTensorGenerate", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			o := GenerateOp{op}
			t, rest := staticSizes(op.Context(), o.Type(), o.DynamicExtents().Values())
			if t == o.Type() {
				return false
			}
			b := r.At(op)
			s := b.State(Generate)
			s.Types, s.Operands = []ir.Type{t}, rest
			s.AddRegion()
			n := b.Create(s)
			n.RegionAt(0).TakeBody(op.RegionAt(0))
			replaceCast(r, op, n.Result(0))
			return true
		}},
	}
}
