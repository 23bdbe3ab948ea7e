package tflite_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"freehold/internal/testing/tflitegen"
	"freehold/transform/import/tflite/model"
)

// scaledLayer makes an LSTM of 8 bits with cells of 16.
type scaledLayer struct {
	batches, steps, depth, cells, outputs int64
	timeMajor                             bool
	// coupled has no gate for the input, peepholes, projected and normed say what else there is.
	coupled, peepholes, projected, normed bool
	clip                                  float32
	hiddenZero                            int64
	intermediates                         int
	// edit changes the inputs, whose last two before norms are the states.
	edit func(in []model.Tensor)
}

// model is the file, for LSTM if there are no steps.
func (l scaledLayer) model() []byte {
	rnd := rand.New(rand.NewPCG(5, 6))
	list := func(t model.Type, scale float32, shape ...int64) model.Tensor {
		x := with(tensor(t, shape...), scale, 0)
		x.Data = []byte{}
		n := int64(1)
		for _, s := range shape {
			n *= s
		}
		for range n {
			switch t {
			case model.Int8:
				x.Data = append(x.Data, byte(rnd.IntN(256)))
			case model.Int16:
				x.Data = binary.LittleEndian.AppendUint16(x.Data, uint16(rnd.IntN(1<<16)))
			default:
				x.Data = binary.LittleEndian.AppendUint32(x.Data, uint32(rnd.IntN(4000)-2000))
			}
		}
		return x
	}
	code, first := "LSTM", []int64{l.batches}
	options := []tflitegen.Option{{Field: 0, Value: int8(model.TanhActivation)}, {Field: 1, Value: l.clip}, {Field: 2, Value: l.clip}}
	if l.steps > 0 {
		code, first = "UNIDIRECTIONAL_SEQUENCE_LSTM", []int64{l.batches, l.steps}
		options = append(options, tflitegen.Option{Field: 3, Value: l.timeMajor})
	}
	if l.timeMajor {
		first = []int64{l.steps, l.batches}
	}
	sequence := func(n int64) []int64 { return append(first[:len(first):len(first)], n) }
	in := []model.Tensor{with(tensor(model.Int8, sequence(l.depth)...), 0.02, -3)}
	each := func(n int, there func(gate int) bool, make func() model.Tensor) {
		for gate := range n {
			t := none
			if there(gate) {
				t = make()
			}
			in = append(in, t)
		}
	}
	present := func(gate int) bool { return gate > 0 || !l.coupled }
	each(4, present, func() model.Tensor { return list(model.Int8, 0.006, l.cells, l.depth) })
	each(4, present, func() model.Tensor { return list(model.Int8, 0.009, l.cells, l.outputs) })
	each(3, func(gate int) bool { return l.peepholes && present(gate) }, func() model.Tensor { return list(model.Int16, 0.00004, l.cells) })
	each(4, present, func() model.Tensor { return list(model.Int32, 0.00012, l.cells) })
	each(1, func(int) bool { return l.projected }, func() model.Tensor { return list(model.Int8, 0.01, l.outputs, l.cells) })
	each(1, func(int) bool { return l.projected }, func() model.Tensor { return list(model.Int32, 0.0001, l.outputs) })
	hidden := with(tensor(model.Int8, l.batches, l.outputs), 0.008, 4)
	cell := with(tensor(model.Int16, l.batches, l.cells), 1.0/(1<<11), 0)
	hidden.Variable, cell.Variable = true, true
	in = append(in, hidden, cell)
	if l.normed {
		each(4, present, func() model.Tensor { return list(model.Int16, 0.00005, l.cells) })
	}
	if l.edit != nil {
		l.edit(in)
	}
	of := with(tensor(model.Int8, 1), 0.008, 4)
	if l.projected {
		of = with(tensor(model.Int8, 1), 0.007, l.hiddenZero)
	}
	middle := []model.Tensor{with(tensor(model.Int16, 1), 0.002, 0), with(tensor(model.Int16, 1), 0.001, 0), with(tensor(model.Int16, 1), 0.003, 0),
		with(tensor(model.Int16, 1), 0.004, 0), of}
	return operatorWith(code, options, []model.Tensor{with(tensor(model.Int8, sequence(l.outputs)...), 0.008, 4)}, in, middle[:l.intermediates])
}

// What LSTMs of 8 bits compute of which TensorFlow Lite Micro has no kernels, compared with TensorFlow Lite by internal/testing/tflitepeer.
func TestLSTMOfIntegers(t *testing.T) {
	for _, tt := range []struct {
		name      string
		layer     scaledLayer
		arg, want string
	}{
		{"plain", scaledLayer{batches: 1, depth: 2, cells: 3, outputs: 3}, "[[50,-100]]", "-3 35 -5"},
		{"coupled", scaledLayer{batches: 2, depth: 2, cells: 3, outputs: 3, coupled: true, clip: 0.25}, "[[50,-100],[3,4]]", "-9 28 6 6 4 -6"},
		{"peepholes", scaledLayer{batches: 1, steps: 3, depth: 2, cells: 2, outputs: 2, peepholes: true}, "[[[50,-100],[3,4],[127,-128]]]", "9 9 5 -1 8 -6"},
		{"projected", scaledLayer{batches: 1, steps: 3, depth: 2, cells: 4, outputs: 2, projected: true, hiddenZero: 7}, "[[[50,-100],[3,4],[127,-128]]]", "6 -10 15 -15 6 -28"},
		{"normalized", scaledLayer{batches: 1, steps: 3, depth: 2, cells: 3, outputs: 3, normed: true}, "[[[50,-100],[3,4],[127,-128]]]", "0 4 29 2 3 38 2 3 43"},
		// The kernel takes the cells of both batches for rows of two.
		{"all", scaledLayer{batches: 2, steps: 2, depth: 2, cells: 3, outputs: 2, timeMajor: true, peepholes: true, projected: true, normed: true, clip: 0.5},
			"[[[50,-100],[3,4]],[[127,-128],[0,9]]]", "-31 3 14 -18 -30 -1 54 -19"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.layer.intermediates = 5
			if got := execute(t, tt.layer.model(), tt.arg)[0]; got != tt.want {
				t.Errorf("it is %s, and should be %s", got, tt.want)
			}
		})
	}
}

func TestLSTMOfIntegersRefused(t *testing.T) {
	layer := scaledLayer{batches: 1, depth: 1, cells: 2, outputs: 2, intermediates: 5}
	for _, tt := range []struct {
		change func(l *scaledLayer)
		want   string
	}{
		{func(l *scaledLayer) { l.intermediates = 4 }, "LSTM with 4 intermediate tensors isn't supported"},
		{func(l *scaledLayer) { l.edit = func(in []model.Tensor) { in[19].Scale[0] = 0.001 } }, "LSTM has a scale of its cells that its kernel doesn't take"},
		{func(l *scaledLayer) { l.edit = func(in []model.Tensor) { in[2].ZeroPoint[0] = 1 } }, "LSTM has weights with a zero point, which its kernel doesn't take"},
		{func(l *scaledLayer) { l.outputs, l.peepholes, l.projected = 3, true, true }, "LSTM with peepholes and more outputs than cells isn't supported"},
		{func(l *scaledLayer) { l.edit = func(in []model.Tensor) { in[13].Type = model.Float32 } }, "LSTM from INT8, INT8"},
		{func(l *scaledLayer) { l.edit = func(in []model.Tensor) { in[12] = none } }, "LSTM has no input 12"},
		{func(l *scaledLayer) { l.peepholes, l.edit = true, func(in []model.Tensor) { in[10].Scale = nil } }, `tensor "t10" of LSTM has no scale`},
		{func(l *scaledLayer) { l.cells, l.outputs = 0, 0 }, "the sizes of the tensors of LSTM don't go together"},
	} {
		l := layer
		tt.change(&l)
		if got := message(t, l.model()); !strings.Contains(got, tt.want) {
			t.Errorf("it says %q, and should say %q", got, tt.want)
		}
	}
}

// LSTM of the basic kind of unsigned numbers: what a gate without weights lets through is a half.
func TestBasicLSTMOfIntegers(t *testing.T) {
	u8 := func(shape ...int64) model.Tensor { return with(tensor(model.Uint8, shape...), 1.0/128, 128) }
	last, cells := u8(1, 1), with(tensor(model.Int16, 1, 1), 1.0/(1<<11), 0)
	last.Variable, cells.Variable = true, true
	options := []tflitegen.Option{{Field: 0, Value: int8(model.TanhActivation)}, {Field: 3, Value: int8(1)}}
	file := func(cells model.Tensor) []byte {
		out := cells
		out.Variable = false
		g := tflitegen.Subgraph{Name: "main", Inputs: []int32{0}, Outputs: []int32{5, 6}, Tensors: []model.Tensor{u8(1, 1), last,
			constant(with(tensor(model.Uint8, 4, 2), 1.0/64, 100), int8s(100, 100, 164, 100, 100, 100, 100, 100)),
			constant(with(tensor(model.Int32, 4), 1.0/(1<<13), 0), int32s(0, 0, 0, 0)), cells,
			u8(1, 1), out, u8(1, 2), with(tensor(model.Int16, 1, 4), 1.0/(1<<12), 0)}}
		for i := range g.Tensors {
			g.Tensors[i].Name = fmt.Sprintf("t%d", i)
		}
		g.Operators = []tflitegen.Operator{{Code: "LSTM", Inputs: []int32{0, 1, 2, 3, 4}, Outputs: []int32{5, 6, 7, 8}, Options: options}}
		return tflitegen.Model(g)
	}
	// The new value is the hyperbolic tangent of 1/2, of which the input gate leaves a half, and the output gate a half of its hyperbolic tangent.
	half := math.Tanh(0.5) / 2
	got := execute(t, file(cells), "[[192]]")
	want := []string{fmt.Sprint(math.Round(128+64*math.Tanh(half)) - 256), fmt.Sprint(math.Round(half * (1 << 11)))}
	if got[0] != want[0] || got[1] != want[1] {
		t.Errorf("it is %s, and should be %s", got, want)
	}
	cells.Scale = []float32{1.0 / (1 << 12)}
	if got := message(t, file(cells)); !strings.Contains(got, "LSTM has a scale of its cells that its kernel doesn't take") {
		t.Errorf("it says %q", got)
	}
}
