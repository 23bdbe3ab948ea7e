package tflite_test

import (
	"fmt"
	"strings"
	"testing"

	"freehold/internal/testing/tflitegen"
	"freehold/transform/import/tflite/model"
)

// none is an input that is left out.
var none = model.Tensor{Type: -1}

// operator is a model of one operator with any number of outputs. Inputs with neither contents nor a state are arguments.
func operator(code string, options []tflitegen.Option, outputs []model.Tensor, inputs ...model.Tensor) []byte {
	return operatorWith(code, options, outputs, inputs, nil)
}

// operatorWith is an operator with tensors that say the scales of what is computed on the way.
func operatorWith(code string, options []tflitegen.Option, outputs, inputs, intermediates []model.Tensor) []byte {
	g := tflitegen.Subgraph{Name: "main"}
	o := tflitegen.Operator{Code: code, Options: options}
	add := func(t model.Tensor) int32 {
		n := int32(len(g.Tensors))
		t.Name = fmt.Sprintf("t%d", n)
		g.Tensors = append(g.Tensors, t)
		return n
	}
	for _, t := range inputs {
		if t.Type == none.Type {
			o.Inputs = append(o.Inputs, -1)
			continue
		}
		n := add(t)
		o.Inputs = append(o.Inputs, n)
		if t.Data == nil && !t.Variable {
			g.Inputs = append(g.Inputs, n)
		}
	}
	for _, t := range outputs {
		o.Outputs = append(o.Outputs, add(t))
	}
	for _, t := range intermediates {
		o.Intermediates = append(o.Intermediates, add(t))
	}
	g.Outputs = o.Outputs
	g.Operators = []tflitegen.Operator{o}
	return tflitegen.Model(g)
}

// Layers whose outputs are inputs of their next steps, with weights by which the numbers can be followed: what a gate without weights lets through is a half.
func TestRecurrent(t *testing.T) {
	f := func(shape ...int64) model.Tensor { return tensor(model.Float32, shape...) }
	c := func(list []float32, shape ...int64) model.Tensor { return constant(f(shape...), floats(list...)) }
	one := func(x float32) model.Tensor { return c([]float32{x}, 1, 1) }
	number := func(x float32) model.Tensor { return c([]float32{x}, 1) }
	state := func(n int64) model.Tensor {
		s := f(1, n)
		s.Variable = true
		return s
	}
	eight := func(scale float32, x int64) model.Tensor {
		return constant(with(tensor(model.Int8, 1, 1), scale, 0), int8s(x))
	}
	option := func(pairs ...any) (out []tflitegen.Option) {
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, tflitegen.Option{Field: pairs[i].(int), Value: pairs[i+1]})
		}
		return out
	}
	relu := int8(model.Relu)
	// weights of an LSTM with one cell: what is not of the new value is 0.
	zero := one(0)
	lstm := func(peephole, projection, bias model.Tensor) []model.Tensor {
		return []model.Tensor{zero, zero, one(1), zero, zero, zero, zero, zero, none, none, peephole, number(0), number(0), number(0), number(0), projection, bias}
	}
	plain := lstm(none, none, none)
	coupled := append([]model.Tensor{none, zero, one(1), zero, none, zero, zero, zero, none, none, none, none}, plain[12:]...)
	watched := lstm(none, none, none)
	watched[8], watched[9], watched[10] = number(0), number(0), number(100)
	two := func(x, y float32) model.Tensor { return c([]float32{x, y}, 2) }
	matrix := func(list ...float32) model.Tensor { return c(list, 2, int64(len(list)/2)) }
	square := matrix(0, 0, 0, 0)
	normal := []model.Tensor{matrix(0, 0), matrix(0, 0), matrix(3, -3), matrix(0, 0), square, square, square, square, none, none, none,
		two(0, 0), two(0, 0), two(0, 0), two(0, 0), none, none, state(2), state(2), two(1, 1), two(1, 1), two(1, 1), two(1, 1)}
	sequence := func(weights []model.Tensor, states ...model.Tensor) []model.Tensor {
		return append(append([]model.Tensor{f(1, 2, 1)}, weights...), states...)
	}
	both := append(sequence(plain), append(append([]model.Tensor{}, plain...), state(1), state(1), state(1), state(1))...)
	for _, tt := range []struct {
		name, code string
		options    []tflitegen.Option
		out        []model.Tensor
		in         []model.Tensor
		arg        string
		want       string
	}{
		{"", "RNN", nil, []model.Tensor{f(1, 1)}, []model.Tensor{f(1, 1), one(2), one(0.5), number(1), state(1)}, "[[5]]", "11"},
		{"", "UNIDIRECTIONAL_SEQUENCE_RNN", nil, []model.Tensor{f(1, 3, 1)}, []model.Tensor{f(1, 3, 1), one(2), one(0.5), number(1), state(1)}, "[[[1],[2],[3]]]", "3 6.5 10.25"},
		{"steps first", "UNIDIRECTIONAL_SEQUENCE_RNN", option(0, true, 1, relu), []model.Tensor{f(2, 1, 1)}, []model.Tensor{f(2, 1, 1), one(2), one(0.5), number(1), state(1)}, "[[[-1]],[[2]]]", "0 5"},
		{"weights of 8 bits", "UNIDIRECTIONAL_SEQUENCE_RNN", nil, []model.Tensor{f(1, 2, 1)}, []model.Tensor{f(1, 2, 1), eight(0.5, 4), eight(0.25, 2), number(1), state(1)}, "[[[127],[254]]]", "255 636.5"},
		{"", "BIDIRECTIONAL_SEQUENCE_RNN", option(2, true), []model.Tensor{f(1, 3, 2)},
			[]model.Tensor{f(1, 3, 1), one(2), one(0.5), number(1), state(1), one(1), one(1), number(0), state(1), none, none, none}, "[[[1],[2],[3]]]", "3 6 6.5 5 10.25 3"},
		{"", "LSTM", option(0, relu), []model.Tensor{f(1, 1)}, append(append([]model.Tensor{f(1, 1)}, plain...), state(1), state(1)), "[[2]]", "0.5"},
		{"", "UNIDIRECTIONAL_SEQUENCE_LSTM", option(0, relu), []model.Tensor{f(1, 2, 1)}, sequence(plain, state(1), state(1)), "[[[2],[2]]]", "0.5 0.75"},
		{"without a gate for the input", "UNIDIRECTIONAL_SEQUENCE_LSTM", option(0, relu), []model.Tensor{f(1, 2, 1)}, sequence(coupled, state(1), state(1)), "[[[2],[2]]]", "0.5 0.75"},
		{"whose gates see the cell", "UNIDIRECTIONAL_SEQUENCE_LSTM", option(0, relu), []model.Tensor{f(1, 2, 1)}, sequence(watched, state(1), state(1)), "[[[2],[2]]]", "1 1.5"},
		{"with limits", "UNIDIRECTIONAL_SEQUENCE_LSTM", option(0, relu, 1, float32(1.25)), []model.Tensor{f(1, 2, 1)}, sequence(plain, state(1), state(1)), "[[[2],[2]]]", "0.5 0.625"},
		{"projected", "UNIDIRECTIONAL_SEQUENCE_LSTM", option(0, relu, 2, float32(3)), []model.Tensor{f(1, 2, 1)}, sequence(lstm(none, one(4), number(0.5)), state(1), state(1)), "[[[2],[2]]]", "2.5 3"},
		{"normalized", "UNIDIRECTIONAL_SEQUENCE_LSTM", option(0, relu), []model.Tensor{f(1, 2, 2)}, sequence(normal), "[[[2],[-7]]]", "0.25 0 0.125 0.25"},
		{"", "BIDIRECTIONAL_SEQUENCE_LSTM", option(0, relu), []model.Tensor{f(1, 2, 1), f(1, 2, 1)}, both, "[[[2],[4]]]", "0.5 1.25|1 1"},
		{"of the basic kind", "LSTM", option(0, int8(model.TanhActivation), 3, int8(1)), []model.Tensor{f(1, 1), f(1, 1), f(1, 2), f(1, 4)}, nil, "", ""},
	} {
		t.Run(strings.TrimSpace(tt.code+" "+tt.name), func(t *testing.T) {
			if tt.in == nil {
				basic(t, tt.options)
				return
			}
			if got := strings.Join(execute(t, operator(tt.code, tt.options, tt.out, tt.in...), tt.arg), "|"); got != tt.want {
				t.Errorf("it is %s, and should be %s", got, tt.want)
			}
		})
	}
}

// basic tests LSTM of the basic kind: gates that weights of 100 open and those of -100 close let everything or nothing through.
func basic(t *testing.T, options []tflitegen.Option) {
	f := func(shape ...int64) model.Tensor { return tensor(model.Float32, shape...) }
	state := f(1, 1)
	state.Variable = true
	g := tflitegen.Subgraph{Name: "main", Inputs: []int32{0}, Outputs: []int32{5, 6}, Tensors: []model.Tensor{f(1, 1), state,
		constant(f(4, 2), floats(0, 0, 1, 0, 0, 0, 0, 0)), constant(f(4), floats(100, 0, -100, 100)), state, f(1, 1), f(1, 1), f(1, 2), f(1, 4)}}
	for i := range g.Tensors {
		g.Tensors[i].Name = fmt.Sprintf("t%d", i)
	}
	g.Operators = []tflitegen.Operator{{Code: "LSTM", Inputs: []int32{0, 1, 2, 3, 4}, Outputs: []int32{5, 6, 7, 8}, Options: options}}
	if got := strings.Join(execute(t, tflitegen.Model(g), "[[0.5]]"), "|"); got != "0.43180817|0.46211717" {
		t.Errorf("it is %s", got)
	}
}
