func.func @main(%a: tensor<64x10xf32>) -> tensor<64x10xf32> {
  %inf = arith.constant 0xFF800000 : f32
  %z = arith.constant 0.0 : f32
  %r = tensor.empty() : tensor<64xf32>
  %m0 = linalg.fill ins(%inf : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %s0 = linalg.fill ins(%z : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<64x10xf32>) outs(%m0 : tensor<64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %q = arith.maximumf %x, %y : f32
    linalg.yield %q : f32
  } -> tensor<64xf32>
  %t = tensor.empty() : tensor<64x10xf32>
  %ex = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %m : tensor<64x10xf32>, tensor<64xf32>) outs(%t : tensor<64x10xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %q = arith.subf %x, %y : f32
    %g = math.exp %q : f32
    linalg.yield %g : f32
  } -> tensor<64x10xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%ex : tensor<64x10xf32>) outs(%s0 : tensor<64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %q = arith.addf %x, %y : f32
    linalg.yield %q : f32
  } -> tensor<64xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%ex, %s : tensor<64x10xf32>, tensor<64xf32>) outs(%t : tensor<64x10xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %q = arith.divf %x, %y : f32
    linalg.yield %q : f32
  } -> tensor<64x10xf32>
  return %d : tensor<64x10xf32>
}