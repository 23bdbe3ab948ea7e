func.func @main(%a: tensor<3x8x7x9xf16>) -> tensor<3x8x7x9xf16> {
  %z = arith.constant 0.0 : f16
  %n = arith.constant 504.0 : f16
  %eps = arith.constant 1.0e-3 : f16
  %r = tensor.empty() : tensor<3xf16>
  %t = tensor.empty() : tensor<3x8x7x9xf16>
  %z0 = linalg.fill ins(%z : f16) outs(%r : tensor<3xf16>) -> tensor<3xf16>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0)>], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%a : tensor<3x8x7x9xf16>) outs(%z0 : tensor<3xf16>) {
  ^bb0(%x: f16, %y: f16):
    %q = arith.addf %x, %y : f16
    linalg.yield %q : f16
  } -> tensor<3xf16>
  %mu = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%s : tensor<3xf16>) outs(%r : tensor<3xf16>) {
  ^bb0(%x: f16, %y: f16):
    %q = arith.divf %x, %n : f16
    linalg.yield %q : f16
  } -> tensor<3xf16>
  %v = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0)>, affine_map<(d0, d1, d2, d3) -> (d0)>], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%a, %mu : tensor<3x8x7x9xf16>, tensor<3xf16>) outs(%z0 : tensor<3xf16>) {
  ^bb0(%x: f16, %m: f16, %y: f16):
    %d = arith.subf %x, %m : f16
    %q = arith.mulf %d, %d : f16
    %p = arith.addf %q, %y : f16
    linalg.yield %p : f16
  } -> tensor<3xf16>
  %rs = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%v : tensor<3xf16>) outs(%r : tensor<3xf16>) {
  ^bb0(%x: f16, %y: f16):
    %q = arith.divf %x, %n : f16
    %p = arith.addf %q, %eps : f16
    %o = math.rsqrt %p : f16
    linalg.yield %o : f16
  } -> tensor<3xf16>
  %d = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0)>, affine_map<(d0, d1, d2, d3) -> (d0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a, %mu, %rs : tensor<3x8x7x9xf16>, tensor<3xf16>, tensor<3xf16>) outs(%t : tensor<3x8x7x9xf16>) {
  ^bb0(%x: f16, %m: f16, %y: f16, %o: f16):
    %q = arith.subf %x, %m : f16
    %p = arith.mulf %q, %y : f16
    linalg.yield %p : f16
  } -> tensor<3x8x7x9xf16>
  return %d : tensor<3x8x7x9xf16>
}