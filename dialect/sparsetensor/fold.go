package sparsetensor

import (
	"freehold/ir"
)

// foldLvl folds to the size of a level that the type tells.
func foldLvl(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	lvl, ok := ir.ConstantInt(LvlOp{op}.Index())
	t := LvlOp{op}.Source().Type().(*ir.RankedTensorType)
	e, _ := TensorEncoding(t)
	if !ok || lvl < 0 || lvl >= int64(e.LvlRank()) {
		return nil
	}
	size := levelSize(op.Context(), e, t.Shape, int(lvl))
	if size == ir.Dynamic {
		return nil
	}
	return ir.FoldAttr(op.Context().IndexAttr(size))
}

// levelSize returns the size of a level of a tensor of the shape: one more than the
// coordinate of the last element of each dimension. It is dynamic where that is not
// known.
func levelSize(c *ir.Context, e Encoding, shape []int64, lvl int) int64 {
	m := e.DimToLvl()
	if m == nil {
		return shape[lvl]
	}
	last := make([]*ir.AffineExpr, len(shape))
	for i, n := range shape {
		if n == ir.Dynamic {
			last[i] = c.AffineDim(i)
		} else {
			last[i] = c.AffineConstant(n - 1)
		}
	}
	x := c.AffineReplace(m.Results[lvl], last, nil)
	switch {
	case x.Kind == ir.AffineConst:
		return x.Value + 1
	case x.Kind == ir.AffineMod && x.RHS.Kind == ir.AffineConst:
		return x.RHS.Value
	}
	return ir.Dynamic
}

// foldCrdTranslate permutes coordinates, and undoes a translation back.
func foldCrdTranslate(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	e, _ := EncodingOf(op.Attr("encoder"))
	m := e.DimToLvl()
	if m == nil || m.IsPermutation() {
		toDim := op.Attr("direction").(*ir.EnumAttr).Value != 0
		out := make([]ir.FoldResult, op.NumOperands())
		for i := range out {
			from, to := i, i
			if m != nil {
				from = int(m.Results[i].Value)
			}
			if toDim {
				from, to = to, from
			}
			out[to] = ir.FoldResult{Value: op.Operand(from)}
		}
		return out
	}
	def := op.Operand(0).DefinedBy(CrdTranslate)
	if def == nil || def.NumResults() != op.NumOperands() || def.Attr("direction") == op.Attr("direction") {
		return nil
	}
	if d, _ := EncodingOf(def.Attr("encoder")); d.DimToLvl() != m {
		return nil
	}
	for i, v := range op.Operands().Values() {
		if v != def.Result(i) {
			return nil
		}
	}
	out := make([]ir.FoldResult, def.NumOperands())
	for i := range out {
		out[i] = ir.FoldResult{Value: def.Operand(i)}
	}
	return out
}

// foldReinterpretMap folds to the tensor that has the type already.
func foldReinterpretMap(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	src, t := ReinterpretMapOp{op}.Source(), op.Result(0).Type()
	if src.Type() == t {
		return ir.FoldValue(src)
	}
	if def := src.DefinedBy(ReinterpretMap); def != nil && (ReinterpretMapOp{def}).Source().Type() == t {
		return ir.FoldValue(ReinterpretMapOp{def}.Source())
	}
	return nil
}

// foldSpecifierGet folds to the value that was set last.
func foldSpecifierGet(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	var t ir.Trail
	for def := (SpecifierGetOp{op}).Specifier().DefinedBy(SpecifierSet); def != nil && !t.Returns(def.Result(0)); def = (SpecifierSetOp{def}).Specifier().DefinedBy(SpecifierSet) {
		if def.Attr("specifierKind") == op.Attr("specifierKind") && def.Attr("level") == op.Attr("level") {
			return ir.FoldValue(SpecifierSetOp{def}.Value())
		}
	}
	return nil
}
