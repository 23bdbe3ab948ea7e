package tflite_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"freehold/driver"
	"freehold/internal/testing/tflitegen"
	"freehold/transform/import/tflite/model"
)

// What can't be imported is refused with the reason.
func TestRefused(t *testing.T) {
	f := func(shape ...int64) model.Tensor { return tensor(model.Float32, shape...) }
	i8 := func(shape ...int64) model.Tensor { return tensor(model.Int8, shape...) }
	s8 := func(shape ...int64) model.Tensor { return with(i8(shape...), 1, 0) }
	conv := []tflitegen.Option{{Field: 0, Value: int8(1)}, {Field: 1, Value: int32(1)}, {Field: 2, Value: int32(1)}}
	act := func(field int, a model.Activation) []tflitegen.Option {
		return []tflitegen.Option{{Field: field, Value: int8(a)}}
	}
	lstm := func(in, out, cell model.Tensor) []byte {
		n := randomNetwork(rand.New(rand.NewPCG(1, 2)), false, 100, 100)
		return n.file(in, out, cell, s8(), tensor(model.Int32), 0, int8s, int32s)
	}
	for _, tt := range []struct {
		file []byte
		want string
	}{
		{single("CUSTOM", nil, f(1), f(1)), `the custom operator "" isn't supported`},
		{customOperator("Sqrt2"), `the custom operator "Sqrt2" isn't supported`},
		{customOperator("AudioSpectrogram"), `the custom operator "AudioSpectrogram" isn't supported: it makes features of sound, and the network that takes them can be a model by itself`},
		{customOperator("SignalRfft"), `SignalRfft has no option "fft_length"`},
		{custom("SignalRfft", map[string]float64{"fft_length": 0.5}, []model.Tensor{f(1)}, f(1)), `the option "fft_length" of SignalRfft is 0.5, which is not an integer from 4 to 65536`},
		{custom("SignalRfft", map[string]float64{"fft_length": 12}, []model.Tensor{f(14)}, f(12)), "SignalRfft of 12 numbers, which are no power of two, isn't supported"},
		{custom("SignalRfft", map[string]float64{"fft_length": 8}, []model.Tensor{f(8)}, f(8)), "the sizes of the tensors of SignalRfft don't go together: tensor<8xf32>, tensor<8xf32>"},
		{custom("SignalFilterBankSquareRoot", nil, []model.Tensor{f(1)}, f(1), f(1)), "SignalFilterBankSquareRoot from FLOAT32, FLOAT32 to FLOAT32 isn't supported"},
		{tflitegen.Model(tflitegen.Subgraph{Name: "main", Tensors: []model.Tensor{f(1), f(1)}, Inputs: []int32{0}, Operators: []tflitegen.Operator{
			{Code: "CUSTOM", Custom: "SignalRfft", CustomOptions: []byte{1, 2, 3}, Inputs: []int32{0}, Outputs: []int32{1}}}}), "the options of SignalRfft can't be read: they are no map in the format of FlexBuffers"},
		{customOperator("FlexErf"), "isn't supported: it is an operation of TensorFlow"},
		{customOperator("ethos-u"), "isn't supported: the model was compiled for an Ethos-U by Vela"},
		{customOperator("edgetpu-custom-op"), "isn't supported: the model was compiled for an Edge TPU"},
		{customOperator("XC_conv2d_v2"), "isn't supported: the model was compiled for a processor of XMOS"},
		{single("STABLEHLO_IOTA", nil, f(1)), "STABLEHLO_IOTA isn't supported: it is an operation of StableHLO: freehold reads a model that is exported as StableHLO, or converted to TensorFlow Lite's own operators"},
		{single("HASHTABLE_FIND", nil, f(1), f(1)), "HASHTABLE_FIND isn't supported: what it looks up or makes of texts are numbers, and the network that takes them can be a model by itself"},
		{single("RANDOM_UNIFORM", nil, f(1), f(1)), "RANDOM_UNIFORM isn't supported: its numbers differ from execution to execution; a model that has them as an argument is read"},
		{custom("Convolution2DTransposeBias", nil, []model.Tensor{f(1, 1, 1, 1)}, f(1, 1, 1, 1), f(1, 1, 1, 1), f(1)), "Convolution2DTransposeBias has no padding that is known"},
		{single("LSH_PROJECTION", nil, f(1), f(1)), "LSH_PROJECTION isn't supported: what it looks up"},
		{single("ADD", nil, f(1), f(1)), "ADD has 1 inputs and 1 outputs"},
		{single("ADD", nil, f(1), f(1), tensor(model.Int32, 1)), "ADD from FLOAT32, INT32 to FLOAT32 isn't supported"},
		{single("ADD", nil, f(2), f(2), f(3)), "the sizes of the tensors of ADD don't go together: tensor<2xf32>, tensor<3xf32>, tensor<2xf32>"},
		{single("ADD", act(0, model.SignBit), f(1), f(1), f(1)), "ADD with the activation SIGN_BIT isn't supported"},
		{single("ADD", act(0, model.TanhActivation), tensor(model.Int32, 1), tensor(model.Int32, 1), tensor(model.Int32, 1)), "ADD with the activation TANH isn't supported"},
		{single("ADD", act(0, model.TanhActivation), s8(1), s8(1), s8(1)), "ADD with the activation TANH isn't supported"},
		{single("ADD", nil, i8(1), i8(1), i8(1)), `tensor "t0" of ADD has no scale and zero point that fit its type`},
		{single("MUL", nil, with(i8(1), 1e-30, 0), s8(1), s8(1)), "a result of MUL would have to be multiplied by 2^99 or more: are the scales of the tensors right?"},
		{single("NEG", nil, tensor(model.Complex64, 1), tensor(model.Complex64, 1)), "NEG from COMPLEX64 to COMPLEX64 isn't supported"},
		{single("NEG", nil, tensor(model.Complex128, 1), tensor(model.Complex128, 1)), "tensor 0, \"t0\", has elements of the type COMPLEX128, which isn't supported"},
		{single("REAL", nil, f(1), constant(tensor(model.Complex64, 1), floats(1, 2))), "tensor 0, \"t0\", is a constant with elements of the type COMPLEX64, which isn't supported"},
		{single("RFFT2D", nil, tensor(model.Complex64, 1, 4), f(1, 6), indices(1, 6)), "RFFT2D of 6 numbers isn't supported: transforms are of as many as a power of two"},
		{single("CONV_2D", conv, f(1, 9, 9, 1), f(1, 3, 3, 1), constant(f(1, 1, 1, 1), floats(1))), "the sizes of the tensors of CONV_2D don't go together"},
		{single("CONV_2D", conv, s8(1, 1, 1, 1), s8(1, 1, 1, 1), constant(i8(1, 1, 1, 1), int8s(1))), `the filter "t1" of CONV_2D has no scale`},
		{single("CONV_2D", conv, s8(1, 1, 1, 2), s8(1, 1, 1, 1), model.Tensor{Type: model.Int8, Shape: []int64{2, 1, 1, 1}, Data: int8s(1, 2), Scale: []float32{1, 1}, ZeroPoint: []int64{0, 3}}),
			`the filter "t1" of CONV_2D has scales or zero points that no kernel takes`},
		{single("CONV_2D", conv, s8(1, 1, 1, 1), s8(1, 1, 1, 2), model.Tensor{Type: model.Int8, Shape: []int64{1, 1, 1, 2}, Data: int8s(1, 2), Scale: []float32{1, 1}, ZeroPoint: []int64{0, 0}, Axis: 3}),
			`the filter "t1" of CONV_2D is quantized along dimension 3, and not along its channels`},
		{single("TRANSPOSE_CONV", conv, f(1, 1, 1, 1), indices(1, 1, 1, 1), constant(with(tensor(model.Uint8, 1, 1, 1, 1), 1, 0), int8s(1)), f(1, 1, 1, 1)), "TRANSPOSE_CONV from INT32, UINT8, FLOAT32 to FLOAT32 isn't supported"},
		{single("CONV_2D", conv, with(i8(1, 1, 1, 1), 1e-12, 0), s8(1, 1, 1, 1), constant(s8(1, 1, 1, 1), int8s(1))), "a result would have to be multiplied by 2^39 or more"},
		{single("FULLY_CONNECTED", []tflitegen.Option{{Field: 1, Value: int8(1)}}, f(1, 1), f(1, 1), f(1, 1)), "FULLY_CONNECTED with shuffled weights isn't supported"},
		{single("PAD", nil, f(3), f(2), tensor(model.Int32, 1, 2)), "input 1 of PAD has to be a constant"},
		{single("FAKE_QUANT", []tflitegen.Option{{Field: 1, Value: float32(1)}, {Field: 2, Value: int32(8)}, {Field: 3, Value: true}}, f(1), f(1)), "FAKE_QUANT of a narrow range isn't supported"},
		{single("FAKE_QUANT", []tflitegen.Option{{Field: 0, Value: float32(1)}, {Field: 1, Value: float32(2)}, {Field: 2, Value: int32(8)}}, f(1), f(1)), "FAKE_QUANT of 8 bits from 1 to 2 isn't supported"},
		{single("CONCATENATION", act(1, model.Relu), f(2), f(1), f(1)), "CONCATENATION with an activation isn't supported"},
		{single("STRIDED_SLICE", nil, f(1), f(1), indices(0, 0), indices(1, 1), indices(1, 1)), "the sizes of the tensors of STRIDED_SLICE don't go together"},
		{tflitegen.Model(tflitegen.Subgraph{Name: "main", Tensors: []model.Tensor{f(2), scalar(3), f(3), tensor(model.Int32, 3)}, Inputs: []int32{0},
			Operators: []tflitegen.Operator{{Code: "TOPK_V2", Inputs: []int32{0, 1}, Outputs: []int32{2, 3}}}}), "the sizes of the tensors of TOPK_V2 don't go together"},
		{single("RANGE", nil, tensor(model.Int32, 4), scalar(0), scalar(3), scalar(1)), "the output of RANGE has 4 elements, and its bounds are for 3"},
		{single("LOG_SOFTMAX", nil, with(i8(1, 1), 1, 0), s8(1, 1)), "LOG_SOFTMAX has a scale of its output that its kernel doesn't take"},
		{single("LOG_SOFTMAX", nil, with(i8(1, 1), 16.0/256, 127), with(i8(1, 1), 1e-12, 0)), "LOG_SOFTMAX has scales that its kernel doesn't take"},
		{single("SVDF", []tflitegen.Option{{Field: 0, Value: int32(1)}}, f(1, 1), f(1, 1), f(1, 1), f(1, 1), f(1), f(1, 1)), "input 4 of SVDF has to be a variable"},
		{single("UNIDIRECTIONAL_SEQUENCE_LSTM", act(0, model.Relu), s8(1, 1, 1), s8(1, 1, 1)), "UNIDIRECTIONAL_SEQUENCE_LSTM with the activation RELU isn't supported"},
		{single("UNIDIRECTIONAL_SEQUENCE_LSTM", act(0, model.TanhActivation), f(1, 1, 1), f(1, 1, 1)), "UNIDIRECTIONAL_SEQUENCE_LSTM has no input 8"},
		{single("UNIDIRECTIONAL_SEQUENCE_LSTM", nil, f(1, 1, 1), f(1, 1, 1)), "UNIDIRECTIONAL_SEQUENCE_LSTM with the activation NONE isn't supported"},
		{operator("BIDIRECTIONAL_SEQUENCE_RNN", nil, []model.Tensor{f(1, 1, 1), f(1, 1, 1)}, f(1, 1, 1), f(1, 1), f(1, 1), f(1), f(1, 1), f(1, 1), f(1, 1), f(1), f(1, 1), f(1, 1, 1)), "BIDIRECTIONAL_SEQUENCE_RNN with a second input that has no weights isn't supported"},
		{lstm(i8(), s8(), with(tensor(model.Int16), 1, 0)), "of UNIDIRECTIONAL_SEQUENCE_LSTM has no scale and zero point that fit its type"},
		{lstm(s8(), s8(), f()), "UNIDIRECTIONAL_SEQUENCE_LSTM from INT8"},
		{lstm(s8(), s8(), with(tensor(model.Int16), 1<<20, 0)), "UNIDIRECTIONAL_SEQUENCE_LSTM has a scale of its cells that its kernel doesn't take"},
		{single("LOGISTIC", nil, with(i8(1), 1.0/256, -128), with(i8(1), 1e-20, 0)), "LOGISTIC has a scale that its kernel doesn't take"},
		{single("TANH", nil, with(tensor(model.Int16, 1), 1.0/32768, 0), with(tensor(model.Int16, 1), 1.0/4096, 5)), "TANH has a zero point, which its kernel for 16 bits doesn't take"},
		{single("HARD_SWISH", nil, with(i8(1), 1e-9, 0), s8(1)), "HARD_SWISH has a scale of its output that its kernel doesn't take"},
		{single("SOFTMAX", []tflitegen.Option{{Field: 0, Value: float32(1)}}, with(i8(1, 1), 1.0/256, -128), with(i8(1, 1), 1e-12, 0)), "SOFTMAX has scales that its kernel doesn't take"},
		{single("BATCH_MATMUL", nil, with(tensor(model.Int16, 1, 1), 1e-6, 0), with(tensor(model.Int16, 1, 1), 1, 0), with(tensor(model.Int16, 1, 1), 1, 0)), "BATCH_MATMUL has scales that its kernel doesn't take"},
		{single("IF", []tflitegen.Option{{Field: 0, Value: int32(7)}, {Field: 1, Value: int32(7)}}, f(1), tensor(model.Bool, 1), f(1)), "IF calls subgraph 7, of 1"},
		{single("IF", nil, f(1), f(1), f(1)), "the condition of IF is 'tensor<1xf32>', and no single truth value"},
		{single("WHILE", []tflitegen.Option{{Field: 0, Value: int32(-1)}}, f(1), f(1)), "WHILE has no condition in subgraph -1"},
		{single("WHILE", []tflitegen.Option{{Field: 0, Value: int32(0)}}, f(1), f(2)), "the sizes of the tensors of WHILE don't go together"},
		{single("IF", nil, f(1), tensor(model.Bool, 1), f(1)), "IF calls subgraph 0, @main, whose tensors have other types"},
		{single("READ_VARIABLE", nil, f(1), tensor(model.Resource)), "elements of the type RESOURCE"},
		{tflitegen.Model(tflitegen.Subgraph{Name: "main", Tensors: []model.Tensor{f(1)}, Outputs: []int32{0}}), `tensor 0 is read before anything makes it`},
		{tflitegen.Model(tflitegen.Subgraph{Name: "main", Tensors: []model.Tensor{f(1), tensor(model.Resource)}, Outputs: []int32{0},
			Operators: []tflitegen.Operator{{Code: "READ_VARIABLE", Inputs: []int32{1}, Outputs: []int32{0}}}}), "READ_VARIABLE is on a variable that VAR_HANDLE of this subgraph doesn't name"},
		{tflitegen.Model(tflitegen.Subgraph{Name: "main", Tensors: []model.Tensor{f(1), tensor(model.Resource), f(2)}, Inputs: []int32{0, 2},
			Operators: []tflitegen.Operator{{Code: "VAR_HANDLE", Outputs: []int32{1}, Options: []tflitegen.Option{{Field: 1, Value: "v"}}},
				{Code: "ASSIGN_VARIABLE", Inputs: []int32{1, 0}}, {Code: "ASSIGN_VARIABLE", Inputs: []int32{1, 2}}}}),
			"variable @v is 'memref<2xf32>' here and 'memref<1xf32>' elsewhere"},
		{[]byte("\x04\x00\x00\x00TFL3"), "this model of TensorFlow Lite can't be read: the table at byte 4 has no description"},
	} {
		if got := message(t, tt.file); !strings.Contains(got, tt.want) {
			t.Errorf("it says %q, and should say %q", got, tt.want)
		}
	}
}

// customOperator is a model of an operator that isn't built in.
func customOperator(name string) []byte {
	f := tensor(model.Float32, 1)
	return tflitegen.Model(tflitegen.Subgraph{Name: "main", Tensors: []model.Tensor{f, f}, Inputs: []int32{0}, Outputs: []int32{1},
		Operators: []tflitegen.Operator{{Code: "CUSTOM", Custom: name, Inputs: []int32{0}, Outputs: []int32{1}}}})
}

// The place of an error is the operator's line in the listing of the model, which the command line shows.
func TestErrorPlace(t *testing.T) {
	_, err := driver.Freehold().NewSession().Parse(single("LSH_PROJECTION", nil, tensor(model.Float32, 1), tensor(model.Float32, 1)), "m.tflite")
	if err == nil || !strings.HasPrefix(err.Error(), "m.tflite:1:1: ") {
		t.Errorf("the error is %v", err)
	}
}
