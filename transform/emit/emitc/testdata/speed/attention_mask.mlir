func.func @main(%q: tensor<4x64x32xf32>, %k: tensor<4x64x32xf32>, %v: tensor<4x64x32xf32>, %mask: tensor<64x64xi1>) -> tensor<4x64x32xf32> {
  %z = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %neg = arith.constant -1.0e9 : f32
  %scale = arith.constant 0.17677669 : f32
  %e = tensor.empty() : tensor<4x64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  %s = linalg.batch_matmul_transpose_b ins(%q, %k : tensor<4x64x32xf32>, tensor<4x64x32xf32>) outs(%f : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b,i,j)->(b,i,j)>, affine_map<(b,i,j)->(i,j)>, affine_map<(b,i,j)->(b,i,j)>], iterator_types = ["parallel","parallel","parallel"]} ins(%s, %mask : tensor<4x64x64xf32>, tensor<64x64xi1>) outs(%e : tensor<4x64x64xf32>) {
  ^bb0(%a: f32, %c: i1, %o: f32):
    %x = arith.mulf %a, %scale : f32
    %y = arith.select %c, %x, %neg : f32
    linalg.yield %y : f32
  } -> tensor<4x64x64xf32>
  %r0 = tensor.empty() : tensor<4x64xf32>
  %r1 = linalg.fill ins(%ninf : f32) outs(%r0 : tensor<4x64xf32>) -> tensor<4x64xf32>
  %mx = linalg.reduce { arith.maximumf } ins(%m : tensor<4x64x64xf32>) outs(%r1 : tensor<4x64xf32>) dimensions = [2]
  %ex = linalg.generic {indexing_maps = [affine_map<(b,i,j)->(b,i,j)>, affine_map<(b,i,j)->(b,i)>, affine_map<(b,i,j)->(b,i,j)>], iterator_types = ["parallel","parallel","parallel"]} ins(%m, %mx : tensor<4x64x64xf32>, tensor<4x64xf32>) outs(%e : tensor<4x64x64xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %x = arith.subf %a, %c : f32
    %y = math.exp %x : f32
    linalg.yield %y : f32
  } -> tensor<4x64x64xf32>
  %r2 = linalg.fill ins(%z : f32) outs(%r0 : tensor<4x64xf32>) -> tensor<4x64xf32>
  %sm = linalg.reduce { arith.addf } ins(%ex : tensor<4x64x64xf32>) outs(%r2 : tensor<4x64xf32>) dimensions = [2]
  %p = linalg.generic {indexing_maps = [affine_map<(b,i,j)->(b,i,j)>, affine_map<(b,i,j)->(b,i)>, affine_map<(b,i,j)->(b,i,j)>], iterator_types = ["parallel","parallel","parallel"]} ins(%ex, %sm : tensor<4x64x64xf32>, tensor<4x64xf32>) outs(%e : tensor<4x64x64xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %x = arith.divf %a, %c : f32
    linalg.yield %x : f32
  } -> tensor<4x64x64xf32>
  %o0 = tensor.empty() : tensor<4x64x32xf32>
  %o1 = linalg.fill ins(%z : f32) outs(%o0 : tensor<4x64x32xf32>) -> tensor<4x64x32xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x64x64xf32>, tensor<4x64x32xf32>) outs(%o1 : tensor<4x64x32xf32>) -> tensor<4x64x32xf32>
  return %o : tensor<4x64x32xf32>
}
