func.func @main(%x: tensor<64x1024xi8>, %y: tensor<64x1024xi8>) -> tensor<64x1024xi8> {
  %e = tensor.empty() : tensor<64x1024xi8>
  %lo = arith.constant -128 : i32
  %hi = arith.constant 127 : i32
  %c20 = arith.constant 20 : i32
  %m1 = arith.constant 1073741824 : i32
  %m2 = arith.constant 1273741824 : i32
  %s1 = arith.constant 31 : i8
  %s2 = arith.constant 50 : i8
  %r = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%x, %y : tensor<64x1024xi8>, tensor<64x1024xi8>) outs(%e : tensor<64x1024xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %a1 = arith.extsi %a : i8 to i32
    %b1 = arith.extsi %b : i8 to i32
    %a2 = arith.shli %a1, %c20 : i32
    %b2 = arith.shli %b1, %c20 : i32
    %a3 = tosa.apply_scale %a2, %m1, %s1 {double_round = true} : (i32, i32, i8) -> i32
    %b3 = tosa.apply_scale %b2, %m2, %s1 {double_round = true} : (i32, i32, i8) -> i32
    %s = arith.addi %a3, %b3 : i32
    %t = tosa.apply_scale %s, %m2, %s2 {double_round = true} : (i32, i32, i8) -> i32
    %u = arith.maxsi %t, %lo : i32
    %v = arith.minsi %u, %hi : i32
    %w = arith.trunci %v : i32 to i8
    linalg.yield %w : i8
  } -> tensor<64x1024xi8>
  return %r : tensor<64x1024xi8>
}
