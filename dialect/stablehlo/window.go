package stablehlo

import (
	"fmt"

	"freehold/ir"
)

// WindowDim is how a window moves along a dimension.
type WindowDim struct {
	// Size is how many elements the window has, if the operation says so.
	Size int64
	// Stride is how far it moves, Low and High how many elements are thought before and behind those that are there.
	Stride, Low, High int64
	// BaseDilation and Dilation are the distances at which the elements of the operand and of the window are put.
	BaseDilation, Dilation int64
	// Reversed tells that the window is read from its end.
	Reversed bool
}

// WindowOf reads the window of an operation along n dimensions.
func WindowOf(op *ir.Op, n int) ([]WindowDim, error) {
	out := make([]WindowDim, n)
	for i := range out {
		out[i] = WindowDim{Size: 1, Stride: 1, BaseDilation: 1, Dilation: 1}
	}
	read := func(name string, least int64, set func(w *WindowDim, v int64)) error {
		a := op.Attr(name)
		if a == nil {
			return nil
		}
		list := Ints(a)
		if len(list) != n {
			return fmt.Errorf("%s must have %d elements, but has %d", name, n, len(list))
		}
		for i, v := range list {
			if v < least {
				return fmt.Errorf("%s has %d, which is less than %d", name, v, least)
			}
			set(&out[i], v)
		}
		return nil
	}
	for _, r := range []struct {
		name  string
		least int64
		set   func(w *WindowDim, v int64)
	}{
		{windowDimensions, 1, func(w *WindowDim, v int64) { w.Size = v }},
		{windowStrides, 1, func(w *WindowDim, v int64) { w.Stride = v }},
		{"lhs_dilation", 1, func(w *WindowDim, v int64) { w.BaseDilation = v }},
		{"rhs_dilation", 1, func(w *WindowDim, v int64) { w.Dilation = v }},
		{"base_dilations", 1, func(w *WindowDim, v int64) { w.BaseDilation = v }},
		{"window_dilations", 1, func(w *WindowDim, v int64) { w.Dilation = v }},
		{"window_reversal", 0, func(w *WindowDim, v int64) { w.Reversed = v != 0 }},
	} {
		if err := read(r.name, r.least, r.set); err != nil {
			return nil, err
		}
	}
	pads, ok := op.Attr(paddingName).(*ir.DenseElementsAttr)
	if !ok {
		return out, nil
	}
	if shape, _ := ir.ShapeOf(pads.Type); len(shape) != 2 || shape[0] != int64(n) || shape[1] != 2 {
		return nil, fmt.Errorf("padding must have two numbers for each of %d dimensions", n)
	}
	list := Ints(pads)
	for i := range out {
		out[i].Low, out[i].High = list[2*i], list[2*i+1]
	}
	return out, nil
}

// outputs returns how many windows of a size fit along an input; [ir.Dynamic] if one of the two isn't known.
func (w WindowDim) outputs(input, size int64) int64 {
	if input == ir.Dynamic || size == ir.Dynamic {
		return ir.Dynamic
	}
	padded := dilated(input, w.BaseDilation) + w.Low + w.High
	window := dilated(size, w.Dilation)
	if padded <= 0 || window > padded {
		return 0
	}
	return (padded-window)/w.Stride + 1
}

// dilated returns the length of n elements at a distance.
func dilated(n, distance int64) int64 {
	if n == 0 {
		return 0
	}
	return (n-1)*distance + 1
}
