package tflite

import (
	gomath "math"
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/math"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// detectionName is the name of the operator that chooses among boxes.
const detectionName = "TFLite_Detection_PostProcess"

// detection is TFLite_Detection_PostProcess: of the boxes that a network found, those with the largest scores, without others that overlap them too much.
type detection struct {
	*kernel
	// boxes is how many there are, kept how many are kept at most, classes how many classes there are behind those for the background, and best how many
	// of them are told of each box.
	boxes, kept, classes, background, best int64
	// row is how many elements of the outputs each box has.
	row int64
	// regular says that boxes of each class are compared by themselves, of which at most perClass are kept.
	regular       bool
	perClass      int64
	least, iou    float32
	scales        [4]float32
	decoded, each *ir.Value // the corners of the boxes, and the scores of their classes
}

// detectionOutputs gives the outputs of the operator the sizes that they have by its options, where the file has none.
func detectionOutputs(g *model.Subgraph, o *model.Operator) {
	options, err := o.Numbers()
	if err != nil || len(o.Outputs) != 4 {
		return
	}
	n := options["max_detections"] * options["max_classes_per_detection"]
	if !(n > 0 && n < gomath.MaxInt32/4) || n != gomath.Trunc(n) {
		return
	}
	for i, shape := range [][]int64{{1, int64(n), 4}, {1, int64(n)}, {1, int64(n)}, {1}} {
		if t := g.Tensors[o.Outputs[i]]; len(t.Shape) == 0 {
			t.Shape = shape
		}
	}
}

// detectionPostProcess is TFLite_Detection_PostProcess. Its fast form compares the boxes of all classes with each other, its regular one those of each class.
func detectionPostProcess(k *kernel) error {
	d := &detection{kernel: k}
	if err := d.options(); err != nil {
		return err
	}
	if err := d.shapes(); err != nil {
		return err
	}
	numbers := make([]*ir.Value, 3)
	for i := range numbers {
		v, err := d.numbers(i)
		if err != nil {
			return err
		}
		numbers[i] = v
	}
	d.decode(numbers[0], numbers[2])
	offset := d.background
	d.each = k.slice(k.reshape(numbers[1], []int64{d.boxes, d.background + d.classes}), []int64{0, offset}, []int64{d.boxes, d.classes}, ones(2))
	if d.regular {
		d.chooseByClass()
	} else {
		d.choose()
	}
	return nil
}

// options reads the options.
func (d *detection) options() error {
	numbers, err := d.op.Numbers()
	if err != nil {
		return d.errorf("the options of %s can't be read: %v", d.code, err)
	}
	const most = 1 << 20
	d.regular, d.perClass = numbers["use_regular_nms"] != 0, 100
	if _, ok := numbers["detections_per_class"]; ok {
		if d.perClass, err = d.whole("detections_per_class", 1, most); err != nil {
			return err
		}
	}
	if d.kept, err = d.whole("max_detections", 1, most); err != nil {
		return err
	}
	if d.row, err = d.whole("max_classes_per_detection", 1, most); err != nil {
		return err
	}
	if d.classes, err = d.whole("num_classes", 1, most); err != nil {
		return err
	}
	d.best = min(d.row, d.classes)
	d.least, d.iou = float32(numbers["nms_score_threshold"]), float32(numbers["nms_iou_threshold"])
	for i, name := range []string{"y_scale", "x_scale", "h_scale", "w_scale"} {
		d.scales[i] = float32(numbers[name])
		if !(d.scales[i] > 0) {
			return d.errorf("the option %q of %s is %g, and has to be more than 0", name, d.code, d.scales[i])
		}
	}
	return nil
}

// shapes checks the sizes of the tensors.
func (d *detection) shapes() error {
	for _, t := range d.out {
		if t.Type != model.Float32 || d.in[0].Type != d.in[2].Type {
			return d.unsupported()
		}
	}
	boxes, scores, anchors := d.in[0].Shape, d.in[1].Shape, d.in[2].Shape
	if len(boxes) != 3 || len(scores) != 3 || len(anchors) != 2 || boxes[0] != 1 || scores[0] != 1 || boxes[1] != scores[1] || boxes[1] != anchors[0] ||
		boxes[1] < 1 || boxes[2] < 4 || anchors[1] < 4 || scores[2] < d.classes {
		return d.malformed()
	}
	d.boxes, d.background = boxes[1], scores[2]-d.classes
	n := d.kept * d.row
	for i, shape := range [][]int64{{1, n, 4}, {1, n}, {1, n}, {1}} {
		if !slices.Equal(d.out[i].Shape, shape) {
			return d.malformed()
		}
	}
	return nil
}

// numbers returns an input as numbers in single precision.
func (d *detection) numbers(input int) (*ir.Value, error) {
	v, err := d.value(input)
	t := d.in[input]
	if err != nil || t.Type == model.Float32 {
		return v, err
	}
	if t.Type != model.Uint8 && t.Type != model.Int8 {
		return nil, d.unsupported()
	}
	if err := d.quantized(t); err != nil {
		return nil, err
	}
	return d.mapped(d.ctx.RankedTensor(t.Shape, ir.F32), []*ir.Value{v}, func(e []*ir.Value) *ir.Value {
		return d.op2(arith.MulF, arith.NewCast(d.b, arith.SIToFP, ir.F32, d.offset(e[0], t, ir.I32)), d.f32(t.Scale[0]))
	})
}

// decode computes the corners of boxes, which are given by their middles and the logarithms of their sizes relative to those of anchors.
func (d *detection) decode(boxes, anchors *ir.Value) {
	boxes = d.reshape(boxes, []int64{d.boxes, d.in[0].Shape[2]})
	wide := func(v *ir.Value) *ir.Value { return arith.NewCast(d.b, arith.ExtF, ir.F64, v) }
	narrow := func(v *ir.Value) *ir.Value { return arith.NewCast(d.b, arith.TruncF, ir.F32, v) }
	double := func(x float64) *ir.Value { return d.constant(d.ctx.FloatAttr(ir.F64, x)) }
	to := d.empty(d.ctx.RankedTensor([]int64{d.boxes, 4}, ir.F32))
	d.decoded = d.nest([]span{d.upTo(d.boxes)}, to, func(i []*ir.Value, to *ir.Value) *ir.Value {
		for axis := range int64(2) {
			part := func(of *ir.Value, n int64) *ir.Value { return wide(d.at(of, i[0], d.index(n))) }
			scaled := func(n int64) *ir.Value {
				return d.op2(arith.DivF, part(boxes, n), double(float64(d.scales[n])))
			}
			size := part(anchors, 2+axis)
			middle := narrow(d.op2(arith.AddF, d.op2(arith.MulF, scaled(axis), size), part(anchors, axis)))
			half := narrow(d.op2(arith.MulF, d.op2(arith.MulF, double(0.5), d.math1(math.Exp, scaled(2+axis))), size))
			to = tensor.NewInsert(d.b, d.op2(arith.SubF, middle, half), to, i[0], d.index(axis))
			to = tensor.NewInsert(d.b, d.op2(arith.AddF, middle, half), to, i[0], d.index(2+axis))
		}
		return to
	})
}

// choose takes the box with the largest score again and again, and drops those that overlap it.
func (d *detection) choose() {
	largest := d.generic(d.ctx.RankedTensor([]int64{d.boxes}, ir.F32), nil, nil, func([]*ir.Value) *ir.Value {
		row := d.indices(1)[0]
		return d.nextBest(d.each, row, model.Float32, d.classes, d.f32(0), d.index(-1))[0]
	})
	active := d.above(largest)
	inits := []*ir.Value{active, d.zeros(0), d.zeros(1), d.zeros(2), d.f32(0)}
	c := d.loop(d.index(0), d.index(d.kept), d.index(1), inits, func(n *ir.Value, c []*ir.Value) []*ir.Value {
		box := d.largestOf(d.boxes, largest, c[0])
		found := d.cmp(arith.SGE, box, d.index(0))
		box = d.max(box, d.index(0))
		boxes, classes, scores := d.tell(c[1:4], n, box, found)
		count := d.op2(arith.AddF, c[4], d.pick(found, d.f32(1), d.f32(0)))
		return []*ir.Value{d.dropped(c[0], box), boxes, classes, scores, count}
	})
	for i := range 3 {
		d.result(i, c[1+i])
	}
	d.result(3, d.generic(d.resultType(3), nil, nil, func([]*ir.Value) *ir.Value { return c[4] }))
}

// zeros is output i without any box.
func (d *detection) zeros(i int) *ir.Value {
	return d.generic(d.resultType(i), nil, nil, func([]*ir.Value) *ir.Value { return d.f32(0) })
}

// above tells of each box whether its score is large enough.
func (d *detection) above(scores *ir.Value) *ir.Value {
	return d.generic(d.ctx.RankedTensor([]int64{d.boxes}, ir.I1), []*ir.Value{scores}, []*ir.AffineMap{d.ctx.IdentityMap(1)}, func(e []*ir.Value) *ir.Value {
		return d.cmpf(arith.OGE, e[0], d.f32(d.least))
	})
}

// tell writes a box with its best classes and their scores as number n of the results, if there is one.
func (d *detection) tell(to []*ir.Value, n, box, found *ir.Value) (boxes, classes, scores *ir.Value) {
	zero := d.index(0)
	first := d.mul(n, d.index(d.row))
	inits := append(slices.Clone(to), d.f32(0), d.index(-1))
	c := d.loop(zero, d.index(d.best), d.index(1), inits, func(i *ir.Value, c []*ir.Value) []*ir.Value {
		best := d.nextBest(d.each, box, model.Float32, d.classes, c[3], c[4])
		at := d.add(first, i)
		boxes := c[0]
		for corner := range int64(4) {
			x := d.at(d.decoded, box, d.index(corner))
			boxes = tensor.NewInsert(d.b, d.pick(found, x, d.f32(0)), boxes, zero, at, d.index(corner))
		}
		class := arith.NewCast(d.b, arith.SIToFP, ir.F32, d.cast(best[1], ir.I32, false))
		return []*ir.Value{boxes, tensor.NewInsert(d.b, d.pick(found, class, d.f32(0)), c[1], zero, at),
			tensor.NewInsert(d.b, d.pick(found, best[0], d.f32(0)), c[2], zero, at), best[0], best[1]}
	})
	return c[0], c[1], c[2]
}

// chooseByClass takes the boxes with the largest scores of each class, without those of the class that overlap others, and tells those with the largest
// scores of all classes.
func (d *detection) chooseByClass() {
	zero, one := d.index(0), d.index(1)
	list := func(elem ir.Type) *ir.Value {
		return d.generic(d.ctx.RankedTensor([]int64{d.kept}, elem), nil, nil, func([]*ir.Value) *ir.Value {
			return d.constant(map[ir.Type]ir.Attribute{ir.F32: d.ctx.FloatAttr(ir.F32, 0), ir.I32: d.ctx.IntegerAttr(ir.I32, 0)}[elem])
		})
	}
	// The best so far, by falling scores: scores, boxes, classes, and how many there are.
	inits := []*ir.Value{list(ir.F32), list(ir.I32), list(ir.I32), zero}
	best := d.loop(zero, d.index(d.classes), one, inits, func(class *ir.Value, best []*ir.Value) []*ir.Value {
		scores := d.generic(d.ctx.RankedTensor([]int64{d.boxes}, ir.F32), nil, nil, func([]*ir.Value) *ir.Value {
			return d.at(d.each, d.indices(1)[0], class)
		})
		inits := append([]*ir.Value{d.above(scores)}, best...)
		return d.loop(zero, d.index(min(d.perClass, d.boxes)), one, inits, func(_ *ir.Value, c []*ir.Value) []*ir.Value {
			box := d.largestOf(d.boxes, scores, c[0])
			found := d.cmp(arith.SGE, box, zero)
			box = d.max(box, zero)
			best := d.among(c[1:], []*ir.Value{d.at(scores, box), d.cast(box, ir.I32, false), d.cast(class, ir.I32, false)}, found)
			return append([]*ir.Value{d.dropped(c[0], box)}, best...)
		})[1:]
	})
	told := d.loop(zero, d.index(d.kept), one, []*ir.Value{d.zeros(0), d.zeros(1), d.zeros(2)}, func(n *ir.Value, to []*ir.Value) []*ir.Value {
		found := d.cmp(arith.SLT, n, best[3])
		number := func(x *ir.Value) *ir.Value { return d.pick(found, x, d.f32(0)) }
		box := d.toIndex(d.at(best[1], n))
		boxes := to[0]
		for corner := range int64(4) {
			boxes = tensor.NewInsert(d.b, number(d.at(d.decoded, box, d.index(corner))), boxes, zero, n, d.index(corner))
		}
		class := arith.NewCast(d.b, arith.SIToFP, ir.F32, d.at(best[2], n))
		return []*ir.Value{boxes, tensor.NewInsert(d.b, number(class), to[1], zero, n), tensor.NewInsert(d.b, number(d.at(best[0], n)), to[2], zero, n)}
	})
	for i, v := range told {
		d.result(i, v)
	}
	count := arith.NewCast(d.b, arith.SIToFP, ir.F32, d.cast(best[3], ir.I32, false))
	d.result(3, d.generic(d.resultType(3), nil, nil, func([]*ir.Value) *ir.Value { return count }))
}

// among puts a score, a box and a class into lists by falling scores, behind those that are as large. The last of a full list falls out.
func (d *detection) among(lists, entry []*ir.Value, found *ir.Value) []*ir.Value {
	count := lists[3]
	and := func(a, b *ir.Value) *ir.Value { return d.op2(arith.AndI, a, b) }
	or := func(a, b *ir.Value) *ir.Value { return d.op2(arith.OrI, a, b) }
	inits := append(append(slices.Clone(lists[:3]), entry...), d.int(ir.I1, 0))
	c := d.loop(d.index(0), d.index(d.kept), d.index(1), inits, func(n *ir.Value, c []*ir.Value) []*ir.Value {
		here := or(c[6], or(d.cmp(arith.EQ, n, count), d.cmpf(arith.OGT, c[3], d.at(c[0], n))))
		here = and(found, and(here, d.cmp(arith.SLE, n, count)))
		out := make([]*ir.Value, 0, len(c))
		var carried []*ir.Value
		for i := range 3 {
			old := d.at(c[i], n)
			out = append(out, tensor.NewInsert(d.b, d.pick(here, c[3+i], old), c[i], n))
			carried = append(carried, d.pick(here, old, c[3+i]))
		}
		return append(append(out, carried...), or(c[6], here))
	})
	more := d.pick(found, d.add(count, d.index(1)), count)
	return []*ir.Value{c[0], c[1], c[2], d.min(more, d.index(d.kept))}
}

// dropped are the active boxes without one and those that overlap it.
func (d *detection) dropped(active, box *ir.Value) *ir.Value {
	active = tensor.NewInsert(d.b, d.int(ir.I1, 0), active, box)
	return d.withoutOverlap(d.boxes, d.decoded, active, box, func(overlap *ir.Value) *ir.Value { return d.cmpf(arith.OGT, overlap, d.f32(d.iou)) })
}
