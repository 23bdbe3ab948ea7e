#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @main(%x: tensor<256x1000xf32>) -> (tensor<256xf32>, tensor<256xi32>) {
  %ninf = arith.constant 0xFF800000 : f32
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<256xf32>
  %ei = tensor.empty() : tensor<256xi32>
  %a = linalg.fill ins(%ninf : f32) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  %b = linalg.fill ins(%z : i32) outs(%ei : tensor<256xi32>) -> tensor<256xi32>
  %r:2 = linalg.generic {indexing_maps = [#ij, #i, #i], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<256x1000xf32>) outs(%a, %b : tensor<256xf32>, tensor<256xi32>) {
  ^bb0(%v: f32, %m: f32, %k: i32):
    %j = linalg.index 1 : index
    %ji = arith.index_cast %j : index to i32
    %c = arith.cmpf ogt, %v, %m : f32
    %nm = arith.select %c, %v, %m : f32
    %nk = arith.select %c, %ji, %k : i32
    linalg.yield %nm, %nk : f32, i32
  } -> (tensor<256xf32>, tensor<256xi32>)
  return %r#0, %r#1 : tensor<256xf32>, tensor<256xi32>
}
