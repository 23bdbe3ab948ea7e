func.func @main(%x: tensor<512x300xi8>) -> tensor<512xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<512xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<512xi32>) -> tensor<512xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i)>], iterator_types = ["parallel","reduction"]} ins(%x : tensor<512x300xi8>) outs(%f : tensor<512xi32>) {
  ^bb0(%a: i8, %o: i32):
    %b = arith.extsi %a : i8 to i32
    %c = arith.addi %o, %b : i32
    linalg.yield %c : i32
  } -> tensor<512xi32>
  return %r : tensor<512xi32>
}
