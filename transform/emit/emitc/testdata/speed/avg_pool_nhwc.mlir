func.func @main(%x: tensor<1x56x56x32xf32>) -> tensor<1x28x28x32xf32> {
  %z = arith.constant 0.0 : f32
  %w = tensor.empty() : tensor<2x2xf32>
  %e = tensor.empty() : tensor<1x28x28x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x28x28x32xf32>) -> tensor<1x28x28x32xf32>
  %0 = linalg.pooling_nhwc_sum {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x56x56x32xf32>, tensor<2x2xf32>) outs(%f : tensor<1x28x28x32xf32>) -> tensor<1x28x28x32xf32>
  %q = arith.constant 0.25 : f32
  %r = linalg.generic {indexing_maps = [affine_map<(a,b,c,d)->(a,b,c,d)>, affine_map<(a,b,c,d)->(a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]} ins(%0 : tensor<1x28x28x32xf32>) outs(%e : tensor<1x28x28x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.mulf %a, %q : f32
    linalg.yield %b : f32
  } -> tensor<1x28x28x32xf32>
  return %r : tensor<1x28x28x32xf32>
}
