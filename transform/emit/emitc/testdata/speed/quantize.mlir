func.func @main(%x: tensor<64x1024xf32>) -> tensor<64x1024xi8> {
  %e = tensor.empty() : tensor<64x1024xi8>
  %s = arith.constant 12.5 : f32
  %zp = arith.constant 3.0 : f32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %r = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%x : tensor<64x1024xf32>) outs(%e : tensor<64x1024xi8>) {
  ^bb0(%a: f32, %o: i8):
    %b = arith.mulf %a, %s : f32
    %c = math.roundeven %b : f32
    %d = arith.addf %c, %zp : f32
    %f = arith.maximumf %d, %lo : f32
    %g = arith.minimumf %f, %hi : f32
    %h = arith.fptosi %g : f32 to i8
    linalg.yield %h : i8
  } -> tensor<64x1024xi8>
  return %r : tensor<64x1024xi8>
}
