package linalg

import (
	"freehold/exec"
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

// winogradStep says where the tiles of a step are, in the input and the output: the
// dimensions of rows and columns, and the others.
type winogradStep struct {
	matrix func(m winogradMatrices) [][]float32
	// outerSizes returns how many tiles there are, and corners the corners of one of
	// them in input and output.
	outerSizes func(in, out []int64) []int64
	corners    func(outer []int64, m int64) (in, out []int64)
	// inDims and outDims are the dimensions of the rows and columns of a tile.
	inDims, outDims [2]int
	scaled          bool
}

var winogradSteps = map[*ir.OpID]winogradStep{
	// (f, h, w, c) becomes (h, w, c, f).
	WinogradFilterTransform: {
		matrix:     func(m winogradMatrices) [][]float32 { return m.g },
		outerSizes: func(in, _ []int64) []int64 { return []int64{in[0], in[3]} },
		corners: func(o []int64, _ int64) (in, out []int64) {
			return []int64{o[0], 0, 0, o[1]}, []int64{0, 0, o[1], o[0]}
		},
		inDims: [2]int{1, 2}, outDims: [2]int{0, 1},
	},
	// (n, h, w, c) becomes (tile rows, tile columns, tiles down, tiles across, n, c).
	WinogradInputTransform: {
		matrix:     func(m winogradMatrices) [][]float32 { return m.bt },
		outerSizes: func(_, out []int64) []int64 { return out[2:] },
		corners: func(o []int64, m int64) (in, out []int64) {
			return []int64{o[2], o[0] * m, o[1] * m, o[3]}, []int64{0, 0, o[0], o[1], o[2], o[3]}
		},
		inDims: [2]int{1, 2}, outDims: [2]int{0, 1},
	},
	// (tile rows, tile columns, tiles down, tiles across, n, f) becomes (n, h, w, f).
	WinogradOutputTransform: {
		matrix:     func(m winogradMatrices) [][]float32 { return m.at },
		outerSizes: func(in, _ []int64) []int64 { return in[2:] },
		corners: func(o []int64, m int64) (in, out []int64) {
			return []int64{0, 0, o[0], o[1], o[2], o[3]}, []int64{o[2], o[0] * m, o[1] * m, o[3]}
		},
		inDims: [2]int{0, 1}, outDims: [2]int{1, 2}, scaled: true,
	},
}

// executeWinograd multiplies each tile with a matrix from the left and its
// transpose from the right, in the element type; only from one side where the
// filter has one row or column.
func executeWinograd(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	step := winogradSteps[op.ID()]
	attr := func(name string) int64 { return op.Attr(name).(*ir.IntegerAttr).Value }
	m, r := attr("m"), attr("r")
	table, ok := winogradTables[[2]int64{m, r}]
	t, isFloat := ir.ElementType(op.Operand(0).Type()).(*ir.FloatType)
	if !ok || !isFloat {
		return nil, exec.Unsupported(op, "there is no such transformation")
	}
	alpha := m + r - 1
	k := &tileKernel{t: t, mul: exec.FMul(t), add: exec.FAdd(t)}
	for _, row := range step.matrix(table) {
		var values []any
		for _, x := range row {
			values = append(values, exec.FloatValue(t, float64(x)))
		}
		k.matrix = append(k.matrix, values)
	}
	src, take, d := c.Object(op.Operand(0)), c.Take(op.OperandUse(1)), c.Object(op.Result(0))
	return func(f *exec.Frame) error {
		in, out := f.O[src].(*exec.Tensor), take(f)
		f.O[d] = out
		// A dimension that is not transformed has size 1 in the transformed domain.
		domain := out.Sizes[:2]
		if step.scaled {
			domain = in.Sizes[:2]
		}
		left, right := domain[0] == alpha && alpha != 1, domain[1] == alpha && alpha != 1
		scale := float32(1)
		for _, on := range []bool{left, right} {
			if on && step.scaled {
				scale *= table.scale
			}
		}
		return exec.Each(step.outerSizes(in.Sizes, out.Sizes), func(_ int64, outer []int64) error {
			a, b := step.corners(outer, m)
			x, err := k.load(op, in, a, step.inDims, left, right)
			if err != nil {
				return err
			}
			y := k.apply(x, left, right)
			if scale != 1 {
				s := exec.FloatValue(t, float64(scale))
				for i := range y {
					for j := range y[i] {
						y[i][j] = k.mul.Apply(s, y[i][j])
					}
				}
			}
			return k.store(op, out, b, step.outDims, y)
		})
	}, nil
}

// tileKernel multiplies tiles.
type tileKernel struct {
	t        *ir.FloatType
	matrix   [][]any
	mul, add exec.Scalar
}

// load reads a tile; a dimension that is not transformed has one row or column.
func (k *tileKernel) load(op *ir.Op, t *exec.Tensor, corner []int64, dims [2]int, left, right bool) ([][]any, error) {
	rows, columns := 1, 1
	if left {
		rows = len(k.matrix[0])
	}
	if right {
		columns = len(k.matrix[0])
	}
	out := make([][]any, rows)
	for i := range out {
		out[i] = make([]any, columns)
		for j := range out[i] {
			at := append([]int64(nil), corner...)
			at[dims[0]] += int64(i)
			at[dims[1]] += int64(j)
			p, err := t.Index(op, at)
			if err != nil {
				return nil, err
			}
			if out[i][j] = t.At(p); out[i][j] == exec.PoisonValue {
				return nil, exec.Findf(exec.Uninitialized, op, "an undefined element is read")
			}
		}
	}
	return out, nil
}

// apply returns matrix * x * transpose(matrix).
func (k *tileKernel) apply(x [][]any, left, right bool) [][]any {
	if left {
		x = k.product(len(k.matrix), len(x[0]), len(x), func(i, l int) any { return k.matrix[i][l] }, func(l, j int) any { return x[l][j] })
	}
	if right {
		y := x
		x = k.product(len(y), len(k.matrix), len(y[0]), func(i, l int) any { return y[i][l] }, func(l, j int) any { return k.matrix[j][l] })
	}
	return x
}

func (k *tileKernel) product(rows, columns, inner int, a, b func(i, j int) any) [][]any {
	out := make([][]any, rows)
	for i := range out {
		out[i] = make([]any, columns)
		for j := range out[i] {
			sum := exec.FloatValue(k.t, 0)
			for l := range inner {
				sum = k.add.Apply(sum, k.mul.Apply(a(i, l), b(l, j)))
			}
			out[i][j] = sum
		}
	}
	return out
}

func (k *tileKernel) store(op *ir.Op, t *exec.Tensor, corner []int64, dims [2]int, x [][]any) error {
	for i := range x {
		for j := range x[i] {
			at := append([]int64(nil), corner...)
			at[dims[0]] += int64(i)
			at[dims[1]] += int64(j)
			p, err := t.Index(op, at)
			if err != nil {
				return err
			}
			t.SetAt(p, x[i][j])
		}
	}
	return nil
}
