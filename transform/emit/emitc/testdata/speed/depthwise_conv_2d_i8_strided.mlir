func.func @main(%x: tensor<1x34x34x40xi8>, %k: tensor<3x3x40xi8>) -> tensor<1x16x16x40xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x16x16x40xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<1x16x16x40xi32>) -> tensor<1x16x16x40xi32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<2> : tensor<2xi64>} ins(%x, %k : tensor<1x34x34x40xi8>, tensor<3x3x40xi8>) outs(%f : tensor<1x16x16x40xi32>) -> tensor<1x16x16x40xi32>
  return %r : tensor<1x16x16x40xi32>
}
