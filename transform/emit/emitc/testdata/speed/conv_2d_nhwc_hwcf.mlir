func.func @main(%a: memref<1x18x18x16xf32>, %b: memref<3x3x16x32xf32>, %c: memref<1x16x16x32xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<1x18x18x16xf32>, memref<3x3x16x32xf32>) outs(%c : memref<1x16x16x32xf32>)
  return
}
