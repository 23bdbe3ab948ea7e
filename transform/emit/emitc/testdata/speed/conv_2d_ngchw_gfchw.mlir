func.func @main(%x: tensor<1x4x8x30x30xf32>, %w: tensor<4x16x8x3x3xf32>) -> tensor<1x4x16x28x28xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x16x28x28xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x4x16x28x28xf32>) -> tensor<1x4x16x28x28xf32>
  %r = linalg.conv_2d_ngchw_gfchw {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x4x8x30x30xf32>, tensor<4x16x8x3x3xf32>) outs(%f : tensor<1x4x16x28x28xf32>) -> tensor<1x4x16x28x28xf32>
  return %r : tensor<1x4x16x28x28xf32>
}
