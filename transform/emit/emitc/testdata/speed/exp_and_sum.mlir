#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @exp_and_sum(%arg0: tensor<64x512xf32>, %arg1: tensor<64xf32>) -> (tensor<64x512xf32>, tensor<64xf32>) {
    %0 = tensor.empty() : tensor<64x512xf32>
    %1 = tensor.empty() : tensor<64xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<64xf32>) -> tensor<64xf32>
    %3:2 = linalg.generic {indexing_maps = [#map, #map1, #map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0, %arg1 : tensor<64x512xf32>, tensor<64xf32>) outs(%0, %2 : tensor<64x512xf32>, tensor<64xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32, %out_1: f32):
      %4 = arith.subf %in, %in_0 : f32
      %5 = math.exp %4 : f32
      %6 = arith.addf %out_1, %5 : f32
      linalg.yield %5, %6 : f32, f32
    } -> (tensor<64x512xf32>, tensor<64xf32>)
    return %3#0, %3#1 : tensor<64x512xf32>, tensor<64xf32>
  }
}

