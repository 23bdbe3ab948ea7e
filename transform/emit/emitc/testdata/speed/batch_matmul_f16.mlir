func.func @main(%x: tensor<4x48x64xf16>, %w: tensor<4x64x48xf16>) -> tensor<4x48x48xf16> {
  %z = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<4x48x48xf16>
  %f = linalg.fill ins(%z : f16) outs(%e : tensor<4x48x48xf16>) -> tensor<4x48x48xf16>
  %r = linalg.batch_matmul ins(%x, %w : tensor<4x48x64xf16>, tensor<4x64x48xf16>) outs(%f : tensor<4x48x48xf16>) -> tensor<4x48x48xf16>
  return %r : tensor<4x48x48xf16>
}
