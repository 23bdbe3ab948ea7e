package naive_test

import (
	"fmt"
	"strings"
)

// A namedOperation is an operation of linalg with the shapes of its operands; "" is a
// scalar, and what starts with ! a type.
type namedOperation struct {
	name     string
	ins      []string
	out      string
	attrs    string
	integers bool
}

const strided = "{strides = dense<2> : tensor<%dxi64>, dilations = dense<1> : tensor<%dxi64>} "

func windows(n int) string { return fmt.Sprintf(strided, n, n) }

var namedOperations = []namedOperation{
	{name: "min", ins: []string{"2x3x", "2x3x"}, out: "2x3x"},
	{name: "div_unsigned", ins: []string{"2x3x", "2x3x"}, out: "2x3x", integers: true},
	{name: "select", ins: []string{"!tensor<2x3xi1>", "2x3x", "2x3x"}, out: "2x3x"},
	{name: "elemwise_binary", ins: []string{"2x3x", "2x3x"}, out: "2x3x", attrs: "{fun = #linalg.binary_fn<mul>} "},
	{name: "matmul_transpose_a", ins: []string{"4x2x", "4x3x"}, out: "2x3x"},
	{name: "matmul_transpose_b", ins: []string{"2x4x", "3x4x"}, out: "2x3x"},
	{name: "mmt4d", ins: []string{"2x3x2x1x", "2x3x4x1x"}, out: "2x2x2x4x"},
	{name: "batch_mmt4d", ins: []string{"2x2x3x2x1x", "2x2x3x4x1x"}, out: "2x2x2x2x4x"},
	{name: "batch_matmul_transpose_a", ins: []string{"2x4x2x", "2x4x3x"}, out: "2x2x3x"},
	{name: "batch_matmul_transpose_b", ins: []string{"2x2x4x", "2x3x4x"}, out: "2x2x3x"},
	{name: "batch_reduce_matmul", ins: []string{"2x2x4x", "2x4x3x"}, out: "2x3x"},
	{name: "quantized_matmul", ins: []string{"2x4x", "4x3x", "!i32", "!i32"}, out: "2x3x", integers: true},
	{name: "quantized_batch_matmul", ins: []string{"2x2x4x", "2x4x3x", "!i32", "!i32"}, out: "2x2x3x", integers: true},
	{name: "matvec", ins: []string{"2x4x", "4x"}, out: "2x"},
	{name: "vecmat", ins: []string{"4x", "4x2x"}, out: "2x"},
	{name: "batch_matvec", ins: []string{"2x2x4x", "2x4x"}, out: "2x2x"},
	{name: "batch_vecmat", ins: []string{"2x4x", "2x4x2x"}, out: "2x2x"},
	{name: "conv_1d", ins: []string{"6x", "3x"}, out: "4x"},
	{name: "conv_2d", ins: []string{"5x4x", "3x2x"}, out: "3x3x"},
	{name: "conv_3d", ins: []string{"3x4x3x", "2x2x2x"}, out: "2x3x2x"},
	{name: "conv_1d_nwc_wcf", ins: []string{"2x7x2x", "3x2x3x"}, out: "2x3x3x", attrs: windows(1)},
	{name: "conv_1d_ncw_fcw", ins: []string{"2x2x7x", "3x2x3x"}, out: "2x3x3x", attrs: windows(1)},
	{name: "conv_2d_nhwc_fhwc", ins: []string{"1x5x5x2x", "3x2x2x2x"}, out: "1x2x2x3x", attrs: windows(2)},
	{name: "conv_2d_nhwc_hwcf_q", ins: []string{"1x5x5x2x", "2x2x2x3x", "!i32", "!i32"}, out: "1x2x2x3x", attrs: windows(2), integers: true},
	{name: "conv_2d_nhwc_fhwc_q", ins: []string{"1x5x5x2x", "3x2x2x2x", "!i32", "!i32"}, out: "1x2x2x3x", attrs: windows(2), integers: true},
	{name: "conv_2d_nchw_fchw", ins: []string{"1x2x5x5x", "3x2x2x2x"}, out: "1x3x2x2x", attrs: windows(2)},
	{name: "conv_2d_nchw_fchw_q", ins: []string{"1x2x5x5x", "3x2x2x2x", "!i32", "!i32"}, out: "1x3x2x2x", attrs: windows(2), integers: true},
	{name: "conv_2d_nhwgc_gfhwc", ins: []string{"1x5x5x2x2x", "2x3x2x2x2x"}, out: "1x2x2x2x3x", attrs: windows(2)},
	{name: "conv_2d_nhwgc_gfhwc_q", ins: []string{"1x5x5x2x2x", "2x3x2x2x2x", "!i32", "!i32"}, out: "1x2x2x2x3x", attrs: windows(2), integers: true},
	{name: "conv_2d_ngchw_fgchw", ins: []string{"1x2x2x5x5x", "3x2x2x2x2x"}, out: "1x2x3x2x2x", attrs: windows(2)},
	{name: "conv_2d_ngchw_gfchw", ins: []string{"1x2x2x5x5x", "2x3x2x2x2x"}, out: "1x2x3x2x2x", attrs: windows(2)},
	{name: "conv_2d_ngchw_gfchw_q", ins: []string{"1x2x2x5x5x", "2x3x2x2x2x", "!i32", "!i32"}, out: "1x2x3x2x2x", attrs: windows(2), integers: true},
	{name: "conv_3d_ndhwc_dhwcf", ins: []string{"1x3x3x3x2x", "2x2x2x2x2x"}, out: "1x1x1x1x2x", attrs: windows(3)},
	{name: "conv_3d_ndhwc_dhwcf_q", ins: []string{"1x3x3x3x2x", "2x2x2x2x2x", "!i32", "!i32"}, out: "1x1x1x1x2x", attrs: windows(3), integers: true},
	{name: "conv_3d_ncdhw_fcdhw", ins: []string{"1x2x3x3x3x", "2x2x2x2x2x"}, out: "1x2x1x1x1x", attrs: windows(3)},
	{name: "depthwise_conv_1d_nwc_wc", ins: []string{"1x7x2x", "3x2x"}, out: "1x3x2x", attrs: windows(1)},
	{name: "depthwise_conv_1d_ncw_cw", ins: []string{"1x2x7x", "2x3x"}, out: "1x2x3x", attrs: windows(1)},
	{name: "depthwise_conv_1d_nwc_wcm", ins: []string{"1x7x2x", "3x2x2x"}, out: "1x3x2x2x", attrs: windows(1)},
	{name: "depthwise_conv_2d_nhwc_hwc", ins: []string{"1x5x5x2x", "2x2x2x"}, out: "1x2x2x2x", attrs: windows(2)},
	{name: "depthwise_conv_2d_nchw_chw", ins: []string{"1x2x5x5x", "2x2x2x"}, out: "1x2x2x2x", attrs: windows(2)},
	{name: "depthwise_conv_2d_nhwc_hwc_q", ins: []string{"1x5x5x2x", "2x2x2x", "!i32", "!i32"}, out: "1x2x2x2x", attrs: windows(2), integers: true},
	{name: "depthwise_conv_2d_nhwc_hwcm", ins: []string{"1x5x5x2x", "2x2x2x3x"}, out: "1x2x2x2x3x", attrs: windows(2)},
	{name: "depthwise_conv_2d_nhwc_hwcm_q", ins: []string{"1x5x5x2x", "2x2x2x3x", "!i32", "!i32"}, out: "1x2x2x2x3x", attrs: windows(2), integers: true},
	{name: "depthwise_conv_3d_ndhwc_dhwc", ins: []string{"1x3x3x3x2x", "2x2x2x2x"}, out: "1x1x1x1x2x", attrs: windows(3)},
	{name: "depthwise_conv_3d_ncdhw_cdhw", ins: []string{"1x2x3x3x3x", "2x2x2x2x"}, out: "1x2x1x1x1x", attrs: windows(3)},
	{name: "depthwise_conv_3d_ndhwc_dhwcm", ins: []string{"1x3x3x3x2x", "2x2x2x2x3x"}, out: "1x1x1x1x2x3x", attrs: windows(3)},
	{name: "pooling_nhwc_max_unsigned", ins: []string{"1x5x5x2x", "2x2x"}, out: "1x2x2x2x", attrs: windows(2), integers: true},
	{name: "pooling_nhwc_min", ins: []string{"1x5x5x2x", "2x2x"}, out: "1x2x2x2x", attrs: windows(2)},
	{name: "pooling_nhwc_min_unsigned", ins: []string{"1x5x5x2x", "2x2x"}, out: "1x2x2x2x", attrs: windows(2), integers: true},
	{name: "pooling_nchw_sum", ins: []string{"1x2x5x5x", "2x2x"}, out: "1x2x2x2x", attrs: windows(2)},
	{name: "pooling_nchw_max", ins: []string{"1x2x5x5x", "2x2x"}, out: "1x2x2x2x", attrs: windows(2)},
	{name: "pooling_nwc_sum", ins: []string{"1x5x2x", "2x"}, out: "1x2x2x", attrs: windows(1)},
	{name: "pooling_ncw_sum", ins: []string{"1x2x5x", "2x"}, out: "1x2x2x", attrs: windows(1)},
	{name: "pooling_nwc_max", ins: []string{"1x5x2x", "2x"}, out: "1x2x2x", attrs: windows(1)},
	{name: "pooling_nwc_max_unsigned", ins: []string{"1x5x2x", "2x"}, out: "1x2x2x", attrs: windows(1), integers: true},
	{name: "pooling_ncw_max", ins: []string{"1x2x5x", "2x"}, out: "1x2x2x", attrs: windows(1)},
	{name: "pooling_nwc_min", ins: []string{"1x5x2x", "2x"}, out: "1x2x2x", attrs: windows(1)},
	{name: "pooling_nwc_min_unsigned", ins: []string{"1x5x2x", "2x"}, out: "1x2x2x", attrs: windows(1), integers: true},
	{name: "pooling_ndhwc_sum", ins: []string{"1x3x3x3x2x", "2x2x2x"}, out: "1x1x1x1x2x", attrs: windows(3)},
	{name: "pooling_ndhwc_max", ins: []string{"1x3x3x3x2x", "2x2x2x"}, out: "1x1x1x1x2x", attrs: windows(3)},
	{name: "pooling_ndhwc_min", ins: []string{"1x3x3x3x2x", "2x2x2x"}, out: "1x1x1x1x2x", attrs: windows(3)},
}

// tensorPrograms are programs on tensors, and structured operations on tensors and memrefs.
func tensorPrograms() []program {
	var out []program
	add := func(name, src string, types ...string) {
		if len(types) == 0 {
			types = elements
		}
		out = append(out, expand(name, src, types...)...)
	}
	add("tensor.extract", `func.func @f(%t: tensor<?x3x$T>, %i: index, %j: index) -> $T {
  %r = tensor.extract %t[%i, %j] : tensor<?x3x$T>
  return %r : $T
}`)
	add("tensor.insert", `func.func @f(%t: tensor<2x3x$T>, %i: index, %j: index, %v: $T) -> (tensor<2x3x$T>, tensor<2x3x$T>) {
  %r = tensor.insert %v into %t[%i, %j] : tensor<2x3x$T>
  return %r, %t : tensor<2x3x$T>, tensor<2x3x$T>
}`)
	add("ml_program.global_load", `ml_program.global private mutable @g(dense<[1, 2]> : tensor<2xi32>) : tensor<2xi32>
ml_program.global private @c(dense<[3, 4]> : tensor<2xi32>) : tensor<2xi32>
func.func @f(%i: index, %v: i32) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %0 = ml_program.global_load @g : tensor<2xi32>
  %1 = tensor.insert %v into %0[%i] : tensor<2xi32>
  ml_program.global_store @g = %1 : tensor<2xi32>
  %2 = ml_program.global_load @g : tensor<2xi32>
  %3 = ml_program.global_load_const @c : tensor<2xi32>
  return %0, %2, %3 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
}`, "i32")
	add("tensor.empty", `func.func @f(%n: index, %i: index, %v: $T) -> (tensor<?x2x$T>, index, index) {
  %c0 = arith.constant 0 : index
  %e = tensor.empty(%n) : tensor<?x2x$T>
  %r = tensor.insert %v into %e[%i, %c0] : tensor<?x2x$T>
  %d = tensor.dim %r, %i : tensor<?x2x$T>
  %u = tensor.cast %r : tensor<?x2x$T> to tensor<*x$T>
  %k = tensor.rank %u : tensor<*x$T>
  return %r, %d, %k : tensor<?x2x$T>, index, index
}`)
	add("tensor.cast", `func.func @f(%t: tensor<?x?x$T>) -> tensor<2x?x$T> {
  %r = tensor.cast %t : tensor<?x?x$T> to tensor<2x?x$T>
  return %r : tensor<2x?x$T>
}`)
	add("tensor.bitcast", `func.func @f(%t: tensor<?xi32>) -> tensor<?xf32> {
  %r = tensor.bitcast %t : tensor<?xi32> to tensor<?xf32>
  return %r : tensor<?xf32>
}`, "i32")
	add("tensor.extract_slice", `func.func @f(%t: tensor<6x5x$T>, %i: index, %n: index, %s: index) -> (tensor<?x2x$T>, tensor<5x$T>) {
  %r = tensor.extract_slice %t[%i, 1] [%n, 2] [%s, 2] : tensor<6x5x$T> to tensor<?x2x$T>
  %q = tensor.extract_slice %t[%i, 0] [1, 5] [1, 1] : tensor<6x5x$T> to tensor<5x$T>
  return %r, %q : tensor<?x2x$T>, tensor<5x$T>
}`)
	add("tensor.insert_slice", `func.func @f(%t: tensor<6x5x$T>, %x: tensor<?x2x$T>, %row: tensor<5x$T>, %i: index, %s: index) -> (tensor<6x5x$T>, tensor<6x5x$T>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x2x$T>
  %r = tensor.insert_slice %x into %t[%i, 1] [%n, 2] [%s, 2] : tensor<?x2x$T> into tensor<6x5x$T>
  %q = tensor.insert_slice %row into %r[%i, 0] [1, 5] [1, 1] : tensor<5x$T> into tensor<6x5x$T>
  return %r, %q : tensor<6x5x$T>, tensor<6x5x$T>
}`)
	add("tensor.from_elements", `func.func @f(%a: $T, %b: $T, %n: index) -> (tensor<2x2x$T>, tensor<3x?x$T>, tensor<$T>) {
  %r = tensor.from_elements %a, %b, %b, %a : tensor<2x2x$T>
  %s = tensor.splat %b[%n] : tensor<3x?x$T>
  %z = tensor.from_elements %a : tensor<$T>
  return %r, %s, %z : tensor<2x2x$T>, tensor<3x?x$T>, tensor<$T>
}`, "i1", "i8", "i100", "f32", "index")
	add("tensor.generate", `func.func @f(%n: index, %t: tensor<4x4xi32>) -> tensor<?x3xi32> {
  %r = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %x = tensor.extract %t[%j, %i] : tensor<4x4xi32>
    %y = arith.index_cast %i : index to i32
    %s = arith.addi %x, %y : i32
    tensor.yield %s : i32
  } : tensor<?x3xi32>
  return %r : tensor<?x3xi32>
}`, "i32")
	add("tensor.pad", `func.func @f(%t: tensor<?x2x$T>, %l: index, %h: index, %v: $T) -> (tensor<?x4x$T>, tensor<?x4xindex>) {
  %r = tensor.pad %t low[%l, 1] high[%h, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : $T
  } : tensor<?x2x$T> to tensor<?x4x$T>
  %e = tensor.splat %l[%l] : tensor<?x2xindex>
  %q = tensor.pad %e low[%l, 2] high[1, 0] {
  ^bb0(%i: index, %j: index):
    %s = arith.muli %i, %j : index
    tensor.yield %s : index
  } : tensor<?x2xindex> to tensor<?x4xindex>
  return %r, %q : tensor<?x4x$T>, tensor<?x4xindex>
}`)
	add("tensor.reshape", `func.func @f(%t: tensor<2x3x$T>, %s: tensor<2xi32>) -> tensor<?x?x$T> {
  %k = arith.constant dense<[3, 2]> : tensor<2xi32>
  %a = tensor.reshape %t(%k) : (tensor<2x3x$T>, tensor<2xi32>) -> tensor<?x?x$T>
  return %a : tensor<?x?x$T>
}`, "f32", "i8")
	add("tensor.reshape", `func.func @f(%t: tensor<?x?x$T>, %s: tensor<2xindex>) -> tensor<?x?x$T> {
  %a = tensor.reshape %t(%s) : (tensor<?x?x$T>, tensor<2xindex>) -> tensor<?x?x$T>
  return %a : tensor<?x?x$T>
}`, "f32")
	add("tensor.expand_shape", `func.func @f(%t: tensor<?x6x$T>) -> (tensor<?x1x2x3x$T>, tensor<?x$T>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %t, %c0 : tensor<?x6x$T>
  %r = tensor.expand_shape %t [[0, 1], [2, 3]] output_shape [%n, 1, 2, 3] : tensor<?x6x$T> into tensor<?x1x2x3x$T>
  %q = tensor.collapse_shape %t [[0, 1]] : tensor<?x6x$T> into tensor<?x$T>
  return %r, %q : tensor<?x1x2x3x$T>, tensor<?x$T>
}`)
	add("tensor.concat", `func.func @f(%a: tensor<2x3x$T>, %b: tensor<2x1x$T>, %c: tensor<?x4x$T>) -> (tensor<2x4x$T>, tensor<?x4x$T>) {
  %r = tensor.concat dim(1) %a, %b : (tensor<2x3x$T>, tensor<2x1x$T>) -> tensor<2x4x$T>
  %q = tensor.concat dim(0) %r, %c : (tensor<2x4x$T>, tensor<?x4x$T>) -> tensor<?x4x$T>
  return %r, %q : tensor<2x4x$T>, tensor<?x4x$T>
}`)
	add("tensor.gather", `func.func @f(%t: tensor<4x3x2x$T>, %i: tensor<2x2xindex>) -> (tensor<2x1x3x1x$T>, tensor<2x3x$T>) {
  %r = tensor.gather %t[%i] gather_dims([0, 2]) : (tensor<4x3x2x$T>, tensor<2x2xindex>) -> tensor<2x1x3x1x$T>
  %q = tensor.gather %t[%i] gather_dims([0, 2]) : (tensor<4x3x2x$T>, tensor<2x2xindex>) -> tensor<2x3x$T>
  return %r, %q : tensor<2x1x3x1x$T>, tensor<2x3x$T>
}`)
	add("tensor.gather, of which not all positions count", `func.func @f(%t: tensor<4x3x$T>, %i: tensor<2x3xi8>) -> tensor<2x3x$T> {
  %one = arith.constant dense<1> : tensor<2x3xi8>
  %p = arith.andi %i, %one : tensor<2x3xi8>
  %r = tensor.gather %t[%p] gather_dims([0]) : (tensor<4x3x$T>, tensor<2x3xi8>) -> tensor<2x3x$T>
  return %r : tensor<2x3x$T>
}`)
	add("tensor.pack", `func.func @f(%t: tensor<5x4x$T>, %e: tensor<2x3x2x2x$T>, %v: $T) -> tensor<2x3x2x2x$T> {
  %r = tensor.pack %t padding_value(%v : $T) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, 2] into %e : tensor<5x4x$T> -> tensor<2x3x2x2x$T>
  return %r : tensor<2x3x2x2x$T>
}`)
	add("tensor.unpack", `func.func @f(%p: tensor<2x3x2x2x$T>, %t: tensor<5x4x$T>) -> tensor<5x4x$T> {
  %r = tensor.unpack %p outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, 2] into %t : tensor<2x3x2x2x$T> -> tensor<5x4x$T>
  return %r : tensor<5x4x$T>
}`)
	add("linalg.index", `func.func @f(%t: tensor<?x3xindex>, %o: tensor<3x?xindex>) -> tensor<3x?xindex> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%t : tensor<?x3xindex>) outs(%o : tensor<3x?xindex>) {
  ^bb0(%a: index, %b: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.muli %i, %a : index
    %q = arith.addi %p, %j : index
    linalg.yield %q : index
  } -> tensor<3x?xindex>
  return %r : tensor<3x?xindex>
}`, "index")
	// Maps that aren't projections: windows, strides, constants, divisions.
	add("linalg.generic", `func.func @f(%x: tensor<9x$T>, %w: tensor<3x$T>, %o: tensor<4x$T>) -> tensor<4x$T> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, k) -> (2 * i + k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%x, %w : tensor<9x$T>, tensor<3x$T>) outs(%o : tensor<4x$T>) {
  ^bb0(%a: $T, %b: $T, %c: $T):
    %p = $ADD %a, %b : $T
    %s = $ADD %c, %p : $T
    linalg.yield %s : $T
  } -> tensor<4x$T>
  return %r : tensor<4x$T>
}`)
	add("linalg.generic", `func.func @f(%x: tensor<?x?x$T>, %o: tensor<?x$T>) -> tensor<?x$T> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv 2, i mod 2)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<?x?x$T>) outs(%o : tensor<?x$T>) {
  ^bb0(%a: $T, %c: $T):
    linalg.yield %a : $T
  } -> tensor<?x$T>
  return %r : tensor<?x$T>
}`)
	add("linalg.generic", `func.func @f(%x: tensor<2x3x$T>, %o: tensor<6x$T>) -> tensor<6x$T> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv 3, i mod 3)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%x : tensor<2x3x$T>) outs(%o : tensor<6x$T>) {
  ^bb0(%a: $T, %c: $T):
    %s = $ADD %c, %a : $T
    linalg.yield %s : $T
  } -> tensor<6x$T>
  return %r : tensor<6x$T>
}`)
	add("linalg.generic", `func.func @f(%m: memref<4x4x$T>, %v: $T) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%m, %m, %v : memref<4x4x$T>, memref<4x4x$T>, $T) outs(%m : memref<4x4x$T>) {
  ^bb0(%a: $T, %b: $T, %c: $T, %d: $T):
    %s = $ADD %a, %b : $T
    %t = $ADD %s, %c : $T
    linalg.yield %t : $T
  }
  return
}`)
	add("linalg.generic", `func.func @f(%m: memref<9x$T>) {
  %a = memref.subview %m[0] [8] [1] : memref<9x$T> to memref<8x$T, strided<[1]>>
  %b = memref.subview %m[1] [8] [1] : memref<9x$T> to memref<8x$T, strided<[1], offset: 1>>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%a : memref<8x$T, strided<[1]>>) outs(%b : memref<8x$T, strided<[1], offset: 1>>) {
  ^bb0(%x: $T, %y: $T):
    %s = $ADD %x, %y : $T
    linalg.yield %s : $T
  }
  return
}`)
	add("linalg.matmul", `func.func @f(%a: tensor<?x3x$T>, %b: tensor<3x5x$T>, %c: tensor<?x5x$T>) -> tensor<?x5x$T> {
  %r = linalg.matmul ins(%a, %b : tensor<?x3x$T>, tensor<3x5x$T>) outs(%c : tensor<?x5x$T>) -> tensor<?x5x$T>
  return %r : tensor<?x5x$T>
}`, "i1", "i8", "i33", "i100", "f16", "f32", "f80")
	add("linalg.matmul", `func.func @f(%a: tensor<2x3xi8>, %b: tensor<3x5xi16>, %c: tensor<2x5xi32>, %d: tensor<2x5xf32>) -> (tensor<2x5xi32>, tensor<2x5xi32>) {
  %r = linalg.matmul ins(%a, %b : tensor<2x3xi8>, tensor<3x5xi16>) outs(%c : tensor<2x5xi32>) -> tensor<2x5xi32>
  %q = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<2x3xi8>, tensor<3x5xi16>) outs(%c : tensor<2x5xi32>) -> tensor<2x5xi32>
  return %r, %q : tensor<2x5xi32>, tensor<2x5xi32>
}`, "i8")
	add("linalg.matmul", `func.func @f(%a: memref<4x4x$T>, %b: memref<4x4x$T>) {
  linalg.matmul ins(%a, %b : memref<4x4x$T>, memref<4x4x$T>) outs(%a : memref<4x4x$T>)
  return
}`, "f32", "f64", "i8")
	add("linalg.batch_matmul", `func.func @f(%a: tensor<2x2x3x$T>, %b: tensor<2x3x5x$T>, %c: tensor<2x2x5x$T>) -> tensor<2x2x5x$T> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<2x2x3x$T>, tensor<2x3x5x$T>) outs(%c : tensor<2x2x5x$T>) -> tensor<2x2x5x$T>
  return %r : tensor<2x2x5x$T>
}`, "f32", "i8", "i1")
	add("linalg.dot", `func.func @f(%a: tensor<?x$T>, %b: tensor<?x$T>, %c: tensor<$T>) -> tensor<$T> {
  %r = linalg.dot ins(%a, %b : tensor<?x$T>, tensor<?x$T>) outs(%c : tensor<$T>) -> tensor<$T>
  return %r : tensor<$T>
}`, "f32", "f16", "i64")
	add("linalg.conv_2d_nhwc_hwcf", `func.func @f(%x: tensor<1x5x5x2x$T>, %w: tensor<2x2x2x3x$T>, %o: tensor<1x2x4x3x$T>) -> tensor<1x2x4x3x$T> {
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w : tensor<1x5x5x2x$T>, tensor<2x2x2x3x$T>) outs(%o : tensor<1x2x4x3x$T>) -> tensor<1x2x4x3x$T>
  return %r : tensor<1x2x4x3x$T>
}`, "f32", "i32")
	add("linalg.pooling_nhwc_max", `func.func @f(%x: tensor<1x6x6x2x$T>, %w: tensor<2x2xf32>, %o: tensor<1x3x3x2x$T>) -> (tensor<1x3x3x2x$T>, tensor<1x3x3x2x$T>) {
  %r = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x6x6x2x$T>, tensor<2x2xf32>) outs(%o : tensor<1x3x3x2x$T>) -> tensor<1x3x3x2x$T>
  %q = linalg.pooling_nhwc_sum {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x6x6x2x$T>, tensor<2x2xf32>) outs(%o : tensor<1x3x3x2x$T>) -> tensor<1x3x3x2x$T>
  return %r, %q : tensor<1x3x3x2x$T>, tensor<1x3x3x2x$T>
}`, "f32", "f64")
	add("linalg.fill", `func.func @f(%v: $T, %o: tensor<?x2x$T>, %m: memref<3x$T>) -> tensor<?x2x$T> {
  %r = linalg.fill ins(%v : $T) outs(%o : tensor<?x2x$T>) -> tensor<?x2x$T>
  linalg.fill ins(%v : $T) outs(%m : memref<3x$T>)
  return %r : tensor<?x2x$T>
}`)
	add("linalg.fill_rng_2d", `func.func @f(%a: f64, %b: f64, %s: i32, %o: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %r = linalg.fill_rng_2d ins(%a, %b, %s : f64, f64, i32) outs(%o : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}`, "f32")
	add("linalg.transpose", `func.func @f(%a: tensor<2x3x4x$T>, %o: tensor<4x2x3x$T>, %b: tensor<3x$T>, %p: tensor<2x3x4x$T>) -> (tensor<4x2x3x$T>, tensor<2x3x4x$T>) {
  %r = linalg.transpose ins(%a : tensor<2x3x4x$T>) outs(%o : tensor<4x2x3x$T>) permutation = [2, 0, 1]
  %q = linalg.broadcast ins(%b : tensor<3x$T>) outs(%p : tensor<2x3x4x$T>) dimensions = [0, 2]
  return %r, %q : tensor<4x2x3x$T>, tensor<2x3x4x$T>
}`)
	add("linalg.reduce", `func.func @f(%a: tensor<2x3x4x$T>, %o: tensor<3x$T>, %p: tensor<2x3x4x$T>) -> (tensor<3x$T>, tensor<2x3x4x$T>) {
  %r = linalg.reduce ins(%a : tensor<2x3x4x$T>) outs(%o : tensor<3x$T>) dimensions = [0, 2]
  (%x: $T, %acc: $T) {
    %s = $ADD %x, %acc : $T
    linalg.yield %s : $T
  }
  %q = linalg.map { $ADD } ins(%a, %a : tensor<2x3x4x$T>, tensor<2x3x4x$T>) outs(%p : tensor<2x3x4x$T>)
  return %r, %q : tensor<3x$T>, tensor<2x3x4x$T>
}`)
	add("linalg.copy", `func.func @f(%a: tensor<2x3x$T>, %o: tensor<2x3x$T>) -> tensor<2x3x$T> {
  %r = linalg.copy ins(%a : tensor<2x3x$T>) outs(%o : tensor<2x3x$T>) -> tensor<2x3x$T>
  return %r : tensor<2x3x$T>
}`)
	for _, op := range []string{"add", "sub", "mul", "div", "max"} {
		add("linalg."+op, fmt.Sprintf(`func.func @f(%%a: tensor<2x3x$T>, %%b: tensor<2x3x$T>, %%o: tensor<2x3x$T>) -> tensor<2x3x$T> {
  %%r = linalg.%s ins(%%a, %%b : tensor<2x3x$T>, tensor<2x3x$T>) outs(%%o : tensor<2x3x$T>) -> tensor<2x3x$T>
  return %%r : tensor<2x3x$T>
}`, op), "f16", "f32", "i8", "i100")
	}
	for _, op := range []string{"exp", "log", "abs", "ceil", "floor", "negf", "square", "sqrt", "rsqrt", "tanh", "erf", "reciprocal", "round", "elemwise_unary"} {
		add("linalg."+op, fmt.Sprintf(`func.func @f(%%a: tensor<2x3x$T>, %%o: tensor<2x3x$T>) -> tensor<2x3x$T> {
  %%r = linalg.%s ins(%%a : tensor<2x3x$T>) outs(%%o : tensor<2x3x$T>) -> tensor<2x3x$T>
  return %%r : tensor<2x3x$T>
}`, op), "f16", "f32")
	}
	add("linalg.powf", `func.func @f(%a: tensor<2x3x$T>, %b: tensor<2x3x$T>, %o: tensor<2x3x$T>) -> tensor<2x3x$T> {
  %r = linalg.powf ins(%a, %b : tensor<2x3x$T>, tensor<2x3x$T>) outs(%o : tensor<2x3x$T>) -> tensor<2x3x$T>
  return %r : tensor<2x3x$T>
}`, "f16", "f32")
	for _, n := range namedOperations {
		var ins, types []string
		params := ""
		for i, shape := range n.ins {
			t := "tensor<" + shape + "$T>"
			if shape == "" {
				t = "$T"
			}
			if strings.HasPrefix(shape, "!") {
				t = shape[1:]
			}
			ins, types = append(ins, fmt.Sprintf("%%a%d", i)), append(types, t)
			params += fmt.Sprintf("%%a%d: %s, ", i, t)
		}
		result := "tensor<" + n.out + "$T>"
		elems := []string{"f32", "i32", "f16"}
		if n.integers {
			elems = []string{"i32", "i8"}
		}
		add("linalg."+n.name, fmt.Sprintf("func.func @f(%s%%o: %s) -> %s {\n  %%r = linalg.%s %sins(%s : %s) outs(%%o : %s) -> %s\n  return %%r : %s\n}\n",
			params, result, result, n.name, n.attrs, strings.Join(ins, ", "), strings.Join(types, ", "), result, result, result), elems...)
	}
	// Long runs of elements, whole and in part.
	add("runs", `func.func @f(%x: tensor<3x$T>) -> tensor<1100x$T> {
  %e = tensor.empty() : tensor<1100x$T>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i mod 3)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<3x$T>) outs(%e : tensor<1100x$T>) {
  ^bb0(%a: $T, %b: $T):
    linalg.yield %a : $T
  } -> tensor<1100x$T>
  %q = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%r, %r : tensor<1100x$T>, tensor<1100x$T>) outs(%e : tensor<1100x$T>) {
  ^bb0(%a: $T, %b: $T, %c: $T):
    %s = $ADD %a, %b : $T
    linalg.yield %s : $T
  } -> tensor<1100x$T>
  %z = $ADD %q, %r : tensor<1100x$T>
  return %z : tensor<1100x$T>
}`, "f32", "f64", "f16", "i8", "i64")
	return out
}
