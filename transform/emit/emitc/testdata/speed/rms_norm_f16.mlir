func.func @main(%a: tensor<7x512xf16>) -> tensor<7x512xf16> {
  %z = arith.constant 0.0 : f16
  %n = arith.constant 512.0 : f16
  %eps = arith.constant 1.0e-3 : f16
  %r = tensor.empty() : tensor<7xf16>
  %t = tensor.empty() : tensor<7x512xf16>
  %z0 = linalg.fill ins(%z : f16) outs(%r : tensor<7xf16>) -> tensor<7xf16>
  %v = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a, %z0 : tensor<7x512xf16>, tensor<7xf16>) outs(%z0 : tensor<7xf16>) {
  ^bb0(%x: f16, %m: f16, %y: f16):
    %d = arith.subf %x, %m : f16
    %q = arith.mulf %d, %d : f16
    %p = arith.addf %q, %y : f16
    linalg.yield %p : f16
  } -> tensor<7xf16>
  %rs = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%v : tensor<7xf16>) outs(%r : tensor<7xf16>) {
  ^bb0(%x: f16, %y: f16):
    %q = arith.divf %x, %n : f16
    %p = arith.addf %q, %eps : f16
    %o = math.rsqrt %p : f16
    linalg.yield %o : f16
  } -> tensor<7xf16>
  %d = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %z0, %rs : tensor<7x512xf16>, tensor<7xf16>, tensor<7xf16>) outs(%t : tensor<7x512xf16>) {
  ^bb0(%x: f16, %m: f16, %y: f16, %o: f16):
    %q = arith.subf %x, %m : f16
    %p = arith.mulf %q, %y : f16
    linalg.yield %p : f16
  } -> tensor<7x512xf16>
  return %d : tensor<7x512xf16>
}