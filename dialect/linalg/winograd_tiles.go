package linalg

import (
	"slices"

	"freehold/ir"
)

// winogradMatrices are the matrices of the algorithm F(m, r): a tile x of the
// input becomes bt*x*b, the filter g*x*gt, and the product of them at*x*a, times
// scale for each dimension.
type winogradMatrices struct {
	g, bt, at [][]float32
	scale     float32
}

// The matrices are those of the reference's decomposition.
var winogradTables = map[[2]int64]winogradMatrices{
	{2, 3}: {
		g:     [][]float32{{-1, 0, 0}, {1. / 2, -1. / 2, 1. / 2}, {1. / 2, 1. / 2, 1. / 2}, {0, 0, 1}},
		bt:    [][]float32{{-1, 0, 1, 0}, {0, -1, 1, 0}, {0, 1, 1, 0}, {0, -1, 0, 1}},
		at:    [][]float32{{1, 1, 1, 0}, {0, -1, 1, 1}},
		scale: 1,
	},
	{4, 3}: {
		g: [][]float32{{1, 0, 0}, {-1. / 3, 1. / 3, -1. / 3}, {-1. / 3, -1. / 3, -1. / 3}, {1. / 12, -1. / 6, 1. / 3},
			{1. / 12, 1. / 6, 1. / 3}, {0, 0, 1}},
		bt: [][]float32{{1. / 4, 0, -5. / 16, 0, 1. / 16, 0}, {0, 1. / 4, -1. / 4, -1. / 16, 1. / 16, 0},
			{0, -1. / 4, -1. / 4, 1. / 16, 1. / 16, 0}, {0, 1. / 4, -1. / 8, -1. / 4, 1. / 8, 0},
			{0, -1. / 4, -1. / 8, 1. / 4, 1. / 8, 0}, {0, 1. / 4, 0, -5. / 16, 0, 1. / 16}},
		at: [][]float32{{1. / 8, 1. / 4, 1. / 4, 1. / 8, 1. / 8, 0}, {0, -1. / 4, 1. / 4, -1. / 4, 1. / 4, 0},
			{0, 1. / 4, 1. / 4, 1. / 2, 1. / 2, 0}, {0, -1. / 4, 1. / 4, -1, 1, 1. / 2}},
		scale: 32,
	},
	{2, 5}: {
		g: [][]float32{{1, 0, 0, 0, 0}, {1. / 6, -1. / 6, 1. / 6, -1. / 6, 1. / 6}, {-1. / 6, -1. / 6, -1. / 6, -1. / 6, -1. / 6},
			{-4. / 15, 2. / 15, -1. / 15, 1. / 30, -1. / 60}, {1. / 60, 1. / 30, 1. / 15, 2. / 15, 4. / 15}, {0, 0, 0, 0, 1}},
		bt: [][]float32{{1. / 8, 3. / 16, -1. / 4, -3. / 16, 1. / 8, 0}, {0, 1. / 8, 1. / 16, -5. / 16, 1. / 8, 0},
			{0, -1. / 8, -5. / 16, -1. / 16, 1. / 8, 0}, {0, 1. / 4, -1. / 8, -1. / 4, 1. / 8, 0},
			{0, -1. / 8, -1. / 4, 1. / 8, 1. / 4, 0}, {0, 1. / 8, 3. / 16, -1. / 4, -3. / 16, 1. / 8}},
		at:    [][]float32{{1. / 2, 1, 1, 2, 1, 0}, {0, -1, 1, -1, 2, 1. / 2}},
		scale: 16,
	},
}

// Winograd is what one of the three steps does with tiles: each tile x of the input becomes Matrix * x * transpose(Matrix), times a
// scale, in the output. Where a side of the tiles is 1, there is no product for it.
type Winograd struct {
	Matrix [][]float32
	// Transformed is the operand whose first two dimensions are those of transformed tiles, LoopsOf the one whose
	// dimensions Loops tell how many tiles there are.
	Transformed, LoopsOf int
	Loops                []int
	// Places tell where tiles are in the operands.
	Places [2]WinogradPlace

	m, alpha int64
	scale    float32
}

// WinogradPlace tells where tiles are in a tensor: Tile are the dimensions of their rows and columns, and Loop has, for each dimension,
// the number of the loop that goes along it, or -1.
type WinogradPlace struct {
	Tile [2]int
	Loop []int
}

// transformedTiles are where tiles are that were transformed, or will be back.
var transformedTiles = WinogradPlace{Tile: [2]int{0, 1}, Loop: []int{-1, -1, 0, 1, 2, 3}}

// imageTiles are where tiles are in images.
var imageTiles = WinogradPlace{Tile: [2]int{1, 2}, Loop: []int{2, 0, 1, 3}}

// WinogradOf returns what an operation does, if there are matrices for its sizes. The operation must be one of the three.
func WinogradOf(op *ir.Op) (*Winograd, bool) {
	m, r := winogradSizes(op)
	table, ok := winogradTables[[2]int64{m, r}]
	w := &Winograd{m: m, alpha: m + r - 1, scale: 1}
	switch op.ID() {
	case WinogradFilterTransform: // (f, h, w, c) becomes (h, w, c, f)
		w.Matrix, w.Transformed, w.Loops = table.g, 1, []int{filterF, filterC}
		w.Places = [2]WinogradPlace{{Tile: [2]int{filterH, filterW}, Loop: []int{0, -1, -1, 1}}, {Tile: [2]int{0, 1}, Loop: []int{-1, -1, 1, 0}}}
	case WinogradInputTransform:
		w.Matrix, w.Transformed, w.LoopsOf, w.Loops = table.bt, 1, 1, []int{tileH, tileW, tilesN, tilesC}
		w.Places = [2]WinogradPlace{imageTiles, transformedTiles}
	default:
		w.Matrix, w.Loops, w.scale = table.at, []int{tileH, tileW, tilesN, tilesC}, table.scale
		w.Places = [2]WinogradPlace{transformedTiles, imageTiles}
	}
	return w, ok
}

// Sides tells whether tiles are multiplied from the left (0) and from the right (1), and what the product is multiplied with. sizes are those of the
// operand Transformed.
func (w *Winograd) Sides(sizes []int64) (sides [2]bool, scale float32) {
	scale = 1
	for i := range sides {
		if sides[i] = sizes[i] == w.alpha && w.alpha != 1; sides[i] {
			scale *= w.scale
		}
	}
	return sides, scale
}

// At tells where a tile starts along dimension d of operand i: at the number of a loop times stride; at 0 if that is -1. (In the reference's
// decomposition, tiles whose side is 1 are as far apart as others, and out of bounds if there are several.)
func (w *Winograd) At(i, d int, sides [2]bool) (loop int, stride int64) {
	p := w.Places[i]
	stride = 1
	if side := slices.Index(p.Tile[:], d); side >= 0 && sides[side] {
		stride = w.m
	}
	return p.Loop[d], stride
}
