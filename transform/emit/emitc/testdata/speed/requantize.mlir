#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @requantize(%arg0: tensor<64x1024xi32>, %arg1: tensor<1024xi32>) -> tensor<64x1024xi8> {
    %0 = tensor.empty() : tensor<64x1024xi8>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<64x1024xi32>, tensor<1024xi32>) outs(%0 : tensor<64x1024xi8>) {
    ^bb0(%in: i32, %in_0: i32, %out: i8):
      %2 = arith.extsi %in : i32 to i64
      %3 = arith.extsi %in_0 : i32 to i64
      %4 = arith.muli %2, %3 : i64
      %c1073741824_i64 = arith.constant 1073741824 : i64
      %5 = arith.addi %4, %c1073741824_i64 : i64
      %c31_i64 = arith.constant 31 : i64
      %6 = arith.shrsi %5, %c31_i64 : i64
      %7 = arith.trunci %6 : i64 to i32
      %c-128_i32 = arith.constant -128 : i32
      %c127_i32 = arith.constant 127 : i32
      %8 = arith.maxsi %7, %c-128_i32 : i32
      %9 = arith.minsi %8, %c127_i32 : i32
      %10 = arith.trunci %9 : i32 to i8
      linalg.yield %10 : i8
    } -> tensor<64x1024xi8>
    return %1 : tensor<64x1024xi8>
  }
}

