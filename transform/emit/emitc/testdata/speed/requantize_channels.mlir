#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
func.func @requantize(%x: tensor<64x1024xi32>, %m: tensor<1024xi32>, %s: tensor<1024xi8>) -> tensor<64x1024xi8> {
  %0 = tensor.empty() : tensor<64x1024xi8>
  %1 = linalg.generic {indexing_maps = [#map, #map1, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%x, %m, %s : tensor<64x1024xi32>, tensor<1024xi32>, tensor<1024xi8>) outs(%0 : tensor<64x1024xi8>) {
  ^bb0(%in: i32, %mul: i32, %shift: i8, %out: i8):
    %r = tosa.apply_scale %in, %mul, %shift {double_round = true} : (i32, i32, i8) -> i32
    %lo = arith.constant -128 : i32
    %hi = arith.constant 127 : i32
    %8 = arith.maxsi %r, %lo : i32
    %9 = arith.minsi %8, %hi : i32
    %10 = arith.trunci %9 : i32 to i8
    linalg.yield %10 : i8
  } -> tensor<64x1024xi8>
  return %1 : tensor<64x1024xi8>
}
