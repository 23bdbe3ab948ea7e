func.func @main(%x: tensor<256x100xi8>) -> tensor<256xi32> {
  %z = arith.constant 0 : i32
  %l = arith.constant -128 : i8
  %e = tensor.empty() : tensor<256xi32>
  %e8 = tensor.empty() : tensor<256xi8>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<256xi32>) -> tensor<256xi32>
  %f8 = linalg.fill ins(%l : i8) outs(%e8 : tensor<256xi8>) -> tensor<256xi8>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i)>, affine_map<(i,j)->(i)>], iterator_types = ["parallel","reduction"]} ins(%x : tensor<256x100xi8>) outs(%f, %f8 : tensor<256xi32>, tensor<256xi8>) {
  ^bb0(%a: i8, %bi: i32, %bv: i8):
    %j = linalg.index 1 : index
    %ji = arith.index_cast %j : index to i32
    %c = arith.cmpi sgt, %a, %bv : i8
    %v = arith.select %c, %a, %bv : i8
    %i = arith.select %c, %ji, %bi : i32
    linalg.yield %i, %v : i32, i8
  } -> (tensor<256xi32>, tensor<256xi8>)
  return %r#0 : tensor<256xi32>
}
