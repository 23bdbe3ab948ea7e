func.func @main(%t: tensor<1000x64xf32>, %ids: tensor<128xi64>) -> tensor<128x64xf32> {
  %e = tensor.empty() : tensor<128x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i,j)->(i)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%ids : tensor<128xi64>) outs(%e : tensor<128x64xf32>) {
  ^bb0(%a: i64, %o: f32):
    %b = arith.index_cast %a : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %t[%b, %j] : tensor<1000x64xf32>
    linalg.yield %v : f32
  } -> tensor<128x64xf32>
  return %r : tensor<128x64xf32>
}
