package tflite

import (
	gomath "math"
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/shapes"
	"freehold/transform/import/tflite/model"
)

// slice takes a part of a tensor.
func (f *function) slice(v *ir.Value, offsets, extents, strides []int64) *ir.Value {
	return tensor.NewExtractSlice(f.b, nil, v, shapes.Slice{Offsets: shapes.ConstSizes(offsets), Sizes: shapes.ConstSizes(extents), Strides: shapes.ConstSizes(strides)})
}

// insert puts a tensor into a part of another one.
func (f *function) insert(v, into *ir.Value, offsets []int64, extents []int64) *ir.Value {
	return tensor.NewInsertSlice(f.b, v, into, shapes.Slice{Offsets: shapes.ConstSizes(offsets), Sizes: shapes.ConstSizes(extents), Strides: shapes.ConstSizes(ones(len(extents)))})
}

func ones(n int) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = 1
	}
	return out
}

// axis returns a dimension that may be counted from the end; ok is false if there is none.
func axis(n, rank int) (int, bool) {
	if n < 0 {
		n += rank
	}
	return n, n >= 0 && n < rank
}

// concatenation is CONCATENATION.
func concatenation(k *kernel) error {
	const along, activation = 0, 1
	out := k.out[0]
	d, ok := axis(k.op.Options.Int(along), len(out.Shape))
	if !ok || len(k.in) == 0 {
		return k.malformed()
	}
	if k.op.Options.Enum(activation) != 0 {
		return k.errorf("CONCATENATION with an activation isn't supported")
	}
	v := k.empty(k.resultType(0))
	offsets := make([]int64, len(out.Shape))
	for i, t := range k.in {
		if t == nil || t.Type != out.Type {
			return k.unsupported()
		}
		part := append([]int64(nil), out.Shape...)
		if len(t.Shape) != len(out.Shape) {
			return k.malformed()
		}
		part[d] = t.Shape[d]
		if !slices.Equal(part, t.Shape) || offsets[d]+part[d] > out.Shape[d] {
			return k.malformed()
		}
		x, err := k.value(i)
		if err != nil {
			return err
		}
		if x, err = k.sameScale(x, t, out); err != nil {
			return err
		}
		v = k.insert(x, v, offsets, part)
		offsets[d] += part[d]
	}
	if offsets[d] != out.Shape[d] {
		return k.malformed()
	}
	k.result(0, v)
	return nil
}

// sameScale brings a part of a result to the scale of the result. Only the kernel for unsigned numbers does: the others copy bytes.
func (k *kernel) sameScale(v *ir.Value, t, out *model.Tensor) (*ir.Value, error) {
	if t.Type != model.Uint8 || len(t.Scale) != 1 || len(out.Scale) != 1 || t.Scale[0] == out.Scale[0] && zeroPoint(t) == zeroPoint(out) {
		return v, nil
	}
	low, high := limits(out.Type)
	factor := t.Scale[0] * (1 / out.Scale[0])
	start := float32(float32(-zeroPoint(t)) * factor)
	list := make([]int64, 256)
	for x := range list {
		list[x] = int64(min(max(round(float32(float32(x)*factor)+start)+float32(zeroPoint(out)), float32(low)), float32(high)))
	}
	table := k.function.list(ir.I8, list)
	return k.mapped(k.tensorType(t), []*ir.Value{v}, func(e []*ir.Value) *ir.Value {
		return k.at(table, arith.NewCast(k.b, arith.IndexCastUI, ir.Index, e[0]))
	})
}

// pack is PACK: tensors become positions along a new dimension.
func pack(k *kernel) error {
	const along = 1
	out := k.out[0]
	d, ok := axis(k.op.Options.Int(along), len(out.Shape))
	if !ok || int64(len(k.in)) != out.Shape[d] {
		return k.malformed()
	}
	v := k.empty(k.resultType(0))
	part := append([]int64(nil), out.Shape...)
	part[d] = 1
	rest := append(append([]int64(nil), out.Shape[:d]...), out.Shape[d+1:]...)
	offsets := make([]int64, len(out.Shape))
	for i, t := range k.in {
		if t == nil || t.Type != out.Type || !slices.Equal(t.Shape, rest) {
			return k.malformed()
		}
		x, err := k.value(i)
		if err != nil {
			return err
		}
		offsets[d] = int64(i)
		v = k.insert(x, v, offsets, part)
	}
	k.result(0, v)
	return nil
}

// parts cuts an input along a dimension into the outputs; unpacked says that they don't have the dimension any more.
func (k *kernel) parts(input, d int, unpacked bool) error {
	in := k.in[input]
	d, ok := axis(d, len(in.Shape))
	if !ok {
		return k.malformed()
	}
	v, err := k.value(input)
	if err != nil {
		return err
	}
	offsets := make([]int64, len(in.Shape))
	for i, t := range k.out {
		part := append([]int64(nil), in.Shape...)
		part[d] = 1
		want := append(append([]int64(nil), in.Shape[:d]...), in.Shape[d+1:]...)
		if !unpacked {
			if len(t.Shape) != len(in.Shape) {
				return k.malformed()
			}
			part[d] = t.Shape[d]
			want = part
		}
		if t.Type != in.Type || !slices.Equal(t.Shape, want) || offsets[d]+part[d] > in.Shape[d] {
			return k.malformed()
		}
		k.result(i, k.reshape(k.slice(v, offsets, part, ones(len(part))), t.Shape))
		offsets[d] += part[d]
	}
	return nil
}

// constants returns the elements of inputs that must be known, such as dimensions.
func (k *kernel) constants(input int) ([]int64, error) {
	list, ok := ints(k.optional(input))
	if !ok {
		return nil, k.errorf("input %d of %s has to be a constant", input, k.code)
	}
	return list, nil
}

// split is SPLIT, whose first input is the dimension.
func split(k *kernel) error {
	d, err := k.constants(0)
	if err != nil {
		return err
	}
	if len(d) != 1 {
		return k.malformed()
	}
	return k.parts(1, int(d[0]), false)
}

// splitV is SPLIT_V; the sizes of its outputs say where it cuts.
func splitV(k *kernel) error {
	d, err := k.constants(2)
	if err != nil {
		return err
	}
	if len(d) != 1 {
		return k.malformed()
	}
	return k.parts(0, int(d[0]), false)
}

// unpack is UNPACK.
func unpack(k *kernel) error {
	const along = 1
	return k.parts(0, k.op.Options.Int(along), true)
}

// sliceKernel is SLICE.
func sliceKernel(k *kernel) error {
	in, out := k.in[0], k.out[0]
	v, err := k.value(0)
	if err != nil {
		return err
	}
	if in.Type != out.Type || len(in.Shape) != len(out.Shape) {
		return k.malformed()
	}
	if begin, ok := ints(k.in[1]); ok {
		if len(begin) != len(in.Shape) {
			return k.malformed()
		}
		for d, b := range begin {
			if b < 0 || b+out.Shape[d] > in.Shape[d] {
				return k.malformed()
			}
		}
		k.result(0, k.slice(v, begin, out.Shape, ones(len(begin))))
		return nil
	}
	begin, err := k.value(1)
	if err != nil {
		return err
	}
	if !slices.Equal(k.in[1].Shape, []int64{int64(len(in.Shape))}) {
		return k.malformed()
	}
	s := shapes.Slice{Sizes: shapes.ConstSizes(out.Shape), Strides: shapes.ConstSizes(ones(len(out.Shape)))}
	for d := range in.Shape {
		if out.Shape[d] > in.Shape[d] {
			return k.malformed()
		}
		at := k.toIndex(k.at(begin, k.index(int64(d))))
		at = k.min(k.max(at, k.index(0)), k.index(in.Shape[d]-out.Shape[d]))
		s.Offsets = append(s.Offsets, shapes.SizeOf(at))
	}
	k.result(0, tensor.NewExtractSlice(k.b, nil, v, s))
	return nil
}

// pad is PAD and PADV2, which may give the number that the border is filled with.
func pad(k *kernel) error {
	in, out := k.in[0], k.out[0]
	low, err := k.paddings()
	if err != nil {
		return err
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	if in.Type != out.Type {
		return k.unsupported()
	}
	var fill *ir.Value
	switch elem := elementTypes[out.Type].(type) {
	case *ir.FloatType:
		fill = k.constant(k.ctx.FloatAttr(elem, 0))
	case *ir.IntegerType:
		fill = k.int(elem, zeroPoint(out))
	}
	if k.optional(2) != nil {
		value, err := k.value(2)
		if err != nil {
			return err
		}
		if k.in[2].Type != out.Type || ir.ElementCount(k.in[2].Shape) != 1 {
			return k.malformed()
		}
		var at []*ir.Value
		for range k.in[2].Shape {
			at = append(at, k.index(0))
		}
		fill = k.at(value, at...)
	}
	w := linalg.NewFill(k.b, fill, k.empty(k.resultType(0))).Result(0)
	k.result(0, k.insert(v, w, low, in.Shape))
	return nil
}

// paddings returns how many elements come before the input along each dimension.
func (k *kernel) paddings() ([]int64, error) {
	in, out := k.in[0], k.out[0]
	list, err := k.constants(1)
	if err != nil {
		return nil, err
	}
	if len(list) != 2*len(in.Shape) || len(out.Shape) != len(in.Shape) {
		return nil, k.malformed()
	}
	var low []int64
	for d := range in.Shape {
		before, after := list[2*d], list[2*d+1]
		if before < 0 || after < 0 || before > 1<<31 || after > 1<<31 || in.Shape[d]+before+after != out.Shape[d] {
			return nil, k.malformed()
		}
		low = append(low, before)
	}
	return low, nil
}

// dilate is DILATE: the elements of a tensor some places apart, with a number between them.
func dilate(k *kernel) error {
	in, out := k.in[0], k.out[0]
	steps, err := k.constants(1)
	if err != nil {
		return err
	}
	if in.Type != out.Type || in.Type != k.in[2].Type {
		return k.unsupported()
	}
	if len(steps) != len(in.Shape) || len(out.Shape) != len(in.Shape) || ir.ElementCount(k.in[2].Shape) != 1 {
		return k.malformed()
	}
	for d, n := range in.Shape {
		if steps[d] < 1 || steps[d] > gomath.MaxInt32 || n < 1 || out.Shape[d] != (n-1)*steps[d]+1 {
			return k.malformed()
		}
	}
	values, err := k.inputs(0, 2)
	if err != nil {
		return err
	}
	between := k.at(k.reshape(values[1], nil))
	k.computed(func(at []*ir.Value) *ir.Value {
		there := k.int(ir.I1, 1)
		var from []*ir.Value
		for d, i := range at {
			step := k.index(steps[d])
			there = k.op2(arith.AndI, there, k.cmp(arith.EQ, k.op2(arith.RemUI, i, step), k.index(0)))
			from = append(from, k.op2(arith.DivUI, i, step))
		}
		return k.pick(there, k.at(values[0], from...), between)
	})
	return nil
}
