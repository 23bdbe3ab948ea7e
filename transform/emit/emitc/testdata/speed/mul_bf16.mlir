func.func @main(%x: tensor<64x1024xbf16>, %y: tensor<1024xbf16>) -> tensor<64x1024xbf16> {
  %e = tensor.empty() : tensor<64x1024xbf16>
  %h = arith.constant 0.5 : bf16
  %r = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%x, %y : tensor<64x1024xbf16>, tensor<1024xbf16>) outs(%e : tensor<64x1024xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %c = arith.mulf %a, %b : bf16
    %d = arith.addf %c, %h : bf16
    linalg.yield %d : bf16
  } -> tensor<64x1024xbf16>
  return %r : tensor<64x1024xbf16>
}
