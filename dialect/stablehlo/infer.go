package stablehlo

import (
	"fmt"
	"slices"

	"freehold/dialect/quant"
	"freehold/ir"
)

// compatible tells whether result types may be other than those that were inferred: sizes may be known in one of the two only.
func compatible(inferred, actual []ir.Type) bool {
	if len(inferred) != len(actual) {
		return false
	}
	for i, t := range inferred {
		if !sameType(t, actual[i]) {
			return false
		}
	}
	return true
}

// sameType tells whether a value can have both types: quantized numbers may be quantized in other ways.
func sameType(a, b ir.Type) bool {
	x, y := rankedOf(a), rankedOf(b)
	if x == nil || y == nil {
		return a == b
	}
	return sameElement(x.Elem, y.Elem) && sameShape(x.Shape, y.Shape)
}

func sameElement(a, b ir.Type) bool {
	if a == b {
		return true
	}
	p, q := quant.Of(a), quant.Of(b)
	return p != nil && q != nil && sameStorage(p, q) && sameExpressed(p, q)
}

func sameShape(a, b []int64) bool {
	return slices.EqualFunc(a, b, ir.SameSize)
}

func tensorOperand(s *ir.OpState, i int) (*ir.RankedTensorType, error) {
	if i >= len(s.Operands) {
		return nil, fmt.Errorf("expected an operand %d", i)
	}
	t := rankedOf(s.Operands[i].Type())
	if t == nil {
		return nil, fmt.Errorf("expected a ranked tensor")
	}
	return t, nil
}

func one(t ir.Type) []ir.Type { return []ir.Type{t} }

// withShape returns the type with another shape, and without what is known of the sizes beyond it.
func withShape(s *ir.OpState, t *ir.RankedTensorType, shape []int64) []ir.Type {
	return one(s.Name.Context().RankedTensor(shape, t.Elem))
}

func inferFirst(s *ir.OpState) ([]ir.Type, error) {
	t, err := tensorOperand(s, 0)
	return one(t), err
}

func inferSecond(s *ir.OpState) ([]ir.Type, error) {
	t, err := tensorOperand(s, 1)
	return one(t), err
}

// inferJoined returns the type of operands that have the same one, of which each may know other sizes.
func inferJoined(s *ir.OpState) ([]ir.Type, error) {
	a, err := tensorOperand(s, 0)
	if err != nil {
		return nil, err
	}
	b, err := tensorOperand(s, 1)
	if err != nil {
		return nil, err
	}
	if a == b {
		return one(a), nil
	}
	shape, ok := joinShapes(a.Shape, b.Shape)
	if !ok {
		return nil, fmt.Errorf("requires the same shape for all operands")
	}
	return withShape(s, a, shape), nil
}

// joinShapes returns what two shapes of the same tensor know together.
func joinShapes(a, b []int64) ([]int64, bool) {
	if !sameShape(a, b) {
		return nil, false
	}
	out := slices.Clone(a)
	for i := range out {
		if out[i] == ir.Dynamic {
			out[i] = b[i]
		}
	}
	return out, true
}

// inferReal is for operations whose result has the parts of complex numbers, or what isn't complex as it is.
func inferReal(s *ir.OpState) ([]ir.Type, error) {
	t, err := tensorOperand(s, 0)
	if err != nil {
		return nil, err
	}
	return one(realType(s.Name.Context(), t)), nil
}

func inferBools(s *ir.OpState) ([]ir.Type, error) {
	types, err := inferFirst(s)
	if err != nil {
		return nil, err
	}
	if len(s.Operands) > 1 {
		if types, err = inferJoined(s); err != nil {
			return nil, err
		}
	}
	return one(s.Name.Context().RankedTensor(rankedOf(types[0]).Shape, ir.I1)), nil
}

func inferExpressed(s *ir.OpState) ([]ir.Type, error) {
	t, err := tensorOperand(s, 0)
	if err != nil {
		return nil, err
	}
	q := quant.Of(t.Elem)
	if q == nil {
		return nil, fmt.Errorf("expected quantized elements")
	}
	return one(s.Name.Context().RankedTensor(t.Shape, q.Expressed)), nil
}

func inferComplex(s *ir.OpState) ([]ir.Type, error) {
	types, err := inferJoined(s)
	if err != nil {
		return nil, err
	}
	t := rankedOf(types[0])
	c := s.Name.Context()
	return one(c.RankedTensor(t.Shape, c.Complex(t.Elem))), nil
}

func inferConstant(s *ir.OpState) ([]ir.Type, error) {
	a := s.Attr("value")
	if a == nil || ir.TypeOfAttr(a) == nil {
		return nil, fmt.Errorf("expected a value")
	}
	return one(ir.TypeOfAttr(a)), nil
}

func inferBroadcast(s *ir.OpState) ([]ir.Type, error) {
	t, err := tensorOperand(s, 0)
	if err != nil {
		return nil, err
	}
	return withShape(s, t, append(slices.Clone(Ints(s.Attr("broadcast_sizes"))), t.Shape...)), nil
}

func dimension(s *ir.OpState, name string, rank int) (int, error) {
	n, ok := s.Attr(name).(*ir.IntegerAttr)
	if !ok || n.Value < 0 || n.Value >= int64(rank) {
		return 0, fmt.Errorf("%s must be in [0, %d)", name, rank)
	}
	return int(n.Value), nil
}

func inferConcatenate(s *ir.OpState) ([]ir.Type, error) {
	first, err := tensorOperand(s, 0)
	if err != nil {
		return nil, err
	}
	dim, err := dimension(s, "dimension", len(first.Shape))
	if err != nil {
		return nil, err
	}
	shape := slices.Clone(first.Shape)
	for i := 1; i < len(s.Operands); i++ {
		t, err := tensorOperand(s, i)
		if err != nil {
			return nil, err
		}
		if len(t.Shape) != len(shape) || t.Elem != first.Elem {
			return nil, fmt.Errorf("operands 0 and %d must have the same rank and elements", i)
		}
		for k, n := range t.Shape {
			switch {
			case k == dim && (shape[k] == ir.Dynamic || n == ir.Dynamic):
				shape[k] = ir.Dynamic
			case k == dim:
				shape[k] += n
			case !ir.SameSize(shape[k], n):
				return nil, fmt.Errorf("operands 0 and %d have other sizes in dimension %d, along which they aren't concatenated", i, k)
			case shape[k] == ir.Dynamic:
				shape[k] = n
			}
		}
	}
	return withShape(s, first, shape), nil
}

func inferDynamicSlice(s *ir.OpState) ([]ir.Type, error) {
	t, err := tensorOperand(s, 0)
	if err != nil {
		return nil, err
	}
	sizes := Ints(s.Attr("slice_sizes"))
	if len(sizes) != len(t.Shape) || len(s.Operands) != len(t.Shape)+1 {
		return nil, fmt.Errorf("expected a start and a size for each of %d dimensions", len(t.Shape))
	}
	for i, n := range sizes {
		if n < 0 || t.Shape[i] != ir.Dynamic && n > t.Shape[i] {
			return nil, fmt.Errorf("slice size %d in dimension %d is negative or larger than the operand's", n, i)
		}
	}
	if err := sameStarts(s.Operands[1:]); err != nil {
		return nil, err
	}
	return withShape(s, t, sizes), nil
}

func inferUpdateSlice(s *ir.OpState) ([]ir.Type, error) {
	t, err := tensorOperand(s, 0)
	if err != nil {
		return nil, err
	}
	u, err := tensorOperand(s, 1)
	if err != nil {
		return nil, err
	}
	if len(u.Shape) != len(t.Shape) || len(s.Operands) != len(t.Shape)+2 || u.Elem != t.Elem {
		return nil, fmt.Errorf("expected an update of the operand's rank and elements, and a start for each of %d dimensions", len(t.Shape))
	}
	for i, n := range u.Shape {
		if n != ir.Dynamic && t.Shape[i] != ir.Dynamic && n > t.Shape[i] {
			return nil, fmt.Errorf("the update is larger than the operand in dimension %d: %d > %d", i, n, t.Shape[i])
		}
	}
	return one(t), sameStarts(s.Operands[2:])
}

// sameStarts demands starts of a slice that are of one type.
func sameStarts(starts []*ir.Value) error {
	for _, v := range starts[min(1, len(starts)):] {
		if v.Type() != starts[0].Type() {
			return fmt.Errorf("all starts must have the same type, but there are %s and %s", starts[0].Type(), v.Type())
		}
	}
	return nil
}

func inferDimensionSize(s *ir.OpState) ([]ir.Type, error) {
	t, err := tensorOperand(s, 0)
	if err != nil {
		return nil, err
	}
	if _, err := dimension(s, "dimension", len(t.Shape)); err != nil {
		return nil, err
	}
	return one(s.Name.Context().RankedTensor(nil, ir.I32)), nil
}

func inferPad(s *ir.OpState) ([]ir.Type, error) {
	t, err := tensorOperand(s, 0)
	if err != nil {
		return nil, err
	}
	v, err := tensorOperand(s, 1)
	if err != nil {
		return nil, err
	}
	low, high, interior := Ints(s.Attr("edge_padding_low")), Ints(s.Attr("edge_padding_high")), Ints(s.Attr("interior_padding"))
	if len(low) != len(t.Shape) || len(high) != len(t.Shape) || len(interior) != len(t.Shape) || len(v.Shape) != 0 || !sameElement(v.Elem, t.Elem) {
		return nil, fmt.Errorf("expected three paddings for each of %d dimensions, and an element", len(t.Shape))
	}
	shape := make([]int64, len(low))
	for i, n := range t.Shape {
		if interior[i] < 0 {
			return nil, fmt.Errorf("interior padding %d in dimension %d is negative", interior[i], i)
		}
		if n == ir.Dynamic {
			shape[i] = ir.Dynamic
			continue
		}
		if shape[i] = low[i] + n + high[i] + max(n-1, 0)*interior[i]; shape[i] < 0 {
			return nil, fmt.Errorf("padding makes the size of dimension %d negative", i)
		}
	}
	return withShape(s, t, shape), nil
}

func inferReverse(s *ir.OpState) ([]ir.Type, error) {
	t, err := tensorOperand(s, 0)
	if err != nil {
		return nil, err
	}
	return one(t), checkDims("dimensions", Ints(s.Attr("dimensions")), len(t.Shape))
}

// checkDims demands different dimensions that there are.
func checkDims(name string, dims []int64, rank int) error {
	for i, d := range dims {
		if d < 0 || d >= int64(rank) {
			return fmt.Errorf("%s: %d isn't in [0, %d)", name, d, rank)
		}
		if slices.Contains(dims[:i], d) {
			return fmt.Errorf("%s should be unique, but %d is there twice", name, d)
		}
	}
	return nil
}

func inferSlice(s *ir.OpState) ([]ir.Type, error) {
	t, err := tensorOperand(s, 0)
	if err != nil {
		return nil, err
	}
	start, limit, stride := Ints(s.Attr("start_indices")), Ints(s.Attr("limit_indices")), Ints(s.Attr("strides"))
	if len(start) != len(t.Shape) || len(limit) != len(t.Shape) || len(stride) != len(t.Shape) {
		return nil, fmt.Errorf("expected start, limit and stride of each of %d dimensions", len(t.Shape))
	}
	shape := make([]int64, len(start))
	for i, n := range t.Shape {
		if start[i] < 0 || limit[i] < start[i] || n != ir.Dynamic && limit[i] > n || stride[i] <= 0 {
			return nil, fmt.Errorf("the slice [%d:%d:%d] doesn't fit dimension %d", start[i], limit[i], stride[i], i)
		}
		shape[i] = (limit[i] - start[i] + stride[i] - 1) / stride[i]
	}
	return withShape(s, t, shape), nil
}

func inferTranspose(s *ir.OpState) ([]ir.Type, error) {
	t, err := tensorOperand(s, 0)
	if err != nil {
		return nil, err
	}
	perm := Ints(s.Attr("permutation"))
	if len(perm) != len(t.Shape) {
		return nil, fmt.Errorf("expected a permutation of %d dimensions", len(t.Shape))
	}
	if err := checkDims("permutation", perm, len(t.Shape)); err != nil {
		return nil, err
	}
	shape := make([]int64, len(perm))
	for i, p := range perm {
		shape[i] = t.Shape[p]
	}
	return withShape(s, t, shape), nil
}

func inferGather(s *ir.OpState) ([]ir.Type, error) {
	t, err := tensorOperand(s, 0)
	if err != nil {
		return nil, err
	}
	indices, err := tensorOperand(s, 1)
	if err != nil {
		return nil, err
	}
	g := GatherDimsOf(s.Attr("dimension_numbers"))
	if g == nil {
		return nil, fmt.Errorf("expected dimension numbers")
	}
	shape, err := g.resultShape(t.Shape, indices.Shape, Ints(s.Attr("slice_sizes")))
	if err != nil {
		return nil, err
	}
	return withShape(s, t, shape), nil
}

func inferFFT(s *ir.OpState) ([]ir.Type, error) {
	t, err := tensorOperand(s, 0)
	if err != nil {
		return nil, err
	}
	e, ok := s.Attr("fft_type").(*ir.EnumAttr)
	length := Ints(s.Attr("fft_length"))
	if !ok || len(length) < 1 || len(length) > 3 || len(length) > len(t.Shape) {
		return nil, fmt.Errorf("expected 1 to 3 lengths, and no more than %d", len(t.Shape))
	}
	c := s.Name.Context()
	inner := t.Shape[len(t.Shape)-len(length):]
	last := len(length) - 1
	expected := slices.Clone(length)
	elem := t.Elem
	switch e.Value {
	case FFT, InverseFFT:
		if !isComplex(elem) {
			return nil, fmt.Errorf("expected complex elements")
		}
	case RealFFT:
		if !ir.IsFloat(elem) {
			return nil, fmt.Errorf("expected real elements")
		}
		elem = c.Complex(elem)
	case InverseRealFFT:
		z, ok := elem.(*ir.ComplexType)
		if !ok {
			return nil, fmt.Errorf("expected complex elements")
		}
		elem = z.Elem
		expected[last] = half(length[last])
	}
	if !sameShape(inner, expected) {
		return nil, fmt.Errorf("the last sizes of the operand should be %v, to which fft_length is %v", expected, length)
	}
	shape := slices.Clone(t.Shape)
	copy(shape[len(shape)-len(length):], length)
	if e.Value == RealFFT {
		shape[len(shape)-1] = half(length[last])
	}
	return one(c.RankedTensor(shape, elem)), nil
}

// half returns how many numbers tell the transform of n real ones.
func half(n int64) int64 {
	if n == 0 {
		return 0
	}
	return n/2 + 1
}

func inferTuple(s *ir.OpState) ([]ir.Type, error) {
	return one(s.Name.Context().Tuple(ir.TypesOf(s.Operands)...)), nil
}

func inferTupleElement(s *ir.OpState) ([]ir.Type, error) {
	t, ok := s.Operands[0].Type().(*ir.TupleType)
	i, known := s.Attr("index").(*ir.IntegerAttr)
	if !ok || !known || i.Value < 0 || i.Value >= int64(len(t.Types)) {
		return nil, fmt.Errorf("expected the index of a part of a tuple")
	}
	return one(t.Types[i.Value]), nil
}
