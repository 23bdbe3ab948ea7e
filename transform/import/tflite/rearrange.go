package tflite

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/shapes"
	"freehold/transform/import/tflite/model"
)

// moved returns the value of input 0 for an operator that only moves elements, which must have the type of output 0.
func (k *kernel) moved() (*ir.Value, error) {
	if k.in[0].Type != k.out[0].Type {
		return nil, k.unsupported()
	}
	return k.value(0)
}

// transpose is TRANSPOSE.
func transpose(k *kernel) error {
	in, out := k.in[0], k.out[0]
	perm, err := k.constants(1)
	if err != nil {
		return err
	}
	v, err := k.moved()
	if err != nil {
		return err
	}
	if len(perm) != len(in.Shape) {
		return k.malformed()
	}
	seen, shape := make([]bool, len(perm)), make([]int64, len(perm))
	for i, p := range perm {
		d, ok := axis(int(p), len(perm))
		if !ok || seen[d] {
			return k.malformed()
		}
		seen[d], perm[i], shape[i] = true, int64(d), in.Shape[d]
	}
	if !slices.Equal(shape, out.Shape) {
		return k.malformed()
	}
	k.result(0, k.transposed(v, perm))
	return nil
}

func (f *function) transposed(v *ir.Value, perm []int64) *ir.Value {
	t := v.Type().(*ir.RankedTensorType)
	shape := make([]int64, len(perm))
	for i, p := range perm {
		shape[i] = t.Shape[p]
	}
	return linalg.NewTranspose(f.b, v, f.empty(f.ctx.RankedTensor(shape, t.Elem)), perm).Result(0)
}

// depthToSpace is DEPTH_TO_SPACE, and SPACE_TO_DEPTH if it isn't toSpace.
func depthToSpace(toSpace bool) func(k *kernel) error {
	return func(k *kernel) error {
		const block = 0
		in, out := k.in[0].Shape, k.out[0].Shape
		v, err := k.moved()
		if err != nil {
			return err
		}
		n := int64(k.op.Options.Int(block))
		deep, wide := in, out
		if !toSpace {
			deep, wide = out, in
		}
		if len(in) != 4 || len(out) != 4 || n < 1 || n > 1<<15 ||
			!slices.Equal(wide, []int64{deep[0], deep[1] * n, deep[2] * n, wide[3]}) || deep[3] != wide[3]*n*n {
			return k.malformed()
		}
		if toSpace {
			v = k.transposed(k.reshape(v, []int64{in[0], in[1], in[2], n, n, out[3]}), []int64{0, 1, 3, 2, 4, 5})
		} else {
			v = k.transposed(k.reshape(v, []int64{in[0], out[1], n, out[2], n, in[3]}), []int64{0, 1, 3, 2, 4, 5})
		}
		k.result(0, k.reshape(v, out))
		return nil
	}
}

// blocks is what SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND have in common: the size of a block along each dimension behind the
// first one, and how many elements come before the start.
func (k *kernel) blocks() (block, before []int64, err error) {
	block, err = k.constants(1)
	if err != nil {
		return nil, nil, err
	}
	borders, err := k.constants(2)
	if err != nil {
		return nil, nil, err
	}
	if len(k.in[0].Shape) != len(k.out[0].Shape) || len(block) >= len(k.in[0].Shape) || len(borders) != 2*len(block) {
		return nil, nil, k.malformed()
	}
	for i, n := range block {
		if n < 1 || n > 1<<20 || borders[2*i] < 0 || borders[2*i] > 1<<30 {
			return nil, nil, k.malformed()
		}
		before = append(before, borders[2*i])
	}
	return block, before, nil
}

// batchToSpace is BATCH_TO_SPACE_ND.
func batchToSpace(k *kernel) error {
	in, out := k.in[0].Shape, k.out[0].Shape
	block, before, err := k.blocks()
	if err != nil {
		return err
	}
	v, err := k.moved()
	if err != nil {
		return err
	}
	batches := out[0]
	for i, n := range block {
		batches *= n
		if out[i+1]+before[i] > in[i+1]*n {
			return k.malformed()
		}
	}
	if batches != in[0] || !slices.Equal(in[len(block)+1:], out[len(block)+1:]) {
		return k.malformed()
	}
	k.computed(func(at []*ir.Value) *ir.Value {
		from := append([]*ir.Value{}, at...)
		part := k.index(0)
		for i, n := range block {
			place := k.add(at[i+1], k.index(before[i]))
			part = k.add(k.mul(part, k.index(n)), k.op2(arith.RemUI, place, k.index(n)))
			from[i+1] = k.op2(arith.DivUI, place, k.index(n))
		}
		from[0] = k.add(k.mul(part, k.index(out[0])), at[0])
		return k.at(v, from...)
	})
	return nil
}

// spaceToBatch is SPACE_TO_BATCH_ND.
func spaceToBatch(k *kernel) error {
	in, out := k.in[0].Shape, k.out[0].Shape
	block, before, err := k.blocks()
	if err != nil {
		return err
	}
	v, err := k.moved()
	if err != nil {
		return err
	}
	batches := in[0]
	for i, n := range block {
		batches *= n
		if out[i+1]*n < in[i+1]+before[i] {
			return k.malformed()
		}
	}
	if batches != out[0] || ir.ElementCount(in) == 0 || !slices.Equal(in[len(block)+1:], out[len(block)+1:]) {
		return k.malformed()
	}
	fill := k.zeroOf(k.out[0])
	k.computed(func(at []*ir.Value) *ir.Value {
		from := append([]*ir.Value{}, at...)
		from[0] = k.op2(arith.RemUI, at[0], k.index(in[0]))
		part := k.op2(arith.DivUI, at[0], k.index(in[0]))
		inside := k.int(ir.I1, 1)
		for i := len(block) - 1; i >= 0; i-- {
			n := k.index(block[i])
			place := k.sub(k.add(k.mul(at[i+1], n), k.op2(arith.RemUI, part, n)), k.index(before[i]))
			part = k.op2(arith.DivUI, part, n)
			inside = k.op2(arith.AndI, inside, k.cmp(arith.ULT, place, k.index(in[i+1])))
			from[i+1] = k.min(k.max(place, k.index(0)), k.index(in[i+1]-1))
		}
		return k.pick(inside, k.at(v, from...), fill)
	})
	return nil
}

// zeroOf returns the element of a tensor that stands for zero.
func (f *function) zeroOf(t *model.Tensor) *ir.Value {
	if elem, ok := elementTypes[t.Type].(*ir.FloatType); ok {
		return f.constant(f.ctx.FloatAttr(elem, 0))
	}
	return f.int(elementTypes[t.Type], zeroPoint(t))
}

// mirrorPad is MIRROR_PAD.
func mirrorPad(k *kernel) error {
	const mode = 0
	in, out := k.in[0].Shape, k.out[0].Shape
	low, err := k.paddings()
	if err != nil {
		return err
	}
	v, err := k.moved()
	if err != nil {
		return err
	}
	// Whether the element at the border is left out.
	skip := int64(1)
	if k.op.Options.Enum(mode) == 1 {
		skip = 0
	}
	for d, n := range in {
		if max(low[d], out[d]-n-low[d]) > n-skip {
			return k.malformed()
		}
	}
	k.computed(func(at []*ir.Value) *ir.Value {
		from := append([]*ir.Value{}, at...)
		for d, n := range in {
			if n == out[d] {
				continue
			}
			i := k.sub(at[d], k.index(low[d]))
			before, behind := k.sub(k.index(skip-1), i), k.sub(k.index(2*n-1-skip), i)
			i = k.pick(k.cmp(arith.SLT, i, k.index(0)), before, k.pick(k.cmp(arith.SGE, i, k.index(n)), behind, i))
			from[d] = i
		}
		return k.at(v, from...)
	})
	return nil
}

// reverse is REVERSE_V2.
func reverse(k *kernel) error {
	in := k.in[0].Shape
	list, err := k.constants(1)
	if err != nil {
		return err
	}
	v, err := k.moved()
	if err != nil {
		return err
	}
	if !slices.Equal(in, k.out[0].Shape) {
		return k.malformed()
	}
	turned := make([]bool, len(in))
	for _, n := range list {
		d, ok := axis(int(n), len(in))
		if !ok {
			return k.malformed()
		}
		turned[d] = true
	}
	k.computed(func(at []*ir.Value) *ir.Value {
		for d, n := range in {
			if turned[d] {
				at[d] = k.sub(k.index(n-1), at[d])
			}
		}
		return k.at(v, at...)
	})
	return nil
}

// tile is TILE, for which the sizes of the output tell how often.
func tile(k *kernel) error {
	in, out := k.in[0].Shape, k.out[0].Shape
	v, err := k.moved()
	if err != nil {
		return err
	}
	if len(in) != len(out) {
		return k.malformed()
	}
	for d, n := range in {
		if n == 0 && out[d] != 0 || n != 0 && out[d]%n != 0 {
			return k.malformed()
		}
	}
	k.computed(func(at []*ir.Value) *ir.Value {
		for d, n := range in {
			if n != out[d] {
				at[d] = k.op2(arith.RemUI, at[d], k.index(n))
			}
		}
		return k.at(v, at...)
	})
	return nil
}

// broadcastTo is BROADCAST_TO.
func broadcastTo(k *kernel) error {
	v, err := k.moved()
	if err != nil {
		return err
	}
	return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value { return e[0] })
}

// fill is FILL.
func fill(k *kernel) error {
	if k.in[1].Type != k.out[0].Type || ir.ElementCount(k.in[1].Shape) != 1 {
		return k.malformed()
	}
	v, err := k.value(1)
	if err != nil {
		return err
	}
	x := k.at(k.reshape(v, nil))
	k.result(0, linalg.NewFill(k.b, x, k.empty(k.resultType(0))).Result(0))
	return nil
}

// zerosLike is ZEROS_LIKE.
func zerosLike(k *kernel) error {
	zero := *k.out[0]
	zero.ZeroPoint = nil
	k.result(0, linalg.NewFill(k.b, k.zeroOf(&zero), k.empty(k.resultType(0))).Result(0))
	return nil
}

// shapeKernel is SHAPE, which is known.
func shapeKernel(k *kernel) error {
	out := k.out[0]
	if out.Type != model.Int32 && out.Type != model.Int64 {
		return k.unsupported()
	}
	if !slices.Equal(out.Shape, []int64{int64(len(k.in[0].Shape))}) || len(k.in[0].Shape) == 0 {
		return k.malformed()
	}
	k.result(0, k.function.list(elementTypes[out.Type].(*ir.IntegerType), k.in[0].Shape))
	return nil
}

// gather is GATHER.
func gather(k *kernel) error {
	const along, batches = 0, 1
	in, at, out := k.in[0], k.in[1], k.out[0]
	b := k.op.Options.Int(batches)
	d, ok := axis(k.op.Options.Int(along), len(in.Shape))
	if b < 0 {
		b += len(at.Shape)
	}
	if !ok || b < 0 || b > d || b > len(at.Shape) || in.Shape[d] == 0 {
		return k.malformed()
	}
	return k.gathered(in, at, out, 0, 1, d, b)
}

// embeddingLookup is EMBEDDING_LOOKUP, whose indices come first.
func embeddingLookup(k *kernel) error {
	in, out := k.in[1], k.out[0]
	if len(in.Shape) == 0 || in.Shape[0] == 0 {
		return k.malformed()
	}
	if out.Type == model.Float32 && (in.Type == model.Int8 || in.Type == model.Int4) {
		return k.scaledLookup()
	}
	return k.gathered(k.in[1], k.in[0], k.out[0], 1, 0, 0, 0)
}

// gathered reads the positions along a dimension d that indices say; the first b dimensions are common to both.
func (k *kernel) gathered(in, at, out *model.Tensor, source, index, d, b int) error {
	want := append(append(append([]int64{}, in.Shape[:d]...), at.Shape[b:]...), in.Shape[d+1:]...)
	if in.Type != out.Type || !slices.Equal(want, out.Shape) || !slices.Equal(in.Shape[:b], at.Shape[:b]) {
		return k.malformed()
	}
	switch at.Type {
	case model.Int32, model.Int64, model.Int16, model.Int8:
	default:
		return k.unsupported()
	}
	values, err := k.inputs(source, index)
	if err != nil {
		return err
	}
	k.computedLike(at, values[1], func(o []*ir.Value) *ir.Value {
		place := append(append([]*ir.Value{}, o[:b]...), o[d:d+len(at.Shape)-b]...)
		i := k.toIndex(k.at(values[1], place...))
		from := append(append(append([]*ir.Value{}, o[:d]...), i), o[d+len(at.Shape)-b:]...)
		return k.at(values[0], from...)
	})
	return nil
}

// gatherND is GATHER_ND: the last dimension of the indices is a place in the first dimensions of the input.
func gatherND(k *kernel) error {
	in, at, out := k.in[0], k.in[1], k.out[0]
	rank := len(at.Shape) - 1
	if rank < 0 || at.Shape[rank] > int64(len(in.Shape)) || at.Type != model.Int32 && at.Type != model.Int64 {
		return k.malformed()
	}
	n := int(at.Shape[rank])
	want := append(append([]int64{}, at.Shape[:rank]...), in.Shape[n:]...)
	if in.Type != out.Type || !slices.Equal(want, out.Shape) {
		return k.malformed()
	}
	values, err := k.inputs(0, 1)
	if err != nil {
		return err
	}
	k.computedLike(at, values[1], func(o []*ir.Value) *ir.Value {
		var from []*ir.Value
		for i := range n {
			place := append(append([]*ir.Value{}, o[:rank]...), k.index(int64(i)))
			from = append(from, k.toIndex(k.at(values[1], place...)))
		}
		return k.at(values[0], append(from, o[rank:]...)...)
	})
	return nil
}

// dynamicUpdateSlice is DYNAMIC_UPDATE_SLICE, which moves the part so that it lies within the input.
func dynamicUpdateSlice(k *kernel) error {
	in, part, start := k.in[0], k.in[1], k.in[2]
	v, err := k.moved()
	if err != nil {
		return err
	}
	if part.Type != in.Type || len(part.Shape) != len(in.Shape) || !slices.Equal(in.Shape, k.out[0].Shape) ||
		!slices.Equal(start.Shape, []int64{int64(len(in.Shape))}) || start.Type != model.Int32 && start.Type != model.Int64 {
		return k.malformed()
	}
	values, err := k.inputs(1, 2)
	if err != nil {
		return err
	}
	s := shapes.Slice{Sizes: shapes.ConstSizes(part.Shape), Strides: shapes.ConstSizes(ones(len(part.Shape)))}
	for d := range in.Shape {
		if part.Shape[d] > in.Shape[d] {
			return k.malformed()
		}
		at := k.toIndex(k.at(values[1], k.index(int64(d))))
		s.Offsets = append(s.Offsets, shapes.SizeOf(k.min(k.max(at, k.index(0)), k.index(in.Shape[d]-part.Shape[d]))))
	}
	k.result(0, tensor.NewInsertSlice(k.b, values[0], v, s))
	return nil
}
