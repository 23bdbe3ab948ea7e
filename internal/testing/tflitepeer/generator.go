package main

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"freehold/internal/testing/tflitegen"
	"freehold/transform/import/tflite/model"
)

// generator makes random models.
type generator struct{ *rand.Rand }

// newGenerator returns a generator for the model with a number.
func newGenerator(seed uint64, name string, number int) *generator {
	h := fnv.New64a()
	h.Write([]byte(name))
	return &generator{rand.New(rand.NewPCG(seed, h.Sum64()+uint64(number)))}
}

// single is a model of one operator. Inputs with contents are constants; an input with the type [left] is left out.
type single struct {
	operator tflitegen.Operator
	in, out  []model.Tensor
	// intermediates say the scales of what is computed on the way.
	intermediates []model.Tensor
	// arguments are the contents of the arguments, where any contents won't do, by the positions of the inputs.
	arguments map[int][]byte
	// called are subgraphs behind that of the operator.
	called []tflitegen.Subgraph
	// throughCopy has the output copied: LiteRT doesn't hand out one whose memory it allocates by itself.
	throughCopy bool
	// sparsity is how the contents of sparse inputs are stored.
	sparsity map[int]tflitegen.Sparsity
	// shown is how many of the outputs are results of the model; all if it is 0.
	shown int
	// within is how far integers of the result may be from LiteRT's.
	within uint64
}

// left is the type of an input that is left out.
const left model.Type = -1

// code names the operator, which is built in if it has no name of its own.
func (c *single) code(name string) {
	if c.operator.Code = name; c.operator.Custom != "" {
		c.operator.Code = "CUSTOM"
	}
}

// option sets an option.
func (c *single) option(field int, value any) *single {
	c.operator.Options = append(c.operator.Options, tflitegen.Option{Field: field, Value: value})
	return c
}

// copied has the output copied by a second operator.
func (c *single) copied() *single {
	c.throughCopy = true
	return c
}

// of is a model with one output.
func of(out model.Tensor, in ...model.Tensor) *single {
	return &single{in: in, out: []model.Tensor{out}, arguments: map[int][]byte{}}
}

// String tells the types and sizes of the tensors, and the options.
func (c *single) String() string {
	var w strings.Builder
	for i, t := range slices.Concat(c.in, c.out) {
		switch {
		case i == len(c.in):
			w.WriteString(" -> ")
		case i > 0:
			w.WriteString(", ")
		}
		if t.Type == left {
			w.WriteString("none")
			continue
		}
		fmt.Fprintf(&w, "%s%v", t.Type, t.Shape)
		for i, s := range t.Scale {
			fmt.Fprintf(&w, " %g:%d", s, t.ZeroPoint[i])
		}
		if t.Type == model.Int32 && t.Data != nil && len(t.Data) <= 32 {
			list := make([]int32, len(t.Data)/4)
			for i := range list {
				list[i] = int32(binary.LittleEndian.Uint32(t.Data[4*i:]))
			}
			fmt.Fprintf(&w, " = %v", list)
		}
	}
	for _, o := range c.operator.Options {
		fmt.Fprintf(&w, " %d:%v", o.Field, o.Value)
	}
	return w.String()
}

// file is the file of the model.
func (c *single) file() []byte {
	g := tflitegen.Subgraph{Name: "main", Sparse: c.sparsity}
	add := func(t model.Tensor) int32 {
		t.Name = "t" + string(rune('a'+len(g.Tensors)))
		g.Tensors = append(g.Tensors, t)
		return int32(len(g.Tensors) - 1)
	}
	o := c.operator
	for _, t := range c.in {
		if t.Type == left {
			o.Inputs = append(o.Inputs, -1)
			continue
		}
		n := add(t)
		o.Inputs = append(o.Inputs, n)
		if t.Data == nil && !t.Variable {
			g.Inputs = append(g.Inputs, n)
		}
	}
	for _, t := range c.out {
		o.Outputs = append(o.Outputs, add(t))
	}
	for _, t := range c.intermediates {
		o.Intermediates = append(o.Intermediates, add(t))
	}
	g.Outputs = o.Outputs
	if c.shown > 0 {
		g.Outputs = o.Outputs[:c.shown]
	}
	g.Operators = []tflitegen.Operator{o}
	if c.throughCopy {
		g.Outputs = []int32{add(c.out[0])}
		g.Operators = append(g.Operators, tflitegen.Operator{Code: "MAXIMUM", Inputs: []int32{o.Outputs[0], o.Outputs[0]}, Outputs: g.Outputs})
	}
	return tflitegen.Model(append([]tflitegen.Subgraph{g}, c.called...)...)
}

// executions are arguments for the model, twice where it has a state.
func (c *single) executions(g *generator) [][][]byte {
	var inputs [][]byte
	state := false
	for i, t := range c.in {
		state = state || t.Variable
		if t.Type == left || t.Data != nil || t.Variable {
			continue
		}
		data, ok := c.arguments[i]
		if !ok {
			data = g.data(t)
		}
		inputs = append(inputs, data)
	}
	if state {
		return [][][]byte{inputs, inputs}
	}
	return [][][]byte{inputs}
}

// argumentsOf makes up arguments for the network in a file, for two executions.
func (g *generator) argumentsOf(file []byte) ([][][]byte, error) {
	m, err := model.Read(file)
	if err != nil {
		return nil, err
	}
	var inputs [][]byte
	for _, t := range m.Subgraphs[0].Inputs {
		inputs = append(inputs, g.data(*m.Subgraphs[0].Tensors[t]))
	}
	return [][][]byte{inputs, inputs}, nil
}

// pick returns one of a list.
func pick[T any](g *generator, list ...T) T { return list[g.IntN(len(list))] }

// between returns a number between two, those included.
func (g *generator) between(low, high int) int64 { return int64(low + g.IntN(high-low+1)) }

// chance is true once in n times.
func (g *generator) chance(n int) bool { return g.IntN(n) == 0 }

// shape returns sizes with some rank.
func (g *generator) shape(rank, largest int) []int64 {
	s := make([]int64, rank)
	for i := range s {
		s[i] = g.between(1, largest)
	}
	return s
}

// any returns sizes of any rank from low to high.
func (g *generator) any(low, high int) []int64 { return g.shape(int(g.between(low, high)), 4) }

// tensor returns a tensor of a type and sizes, with a scale if its numbers are quantized.
func (g *generator) tensor(t model.Type, shape ...int64) model.Tensor {
	x := model.Tensor{Type: t, Shape: slices.Clone(shape)}
	low, high := limits(t)
	switch t {
	case model.Int8, model.Uint8:
		return scaled(x, g.scale(), g.between(low, high))
	case model.Int16:
		return scaled(x, g.scale(), 0)
	}
	return x
}

// plain returns a tensor of a type and sizes without a scale.
func plain(t model.Type, shape ...int64) model.Tensor { return model.Tensor{Type: t, Shape: shape} }

func scaled(t model.Tensor, scale float32, zero int64) model.Tensor {
	t.Scale, t.ZeroPoint = []float32{scale}, []int64{zero}
	return t
}

// like returns a tensor with the type and the scale of another one.
func like(t model.Tensor, shape ...int64) model.Tensor {
	t.Shape, t.Data = slices.Clone(shape), nil
	return t
}

// scale returns a scale, mostly one as networks have them.
func (g *generator) scale() float32 {
	if g.chance(8) {
		return float32(math.Exp2(float64(g.between(-8, 2))))
	}
	return float32(math.Exp(g.Float64()*6 - 5))
}

// limits are those of the integers of a type.
func limits(t model.Type) (low, high int) {
	switch t {
	case model.Int8:
		return -128, 127
	case model.Uint8:
		return 0, 255
	case model.Int16:
		return math.MinInt16, math.MaxInt16
	case model.Int4:
		return -7, 7
	case model.Bool:
		return 0, 1
	}
	return -1000, 1000
}

// constant gives a tensor random contents.
func (g *generator) constant(t model.Tensor) model.Tensor {
	t.Data = g.data(t)
	return t
}

// data returns random contents of a tensor.
func (g *generator) data(t model.Tensor) []byte {
	n := elements(t.Shape)
	out := []byte{}
	small := g.chance(4)
	for range n {
		if t.Type == model.Float32 {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(g.float()))
			continue
		}
		low, high := limits(t.Type)
		x := g.between(low, high)
		if small && t.Type != model.Bool {
			x /= 16
		}
		out = number(out, t.Type, x)
	}
	if t.Type == model.Int4 {
		return packed(out)
	}
	return out
}

// float returns a number in single precision.
func (g *generator) float() float32 {
	switch g.IntN(40) {
	case 0:
		return 0
	case 1:
		return float32(math.Copysign(0, -1))
	case 2:
		return float32(g.NormFloat64() * 1e3)
	}
	return float32(g.NormFloat64() * 3)
}

func elements(shape []int64) int64 {
	n := int64(1)
	for _, s := range shape {
		n *= s
	}
	return n
}

// number appends a number as an element of a type of integers.
func number(to []byte, t model.Type, x int64) []byte {
	switch t.Size() {
	case 1:
		return append(to, byte(x))
	case 2:
		return binary.LittleEndian.AppendUint16(to, uint16(x))
	case 4:
		return binary.LittleEndian.AppendUint32(to, uint32(x))
	}
	return binary.LittleEndian.AppendUint64(to, uint64(x))
}

// packed puts two numbers of four bits into each byte.
func packed(list []byte) []byte {
	out := make([]byte, (len(list)+1)/2)
	for i, x := range list {
		out[i/2] |= x & 15 << (4 * (i % 2))
	}
	return out
}

// ints is a constant list of numbers of 32 bits.
func ints(list ...int64) model.Tensor { return intsOf([]int64{int64(len(list))}, list...) }

// longs is a constant list of numbers of 64 bits.
func longs(list ...int64) model.Tensor {
	t := model.Tensor{Type: model.Int64, Shape: []int64{int64(len(list))}, Data: []byte{}}
	for _, n := range list {
		t.Data = number(t.Data, model.Int64, n)
	}
	return t
}

// scalar is a constant number of 32 bits.
func scalar(n int64) model.Tensor { return intsOf([]int64{}, n) }

func intsOf(shape []int64, list ...int64) model.Tensor {
	t := model.Tensor{Type: model.Int32, Shape: shape, Data: []byte{}}
	for _, n := range list {
		t.Data = number(t.Data, model.Int32, n)
	}
	return t
}
