func.func @softmax(%x: tensor<64x512xf16>) -> tensor<64x512xf16> {
  %e = tensor.empty() : tensor<64x512xf16>
  %z = arith.constant 0.0 : f16
  %ninf = arith.constant 0xFC00 : f16
  %er = tensor.empty() : tensor<64xf16>
  %fm = linalg.fill ins(%ninf : f16) outs(%er : tensor<64xf16>) -> tensor<64xf16>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x512xf16>) outs(%fm : tensor<64xf16>) {
  ^bb0(%a: f16, %o: f16):
    %r = arith.maximumf %a, %o : f16
    linalg.yield %r : f16
  } -> tensor<64xf16>
  %ex = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<64x512xf16>, tensor<64xf16>) outs(%e : tensor<64x512xf16>) {
  ^bb0(%a: f16, %b: f16, %o: f16):
    %d = arith.subf %a, %b : f16
    %r = math.exp %d : f16
    linalg.yield %r : f16
  } -> tensor<64x512xf16>
  %fs = linalg.fill ins(%z : f16) outs(%er : tensor<64xf16>) -> tensor<64xf16>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%ex : tensor<64x512xf16>) outs(%fs : tensor<64xf16>) {
  ^bb0(%a: f16, %o: f16):
    %r = arith.addf %a, %o : f16
    linalg.yield %r : f16
  } -> tensor<64xf16>
  %d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%ex, %s : tensor<64x512xf16>, tensor<64xf16>) outs(%e : tensor<64x512xf16>) {
  ^bb0(%a: f16, %b: f16, %o: f16):
    %r = arith.divf %a, %b : f16
    linalg.yield %r : f16
  } -> tensor<64x512xf16>
  return %d : tensor<64x512xf16>
}
