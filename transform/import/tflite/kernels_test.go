package tflite_test

import (
	"slices"
	"strings"
	"testing"

	"freehold/internal/testing/tflitegen"
	"freehold/transform/import/tflite/model"
)

// indices is a constant list of places or sizes.
func indices(list ...int64) model.Tensor {
	return constant(tensor(model.Int32, int64(len(list))), int32s(list...))
}

// scalar is a constant number.
func scalar(n int64) model.Tensor { return constant(tensor(model.Int32), int32s(n)) }

// Operators on single precision, on numbers that aren't scaled, and those that only move elements.
func TestOperators(t *testing.T) {
	f := func(shape ...int64) model.Tensor { return tensor(model.Float32, shape...) }
	i8 := func(shape ...int64) model.Tensor { return tensor(model.Int8, shape...) }
	i32 := func(shape ...int64) model.Tensor { return tensor(model.Int32, shape...) }
	truth := func(shape ...int64) model.Tensor { return tensor(model.Bool, shape...) }
	relu := []tflitegen.Option{{Field: 0, Value: int8(model.Relu)}}
	for _, tt := range []struct {
		name, code string
		options    []tflitegen.Option
		out        model.Tensor
		in         []model.Tensor
		args       []string
		want       string
	}{
		{"", "ADD", relu, f(2, 2), []model.Tensor{f(2, 2), f(2)}, []string{"[[1,-2],[3,4]]", "[1,-1]"}, "2 0 4 3"},
		{"a minus zero stays", "ADD", relu, f(1), []model.Tensor{f(1), f(1)}, []string{"[-0.0]", "[-0.0]"}, "-0"},
		{"", "SUB", nil, i32(3), []model.Tensor{i32(3), i32(1)}, []string{"[1,2,3]", "[2]"}, "-1 0 1"},
		{"", "MUL", []tflitegen.Option{{Field: 0, Value: int8(model.Relu6)}}, i32(3), []model.Tensor{i32(3), i32(3)}, []string{"[1,-2,3]", "[2,2,4]"}, "2 0 6"},
		{"", "DIV", nil, f(2), []model.Tensor{f(2), f(2)}, []string{"[1,2]", "[2,4]"}, "0.5 0.5"},
		{"", "FLOOR_DIV", nil, i32(4), []model.Tensor{i32(4), i32(4)}, []string{"[7,-7,7,-7]", "[2,2,-2,-2]"}, "3 -4 -4 3"},
		{"", "FLOOR_DIV", nil, f(2), []model.Tensor{f(2), f(2)}, []string{"[7,-7]", "[2,2]"}, "3 -4"},
		{"", "FLOOR_MOD", nil, i32(4), []model.Tensor{i32(4), i32(4)}, []string{"[7,-7,7,-7]", "[3,3,-3,-3]"}, "1 2 -2 -1"},
		{"", "FLOOR_MOD", nil, f(4), []model.Tensor{f(4), f(4)}, []string{"[7,-7,7,-6]", "[3,3,-3,-3]"}, "1 2 -2 -0"},
		{"", "SQUARED_DIFFERENCE", nil, f(2), []model.Tensor{f(2), f(2)}, []string{"[1,5]", "[3,2]"}, "4 9"},
		{"", "POW", nil, f(2), []model.Tensor{f(2), f(2)}, []string{"[2,3]", "[3,2]"}, "8 9"},
		{"", "MAXIMUM", nil, f(2), []model.Tensor{f(2), f(2)}, []string{"[1,5]", "[3,2]"}, "3 5"},
		{"unsigned", "MINIMUM", nil, tensor(model.Uint8, 2), []model.Tensor{tensor(model.Uint8, 2), tensor(model.Uint8, 2)}, []string{"[200,5]", "[100,250]"}, "100 5"},
		{"", "ADD_N", nil, f(2), []model.Tensor{f(2), f(2), f(2)}, []string{"[1,2]", "[3,4]", "[5,6]"}, "9 12"},
		{"", "RELU", nil, f(3), []model.Tensor{f(3)}, []string{"[-1,0,2]"}, "0 0 2"},
		{"", "RELU6", nil, f(3), []model.Tensor{f(3)}, []string{"[-1,3,8]"}, "0 3 6"},
		{"", "RELU_N1_TO_1", nil, f(3), []model.Tensor{f(3)}, []string{"[-3,0.5,8]"}, "-1 0.5 1"},
		{"scaled", "RELU", nil, with(i8(3), 1, 0), []model.Tensor{with(i8(3), 0.5, 0)}, []string{"[-4,5,127]"}, "0 3 64"},
		{"scaled", "RELU6", nil, with(i8(3), 0.1, 0), []model.Tensor{with(i8(3), 0.1, 0)}, []string{"[-4,5,127]"}, "0 5 60"},
		{"", "LEAKY_RELU", []tflitegen.Option{{Field: 0, Value: float32(0.5)}}, f(2), []model.Tensor{f(2)}, []string{"[-4,5]"}, "-2 5"},
		{"a slope below zero", "LEAKY_RELU", []tflitegen.Option{{Field: 0, Value: float32(-0.5)}}, with(i8(2), 1, 0), []model.Tensor{with(i8(2), 1, 0)}, []string{"[-4,5]"}, "2 5"},
		{"", "PRELU", nil, f(2, 2), []model.Tensor{f(2, 2), constant(f(2), floats(0.5, 2))}, []string{"[[-4,-5],[1,2]]"}, "-2 -10 1 2"},
		{"scaled", "PRELU", nil, with(i8(2), 1, 0), []model.Tensor{with(i8(2), 1, 0), constant(with(i8(2), 0.5, 0), int8s(1, 2))}, []string{"[-4,-5]"}, "-2 -5"},
		{"", "HARD_SWISH", nil, f(3), []model.Tensor{f(3)}, []string{"[-4,0,6]"}, "-0 0 6"},
		{"", "ELU", nil, f(2), []model.Tensor{f(2)}, []string{"[0,6]"}, "0 6"},
		{"", "LOGISTIC", nil, f(3), []model.Tensor{f(3)}, []string{"[0,20,-200]"}, "0.5 1 0"},
		{"unsigned", "LOGISTIC", nil, with(tensor(model.Uint8, 3), 1.0/256, 0), []model.Tensor{with(tensor(model.Uint8, 3), 0.5, 128)}, []string{"[128,0,130]"}, "-128 0 -69"},
		{"unsigned", "TANH", nil, with(tensor(model.Uint8, 2), 1.0/128, 128), []model.Tensor{with(tensor(model.Uint8, 2), 0.5, 128)}, []string{"[128,129]"}, "-128 -69"},
		{"unsigned", "L2_NORMALIZATION", nil, with(tensor(model.Uint8, 1, 2), 1.0/128, 128), []model.Tensor{with(tensor(model.Uint8, 1, 2), 0.5, 10)}, []string{"[[13,6]]"}, "-51 26"},
		{"", "TANH", nil, f(1), []model.Tensor{f(1)}, []string{"[0]"}, "0"},
		{"", "RSQRT", nil, f(2), []model.Tensor{f(2)}, []string{"[4,16]"}, "0.5 0.25"},
		{"", "SQUARE", nil, f(2), []model.Tensor{f(2)}, []string{"[4,-3]"}, "16 9"},
		{"", "ROUND", nil, f(5), []model.Tensor{f(5)}, []string{"[0.5,1.5,2.5,-0.5,-0.0]"}, "0 2 2 0 -0"},
		{"scaled", "ABS", nil, with(i8(3), 0.5, -5), []model.Tensor{with(i8(3), 0.5, 10)}, []string{"[4,-3,-128]"}, "1 8 127"},
		{"scaled", "ABS", nil, with(tensor(model.Int16, 2), 0.25, 0), []model.Tensor{with(tensor(model.Int16, 2), 0.5, 0)}, []string{"[-300,32767]"}, "600 32767"},
		{"", "ABS", nil, tensor(model.Int16, 2), []model.Tensor{tensor(model.Int16, 2)}, []string{"[-300,5]"}, "300 5"},
		{"", "GELU", nil, f(3), []model.Tensor{f(3)}, []string{"[0,20,-200]"}, "0 20 -0"},
		{"approximately", "GELU", []tflitegen.Option{{Field: 0, Value: true}}, f(3), []model.Tensor{f(3)}, []string{"[0,20,-200]"}, "0 20 -0"},
		{"", "ABS", nil, i32(2), []model.Tensor{i32(2)}, []string{"[4,-3]"}, "4 3"},
		{"", "ABS", nil, f(2), []model.Tensor{f(2)}, []string{"[4,-3]"}, "4 3"},
		{"", "NEG", nil, f(2), []model.Tensor{f(2)}, []string{"[4,-3]"}, "-4 3"},
		{"", "NEG", nil, i32(2), []model.Tensor{i32(2)}, []string{"[4,-3]"}, "-4 3"},
		{"a scalar", "NEG", nil, f(), []model.Tensor{f()}, []string{"dense<4.0>"}, "-4"},

		{"", "QUANTIZE", nil, with(i8(6), 0.5, 1), []model.Tensor{f(6)}, []string{"[0,0.25,-0.25,100,-100,nan]"}, "1 2 0 127 -128 -128"},
		{"of scaled numbers", "LOG", nil, with(i8(4), 0.1, 0), []model.Tensor{with(i8(4), 1, 0)}, []string{"[1,7,-3,100]"}, "0 19 -128 46"},
		{"of 16 bits", "LOG", nil, with(tensor(model.Int16, 3), 0.001, 0), []model.Tensor{with(tensor(model.Int16, 3), 0.001, 0)}, []string{"[7389,20086,-500]"}, "2000 3000 -32768"},
		{"of 16 bits", "RSQRT", nil, with(tensor(model.Int16, 2), 0.001, 0), []model.Tensor{with(tensor(model.Int16, 2), 0.001, 0)}, []string{"[16000,-500]"}, "250 32767"},
		{"unsigned", "DIV", nil, with(tensor(model.Uint8, 3), 0.5, 3), []model.Tensor{with(tensor(model.Uint8, 3), 1, 10), with(tensor(model.Uint8, 3), 1, 100)}, []string{"[110,110,0]", "[104,96,255]"}, "53 0 3"},
		{"of scaled numbers", "REDUCE_PROD", nil, with(i8(1), 0.25, 2), []model.Tensor{with(i8(3), 0.5, 1), indices(0)}, []string{"[5,7,-3]"}, "-46"},
		{"along nothing", "SUM", nil, f(2), []model.Tensor{f(2), constant(i32(0), nil)}, []string{"[1,2]", "dense<>"}, "1 2"},
		{"", "STABLEHLO_ADD", nil, i8(2), []model.Tensor{i8(2), i8(2)}, []string{"[100,1]", "[100,2]"}, "-56 3"},
		{"", "STABLEHLO_MULTIPLY", nil, f(2), []model.Tensor{f(2), f(2)}, []string{"[3,1]", "[0.5,2]"}, "1.5 2"},
		{"of truths", "STABLEHLO_AND", nil, truth(2), []model.Tensor{truth(2), truth(2)}, []string{"[true,true]", "[true,false]"}, "true false"},
		{"", "STABLEHLO_MAXIMUM", nil, i32(2), []model.Tensor{i32(2), i32(2)}, []string{"[3,-1]", "[0,2]"}, "3 2"},
		{"unsigned", "STABLEHLO_MINIMUM", nil, tensor(model.Uint8, 2), []model.Tensor{tensor(model.Uint8, 2), tensor(model.Uint8, 2)}, []string{"[200,1]", "[3,2]"}, "3 1"},
		{"", "STABLEHLO_SHIFT_LEFT", nil, i32(4), []model.Tensor{i32(4), i32(4)}, []string{"[3,-3,1,1]", "[2,1,32,-1]"}, "12 -6 0 0"},
		{"", "STABLEHLO_CBRT", nil, f(2), []model.Tensor{f(2)}, []string{"[27,-8]"}, "3 -2"},
		{"", "STABLEHLO_PAD", []tflitegen.Option{{Field: 0, Value: []int64{1, -1}}, {Field: 1, Value: []int64{0, 1}}, {Field: 2, Value: []int64{0, 1}}}, f(2, 5),
			[]model.Tensor{f(1, 3), f()}, []string{"[[1,2,3]]", "dense<9.0>"}, "9 9 9 9 9 9 2 9 3 9"},
		{"", "STABLEHLO_GATHER", []tflitegen.Option{{Field: 0, Value: []int64{1}}, {Field: 1, Value: []int64{0}}, {Field: 2, Value: []int64{0, 1}}, {Field: 3, Value: int64(1)}, {Field: 4, Value: []int64{1, 2}}},
			f(2, 2), []model.Tensor{f(2, 3), i32(2, 2)}, []string{"[[1,2,3],[4,5,6]]", "[[1,0],[0,7]]"}, "4 5 2 3"},
		{"of single coordinates", "STABLEHLO_GATHER", []tflitegen.Option{{Field: 0, Value: []int64{}}, {Field: 1, Value: []int64{0}}, {Field: 2, Value: []int64{0}}, {Field: 3, Value: int64(1)}, {Field: 4, Value: []int64{1}}},
			f(3), []model.Tensor{f(4), i32(3)}, []string{"[1,2,3,4]", "[3,-1,0]"}, "4 1 1"},
		{"of sums", "REDUCE_WINDOW", []tflitegen.Option{{Field: 0, Value: int32(1)}}, f(2), []model.Tensor{f(5), f(), constant(tensor(model.Int64, 1), int64s(2)),
			constant(tensor(model.Int64, 1), int64s(2)), constant(tensor(model.Int64, 1), int64s(2))}, []string{"[1,2,3,4,5]", "dense<10.0>"}, "14 18"},
		{"of the largest", "REDUCE_WINDOW", []tflitegen.Option{{Field: 0, Value: int32(4)}}, i32(3), []model.Tensor{i32(4), i32(), constant(tensor(model.Int64, 1), int64s(2)),
			constant(tensor(model.Int64, 1), int64s(1)), constant(tensor(model.Int64, 1), int64s(1))}, []string{"[1,7,3,4]", "dense<5>"}, "7 7 5"},
		{"", "FAKE_QUANT", []tflitegen.Option{{Field: 0, Value: float32(-1)}, {Field: 1, Value: float32(2)}, {Field: 2, Value: int32(2)}}, f(6), []model.Tensor{f(6)}, []string{"[-3,-0.6,-0.4,0.5,1.6,9]"}, "-1 -1 0 1 2 2"},
		{"", "BROADCAST_ARGS", nil, i32(3), []model.Tensor{i32(3), i32(2)}, []string{"[5,1,1]", "[7,1]"}, "5 7 1"},
		{"of a scalar", "BROADCAST_ARGS", nil, i32(2), []model.Tensor{i32(0), i32(2)}, []string{"dense<>", "[7,1]"}, "7 1"},
		{"", "CONV_3D", []tflitegen.Option{{Field: 1, Value: int32(1)}, {Field: 2, Value: int32(1)}, {Field: 3, Value: int32(1)}}, f(1, 2, 1, 2, 1),
			[]model.Tensor{f(1, 2, 1, 2, 1), constant(f(2, 1, 1, 1, 1), floats(1, 10))}, []string{"[[[[[1],[2]]],[[[3],[4]]]]]"}, "31 42 3 4"},
		{"again", "QUANTIZE", nil, with(tensor(model.Uint8, 3), 1, 128), []model.Tensor{with(i8(3), 1, 0)}, []string{"[-128,0,127]"}, "0 -128 -1"},
		{"", "DEQUANTIZE", nil, f(2), []model.Tensor{with(i8(2), 0.5, 1)}, []string{"[1,-3]"}, "0 -2"},
		{"unsigned", "DEQUANTIZE", nil, f(2), []model.Tensor{with(tensor(model.Uint8, 2), 0.5, 128)}, []string{"[130,0]"}, "1 -64"},
		{"by channels", "DEQUANTIZE", nil, f(2, 2), []model.Tensor{{Type: model.Int8, Shape: []int64{2, 2}, Data: int8s(1, 2, 3, 4), Scale: []float32{1, 0.5}, ZeroPoint: []int64{0, 2}, Axis: 1}}, nil, "1 0 3 1"},
		{"four bits", "DEQUANTIZE", nil, f(3), []model.Tensor{constant(with(tensor(model.Int4, 3), 1, 0), int8s(0x7f, 0x08))}, nil, "-1 7 -8"},
		{"", "CAST", nil, i32(2), []model.Tensor{f(2)}, []string{"[1.9,-1.9]"}, "1 -1"},
		{"of what doesn't fit", "CAST", nil, i8(3), []model.Tensor{f(3)}, []string{"[-1.9,300,-811]"}, "-1 44 -43"},
		{"of what has no sign", "CAST", nil, tensor(model.Uint8, 3), []model.Tensor{f(3)}, []string{"[200,-1,300]"}, "-56 0 -1"},
		{"", "CAST", nil, truth(2), []model.Tensor{f(2)}, []string{"[0,0.5]"}, "false true"},
		{"", "CAST", nil, f(2), []model.Tensor{truth(2)}, []string{"[true,false]"}, "1 0"},
		{"", "CAST", nil, f(2), []model.Tensor{tensor(model.Uint8, 2)}, []string{"[200,1]"}, "200 1"},

		{"", "ATAN2", nil, f(2), []model.Tensor{f(2), f(2)}, []string{"[0,1]", "[1,0]"}, "0 1.5707964"},
		{"", "POW", nil, i32(3), []model.Tensor{i32(3), i32(3)}, []string{"[2,-3,7]", "[10,3,0]"}, "1024 -27 1"},
		{"", "FLOOR_DIV", nil, i8(3), []model.Tensor{i8(3), i8(3)}, []string{"[7,-7,-128]", "[2,2,3]"}, "3 -4 -43"},
		{"", "FLOOR_MOD", nil, tensor(model.Int16, 2), []model.Tensor{tensor(model.Int16, 2), tensor(model.Int16, 2)}, []string{"[7,-7]", "[-3,3]"}, "-2 2"},
		{"", "BITWISE_XOR", nil, i8(2), []model.Tensor{i8(2), i8(2)}, []string{"[5,-1]", "[3,1]"}, "6 -2"},
		{"", "BITCAST", nil, i32(2), []model.Tensor{f(2)}, []string{"[1,-0.0]"}, "1065353216 -2147483648"},
		{"", "RIGHT_SHIFT", nil, i8(2), []model.Tensor{i8(2), i8(2)}, []string{"[-100,100]", "[2,9]"}, "-25 0"},
		{"unsigned", "RIGHT_SHIFT", nil, tensor(model.Uint8, 2), []model.Tensor{tensor(model.Uint8, 2), tensor(model.Uint8, 2)}, []string{"[200,7]", "[3,200]"}, "25 0"},
		{"", "SIGN", nil, f(4), []model.Tensor{f(4)}, []string{"[-3,0,0.1,nan]"}, "-1 0 1 0"},
		{"", "RELU_0_TO_1", nil, f(3), []model.Tensor{f(3)}, []string{"[-3,0.5,8]"}, "0 0.5 1"},
		{"scaled", "RELU_0_TO_1", nil, with(i8(3), 0.1, -2), []model.Tensor{with(i8(3), 0.1, -2)}, []string{"[-30,5,80]"}, "-2 5 8"},

		{"other scales", "CONCATENATION", nil, with(tensor(model.Uint8, 3), 1, 10), []model.Tensor{with(tensor(model.Uint8, 1), 1, 0), with(tensor(model.Uint8, 2), 2, 4)}, []string{"[7]", "[6,250]"}, "17 14 -1"},
		{"", "CONCATENATION", []tflitegen.Option{{Field: 0, Value: int32(-1)}}, f(2, 3), []model.Tensor{f(2, 1), f(2, 2)}, []string{"[[1],[2]]", "[[3,4],[5,6]]"}, "1 3 4 2 5 6"},
		{"", "PACK", []tflitegen.Option{{Field: 0, Value: int32(2)}, {Field: 1, Value: int32(1)}}, f(2, 2), []model.Tensor{f(2), f(2)}, []string{"[1,2]", "[3,4]"}, "1 3 2 4"},
		{"", "SLICE", nil, f(1, 2), []model.Tensor{f(2, 3), indices(1, 1), indices(1, 2)}, []string{"[[1,2,3],[4,5,6]]"}, "5 6"},
		{"where is computed", "SLICE", nil, f(2), []model.Tensor{f(4), i32(1), indices(2)}, []string{"[1,2,3,4]", "[7]"}, "3 4"},
		{"", "STRIDED_SLICE", []tflitegen.Option{{Field: 0, Value: int32(1)}}, f(2, 2), []model.Tensor{f(2, 4), indices(9, 1), indices(2, 4), indices(1, 2)}, []string{"[[1,2,3,4],[5,6,7,8]]"}, "2 4 6 8"},
		{"backwards", "STRIDED_SLICE", []tflitegen.Option{{Field: 1, Value: int32(1)}}, f(3), []model.Tensor{f(4), indices(-2), indices(0), indices(-1)}, []string{"[1,2,3,4]"}, "3 2 1"},
		{"a row", "STRIDED_SLICE", []tflitegen.Option{{Field: 4, Value: int32(1)}, {Field: 1, Value: int32(2)}}, f(2), []model.Tensor{f(2, 2), indices(-1, 0), indices(0, 0), indices(1, 1)}, []string{"[[1,2],[3,4]]"}, "3 4"},
		{"an ellipsis and a new dimension", "STRIDED_SLICE", []tflitegen.Option{{Field: 2, Value: int32(2)}, {Field: 3, Value: int32(4)}, {Field: 4, Value: int32(8)}}, f(1, 2, 1), []model.Tensor{f(2, 2, 2), indices(1, 0, 0, 1), indices(2, 0, 0, 2), indices(1, 1, 1, 1)}, []string{"[[[1,2],[3,4]],[[5,6],[7,8]]]"}, "6 8"},
		{"the end from the start", "STRIDED_SLICE", []tflitegen.Option{{Field: 5, Value: true}}, f(2), []model.Tensor{f(4), indices(1), indices(2), indices(1)}, []string{"[1,2,3,4]"}, "2 3"},
		{"fewer bounds than dimensions", "STRIDED_SLICE", nil, f(1, 2), []model.Tensor{f(2, 2), indices(1), indices(2), indices(1)}, []string{"[[1,2],[3,4]]"}, "3 4"},
		{"", "PAD", nil, f(1, 4), []model.Tensor{f(1, 2), constant(tensor(model.Int32, 2, 2), int32s(0, 0, 1, 1))}, []string{"[[1,2]]"}, "0 1 2 0"},
		{"the zero point", "PAD", nil, with(i8(3), 1, -3), []model.Tensor{with(i8(2), 1, -3), constant(tensor(model.Int32, 1, 2), int32s(1, 0))}, []string{"[1,2]"}, "-3 1 2"},
		{"", "PADV2", nil, f(3), []model.Tensor{f(2), constant(tensor(model.Int32, 1, 2), int32s(0, 1)), constant(f(1), floats(9))}, []string{"[1,2]"}, "1 2 9"},
		{"", "MIRROR_PAD", nil, f(7), []model.Tensor{f(3), constant(tensor(model.Int32, 1, 2), int32s(2, 2))}, []string{"[1,2,3]"}, "3 2 1 2 3 2 1"},
		{"with the border", "MIRROR_PAD", []tflitegen.Option{{Field: 0, Value: int8(1)}}, f(7), []model.Tensor{f(3), constant(tensor(model.Int32, 1, 2), int32s(2, 2))}, []string{"[1,2,3]"}, "2 1 1 2 3 3 2"},
		{"", "TRANSPOSE", nil, f(3, 2), []model.Tensor{f(2, 3), indices(1, 0)}, []string{"[[1,2,3],[4,5,6]]"}, "1 4 2 5 3 6"},
		{"", "DEPTH_TO_SPACE", []tflitegen.Option{{Field: 0, Value: int32(2)}}, f(1, 2, 2, 1), []model.Tensor{f(1, 1, 1, 4)}, []string{"[[[[1,2,3,4]]]]"}, "1 2 3 4"},
		{"", "SPACE_TO_DEPTH", []tflitegen.Option{{Field: 0, Value: int32(2)}}, f(1, 1, 2, 4), []model.Tensor{f(1, 2, 4, 1)}, []string{"[[[[1],[2],[3],[4]],[[5],[6],[7],[8]]]]"}, "1 2 5 6 3 4 7 8"},
		{"", "SPACE_TO_BATCH_ND", nil, f(2, 2, 1), []model.Tensor{f(1, 3, 1), indices(2), constant(tensor(model.Int32, 1, 2), int32s(1, 0))}, []string{"[[[1],[2],[3]]]"}, "0 2 1 3"},
		{"", "BATCH_TO_SPACE_ND", nil, f(1, 3, 1), []model.Tensor{f(2, 2, 1), indices(2), constant(tensor(model.Int32, 1, 2), int32s(1, 0))}, []string{"[[[0],[2]],[[1],[3]]]"}, "1 2 3"},
		{"", "REVERSE_V2", nil, f(2, 2), []model.Tensor{f(2, 2), indices(1)}, []string{"[[1,2],[3,4]]"}, "2 1 4 3"},
		{"", "TILE", nil, f(2, 4), []model.Tensor{f(1, 2), indices(2, 2)}, []string{"[[1,2]]"}, "1 2 1 2 1 2 1 2"},
		{"", "BROADCAST_TO", nil, f(2, 2), []model.Tensor{f(2), indices(2, 2)}, []string{"[1,2]"}, "1 2 1 2"},
		{"", "FILL", nil, f(3), []model.Tensor{indices(3), f()}, []string{"dense<4.0>"}, "4 4 4"},
		{"", "ZEROS_LIKE", nil, f(2), []model.Tensor{f(2)}, []string{"[1,2]"}, "0 0"},
		{"", "SHAPE", nil, i32(2), []model.Tensor{f(2, 3)}, []string{"[[1,2,3],[4,5,6]]"}, "2 3"},
		{"", "SQUEEZE", nil, f(2), []model.Tensor{f(1, 2, 1)}, []string{"[[[1],[2]]]"}, "1 2"},
		{"", "EXPAND_DIMS", nil, f(1, 2), []model.Tensor{f(2), indices(0)}, []string{"[1,2]"}, "1 2"},
		{"", "RESHAPE", nil, f(3, 2), []model.Tensor{f(2, 3), indices(3, 2)}, []string{"[[1,2,3],[4,5,6]]"}, "1 2 3 4 5 6"},
		{"", "GATHER", []tflitegen.Option{{Field: 0, Value: int32(1)}}, f(2, 2), []model.Tensor{f(2, 3), i32(2)}, []string{"[[1,2,3],[4,5,6]]", "[2,0]"}, "3 1 6 4"},
		{"in batches", "GATHER", []tflitegen.Option{{Field: 0, Value: int32(1)}, {Field: 1, Value: int32(1)}}, f(2, 1), []model.Tensor{f(2, 3), i32(2, 1)}, []string{"[[1,2,3],[4,5,6]]", "[[2],[0]]"}, "3 4"},
		{"", "GATHER_ND", nil, f(2), []model.Tensor{f(2, 3), i32(2, 2)}, []string{"[[1,2,3],[4,5,6]]", "[[0,2],[1,0]]"}, "3 4"},
		{"", "EMBEDDING_LOOKUP", nil, f(2, 2), []model.Tensor{i32(2), constant(f(3, 2), floats(1, 2, 3, 4, 5, 6))}, []string{"[2,0]"}, "5 6 1 2"},
		{"", "DYNAMIC_UPDATE_SLICE", nil, f(4), []model.Tensor{f(4), f(2), i32(1)}, []string{"[1,2,3,4]", "[8,9]", "[3]"}, "1 2 8 9"},
		{"", "ONE_HOT", []tflitegen.Option{{Field: 0, Value: int32(-1)}}, f(2, 3), []model.Tensor{i32(2), scalar(3), constant(f(), floats(5)), constant(f(), floats(-1))}, []string{"[2,7]"}, "-1 -1 5 -1 -1 -1"},
		{"along the first dimension", "ONE_HOT", nil, i8(3, 2), []model.Tensor{i32(2), scalar(3), constant(i8(), int8s(1)), constant(i8(), int8s(0))}, []string{"[2,0]"}, "0 1 0 0 1 0"},
		{"", "RANGE", nil, i32(3), []model.Tensor{scalar(5), scalar(-1), scalar(-2)}, nil, "5 3 1"},
		{"computed", "RANGE", nil, f(3), []model.Tensor{f(), f(), f()}, []string{"dense<0.0>", "dense<1.0>", "dense<0.4>"}, "0 0.4 0.8"},
		{"", "RANK", nil, i32(), []model.Tensor{f(2, 3)}, []string{"[[1,2,3],[4,5,6]]"}, "2"},
		{"", "MATRIX_DIAG", nil, f(2, 2), []model.Tensor{f(2)}, []string{"[1,2]"}, "1 0 0 2"},
		{"", "MATRIX_SET_DIAG", nil, f(2, 3), []model.Tensor{f(2, 3), f(2)}, []string{"[[1,2,3],[4,5,6]]", "[8,9]"}, "8 2 3 4 9 6"},
		{"", "REVERSE_SEQUENCE", []tflitegen.Option{{Field: 0, Value: int32(1)}, {Field: 1, Value: int32(0)}}, f(2, 3), []model.Tensor{f(2, 3), i32(2)}, []string{"[[1,2,3],[4,5,6]]", "[2,3]"}, "2 1 3 6 5 4"},
		{"", "BUCKETIZE", []tflitegen.Option{{Field: 0, Value: []float32{0, 1, 1, 5}}}, i32(4), []model.Tensor{f(4)}, []string{"[-1,0,1,9]"}, "0 1 3 4"},
		{"with a place twice", "SCATTER_ND", nil, f(4), []model.Tensor{i32(3, 1), f(3), indices(4)}, []string{"[[1],[3],[1]]", "[5,6,7]"}, "0 12 0 6"},
		{"of rows", "SCATTER_ND", nil, f(2, 2), []model.Tensor{i32(1, 1), f(1, 2), indices(2, 2)}, []string{"[[1]]", "[[5,6]]"}, "0 0 5 6"},
		{"", "SPARSE_TO_DENSE", nil, f(2, 2), []model.Tensor{i32(2, 2), indices(2, 2), f(2), constant(f(), floats(9))}, []string{"[[0,1],[1,0]]", "[1,2]"}, "9 1 2 9"},
		{"one element for all", "SPARSE_TO_DENSE", nil, f(3), []model.Tensor{i32(2), indices(3), f(1), constant(f(), floats(9))}, []string{"[0,2]", "[1]"}, "1 9 1"},
		{"", "SEGMENT_SUM", nil, f(2, 2), []model.Tensor{f(3, 2), i32(3)}, []string{"[[1,2],[3,4],[5,6]]", "[0,0,1]"}, "4 6 5 6"},
		{"", "UNSORTED_SEGMENT_SUM", nil, i32(2), []model.Tensor{i32(3), i32(3), scalar(2)}, []string{"[1,2,3]", "[1,-1,1]"}, "0 4"},
		{"", "UNSORTED_SEGMENT_PROD", nil, i32(2), []model.Tensor{i32(3), i32(3), scalar(2)}, []string{"[2,5,3]", "[1,-1,1]"}, "1 6"},
		{"", "UNSORTED_SEGMENT_MAX", nil, i32(2), []model.Tensor{i32(3), i32(3), scalar(2)}, []string{"[2,5,3]", "[1,-1,1]"}, "-2147483648 3"},
		{"", "UNSORTED_SEGMENT_MIN", nil, i32(2), []model.Tensor{i32(3), i32(3), scalar(2)}, []string{"[2,5,3]", "[1,-1,1]"}, "2147483647 2"},
		{"unsigned", "RESIZE_BILINEAR", nil, tensor(model.Uint8, 1, 1, 4, 1), []model.Tensor{tensor(model.Uint8, 1, 1, 2, 1), indices(1, 4)}, []string{"[[[[1],[4]]]]"}, "1 3 4 4"},
		{"", "RESIZE_NEAREST_NEIGHBOR", nil, f(1, 2, 4, 1), []model.Tensor{f(1, 1, 2, 1), indices(2, 4)}, []string{"[[[[1],[2]]]]"}, "1 1 2 2 1 1 2 2"},
		{"", "RESIZE_BILINEAR", nil, f(1, 1, 4, 1), []model.Tensor{f(1, 1, 2, 1), indices(1, 4)}, []string{"[[[[1],[3]]]]"}, "1 2 3 3"},
		{"corners", "RESIZE_BILINEAR", []tflitegen.Option{{Field: 2, Value: true}}, with(i8(1, 1, 3, 1), 1, 0), []model.Tensor{with(i8(1, 1, 2, 1), 1, 0), indices(1, 3)}, []string{"[[[[-3],[4]]]]"}, "-3 1 4"},
		{"centers", "RESIZE_BILINEAR", []tflitegen.Option{{Field: 3, Value: true}}, f(1, 1, 4, 1), []model.Tensor{f(1, 1, 2, 1), indices(1, 4)}, []string{"[[[[1],[3]]]]"}, "1 1.5 2.5 3"},

		{"", "SUM", nil, f(2), []model.Tensor{f(2, 2), indices(-1)}, []string{"[[1,2],[3,4]]"}, "3 7"},
		{"", "MEAN", []tflitegen.Option{{Field: 0, Value: true}}, f(1, 1, 1, 2), []model.Tensor{f(1, 2, 1, 2), indices(1, 2)}, []string{"[[[[1,2]],[[3,4]]]]"}, "2 3"},
		{"the same scale", "MEAN", nil, with(i8(1), 1, 0), []model.Tensor{with(i8(1, 3), 1, 0), indices(1)}, []string{"[[-1,-1,-3]]"}, "-1"},
		{"another scale", "MEAN", nil, with(i8(1), 0.5, 0), []model.Tensor{with(i8(1, 4), 1, 2), indices(1)}, []string{"[[3,4,5,7]]"}, "6"},
		{"everything", "REDUCE_MAX", nil, f(), []model.Tensor{f(2, 2), indices(0, 1)}, []string{"[[1,2],[4,3]]"}, "4"},
		{"", "REDUCE_MIN", nil, i8(2), []model.Tensor{i8(2, 2), indices(0)}, []string{"[[1,-2],[4,3]]"}, "1 -2"},
		{"", "REDUCE_PROD", nil, i32(1), []model.Tensor{i32(3), indices(0)}, []string{"[2,3,4]"}, "24"},
		{"", "REDUCE_ANY", nil, truth(2), []model.Tensor{truth(2, 2), indices(1)}, []string{"[[true,false],[false,false]]"}, "true false"},
		{"", "REDUCE_ALL", nil, truth(2), []model.Tensor{truth(2, 2), indices(1)}, []string{"[[true,false],[true,true]]"}, "false true"},
		{"the first of equal ones", "ARG_MAX", nil, i32(2), []model.Tensor{f(2, 3), indices(1)}, []string{"[[1,3,3],[0,-1,-2]]"}, "1 0"},
		{"", "ARG_MIN", nil, tensor(model.Int64, 3), []model.Tensor{i8(2, 3), indices(0)}, []string{"[[1,3,3],[0,-1,5]]"}, "1 1 0"},
		{"", "L2_NORMALIZATION", nil, f(1, 2), []model.Tensor{f(1, 2)}, []string{"[[3,4]]"}, "0.6 0.8"},
		{"", "LOG_SOFTMAX", nil, f(1, 2), []model.Tensor{f(1, 2)}, []string{"[[1,1]]"}, "-0.6931472 -0.6931472"},
		{"", "SOFTMAX", []tflitegen.Option{{Field: 0, Value: float32(1)}}, f(1, 2), []model.Tensor{f(1, 2)}, []string{"[[5,5]]"}, "0.5 0.5"},
		{"in fixed point", "LOG_SOFTMAX", nil, with(i8(2, 4), 16.0/256, 127), []model.Tensor{with(i8(2, 4), 0.1, 4)}, []string{"[[10,60,-30,64],[5,5,5,5]]"}, "32 112 -32 119 105 105 105 105"},
		{"", "LOCAL_RESPONSE_NORMALIZATION", []tflitegen.Option{{Field: 0, Value: int32(1)}, {Field: 1, Value: float32(1)}, {Field: 2, Value: float32(1)}, {Field: 3, Value: float32(0.5)}}, f(1, 1, 1, 3), []model.Tensor{f(1, 1, 1, 3)}, []string{"[[[[0,2,2]]]]"}, "0 0.8944272 0.6666667"},
		{"", "MEAN", nil, i32(1), []model.Tensor{i32(2), indices(0)}, []string{"[-2,-3]"}, "-2"},
		{"", "REDUCE_MAX", nil, tensor(model.Int64, 1), []model.Tensor{tensor(model.Int64, 2), indices(0)}, []string{"[-2,-3]"}, "-2"},
		{"along the last of four", "CUMSUM", nil, f(1, 1, 1, 3), []model.Tensor{f(1, 1, 1, 3), scalar(3)}, []string{"[[[[1,2,3]]]]"}, "1 3 6"},
		{"", "CUMSUM", nil, f(2, 3), []model.Tensor{f(2, 3), indices(1)}, []string{"[[1,2,3],[4,5,6]]"}, "1 3 6 4 9 15"},
		{"scaled, from what 0 stands for", "CUMSUM", nil, with(i8(2), 0.5, 3), []model.Tensor{with(i8(2), 0.5, 2), indices(0)}, []string{"[4,6]"}, "3 7"},
		{"from the end, without itself", "CUMSUM", []tflitegen.Option{{Field: 0, Value: true}, {Field: 1, Value: true}}, i32(3), []model.Tensor{i32(3), indices(0)}, []string{"[1,2,3]"}, "5 3 0"},
		{"", "BATCH_MATMUL", nil, f(1, 2, 2), []model.Tensor{f(1, 2, 2), f(2, 2)}, []string{"[[[1,2],[3,4]]]", "[[5,6],[7,8]]"}, "19 22 43 50"},
		{"transposed", "BATCH_MATMUL", []tflitegen.Option{{Field: 0, Value: true}, {Field: 1, Value: true}}, with(i8(1, 1), 1, 0), []model.Tensor{with(i8(2, 1), 1, 1), with(i8(1, 2), 0.5, 0)}, []string{"[[3],[5]]", "[[4,6]]"}, "16"},
		{"", "AVERAGE_POOL_2D", []tflitegen.Option{{Field: 0, Value: int8(1)}, {Field: 1, Value: int32(1)}, {Field: 2, Value: int32(1)}, {Field: 3, Value: int32(2)}, {Field: 4, Value: int32(1)}}, i8(1, 1, 2, 1), []model.Tensor{i8(1, 1, 3, 1)}, []string{"[[[[-1],[-2],[2]]]]"}, "-2 0"},
		{"", "MAX_POOL_2D", []tflitegen.Option{{Field: 1, Value: int32(2)}, {Field: 2, Value: int32(1)}, {Field: 3, Value: int32(2)}, {Field: 4, Value: int32(1)}}, f(1, 1, 2, 1), []model.Tensor{f(1, 1, 3, 1)}, []string{"[[[[-1],[-2],[2]]]]"}, "-1 2"},
		{"", "L2_POOL_2D", []tflitegen.Option{{Field: 0, Value: int8(1)}, {Field: 1, Value: int32(1)}, {Field: 2, Value: int32(1)}, {Field: 3, Value: int32(2)}, {Field: 4, Value: int32(1)}}, f(1, 1, 1, 1), []model.Tensor{f(1, 1, 2, 1)}, []string{"[[[[1],[7]]]]"}, "5"},
		{"", "FULLY_CONNECTED", []tflitegen.Option{{Field: 0, Value: int8(model.Relu)}}, f(1, 2), []model.Tensor{f(1, 2), constant(f(2, 2), floats(1, 2, 3, -4)), constant(f(2), floats(0.5, 1))}, []string{"[[1,2]]"}, "5.5 0"},
		{"with weights of 8 bits", "FULLY_CONNECTED", nil, f(1, 2), []model.Tensor{f(1, 2), constant(with(i8(2, 2), 0.5, 0), int8s(1, 1, 2, 0)), constant(f(2), floats(0.5, 1))}, []string{"[[127,-254]]"}, "-62.5 129"},
		{"with weights of 8 bits and a zero point", "FULLY_CONNECTED", []tflitegen.Option{{Field: 3, Value: true}}, f(2, 1), []model.Tensor{f(2, 2), constant(with(i8(1, 2), 0.5, 0), int8s(1, -3))}, []string{"[[0,255],[-510,0]]"}, "-382.5 -255"},
		{"of nothing but zeros, with weights of 8 bits", "FULLY_CONNECTED", []tflitegen.Option{{Field: 3, Value: true}}, f(1, 1), []model.Tensor{f(1, 2), constant(with(i8(1, 2), 0.5, 0), int8s(1, -3)), constant(f(1), floats(7))}, []string{"[[0,0]]"}, "7"},
		{"with weights of 8 bits", "CONV_2D", []tflitegen.Option{{Field: 1, Value: int32(1)}, {Field: 2, Value: int32(1)}}, f(1, 1, 2, 1), []model.Tensor{f(1, 1, 2, 1), constant(with(i8(1, 1, 2, 1), 0.5, 0), int8s(2, -4)), constant(f(1), floats(1))}, []string{"[[[[1],[127]]]]"}, "-252 128"},
		{"with weights of 8 bits", "DEPTHWISE_CONV_2D", []tflitegen.Option{{Field: 1, Value: int32(1)}, {Field: 2, Value: int32(1)}, {Field: 3, Value: int32(1)}}, f(1, 1, 1, 2), []model.Tensor{f(1, 1, 1, 2), {Type: model.Int8, Shape: []int64{1, 1, 1, 2}, Data: int8s(3, -2), Scale: []float32{0.5, 2}, ZeroPoint: []int64{0, 0}, Axis: 3}, constant(f(2), floats(0, 0))}, []string{"[[[[0.4,255]]]]"}, "0 -1020"},
		{"with weights of 8 bits", "BATCH_MATMUL", nil, f(1, 2, 1), []model.Tensor{f(1, 2, 2), constant(with(i8(2, 1), 0.5, 0), int8s(2, 4))}, []string{"[[[127,1],[254,2]]]"}, "129 258"},
		{"of 8 bits", "EMBEDDING_LOOKUP", nil, f(2, 2), []model.Tensor{i32(2), constant(with(i8(3, 2), 0.5, 0), int8s(1, 2, 3, 4, 5, 6))}, []string{"[2,0]"}, "2.5 3 0.5 1"},
		{"", "TRANSPOSE_CONV", []tflitegen.Option{{Field: 0, Value: int8(1)}, {Field: 1, Value: int32(2)}, {Field: 2, Value: int32(1)}}, f(1, 1, 4, 1), []model.Tensor{indices(1, 1, 4, 1), constant(f(1, 1, 2, 1), floats(1, 10)), f(1, 1, 2, 1)}, []string{"[[[[1],[2]]]]"}, "1 10 2 20"},
		{"with weights of 8 bits", "TRANSPOSE_CONV", []tflitegen.Option{{Field: 0, Value: int8(1)}, {Field: 1, Value: int32(2)}, {Field: 2, Value: int32(1)}}, f(1, 1, 4, 1), []model.Tensor{indices(1, 1, 4, 1), constant(with(i8(1, 1, 2, 1), 0.5, 0), int8s(1, 10)), f(1, 1, 2, 1), constant(f(1), floats(1))}, []string{"[[[[0.4],[255]]]]"}, "1 1 128.5 1276"},
		{"with weights of 8 bits, by channels", "TRANSPOSE_CONV", []tflitegen.Option{{Field: 0, Value: int8(1)}, {Field: 1, Value: int32(2)}, {Field: 2, Value: int32(1)}, {Field: 3, Value: int8(model.Relu)}}, f(1, 1, 2, 2), []model.Tensor{indices(1, 1, 2, 2), {Type: model.Int8, Shape: []int64{2, 1, 2, 1}, Data: int8s(1, -2, 3, 4), Scale: []float32{0.5, 2}, ZeroPoint: []int64{0, 0}}, f(1, 1, 1, 1)}, []string{"[[[[255]]]]"}, "127.5 1530 0 2040"},
		{"whose products are rounded, with weights of 8 bits", "TRANSPOSE_CONV", []tflitegen.Option{{Field: 0, Value: int8(1)}, {Field: 1, Value: int32(2)}, {Field: 2, Value: int32(1)}}, f(1, 1, 1, 1), []model.Tensor{indices(1, 1, 1, 1), constant(with(i8(1, 1, 1, 2), 0.3, 0), int8s(1, 1)), f(1, 1, 1, 2)}, []string{"[[[[255,85]]]]"}, "102"},
		{"", "CONV_3D_TRANSPOSE", []tflitegen.Option{{Field: 0, Value: int8(1)}, {Field: 1, Value: int32(1)}, {Field: 2, Value: int32(2)}, {Field: 3, Value: int32(1)}}, f(1, 1, 1, 4, 1), []model.Tensor{indices(1, 1, 1, 4, 1), constant(f(1, 1, 2, 1, 1), floats(1, 10)), f(1, 1, 1, 2, 1), constant(f(1), floats(0.5))}, []string{"[[[[[1],[2]]]]]"}, "1.5 10.5 2.5 20.5"},
		{"", "DILATE", nil, f(3, 2), []model.Tensor{f(2, 2), indices(2, 1), constant(f(), floats(9))}, []string{"[[1,2],[3,4]]"}, "1 2 9 9 3 4"},
		{"", "CONV_2D", []tflitegen.Option{{Field: 1, Value: int32(1)}, {Field: 2, Value: int32(1)}}, f(1, 1, 3, 1), []model.Tensor{f(1, 1, 3, 1), constant(f(1, 1, 3, 1), floats(1, 2, 3))}, []string{"[[[[1],[2],[4]]]]"}, "8 17 10"},

		{"", "EQUAL", nil, truth(2), []model.Tensor{f(2), f(2)}, []string{"[1,nan]", "[1,nan]"}, "true false"},
		{"", "NOT_EQUAL", nil, truth(2), []model.Tensor{f(2), f(2)}, []string{"[1,nan]", "[1,nan]"}, "false true"},
		{"", "LESS", nil, truth(2), []model.Tensor{i32(2), i32(2)}, []string{"[1,-1]", "[1,1]"}, "false true"},
		{"scaled", "GREATER", nil, truth(2), []model.Tensor{with(i8(2), 0.5, 0), with(i8(2), 0.25, 0)}, []string{"[2,2]", "[4,3]"}, "false true"},
		{"", "LOGICAL_AND", nil, truth(2), []model.Tensor{truth(2), truth(2)}, []string{"[true,true]", "[true,false]"}, "true false"},
		{"", "LOGICAL_NOT", nil, truth(2), []model.Tensor{truth(2)}, []string{"[true,false]"}, "false true"},
		{"", "SELECT_V2", nil, f(2, 2), []model.Tensor{truth(2), f(2, 2), f(1)}, []string{"[true,false]", "[[1,2],[3,4]]", "[9]"}, "1 9 3 9"},
		{"rows", "SELECT", nil, f(2, 2), []model.Tensor{truth(2), f(2, 2), f(2, 2)}, []string{"[true,false]", "[[1,2],[3,4]]", "[[5,6],[7,8]]"}, "1 2 7 8"},
	} {
		t.Run(strings.TrimSpace(tt.code+" "+tt.name), func(t *testing.T) {
			if got := execute(t, single(tt.code, tt.options, tt.out, tt.in...), tt.args...); got[0] != tt.want {
				t.Errorf("it is %s, and should be %s", got[0], tt.want)
			}
		})
	}
}

// The largest elements come with their places; of equal ones the first comes first.
func TestTopK(t *testing.T) {
	for _, tt := range []struct {
		of            model.Type
		shape         []int64
		count         int64
		arg           string
		values, where string
	}{
		{model.Float32, []int64{2, 4}, 3, "[[1,3,2,3],[0,-1,5,-2]]", "3 3 2 5 0 -1", "1 3 2 2 0 1"},
		{model.Int8, []int64{4}, 4, "[-128,127,-128,0]", "127 0 -128 -128", "1 3 0 2"},
		{model.Uint8, []int64{3}, 2, "[5,200,100]", "-56 100", "1 2"},
		{model.Float32, []int64{3}, 0, "[5,200,100]", "", ""},
	} {
		shape := append(slices.Clone(tt.shape[:len(tt.shape)-1]), tt.count)
		g := tflitegen.Subgraph{Name: "main", Tensors: []model.Tensor{tensor(tt.of, tt.shape...), scalar(tt.count), tensor(tt.of, shape...), tensor(model.Int32, shape...)},
			Inputs: []int32{0}, Outputs: []int32{2, 3}, Operators: []tflitegen.Operator{{Code: "TOPK_V2", Inputs: []int32{0, 1}, Outputs: []int32{2, 3}}}}
		if got := execute(t, tflitegen.Model(g), tt.arg); got[0] != tt.values || got[1] != tt.where {
			t.Errorf("the largest %d of %s are %s at %s", tt.count, tt.arg, got[0], got[1])
		}
	}
}

// Operators with several results.
func TestSplitting(t *testing.T) {
	f := func(shape ...int64) model.Tensor { return tensor(model.Float32, shape...) }
	for _, tt := range []struct {
		code    string
		options []tflitegen.Option
		inputs  []int32
		consts  []model.Tensor
		outs    []model.Tensor
		want    string
	}{
		{"SPLIT", nil, []int32{1, 0}, []model.Tensor{indices(1)}, []model.Tensor{f(2, 1), f(2, 1)}, "1 3|2 4"},
		{"SPLIT_V", nil, []int32{0, 1, 2}, []model.Tensor{indices(1, 1), indices(0)}, []model.Tensor{f(1, 2), f(1, 2)}, "1 2|3 4"},
		{"UNPACK", []tflitegen.Option{{Field: 0, Value: int32(2)}, {Field: 1, Value: int32(0)}}, []int32{0}, nil, []model.Tensor{f(2), f(2)}, "1 2|3 4"},
	} {
		g := tflitegen.Subgraph{Name: "main", Tensors: append(append([]model.Tensor{f(2, 2)}, tt.consts...), tt.outs...), Inputs: []int32{0}}
		first := int32(1 + len(tt.consts))
		g.Outputs = []int32{first, first + 1}
		g.Operators = []tflitegen.Operator{{Code: tt.code, Inputs: tt.inputs, Outputs: g.Outputs, Options: tt.options}}
		if got := strings.Join(execute(t, tflitegen.Model(g), "[[1,2],[3,4]]"), "|"); got != tt.want {
			t.Errorf("%s gives %s, and should give %s", tt.code, got, tt.want)
		}
	}
}
