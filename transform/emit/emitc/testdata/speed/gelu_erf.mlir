#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @gelu(%x: tensor<128x1024xf32>) -> tensor<128x1024xf32> {
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<128x1024xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<128x1024xf32>) outs(%e : tensor<128x1024xf32>) {
  ^bb0(%a: f32, %o: f32):
    %k = arith.constant 0.70710678 : f32
    %t = arith.mulf %a, %k : f32
    %u = math.erf %t : f32
    %v = arith.addf %u, %one : f32
    %h = arith.mulf %a, %half : f32
    %r = arith.mulf %h, %v : f32
    linalg.yield %r : f32
  } -> tensor<128x1024xf32>
  return %0 : tensor<128x1024xf32>
}
