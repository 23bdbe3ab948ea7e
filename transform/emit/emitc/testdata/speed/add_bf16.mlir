#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @add_bf16(%arg0: tensor<64x1024xbf16>, %arg1: tensor<64x1024xbf16>) -> tensor<64x1024xbf16> {
    %0 = tensor.empty() : tensor<64x1024xbf16>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<64x1024xbf16>, tensor<64x1024xbf16>) outs(%0 : tensor<64x1024xbf16>) {
    ^bb0(%in: bf16, %in_0: bf16, %out: bf16):
      %2 = arith.addf %in, %in_0 : bf16
      linalg.yield %2 : bf16
    } -> tensor<64x1024xbf16>
    return %1 : tensor<64x1024xbf16>
  }
}

