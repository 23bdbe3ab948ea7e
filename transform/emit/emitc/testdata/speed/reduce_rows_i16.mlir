func.func @main(%x: tensor<512x300xi16>) -> tensor<512xi64> {
  %z = arith.constant 0 : i64
  %e = tensor.empty() : tensor<512xi64>
  %f = linalg.fill ins(%z : i64) outs(%e : tensor<512xi64>) -> tensor<512xi64>
  %r = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i)>], iterator_types = ["parallel","reduction"]} ins(%x : tensor<512x300xi16>) outs(%f : tensor<512xi64>) {
  ^bb0(%a: i16, %o: i64):
    %b = arith.extsi %a : i16 to i64
    %c = arith.addi %o, %b : i64
    linalg.yield %c : i64
  } -> tensor<512xi64>
  return %r : tensor<512xi64>
}
