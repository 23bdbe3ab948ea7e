func.func @main(%x: tensor<128x96xf32>, %w: tensor<128x80xf32>) -> tensor<96x80xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<96x80xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<96x80xf32>) -> tensor<96x80xf32>
  %r = linalg.matmul_transpose_a ins(%x, %w : tensor<128x96xf32>, tensor<128x80xf32>) outs(%f : tensor<96x80xf32>) -> tensor<96x80xf32>
  return %r : tensor<96x80xf32>
}
