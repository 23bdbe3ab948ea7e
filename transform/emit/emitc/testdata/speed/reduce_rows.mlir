func.func @main(%x: tensor<512x300xf32>) -> tensor<300xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<300xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<300xf32>) -> tensor<300xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<512x300xf32>) outs(%f : tensor<300xf32>) dimensions = [0]
  return %r : tensor<300xf32>
}
