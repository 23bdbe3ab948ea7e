package tensor

import (
	"freehold/dialect/affine"
	"freehold/iface"
	"freehold/ir"
)

// newApply computes an expression over symbols.
func newApply(b *ir.Builder, e *ir.AffineExpr, symbols ...*ir.Value) *ir.Value {
	return affine.NewApply(b, b.Context().AffineMap(0, len(symbols), e), symbols...)
}

// productSize multiplies sizes.
func productSize(b *ir.Builder, factors []iface.OpFoldResult) iface.OpFoldResult {
	c := b.Context()
	e := c.AffineSymbol(0)
	for i := 1; i < len(factors); i++ {
		e = c.AffineMul(e, c.AffineSymbol(i))
	}
	return affine.FoldedApply(b, 0, e, factors...)
}

func reifyPad(b *ir.Builder, op *ir.Op) [][]iface.OpFoldResult {
	o, c := PadOp{op}, op.Context()
	low, high := o.Low(), o.High()
	out := make([]iface.OpFoldResult, len(o.Type().Shape))
	for i, d := range o.Type().Shape {
		if d != ir.Dynamic {
			out[i] = iface.ConstSize(d)
			continue
		}
		e := c.AffineAdd(c.AffineAdd(c.AffineDim(0), c.AffineSymbol(0)), c.AffineSymbol(1))
		out[i] = affine.FoldedApply(b, 1, e, MixedSize(b, o.Source(), i), low[i], high[i])
	}
	return [][]iface.OpFoldResult{out}
}

func reifyConcat(b *ir.Builder, op *ir.Op) [][]iface.OpFoldResult {
	o, c := ConcatOp{op}, op.Context()
	inferred, bad := concatShape(o.Inputs().Types(), o.Dim())
	if bad >= 0 {
		return nil
	}
	out := make([]iface.OpFoldResult, len(inferred))
	for i, d := range o.Type().Shape {
		switch {
		case d != ir.Dynamic:
			out[i] = iface.ConstSize(d)
		case inferred[i] != ir.Dynamic:
			out[i] = iface.ConstSize(inferred[i])
		case int64(i) != o.Dim():
			out[i] = MixedSize(b, o.Inputs().At(0), i)
		default:
			e := c.AffineDim(0)
			sizes := make([]iface.OpFoldResult, len(o.Inputs()))
			for j := range sizes {
				if j > 0 {
					e = c.AffineAdd(e, c.AffineDim(j))
				}
				sizes[j] = MixedSize(b, o.Inputs().At(j), i)
			}
			out[i] = affine.FoldedApply(b, len(sizes), e, sizes...)
		}
	}
	return [][]iface.OpFoldResult{out}
}

func reifyCollapseShape(b *ir.Builder, op *ir.Op) [][]iface.OpFoldResult {
	o := CollapseShapeOp{op}
	t := ranked(op.Result(0).Type())
	groups := o.Reassociation()
	out := make([]iface.OpFoldResult, len(t.Shape))
	for i, d := range t.Shape {
		if d != ir.Dynamic {
			out[i] = iface.ConstSize(d)
			continue
		}
		factors := make([]iface.OpFoldResult, len(groups[i]))
		for j, g := range groups[i] {
			factors[j] = MixedSize(b, o.Source(), int(g))
		}
		out[i] = productSize(b, factors)
	}
	return [][]iface.OpFoldResult{out}
}
