package prepare

import (
	"slices"

	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/scf"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// winogradTiles replaces a step of Winograd's algorithm by loops over its tiles, each of which is multiplied with constant matrices.
func winogradTiles(r *rewrite.Rewriter, op *ir.Op) bool {
	w, ok := linalg.WinogradOf(op)
	elem, isFloat := ir.ElementType(linalg.WinogradOp{Op: op}.Input().Type()).(*ir.FloatType)
	transformed, _ := ir.ShapeOf(op.Operand(w.Transformed).Type())
	if !ok || !isFloat || slices.Contains(transformed[:2], ir.Dynamic) {
		return false
	}
	r.Loc = op.Loc()
	b, src := r.Builder, linalg.WinogradOp{Op: op}.Input()
	sides, scale := w.Sides(transformed)
	matrix, transposed := matrixConstant(b, elem, w.Matrix, false), matrixConstant(b, elem, w.Matrix, true)
	sizes := tensor.MixedSizes(b, op.Operand(w.LoopsOf))
	zero, one := arith.ConstantIndex(b, 0), arith.ConstantIndex(b, 1)
	before, after := tileSize(w, sides)
	var at []*ir.Value
	var nest func(b *ir.Builder, t *ir.Value) *ir.Value
	nest = func(b *ir.Builder, t *ir.Value) *ir.Value {
		if len(at) < len(w.Loops) {
			size := arith.ValueOf(b, sizes[w.Loops[len(at)]])
			return scf.NewFor(b, zero, size, one, []*ir.Value{t}, func(b *ir.Builder, iv *ir.Value, args []*ir.Value) []*ir.Value {
				at = append(at, iv)
				return []*ir.Value{nest(b, args[0])}
			}).Result(0)
		}
		x := tensor.NewExtractSlice(b, b.Context().RankedTensor(before[:], elem), src, tileSlice(b, w, 0, at, before, sides))
		if sides[0] {
			x = product(b, elem, matrix, x)
		}
		if sides[1] {
			x = product(b, elem, x, transposed)
		}
		if scale != 1 {
			factor := tensor.NewEmpty(b, tensor.MixedSizes(b, x), elem, nil)
			factor = linalg.NewFill(b, arith.ConstantFloat(b, elem, float64(scale)), factor).Result(0)
			x = linalg.NewNamed(b, linalg.Mul, []*ir.Value{factor, x}, []*ir.Value{x}).Result(0)
		}
		return tensor.NewInsertSlice(b, x, t, tileSlice(b, w, 1, at, after, sides))
	}
	r.Replace(op, nest(b, linalg.WinogradOp{Op: op}.Output()))
	return true
}

// tileSize returns the rows and columns of a tile before and after the products.
func tileSize(w *linalg.Winograd, sides [2]bool) (before, after [2]int64) {
	before, after = [2]int64{1, 1}, [2]int64{1, 1}
	for side, on := range sides {
		if on {
			before[side], after[side] = int64(len(w.Matrix[0])), int64(len(w.Matrix))
		}
	}
	return before, after
}

// tileSlice returns where in operand i the tile is that the loops are at.
func tileSlice(b *ir.Builder, w *linalg.Winograd, i int, at []*ir.Value, size [2]int64, sides [2]bool) shapes.Slice {
	var s shapes.Slice
	for d := range w.Places[i].Loop {
		offset := shapes.ConstSize(0)
		if loop, stride := w.At(i, d, sides); loop >= 0 {
			c := b.Context()
			offset = affine.FoldedApply(b, 1, c.AffineMul(c.AffineDim(0), c.AffineConstant(stride)), shapes.SizeOf(at[loop]))
		}
		n := int64(1)
		if side := slices.Index(w.Places[i].Tile[:], d); side >= 0 {
			n = size[side]
		}
		s.Offsets, s.Sizes, s.Strides = append(s.Offsets, offset), append(s.Sizes, shapes.ConstSize(n)), append(s.Strides, shapes.ConstSize(1))
	}
	return s
}

// product multiplies two matrices.
func product(b *ir.Builder, elem *ir.FloatType, x, y *ir.Value) *ir.Value {
	rows, columns := tensor.MixedSizes(b, x)[0], tensor.MixedSizes(b, y)[1]
	sum := tensor.NewEmpty(b, []shapes.OpFoldResult{rows, columns}, elem, nil)
	sum = linalg.NewFill(b, arith.ConstantFloat(b, elem, 0), sum).Result(0)
	return linalg.NewNamed(b, linalg.Matmul, []*ir.Value{x, y}, []*ir.Value{sum}).Result(0)
}

// matrixConstant returns a matrix, or its transpose, as a constant.
func matrixConstant(b *ir.Builder, elem *ir.FloatType, m [][]float32, transposed bool) *ir.Value {
	c, rows, columns := b.Context(), len(m), len(m[0])
	at := func(i, j int) float32 { return m[i][j] }
	if transposed {
		rows, columns = columns, rows
		at = func(i, j int) float32 { return m[j][i] }
	}
	var data []byte
	for i := range rows {
		for j := range columns {
			data = ir.AppendElement(data, c.FloatAttr(elem, float64(at(i, j))))
		}
	}
	return arith.NewConstant(b, c.DenseElements(c.RankedTensor([]int64{int64(rows), int64(columns)}, elem), data)).Result(0)
}
