func.func @main(%a0: memref<1x64x7x7xf32>, %a1: memref<96x64x3x3xf32>, %c: memref<1x96x5x5xf32>) {
  linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a0, %a1 : memref<1x64x7x7xf32>, memref<96x64x3x3xf32>) outs(%c : memref<1x96x5x5xf32>)
  return
}
