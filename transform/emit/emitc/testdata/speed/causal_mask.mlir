#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @causal_mask(%arg0: tensor<256x256xf32>) -> tensor<256x256xf32> {
    %0 = tensor.empty() : tensor<256x256xf32>
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 1.250000e-01 : f32
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<256x256xf32>) outs(%0 : tensor<256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = linalg.index 0 : index
      %3 = linalg.index 1 : index
      %4 = arith.cmpi sge, %2, %3 : index
      %5 = arith.mulf %in, %cst_0 : f32
      %6 = arith.select %4, %5, %cst : f32
      linalg.yield %6 : f32
    } -> tensor<256x256xf32>
    return %1 : tensor<256x256xf32>
  }
}

