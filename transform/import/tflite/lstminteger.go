package tflite

import (
	gomath "math"
	"slices"

	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// integerGates is the arithmetic of an LSTM of 8 or 16 bits, whose cells have 16: sums of gates have 12 bits behind the point, unless they are
// normalized, and values of gates have 15. All of them are 32 bits wide here.
//
// TensorFlow Lite Micro has kernels for layers without peepholes, projections and norms. In others, numbers are those of TensorFlow Lite, which takes
// 8 bits only.
type integerGates struct {
	*cells
	// ofInput, ofHidden and ofCell are what the products of a gate are multiplied by.
	ofInput, ofHidden, ofCell [gates]multiplier
	bias, peephole, norms     [gates]*ir.Value
	// ofNorm and guard are the scales of norms, and the variances instead of small ones.
	ofNorm [gates]multiplier
	guard  [gates]int64
	// squash is the logistic function or the hyperbolic tangent of a sum, squashCell the latter of a cell.
	squash     func(x *ir.Value, isTanh bool) *ir.Value
	squashCell func(x *ir.Value) *ir.Value
	// keep and join scale products of values of gates to cells.
	keep, join func(product *ir.Value) *ir.Value
	// cellLimit and outputLimit limit cells and projections, 0 if nothing does.
	cellLimit, outputLimit int64
	// ofOutput and point are the scale and the zero point of the outputs of cells.
	ofOutput multiplier
	point    int64
	// ofProjection is the scale of projections, which start with a bias if it isn't nil.
	ofProjection   multiplier
	projectionBias *ir.Value
}

func newIntegerGates(l *cells, in lstmInputs) (gateArithmetic, error) {
	n := &integerGates{cells: l}
	l.micro = l.micro && len(l.kinds) == gates && !l.peepholes && !l.norms && l.optional(in.projection) == nil
	bias := model.Int32
	switch {
	case l.in[0].Type == model.Int8:
		l.sum = ir.I32
	case l.in[0].Type == model.Int16 && l.micro:
		l.sum, bias = ir.I64, model.Int64
	default:
		return nil, l.unsupported()
	}
	if err := l.read(in, model.Int16); err != nil {
		return nil, err
	}
	if err := l.quantized(l.in[in.source], l.lastOutput, l.in[in.cell], l.out[0]); err != nil {
		return nil, err
	}
	var err error
	if l.micro {
		err = n.likeMicro(l.in[in.cell])
	} else {
		err = n.likeLite(in)
	}
	if err != nil {
		return nil, err
	}
	for _, g := range l.kinds {
		if n.bias[g], err = n.integers(in.bias[g], bias, l.count); err != nil {
			return nil, err
		}
	}
	n.cellLimit = int64(min(float64(l.clip)/scale(l.in[in.cell]), gomath.MaxInt16))
	return n, nil
}

// integers reads an input that is a list of integers.
func (n *integerGates) integers(input int, t model.Type, size int64) (*ir.Value, error) {
	switch x := n.optional(input); {
	case x == nil:
		return nil, n.errorf("%s has no input %d", n.code, input)
	case x.Type != t:
		return nil, n.unsupported()
	case !slices.Equal(x.Shape, []int64{size}):
		return nil, n.malformed()
	}
	return n.value(input)
}

// ofScale returns the multiplier for a scale, if there is arithmetic for it.
func (n *integerGates) ofScale(scale float64) (multiplier, error) {
	q := quantizeMultiplier(scale)
	_, err := n.channelMultipliers([]multiplier{q}, n.sum)
	return q, err
}

// ofProducts returns the multipliers from products with numbers of a scale to the sums of the gates.
func (n *integerGates) ofProducts(scale float32, weights []matrix, sums [gates]float32) (out [gates]multiplier, err error) {
	for i, g := range n.kinds {
		if out[g], err = n.ofScale(float64(float32(weights[i].scale*scale) / sums[g])); err != nil {
			return out, err
		}
	}
	return out, nil
}

// scaleOfSums and scaleOfValues are those of sums of gates that aren't normalized, and of the values of gates.
const scaleOfSums, scaleOfValues = 1.0 / (1 << 12), 1.0 / (1 << 15)

// likeMicro prepares the arithmetic of TensorFlow Lite Micro.
func (n *integerGates) likeMicro(cell *model.Tensor) error {
	var err error
	sums := [gates]float32{scaleOfSums, scaleOfSums, scaleOfSums, scaleOfSums}
	if n.ofInput, err = n.ofProducts(n.in[0].Scale[0], n.sources[0].weights, sums); err != nil {
		return err
	}
	if n.ofHidden, err = n.ofProducts(n.lastOutput.Scale[0], n.hiddenWeights, sums); err != nil {
		return err
	}
	product := func(q multiplier) func(x *ir.Value) *ir.Value {
		return func(x *ir.Value) *ir.Value { return n.short(n.rescale(x, q)) }
	}
	n.keep = product(quantizeMultiplier(scaleOfValues))
	join := quantizeMultiplier(scaleOfValues * scaleOfValues / scale(cell))
	n.join = product(join)
	n.ofOutput, n.point = quantizeMultiplier(scaleOfValues*scaleOfValues/scale(n.lastOutput)), zeroPoint(n.lastOutput)
	for _, q := range []multiplier{join, n.ofOutput} {
		if err := n.representable(q); err != nil {
			return err
		}
	}
	// The hyperbolic tangent takes three bits before the point.
	left := 15 - 3 + int64(gomath.Round(gomath.Log2(scale(cell))))
	if left > 14 || left < -30 {
		return n.errorf("%s has a scale of its cells that its kernel doesn't take", n.code)
	}
	factor, right := int64(3)<<max(left, 0), max(-left, 0)
	table := n.kernel.function.list(ir.I32, sigmoidTable())
	n.squash = func(x *ir.Value, isTanh bool) *ir.Value { return n.interpolateSigmoid(table, x, 3, 0, isTanh) }
	n.squashCell = func(x *ir.Value) *ir.Value { return n.interpolateSigmoid(table, x, factor, right, true) }
	return nil
}

// likeLite prepares the arithmetic of TensorFlow Lite.
func (n *integerGates) likeLite(in lstmInputs) error {
	cell := n.in[in.cell]
	exponent, ok := powerOfTwo(scale(cell))
	if !ok || exponent > -9 || exponent < -15 {
		return n.errorf("%s has a scale of its cells that its kernel doesn't take", n.code)
	}
	sums := [gates]float32{scaleOfSums, scaleOfSums, scaleOfSums, scaleOfSums}
	for g := range gates {
		if !n.cells.norms || g == inputGate && len(n.kinds) < gates {
			continue
		}
		t, err := n.intermediate(g)
		if err != nil {
			return err
		}
		sums[g] = t.Scale[0]
	}
	hidden, err := n.intermediate(gates)
	if err != nil {
		return err
	}
	for _, m := range slices.Concat(n.sources[0].weights, n.hiddenWeights) {
		if zeroPoint(m.of) != 0 {
			return n.errorf("%s has weights with a zero point, which its kernel doesn't take", n.code)
		}
	}
	if n.ofInput, err = n.ofProducts(n.in[0].Scale[0], n.sources[0].weights, sums); err != nil {
		return err
	}
	if n.ofHidden, err = n.ofProducts(n.lastOutput.Scale[0], n.hiddenWeights, sums); err != nil {
		return err
	}
	if err := n.lists(in, exponent, sums); err != nil {
		return err
	}
	if n.ofOutput, err = n.ofScale(float64(float32(scaleOfValues * scaleOfValues / scale(hidden)))); err != nil {
		return err
	}
	n.point = zeroPoint(hidden)
	if n.projection != nil {
		if err := n.project(in, hidden); err != nil {
			return err
		}
	}
	n.keep = func(x *ir.Value) *ir.Value { return n.roundingShift(x, 15) }
	n.join = func(x *ir.Value) *ir.Value { return n.roundingShift(x, 30+exponent) }
	n.squash = func(x *ir.Value, isTanh bool) *ir.Value { return n.shortSigmoid(x, 3, isTanh) }
	n.squashCell = func(x *ir.Value) *ir.Value { return n.shortSigmoid(x, 15+exponent, true) }
	return nil
}

// powerOfTwo returns the exponent of a scale that is a power of two, nearly.
func powerOfTwo(scale float64) (exponent int, ok bool) {
	log := gomath.Log2(scale)
	exponent = int(gomath.Round(log))
	return exponent, gomath.Abs(log-float64(exponent)) < 1e-3
}

// intermediate returns a tensor that says the scale of what is computed on the way: the sums of the gates, and the outputs of the cells.
func (n *integerGates) intermediate(i int) (*model.Tensor, error) {
	list := n.op.Intermediates
	if len(list) != gates+1 {
		return nil, n.errorf("%s with %d intermediate tensors isn't supported", n.code, len(list))
	}
	if list[i] < 0 {
		return nil, n.errorf("%s has no intermediate tensor %d", n.code, i)
	}
	t := n.graph.Tensors[list[i]]
	if len(t.Scale) != 1 || !(t.Scale[0] > 0) || t.ZeroPoint[0] < gomath.MinInt8 || t.ZeroPoint[0] > gomath.MaxInt8 {
		return nil, n.errorf("the intermediate tensor %q of %s has no scale and zero point that its kernel takes", t.Name, n.code)
	}
	return t, nil
}

// lists reads peepholes and norms.
func (n *integerGates) lists(in lstmInputs, exponent int, sums [gates]float32) error {
	list := func(input int) (*ir.Value, float32, error) {
		v, err := n.integers(input, model.Int16, n.count)
		if err != nil {
			return nil, 0, err
		}
		if err := n.quantized(n.in[input]); err != nil {
			return nil, 0, err
		}
		return v, n.in[input].Scale[0], nil
	}
	if n.peepholes && n.outputs > n.count {
		return n.errorf("%s with peepholes and more outputs than cells isn't supported: its kernel reads what is behind the cells", n.code)
	}
	for _, g := range n.kinds {
		if n.peepholes && g != cellGate {
			v, scale, err := list(in.peephole[g])
			if err != nil {
				return err
			}
			n.peephole[g] = v
			if n.ofCell[g], err = n.ofScale(float64(float32(gomath.Ldexp(float64(scale), exponent) / float64(sums[g])))); err != nil {
				return err
			}
		}
		if n.cells.norms {
			v, scale, err := list(in.norms[g])
			if err != nil {
				return err
			}
			n.norms[g] = v
			n.guard[g] = max(1, int64(10000*scale))
			n.ofNorm[g] = quantizeMultiplier(float64(scale))
			n.ofNorm[g].shift += 12
			if err := n.representable(n.ofNorm[g]); err != nil {
				return err
			}
		}
	}
	return nil
}

// project prepares a projection of outputs of cells that have the scale of hidden.
func (n *integerGates) project(in lstmInputs, hidden *model.Tensor) (err error) {
	if zeroPoint(n.projection.of) != 0 {
		return n.errorf("%s has weights with a zero point, which its kernel doesn't take", n.code)
	}
	// The kernel subtracts the zero point where it should be added, and adds it to what projections are of.
	n.point = -n.point
	to := n.lastOutput.Scale[0]
	if n.ofProjection, err = n.ofScale(float64(float32(n.projection.scale*hidden.Scale[0]) / to)); err != nil {
		return err
	}
	if n.optional(in.projectionBias) != nil {
		if n.projectionBias, err = n.integers(in.projectionBias, model.Int32, n.outputs); err != nil {
			return err
		}
	}
	n.outputLimit = int64(min(n.projectionClip/n.out[0].Scale[0], gomath.MaxInt8))
	return nil
}

func (n *integerGates) memory() ir.Type              { return ir.I16 }
func (n *integerGates) wide(x *ir.Value) *ir.Value   { return n.cast(x, ir.I32, false) }
func (n *integerGates) narrow(x *ir.Value) *ir.Value { return n.cast(x, ir.I16, false) }

// short limits a number to 16 bits.
func (n *integerGates) short(x *ir.Value) *ir.Value {
	return n.clampInt(x, gomath.MinInt16, gomath.MaxInt16)
}

func (n *integerGates) sums(s step, unit *ir.Value) []*ir.Value {
	fromInput := n.products(s.vectors[0], n.sources[0].weights, unit)
	fromHidden := n.products(s.vectors[1], n.hiddenWeights, unit)
	for i, g := range n.kinds {
		x := fromInput[i]
		if !n.cells.norms {
			x = n.add(x, n.cast(n.at(n.bias[g], unit), n.sum, false))
		}
		y := n.rescale(fromHidden[i], n.ofHidden[g])
		if n.micro {
			y = n.short(y)
		}
		fromInput[i] = n.short(n.add(n.short(n.rescale(x, n.ofInput[g])), y))
	}
	return fromInput
}

func (n *integerGates) seen(s step, gate int, sum, cell, unit *ir.Value) *ir.Value {
	if n.peephole[gate] == nil {
		return sum
	}
	seen := func(weight *ir.Value) *ir.Value {
		return n.short(n.add(sum, n.rescale(n.mul(n.cast(weight, ir.I32, false), cell), n.ofCell[gate])))
	}
	if n.outputs == n.count {
		return seen(n.at(n.peephole[gate], unit))
	}
	// The kernel takes the cells of all batches that it computes at a time for rows as long as the output.
	first, rows := unit, int64(1)
	if n.sequence.single || n.sequence.timeMajor {
		first, rows = n.add(n.mul(s.batch, n.index(n.count)), unit), n.batches
	}
	weight := n.at(n.peephole[gate], n.op2(arith.RemUI, first, n.index(n.outputs)))
	return n.pick(n.cmp(arith.SLT, first, n.index(rows*n.outputs)), seen(weight), sum)
}

func (n *integerGates) function(gate int, x *ir.Value) *ir.Value {
	return n.squash(x, gate == cellGate)
}

func (n *integerGates) update(value [gates]*ir.Value, old *ir.Value) *ir.Value {
	in := value[inputGate]
	if in == nil {
		in = n.sub(n.i32(gomath.MaxInt16), value[forgetGate])
	}
	cell := n.short(n.add(n.keep(n.mul(value[forgetGate], old)), n.join(n.mul(in, value[cellGate]))))
	if n.cellLimit > 0 {
		cell = n.clampInt(cell, -n.cellLimit, n.cellLimit)
	}
	return cell
}

// element makes an element of the output of a number with a zero point.
func (n *integerGates) element(x *ir.Value, point int64) *ir.Value {
	if point != 0 {
		x = n.add(x, n.i32(point))
	}
	low, high := limits(n.out[0].Type)
	return n.cast(n.clampInt(x, low, high), elementTypes[n.out[0].Type].(*ir.IntegerType), false)
}

func (n *integerGates) output(gate, cell *ir.Value) *ir.Value {
	return n.element(n.rescale(n.mul(n.squashCell(cell), gate), n.ofOutput), n.point)
}

// norm normalizes the sums of a gate to a mean of 0 and a deviation of 1, with 10 bits behind the point, and applies the coefficients and the bias of
// each cell.
func (n *integerGates) norm(gate int, sums *ir.Value) func(unit *ir.Value) *ir.Value {
	long := func(x *ir.Value) *ir.Value { return n.cast(x, ir.I64, false) }
	zero := n.i64(0)
	totals := n.loop(n.index(0), n.index(n.count), n.index(1), []*ir.Value{zero, zero}, func(i *ir.Value, c []*ir.Value) []*ir.Value {
		x := n.wide(n.at(sums, i))
		return []*ir.Value{n.add(c[0], long(x)), n.add(c[1], long(n.mul(x, x)))}
	})
	mean := n.cast(n.op2(arith.DivSI, n.mul(totals[0], n.i64(1<<10)), n.i64(n.count)), ir.I32, false)
	variance := n.sub(n.mul(totals[1], n.i64((1<<20)/n.count)), n.mul(long(mean), long(mean)))
	variance = n.cast(n.op2(arith.DivSI, variance, n.i64(1<<20)), ir.I32, false)
	variance = n.pick(n.cmp(arith.SLT, variance, n.i32(1)), n.i32(n.guard[gate]), variance)
	m, right := n.inverseRoot(variance)
	return func(unit *ir.Value) *ir.Value {
		x := n.sub(n.mul(n.wide(n.at(sums, unit)), n.i32(1<<10)), mean)
		x = n.roundingShiftBy(n.highMul(x, m), right)
		x = long(n.add(n.mul(x, n.wide(n.at(n.norms[gate], unit))), n.at(n.bias[gate], unit)))
		x = n.add(x, n.pick(n.cmp(arith.SGT, x, zero), n.i64(512), n.i64(-512)))
		x = n.cast(n.op2(arith.DivSI, x, n.i64(1<<10)), ir.I32, false)
		return n.short(n.rescale(x, n.ofNorm[gate]))
	}
}

func (n *integerGates) projected(cells *ir.Value) func(i *ir.Value) *ir.Value {
	x := vector{size: n.count, element: func(i *ir.Value) *ir.Value {
		e := n.cast(n.at(cells, i), ir.I32, false)
		if n.point != 0 {
			e = n.sub(e, n.i32(n.point))
		}
		return e
	}}
	return func(i *ir.Value) *ir.Value {
		sum := n.products(x, []matrix{*n.projection}, i)[0]
		if n.projectionBias != nil {
			sum = n.add(sum, n.at(n.projectionBias, i))
		}
		y := n.element(n.rescale(sum, n.ofProjection), zeroPoint(n.lastOutput))
		if n.outputLimit > 0 {
			y = n.clampInt(y, -n.outputLimit, n.outputLimit)
		}
		return y
	}
}
