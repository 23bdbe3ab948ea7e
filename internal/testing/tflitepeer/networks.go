package main

import (
	"fmt"
	"math"

	"freehold/internal/testing/tflitegen"
	"freehold/transform/import/tflite/model"
)

// networks make random small networks of the kinds that are published.
var networks = map[string]func(g *generator) *network{
	"mobilenet":    mobilenet,
	"efficientnet": efficientnet,
	"resnet":       resnet,
	"autoencoder":  autoencoder,
	"transformer":  transformer,
	"spectrum":     spectrum,
}

// network is a model of several operators with one argument.
type network struct {
	g      *generator
	of     model.Type
	graph  tflitegen.Subgraph
	result int32
}

// newNetwork returns a network with an argument.
func (g *generator) newNetwork(of model.Type, shape ...int64) *network {
	n := &network{g: g, of: of, graph: tflitegen.Subgraph{Name: "main"}}
	n.result = n.tensor(g.moderate(of, shape...))
	n.graph.Inputs = []int32{n.result}
	return n
}

// moderate returns a tensor with a scale that sums of products neither fill nor leave empty.
func (g *generator) moderate(t model.Type, shape ...int64) model.Tensor {
	x := plain(t, shape...)
	if t == model.Int8 {
		x = scaled(x, float32(0.02+g.Float64()*0.03), g.between(-20, 20))
	}
	return x
}

func (n *network) tensor(t model.Tensor) int32 {
	t.Name = fmt.Sprintf("t%d", len(n.graph.Tensors))
	n.graph.Tensors = append(n.graph.Tensors, t)
	return int32(len(n.graph.Tensors) - 1)
}

func (n *network) shape(t int32) []int64 { return n.graph.Tensors[t].Shape }

// apply adds an operator and returns its output, which is the network's result so far.
func (n *network) apply(code string, out model.Tensor, options []tflitegen.Option, inputs ...int32) int32 {
	n.result = n.tensor(out)
	n.graph.Operators = append(n.graph.Operators, tflitegen.Operator{Code: code, Inputs: inputs, Outputs: []int32{n.result}, Options: options})
	return n.result
}

// fields are the options whose places are those in a list.
func fields(list ...any) []tflitegen.Option {
	var out []tflitegen.Option
	for i, v := range list {
		out = append(out, tflitegen.Option{Field: i, Value: v})
	}
	return out
}

// weights returns a constant filter and a bias for the channels along a dimension of it.
func (n *network) weights(in int32, axis int, shape ...int64) (filter, bias int32) {
	g := n.g
	w, b := plain(n.of, shape...), plain(n.of, shape[axis])
	fan := elements(shape) / shape[axis]
	if n.of == model.Float32 {
		w.Data, b.Data = []byte{}, []byte{}
		for range elements(shape) {
			w.Data = append(w.Data, floats(float32(g.NormFloat64()/math.Sqrt(float64(fan))))...)
		}
		b = g.constant(b)
		return n.tensor(w), n.tensor(b)
	}
	b.Type, w.Axis = model.Int32, axis
	for range shape[axis] {
		s := float32((0.5 + g.Float64()) / 64 / math.Sqrt(float64(fan)))
		w.Scale, w.ZeroPoint = append(w.Scale, s), append(w.ZeroPoint, 0)
		b.Scale, b.ZeroPoint = append(b.Scale, s*n.graph.Tensors[in].Scale[0]), append(b.ZeroPoint, 0)
	}
	return n.tensor(g.constant(w)), n.tensor(g.constant(b))
}

// conv adds CONV_2D of square windows, with padding.
func (n *network) conv(in int32, channels, size, stride int64, a model.Activation) int32 {
	s := n.shape(in)
	filter, bias := n.weights(in, 0, channels, size, size, s[3])
	out := n.g.moderate(n.of, s[0], (s[1]+stride-1)/stride, (s[2]+stride-1)/stride, channels)
	return n.apply("CONV_2D", out, fields(int8(model.Same), int32(stride), int32(stride), int8(a), int32(1), int32(1)), in, filter, bias)
}

// depthwise adds DEPTHWISE_CONV_2D.
func (n *network) depthwise(in int32, size, stride int64, a model.Activation) int32 {
	s := n.shape(in)
	filter, bias := n.weights(in, 3, 1, size, size, s[3])
	out := n.g.moderate(n.of, s[0], (s[1]+stride-1)/stride, (s[2]+stride-1)/stride, s[3])
	return n.apply("DEPTHWISE_CONV_2D", out, fields(int8(model.Same), int32(stride), int32(stride), int32(1), int8(a), int32(1), int32(1)), in, filter, bias)
}

// add adds ADD of tensors of one shape.
func (n *network) add(a, b int32) int32 {
	return n.apply("ADD", n.g.moderate(n.of, n.shape(a)...), fields(int8(model.NoActivation)), a, b)
}

// classify adds the mean of an image, a layer of classes and SOFTMAX.
func (n *network) classify(in, classes int64) *network {
	s := n.shape(int32(in))
	pooled := n.apply("MEAN", n.g.moderate(n.of, s[0], 1, 1, s[3]), fields(true), int32(in), n.tensor(ints(1, 2)))
	scores := n.conv(pooled, classes, 1, 1, model.NoActivation)
	flat := like(n.graph.Tensors[scores], s[0], classes)
	rows := n.apply("RESHAPE", flat, nil, scores, n.tensor(ints(s[0], classes)))
	out := plain(n.of, s[0], classes)
	if n.of == model.Int8 {
		out = scaled(out, 1.0/256, -128)
	}
	n.apply("SOFTMAX", out, fields(float32(1)), rows)
	return n
}

func mobilenet(g *generator) *network {
	n := g.newNetwork(pick(g, model.Float32, model.Int8), 1, g.between(6, 12), g.between(6, 12), 3)
	x := n.conv(n.result, g.between(2, 6), 3, 2, model.Relu6)
	for range g.between(1, 4) {
		start, depth, stride := x, n.shape(x)[3], g.between(1, 2)
		x = n.conv(x, depth*g.between(2, 4), 1, 1, model.Relu6)
		x = n.depthwise(x, 3, stride, model.Relu6)
		if stride == 1 && g.chance(2) {
			x = n.add(n.conv(x, depth, 1, 1, model.NoActivation), start)
		} else {
			x = n.conv(x, g.between(2, 6), 1, 1, model.NoActivation)
		}
	}
	return n.classify(int64(x), g.between(2, 6))
}

func efficientnet(g *generator) *network {
	n := g.newNetwork(pick(g, model.Float32, model.Int8), 1, g.between(5, 9), g.between(5, 9), 3)
	x := n.conv(n.result, g.between(2, 6), 3, 1, model.NoActivation)
	gate := func(like int32) model.Tensor {
		t := plain(n.of, n.shape(like)...)
		if n.of == model.Int8 {
			t = scaled(t, 1.0/256, -128)
		}
		return t
	}
	for range g.between(1, 3) {
		// A number times its logistic function, and channels times a function of their means.
		s := n.apply("LOGISTIC", gate(x), nil, x)
		x = n.apply("MUL", g.moderate(n.of, n.shape(x)...), fields(int8(model.NoActivation)), x, s)
		x = n.depthwise(x, 3, g.between(1, 2), model.Relu)
		shape := n.shape(x)
		mean := n.apply("MEAN", g.moderate(n.of, 1, 1, 1, shape[3]), fields(true), x, n.tensor(ints(1, 2)))
		mean = n.conv(n.conv(mean, 2, 1, 1, model.Relu), shape[3], 1, 1, model.NoActivation)
		mean = n.apply("LOGISTIC", gate(mean), nil, mean)
		x = n.apply("MUL", g.moderate(n.of, shape...), fields(int8(model.NoActivation)), x, mean)
		x = n.conv(x, g.between(2, 6), 1, 1, model.NoActivation)
	}
	return n.classify(int64(x), g.between(2, 6))
}

func resnet(g *generator) *network {
	n := g.newNetwork(pick(g, model.Float32, model.Int8), 1, g.between(6, 10), g.between(6, 10), 3)
	x := n.conv(n.result, g.between(2, 5), 3, 1, model.Relu)
	for range g.between(1, 3) {
		stride, depth := g.between(1, 2), n.shape(x)[3]
		channels := depth * stride
		y := n.conv(n.conv(x, channels, 3, stride, model.Relu), channels, 3, 1, model.NoActivation)
		if stride != 1 {
			x = n.conv(x, channels, 1, stride, model.NoActivation)
		}
		x = n.apply("ADD", g.moderate(n.of, n.shape(y)...), fields(int8(model.Relu)), x, y)
	}
	return n.classify(int64(x), g.between(2, 6))
}

// dense adds FULLY_CONNECTED of the last dimension.
func (n *network) dense(in int32, units int64, a model.Activation) int32 {
	s := n.shape(in)
	filter, bias := n.weights(in, 0, units, s[len(s)-1])
	out := plain(n.of, append(append([]int64{}, s[:len(s)-1]...), units)...)
	return n.apply("FULLY_CONNECTED", out, fields(int8(a), int8(0), len(s) > 2), in, filter, bias)
}

// spectrum is what features of sound begin with: the amounts or the parts of a Fourier transform.
func spectrum(g *generator) *network {
	rows, columns := pick(g, int64(1), 1, 1, 2, 4), pick(g, int64(4), 8, 16, 32)
	n := g.newNetwork(model.Float32, g.between(1, 3), g.between(1, 4), g.between(1, 40))
	in := n.shape(n.result)
	shape := []int64{in[0], rows, columns/2 + 1}
	n.apply("RFFT2D", plain(model.Complex64, shape...), nil, n.result, n.tensor(ints(rows, columns)))
	n.apply(pick(g, "COMPLEX_ABS", "REAL", "IMAG"), plain(model.Float32, shape...), nil, n.result)
	return n
}

func autoencoder(g *generator) *network {
	size := g.between(8, 24)
	n := g.newNetwork(model.Float32, 1, size)
	for range g.between(1, 4) {
		n.dense(n.result, g.between(2, 16), model.Relu)
	}
	n.dense(n.result, size, model.NoActivation)
	return n
}

func transformer(g *generator) *network {
	steps, heads, width := g.between(2, 5), g.between(1, 3), g.between(1, 4)
	depth := heads * width
	n := g.newNetwork(model.Float32, 1, steps, depth)
	x := n.result
	float := func(shape ...int64) model.Tensor { return plain(model.Float32, shape...) }
	order := n.tensor(ints(0, 2, 1, 3))
	split := func(t int32) int32 {
		t = n.apply("RESHAPE", float(1, steps, heads, width), nil, t, n.tensor(ints(1, steps, heads, width)))
		return n.apply("TRANSPOSE", float(1, heads, steps, width), nil, t, order)
	}
	for range g.between(1, 2) {
		query, key, value := split(n.dense(x, depth, model.NoActivation)), split(n.dense(x, depth, model.NoActivation)), split(n.dense(x, depth, model.NoActivation))
		scores := n.apply("BATCH_MATMUL", float(1, heads, steps, steps), fields(false, true), query, key)
		weights := n.apply("SOFTMAX", float(1, heads, steps, steps), fields(float32(1)), scores)
		y := n.apply("BATCH_MATMUL", float(1, heads, steps, width), nil, weights, value)
		y = n.apply("TRANSPOSE", float(1, steps, heads, width), nil, y, order)
		y = n.apply("RESHAPE", float(1, steps, depth), nil, y, n.tensor(ints(1, steps, depth)))
		x = n.normalize(n.add(n.dense(y, depth, model.NoActivation), x))
		x = n.normalize(n.add(n.dense(n.dense(x, 2*depth, model.Relu), depth, model.NoActivation), x))
	}
	return n
}

// normalize adds the normalization of rows: less their mean, and divided by the root of their variance.
func (n *network) normalize(x int32) int32 {
	s := n.shape(x)
	one := plain(model.Float32, s[0], s[1], 1)
	last := n.tensor(ints(2))
	mean := n.apply("MEAN", one, fields(true), x, last)
	squares := n.apply("SQUARED_DIFFERENCE", plain(model.Float32, s...), nil, x, mean)
	variance := n.apply("MEAN", one, fields(true), squares, last)
	little := n.tensor(model.Tensor{Type: model.Float32, Shape: []int64{}, Data: floats(1e-3)})
	root := n.apply("RSQRT", one, nil, n.apply("ADD", one, fields(int8(model.NoActivation)), variance, little))
	return n.apply("MUL", plain(model.Float32, s...), fields(int8(model.NoActivation)), n.apply("SUB", plain(model.Float32, s...), fields(int8(model.NoActivation)), x, mean), root)
}

// file is the file of the network.
func (n *network) file() []byte {
	n.graph.Outputs = []int32{n.result}
	return tflitegen.Model(n.graph)
}

// String lists the operators.
func (n *network) String() string {
	s := n.of.String()
	for _, o := range n.graph.Operators {
		s += " " + o.Code
	}
	return s
}
