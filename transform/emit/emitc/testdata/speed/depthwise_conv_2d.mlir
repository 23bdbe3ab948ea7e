func.func @main(%a: memref<1x58x58x128xf32>, %b: memref<3x3x128xf32>, %c: memref<1x56x56x128xf32>) {
  linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<1x58x58x128xf32>, memref<3x3x128xf32>) outs(%c : memref<1x56x56x128xf32>)
  return
}
