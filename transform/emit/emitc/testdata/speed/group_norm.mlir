#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0)>
module {
  func.func @group_norm(%arg0: tensor<8x4x1024xf32>) -> tensor<8x4x1024xf32> {
    %0 = tensor.empty() : tensor<8x4x1024xf32>
    %1 = tensor.empty() : tensor<8xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 4.096000e+03 : f32
    %cst_1 = arith.constant 9.99999974E-6 : f32
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<8xf32>) -> tensor<8xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction", "reduction"]} ins(%arg0 : tensor<8x4x1024xf32>) outs(%2 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %6 = arith.addf %out, %in : f32
      linalg.yield %6 : f32
    } -> tensor<8xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction", "reduction"]} ins(%arg0, %3 : tensor<8x4x1024xf32>, tensor<8xf32>) outs(%2 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %6 = arith.divf %in_2, %cst_0 : f32
      %7 = arith.subf %in, %6 : f32
      %8 = arith.mulf %7, %7 : f32
      %9 = arith.addf %out, %8 : f32
      linalg.yield %9 : f32
    } -> tensor<8xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %3, %4 : tensor<8x4x1024xf32>, tensor<8xf32>, tensor<8xf32>) outs(%0 : tensor<8x4x1024xf32>) {
    ^bb0(%in: f32, %in_2: f32, %in_3: f32, %out: f32):
      %6 = arith.divf %in_2, %cst_0 : f32
      %7 = arith.divf %in_3, %cst_0 : f32
      %8 = arith.addf %7, %cst_1 : f32
      %9 = math.rsqrt %8 : f32
      %10 = arith.subf %in, %6 : f32
      %11 = arith.mulf %10, %9 : f32
      linalg.yield %11 : f32
    } -> tensor<8x4x1024xf32>
    return %5 : tensor<8x4x1024xf32>
  }
}

