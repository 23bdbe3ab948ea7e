package tflite

import (
	"freehold/dialect/arith"
	gomath "freehold/dialect/math"
	"freehold/dialect/memref"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// lstmInputs are the positions of the inputs of an LSTM for one direction, those of the gates in their order. What is -1 isn't there.
type lstmInputs struct {
	source                             int
	weights, recurrent, bias, peephole [gates]int
	projection, projectionBias         int
	hidden, cell                       int
	norms                              [gates]int
	aux                                int
	extra                              [gates]int
}

// from counts from a position on.
func from(first int) (out [gates]int) {
	for g := range out {
		out[g] = first + g
	}
	return out
}

// lstmInputsFrom are the positions of the weights for one direction, which begin at one, and of the states.
func lstmInputsFrom(first, hidden, cell int) lstmInputs {
	return lstmInputs{source: 0, weights: from(first), recurrent: from(first + 4), peephole: [gates]int{first + 8, first + 9, -1, first + 10}, bias: from(first + 11),
		projection: first + 15, projectionBias: first + 16, hidden: hidden, cell: cell, norms: [gates]int{-1, -1, -1, -1}, aux: -1}
}

// lstmOptions are the options of an LSTM.
type lstmOptions struct {
	rnnOptions
	clip, projectionClip float32
}

// cells is an LSTM in single precision, or with weights of 8 bits, in one direction.
type cells struct {
	*recurrent
	lstmOptions
	// kinds are the gates that there are: all, or those but the one for the input, which then is 1 minus that for forgetting.
	kinds []int
	count int64
	// cell is the state of the cells.
	cell *ir.Value
	// peephole and norms are lists for gates, nil where there is none.
	peephole, norms [gates]*ir.Value
	normBias        [gates]*ir.Value
	projection      *matrix
	projectionBias  *ir.Value
	activate        func(x *ir.Value) *ir.Value
}

// lstms computes the directions of an LSTM, the second one backwards.
func (k *kernel) lstms(o lstmOptions, directions ...lstmInputs) error {
	if a := model.Activation(o.activation); a == model.NoActivation {
		return k.errorf("%s with the activation %s isn't supported", k.code, a)
	}
	activate, err := k.recurrentActivation(model.Activation(o.activation))
	if err != nil {
		return err
	}
	if !(o.clip >= 0) || !(o.projectionClip >= 0) {
		return k.errorf("%s has a limit of its cells below 0", k.code)
	}
	return k.directions(o.rnnOptions, len(directions), func(d int, r *recurrent) (int64, func(s step, to *ir.Value, place func(i *ir.Value) []*ir.Value) *ir.Value, error) {
		l := &cells{recurrent: r, lstmOptions: o, activate: activate}
		if err := l.read(directions[d]); err != nil {
			return 0, nil, err
		}
		return r.outputs, l.write, nil
	})
}

// read reads the inputs of one direction.
func (l *cells) read(in lstmInputs) error {
	sizes := l.optional(in.recurrent[outputGate])
	if sizes == nil {
		return l.errorf("%s has no input %d", l.code, in.recurrent[outputGate])
	}
	if len(sizes.Shape) != 2 {
		return l.malformed()
	}
	l.count, l.outputs = sizes.Shape[0], sizes.Shape[1]
	l.hybrid = isHybrid(l.in[0], sizes)
	for g := range gates {
		if g != inputGate || l.optional(in.weights[g]) != nil {
			l.kinds = append(l.kinds, g)
		}
	}
	sources := []struct {
		input   int
		weights [gates]int
	}{{in.source, in.weights}}
	if in.aux >= 0 {
		sources = append(sources, sources[0])
		sources[1].input, sources[1].weights = in.aux, in.extra
	}
	for _, s := range sources {
		shape := l.in[s.input].Shape
		if len(shape) == 0 {
			return l.malformed()
		}
		list, err := l.matrices(s.weights, shape[len(shape)-1])
		if err != nil {
			return err
		}
		if err := l.source(s.input, list); err != nil {
			return err
		}
	}
	var err error
	if l.hiddenWeights, err = l.matrices(in.recurrent, l.outputs); err != nil {
		return err
	}
	if err := l.lists(in); err != nil {
		return err
	}
	if l.optional(in.projection) != nil {
		m, err := l.matrix(in.projection, l.outputs, l.count)
		if err != nil {
			return err
		}
		l.projection = &m
		if l.optional(in.projectionBias) != nil {
			if l.projectionBias, err = l.list(in.projectionBias, l.outputs); err != nil {
				return err
			}
		}
	} else if l.count != l.outputs {
		return l.malformed()
	}
	if l.hidden, err = l.state(in.hidden, l.outputs); err != nil {
		return err
	}
	l.cell, err = l.state(in.cell, l.count)
	return err
}

// matrices reads the weights of all gates.
func (l *cells) matrices(inputs [gates]int, columns int64) ([]matrix, error) {
	var out []matrix
	for _, g := range l.kinds {
		m, err := l.matrix(inputs[g], l.count, columns)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// lists reads what there is for each cell: biases, peepholes and norms.
func (l *cells) lists(in lstmInputs) error {
	peepholes, norms := l.optional(in.peephole[outputGate]) != nil, in.norms[outputGate] >= 0 && l.optional(in.norms[outputGate]) != nil
	for _, g := range l.kinds {
		bias, err := l.list(in.bias[g], l.count)
		if err != nil {
			return err
		}
		if norms {
			l.normBias[g] = bias
			if l.norms[g], err = l.list(in.norms[g], l.count); err != nil {
				return err
			}
		} else {
			l.bias = append(l.bias, bias)
		}
		if peepholes && g != cellGate {
			if l.peephole[g], err = l.list(in.peephole[g], l.count); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *cells) times(a, b *ir.Value) *ir.Value { return l.op2(arith.MulF, a, b) }
func (l *cells) plus(a, b *ir.Value) *ir.Value  { return l.op2(arith.AddF, a, b) }

// seen adds to the sum of a gate what the gate sees of a cell.
func (l *cells) seen(gate int, sum, cell, unit *ir.Value) *ir.Value {
	if l.peephole[gate] == nil {
		return sum
	}
	return l.plus(sum, l.times(l.at(l.peephole[gate], unit), cell))
}

// function is the function of a gate.
func (l *cells) function(gate int, x *ir.Value) *ir.Value {
	if gate == cellGate {
		return l.activate(x)
	}
	return sigmoid(l.kernel, x)
}

// clipped limits a number to a limit and its negative, if there is one.
func (l *cells) clipped(x *ir.Value, limit float32) *ir.Value {
	if limit == 0 {
		return x
	}
	high, low := l.f32(limit), l.f32(-limit)
	x = l.pick(l.cmpf(arith.OLT, x, high), x, high)
	return l.pick(l.cmpf(arith.OLT, x, low), low, x)
}

// update computes the new state of a cell of the values of the gates.
func (l *cells) update(value [gates]*ir.Value, old *ir.Value) *ir.Value {
	in := value[inputGate]
	if in == nil {
		in = l.op2(arith.SubF, l.f32(1), value[forgetGate])
	}
	return l.clipped(l.plus(l.times(value[forgetGate], old), l.times(value[cellGate], in)), l.clip)
}

// write computes a step of a batch: the cells, and of them the outputs.
func (l *cells) write(s step, to *ir.Value, place func(i *ir.Value) []*ir.Value) *ir.Value {
	all := l.cellByCell
	if l.norms[outputGate] != nil {
		all = l.normalized
	}
	if l.projection == nil {
		return all(s, to, place)
	}
	inner := all(s, l.empty(l.ctx.RankedTensor([]int64{l.count}, ir.F32)), func(i *ir.Value) []*ir.Value { return []*ir.Value{i} })
	x := l.vectorOf(l.count, func(i *ir.Value) *ir.Value { return l.at(inner, i) })
	return l.nest([]span{l.upTo(l.outputs)}, to, func(i []*ir.Value, to *ir.Value) *ir.Value {
		sum := l.f32(0)
		if l.projectionBias != nil {
			sum = l.at(l.projectionBias, i[0])
		}
		sum = l.plus(sum, l.products(x, []matrix{*l.projection}, i[0])[0])
		return tensor.NewInsert(l.b, l.clipped(sum, l.projectionClip), to, place(i[0])...)
	})
}

// cellByCell computes the gates, the state and the output of one cell after the other.
func (l *cells) cellByCell(s step, to *ir.Value, place func(i *ir.Value) []*ir.Value) *ir.Value {
	return l.nest([]span{l.upTo(l.count)}, to, func(unit []*ir.Value, to *ir.Value) *ir.Value {
		old := memref.NewLoad(l.b, l.cell, s.batch, unit[0])
		var value [gates]*ir.Value
		sums := l.sums(s, unit[0])
		for n, g := range l.kinds[:len(l.kinds)-1] {
			value[g] = l.function(g, l.seen(g, sums[n], old, unit[0]))
		}
		cell := l.update(value, old)
		memref.NewStore(l.b, cell, l.cell, s.batch, unit[0])
		out := l.function(outputGate, l.seen(outputGate, sums[len(sums)-1], cell, unit[0]))
		return tensor.NewInsert(l.b, l.times(out, l.activate(cell)), to, place(unit[0])...)
	})
}

// normalized is cellByCell where the sums of a gate for all cells are normalized before its function.
func (l *cells) normalized(s step, to *ir.Value, place func(i *ir.Value) []*ir.Value) *ir.Value {
	list := l.ctx.RankedTensor([]int64{l.count}, ir.F32)
	inits := make([]*ir.Value, len(l.kinds))
	for n := range inits {
		inits[n] = l.empty(list)
	}
	zero, count, one := l.index(0), l.index(l.count), l.index(1)
	sums := l.loop(zero, count, one, inits, func(unit *ir.Value, c []*ir.Value) []*ir.Value {
		old := memref.NewLoad(l.b, l.cell, s.batch, unit)
		out := l.sums(s, unit)
		for n, g := range l.kinds {
			if g != outputGate {
				out[n] = l.seen(g, out[n], old, unit)
			}
			out[n] = tensor.NewInsert(l.b, out[n], c[n], unit)
		}
		return out
	})
	last := len(l.kinds) - 1
	var norms [gates]func(unit *ir.Value) *ir.Value
	for n, g := range l.kinds[:last] {
		norms[g] = l.norm(g, sums[n])
	}
	ofOutput := l.loop(zero, count, one, []*ir.Value{sums[last]}, func(unit *ir.Value, c []*ir.Value) []*ir.Value {
		var value [gates]*ir.Value
		for _, g := range l.kinds[:last] {
			value[g] = l.function(g, norms[g](unit))
		}
		cell := l.update(value, memref.NewLoad(l.b, l.cell, s.batch, unit))
		memref.NewStore(l.b, cell, l.cell, s.batch, unit)
		return []*ir.Value{tensor.NewInsert(l.b, l.seen(outputGate, l.at(c[0], unit), cell, unit), c[0], unit)}
	})[0]
	norm := l.norm(outputGate, ofOutput)
	return l.nest([]span{l.upTo(l.count)}, to, func(unit []*ir.Value, to *ir.Value) *ir.Value {
		cell := memref.NewLoad(l.b, l.cell, s.batch, unit[0])
		return tensor.NewInsert(l.b, l.times(l.function(outputGate, norm(unit[0])), l.activate(cell)), to, place(unit[0])...)
	})
}

// norm normalizes the sums of a gate to a mean of 0 and a deviation of 1, and applies the coefficients and the bias of each cell.
func (l *cells) norm(gate int, sums *ir.Value) func(unit *ir.Value) *ir.Value {
	total := func(of func(x *ir.Value) *ir.Value) *ir.Value {
		return l.op2(arith.DivF, l.nest([]span{l.upTo(l.count)}, l.f32(0), func(i []*ir.Value, acc *ir.Value) *ir.Value {
			return l.plus(acc, of(l.at(sums, i[0])))
		}), l.f32(float32(l.count)))
	}
	mean := total(func(x *ir.Value) *ir.Value { return x })
	variance := total(func(x *ir.Value) *ir.Value {
		d := l.op2(arith.SubF, x, mean)
		return l.times(d, d)
	})
	factor := l.op2(arith.DivF, l.f32(1), l.math1(gomath.Sqrt, l.plus(variance, l.f32(1e-8))))
	return func(unit *ir.Value) *ir.Value {
		x := l.times(l.op2(arith.SubF, l.at(sums, unit), mean), factor)
		return l.plus(l.times(x, l.at(l.norms[gate], unit)), l.at(l.normBias[gate], unit))
	}
}

// fullLSTM is LSTM, without steps, unless it is of the basic kind.
func fullLSTM(k *kernel) error {
	const activation, cellClip, projectionClip, kind, asymmetric = 0, 1, 2, 3, 4
	o := k.op.Options
	if o.Enum(kind) != 0 {
		return basicLSTM(k)
	}
	if k.in[0].Type != model.Float32 {
		return k.unsupported()
	}
	in := lstmInputsFrom(lstmWeights, lstmHidden, lstmCell)
	in.norms = from(20)
	return k.lstms(lstmOptions{rnnOptions{single: true, activation: o.Enum(activation), asymmetric: o.Flag(asymmetric)}, o.Float(cellClip), o.Float(projectionClip)}, in)
}

// bidirectionalLSTM is BIDIRECTIONAL_SEQUENCE_LSTM. Its second input is for the way back, or for both ways, if it has weights of its own.
func bidirectionalLSTM(k *kernel) error {
	const activation, cellClip, projectionClip, merge, timeMajor, asymmetric = 0, 1, 2, 3, 4, 5
	const aux, auxForth, auxBack = 39, 40, 44
	o := k.op.Options
	if k.in[0].Type != model.Float32 {
		return k.unsupported()
	}
	forth, back := lstmInputsFrom(1, 35, 36), lstmInputsFrom(18, 37, 38)
	switch {
	case k.optional(aux) != nil && k.optional(auxForth+outputGate) != nil:
		forth.aux, forth.extra, back.aux, back.extra = aux, from(auxForth), aux, from(auxBack)
	case k.optional(aux) != nil:
		back.source = aux
	}
	return k.lstms(lstmOptions{rnnOptions{timeMajor: o.Flag(timeMajor), merge: o.Flag(merge), activation: o.Enum(activation), asymmetric: o.Flag(asymmetric)},
		o.Float(cellClip), o.Float(projectionClip)}, forth, back)
}
