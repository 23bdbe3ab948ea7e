package linalg

import (
	"math"

	"freehold/exec"
	"freehold/internal/elementary"
	"freehold/ir"
)

// executeIndex is how linalg.index executes.
func executeIndex(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	c.Alias(op.Result(0), c.IterationIndex(int(IndexOp{op}.Dim())))
	return nil, nil
}

// iterationIndex returns the dimension whose index a linalg.index is.
func iterationIndex(op *ir.Op) int { return int(IndexOp{op}.Dim()) }

// executeSoftmax computes, along the dimension, exp(x - max) divided by the sum of
// these, each step rounded to the element type.
func executeSoftmax(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	o := SoftmaxOp{op}
	e := exec.ElemOf(ir.ElementType(o.Input().Type()))
	if e.Float == nil || e.Size == 0 {
		return nil, exec.Unsupported(op, "its element type is not supported")
	}
	dim := int(o.Dimension())
	in, out := c.Object(o.Input()), c.Object(o.Output())
	result := -1
	if op.NumResults() > 0 {
		result = c.Object(op.Result(0))
	}
	return func(f *exec.Frame) error {
		src, ok := f.O[in].(*exec.Tensor)
		if !ok {
			m := f.O[in].(*exec.MemRef)
			if err := m.Access(op); err != nil {
				return err
			}
			t, err := exec.TensorOfView(op, m.View())
			if err != nil {
				return err
			}
			src = t
		}
		if err := f.M.Charge(op, 3*src.Elements()); err != nil {
			return err
		}
		if !src.Store.Initialized() {
			return exec.Findf(exec.Uninitialized, op, "undefined elements are read")
		}
		t := exec.NewTensor(e, src.Sizes, false)
		softmax(t, src, dim)
		if result >= 0 {
			if err := exec.CheckSizes(op, t.Sizes, f.O[out].(*exec.Tensor).Sizes); err != nil {
				return err
			}
			f.O[result] = t
			return nil
		}
		m := f.O[out].(*exec.MemRef)
		if err := m.Writable(op); err != nil {
			return err
		}
		return exec.CopyView(op, m.View(), t.View())
	}, nil
}

func softmax(dst, src *exec.Tensor, dim int) {
	t, n := src.Elem.Float, src.Sizes[dim]
	stride := exec.RowMajor(src.Sizes)[dim]
	round := func(x float64) float64 { return exec.FloatOf(t, exec.FloatWord(t, x)) }
	at := func(i int64) float64 {
		w, _ := src.Word(i)
		return exec.FloatOf(t, w)
	}
	outer := append([]int64(nil), src.Sizes...)
	outer[dim] = 1
	strides := exec.RowMajor(src.Sizes)
	row := make([]float64, n)
	// The function never fails.
	_ = exec.Each(outer, func(_ int64, idx []int64) error {
		first := int64(0)
		for d, x := range idx {
			first += x * strides[d]
		}
		greatest, sum := math.Inf(-1), 0.0
		for i := range n {
			greatest = math.Max(greatest, at(first+i*stride))
		}
		for i := range n {
			row[i] = round(elementary.Exp(round(at(first+i*stride) - greatest)))
			sum = round(sum + row[i])
		}
		for i := range n {
			dst.SetWord(first+i*stride, exec.FloatWord(t, row[i]/sum))
		}
		return nil
	})
}
