package tflite_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"freehold/internal/testing/tflitegen"
	"freehold/transform/import/tflite/model"
)

// network is an LSTM with random weights, and how large it is.
type network struct {
	batches, steps, depth, units int
	timeMajor                    bool
	// weights and recurrent are of the gates for the input, forgetting, the cells and the output.
	weights, recurrent, bias [4][]int64
	input                    []int64
}

func randomNetwork(rnd *rand.Rand, timeMajor bool, numbers, biases int64) network {
	n := network{batches: 2, steps: 3, depth: 4, units: 3, timeMajor: timeMajor}
	list := func(count int, most int64) (out []int64) {
		for range count {
			out = append(out, rnd.Int64N(2*most)-most)
		}
		return out
	}
	for g := range 4 {
		n.weights[g], n.recurrent[g], n.bias[g] = list(n.units*n.depth, 127), list(n.units*n.units, 127), list(n.units, biases)
	}
	n.input = list(n.batches*n.steps*n.depth, numbers)
	return n
}

// at is where the first element of a batch and step is.
func (n network) at(batch, step, last int) int {
	if n.timeMajor {
		return (step*n.batches + batch) * last
	}
	return (batch*n.steps + step) * last
}

// shape is that of the input or the output.
func (n network) shape(last int) []int64 {
	if n.timeMajor {
		return []int64{int64(n.steps), int64(n.batches), int64(last)}
	}
	return []int64{int64(n.batches), int64(n.steps), int64(last)}
}

// file is the model of the network: in and out say types and scales of the input and output, cell that of the cells, and weights those of
// weights; data makes contents of weights and biases.
func (n network) file(in, out, cell, weight, bias model.Tensor, clip float32, data, biasData func(...int64) []byte) []byte {
	sized := func(t model.Tensor, shape ...int64) model.Tensor {
		t.Shape = shape
		return t
	}
	depth, units, batches := int64(n.depth), int64(n.units), int64(n.batches)
	g := tflitegen.Subgraph{Name: "main", Inputs: []int32{0}, Tensors: []model.Tensor{sized(in, n.shape(n.depth)...)}}
	inputs := make([]int32, 24)
	for i := range inputs {
		inputs[i] = -1
	}
	inputs[0] = 0
	add := func(at int, t model.Tensor) {
		inputs[at] = int32(len(g.Tensors))
		t.Name = fmt.Sprintf("t%d", at)
		g.Tensors = append(g.Tensors, t)
	}
	for i := range 4 {
		add(1+i, constant(sized(weight, units, depth), data(n.weights[i]...)))
		add(5+i, constant(sized(weight, units, units), data(n.recurrent[i]...)))
		add(12+i, constant(sized(bias, units), biasData(n.bias[i]...)))
	}
	hidden, cells := sized(out, batches, units), sized(cell, batches, units)
	hidden.Variable, cells.Variable = true, true
	add(18, hidden)
	add(19, cells)
	g.Outputs = []int32{int32(len(g.Tensors))}
	g.Tensors = append(g.Tensors, sized(out, n.shape(n.units)...))
	g.Tensors[len(g.Tensors)-1].Name = "out"
	g.Operators = []tflitegen.Operator{{Code: "UNIDIRECTIONAL_SEQUENCE_LSTM", Inputs: inputs, Outputs: g.Outputs, Options: []tflitegen.Option{
		{Field: 0, Value: int8(model.TanhActivation)}, {Field: 1, Value: clip}, {Field: 3, Value: n.timeMajor}}}}
	return tflitegen.Model(g)
}

// text is the input as an argument.
func (n network) text(scale float64) string {
	shape := n.shape(n.depth)
	var b strings.Builder
	for i, x := range n.input {
		open, comma := "", ""
		switch {
		case i == 0:
			open = "[[["
		case i%int(shape[1]*shape[2]) == 0:
			comma, open = "]],", "[["
		case i%int(shape[2]) == 0:
			comma, open = "],", "["
		default:
			comma = ","
		}
		fmt.Fprintf(&b, "%s%s%v", comma, open, float64(x)*scale)
	}
	return b.String() + "]]]"
}

// unrolled computes the output by the definition: sum gives a gate before its function, and update the cell and the output.
func unrolled[T any](n network, hidden, cell T, sum func(gate, unit, at int, hidden []T) T, update func(gates [4]T, cell T) (T, T)) []T {
	out := make([]T, n.batches*n.steps*n.units)
	for batch := range n.batches {
		h, c := make([]T, n.units), make([]T, n.units)
		for i := range h {
			h[i], c[i] = hidden, cell
		}
		for step := range n.steps {
			next := make([]T, n.units)
			for unit := range n.units {
				var gates [4]T
				for g := range gates {
					gates[g] = sum(g, unit, n.at(batch, step, n.depth), h)
				}
				c[unit], next[unit] = update(gates, c[unit])
				out[n.at(batch, step, n.units)+unit] = next[unit]
			}
			h = next
		}
	}
	return out
}

func TestLSTMOfNumbers(t *testing.T) {
	for i, timeMajor := range []bool{false, true} {
		n := randomNetwork(rand.New(rand.NewPCG(7, uint64(i))), timeMajor, 100, 100)
		const weight, number, clip = 1.0 / 64, 1.0 / 32, 0.75
		f := model.Tensor{Type: model.Float32}
		data := func(list ...int64) []byte {
			var out []float32
			for _, x := range list {
				out = append(out, float32(x)*weight)
			}
			return floats(out...)
		}
		sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
		want := unrolled(n, 0.0, 0.0, func(g, unit, at int, hidden []float64) float64 {
			sum := float64(n.bias[g][unit]) * weight
			for i := range n.depth {
				sum += float64(n.input[at+i]) * number * float64(n.weights[g][unit*n.depth+i]) * weight
			}
			for i, h := range hidden {
				sum += h * float64(n.recurrent[g][unit*n.units+i]) * weight
			}
			return sum
		}, func(g [4]float64, cell float64) (float64, float64) {
			cell = min(max(sigmoid(g[1])*cell+sigmoid(g[0])*math.Tanh(g[2]), -clip), clip)
			return cell, sigmoid(g[3]) * math.Tanh(cell)
		})
		got := strings.Fields(execute(t, n.file(f, f, f, f, f, clip, data, data), n.text(number))[0])
		for i, w := range want {
			var x float64
			if fmt.Sscan(got[i], &x); math.Abs(x-w) > 2e-6 {
				t.Errorf("time major %t: element %d is %g, and %g by definition", timeMajor, i, x, w)
			}
		}
	}
}

// The numbers of 8 and 16 bits are those of the definition, given the functions of the gates, which are those of the operators for 16 bits.
func TestLSTMOfScaledNumbers(t *testing.T) {
	all := make([]int64, 1<<16)
	for i := range all {
		all[i] = int64(i) - 1<<15
	}
	text := "[" + strings.ReplaceAll(joined(all), " ", ",") + "]"
	function := func(code string, in float32) func(x int64) int64 {
		n := int64(len(all))
		file := single(code, nil, with(tensor(model.Int16, n), 1.0/(1<<15), 0), with(tensor(model.Int16, n), in, 0))
		values := make([]int64, n)
		for i, s := range strings.Fields(execute(t, file, text)[0]) {
			fmt.Sscan(s, &values[i])
		}
		return func(x int64) int64 { return values[x+1<<15] }
	}
	const gate, number, cellScale = 1.0 / (1 << 12), 1.0 / (1 << 15), 1.0 / (1 << 11)
	sigmoid, tanh, ofCell := function("LOGISTIC", gate), function("TANH", gate), function("TANH", cellScale)
	short := func(x int64) int64 { return min(max(x, math.MinInt16), math.MaxInt16) }
	for i, typ := range []model.Type{model.Int8, model.Int8, model.Int16} {
		numbers, biases, low, high := int64(128), int64(2000), int64(-128), int64(127)
		inScale, inZero, outScale, outZero := float32(0.02), int64(5), float32(0.008), int64(-3)
		bias, biasData := model.Int32, int32s
		if typ == model.Int16 {
			numbers, biases, low, high = 1<<15, 100000, math.MinInt16, math.MaxInt16
			inScale, inZero, outScale, outZero = 0.00007, 0, 1.0/(1<<15), 0
			bias, biasData = model.Int64, func(list ...int64) (out []byte) {
				for _, x := range list {
					out = append(out, int32s(x, x>>32)...)
				}
				return out
			}
		}
		n := randomNetwork(rand.New(rand.NewPCG(8, uint64(i))), i == 1, numbers, biases)
		weight := float32(0.011)
		// scaled is a sum times a number.
		scaled := func(x int64, real float64) int64 {
			if typ == model.Int8 {
				return multiply(int32(x), real)
			}
			fraction, exponent := math.Frexp(real)
			m := (int64(math.Round(fraction*(1<<31))) + 1<<15) >> 16
			return (x*m + 1<<(14-exponent)) >> (15 - exponent)
		}
		var clip float32
		limit := int64(math.MaxInt16)
		if i == 1 {
			clip, limit = 0.9, 1843 // 0.9 in steps of the cells
		}
		want := unrolled(n, outZero, 0, func(g, unit, at int, hidden []int64) int64 {
			fromInput, fromHidden := n.bias[g][unit], int64(0)
			for i := range n.depth {
				fromInput += (n.input[at+i] - inZero) * n.weights[g][unit*n.depth+i]
			}
			for i, h := range hidden {
				fromHidden += (h - outZero) * n.recurrent[g][unit*n.units+i]
			}
			return short(short(scaled(fromInput, float64(inScale*weight)/gate)) + short(scaled(fromHidden, float64(outScale*weight)/gate)))
		}, func(g [4]int64, cell int64) (int64, int64) {
			kept := short(multiply(int32(sigmoid(g[1])*cell), number))
			added := short(multiply(int32(sigmoid(g[0])*tanh(g[2])), number*number/cellScale))
			cell = min(max(short(kept+added), -limit), limit)
			return cell, min(max(multiply(int32(ofCell(cell)*sigmoid(g[3])), number*number/float64(outScale))+outZero, low), high)
		})
		file := n.file(with(tensor(typ), inScale, inZero), with(tensor(typ), outScale, outZero), with(tensor(model.Int16), cellScale, 0),
			with(tensor(model.Int8), weight, 0), with(tensor(bias), weight, 0), clip, int8s, biasData)
		if got := execute(t, file, n.text(1))[0]; got != joined(want) {
			t.Errorf("network %d of %s:\ngot  %s\nwant %s", i, typ, got, joined(want))
		}
	}
}
