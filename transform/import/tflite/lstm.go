package tflite

import (
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

// oneDirection are the positions of the inputs of an LSTM that has one direction.
func oneDirection() lstmInputs {
	in := lstmInputsFrom(1, 18, 19)
	in.norms = from(20)
	return in
}

// lstmOptions are the options of an LSTM.
type lstmOptions struct {
	rnnOptions
	clip, projectionClip float32
	// micro says that TensorFlow Lite Micro has kernels for the operator.
	micro bool
}

// cells is an LSTM in one direction.
type cells struct {
	*recurrent
	lstmOptions
	// kinds are the gates that there are: all, or those but the one for the input, which then is 1 minus that for forgetting.
	kinds []int
	count int64
	// state is that of the cells.
	state *ir.Value
	// peepholes and norms say that gates see the cells, and that their sums are normalized.
	peepholes, norms bool
	// projection is the matrix of the projection, nil if there is none.
	projection *matrix
	arithmetic gateArithmetic
}

// gateArithmetic computes with the numbers of an LSTM.
type gateArithmetic interface {
	// memory is the type that sums and cells have in memory. wide and narrow convert from there to what is computed with, and back.
	memory() ir.Type
	wide(x *ir.Value) *ir.Value
	narrow(x *ir.Value) *ir.Value
	// sums returns the sums of the gates for a cell.
	sums(s step, unit *ir.Value) []*ir.Value
	// seen adds to the sum of a gate what the gate sees of the state of a cell.
	seen(s step, gate int, sum, cell, unit *ir.Value) *ir.Value
	// function is that of a gate.
	function(gate int, x *ir.Value) *ir.Value
	// update returns the new state of a cell for the values of the gates.
	update(value [gates]*ir.Value, old *ir.Value) *ir.Value
	// output returns the output of a cell, as it is in memory, for the value of the output gate.
	output(gate, cell *ir.Value) *ir.Value
	// norm normalizes the sums of a gate for all cells.
	norm(gate int, sums *ir.Value) func(unit *ir.Value) *ir.Value
	// projected projects the outputs of all cells, a list: what it returns gives the outputs of the layer.
	projected(cells *ir.Value) func(i *ir.Value) *ir.Value
}

// lstms computes the directions of an LSTM, the second one backwards.
func (k *kernel) lstms(o lstmOptions, directions ...lstmInputs) error {
	numbers := newFloatGates
	a := model.Activation(o.activation)
	switch {
	case k.in[0].Type != model.Float32 && a == model.TanhActivation:
		numbers = newIntegerGates
	case k.in[0].Type != model.Float32 || a == model.NoActivation:
		return k.errorf("%s with the activation %s isn't supported", k.code, a)
	}
	if _, err := k.recurrentActivation(a); err != nil {
		return err
	}
	if !(o.clip >= 0) || !(o.projectionClip >= 0) {
		return k.errorf("%s has a limit of its cells below 0", k.code)
	}
	return k.directions(o.rnnOptions, len(directions), func(d int, r *recurrent) (int64, func(s step, to *ir.Value, place func(i *ir.Value) []*ir.Value) *ir.Value, error) {
		l := &cells{recurrent: r, lstmOptions: o}
		if err := l.shape(directions[d]); err != nil {
			return 0, nil, err
		}
		var err error
		if l.arithmetic, err = numbers(l, directions[d]); err != nil {
			return 0, nil, err
		}
		return r.outputs, l.write, nil
	})
}

// shape finds out which kind of LSTM the inputs of a direction are for.
func (l *cells) shape(in lstmInputs) error {
	sizes := l.optional(in.recurrent[outputGate])
	if sizes == nil {
		return l.errorf("%s has no input %d", l.code, in.recurrent[outputGate])
	}
	if len(sizes.Shape) != 2 || isEmpty(sizes) {
		return l.malformed()
	}
	l.count, l.outputs = sizes.Shape[0], sizes.Shape[1]
	for g := range gates {
		if g != inputGate || l.optional(in.weights[g]) != nil {
			l.kinds = append(l.kinds, g)
		}
	}
	l.peepholes = l.optional(in.peephole[outputGate]) != nil
	l.norms = in.norms[outputGate] >= 0 && l.optional(in.norms[outputGate]) != nil
	if l.optional(in.projection) == nil && l.count != l.outputs {
		return l.malformed()
	}
	return nil
}

// read reads the matrices and states of one direction, where the cells have a type.
func (l *cells) read(in lstmInputs, cell model.Type) error {
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
	if l.optional(in.projection) != nil {
		m, err := l.matrix(in.projection, l.outputs, l.count)
		if err != nil {
			return err
		}
		l.projection = &m
	}
	if err := l.readOutput(in.hidden, l.outputs); err != nil {
		return err
	}
	l.state, err = l.recurrent.state(in.cell, cell, l.count)
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

// fullLSTM is LSTM, without steps, unless it is of the basic kind.
func fullLSTM(k *kernel) error {
	const activation, cellClip, projectionClip, kind, asymmetric = 0, 1, 2, 3, 4
	o := k.op.Options
	if o.Enum(kind) != 0 {
		return basicLSTM(k)
	}
	return k.lstms(lstmOptions{rnnOptions: rnnOptions{single: true, activation: o.Enum(activation), asymmetric: o.Flag(asymmetric)},
		clip: o.Float(cellClip), projectionClip: o.Float(projectionClip)}, oneDirection())
}

// unidirectionalLSTM is UNIDIRECTIONAL_SEQUENCE_LSTM.
func unidirectionalLSTM(k *kernel) error {
	const activation, cellClip, projectionClip, timeMajor, asymmetric, diagonal = 0, 1, 2, 3, 4, 5
	o := k.op.Options
	if o.Flag(diagonal) {
		return k.errorf("%s with diagonal weights isn't supported", k.code)
	}
	return k.lstms(lstmOptions{rnnOptions: rnnOptions{timeMajor: o.Flag(timeMajor), activation: o.Enum(activation), asymmetric: o.Flag(asymmetric)},
		clip: o.Float(cellClip), projectionClip: o.Float(projectionClip), micro: true}, oneDirection())
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
	return k.lstms(lstmOptions{rnnOptions: rnnOptions{timeMajor: o.Flag(timeMajor), merge: o.Flag(merge), activation: o.Enum(activation), asymmetric: o.Flag(asymmetric)},
		clip: o.Float(cellClip), projectionClip: o.Float(projectionClip)}, forth, back)
}
