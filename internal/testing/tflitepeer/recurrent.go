package main

import (
	"math"
	"slices"

	"freehold/transform/import/tflite/model"
)

// older are the operators that only the older library can be asked for: those with a state, and custom ones.
var older = map[string]func(g *generator) *single{
	"TFLite_Detection_PostProcess": detection,
	"SVDF": func(g *generator) *single {
		l := g.layer()
		batches, rank, units, memory := g.between(1, 2), g.between(1, 2), g.between(1, 3), g.between(1, 4)
		in := plain(model.Float32, batches, l.depth)
		features, weights := l.matrix(g, units*rank, l.depth), l.matrix(g, units*rank, memory)
		c := of(plain(model.Float32, batches, units), in, features, weights, g.maybe(plain(model.Float32, units)), variable(batches, units*rank*memory))
		return c.option(0, int32(rank)).option(1, pick(g, int8(model.NoActivation), int8(model.Relu))).option(2, l.asymmetric)
	},
	"RNN": func(g *generator) *single {
		l := g.layer()
		in := plain(model.Float32, l.batches, l.depth)
		c := of(plain(model.Float32, l.batches, l.units), in, l.matrix(g, l.units, l.depth), l.matrix(g, l.units, l.units), l.list(g, l.units), variable(l.batches, l.units))
		return c.option(0, l.activation).option(1, l.asymmetric)
	},
	"UNIDIRECTIONAL_SEQUENCE_RNN": func(g *generator) *single {
		l := g.layer()
		c := of(l.sequence(l.units), l.sequence(l.depth), l.matrix(g, l.units, l.depth), l.matrix(g, l.units, l.units), l.list(g, l.units), variable(l.batches, l.units))
		return c.option(0, l.timeMajor).option(1, l.activation).option(2, l.asymmetric)
	},
	"BIDIRECTIONAL_SEQUENCE_RNN": func(g *generator) *single {
		l := g.layer()
		back := g.between(1, 4)
		l.timeMajor = l.timeMajor && !l.hybrid // the library's hybrid kernel takes wrong steps where steps come first
		c := of(l.sequence(l.units), l.sequence(l.depth))
		for _, units := range []int64{l.units, back} {
			c.in = append(c.in, l.matrix(g, units, l.depth), l.matrix(g, units, units), l.list(g, units), variable(l.batches, units))
		}
		if g.chance(2) {
			more := l.depth // as below
			c.in = append(c.in, l.sequence(more), l.matrix(g, l.units, more), l.matrix(g, back, more))
		}
		for len(c.in) < 12 {
			c.in = append(c.in, model.Tensor{Type: left})
		}
		c.outputs(g, l, l.units, back, 2)
		return c.option(0, l.timeMajor).option(1, l.activation).option(3, l.asymmetric)
	},
	"LSTM": func(g *generator) *single {
		l := g.layer()
		if g.chance(2) {
			if g.chance(2) {
				return l.scaledBasic(g)
			}
			c := l.scaledLSTM(g, []int64{l.batches})
			return c.option(0, int8(model.TanhActivation)).option(1, l.clip).option(2, l.projectionClip)
		}
		if g.chance(3) {
			l.hybrid = false
			state := variable(l.batches, l.units)
			c := of(plain(model.Float32, l.batches, l.units), plain(model.Float32, l.batches, l.depth), state, l.matrix(g, 4*l.units, l.depth+l.units), l.list(g, 4*l.units), state)
			c.out = append(c.out, plain(model.Float32, l.batches, l.units), plain(model.Float32, l.batches, l.depth+l.units), plain(model.Float32, l.batches, 4*l.units))
			c.shown = 2
			return c.option(0, int8(model.TanhActivation)).option(3, int8(1))
		}
		in, outputs, cells := l.lstm(g)
		c := of(plain(model.Float32, l.batches, outputs), append([]model.Tensor{plain(model.Float32, l.batches, l.depth)}, in...)...)
		c.in = append(c.in, variable(l.batches, outputs), variable(l.batches, cells))
		c.in = append(c.in, l.norms(g, in, cells)...)
		return c.option(0, l.activation).option(1, l.clip).option(2, l.projectionClip).option(4, l.asymmetric)
	},
	"UNIDIRECTIONAL_SEQUENCE_LSTM": func(g *generator) *single {
		l := g.layer()
		if g.chance(2) {
			c := l.scaledLSTM(g, l.sequence(1).Shape[:2])
			return c.option(0, int8(model.TanhActivation)).option(1, l.clip).option(2, l.projectionClip).option(3, l.timeMajor)
		}
		in, outputs, cells := l.lstm(g)
		c := of(l.sequence(outputs), append([]model.Tensor{l.sequence(l.depth)}, in...)...)
		c.in = append(c.in, variable(l.batches, outputs), variable(l.batches, cells))
		c.in = append(c.in, l.norms(g, in, cells)...)
		return c.option(0, l.activation).option(1, l.clip).option(2, l.projectionClip).option(3, l.timeMajor).option(4, l.asymmetric)
	},
	"BIDIRECTIONAL_SEQUENCE_LSTM": func(g *generator) *single {
		l := g.layer()
		forth, outputs, cells := l.lstm(g)
		back, backOutputs, backCells := l.lstm(g)
		// The library wants as many cells and outputs in both directions.
		for backOutputs != outputs {
			back, backOutputs, backCells = l.lstm(g)
		}
		c := of(l.sequence(outputs), append(append([]model.Tensor{l.sequence(l.depth)}, forth...), back...)...)
		c.in = append(c.in, variable(l.batches, outputs), variable(l.batches, cells), variable(l.batches, backOutputs), variable(l.batches, backCells))
		none := model.Tensor{Type: left}
		switch g.IntN(3) {
		case 0:
			c.in = append(c.in, l.sequence(l.depth))
		case 1:
			more := l.depth // with others, the library reads the second input as if it had this size
			c.in = append(c.in, l.sequence(more))
			for d, of := range [][]model.Tensor{forth, back} {
				for gate := range 4 {
					w := l.matrix(g, []int64{cells, backCells}[d], more)
					if of[gate].Type == left {
						w = none
					}
					c.in = append(c.in, w)
				}
			}
		default:
			c.in = append(c.in, none)
		}
		for len(c.in) < 48 {
			c.in = append(c.in, none)
		}
		c.outputs(g, l, outputs, backOutputs, 3)
		return c.option(0, l.activation).option(1, l.clip).option(2, l.projectionClip).option(4, l.timeMajor).option(5, l.asymmetric)
	},
}

// scaledLSTM is an LSTM of 8 bits, with intermediate tensors. Its input has the sizes of steps and batches first.
func (l *layer) scaledLSTM(g *generator, first []int64) *single {
	first = slices.Clip(first)
	weights, outputs, cells := l.lstm(g)
	norms := l.norms(g, weights, cells)
	eight := func(zero int64, shape ...int64) model.Tensor {
		return scaled(plain(model.Int8, shape...), float32(0.002+g.Float64()/30), zero)
	}
	if len(norms) == 0 && weights[8].Type == left && weights[10].Type == left && weights[15].Type == left && weights[0].Type != left && len(first) == 2 {
		// Without any of these, TensorFlow Lite Micro computes in another way.
		norms = l.norms(g, weights, cells)
		for gate := range 4 {
			norms = append(norms[:gate], l.list(g, cells))
		}
	}
	in := append([]model.Tensor{eight(g.between(-20, 20), append(first, l.depth)...)}, weights...)
	for i := 1; i < len(in); i++ {
		if in[i].Type == left {
			continue
		}
		switch t := plain(model.Int8, in[i].Shape...); {
		case i <= 8 || i == 16:
			in[i] = g.constant(scaled(t, float32(0.002+g.Float64()/100), 0))
		case i <= 11:
			t.Type = model.Int16
			in[i] = g.constant(scaled(t, float32(0.00001+g.Float64()/30000), 0))
		default:
			t.Type = model.Int32
			in[i] = g.constant(t)
		}
	}
	// Without a projection, the library subtracts the zero point of the output, which later versions add.
	projected := weights[15].Type != left
	state := eight(0, l.batches, outputs)
	if projected {
		state.ZeroPoint[0] = g.between(-20, 20)
	}
	cell := scaled(plain(model.Int16, l.batches, cells), float32(math.Exp2(float64(g.between(-14, -9)))), 0)
	out := like(state, append(first, outputs)...)
	state.Variable, cell.Variable = true, true
	in = append(in, state, cell)
	for _, t := range norms {
		if t.Type != left {
			t = g.constant(scaled(plain(model.Int16, cells), float32(0.00002+g.Float64()/30000), 0))
		}
		in = append(in, t)
	}
	c := of(out, in...)
	for range 4 {
		c.intermediates = append(c.intermediates, scaled(plain(model.Int16, 1), float32(0.0003+g.Float64()/300), 0))
	}
	hidden := like(state, 1)
	hidden.Variable = false
	if projected {
		hidden = scaled(hidden, float32(0.004+g.Float64()/200), g.between(-20, 20))
	}
	c.intermediates = append(c.intermediates, hidden)
	return c
}

// scaledBasic is LSTM of the basic kind, of 8 bits.
func (l *layer) scaledBasic(g *generator) *single {
	eight := func(shape ...int64) model.Tensor { return scaled(plain(model.Uint8, shape...), 1.0/128, 128) }
	weights := g.constant(scaled(plain(model.Uint8, 4*l.units, l.depth+l.units), float32(0.005+g.Float64()/50), g.between(100, 150)))
	bias := g.constant(scaled(plain(model.Int32, 4*l.units), weights.Scale[0]/128, 0))
	state := scaled(plain(model.Int16, l.batches, l.units), 1.0/(1<<11), 0)
	last := eight(l.batches, l.units)
	state.Variable, last.Variable = true, true
	c := of(eight(l.batches, l.units), eight(l.batches, l.depth), last, weights, bias, state)
	c.out = append(c.out, like(state, l.batches, l.units), eight(l.batches, l.depth+l.units), scaled(plain(model.Int16, l.batches, 4*l.units), 1.0/(1<<12), 0))
	c.out[1].Variable = false
	c.shown = 2
	return c.option(0, int8(model.TanhActivation)).option(3, int8(1))
}

// layer are the sizes and options of a recurrent layer.
type layer struct {
	batches, steps, depth, units  int64
	hybrid, asymmetric, timeMajor bool
	activation                    int8
	clip, projectionClip          float32
}

func (g *generator) layer() *layer {
	l := &layer{batches: g.between(1, 2), steps: g.between(1, 4), depth: g.between(1, 5), units: g.between(1, 4),
		hybrid: g.chance(2), asymmetric: g.chance(2), timeMajor: g.chance(2), activation: int8(model.TanhActivation)}
	if g.chance(4) {
		l.activation = int8(pick(g, model.Relu, model.Relu6))
	}
	if g.chance(3) {
		l.clip, l.projectionClip = 0.75, 0.5
	}
	return l
}

func (l *layer) sequence(n int64) model.Tensor {
	if l.timeMajor {
		return plain(model.Float32, l.steps, l.batches, n)
	}
	return plain(model.Float32, l.batches, l.steps, n)
}

// matrix returns constant weights.
func (l *layer) matrix(g *generator, shape ...int64) model.Tensor {
	if l.hybrid {
		return g.constant(scaled(plain(model.Int8, shape...), float32(0.002+g.Float64()/100), 0))
	}
	return l.list(g, shape...)
}

// list returns a constant of numbers that aren't large.
func (l *layer) list(g *generator, shape ...int64) model.Tensor {
	t := plain(model.Float32, shape...)
	t.Data = []byte{}
	for range elements(shape) {
		t.Data = append(t.Data, floats(float32(g.NormFloat64()/2))...)
	}
	return t
}

// maybe is a constant, or none.
func (g *generator) maybe(t model.Tensor) model.Tensor {
	if g.chance(2) {
		return model.Tensor{Type: left}
	}
	return g.constant(t)
}

// lstm returns the weights of an LSTM for one direction, without its state and norms.
func (l *layer) lstm(g *generator) (in []model.Tensor, outputs, cells int64) {
	none := model.Tensor{Type: left}
	coupled, peephole, projection := g.chance(3), g.chance(3), g.chance(3)
	cells, outputs = l.units, l.units
	if projection {
		outputs = g.between(1, 4)
	}
	each := func(gates int, there func(gate int) bool, make func() model.Tensor) {
		for gate := range gates {
			t := none
			if there(gate) {
				t = make()
			}
			in = append(in, t)
		}
	}
	present := func(gate int) bool { return gate > 0 || !coupled }
	each(4, present, func() model.Tensor { return l.matrix(g, cells, l.depth) })
	each(4, present, func() model.Tensor { return l.matrix(g, cells, outputs) })
	each(3, func(gate int) bool { return peephole && present(gate) }, func() model.Tensor { return l.matrix(g, cells) })
	each(4, present, func() model.Tensor { return l.list(g, cells) })
	each(1, func(int) bool { return projection }, func() model.Tensor { return l.matrix(g, outputs, cells) })
	biased := projection && g.chance(2)
	each(1, func(int) bool { return biased }, func() model.Tensor { return l.list(g, outputs) })
	return in, outputs, cells
}

// norms returns the norms of the gates that weights are for, or nothing.
func (l *layer) norms(g *generator, weights []model.Tensor, cells int64) (out []model.Tensor) {
	if g.chance(2) {
		return nil
	}
	for gate := range 4 {
		t := l.list(g, cells)
		if weights[gate].Type == left {
			t = model.Tensor{Type: left}
		}
		out = append(out, t)
	}
	return out
}

// outputs has the model return both directions, by themselves or merged, which an option says.
func (c *single) outputs(g *generator, l *layer, forth, back int64, option int) {
	// Of several batches that come before steps, the library's LSTM looks for states as far apart as merged outputs are.
	if merge := g.chance(2); merge && (l.batches == 1 || l.timeMajor) {
		c.out = []model.Tensor{l.sequence(forth + back)}
		c.option(option, true)
		return
	}
	c.out = []model.Tensor{l.sequence(forth), l.sequence(back)}
}

// variable is a state of a layer.
func variable(shape ...int64) model.Tensor {
	t := plain(model.Float32, shape...)
	t.Variable = true
	return t
}
