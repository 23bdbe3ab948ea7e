func.func @main(%a: memref<1x16x34x34xf32>, %b: memref<16x16x3x3xf32>, %c: memref<1x16x32x32xf32>) {
  linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<1x16x34x34xf32>, memref<16x16x3x3xf32>) outs(%c : memref<1x16x32x32xf32>)
  return
}
