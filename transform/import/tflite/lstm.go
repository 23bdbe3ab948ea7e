package tflite

import (
	"slices"

	gomath "math"

	"freehold/dialect/memref"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// The gates of an LSTM, in the order of their weights and biases.
const (
	inputGate = iota
	forgetGate
	cellGate
	outputGate
	gates
)

// Where the inputs of an LSTM are. Those that aren't named belong to variants: peepholes, projections and norms of layers.
const (
	lstmWeights   = 1
	lstmRecurrent = 5
	lstmBias      = 12
	lstmHidden    = 18
	lstmCell      = 19
)

// lstm is UNIDIRECTIONAL_SEQUENCE_LSTM of 8 and 16 bits, whose states stay from one execution to the next.
type lstm struct {
	*kernel
	timeMajor                    bool
	batches, steps, depth, units int64
	input, hidden, cell          *ir.Value
	weights, recurrent, bias     [gates]*ir.Value
	zero                         *ir.Value
	accumulate                   func(acc, x, w *ir.Value, of, weights *model.Tensor) *ir.Value
	gate                         func(gate int, fromInput, bias, fromHidden *ir.Value) *ir.Value
	load                         func(cell *ir.Value) *ir.Value
	update                       func(forget, cell, in, candidate *ir.Value) *ir.Value
	store                        func(cell *ir.Value) *ir.Value
	finish                       func(out, cell *ir.Value) *ir.Value
}

func buildLSTM(k *kernel) error {
	const activation, cellClip, projectionClip, timeMajor, asymmetric, diagonal = 0, 1, 2, 3, 4, 5
	l := &lstm{kernel: k, timeMajor: k.op.Options.Flag(timeMajor)}
	options := k.op.Options
	if options.Flag(diagonal) {
		return k.errorf("%s with diagonal weights isn't supported", k.code)
	}
	if k.in[0].Type == model.Float32 {
		in := lstmInputsFrom(lstmWeights, lstmHidden, lstmCell)
		in.norms = from(20)
		return k.lstms(lstmOptions{rnnOptions{timeMajor: l.timeMajor, activation: options.Enum(activation), asymmetric: options.Flag(asymmetric)},
			options.Float(cellClip), options.Float(projectionClip)}, in)
	}
	if a := model.Activation(options.Enum(activation)); a != model.TanhActivation {
		return k.errorf("%s with the activation %s isn't supported", k.code, a)
	}
	if err := l.shapes(); err != nil {
		return err
	}
	clip := options.Float(cellClip)
	if !(clip >= 0) {
		return k.errorf("%s has a limit of its cells below 0", k.code)
	}
	err := l.quantizedTo(clip)
	if err != nil {
		return err
	}
	if l.input, err = k.value(0); err != nil {
		return err
	}
	for g := range gates {
		values, err := k.inputs(lstmWeights+g, lstmRecurrent+g, lstmBias+g)
		if err != nil {
			return err
		}
		l.weights[g], l.recurrent[g], l.bias[g] = values[0], values[1], values[2]
	}
	if l.hidden, err = k.state(lstmHidden); err != nil {
		return err
	}
	if l.cell, err = k.state(lstmCell); err != nil {
		return err
	}
	l.build()
	return nil
}

// shapes checks which inputs there are, and their sizes.
func (l *lstm) shapes() error {
	in, out := l.in[0], l.out[0]
	for i := range 24 {
		needed := i < lstmRecurrent+gates || lstmBias <= i && i < lstmBias+gates || i == lstmHidden || i == lstmCell
		switch t := l.optional(i); {
		case needed && t == nil:
			return l.errorf("%s has no input %d", l.code, i)
		case !needed && t != nil:
			return l.errorf("%s with a peephole, a projection or a norm (input %d) isn't supported", l.code, i)
		}
	}
	if len(in.Shape) != 3 || len(out.Shape) != 3 || len(l.in[lstmHidden].Shape) != 2 {
		return l.malformed()
	}
	l.batches, l.steps, l.depth, l.units = in.Shape[0], in.Shape[1], in.Shape[2], out.Shape[2]
	if l.timeMajor {
		l.batches, l.steps = l.steps, l.batches
	}
	state := []int64{l.batches, l.units}
	ok := slices.Equal(out.Shape[:2], in.Shape[:2]) && slices.Equal(l.in[lstmHidden].Shape, state) && slices.Equal(l.in[lstmCell].Shape, state)
	for g := range gates {
		ok = ok && slices.Equal(l.in[lstmWeights+g].Shape, []int64{l.units, l.depth}) &&
			slices.Equal(l.in[lstmRecurrent+g].Shape, []int64{l.units, l.units}) && slices.Equal(l.in[lstmBias+g].Shape, []int64{l.units})
	}
	if !ok {
		return l.malformed()
	}
	return nil
}

// types checks the types of the tensors.
func (l *lstm) types(numbers, weights, bias, cell model.Type) error {
	ok := l.in[0].Type == numbers && l.out[0].Type == numbers && l.in[lstmHidden].Type == numbers && l.in[lstmCell].Type == cell
	for g := range gates {
		ok = ok && l.in[lstmWeights+g].Type == weights && l.in[lstmRecurrent+g].Type == weights && l.in[lstmBias+g].Type == bias
	}
	if !ok {
		return l.unsupported()
	}
	return nil
}

// quantizedTo prepares the arithmetic of integers: gates are computed with 12 bits behind the point, and are then numbers of 15; cells have
// 16 bits. Each of them is 32 bits wide here.
func (l *lstm) quantizedTo(clip float32) error {
	in, hidden, cell, out := l.in[0], l.in[lstmHidden], l.in[lstmCell], l.out[0]
	sums, bias := ir.I32, model.Int32
	if in.Type == model.Int16 {
		sums, bias = ir.I64, model.Int64
	} else if in.Type != model.Int8 {
		return l.unsupported()
	}
	if err := l.types(in.Type, model.Int8, bias, model.Int16); err != nil {
		return err
	}
	if err := l.quantized(in, hidden, cell, out); err != nil {
		return err
	}
	const gateScale, numberScale = 1.0 / (1 << 12), 1.0 / (1 << 15)
	multipliers := func(from *model.Tensor, first int) (out [gates]multiplier, err error) {
		for g := range gates {
			w := l.in[first+g]
			if err := l.quantized(w); err != nil {
				return out, err
			}
			out[g] = quantizeMultiplier(float64(from.Scale[0]*w.Scale[0]) / gateScale)
			if _, err := l.channelMultipliers(out[g:g+1], sums); err != nil {
				return out, err
			}
		}
		return out, nil
	}
	ofInput, err := multipliers(in, lstmWeights)
	if err != nil {
		return err
	}
	ofHidden, err := multipliers(hidden, lstmRecurrent)
	if err != nil {
		return err
	}
	keep := quantizeMultiplier(numberScale * scale(cell) / scale(cell))
	add := quantizeMultiplier(numberScale * numberScale / scale(cell))
	output := quantizeMultiplier(numberScale * numberScale / scale(hidden))
	for _, q := range []multiplier{add, output} {
		if err := l.representable(q); err != nil {
			return err
		}
	}
	// The hyperbolic tangent takes three bits before the point.
	left := 15 - 3 + int64(gomath.Round(gomath.Log2(scale(cell))))
	if left > 14 || left < -30 {
		return l.errorf("%s has a scale of its cells that its kernel doesn't take", l.code)
	}
	factor, right := int64(3)<<max(left, 0), max(-left, 0)

	table := l.function.list(ir.I32, sigmoidTable())
	short := func(x *ir.Value) *ir.Value { return l.clampInt(x, gomath.MinInt16, gomath.MaxInt16) }
	product := func(a, b *ir.Value, q multiplier) *ir.Value { return l.rescale(l.mul(a, b), q) }
	l.zero = l.function.int(sums, 0)
	l.accumulate = func(acc, x, w *ir.Value, of, weights *model.Tensor) *ir.Value {
		return l.function.add(acc, l.cast(l.mul(l.offset(x, of, ir.I32), l.offset(w, weights, ir.I32)), sums, false))
	}
	l.gate = func(gate int, fromInput, bias, fromHidden *ir.Value) *ir.Value {
		x := short(l.rescale(l.function.add(fromInput, l.cast(bias, sums, false)), ofInput[gate]))
		x = short(l.function.add(x, short(l.rescale(fromHidden, ofHidden[gate]))))
		return l.interpolateSigmoid(table, x, 3, 0, gate == cellGate)
	}
	l.load = func(cell *ir.Value) *ir.Value { return l.cast(cell, ir.I32, false) }
	l.store = func(cell *ir.Value) *ir.Value { return l.cast(cell, ir.I16, false) }
	l.update = func(forget, c, in, candidate *ir.Value) *ir.Value {
		c = short(l.function.add(short(product(forget, c, keep)), short(product(in, candidate, add))))
		if clip > 0 {
			limit := int64(min(float64(clip)/scale(cell), gomath.MaxInt16))
			c = l.clampInt(c, -limit, limit)
		}
		return c
	}
	low, high := limits(hidden.Type)
	l.finish = func(out, cell *ir.Value) *ir.Value {
		t := l.interpolateSigmoid(table, cell, factor, right, true)
		return l.kernel.store(product(t, out, output), hidden, low, high)
	}
	return nil
}

// build computes step after step. All gates of a step see the output of the one before, which is why the state is written after all of them.
func (l *lstm) build() {
	l.result(0, l.nest([]span{l.upTo(l.steps), l.upTo(l.batches)}, l.empty(l.resultType(0)), func(at []*ir.Value, to *ir.Value) *ir.Value {
		step, batch := at[0], at[1]
		place := func(last *ir.Value) []*ir.Value {
			if l.timeMajor {
				return []*ir.Value{step, batch, last}
			}
			return []*ir.Value{batch, step, last}
		}
		to = l.nest([]span{l.upTo(l.units)}, to, func(unit []*ir.Value, to *ir.Value) *ir.Value {
			return tensor.NewInsert(l.b, l.unit(batch, unit[0], place), to, place(unit[0])...)
		})
		l.loop(l.index(0), l.index(l.units), l.index(1), nil, func(unit *ir.Value, _ []*ir.Value) []*ir.Value {
			memref.NewStore(l.b, l.at(to, place(unit)...), l.hidden, batch, unit)
			return nil
		})
		return to
	}))
}

// unit computes the new state of one cell, and returns the output for it.
func (l *lstm) unit(batch, unit *ir.Value, place func(last *ir.Value) []*ir.Value) *ir.Value {
	sums := func(n int64, of *model.Tensor, x func(i *ir.Value) *ir.Value, weights [gates]*ir.Value, first int) []*ir.Value {
		zeros := []*ir.Value{l.zero, l.zero, l.zero, l.zero}
		return l.loop(l.index(0), l.index(n), l.index(1), zeros, func(i *ir.Value, acc []*ir.Value) []*ir.Value {
			out, e := make([]*ir.Value, gates), x(i)
			for g := range gates {
				out[g] = l.accumulate(acc[g], e, l.at(weights[g], unit, i), of, l.in[first+g])
			}
			return out
		})
	}
	fromInput := sums(l.depth, l.in[0], func(i *ir.Value) *ir.Value { return l.at(l.input, place(i)...) }, l.weights, lstmWeights)
	fromHidden := sums(l.units, l.in[lstmHidden], func(i *ir.Value) *ir.Value { return memref.NewLoad(l.b, l.hidden, batch, i) },
		l.recurrent, lstmRecurrent)
	var value [gates]*ir.Value
	for g := range gates {
		value[g] = l.gate(g, fromInput[g], l.at(l.bias[g], unit), fromHidden[g])
	}
	old := l.load(memref.NewLoad(l.b, l.cell, batch, unit))
	cell := l.update(value[forgetGate], old, value[inputGate], value[cellGate])
	memref.NewStore(l.b, l.store(cell), l.cell, batch, unit)
	return l.finish(value[outputGate], cell)
}
