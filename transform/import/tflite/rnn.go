package tflite

import (
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// rnn is RNN and UNIDIRECTIONAL_SEQUENCE_RNN, without and with steps.
func rnn(single bool) func(k *kernel) error {
	return func(k *kernel) error {
		o := k.op.Options
		inputs := rnnInputs{source: 0, weights: 1, recurrent: 2, bias: 3, hidden: 4, aux: -1, extra: -1}
		if single {
			return k.rnns(rnnOptions{single: true, activation: o.Enum(0), asymmetric: o.Flag(1)}, inputs)
		}
		return k.rnns(rnnOptions{timeMajor: o.Flag(0), activation: o.Enum(1), asymmetric: o.Flag(2)}, inputs)
	}
}

// bidirectionalRNN is BIDIRECTIONAL_SEQUENCE_RNN. It may have a second input with weights of its own.
func bidirectionalRNN(k *kernel) error {
	o := k.op.Options
	forth := rnnInputs{source: 0, weights: 1, recurrent: 2, bias: 3, hidden: 4, aux: -1, extra: -1}
	back := rnnInputs{source: 0, weights: 5, recurrent: 6, bias: 7, hidden: 8, aux: -1, extra: -1}
	const aux, auxForth, auxBack = 9, 10, 11
	if k.optional(aux) != nil {
		if k.optional(auxForth) == nil {
			return k.errorf("%s with a second input that has no weights isn't supported", k.code)
		}
		forth.aux, forth.extra, back.aux, back.extra = aux, auxForth, aux, auxBack
	}
	return k.rnns(rnnOptions{timeMajor: o.Flag(0), activation: o.Enum(1), merge: o.Flag(2), asymmetric: o.Flag(3)}, forth, back)
}

// rnnOptions are the options of recurrent layers. merge has both directions in one output.
type rnnOptions struct {
	single, timeMajor, merge, asymmetric bool
	activation                           int
}

// rnnInputs are the positions of the inputs for one direction. extra is the weights for aux, a second input; both are -1 if there is none.
type rnnInputs struct{ source, weights, recurrent, bias, hidden, aux, extra int }

// rnns computes the directions of a recurrent layer, the second one backwards.
func (k *kernel) rnns(o rnnOptions, directions ...rnnInputs) error {
	if k.in[0].Type != model.Float32 {
		return k.unsupported()
	}
	activate, err := k.recurrentActivation(model.Activation(o.activation))
	if err != nil {
		return err
	}
	return k.directions(o, len(directions), func(d int, r *recurrent) (int64, func(s step, to *ir.Value, place func(i *ir.Value) []*ir.Value) *ir.Value, error) {
		in := directions[d]
		weights := k.in[in.weights]
		if len(weights.Shape) != 2 {
			return 0, nil, k.malformed()
		}
		r.outputs = weights.Shape[0]
		r.hybrid = isHybrid(k.in[0], weights)
		sources := [][2]int{{in.source, in.weights}}
		if in.aux >= 0 {
			sources = append(sources, [2]int{in.aux, in.extra})
		}
		for _, s := range sources {
			shape := k.in[s[0]].Shape
			m, err := r.matrix(s[1], r.outputs, shape[len(shape)-1])
			if err != nil {
				return 0, nil, err
			}
			if err := r.source(s[0], []matrix{m}); err != nil {
				return 0, nil, err
			}
		}
		m, err := r.matrix(in.recurrent, r.outputs, r.outputs)
		if err != nil {
			return 0, nil, err
		}
		bias, err := r.list(in.bias, r.outputs)
		if err != nil {
			return 0, nil, err
		}
		r.hiddenWeights, r.bias = []matrix{m}, []*ir.Value{bias}
		if err := r.readOutput(in.hidden, r.outputs); err != nil {
			return 0, nil, err
		}
		return r.outputs, func(s step, to *ir.Value, place func(i *ir.Value) []*ir.Value) *ir.Value {
			return r.nest([]span{r.upTo(r.outputs)}, to, func(unit []*ir.Value, to *ir.Value) *ir.Value {
				return tensor.NewInsert(r.b, activate(r.sums(s, unit[0])[0]), to, place(unit[0])...)
			})
		}, nil
	})
}
