package compile_test

import (
	"errors"
	"testing"

	"freehold/compile"
)

// padded pools, convolves and pads. Tiles for some limits need less than the smallest ones.
const padded = `
module {
  func.func @main(%arg0: tensor<1x5x9x3xi8>, %arg1: tensor<1x3x2x3xi8>, %arg2: tensor<1xi32>, %arg3: tensor<3x3x3x3xi8>, %arg4: tensor<3xi32>, %arg5: tensor<1x8x19x1xi8>, %arg6: tensor<1x1x1x1xi8>, %arg7: tensor<3x3x3x1xi8>, %arg8: tensor<3xi32>) -> (tensor<1x6x10x3xi8>, tensor<2x6x10x4xi8>) {
    %0 = tosa.avg_pool2d %arg0 {acc_type = i32, kernel = array<i64: 3, 2>, pad = array<i64: 2, 0, 1, 1>, quantization_info = #tosa.unary_quant<input_zp = 0, output_zp = 0>, stride = array<i64: 1, 1>} : (tensor<1x5x9x3xi8>) -> tensor<1x5x10x3xi8>
    %1 = tosa.avg_pool2d %0 {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 1, 1, 0, 1>, quantization_info = #tosa.unary_quant<input_zp = 0, output_zp = 0>, stride = array<i64: 1, 1>} : (tensor<1x5x10x3xi8>) -> tensor<1x6x10x3xi8>
    %2 = tosa.depthwise_conv2d %1, %arg7, %arg4 {dilation = array<i64: 1, 1>, pad = array<i64: 1, 2, 0, 3>, quantization_info = #tosa.conv_quant<input_zp = -2, weight_zp = 0>, stride = array<i64: 2, 2>} : (tensor<1x6x10x3xi8>, tensor<3x3x3x1xi8>, tensor<3xi32>) -> tensor<1x4x6x3xi32>
    %3 = tosa.rescale %2 {double_round = false, input_zp = 0 : i32, multiplier = array<i32: 1300938155>, output_zp = -16 : i32, per_channel = false, scale32 = true, shift = array<i8: 40>} : (tensor<1x4x6x3xi32>) -> tensor<1x4x6x3xi8>
    %4 = "tosa.const"() <{value = dense<[[1, 0], [0, 2], [1, 1], [0, 1]]> : tensor<4x2xi32>}> : () -> tensor<4x2xi32>
    %5 = "tosa.const"() <{value = dense<3> : tensor<i8>}> : () -> tensor<i8>
    %6 = tosa.pad %3, %4, %5 : (tensor<1x4x6x3xi8>, tensor<4x2xi32>, tensor<i8>) -> tensor<2x6x8x4xi8>
    %7 = tosa.avg_pool2d %6 {acc_type = i32, kernel = array<i64: 3, 3>, pad = array<i64: 0, 2, 2, 2>, quantization_info = #tosa.unary_quant<input_zp = 0, output_zp = 0>, stride = array<i64: 1, 1>} : (tensor<2x6x8x4xi8>) -> tensor<2x6x10x4xi8>
    return %1, %7 : tensor<1x6x10x3xi8>, tensor<2x6x10x4xi8>
  }
}`

// tiled repeats, convolves and turns. Without extra work less is needed if copies are elided early.
const tiled = `
func.func @main(%a0: tensor<3x7x1x5xi8>, %a1: tensor<1x7x2x1xi8>, %a2: tensor<7x3x2x5xi8>, %a3: tensor<7xi32>, %a4: tensor<1x14x1x5xi8>, %a5: tensor<1x2x3x5xi8>, %a6: tensor<1xi32>, %a7: tensor<7x5x3x5xi8>, %a8: tensor<7xi32>, %a9: tensor<21x1xi8>) -> (tensor<21x2xi8>) {
  %v1 = "tosa.tile"(%a0) {multiples = array<i64: 1, 1, 2, 1>} : (tensor<3x7x1x5xi8>) -> tensor<3x7x2x5xi8>
  %v2 = "tosa.minimum"(%v1, %a1) : (tensor<3x7x2x5xi8>, tensor<1x7x2x1xi8>) -> tensor<3x7x2x5xi8>
  %v3 = "tosa.conv2d"(%v2, %a2, %a3) {pad = array<i64: 0, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 3>, quantization_info = #tosa.conv_quant<input_zp = 6, weight_zp = 0>} : (tensor<3x7x2x5xi8>, tensor<7x3x2x5xi8>, tensor<7xi32>) -> tensor<3x6x1x7xi32>
  %v4 = "tosa.rescale"(%v3) {double_round = false, input_zp = 0 : i32, output_zp = -5 : i32, multiplier = array<i32: 1194820274>, shift = array<i8: 36>, per_channel = false, scale32 = true} : (tensor<3x6x1x7xi32>) -> tensor<3x6x1x7xi8>
  %v5 = "tosa.tile"(%v1) {multiples = array<i64: 1, 2, 1, 1>} : (tensor<3x7x2x5xi8>) -> tensor<3x14x2x5xi8>
  %v6 = "tosa.minimum"(%v5, %a4) : (tensor<3x14x2x5xi8>, tensor<1x14x1x5xi8>) -> tensor<3x14x2x5xi8>
  %v7 = "tosa.slice"(%v1) {start = array<i64: 1, 0, 0, 0>, size = array<i64: 1, 3, 1, 5>} : (tensor<3x7x2x5xi8>) -> tensor<1x3x1x5xi8>
  %v8 = "tosa.max_pool2d"(%v7) {kernel = array<i64: 3, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 1>} : (tensor<1x3x1x5xi8>) -> tensor<1x1x1x5xi8>
  %v9 = "tosa.maximum"(%a0, %a0) : (tensor<3x7x1x5xi8>, tensor<3x7x1x5xi8>) -> tensor<3x7x1x5xi8>
  %v10 = "tosa.conv2d"(%v9, %a5, %a6) {pad = array<i64: 0, 1, 0, 2>, stride = array<i64: 3, 1>, dilation = array<i64: 1, 1>, quantization_info = #tosa.conv_quant<input_zp = 3, weight_zp = 0>} : (tensor<3x7x1x5xi8>, tensor<1x2x3x5xi8>, tensor<1xi32>) -> tensor<3x3x1x1xi32>
  %v11 = "tosa.rescale"(%v10) {double_round = true, input_zp = 0 : i32, output_zp = -18 : i32, multiplier = array<i32: 1567118773>, shift = array<i8: 40>, per_channel = false, scale32 = true} : (tensor<3x3x1x1xi32>) -> tensor<3x3x1x1xi8>
  %v12 = "tosa.avg_pool2d"(%v11) {kernel = array<i64: 3, 2>, pad = array<i64: 2, 2, 0, 1>, stride = array<i64: 1, 1>, acc_type = i32, quantization_info = #tosa.unary_quant<input_zp = 0, output_zp = 0>} : (tensor<3x3x1x1xi8>) -> tensor<3x5x1x1xi8>
  %v13 = "tosa.reduce_max"(%v9) {axis = 0 : i32} : (tensor<3x7x1x5xi8>) -> tensor<1x7x1x5xi8>
  %v14 = "tosa.conv2d"(%v13, %a7, %a8) {pad = array<i64: 0, 1, 1, 5>, stride = array<i64: 3, 1>, dilation = array<i64: 1, 3>, quantization_info = #tosa.conv_quant<input_zp = 7, weight_zp = 0>} : (tensor<1x7x1x5xi8>, tensor<7x5x3x5xi8>, tensor<7xi32>) -> tensor<1x2x1x7xi32>
  %v15 = "tosa.rescale"(%v14) {double_round = true, input_zp = 0 : i32, output_zp = -7 : i32, multiplier = array<i32: 1349034817, 1128377382, 1421264015, 1262295205, 1410750201, 1202947148, 1833871461>, shift = array<i8: 37, 40, 38, 36, 37, 37, 40>, per_channel = true, scale32 = true} : (tensor<1x2x1x7xi32>) -> tensor<1x2x1x7xi8>
  %v16 = "tosa.tile"(%v15) {multiples = array<i64: 1, 1, 1, 3>} : (tensor<1x2x1x7xi8>) -> tensor<1x2x1x21xi8>
  %v17 = "tosa.const"() {value = dense<[1, 0, 2, 3]> : tensor<4xi32>} : () -> tensor<4xi32>
  %v18 = "tosa.transpose"(%v16, %v17) : (tensor<1x2x1x21xi8>, tensor<4xi32>) -> tensor<2x1x1x21xi8>
  %v19 = "tosa.reverse"(%v18) {axis = 0 : i32} : (tensor<2x1x1x21xi8>) -> tensor<2x1x1x21xi8>
  %v20 = "tosa.reshape"(%v19) {new_shape = array<i64: 21, 2>} : (tensor<2x1x1x21xi8>) -> tensor<21x2xi8>
  %v21 = "tosa.reverse"(%v20) {axis = 0 : i32} : (tensor<21x2xi8>) -> tensor<21x2xi8>
  %v22 = "tosa.maximum"(%v21, %a9) : (tensor<21x2xi8>, tensor<21x1xi8>) -> tensor<21x2xi8>
  return %v22 : tensor<21x2xi8>
}`

// What least takes is kept if it is the limit, and one byte less isn't; more extra work doesn't make it more.
func TestLeastMemory(t *testing.T) {
	for _, source := range []string{products, kept, padded, tiled} {
		least := func(limit int64, work float64) (int64, error) {
			s, module := program(t, source)
			c := compile.Compiler{Options: compile.Options{MaxMemory: limit, ExtraWork: work}, Registry: s.Passes}
			r, err := c.Compile(module)
			if err != nil {
				return 0, err
			}
			return r.After.Peak.Bytes, nil
		}
		var before int64
		for _, work := range []float64{0, 0.25} {
			n, err := least(compile.LeastMemory, work)
			if err != nil {
				t.Fatal(err)
			}
			if before > 0 && n > before {
				t.Errorf("%d bytes with extra work, %d without", n, before)
			}
			before = n
			if m, err := least(n, work); err != nil || m > n {
				t.Errorf("the least is %d, but with that as the limit %d are needed: %v", n, m, err)
			}
			var refused *compile.RefusedError
			if m, err := least(n-1, work); !errors.As(err, &refused) {
				t.Errorf("the least is %d, but with a limit of one byte less %d are enough: %v", n, m, err)
			}
		}
	}
}
