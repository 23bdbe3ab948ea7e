package linalg

import (
	"freehold/exec"
	"freehold/ir"
)

// executeWinograd multiplies each tile with a matrix from the left and its
// transpose from the right, in the element type; only from one side where the
// filter has one row or column.
func executeWinograd(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	w, ok := WinogradOf(op)
	t, isFloat := ir.ElementType(WinogradOp{op}.Input().Type()).(*ir.FloatType)
	if !ok || !isFloat {
		return nil, exec.Unsupported(op, "there is no such transformation")
	}
	k := &tileKernel{t: t, mul: exec.FMul(t), add: exec.FAdd(t)}
	for _, row := range w.Matrix {
		var values []any
		for _, x := range row {
			values = append(values, exec.FloatValue(t, float64(x)))
		}
		k.matrix = append(k.matrix, values)
	}
	src, take, d := c.Object(WinogradOp{op}.Input()), c.Take(op.OperandUse(1)), c.Object(op.Result(0))
	return func(f *exec.Frame) error {
		in, out := f.O[src].(*exec.Tensor), take(f)
		f.O[d] = out
		sizes := [2][]int64{in.Sizes, out.Sizes}
		sides, scale := w.Sides(sizes[w.Transformed])
		tiles := make([]int64, len(w.Loops))
		for i, d := range w.Loops {
			tiles[i] = sizes[w.LoopsOf][d]
		}
		return exec.Each(tiles, func(_ int64, outer []int64) error {
			x, err := k.load(op, in, w.corner(0, outer, sides), w.Places[0].Tile, sides[0], sides[1])
			if err != nil {
				return err
			}
			y := k.apply(x, sides[0], sides[1])
			if scale != 1 {
				s := exec.FloatValue(t, float64(scale))
				for i := range y {
					for j := range y[i] {
						y[i][j] = k.mul.Apply(s, y[i][j])
					}
				}
			}
			return k.store(op, out, w.corner(1, outer, sides), w.Places[1].Tile, y)
		})
	}, nil
}

// corner returns where a tile starts in operand i.
func (w *Winograd) corner(i int, outer []int64, sides [2]bool) []int64 {
	at := make([]int64, len(w.Places[i].Loop))
	for d := range at {
		if loop, stride := w.At(i, d, sides); loop >= 0 {
			at[d] = outer[loop] * stride
		}
	}
	return at
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
