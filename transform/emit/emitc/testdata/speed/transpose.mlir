func.func @main(%x: tensor<512x384xf32>) -> tensor<384x512xf32> {
  %e = tensor.empty() : tensor<384x512xf32>
  %r = linalg.transpose ins(%x : tensor<512x384xf32>) outs(%e : tensor<384x512xf32>) permutation = [1, 0]
  return %r : tensor<384x512xf32>
}
