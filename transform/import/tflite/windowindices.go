package tflite

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// windowPlaces says where the elements of windows on a tensor are, which begin at places that another tensor has, as STABLEHLO_GATHER and STABLEHLO_SCATTER
// have them.
type windowPlaces struct {
	*kernel
	// rank is that of the tensor with the windows.
	rank int
	// starts has the places, whose coordinates are along dimension vector, or are by themselves.
	starts *ir.Value
	vector int
	// coordinates are the dimensions that the coordinates of places are for. Others begin at 0.
	coordinates []int64
	// offsets are the dimensions of the other tensor that are places in windows; the others are those of starts.
	offsets []int64
	// dropped are the dimensions of the tensor along which windows have one element, and that aren't among offsets.
	dropped []int64
}

// newWindowPlaces checks that places, which input 1 has, are for windows on input 0, whose elements another tensor has. It returns also the sizes of windows
// along all dimensions that aren't dropped.
func (k *kernel) newWindowPlaces(of *model.Tensor, coordinates, offsets, dropped []int64, vector int64) (*windowPlaces, []int64, error) {
	in, at := k.in[0], k.in[1]
	w := &windowPlaces{kernel: k, rank: len(in.Shape), vector: int(vector), coordinates: coordinates, offsets: offsets, dropped: dropped}
	if at.Type != model.Int32 && at.Type != model.Int64 || in.Type == model.Int4 || in.Type == model.Complex64 {
		return nil, nil, k.unsupported()
	}
	rising := func(list []int64, most int) bool {
		return within(list, 0, int64(most)-1) && slices.IsSorted(list) && len(slices.Compact(slices.Clone(list))) == len(list)
	}
	count := int64(1)
	outer := slices.Clone(at.Shape)
	if vector < 0 || vector > int64(len(at.Shape)) {
		return nil, nil, k.malformed()
	}
	if vector < int64(len(at.Shape)) {
		count, outer = at.Shape[vector], slices.Delete(outer, int(vector), int(vector)+1)
	}
	if !within(coordinates, 0, int64(w.rank)-1) || int64(len(coordinates)) != count || !rising(dropped, w.rank) || !rising(offsets, len(of.Shape)) ||
		len(offsets)+len(dropped) != w.rank {
		return nil, nil, k.malformed()
	}
	var rest, sizes []int64
	for d, n := range of.Shape {
		if slices.Contains(offsets, int64(d)) {
			sizes = append(sizes, n)
		} else {
			rest = append(rest, n)
		}
	}
	if !slices.Equal(rest, outer) {
		return nil, nil, k.malformed()
	}
	var err error
	w.starts, err = k.value(1)
	return w, sizes, err
}

// start returns where the window begins that an element of the other tensor is in.
func (w *windowPlaces) start(at []*ir.Value) []*ir.Value {
	var outer []*ir.Value
	for d, i := range at {
		if !slices.Contains(w.offsets, int64(d)) {
			outer = append(outer, i)
		}
	}
	out := slices.Repeat([]*ir.Value{w.index(0)}, w.rank)
	for n, d := range w.coordinates {
		from := outer
		if len(w.starts.Type().(*ir.RankedTensorType).Shape) > len(outer) {
			from = slices.Insert(slices.Clone(outer), w.vector, w.index(int64(n)))
		}
		out[d] = w.toIndex(w.at(w.starts, from...))
	}
	return out
}

// place adds the place in its window of an element of the other tensor to where the window begins.
func (w *windowPlaces) place(start, at []*ir.Value) []*ir.Value {
	out := slices.Clone(start)
	n := 0
	for d := range out {
		if !slices.Contains(w.dropped, int64(d)) {
			out[d] = w.add(out[d], at[w.offsets[n]])
			n++
		}
	}
	return out
}

// stablehloGather is STABLEHLO_GATHER. Windows that don't fit begin at the nearest places where they do.
func stablehloGather(k *kernel) error {
	const offsets, collapsed, coordinates, vector, sizes = 0, 1, 2, 3, 4
	in, out, o := k.in[0], k.out[0], k.op.Options
	w, seen, err := k.newWindowPlaces(out, o.Longs(coordinates), o.Longs(offsets), o.Longs(collapsed), o.Long(vector))
	if err != nil {
		return err
	}
	window := o.Longs(sizes)
	if in.Type != out.Type || len(window) != w.rank || isEmpty(in) {
		return k.malformed()
	}
	var kept []int64
	for d, n := range window {
		switch {
		case n < 0 || n > in.Shape[d]:
			return k.malformed()
		case !slices.Contains(w.dropped, int64(d)):
			kept = append(kept, n)
		case n != 1:
			return k.malformed()
		}
	}
	if !slices.Equal(kept, seen) {
		return k.malformed()
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	k.computed(func(at []*ir.Value) *ir.Value {
		start := w.start(at)
		for d, i := range start {
			start[d] = k.max(k.min(i, k.index(in.Shape[d]-window[d])), k.index(0))
		}
		return k.at(v, w.place(start, at)...)
	})
	return nil
}

// stablehloScatter is STABLEHLO_SCATTER: elements of windows are joined with others by the one operator of a subgraph, or become these if it has none. What
// isn't within the tensor is left out.
func stablehloScatter(k *kernel) error {
	const offsets, inserted, coordinates, vector, body = 1, 2, 3, 4, 6
	in, updates, out, o := k.in[0], k.in[2], k.out[0], k.op.Options
	w, sizes, err := k.newWindowPlaces(updates, o.Longs(coordinates), o.Longs(offsets), o.Longs(inserted), o.Long(vector))
	if err != nil {
		return err
	}
	if in.Type != out.Type || in.Type != updates.Type || !slices.Equal(in.Shape, out.Shape) || isEmpty(in) {
		return k.malformed()
	}
	n := 0
	for d, size := range in.Shape {
		if !slices.Contains(w.dropped, int64(d)) {
			if sizes[n] > size {
				return k.malformed()
			}
			n++
		}
	}
	join := func(_ *kernel, _ model.Type, _, update *ir.Value) *ir.Value { return update }
	g := o.Int(body)
	if g < 0 || g >= len(k.model.Subgraphs) || len(k.model.Subgraphs[g].Operators) > 1 {
		return k.errorf("%s has no function of one operator in subgraph %d", k.code, g)
	}
	if list := k.model.Subgraphs[g].Operators; len(list) == 1 {
		code := list[0].Code.String()
		if join = stablehloFunctions()[code]; join == nil {
			return k.errorf("%s by %s from %s isn't supported", k.code, code, in.Type)
		}
	}
	values, err := k.inputs(0, 2)
	if err != nil {
		return err
	}
	spans := k.over(updates.Shape)
	k.result(0, k.nest(spans, values[0], func(at []*ir.Value, to *ir.Value) *ir.Value {
		there, zero := k.int(ir.I1, 1), k.index(0)
		place := w.place(w.start(at), at)
		for d, i := range place {
			inside := k.op2(arith.AndI, k.cmp(arith.SGE, i, zero), k.cmp(arith.SLT, i, k.index(in.Shape[d])))
			there = k.op2(arith.AndI, there, inside)
			place[d] = k.max(k.min(i, k.index(in.Shape[d]-1)), zero)
		}
		old := k.at(to, place...)
		joined := join(k, in.Type, old, k.at(values[1], at...))
		if joined == nil {
			err, joined = k.unsupported(), old
		}
		return tensor.NewInsert(k.b, k.pick(there, joined, old), to, place...)
	}))
	return err
}
