func.func @main(%x: tensor<8x16x16x32xf32>) -> tensor<8x16x16x32xf32> {
  %z = arith.constant 0.0 : f32
  %n = arith.constant 8192.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e0 = tensor.empty() : tensor<8xf32>
  %f0 = linalg.fill ins(%z : f32) outs(%e0 : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<8x16x16x32xf32>) outs(%f0 : tensor<8xf32>) dimensions = [1, 2, 3]
  %q = linalg.generic {indexing_maps = [affine_map<(i,j,k,l)->(i,j,k,l)>, affine_map<(i,j,k,l)->(i)>, affine_map<(i,j,k,l)->(i)>], iterator_types = ["parallel","reduction","reduction","reduction"]} ins(%x, %s : tensor<8x16x16x32xf32>, tensor<8xf32>) outs(%f0 : tensor<8xf32>) {
  ^bb0(%a: f32, %t: f32, %o: f32):
    %m = arith.divf %t, %n : f32
    %b = arith.subf %a, %m : f32
    %c = arith.mulf %b, %b : f32
    %d = arith.addf %o, %c : f32
    linalg.yield %d : f32
  } -> tensor<8xf32>
  %e = tensor.empty() : tensor<8x16x16x32xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i,j,k,l)->(i,j,k,l)>, affine_map<(i,j,k,l)->(i)>, affine_map<(i,j,k,l)->(i)>, affine_map<(i,j,k,l)->(i,j,k,l)>], iterator_types = ["parallel","parallel","parallel","parallel"]} ins(%x, %s, %q : tensor<8x16x16x32xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8x16x16x32xf32>) {
  ^bb0(%a: f32, %t: f32, %u: f32, %o: f32):
    %m = arith.divf %t, %n : f32
    %v = arith.divf %u, %n : f32
    %p = arith.addf %v, %eps : f32
    %w = math.rsqrt %p : f32
    %b = arith.subf %a, %m : f32
    %c = arith.mulf %b, %w : f32
    linalg.yield %c : f32
  } -> tensor<8x16x16x32xf32>
  return %r : tensor<8x16x16x32xf32>
}
