func.func @main(%x: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %e = tensor.empty() : tensor<64x256xf32>
  %h = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %c = arith.constant 0.044715 : f32
  %k = arith.constant 0.7978846 : f32
  %r = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%x : tensor<64x256xf32>) outs(%e : tensor<64x256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.mulf %a, %a : f32
    %d = arith.mulf %b, %a : f32
    %f = arith.mulf %d, %c : f32
    %g = arith.addf %a, %f : f32
    %i = arith.mulf %g, %k : f32
    %t = math.tanh %i : f32
    %u = arith.addf %t, %one : f32
    %v = arith.mulf %a, %h : f32
    %w = arith.mulf %v, %u : f32
    linalg.yield %w : f32
  } -> tensor<64x256xf32>
  return %r : tensor<64x256xf32>
}
