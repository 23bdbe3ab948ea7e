package tflite

import (
	"math"
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// filled returns a tensor of the type of output 0 with one element everywhere.
func (k *kernel) filled(x *ir.Value) *ir.Value {
	return linalg.NewFill(k.b, x, k.empty(k.resultType(0))).Result(0)
}

// plus adds two elements of a type.
func (k *kernel) plus(t model.Type, a, b *ir.Value) *ir.Value {
	switch {
	case t == model.Bool:
		return k.op2(arith.OrI, a, b)
	case ir.IsFloat(a.Type()):
		return k.op2(arith.AddF, a, b)
	}
	return k.add(a, b)
}

// scatterND is SCATTER_ND: parts of the output, at places that the last dimension of the first input says, are added up.
func scatterND(k *kernel) error {
	at, updates, out := k.in[0], k.in[1], k.out[0]
	rank := len(at.Shape) - 1
	if rank < 0 || at.Shape[rank] > int64(len(out.Shape)) || at.Type != model.Int32 && at.Type != model.Int64 {
		return k.malformed()
	}
	n := int(at.Shape[rank])
	if updates.Type != out.Type || !slices.Equal(updates.Shape, slices.Concat(at.Shape[:rank], out.Shape[n:])) {
		return k.malformed()
	}
	values, err := k.inputs(0, 1)
	if err != nil {
		return err
	}
	spans := k.over(updates.Shape)
	to := k.filled(k.zeroOf(&model.Tensor{Type: out.Type}))
	k.result(0, k.nest(spans, to, func(i []*ir.Value, to *ir.Value) *ir.Value {
		var place []*ir.Value
		for d := range n {
			place = append(place, k.toIndex(k.at(values[0], append(slices.Clone(i[:rank]), k.index(int64(d)))...)))
		}
		place = append(place, i[rank:]...)
		return tensor.NewInsert(k.b, k.plus(out.Type, k.at(to, place...), k.at(values[1], i...)), to, place...)
	}))
	return nil
}

// sparseToDense is SPARSE_TO_DENSE: elements at places in a list, and another one everywhere else.
func sparseToDense(k *kernel) error {
	at, updates, out := k.in[0], k.in[2], k.out[0]
	if updates.Type != out.Type || k.in[3].Type != out.Type || at.Type != model.Int32 && at.Type != model.Int64 {
		return k.unsupported()
	}
	rank := int64(len(out.Shape))
	count := ir.ElementCount(at.Shape)
	if rank == 0 || count%rank != 0 || ir.ElementCount(k.in[3].Shape) != 1 || len(updates.Shape) > 1 {
		return k.malformed()
	}
	count /= rank
	if given := ir.ElementCount(updates.Shape); given != count && given != 1 {
		return k.malformed()
	}
	values, err := k.inputs(0, 2, 3)
	if err != nil {
		return err
	}
	places, parts := k.reshape(values[0], []int64{count, rank}), k.reshape(values[1], []int64{ir.ElementCount(updates.Shape)})
	to := k.filled(k.at(k.reshape(values[2], nil)))
	k.result(0, k.nest([]span{k.upTo(count)}, to, func(i []*ir.Value, to *ir.Value) *ir.Value {
		var place []*ir.Value
		for d := range rank {
			place = append(place, k.toIndex(k.at(places, i[0], k.index(d))))
		}
		from := i[0]
		if ir.ElementCount(updates.Shape) == 1 {
			from = k.index(0)
		}
		return tensor.NewInsert(k.b, k.at(parts, from), to, place...)
	}))
	return nil
}

// segments joins the rows of each segment; a second input says of which segment a row is. Rows of segments below 0 are left out.
func segments(start func(k *kernel) *ir.Value, join func(k *kernel, a, b *ir.Value) *ir.Value) func(k *kernel) error {
	return func(k *kernel) error {
		in, ids, out := k.in[0], k.in[1], k.out[0]
		if in.Type != out.Type || in.Type != model.Float32 && in.Type != model.Int32 || ids.Type != model.Int32 && ids.Type != model.Int64 {
			return k.unsupported()
		}
		if len(ids.Shape) == 0 || len(ids.Shape) > len(in.Shape) || len(out.Shape) == 0 || !slices.Equal(ids.Shape, in.Shape[:len(ids.Shape)]) ||
			!slices.Equal(out.Shape[1:], in.Shape[len(ids.Shape):]) || out.Shape[0] == 0 {
			return k.malformed()
		}
		values, err := k.inputs(0, 1)
		if err != nil {
			return err
		}
		spans := k.over(in.Shape)
		n := len(ids.Shape)
		k.result(0, k.nest(spans, k.filled(start(k)), func(i []*ir.Value, to *ir.Value) *ir.Value {
			id := k.toIndex(k.at(values[1], i[:n]...))
			place := append([]*ir.Value{k.max(id, k.index(0))}, i[n:]...)
			old := k.at(to, place...)
			joined := k.pick(k.cmp(arith.SLT, id, k.index(0)), old, join(k, old, k.at(values[0], i...)))
			return tensor.NewInsert(k.b, joined, to, place...)
		}))
		return nil
	}
}

// The arithmetic of segments.
func sumStart(k *kernel) *ir.Value { return k.zeroOf(&model.Tensor{Type: k.out[0].Type}) }

func sumJoin(k *kernel, a, b *ir.Value) *ir.Value { return k.plus(k.out[0].Type, a, b) }

func productStart(k *kernel) *ir.Value {
	if k.out[0].Type == model.Float32 {
		return k.f32(1)
	}
	return k.i32(1)
}

func productJoin(k *kernel, a, b *ir.Value) *ir.Value {
	if k.out[0].Type == model.Float32 {
		return k.op2(arith.MulF, a, b)
	}
	return k.mul(a, b)
}

// extremeStart is the start of the largest or the least element.
func extremeStart(largest bool) func(k *kernel) *ir.Value {
	return func(k *kernel) *ir.Value {
		switch float := k.out[0].Type == model.Float32; {
		case float && largest:
			return k.f32(-math.MaxFloat32)
		case float:
			return k.f32(math.MaxFloat32)
		case largest:
			return k.i32(math.MinInt32)
		}
		return k.i32(math.MaxInt32)
	}
}

func extremeJoin(largest bool) func(k *kernel, a, b *ir.Value) *ir.Value {
	return func(k *kernel, a, b *ir.Value) *ir.Value {
		if largest {
			return k.pick(k.less(k.out[0].Type, a, b), b, a)
		}
		return k.pick(k.less(k.out[0].Type, b, a), b, a)
	}
}
