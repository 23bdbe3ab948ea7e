func.func @main(%a: memref<1x30x30x32xf32>, %b: memref<32x3x3x32xf32>, %c: memref<1x28x28x32xf32>) {
  linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<1x30x30x32xf32>, memref<32x3x3x32xf32>) outs(%c : memref<1x28x28x32xf32>)
  return
}
