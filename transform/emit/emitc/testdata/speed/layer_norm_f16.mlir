#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
func.func @layer_norm(%x: tensor<128x768xf16>, %g: tensor<768xf16>, %b: tensor<768xf16>) -> tensor<128x768xf16> {
  %z = arith.constant 0.0 : f16
  %n = arith.constant 768.0 : f16
  %eps = arith.constant 1.0e-5 : f16
  %e1 = tensor.empty() : tensor<128xf16>
  %f1 = linalg.fill ins(%z : f16) outs(%e1 : tensor<128xf16>) -> tensor<128xf16>
  %s = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<128x768xf16>) outs(%f1 : tensor<128xf16>) {
  ^bb0(%a: f16, %o: f16):
    %r = arith.addf %a, %o : f16
    linalg.yield %r : f16
  } -> tensor<128xf16>
  %v = linalg.generic {indexing_maps = [#map, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %s : tensor<128x768xf16>, tensor<128xf16>) outs(%f1 : tensor<128xf16>) {
  ^bb0(%a: f16, %sum: f16, %o: f16):
    %m = arith.divf %sum, %n : f16
    %d = arith.subf %a, %m : f16
    %q = arith.mulf %d, %d : f16
    %r = arith.addf %q, %o : f16
    linalg.yield %r : f16
  } -> tensor<128xf16>
  %e2 = tensor.empty() : tensor<128x768xf16>
  %y = linalg.generic {indexing_maps = [#map, #row, #row, #col, #col, #map], iterator_types = ["parallel", "parallel"]} ins(%x, %s, %v, %g, %b : tensor<128x768xf16>, tensor<128xf16>, tensor<128xf16>, tensor<768xf16>, tensor<768xf16>) outs(%e2 : tensor<128x768xf16>) {
  ^bb0(%a: f16, %sum: f16, %var: f16, %gg: f16, %bb: f16, %o: f16):
    %m = arith.divf %sum, %n : f16
    %d = arith.subf %a, %m : f16
    %vv = arith.divf %var, %n : f16
    %ve = arith.addf %vv, %eps : f16
    %rs = math.rsqrt %ve : f16
    %q = arith.mulf %d, %rs : f16
    %w = arith.mulf %q, %gg : f16
    %r = arith.addf %w, %bb : f16
    linalg.yield %r : f16
  } -> tensor<128x768xf16>
  return %y : tensor<128x768xf16>
}
