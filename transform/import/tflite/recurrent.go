package tflite

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/math"
	"freehold/dialect/memref"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// sequence says where the elements of the inputs and outputs of a recurrent layer are.
type sequence struct {
	batches, steps int64
	// single says that there are no steps, and timeMajor that steps come before batches.
	single, timeMajor bool
}

// newSequence returns the sequence that an input is.
func (k *kernel) newSequence(in *model.Tensor, single, timeMajor bool) (sequence, error) {
	s := sequence{1, 1, single, timeMajor}
	switch {
	case single && len(in.Shape) == 2:
		s.batches = in.Shape[0]
	case single || len(in.Shape) != 3:
		return s, k.malformed()
	case timeMajor:
		s.steps, s.batches = in.Shape[0], in.Shape[1]
	default:
		s.batches, s.steps = in.Shape[0], in.Shape[1]
	}
	return s, nil
}

// shape is that of a tensor with so many elements for each step of each batch.
func (s sequence) shape(n int64) []int64 {
	switch {
	case s.single:
		return []int64{s.batches, n}
	case s.timeMajor:
		return []int64{s.steps, s.batches, n}
	}
	return []int64{s.batches, s.steps, n}
}

// place is where what follows the indices of a step of a batch is.
func (s sequence) place(step, batch *ir.Value, last ...*ir.Value) []*ir.Value {
	switch {
	case s.single:
		return append([]*ir.Value{batch}, last...)
	case s.timeMajor:
		return append([]*ir.Value{step, batch}, last...)
	}
	return append([]*ir.Value{batch, step}, last...)
}

// recurrent is a layer in one direction, whose output is an input of its next step. Weights of one in single precision may have 8 bits.
type recurrent struct {
	*kernel
	sequence
	backward bool
	// outputs is how many outputs each step has.
	outputs int64
	// hybrid says that weights of 8 bits are multiplied by numbers in single precision, and asymmetric that these get zero points.
	hybrid, asymmetric bool
	// sum is the type of sums of scaled numbers, or nil if the layer has none of them.
	sum     *ir.IntegerType
	sources []source
	// hidden is the last output, whose tensor is lastOutput, and its weights are those for it.
	hidden        *ir.Value
	lastOutput    *model.Tensor
	hiddenWeights []matrix
	// bias is what sums start with. It may be nil.
	bias []*ir.Value
}

// matrix is weights, [row, element]. Its scale is for weights of 8 bits.
type matrix struct {
	of    *model.Tensor
	value *ir.Value
	scale float32
}

// source is a sequence that is multiplied by weights, one matrix for each sum.
type source struct {
	row     func(step, batch *ir.Value) vector
	weights []matrix
}

// vector is what rows of matrices are multiplied by.
type vector struct {
	size         int64
	element      func(i *ir.Value) *ir.Value
	scale, point *ir.Value
}

// matrix reads an input that is weights.
func (r *recurrent) matrix(input int, rows, columns int64) (matrix, error) {
	t := r.optional(input)
	if t == nil {
		return matrix{}, r.errorf("%s has no input %d", r.code, input)
	}
	if !slices.Equal(t.Shape, []int64{rows, columns}) {
		return matrix{}, r.malformed()
	}
	m := matrix{of: t}
	switch {
	case r.hybrid && isHybrid(r.in[0], t) || r.sum != nil && t.Type == model.Int8:
		if err := r.quantized(t); err != nil {
			return matrix{}, err
		}
		m.scale = t.Scale[0]
	case r.hybrid || r.sum != nil || t.Type != model.Float32:
		return matrix{}, r.unsupported()
	}
	var err error
	m.value, err = r.value(input)
	return m, err
}

// list reads an input that is a list of numbers in single precision.
func (r *recurrent) list(input int, n int64) (*ir.Value, error) {
	t := r.optional(input)
	switch {
	case t == nil:
		return nil, r.errorf("%s has no input %d", r.code, input)
	case !slices.Equal(t.Shape, []int64{n}):
		return nil, r.malformed()
	case t.Type == model.Float32:
		return r.value(input)
	case !isHybrid(r.in[0], t):
		return nil, r.unsupported()
	}
	if err := r.quantized(t); err != nil {
		return nil, err
	}
	v, err := r.value(input)
	if err != nil {
		return nil, err
	}
	return r.mapped(r.ctx.RankedTensor(t.Shape, ir.F32), []*ir.Value{v}, func(e []*ir.Value) *ir.Value {
		return r.op2(arith.MulF, arith.NewCast(r.b, arith.SIToFP, ir.F32, e[0]), r.f32(t.Scale[0]))
	})
}

// source adds an input that is multiplied by weights.
func (r *recurrent) source(input int, weights []matrix) error {
	t := r.in[input]
	if t.Type != r.in[0].Type {
		return r.unsupported()
	}
	depth := t.Shape[len(t.Shape)-1]
	if !slices.Equal(t.Shape, r.shape(depth)) || ir.ElementCount(t.Shape) == 0 {
		return r.malformed()
	}
	v, err := r.value(input)
	if err != nil {
		return err
	}
	s := source{weights: weights}
	if !r.hybrid {
		s.row = func(step, batch *ir.Value) vector {
			return vector{size: depth, element: func(i *ir.Value) *ir.Value { return r.number(r.at(v, r.place(step, batch, i)...), t) }}
		}
		r.sources = append(r.sources, s)
		return nil
	}
	rows := t.Shape[:len(t.Shape)-1]
	q := r.quantizeBatches(r.reshape(v, []int64{ir.ElementCount(rows), depth}), r.asymmetric)
	q = r.reshapedBatches(q, t.Shape, len(rows))
	s.row = func(step, batch *ir.Value) vector {
		x := vector{size: depth, element: func(i *ir.Value) *ir.Value { return r.at(q.numbers, r.place(step, batch, i)...) }}
		x.scale, x.point = r.parametersOf(q, r.place(step, batch)...)
		return x
	}
	r.sources = append(r.sources, s)
	return nil
}

// number returns an element of a tensor as it is multiplied by weights.
func (r *recurrent) number(x *ir.Value, of *model.Tensor) *ir.Value {
	if r.sum == nil {
		return x
	}
	return r.offset(x, of, ir.I32)
}

// state reads an input that is the state of the layer, of a type.
func (r *recurrent) state(input int, elem model.Type, n int64) (*ir.Value, error) {
	t := r.optional(input)
	switch {
	case t == nil:
		return nil, r.errorf("%s has no input %d", r.code, input)
	case t.Type != elem:
		return nil, r.unsupported()
	case !slices.Equal(t.Shape, []int64{r.batches, n}):
		return nil, r.malformed()
	}
	return r.kernel.state(input)
}

// readOutput reads the state that is the last output, of which each step has n elements.
func (r *recurrent) readOutput(input int, n int64) (err error) {
	r.outputs = n
	r.lastOutput = r.optional(input)
	r.hidden, err = r.state(input, r.in[0].Type, n)
	return err
}

// vectorOf returns numbers as what weights are multiplied by.
func (r *recurrent) vectorOf(size int64, element func(i *ir.Value) *ir.Value) vector {
	if !r.hybrid {
		return vector{size: size, element: element}
	}
	row := r.fill(size, element)
	zero := r.index(0)
	q := r.quantizeBatches(r.reshape(row, []int64{1, size}), r.asymmetric)
	x := vector{size: size, element: func(i *ir.Value) *ir.Value { return r.at(q.numbers, zero, i) }}
	x.scale, x.point = r.parametersOf(q, zero)
	return x
}

// fill returns a list of numbers in single precision.
func (r *recurrent) fill(size int64, element func(i *ir.Value) *ir.Value) *ir.Value {
	return r.nest([]span{r.upTo(size)}, r.empty(r.ctx.RankedTensor([]int64{size}, ir.F32)), func(i []*ir.Value, to *ir.Value) *ir.Value {
		return tensor.NewInsert(r.b, element(i[0]), to, i[0])
	})
}

// last returns the last output for a batch.
func (r *recurrent) last(batch *ir.Value) vector {
	return r.vectorOf(r.outputs, func(i *ir.Value) *ir.Value { return r.number(memref.NewLoad(r.b, r.hidden, batch, i), r.lastOutput) })
}

// products returns a vector times a row of each matrix.
func (r *recurrent) products(x vector, weights []matrix, row *ir.Value) []*ir.Value {
	var zero *ir.Value
	var accumulate func(acc, x, w *ir.Value, of *model.Tensor) *ir.Value
	switch {
	case r.hybrid:
		product := r.hybridProduct(&x.point)
		zero = r.i32(0)
		accumulate = func(acc, x, w *ir.Value, _ *model.Tensor) *ir.Value { return product(acc, x, w) }
	case r.sum != nil:
		zero = r.int(r.sum, 0)
		accumulate = func(acc, x, w *ir.Value, of *model.Tensor) *ir.Value {
			return r.add(acc, r.cast(r.mul(x, r.offset(w, of, ir.I32)), r.sum, false))
		}
	default:
		zero = r.f32(0)
		accumulate = func(acc, x, w *ir.Value, _ *model.Tensor) *ir.Value {
			return r.op2(arith.AddF, acc, r.op2(arith.MulF, w, x))
		}
	}
	inits := make([]*ir.Value, len(weights))
	for g := range inits {
		inits[g] = zero
	}
	sums := r.loop(r.index(0), r.index(x.size), r.index(1), inits, func(i *ir.Value, acc []*ir.Value) []*ir.Value {
		out, e := make([]*ir.Value, len(weights)), x.element(i)
		for g, w := range weights {
			out[g] = accumulate(acc[g], e, r.at(w.value, row, i), w.of)
		}
		return out
	})
	if r.hybrid {
		for g, w := range weights {
			sums[g] = r.op2(arith.MulF, arith.NewCast(r.b, arith.SIToFP, ir.F32, sums[g]), r.op2(arith.MulF, x.scale, r.f32(w.scale)))
		}
	}
	return sums
}

// step is a step of a batch: the vectors that its sums are of, the last output behind the others.
type step struct {
	step, batch *ir.Value
	vectors     []vector
}

// sums returns the sums for a row.
func (r *recurrent) sums(s step, row *ir.Value) []*ir.Value {
	acc := make([]*ir.Value, len(r.hiddenWeights))
	for g := range acc {
		acc[g] = r.f32(0)
		if r.bias != nil {
			acc[g] = r.at(r.bias[g], row)
		}
	}
	for n, x := range s.vectors {
		weights := r.hiddenWeights
		if n < len(r.sources) {
			weights = r.sources[n].weights
		}
		for g, p := range r.products(x, weights, row) {
			acc[g] = r.op2(arith.AddF, acc[g], p)
		}
	}
	return acc
}

// run computes step after step. write computes the outputs of a step, which it writes to a tensor at a place for the index of each of them.
func (r *recurrent) run(to *ir.Value, first int64, write func(s step, to *ir.Value, place func(i *ir.Value) []*ir.Value) *ir.Value) *ir.Value {
	return r.nest([]span{r.upTo(r.steps), r.upTo(r.batches)}, to, func(at []*ir.Value, to *ir.Value) *ir.Value {
		s := step{step: at[0], batch: at[1]}
		if r.backward {
			s.step = r.sub(r.index(r.steps-1), s.step)
		}
		for _, in := range r.sources {
			s.vectors = append(s.vectors, in.row(s.step, s.batch))
		}
		s.vectors = append(s.vectors, r.last(s.batch))
		place := func(i *ir.Value) []*ir.Value {
			if first > 0 {
				i = r.add(i, r.index(first))
			}
			return r.place(s.step, s.batch, i)
		}
		to = write(s, to, place)
		r.loop(r.index(0), r.index(r.outputs), r.index(1), nil, func(i *ir.Value, _ []*ir.Value) []*ir.Value {
			memref.NewStore(r.b, r.at(to, place(i)...), r.hidden, s.batch, i)
			return nil
		})
		return to
	})
}

// recurrentActivation returns what applies an activation, the hyperbolic tangent among them.
func (k *kernel) recurrentActivation(a model.Activation) (func(x *ir.Value) *ir.Value, error) {
	if a == model.TanhActivation {
		return func(x *ir.Value) *ir.Value { return k.math1(math.Tanh, x) }, nil
	}
	return k.activationFloat(a)
}

// directions computes one or both directions of a layer. prepare reads the inputs of a direction, and returns how many outputs it has for a step, and what
// writes them.
func (k *kernel) directions(o rnnOptions, count int,
	prepare func(d int, r *recurrent) (int64, func(s step, to *ir.Value, place func(i *ir.Value) []*ir.Value) *ir.Value, error)) error {
	seq, err := k.newSequence(k.in[0], o.single, o.timeMajor)
	if err != nil {
		return err
	}
	outputs := count
	if o.merge {
		outputs = 1
	}
	if len(k.out) != outputs {
		return k.errorf("%s has %d outputs", k.code, len(k.out))
	}
	layers := make([]*recurrent, count)
	writes := make([]func(s step, to *ir.Value, place func(i *ir.Value) []*ir.Value) *ir.Value, count)
	sizes := make([]int64, outputs)
	for d := range count {
		layers[d] = &recurrent{kernel: k, sequence: seq, backward: d == 1, asymmetric: o.asymmetric}
		n, write, err := prepare(d, layers[d])
		if err != nil {
			return err
		}
		writes[d] = write
		sizes[min(d, outputs-1)] += n
	}
	for i, t := range k.out {
		if t.Type != k.in[0].Type {
			return k.unsupported()
		}
		if !slices.Equal(t.Shape, seq.shape(sizes[i])) {
			return k.malformed()
		}
	}
	to := make([]*ir.Value, outputs)
	for i := range to {
		to[i] = k.empty(k.resultType(i))
	}
	for d, r := range layers {
		i, first := min(d, outputs-1), int64(0)
		if i < d {
			first = layers[0].outputs
		}
		to[i] = r.run(to[i], first, writes[d])
	}
	for i := range to {
		k.result(i, to[i])
	}
	return nil
}
