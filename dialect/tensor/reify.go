package tensor

import (
	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/shapes"
)

// newApply computes an expression over symbols.
func newApply(b *ir.Builder, e *ir.AffineExpr, symbols ...*ir.Value) *ir.Value {
	return affine.NewApply(b, b.Context().AffineMap(0, len(symbols), e), symbols...)
}

// productSize multiplies sizes.
func productSize(b *ir.Builder, factors []shapes.OpFoldResult) shapes.OpFoldResult {
	c := b.Context()
	e := c.AffineSymbol(0)
	for i := 1; i < len(factors); i++ {
		e = c.AffineMul(e, c.AffineSymbol(i))
	}
	return affine.FoldedApply(b, 0, e, factors...)
}

// paddedSymbolSince is the first version of LLVM in which the size of what is padded is the symbol of the sum, and what is added a
// dimension; before, it was the other way round. Dimensions that may be symbols become symbols, after the others.
const paddedSymbolSince = 22

func reifyPad(b *ir.Builder, op *ir.Op) [][]shapes.OpFoldResult {
	o, c := PadOp{op}, op.Context()
	low, high := o.Low(), o.High()
	out := make([]shapes.OpFoldResult, len(o.Type().Shape))
	for i, d := range o.Type().Shape {
		if d != ir.Dynamic {
			out[i] = shapes.ConstSize(d)
			continue
		}
		size := shapes.SizeOf(FoldedDim(b, o.Source(), int64(i)))
		e, dims, terms := c.AffineAdd(c.AffineAdd(c.AffineDim(0), c.AffineSymbol(0)), c.AffineSymbol(1)), 1, []shapes.OpFoldResult{size, low[i], high[i]}
		if c.LLVM() >= paddedSymbolSince {
			e, dims, terms = c.AffineAdd(c.AffineAdd(c.AffineDim(0), c.AffineDim(1)), c.AffineSymbol(0)), 2, []shapes.OpFoldResult{low[i], high[i], size}
		}
		out[i] = shapes.SizeOf(arith.ValueOf(b, affine.FoldedApply(b, dims, e, terms...)))
	}
	return [][]shapes.OpFoldResult{out}
}

func reifyConcat(b *ir.Builder, op *ir.Op) [][]shapes.OpFoldResult {
	o, c := ConcatOp{op}, op.Context()
	inferred, bad := concatShape(o.Inputs().Types(), o.Dim())
	if bad >= 0 {
		return nil
	}
	out := make([]shapes.OpFoldResult, len(inferred))
	for i, d := range o.Type().Shape {
		switch {
		case d != ir.Dynamic:
			out[i] = shapes.ConstSize(d)
		case inferred[i] != ir.Dynamic:
			out[i] = shapes.ConstSize(inferred[i])
		case int64(i) != o.Dim():
			out[i] = MixedSize(b, o.Inputs().At(0), i)
		default:
			e := c.AffineDim(0)
			sizes := make([]shapes.OpFoldResult, len(o.Inputs()))
			for j := range sizes {
				if j > 0 {
					e = c.AffineAdd(e, c.AffineDim(j))
				}
				sizes[j] = MixedSize(b, o.Inputs().At(j), i)
			}
			out[i] = affine.FoldedApply(b, len(sizes), e, sizes...)
		}
	}
	return [][]shapes.OpFoldResult{out}
}

func reifyCollapseShape(b *ir.Builder, op *ir.Op) [][]shapes.OpFoldResult {
	o := CollapseShapeOp{op}
	t := ranked(op.Result(0).Type())
	groups := o.Reassociation()
	out := make([]shapes.OpFoldResult, len(t.Shape))
	for i, d := range t.Shape {
		if d != ir.Dynamic {
			out[i] = shapes.ConstSize(d)
			continue
		}
		factors := make([]shapes.OpFoldResult, len(groups[i]))
		for j, g := range groups[i] {
			factors[j] = MixedSize(b, o.Source(), int(g))
		}
		out[i] = productSize(b, factors)
	}
	return [][]shapes.OpFoldResult{out}
}
