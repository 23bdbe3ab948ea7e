func.func @main(%x: tensor<64x128xi8>, %w: tensor<128x96xi8>) -> tensor<64x96xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<64x96xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<64x96xi32>) -> tensor<64x96xi32>
  %r = linalg.matmul ins(%x, %w : tensor<64x128xi8>, tensor<128x96xi8>) outs(%f : tensor<64x96xi32>) -> tensor<64x96xi32>
  return %r : tensor<64x96xi32>
}
