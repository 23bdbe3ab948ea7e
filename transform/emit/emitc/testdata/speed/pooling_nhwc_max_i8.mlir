func.func @main(%a0: memref<1x33x33x16xi8>, %a1: memref<3x3xi8>, %c: memref<1x16x16x16xi8>) {
  linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a0, %a1 : memref<1x33x33x16xi8>, memref<3x3xi8>) outs(%c : memref<1x16x16x16xi8>)
  return
}
