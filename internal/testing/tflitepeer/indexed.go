package main

import (
	"encoding/binary"
	"math"
	"slices"

	"freehold/internal/testing/tflitegen"
	"freehold/transform/import/tflite/model"
)

// indexed are operators whose arguments are places of elements.
var indexed = map[string]func(g *generator) *single{
	"GATHER": func(g *generator) *single {
		in := g.tensor(pick(g, model.Float32, model.Int8, model.Int16, model.Int32, model.Int64, model.Uint8, model.Bool), g.any(1, 4)...)
		d := g.IntN(len(in.Shape))
		batch := 0
		if d > 0 && g.chance(3) {
			batch = 1
		}
		at := plain(pick(g, model.Int32, model.Int64), append(slices.Clone(in.Shape[:batch]), g.any(0, 2)...)...)
		shape := slices.Concat(in.Shape[:d], at.Shape[batch:], in.Shape[d+1:])
		c := of(like(in, shape...), in, at)
		c.arguments[1] = places(g, at, int(in.Shape[d]))
		if g.chance(3) {
			d -= len(in.Shape)
		}
		return c.option(0, int32(d)).option(1, int32(batch))
	},
	"GATHER_ND": func(g *generator) *single {
		in := g.tensor(pick(g, model.Float32, model.Int8, model.Int16, model.Int32, model.Int64, model.Uint8), g.any(1, 4)...)
		k := int(g.between(1, len(in.Shape)))
		outer := g.any(1, 2)
		at := plain(pick(g, model.Int32, model.Int64), append(slices.Clone(outer), int64(k))...)
		c := of(like(in, append(outer, in.Shape[k:]...)...), in, at)
		c.arguments[1] = tuples(g, at, in.Shape[:k])
		return c
	},
	"STABLEHLO_GATHER": func(g *generator) *single {
		in := plain(pick(g, model.Float32, model.Int8, model.Int32, model.Int64, model.Uint8, model.Bool), g.any(1, 4)...)
		p := g.windowPlaces(in.Shape)
		c := of(like(in, p.shape...), in, p.starts)
		c.arguments[1] = small(g, elements(p.starts.Shape), -1, 4)
		return c.option(0, p.offsets).option(1, p.dropped).option(2, p.coordinates).option(3, p.vector).option(4, p.sizes)
	},
	"STABLEHLO_SCATTER": func(g *generator) *single {
		in := plain(pick(g, model.Float32, model.Int8, model.Int32, model.Int64, model.Uint8), g.any(1, 4)...)
		p := g.windowPlaces(in.Shape)
		c := of(in, in, p.starts, like(in, p.shape...))
		c.arguments[1] = small(g, elements(p.starts.Shape), -1, 4)
		element := plain(in.Type)
		body := tflitegen.Subgraph{Name: "body", Tensors: []model.Tensor{element, element, element}, Inputs: []int32{0, 1}, Outputs: []int32{1}}
		for i := range body.Tensors {
			body.Tensors[i].Name = "b" + string(rune('a'+i))
		}
		if code := pick(g, "", "STABLEHLO_ADD", "STABLEHLO_MULTIPLY", "STABLEHLO_MAXIMUM", "STABLEHLO_MINIMUM"); code != "" {
			body.Outputs = []int32{2}
			body.Operators = []tflitegen.Operator{{Code: code, Inputs: []int32{0, 1}, Outputs: []int32{2}}}
		}
		c.called = []tflitegen.Subgraph{body}
		return c.option(1, p.offsets).option(2, p.dropped).option(3, p.coordinates).option(4, p.vector).option(6, int32(1))
	},
	"SCATTER_ND": func(g *generator) *single {
		out := g.tensor(pick(g, model.Float32, model.Int8, model.Int32, model.Int64, model.Uint8), g.any(1, 4)...)
		if out.Type == model.Uint8 {
			out.Scale, out.ZeroPoint = nil, nil
		}
		k := int(g.between(1, len(out.Shape)))
		outer := g.any(1, 2)
		at := plain(model.Int32, append(slices.Clone(outer), int64(k))...)
		c := of(out, at, like(out, append(outer, out.Shape[k:]...)...), ints(out.Shape...))
		c.arguments[0] = tuples(g, at, out.Shape[:k])
		return c
	},
	"EMBEDDING_LOOKUP": func(g *generator) *single {
		t := g.constant(g.tensor(pick(g, model.Float32, model.Int8), g.any(2, 3)...))
		n := g.between(1, 4)
		c := of(like(t, append([]int64{n}, t.Shape[1:]...)...), plain(model.Int32, n), t)
		if t.Type == model.Int8 && g.chance(2) {
			c.out[0] = plain(model.Float32, c.out[0].Shape...)
			c.in[1].ZeroPoint[0] = 0
		}
		c.arguments[0] = small(g, n, 0, int(t.Shape[0])-1)
		return c
	},
	"BROADCAST_ARGS": func(g *generator) *single {
		t, wide := pick(g, model.Int32, model.Int64), g.any(1, 5)
		list := func(n int) (out []byte) {
			for _, x := range wide[len(wide)-n:] {
				if g.chance(2) {
					x = 1
				}
				out = number(out, t, x)
			}
			return out
		}
		n, m := g.IntN(len(wide)+1), len(wide)
		if g.chance(2) {
			n, m = m, n
		}
		c := of(plain(t, int64(len(wide))), plain(t, int64(n)), plain(t, int64(m)))
		c.arguments[0], c.arguments[1] = list(n), list(m)
		return c
	},
	"TFLite_Detection_PostProcess": func(g *generator) *single {
		// There are so many boxes that all elements of the results are told of one: LiteRT leaves the others as they are.
		boxes, classes, background := g.between(24, 40), g.between(1, 4), g.between(0, 1)
		kept, row := g.between(1, 3), g.between(1, int(classes))
		in := []model.Tensor{plain(model.Float32, 1, boxes, 4), plain(model.Float32, 1, boxes, classes+background), plain(model.Float32, boxes, 4)}
		anchors := &in[2]
		if g.chance(2) {
			in[0], *anchors = scaled(plain(model.Uint8, in[0].Shape...), 0.02, 128), scaled(plain(model.Uint8, anchors.Shape...), 1.0/255, 0)
		}
		for i := range 4 * boxes {
			x := g.Float64()
			if i%4 >= 2 {
				x = 0.1 + x/3 // sizes, behind places
			}
			if anchors.Type == model.Uint8 {
				anchors.Data = append(anchors.Data, byte(255*x))
			} else {
				anchors.Data = binary.LittleEndian.AppendUint32(anchors.Data, math.Float32bits(float32(x)))
			}
		}
		if row == 1 && g.chance(2) {
			in[1] = scaled(plain(model.Uint8, in[1].Shape...), 1.0/256, 0)
		}
		n := kept * row
		c := &single{in: in, arguments: map[int][]byte{}, out: []model.Tensor{plain(model.Float32, 1, n, 4), plain(model.Float32, 1, n), plain(model.Float32, 1, n), plain(model.Float32, 1)}}
		c.operator.Custom = "TFLite_Detection_PostProcess"
		c.operator.CustomOptions = tflitegen.Flexbuffer(map[string]float64{"max_detections": float64(kept), "max_classes_per_detection": float64(row), "num_classes": float64(classes),
			"nms_score_threshold": -100.5, "nms_iou_threshold": pick(g, 0.3, 0.5, 0.75), "y_scale": 10, "x_scale": 10, "h_scale": 5, "w_scale": 5, "use_regular_nms": 0})
		return c
	},
	"DYNAMIC_UPDATE_SLICE": func(g *generator) *single {
		in := g.tensor(pick(g, model.Float32, model.Int8, model.Int32, model.Int64, model.Bool), g.any(1, 4)...)
		update := like(in, in.Shape...)
		for i, n := range in.Shape {
			update.Shape[i] = g.between(1, int(n))
		}
		n := int64(len(in.Shape))
		c := of(in, in, update, plain(model.Int32, n))
		c.arguments[2] = small(g, n, -2, 5)
		return c
	},
	"ONE_HOT": func(g *generator) *single {
		in := plain(pick(g, model.Int32, model.Int64), g.any(1, 3)...)
		depth, axis := g.between(1, 5), int(g.between(-1, len(in.Shape)))
		t := plain(pick(g, model.Float32, model.Int8, model.Int32, model.Int64, model.Uint8, model.Bool))
		d := axis
		if d < 0 {
			d = len(in.Shape)
		}
		c := of(like(t, slices.Insert(slices.Clone(in.Shape), d, depth)...), in, scalar(depth), g.constant(t), g.constant(t))
		var data []byte
		for range elements(in.Shape) {
			data = number(data, in.Type, g.between(-1, int(depth)))
		}
		c.arguments[0] = data
		return c.option(0, int32(axis))
	},
	"TOPK_V2": func(g *generator) *single {
		in := g.tensor(pick(g, model.Float32, model.Int8, model.Int16, model.Int32, model.Int64, model.Uint8), append(g.any(0, 2), g.between(1, 8))...)
		last := len(in.Shape) - 1
		k := g.between(1, int(in.Shape[last]))
		shape := append(slices.Clone(in.Shape[:last]), k)
		c := of(like(in, shape...), in, scalar(k))
		c.out = append(c.out, plain(model.Int32, shape...))
		if g.chance(2) && in.Type == model.Float32 {
			var data []byte
			for range elements(in.Shape) {
				data = append(data, floats(float32(g.between(0, 3)))...)
			}
			c.arguments[0] = data
		}
		return c
	},
	"RANGE": func(g *generator) *single {
		start, step, n := g.between(-9, 9), pick(g, int64(1), 2, 3, -1, -2), g.between(1, 8)
		limit := start + step*n
		if g.chance(2) {
			return of(plain(model.Int32, n), scalar(start), scalar(limit), scalar(step)).copied()
		}
		number := func(x int64) model.Tensor {
			return model.Tensor{Type: model.Float32, Shape: []int64{}, Data: floats(float32(x) / 4)}
		}
		return of(plain(model.Float32, n), number(start), number(limit), number(step)).copied()
	},
	"SPARSE_TO_DENSE": func(g *generator) *single {
		out := plain(pick(g, model.Float32, model.Int32, model.Int64, model.Int8, model.Uint8), g.any(1, 3)...)
		n := g.between(1, 4)
		at := plain(model.Int32, n, int64(len(out.Shape)))
		c := of(out, at, ints(out.Shape...), like(out, n), g.constant(like(out)))
		c.arguments[0] = tuples(g, at, out.Shape)
		return c
	},
	"SEGMENT_SUM": func(g *generator) *single {
		in := plain(pick(g, model.Float32, model.Int32), g.any(1, 3)...)
		list := []int64{0}
		for len(list) < int(in.Shape[0]) {
			list = append(list, list[len(list)-1]+g.between(0, 1))
		}
		return of(like(in, append([]int64{list[len(list)-1] + 1}, in.Shape[1:]...)...), in, ints(list...)).copied()
	},
	"UNSORTED_SEGMENT_SUM":  segments,
	"UNSORTED_SEGMENT_PROD": segments,
	"UNSORTED_SEGMENT_MAX":  segments,
	"UNSORTED_SEGMENT_MIN":  segments,
	"BUCKETIZE": func(g *generator) *single {
		in := plain(pick(g, model.Float32, model.Int32, model.Int64), g.any(1, 3)...)
		var list []float32
		for x := float32(-4); len(list) < 5; x += float32(g.Float64() * 3) {
			list = append(list, x)
		}
		return of(plain(model.Int32, in.Shape...), in).option(0, list)
	},
}

// segments joins rows whose numbers are those of the same segment.
func segments(g *generator) *single {
	in := plain(pick(g, model.Float32, model.Int32), g.any(1, 3)...)
	n := g.between(1, 4)
	c := of(like(in, append([]int64{n}, in.Shape[1:]...)...), in, plain(model.Int32, in.Shape[0]), scalar(n))
	c.arguments[1] = small(g, in.Shape[0], -1, int(n)-1)
	return c.copied()
}

// places returns places along a dimension with n elements.
func places(g *generator, t model.Tensor, n int) []byte {
	var data []byte
	for range elements(t.Shape) {
		data = number(data, t.Type, g.between(0, n-1))
	}
	return data
}

// tuples returns places of elements, along dimensions of some sizes.
func tuples(g *generator, t model.Tensor, sizes []int64) []byte {
	var data []byte
	for range elements(t.Shape) / int64(len(sizes)) {
		for _, n := range sizes {
			data = number(data, t.Type, g.between(0, int(n)-1))
		}
	}
	return data
}

// windowPlaces are windows on a tensor that begin at places, and the sizes of a tensor with their elements.
type windowPlaces struct {
	starts                               model.Tensor
	vector                               int64
	coordinates, offsets, dropped, sizes []int64
	shape                                []int64
}

func (g *generator) windowPlaces(in []int64) *windowPlaces {
	p := &windowPlaces{offsets: []int64{}, dropped: []int64{}}
	var kept []int64
	for d, n := range in {
		if g.chance(2) {
			p.dropped, p.sizes = append(p.dropped, int64(d)), append(p.sizes, 1)
			continue
		}
		size := g.between(1, int(n))
		p.sizes, kept = append(p.sizes, size), append(kept, size)
	}
	for _, d := range g.Perm(len(in))[:g.between(1, len(in))] {
		p.coordinates = append(p.coordinates, int64(d))
	}
	outer := g.any(0, 2)
	p.vector = g.between(0, len(outer))
	p.starts = plain(model.Int32, slices.Insert(slices.Clone(outer), int(p.vector), int64(len(p.coordinates)))...)
	// Which dimensions of the elements are those of windows.
	of := g.Perm(len(outer) + len(kept))[:len(kept)]
	slices.Sort(of)
	p.shape = make([]int64, len(outer)+len(kept))
	for i, d := range of {
		p.shape[d], p.offsets = kept[i], append(p.offsets, int64(d))
	}
	for d := range p.shape {
		if !slices.Contains(of, d) {
			p.shape[d], outer = outer[0], outer[1:]
		}
	}
	return p
}
