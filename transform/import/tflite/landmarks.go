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

// The functions in this file are the second versions of operators of MediaPipe, by which a network looks at parts of an image that it finds itself.

func (k *kernel) toDouble(x *ir.Value) *ir.Value { return arith.NewCast(k.b, arith.ExtF, ir.F64, x) }
func (k *kernel) toSingle(x *ir.Value) *ir.Value {
	return arith.NewCast(k.b, arith.TruncF, ir.F32, x)
}
func (k *kernel) double(x float64) *ir.Value { return k.constant(k.ctx.FloatAttr(ir.F64, x)) }

// areSingle checks that all tensors are in single precision, and have elements.
func (k *kernel) areSingle() error {
	for _, t := range slices.Concat(k.in, k.out) {
		if t.Type != model.Float32 {
			return k.unsupported()
		}
		if isEmpty(t) {
			return k.malformed()
		}
	}
	return nil
}

// matrixRows returns the first, second and last elements of the first two rows of a transformation, a matrix of four by four.
func (k *kernel) matrixRows(input int) (rows [2][3]*ir.Value, err error) {
	if ir.ElementCount(k.in[input].Shape) != 16 {
		return rows, k.malformed()
	}
	v, err := k.value(input)
	if err != nil {
		return rows, err
	}
	v = k.reshape(v, []int64{16})
	for r := range rows {
		for c, i := range []int64{0, 1, 3} {
			rows[r][c] = k.at(v, k.index(4*int64(r)+i))
		}
	}
	return rows, nil
}

// transformed returns a coordinate of a transformed point.
func (k *kernel) transformed(row [3]*ir.Value, x, y *ir.Value) *ir.Value {
	return k.fAdd(k.fAdd(k.fMul(row[0], x), k.fMul(row[1], y)), row[2])
}

// transformLandmarks is TransformLandmarks: points, of which the first two coordinates are transformed.
func transformLandmarks(k *kernel) error {
	if err := k.areSingle(); err != nil {
		return err
	}
	shape := k.in[0].Shape
	if len(shape) != 3 || shape[0] != 1 || shape[2] != 2 && shape[2] != 3 || !slices.Equal(k.out[0].Shape, shape) {
		return k.malformed()
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	rows, err := k.matrixRows(1)
	if err != nil {
		return err
	}
	k.computed(func(at []*ir.Value) *ir.Value {
		coordinate := func(i int64) *ir.Value { return k.at(v, at[0], at[1], k.index(i)) }
		x, y := coordinate(0), coordinate(1)
		is := func(i int64) *ir.Value { return k.cmp(arith.EQ, at[2], k.index(i)) }
		return k.pick(is(0), k.transformed(rows[0], x, y), k.pick(is(1), k.transformed(rows[1], x, y), k.at(v, at...)))
	})
	return nil
}

// transformTensor is TransformTensorBilinear: an image at the transformed places of another one, between its pixels, and 0 outside of it.
func transformTensor(k *kernel) error {
	if err := k.areSingle(); err != nil {
		return err
	}
	in, out := k.in[0].Shape, k.out[0].Shape
	if len(in) != 4 || len(out) != 4 || in[0] != 1 || out[0] != 1 || in[3] != out[3] {
		return k.malformed()
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	rows, err := k.matrixRows(1)
	if err != nil {
		return err
	}
	// Pixels are in the middle of where they are.
	half := k.double(0.5)
	for r, row := range rows {
		moved := k.fSub(k.fAdd(k.fMul(k.toDouble(row[0]), half), k.fMul(k.toDouble(row[1]), half)), half)
		rows[r][2] = k.toSingle(k.fAdd(k.toDouble(row[2]), moved))
	}
	k.computed(func(at []*ir.Value) *ir.Value {
		number := func(i *ir.Value) *ir.Value {
			return arith.NewCast(k.b, arith.SIToFP, ir.F32, k.cast(i, ir.I32, false))
		}
		x, y := number(at[2]), number(at[1])
		place := [2]*ir.Value{k.transformed(rows[1], x, y), k.transformed(rows[0], x, y)}
		inside := k.int(ir.I1, 1)
		var pixel [2][2]*ir.Value // for y and x, the pixel before the place, and the one behind it
		var rest [2]*ir.Value
		var behind [2]*ir.Value // whether there is the latter
		for d, p := range place {
			last := in[1+d] - 1
			there := k.op2(arith.AndI, k.cmpf(arith.OGE, p, k.f32(0)), k.cmpf(arith.OLE, p, k.f32(float32(last))))
			inside = k.op2(arith.AndI, inside, there)
			p = k.pick(there, p, k.f32(0))
			floor := k.math1(math.Floor, p)
			rest[d] = k.fSub(p, floor)
			i := k.toIndex(arith.NewCast(k.b, arith.FPToSI, ir.I32, floor))
			pixel[d] = [2]*ir.Value{i, k.min(k.add(i, k.index(1)), k.index(last))}
			behind[d] = k.cmp(arith.SLT, i, k.index(last))
		}
		read := func(dy, dx int) *ir.Value {
			e := k.at(v, at[0], pixel[0][dy], pixel[1][dx], at[3])
			if dy == 1 {
				e = k.pick(behind[0], e, k.f32(0))
			}
			if dx == 1 {
				e = k.pick(behind[1], e, k.f32(0))
			}
			return e
		}
		// The part of what is before a place is in double precision.
		before := func(rest, x *ir.Value) *ir.Value {
			return k.fMul(k.fSub(k.double(1), k.toDouble(rest)), k.toDouble(x))
		}
		line := func(dy int) *ir.Value {
			return k.toSingle(k.fAdd(before(rest[1], read(dy, 0)), k.toDouble(k.fMul(rest[1], read(dy, 1)))))
		}
		upper, lower := line(0), line(1)
		result := k.toSingle(k.fAdd(k.toDouble(k.fMul(rest[0], lower)), before(rest[0], upper)))
		return k.pick(inside, result, k.f32(0))
	})
	return nil
}

// landmarksOptions are the options of Landmarks2TransformMatrix: which points are left and right, and around which ones the part is, how large it becomes,
// and how much more than the points it has.
type landmarksOptions struct {
	left, right    int64
	width, height  int64
	scaleX, scaleY float32
	rotation       float32
	around         []int64
}

func (k *kernel) landmarksOptions(points int64) (o landmarksOptions, err error) {
	numbers, err := k.op.Numbers()
	if err != nil {
		return o, k.errorf("the options of %s can't be read: %v", k.code, err)
	}
	if o.around, err = k.op.Integers("subset_idxs"); err != nil {
		return o, k.errorf("the options of %s can't be read: %v", k.code, err)
	}
	for _, n := range []struct {
		name      string
		to        *int64
		low, high int64
	}{{"left_rotation_idx", &o.left, 0, points - 1}, {"right_rotation_idx", &o.right, 0, points - 1},
		{"output_width", &o.width, 1, gomath.MaxInt16}, {"output_height", &o.height, 1, gomath.MaxInt16}} {
		if *n.to, err = k.whole(n.name, n.low, n.high); err != nil {
			return o, err
		}
	}
	o.scaleX, o.scaleY, o.rotation = float32(numbers["scale_x"]), float32(numbers["scale_y"]), float32(numbers["target_rotation_radians"])
	if !(o.scaleX > 0) || !(o.scaleY > 0) || len(o.around) == 0 || !within(o.around, 0, points-1) {
		return o, k.errorf("%s has options that its kernel doesn't take", k.code)
	}
	return o, nil
}

// landmarksMatrix is Landmarks2TransformMatrix: the transformation to a part of an image around some points, upright between two of them.
func landmarksMatrix(k *kernel) error {
	if err := k.areSingle(); err != nil {
		return err
	}
	shape := k.in[0].Shape
	if len(shape) != 3 || shape[2] != 3 || shape[0] != 1 || ir.ElementCount(k.out[0].Shape) != 16 {
		return k.malformed()
	}
	o, err := k.landmarksOptions(shape[1])
	if err != nil {
		return err
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	point := func(i *ir.Value) (x, y *ir.Value) {
		zero := k.index(0)
		return k.at(v, zero, i, zero), k.at(v, zero, i, k.index(1))
	}
	leftX, leftY := point(k.index(o.left))
	rightX, rightY := point(k.index(o.right))
	angle := k.fSub(k.f32(o.rotation), k.op2(math.Atan2, k.fSub(rightY, leftY), k.fSub(rightX, leftX)))
	negative := func(x *ir.Value) *ir.Value { return arith.New(k.b, arith.NegF, x) }
	cos, sin := k.math1(math.Cos, angle), k.math1(math.Sin, angle)
	// turned returns a coordinate of a point that is turned by an angle with a cosine, and a sine for y or less than that for x.
	turned := func(a, x, b, y *ir.Value) *ir.Value { return k.fAdd(k.fMul(a, x), k.fMul(b, y)) }
	list := k.function.list(ir.I32, o.around)
	turn := func(i *ir.Value) (x, y *ir.Value) {
		x, y = point(k.toIndex(k.at(list, i)))
		return turned(cos, x, negative(sin), y), turned(sin, x, cos, y)
	}
	x, y := turn(k.index(0))
	// The largest and the least coordinates.
	c := k.loop(k.index(1), k.index(int64(len(o.around))), k.index(1), []*ir.Value{x, y, x, y}, func(i *ir.Value, c []*ir.Value) []*ir.Value {
		x, y := turn(i)
		larger := func(old, e *ir.Value) *ir.Value { return k.pick(k.cmpf(arith.OLT, old, e), e, old) }
		less := func(old, e *ir.Value) *ir.Value { return k.pick(k.cmpf(arith.OGT, old, e), e, old) }
		return []*ir.Value{larger(c[0], x), larger(c[1], y), less(c[2], x), less(c[3], y)}
	})
	middle := func(most, least *ir.Value) *ir.Value {
		return k.op2(arith.DivF, k.fAdd(least, most), k.f32(2))
	}
	middleX, middleY := middle(c[0], c[2]), middle(c[1], c[3])
	back := negative(angle)
	cosBack, sinBack := k.math1(math.Cos, back), k.math1(math.Sin, back)
	centerX, centerY := turned(cosBack, middleX, negative(sinBack), middleY), turned(sinBack, middleX, cosBack, middleY)
	scaled := func(factor float32, most, least *ir.Value, to int64) *ir.Value {
		return k.op2(arith.DivF, k.fMul(k.f32(factor), k.fSub(most, least)), k.f32(float32(to)))
	}
	scaleX, scaleY := scaled(o.scaleX, c[0], c[2], o.width), scaled(o.scaleY, c[1], c[3], o.height)
	// The matrix is that of a shift, a rotation, scales, and another shift: of its first two rows, the third element is 0.
	shiftX, shiftY := k.f32(float32(-float64(o.width)/2)), k.f32(float32(-float64(o.height)/2))
	row := func(a, b, center *ir.Value) []*ir.Value {
		first, second := k.fMul(a, scaleX), k.fMul(b, scaleY)
		return []*ir.Value{first, second, k.f32(0), k.fAdd(k.fAdd(k.fMul(first, shiftX), k.fMul(second, shiftY)), center)}
	}
	elements := append(row(cosBack, negative(sinBack), centerX), row(sinBack, cosBack, centerY)...)
	for i := range 8 {
		elements = append(elements, k.f32([]float32{0, 0, 1, 0, 0, 0, 0, 1}[i]))
	}
	matrix := tensor.NewFromElements(k.b, k.ctx.RankedTensor([]int64{16}, ir.F32), elements...)
	k.result(0, k.reshape(matrix, k.out[0].Shape))
	return nil
}
