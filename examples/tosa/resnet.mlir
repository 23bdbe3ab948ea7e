// ResNet-18 in TOSA, as a model is published in it, with small images and few channels: a stem,
// four stages of two blocks with shortcuts, the mean of each channel, and a classifier.
func.func @resnet(
    %image: tensor<1x32x32x3xf32>,
    %stem_w: tensor<4x7x7x3xf32>,
    %stem_b: tensor<4xf32>,
    %stage1_1_conv1_w: tensor<4x3x3x4xf32>,
    %stage1_1_conv1_b: tensor<4xf32>,
    %stage1_1_conv2_w: tensor<4x3x3x4xf32>,
    %stage1_1_conv2_b: tensor<4xf32>,
    %stage1_2_conv1_w: tensor<4x3x3x4xf32>,
    %stage1_2_conv1_b: tensor<4xf32>,
    %stage1_2_conv2_w: tensor<4x3x3x4xf32>,
    %stage1_2_conv2_b: tensor<4xf32>,
    %stage2_1_conv1_w: tensor<8x3x3x4xf32>,
    %stage2_1_conv1_b: tensor<8xf32>,
    %stage2_1_conv2_w: tensor<8x3x3x8xf32>,
    %stage2_1_conv2_b: tensor<8xf32>,
    %stage2_1_down_w: tensor<8x1x1x4xf32>,
    %stage2_1_down_b: tensor<8xf32>,
    %stage2_2_conv1_w: tensor<8x3x3x8xf32>,
    %stage2_2_conv1_b: tensor<8xf32>,
    %stage2_2_conv2_w: tensor<8x3x3x8xf32>,
    %stage2_2_conv2_b: tensor<8xf32>,
    %stage3_1_conv1_w: tensor<16x3x3x8xf32>,
    %stage3_1_conv1_b: tensor<16xf32>,
    %stage3_1_conv2_w: tensor<16x3x3x16xf32>,
    %stage3_1_conv2_b: tensor<16xf32>,
    %stage3_1_down_w: tensor<16x1x1x8xf32>,
    %stage3_1_down_b: tensor<16xf32>,
    %stage3_2_conv1_w: tensor<16x3x3x16xf32>,
    %stage3_2_conv1_b: tensor<16xf32>,
    %stage3_2_conv2_w: tensor<16x3x3x16xf32>,
    %stage3_2_conv2_b: tensor<16xf32>,
    %stage4_1_conv1_w: tensor<32x3x3x16xf32>,
    %stage4_1_conv1_b: tensor<32xf32>,
    %stage4_1_conv2_w: tensor<32x3x3x32xf32>,
    %stage4_1_conv2_b: tensor<32xf32>,
    %stage4_1_down_w: tensor<32x1x1x16xf32>,
    %stage4_1_down_b: tensor<32xf32>,
    %stage4_2_conv1_w: tensor<32x3x3x32xf32>,
    %stage4_2_conv1_b: tensor<32xf32>,
    %stage4_2_conv2_w: tensor<32x3x3x32xf32>,
    %stage4_2_conv2_b: tensor<32xf32>,
    %fc_w: tensor<10x32xf32>,
    %fc_b: tensor<10xf32>) -> tensor<1x10xf32> {
  %stem = tosa.conv2d %image, %stem_w, %stem_b {pad = array<i64: 3, 2, 3, 2>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x32x32x3xf32>, tensor<4x7x7x3xf32>, tensor<4xf32>) -> tensor<1x16x16x4xf32>
  %stem_relu = tosa.clamp %stem {min_int = 0 : i64, max_int = 2147483647 : i64, min_fp = 0.0 : f32, max_fp = 3.40282347E+38 : f32} : (tensor<1x16x16x4xf32>) -> tensor<1x16x16x4xf32>
  %pool = tosa.max_pool2d %stem_relu {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 0, 1, 0>} : (tensor<1x16x16x4xf32>) -> tensor<1x8x8x4xf32>
  %stage1_1_conv1 = tosa.conv2d %pool, %stage1_1_conv1_w, %stage1_1_conv1_b {pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<4x3x3x4xf32>, tensor<4xf32>) -> tensor<1x8x8x4xf32>
  %stage1_1_conv1_relu = tosa.clamp %stage1_1_conv1 {min_int = 0 : i64, max_int = 2147483647 : i64, min_fp = 0.0 : f32, max_fp = 3.40282347E+38 : f32} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %stage1_1_conv2 = tosa.conv2d %stage1_1_conv1_relu, %stage1_1_conv2_w, %stage1_1_conv2_b {pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<4x3x3x4xf32>, tensor<4xf32>) -> tensor<1x8x8x4xf32>
  %stage1_1_sum = tosa.add %stage1_1_conv2, %pool : (tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %stage1_1_relu = tosa.clamp %stage1_1_sum {min_int = 0 : i64, max_int = 2147483647 : i64, min_fp = 0.0 : f32, max_fp = 3.40282347E+38 : f32} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %stage1_2_conv1 = tosa.conv2d %stage1_1_relu, %stage1_2_conv1_w, %stage1_2_conv1_b {pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<4x3x3x4xf32>, tensor<4xf32>) -> tensor<1x8x8x4xf32>
  %stage1_2_conv1_relu = tosa.clamp %stage1_2_conv1 {min_int = 0 : i64, max_int = 2147483647 : i64, min_fp = 0.0 : f32, max_fp = 3.40282347E+38 : f32} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %stage1_2_conv2 = tosa.conv2d %stage1_2_conv1_relu, %stage1_2_conv2_w, %stage1_2_conv2_b {pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<4x3x3x4xf32>, tensor<4xf32>) -> tensor<1x8x8x4xf32>
  %stage1_2_sum = tosa.add %stage1_2_conv2, %stage1_1_relu : (tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %stage1_2_relu = tosa.clamp %stage1_2_sum {min_int = 0 : i64, max_int = 2147483647 : i64, min_fp = 0.0 : f32, max_fp = 3.40282347E+38 : f32} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %stage2_1_conv1 = tosa.conv2d %stage1_2_relu, %stage2_1_conv1_w, %stage2_1_conv1_b {pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<8x3x3x4xf32>, tensor<8xf32>) -> tensor<1x4x4x8xf32>
  %stage2_1_conv1_relu = tosa.clamp %stage2_1_conv1 {min_int = 0 : i64, max_int = 2147483647 : i64, min_fp = 0.0 : f32, max_fp = 3.40282347E+38 : f32} : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %stage2_1_conv2 = tosa.conv2d %stage2_1_conv1_relu, %stage2_1_conv2_w, %stage2_1_conv2_b {pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x8xf32>, tensor<8x3x3x8xf32>, tensor<8xf32>) -> tensor<1x4x4x8xf32>
  %stage2_1_down = tosa.conv2d %stage1_2_relu, %stage2_1_down_w, %stage2_1_down_b {pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<8x1x1x4xf32>, tensor<8xf32>) -> tensor<1x4x4x8xf32>
  %stage2_1_sum = tosa.add %stage2_1_conv2, %stage2_1_down : (tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %stage2_1_relu = tosa.clamp %stage2_1_sum {min_int = 0 : i64, max_int = 2147483647 : i64, min_fp = 0.0 : f32, max_fp = 3.40282347E+38 : f32} : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %stage2_2_conv1 = tosa.conv2d %stage2_1_relu, %stage2_2_conv1_w, %stage2_2_conv1_b {pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x8xf32>, tensor<8x3x3x8xf32>, tensor<8xf32>) -> tensor<1x4x4x8xf32>
  %stage2_2_conv1_relu = tosa.clamp %stage2_2_conv1 {min_int = 0 : i64, max_int = 2147483647 : i64, min_fp = 0.0 : f32, max_fp = 3.40282347E+38 : f32} : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %stage2_2_conv2 = tosa.conv2d %stage2_2_conv1_relu, %stage2_2_conv2_w, %stage2_2_conv2_b {pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x8xf32>, tensor<8x3x3x8xf32>, tensor<8xf32>) -> tensor<1x4x4x8xf32>
  %stage2_2_sum = tosa.add %stage2_2_conv2, %stage2_1_relu : (tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %stage2_2_relu = tosa.clamp %stage2_2_sum {min_int = 0 : i64, max_int = 2147483647 : i64, min_fp = 0.0 : f32, max_fp = 3.40282347E+38 : f32} : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %stage3_1_conv1 = tosa.conv2d %stage2_2_relu, %stage3_1_conv1_w, %stage3_1_conv1_b {pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x8xf32>, tensor<16x3x3x8xf32>, tensor<16xf32>) -> tensor<1x2x2x16xf32>
  %stage3_1_conv1_relu = tosa.clamp %stage3_1_conv1 {min_int = 0 : i64, max_int = 2147483647 : i64, min_fp = 0.0 : f32, max_fp = 3.40282347E+38 : f32} : (tensor<1x2x2x16xf32>) -> tensor<1x2x2x16xf32>
  %stage3_1_conv2 = tosa.conv2d %stage3_1_conv1_relu, %stage3_1_conv2_w, %stage3_1_conv2_b {pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x2x2x16xf32>, tensor<16x3x3x16xf32>, tensor<16xf32>) -> tensor<1x2x2x16xf32>
  %stage3_1_down = tosa.conv2d %stage2_2_relu, %stage3_1_down_w, %stage3_1_down_b {pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x8xf32>, tensor<16x1x1x8xf32>, tensor<16xf32>) -> tensor<1x2x2x16xf32>
  %stage3_1_sum = tosa.add %stage3_1_conv2, %stage3_1_down : (tensor<1x2x2x16xf32>, tensor<1x2x2x16xf32>) -> tensor<1x2x2x16xf32>
  %stage3_1_relu = tosa.clamp %stage3_1_sum {min_int = 0 : i64, max_int = 2147483647 : i64, min_fp = 0.0 : f32, max_fp = 3.40282347E+38 : f32} : (tensor<1x2x2x16xf32>) -> tensor<1x2x2x16xf32>
  %stage3_2_conv1 = tosa.conv2d %stage3_1_relu, %stage3_2_conv1_w, %stage3_2_conv1_b {pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x2x2x16xf32>, tensor<16x3x3x16xf32>, tensor<16xf32>) -> tensor<1x2x2x16xf32>
  %stage3_2_conv1_relu = tosa.clamp %stage3_2_conv1 {min_int = 0 : i64, max_int = 2147483647 : i64, min_fp = 0.0 : f32, max_fp = 3.40282347E+38 : f32} : (tensor<1x2x2x16xf32>) -> tensor<1x2x2x16xf32>
  %stage3_2_conv2 = tosa.conv2d %stage3_2_conv1_relu, %stage3_2_conv2_w, %stage3_2_conv2_b {pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x2x2x16xf32>, tensor<16x3x3x16xf32>, tensor<16xf32>) -> tensor<1x2x2x16xf32>
  %stage3_2_sum = tosa.add %stage3_2_conv2, %stage3_1_relu : (tensor<1x2x2x16xf32>, tensor<1x2x2x16xf32>) -> tensor<1x2x2x16xf32>
  %stage3_2_relu = tosa.clamp %stage3_2_sum {min_int = 0 : i64, max_int = 2147483647 : i64, min_fp = 0.0 : f32, max_fp = 3.40282347E+38 : f32} : (tensor<1x2x2x16xf32>) -> tensor<1x2x2x16xf32>
  %stage4_1_conv1 = tosa.conv2d %stage3_2_relu, %stage4_1_conv1_w, %stage4_1_conv1_b {pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x2x2x16xf32>, tensor<32x3x3x16xf32>, tensor<32xf32>) -> tensor<1x1x1x32xf32>
  %stage4_1_conv1_relu = tosa.clamp %stage4_1_conv1 {min_int = 0 : i64, max_int = 2147483647 : i64, min_fp = 0.0 : f32, max_fp = 3.40282347E+38 : f32} : (tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %stage4_1_conv2 = tosa.conv2d %stage4_1_conv1_relu, %stage4_1_conv2_w, %stage4_1_conv2_b {pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x1x1x32xf32>, tensor<32x3x3x32xf32>, tensor<32xf32>) -> tensor<1x1x1x32xf32>
  %stage4_1_down = tosa.conv2d %stage3_2_relu, %stage4_1_down_w, %stage4_1_down_b {pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x2x2x16xf32>, tensor<32x1x1x16xf32>, tensor<32xf32>) -> tensor<1x1x1x32xf32>
  %stage4_1_sum = tosa.add %stage4_1_conv2, %stage4_1_down : (tensor<1x1x1x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %stage4_1_relu = tosa.clamp %stage4_1_sum {min_int = 0 : i64, max_int = 2147483647 : i64, min_fp = 0.0 : f32, max_fp = 3.40282347E+38 : f32} : (tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %stage4_2_conv1 = tosa.conv2d %stage4_1_relu, %stage4_2_conv1_w, %stage4_2_conv1_b {pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x1x1x32xf32>, tensor<32x3x3x32xf32>, tensor<32xf32>) -> tensor<1x1x1x32xf32>
  %stage4_2_conv1_relu = tosa.clamp %stage4_2_conv1 {min_int = 0 : i64, max_int = 2147483647 : i64, min_fp = 0.0 : f32, max_fp = 3.40282347E+38 : f32} : (tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %stage4_2_conv2 = tosa.conv2d %stage4_2_conv1_relu, %stage4_2_conv2_w, %stage4_2_conv2_b {pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x1x1x32xf32>, tensor<32x3x3x32xf32>, tensor<32xf32>) -> tensor<1x1x1x32xf32>
  %stage4_2_sum = tosa.add %stage4_2_conv2, %stage4_1_relu : (tensor<1x1x1x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %stage4_2_relu = tosa.clamp %stage4_2_sum {min_int = 0 : i64, max_int = 2147483647 : i64, min_fp = 0.0 : f32, max_fp = 3.40282347E+38 : f32} : (tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %mean = tosa.avg_pool2d %stage4_2_relu {kernel = array<i64: 1, 1>, stride = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, acc_type = f32} : (tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %features = tosa.reshape %mean {new_shape = array<i64: 1, 32>} : (tensor<1x1x1x32xf32>) -> tensor<1x32xf32>
  %scores = tosa.fully_connected %features, %fc_w, %fc_b : (tensor<1x32xf32>, tensor<10x32xf32>, tensor<10xf32>) -> tensor<1x10xf32>
  return %scores : tensor<1x10xf32>
}
