module {
  func.func @depthwise_conv_2d_i8(%arg0: tensor<1x18x18x64xi8>, %arg1: tensor<3x3x64xi8>) -> tensor<1x16x16x64xi32> {
    %0 = tensor.empty() : tensor<1x16x16x64xi32>
    %c0_i32 = arith.constant 0 : i32
    %c5_i32 = arith.constant 5 : i32
    %c-3_i32 = arith.constant -3 : i32
    %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<1x16x16x64xi32>) -> tensor<1x16x16x64xi32>
    %2 = linalg.depthwise_conv_2d_nhwc_hwc_q ins(%arg0, %arg1, %c5_i32, %c-3_i32 : tensor<1x18x18x64xi8>, tensor<3x3x64xi8>, i32, i32) outs(%1 : tensor<1x16x16x64xi32>) -> tensor<1x16x16x64xi32>
    return %2 : tensor<1x16x16x64xi32>
  }
}

