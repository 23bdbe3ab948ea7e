func.func @add(%x: tensor<256x1024xf16>, %y: tensor<256x1024xf16>) -> tensor<256x1024xf16> {
  %e = tensor.empty() : tensor<256x1024xf16>
  %0 = linalg.add ins(%x, %y : tensor<256x1024xf16>, tensor<256x1024xf16>) outs(%e : tensor<256x1024xf16>) -> tensor<256x1024xf16>
  return %0 : tensor<256x1024xf16>
}
