module @all attributes {mhlo.num_partitions = 1 : i32} {
  func.func @abs(%a0: tensor<2xf32>) {
    %0 = stablehlo.abs %a0 : tensor<2xf32>
    return
  }
  func.func @ceil(%a0: tensor<2xf32>) {
    %0 = stablehlo.ceil %a0 : tensor<2xf32>
    return
  }
  func.func @count_leading_zeros(%a0: tensor<2xi32>) {
    %0 = stablehlo.count_leading_zeros %a0 : tensor<2xi32>
    return
  }
  func.func @floor(%a0: tensor<2xf32>) {
    %0 = stablehlo.floor %a0 : tensor<2xf32>
    return
  }
  func.func @negate(%a0: tensor<2xf32>) {
    %0 = stablehlo.negate %a0 : tensor<2xf32>
    return
  }
  func.func @popcnt(%a0: tensor<2xi32>) {
    %0 = stablehlo.popcnt %a0 : tensor<2xi32>
    return
  }
  func.func @round_nearest_afz(%a0: tensor<2xf32>) {
    %0 = stablehlo.round_nearest_afz %a0 : tensor<2xf32>
    return
  }
  func.func @round_nearest_even(%a0: tensor<2xf32>) {
    %0 = stablehlo.round_nearest_even %a0 : tensor<2xf32>
    return
  }
  func.func @sign(%a0: tensor<2xf32>) {
    %0 = stablehlo.sign %a0 : tensor<2xf32>
    return
  }
  func.func @cbrt(%a0: tensor<2xf32>) {
    %0 = stablehlo.cbrt %a0 : tensor<2xf32>
    return
  }
  func.func @cbrt_accurate(%a0: tensor<2xf32>) {
    %0 = stablehlo.cbrt %a0 {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>
    return
  }
  func.func @cosine(%a0: tensor<2xf32>) {
    %0 = stablehlo.cosine %a0 : tensor<2xf32>
    return
  }
  func.func @cosine_accurate(%a0: tensor<2xf32>) {
    %0 = stablehlo.cosine %a0 {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>
    return
  }
  func.func @exponential(%a0: tensor<2xf32>) {
    %0 = stablehlo.exponential %a0 : tensor<2xf32>
    return
  }
  func.func @exponential_accurate(%a0: tensor<2xf32>) {
    %0 = stablehlo.exponential %a0 {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>
    return
  }
  func.func @exponential_minus_one(%a0: tensor<2xf32>) {
    %0 = stablehlo.exponential_minus_one %a0 : tensor<2xf32>
    return
  }
  func.func @exponential_minus_one_accurate(%a0: tensor<2xf32>) {
    %0 = stablehlo.exponential_minus_one %a0 {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>
    return
  }
  func.func @log(%a0: tensor<2xf32>) {
    %0 = stablehlo.log %a0 : tensor<2xf32>
    return
  }
  func.func @log_accurate(%a0: tensor<2xf32>) {
    %0 = stablehlo.log %a0 {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>
    return
  }
  func.func @log_plus_one(%a0: tensor<2xf32>) {
    %0 = stablehlo.log_plus_one %a0 : tensor<2xf32>
    return
  }
  func.func @log_plus_one_accurate(%a0: tensor<2xf32>) {
    %0 = stablehlo.log_plus_one %a0 {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>
    return
  }
  func.func @logistic(%a0: tensor<2xf32>) {
    %0 = stablehlo.logistic %a0 : tensor<2xf32>
    return
  }
  func.func @logistic_accurate(%a0: tensor<2xf32>) {
    %0 = stablehlo.logistic %a0 {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>
    return
  }
  func.func @rsqrt(%a0: tensor<2xf32>) {
    %0 = stablehlo.rsqrt %a0 : tensor<2xf32>
    return
  }
  func.func @rsqrt_accurate(%a0: tensor<2xf32>) {
    %0 = stablehlo.rsqrt %a0 {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>
    return
  }
  func.func @sine(%a0: tensor<2xf32>) {
    %0 = stablehlo.sine %a0 : tensor<2xf32>
    return
  }
  func.func @sine_accurate(%a0: tensor<2xf32>) {
    %0 = stablehlo.sine %a0 {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>
    return
  }
  func.func @sqrt(%a0: tensor<2xf32>) {
    %0 = stablehlo.sqrt %a0 : tensor<2xf32>
    return
  }
  func.func @sqrt_accurate(%a0: tensor<2xf32>) {
    %0 = stablehlo.sqrt %a0 {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>
    return
  }
  func.func @tan(%a0: tensor<2xf32>) {
    %0 = stablehlo.tan %a0 : tensor<2xf32>
    return
  }
  func.func @tan_accurate(%a0: tensor<2xf32>) {
    %0 = stablehlo.tan %a0 {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>
    return
  }
  func.func @tanh(%a0: tensor<2xf32>) {
    %0 = stablehlo.tanh %a0 : tensor<2xf32>
    return
  }
  func.func @tanh_accurate(%a0: tensor<2xf32>) {
    %0 = stablehlo.tanh %a0 {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>
    return
  }
  func.func @add(%a0: tensor<2xf32>, %a1: tensor<2xf32>) {
    %0 = stablehlo.add %a0, %a1 : tensor<2xf32>
    return
  }
  func.func @and(%a0: tensor<2xi32>, %a1: tensor<2xi32>) {
    %0 = stablehlo.and %a0, %a1 : tensor<2xi32>
    return
  }
  func.func @atan2(%a0: tensor<2xf32>, %a1: tensor<2xf32>) {
    %0 = stablehlo.atan2 %a0, %a1 : tensor<2xf32>
    return
  }
  func.func @divide(%a0: tensor<2xf32>, %a1: tensor<2xf32>) {
    %0 = stablehlo.divide %a0, %a1 : tensor<2xf32>
    return
  }
  func.func @maximum(%a0: tensor<2xf32>, %a1: tensor<2xf32>) {
    %0 = stablehlo.maximum %a0, %a1 : tensor<2xf32>
    return
  }
  func.func @minimum(%a0: tensor<2xf32>, %a1: tensor<2xf32>) {
    %0 = stablehlo.minimum %a0, %a1 : tensor<2xf32>
    return
  }
  func.func @multiply(%a0: tensor<2xf32>, %a1: tensor<2xf32>) {
    %0 = stablehlo.multiply %a0, %a1 : tensor<2xf32>
    return
  }
  func.func @or(%a0: tensor<2xi32>, %a1: tensor<2xi32>) {
    %0 = stablehlo.or %a0, %a1 : tensor<2xi32>
    return
  }
  func.func @power(%a0: tensor<2xf32>, %a1: tensor<2xf32>) {
    %0 = stablehlo.power %a0, %a1 : tensor<2xf32>
    return
  }
  func.func @remainder(%a0: tensor<2xf32>, %a1: tensor<2xf32>) {
    %0 = stablehlo.remainder %a0, %a1 : tensor<2xf32>
    return
  }
  func.func @shift_left(%a0: tensor<2xi32>, %a1: tensor<2xi32>) {
    %0 = stablehlo.shift_left %a0, %a1 : tensor<2xi32>
    return
  }
  func.func @shift_right_arithmetic(%a0: tensor<2xi32>, %a1: tensor<2xi32>) {
    %0 = stablehlo.shift_right_arithmetic %a0, %a1 : tensor<2xi32>
    return
  }
  func.func @shift_right_logical(%a0: tensor<2xi32>, %a1: tensor<2xi32>) {
    %0 = stablehlo.shift_right_logical %a0, %a1 : tensor<2xi32>
    return
  }
  func.func @subtract(%a0: tensor<2xf32>, %a1: tensor<2xf32>) {
    %0 = stablehlo.subtract %a0, %a1 : tensor<2xf32>
    return
  }
  func.func @xor(%a0: tensor<2xi32>, %a1: tensor<2xi32>) {
    %0 = stablehlo.xor %a0, %a1 : tensor<2xi32>
    return
  }
  func.func @not(%a0: tensor<2xi32>) {
    %0 = stablehlo.not %a0 : tensor<2xi32>
    return
  }
  func.func @clamp(%a0: tensor<2xf32>, %a1: tensor<2xf32>, %a2: tensor<2xf32>) {
    %0 = stablehlo.clamp %a0, %a1, %a2 : tensor<2xf32>
    return
  }
  func.func @compare(%a0: tensor<2xf32>, %a1: tensor<2xf32>) {
    %0 = stablehlo.compare LT, %a0, %a1, TOTALORDER : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    return
  }
  func.func @compare_plain(%a0: tensor<2xi32>, %a1: tensor<2xi32>) {
    %0 = stablehlo.compare GE, %a0, %a1 : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    return
  }
  func.func @complex(%a0: tensor<2xf32>, %a1: tensor<2xf32>) {
    %0 = stablehlo.complex %a0, %a1 : tensor<2xcomplex<f32>>
    %1 = stablehlo.real %0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
    %2 = stablehlo.imag %0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
    return
  }
  func.func @bitcast_convert(%a0: tensor<2xf32>) {
    %0 = stablehlo.bitcast_convert %a0 : (tensor<2xf32>) -> tensor<2xi32>
    return
  }
  func.func @is_finite(%a0: tensor<2xf32>) {
    %0 = stablehlo.is_finite %a0 : (tensor<2xf32>) -> tensor<2xi1>
    return
  }
  func.func @select(%a0: tensor<2xi1>, %a1: tensor<2xf32>, %a2: tensor<2xf32>) {
    %0 = stablehlo.select %a0, %a1, %a2 : tensor<2xi1>, tensor<2xf32>
    return
  }
  func.func @reduce_precision(%a0: tensor<2xf32>) {
    %0 = stablehlo.reduce_precision %a0, format = e5m10 : tensor<2xf32>
    return
  }
  func.func @convert_i1(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xi1>
    return
  }
  func.func @convert_i2(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xi2>
    return
  }
  func.func @convert_i4(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xi4>
    return
  }
  func.func @convert_i8(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xi8>
    return
  }
  func.func @convert_i16(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xi16>
    return
  }
  func.func @convert_i32(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xi32>
    return
  }
  func.func @convert_i64(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xi64>
    return
  }
  func.func @convert_ui2(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xui2>
    return
  }
  func.func @convert_ui4(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xui4>
    return
  }
  func.func @convert_ui8(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xui8>
    return
  }
  func.func @convert_ui16(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xui16>
    return
  }
  func.func @convert_ui32(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xui32>
    return
  }
  func.func @convert_ui64(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xui64>
    return
  }
  func.func @convert_bf16(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xbf16>
    return
  }
  func.func @convert_f16(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xf16>
    return
  }
  func.func @convert_f32(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xf32>
    return
  }
  func.func @convert_f64(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xf64>
    return
  }
  func.func @convert_f8E4M3FN(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xf8E4M3FN>
    return
  }
  func.func @convert_f8E5M2(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xf8E5M2>
    return
  }
  func.func @convert_f8E4M3FNUZ(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xf8E4M3FNUZ>
    return
  }
  func.func @convert_f8E5M2FNUZ(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xf8E5M2FNUZ>
    return
  }
  func.func @convert_f8E4M3B11FNUZ(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xf8E4M3B11FNUZ>
    return
  }
  func.func @convert_f8E4M3(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xf8E4M3>
    return
  }
  func.func @convert_f8E3M4(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xf8E3M4>
    return
  }
  func.func @convert_f4E2M1FN(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xf4E2M1FN>
    return
  }
  func.func @convert_f6E2M3FN(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xf6E2M3FN>
    return
  }
  func.func @convert_f6E3M2FN(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xf6E3M2FN>
    return
  }
  func.func @convert_f8E8M0FNU(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xf8E8M0FNU>
    return
  }
  func.func @convert_complex_f32(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xcomplex<f32>>
    return
  }
  func.func @convert_complex_f64(%a0: tensor<2xf32>) {
    %0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xcomplex<f64>>
    return
  }
  func.func @constant_i1() {
    %0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
    return
  }
  func.func @constant_i2() {
    %0 = stablehlo.constant dense<[1, 0]> : tensor<2xi2>
    return
  }
  func.func @constant_i4() {
    %0 = stablehlo.constant dense<[1, 0]> : tensor<2xi4>
    return
  }
  func.func @constant_i8() {
    %0 = stablehlo.constant dense<[1, 0]> : tensor<2xi8>
    return
  }
  func.func @constant_i16() {
    %0 = stablehlo.constant dense<[1, 0]> : tensor<2xi16>
    return
  }
  func.func @constant_i32() {
    %0 = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
    return
  }
  func.func @constant_i64() {
    %0 = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
    return
  }
  func.func @constant_ui2() {
    %0 = stablehlo.constant dense<[1, 0]> : tensor<2xui2>
    return
  }
  func.func @constant_ui4() {
    %0 = stablehlo.constant dense<[1, 0]> : tensor<2xui4>
    return
  }
  func.func @constant_ui8() {
    %0 = stablehlo.constant dense<[1, 0]> : tensor<2xui8>
    return
  }
  func.func @constant_ui16() {
    %0 = stablehlo.constant dense<[1, 0]> : tensor<2xui16>
    return
  }
  func.func @constant_ui32() {
    %0 = stablehlo.constant dense<[1, 0]> : tensor<2xui32>
    return
  }
  func.func @constant_ui64() {
    %0 = stablehlo.constant dense<[1, 0]> : tensor<2xui64>
    return
  }
  func.func @constant_bf16() {
    %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
    return
  }
  func.func @constant_f16() {
    %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf16>
    return
  }
  func.func @constant_f32() {
    %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
    return
  }
  func.func @constant_f64() {
    %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
    return
  }
  func.func @constant_f8E4M3FN() {
    %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E4M3FN>
    return
  }
  func.func @constant_f8E5M2() {
    %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E5M2>
    return
  }
  func.func @constant_f8E4M3FNUZ() {
    %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E4M3FNUZ>
    return
  }
  func.func @constant_f8E5M2FNUZ() {
    %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E5M2FNUZ>
    return
  }
  func.func @constant_f8E4M3B11FNUZ() {
    %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E4M3B11FNUZ>
    return
  }
  func.func @constant_f8E4M3() {
    %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E4M3>
    return
  }
  func.func @constant_f8E3M4() {
    %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E3M4>
    return
  }
  func.func @constant_f4E2M1FN() {
    %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf4E2M1FN>
    return
  }
  func.func @constant_f6E2M3FN() {
    %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf6E2M3FN>
    return
  }
  func.func @constant_f6E3M2FN() {
    %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf6E3M2FN>
    return
  }
  func.func @constant_f8E8M0FNU() {
    %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E8M0FNU>
    return
  }
  func.func @constant_complex_f32() {
    %0 = stablehlo.constant dense<[(1.0, 2.0), (3.0, -4.0)]> : tensor<2xcomplex<f32>>
    return
  }
  func.func @constant_complex_f64() {
    %0 = stablehlo.constant dense<[(1.0, 2.0), (3.0, -4.0)]> : tensor<2xcomplex<f64>>
    return
  }
  func.func @constant_kinds() {
    %0 = stablehlo.constant dense<true> : tensor<9xi1>
    %1 = stablehlo.constant dense<false> : tensor<9xi1>
    %2 = stablehlo.constant dense<true> : tensor<i1>
    %3 = stablehlo.constant dense<true> : tensor<3xi1>
    %4 = stablehlo.constant dense<[true, false, true, true, false, false, false, true, true]> : tensor<9xi1>
    %5 = stablehlo.constant dense<> : tensor<0xf32>
    %6 = stablehlo.constant dense<1.5> : tensor<4x4xbf16>
    %7 = stablehlo.constant dense<> : tensor<0x3xi1>
    %8 = stablehlo.constant dense<false> : tensor<i1>
    return
  }
  func.func @after_all(%a0: !stablehlo.token) {
    %0 = stablehlo.after_all %a0, %a0 : !stablehlo.token
    %1 = stablehlo.create_token : !stablehlo.token
    return
  }
  func.func @all_gather(%a0: tensor<2xf32>) {
    %0 = "stablehlo.all_gather"(%a0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
  func.func @all_gather_two(%a0: tensor<2xf32>, %a1: tensor<2xi32>) {
    %0:2 = "stablehlo.all_gather"(%a0, %a1) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<2xf32>, tensor<2xi32>) -> (tensor<4xf32>, tensor<4xi32>)
    return
  }
  func.func @all_reduce(%a0: tensor<2xf32>) {
    %0 = "stablehlo.all_reduce"(%a0) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<2xf32>) -> tensor<2xf32>
    return
  }
  func.func @all_to_all(%a0: tensor<2xf32>) {
    %0 = "stablehlo.all_to_all"(%a0) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<2xf32>) -> tensor<2xf32>
    return
  }
  func.func @collective_broadcast(%a0: tensor<2xf32>) {
    %0 = "stablehlo.collective_broadcast"(%a0) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<2xf32>) -> tensor<2xf32>
    return
  }
  func.func @collective_permute(%a0: tensor<2xf32>) {
    %0 = "stablehlo.collective_permute"(%a0) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<2xf32>) -> tensor<2xf32>
    return
  }
  func.func @reduce_scatter(%a0: tensor<2xf32>) {
    %0 = "stablehlo.reduce_scatter"(%a0) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
    }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<2xf32>) -> tensor<1xf32>
    return
  }
  func.func @cross_replica_sum(%a0: tensor<2xf32>) {
    %0 = "stablehlo.cross-replica-sum"(%a0) {replica_groups = dense<[[0]]> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>
    return
  }
  func.func @ids() {
    %0 = stablehlo.partition_id : tensor<ui32>
    %1 = stablehlo.replica_id : tensor<ui32>
    return
  }
  func.func @async_start(%a0: tensor<2xf32>) {
    %0 = "stablehlo.async_start"(%a0) ({
    ^bb0(%x: tensor<2xf32>):
    %1 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<2xf32>) -> tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
    }) : (tensor<2xf32>) -> !stablehlo.future<tensor<4xf32>>
    %2 = stablehlo.async_done %0 : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
    return
  }
  func.func @batch_norm_grad(%a0: tensor<2x2xf32>, %a1: tensor<2xf32>, %a2: tensor<2xf32>, %a3: tensor<2xf32>, %a4: tensor<2x2xf32>) {
    %0:3 = "stablehlo.batch_norm_grad"(%a0, %a1, %a2, %a3, %a4) {epsilon = 0.5 : f32, feature_index = 1 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
    return
  }
  func.func @batch_norm_inference(%a0: tensor<2x2xf32>, %a1: tensor<2xf32>, %a2: tensor<2xf32>, %a3: tensor<2xf32>, %a4: tensor<2xf32>) {
    %0 = "stablehlo.batch_norm_inference"(%a0, %a1, %a2, %a3, %a4) {epsilon = 0.5 : f32, feature_index = 1 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
    return
  }
  func.func @batch_norm_training(%a0: tensor<2x2xf32>, %a1: tensor<2xf32>, %a2: tensor<2xf32>) {
    %0:3 = "stablehlo.batch_norm_training"(%a0, %a1, %a2) {epsilon = 0.5 : f32, feature_index = 1 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
    return
  }
  func.func @broadcast(%a0: tensor<2xf32>) {
    %0 = stablehlo.broadcast %a0, sizes = [3] : (tensor<2xf32>) -> tensor<3x2xf32>
    return
  }
  func.func @broadcast_in_dim(%a0: tensor<2xf32>) {
    %0 = stablehlo.broadcast_in_dim %a0, dims = [1] : (tensor<2xf32>) -> tensor<3x2xf32>
    return
  }
  func.func @dynamic_broadcast_in_dim(%a0: tensor<2xf32>, %a1: tensor<2xi64>) {
    %0 = stablehlo.dynamic_broadcast_in_dim %a0, %a1, dims = [1] {known_expanding_dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<2xi64>) -> tensor<3x2xf32>
    return
  }
  func.func @case(%a0: tensor<i32>, %a1: tensor<2xf32>) {
    %0 = "stablehlo.case"(%a0) ({
    stablehlo.return %a1 : tensor<2xf32>
    }, {
    stablehlo.return %a1 : tensor<2xf32>
    }) : (tensor<i32>) -> tensor<2xf32>
    return
  }
  func.func @if(%a0: tensor<i1>, %a1: tensor<2xf32>) {
    %0 = "stablehlo.if"(%a0) ({
    stablehlo.return %a1 : tensor<2xf32>
    }, {
    stablehlo.return %a1 : tensor<2xf32>
    }) : (tensor<i1>) -> tensor<2xf32>
    return
  }
  func.func @while(%a0: tensor<i1>) {
    %0 = stablehlo.while(%x = %a0) : tensor<i1>
    cond {
    stablehlo.return %x : tensor<i1>
    } do {
    stablehlo.return %x : tensor<i1>
    }
    return
  }
  func.func @cholesky(%a0: tensor<2x2xf32>) {
    %0 = stablehlo.cholesky %a0, lower = true : tensor<2x2xf32>
    %1 = stablehlo.cholesky %a0 : tensor<2x2xf32>
    return
  }
  func.func @triangular_solve(%a0: tensor<2x2xf32>, %a1: tensor<2x2xf32>) {
    %0 = "stablehlo.triangular_solve"(%a0, %a1) {left_side = true, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    return
  }
  func.func @composite(%a0: tensor<2xf32>) {
    %0 = stablehlo.composite "my.op" %a0 {composite_attributes = {k = 1 : i64, s = "x", l = [1.0 : f32, true]}, decomposition = @part, version = 2 : i32} : (tensor<2xf32>) -> tensor<2xf32>
    return
  }
  func.func private @part(%x: tensor<2xf32>) -> tensor<2xf32> {
    return %x : tensor<2xf32>
  }
  func.func @call(%a0: tensor<2xf32>) {
    %0 = func.call @part(%a0) : (tensor<2xf32>) -> tensor<2xf32>
    return
  }
  func.func @concatenate(%a0: tensor<2xf32>, %a1: tensor<2xf32>) {
    %0 = stablehlo.concatenate %a0, %a1, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
    return
  }
  func.func @convolution(%a0: tensor<1x8x8x2xf32>, %a1: tensor<3x3x2x4xf32>) {
    %0 = stablehlo.convolution(%a0, %a1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 0], [0, 2]], lhs_dilate = [1, 2], rhs_dilate = [2, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x3x15x4xf32>
    return
  }
  func.func @convolution_plain(%a0: tensor<1x8x8x2xf32>, %a1: tensor<3x3x2x4xf32>) {
    %0 = stablehlo.convolution(%a0, %a1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x6x6x4xf32>
    return
  }
  func.func @dynamic_conv(%a0: tensor<?x8x8x2xf32>, %a1: tensor<3x3x2x4xf32>, %a2: tensor<2x2xi32>) {
    %0 = "stablehlo.dynamic_conv"(%a0, %a1, %a2) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x8x8x2xf32>, tensor<3x3x2x4xf32>, tensor<2x2xi32>) -> tensor<?x?x?x4xf32>
    return
  }
  func.func @custom_call(%a0: tensor<2xf32>) {
    %0 = stablehlo.custom_call @foo(%a0) {api_version = 4 : i32, backend_config = {a = 1 : i32, b = "c"}, called_computations = [@part], has_side_effect = true, operand_layouts = [dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<2xf32>) -> tensor<2xf32>
    return
  }
  func.func @custom_call_text(%a0: tensor<2xf32>) {
    %0 = stablehlo.custom_call @foo(%a0) {backend_config = "x", mhlo.sharding = "{replicated}"} : (tensor<2xf32>) -> tensor<2xf32>
    return
  }
  func.func @custom_call_buffer(%a0: memref<2xf32>) {
    %0 = stablehlo.custom_call @foo(%a0) : (memref<2xf32>) -> memref<2xf32>
    return
  }
  func.func @dot(%a0: tensor<2x3xf32>, %a1: tensor<3x2xf32>) {
    %0 = stablehlo.dot %a0, %a1, precision = [HIGHEST, DEFAULT] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    return
  }
  func.func @dot_general(%a0: tensor<2x3xf32>, %a1: tensor<3x2xf32>) {
    %0 = stablehlo.dot_general %a0, %a1, contracting_dims = [1] x [0], precision = [HIGHEST, DEFAULT] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    return
  }
  func.func @dot_general_algorithm(%a0: tensor<2x3xf32>, %a1: tensor<3x2xf32>) {
    %0 = stablehlo.dot_general %a0, %a1, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    return
  }
  func.func @dynamic_gather(%a0: tensor<3xf32>, %a1: tensor<2x1xi32>, %a2: tensor<1xi32>) {
    %0 = "stablehlo.dynamic_gather"(%a0, %a1, %a2) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true} : (tensor<3xf32>, tensor<2x1xi32>, tensor<1xi32>) -> tensor<2xf32>
    return
  }
  func.func @gather(%a0: tensor<3xf32>, %a1: tensor<2x1xi32>) {
    %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>, indices_are_sorted = true} : (tensor<3xf32>, tensor<2x1xi32>) -> tensor<2xf32>
    return
  }
  func.func @gather_batched(%a0: tensor<2x3xf32>, %a1: tensor<2x1xi32>) {
    %0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>} : (tensor<2x3xf32>, tensor<2x1xi32>) -> tensor<2xf32>
    return
  }
  func.func @dynamic_iota(%a0: tensor<2xi64>) {
    %0 = stablehlo.dynamic_iota %a0, dim = 1 : (tensor<2xi64>) -> tensor<?x?xf32>
    return
  }
  func.func @dynamic_pad(%a0: tensor<2xf32>, %a1: tensor<f32>, %a2: tensor<1xi32>, %a3: tensor<1xi32>, %a4: tensor<1xi32>) {
    %0 = stablehlo.dynamic_pad %a0, %a1, %a2, %a3, %a4 : (tensor<2xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
    return
  }
  func.func @dynamic_reshape(%a0: tensor<2xf32>, %a1: tensor<2xi32>) {
    %0 = stablehlo.dynamic_reshape %a0, %a1 : (tensor<2xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    return
  }
  func.func @dynamic_slice(%a0: tensor<2xf32>, %a1: tensor<i32>) {
    %0 = stablehlo.dynamic_slice %a0, %a1, sizes = [1] : (tensor<2xf32>, tensor<i32>) -> tensor<1xf32>
    return
  }
  func.func @dynamic_update_slice(%a0: tensor<2xf32>, %a1: tensor<1xf32>, %a2: tensor<i32>) {
    %0 = stablehlo.dynamic_update_slice %a0, %a1, %a2 : (tensor<2xf32>, tensor<1xf32>, tensor<i32>) -> tensor<2xf32>
    return
  }
  func.func @einsum(%a0: tensor<2x3xf32>, %a1: tensor<3x2xf32>) {
    %0 = stablehlo.einsum %a0, %a1, config = "ij,jk->ik" : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    %1 = "stablehlo.unary_einsum"(%a0) {einsum_config = "ij->i"} : (tensor<2x3xf32>) -> tensor<2xf32>
    return
  }
  func.func @fft(%a0: tensor<4xcomplex<f32>>) {
    %0 = stablehlo.fft %a0, type = IFFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    return
  }
  func.func @get_dimension_size(%a0: tensor<?xf32>) {
    %0 = stablehlo.get_dimension_size %a0, dim = 0 : (tensor<?xf32>) -> tensor<i32>
    return
  }
  func.func @set_dimension_size(%a0: tensor<4xf32>, %a1: tensor<i32>) {
    %0 = stablehlo.set_dimension_size %a0, %a1, dim = 0 : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
    return
  }
  func.func @tuple(%a0: tensor<2xf32>, %a1: tensor<2xi32>) {
    %0 = stablehlo.tuple %a0, %a1 : tuple<tensor<2xf32>, tensor<2xi32>>
    %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<2xf32>, tensor<2xi32>>) -> tensor<2xi32>
    return
  }
  func.func @infeed(%a0: !stablehlo.token) {
    %0:2 = "stablehlo.infeed"(%a0) {infeed_config = "x", layout = [[0]]} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
    %1 = "stablehlo.outfeed"(%0#0, %a0) {outfeed_config = "y"} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
    return
  }
  func.func @send(%a0: tensor<2xf32>, %a1: !stablehlo.token) {
    %0 = "stablehlo.send"(%a0, %a1) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
    %1:2 = "stablehlo.recv"(%a1) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
    return
  }
  func.func @send_pairs(%a0: tensor<2xf32>, %a1: !stablehlo.token) {
    %0 = "stablehlo.send"(%a0, %a1) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
    return
  }
  func.func @iota() {
    %0 = stablehlo.iota dim = 1 : tensor<2x3xi64>
    return
  }
  func.func @map(%a0: tensor<2xf32>) {
    %0 = "stablehlo.map"(%a0) ({
    ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
    }) {dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2xf32>
    return
  }
  func.func @optimization_barrier(%a0: tensor<2xf32>, %a1: tensor<2xi32>) {
    %0:2 = stablehlo.optimization_barrier %a0, %a1 : tensor<2xf32>, tensor<2xi32>
    return
  }
  func.func @pad(%a0: tensor<2xf32>, %a1: tensor<f32>) {
    %0 = stablehlo.pad %a0, %a1, low = [-1], high = [2], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
    return
  }
  func.func @real_dynamic_slice(%a0: tensor<2xf32>, %a1: tensor<1xi32>, %a2: tensor<1xi32>, %a3: tensor<1xi32>) {
    %0 = stablehlo.real_dynamic_slice %a0, %a1, %a2, %a3 : (tensor<2xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
    return
  }
  func.func @reduce(%a0: tensor<2xf32>, %a1: tensor<f32>) {
    %0 = stablehlo.reduce(%a0 init: %a1) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    return
  }
  func.func @reduce_wider(%a0: tensor<2xf32>, %a1: tensor<f64>) {
    %0 = stablehlo.reduce(%a0 init: %a1) across dimensions = [0] : (tensor<2xf32>, tensor<f64>) -> tensor<f64>
    reducer(%x: tensor<f64>, %y: tensor<f64>) {
    %s = stablehlo.add %x, %y : tensor<f64>
    stablehlo.return %s : tensor<f64>
    }
    return
  }
  func.func @reduce_window(%a0: tensor<4x4xf32>, %a1: tensor<f32>) {
    %0 = "stablehlo.reduce_window"(%a0, %a1) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
    }) {window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 1, 2>, window_dilations = array<i64: 2, 1>, padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>} : (tensor<4x4xf32>, tensor<f32>) -> tensor<2x9xf32>
    return
  }
  func.func @reshape(%a0: tensor<2xf32>) {
    %0 = stablehlo.reshape %a0 : (tensor<2xf32>) -> tensor<1x2xf32>
    return
  }
  func.func @reverse(%a0: tensor<2xf32>) {
    %0 = stablehlo.reverse %a0, dims = [0] : tensor<2xf32>
    return
  }
  func.func @rng(%a0: tensor<f32>, %a1: tensor<f32>, %a2: tensor<1xi64>) {
    %0 = stablehlo.rng %a0, %a1, %a2, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
    return
  }
  func.func @rng_bit_generator(%a0: tensor<2xui64>) {
    %0, %1 = stablehlo.rng_bit_generator %a0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
    return
  }
  func.func @scatter(%a0: tensor<3xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2xf32>) {
    %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
    }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true} : (tensor<3xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<3xf32>
    return
  }
  func.func @scatter_batched(%a0: tensor<2x3xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2xf32>) {
    %0 = "stablehlo.scatter"(%a0, %a1, %a2) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
    }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<2x3xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<2x3xf32>
    return
  }
  func.func @select_and_scatter(%a0: tensor<4xf32>, %a1: tensor<2xf32>, %a2: tensor<f32>) {
    %0 = "stablehlo.select_and_scatter"(%a0, %a1, %a2) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
    }, {
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
    }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
    return
  }
  func.func @slice(%a0: tensor<4xf32>) {
    %0 = stablehlo.slice %a0 [0:4:2] : (tensor<4xf32>) -> tensor<2xf32>
    return
  }
  func.func @sort(%a0: tensor<2xf32>) {
    %0 = "stablehlo.sort"(%a0) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
    }) {dimension = 0 : i64, is_stable = true} : (tensor<2xf32>) -> tensor<2xf32>
    return
  }
  func.func @torch_index_select(%a0: tensor<3x2xf32>, %a1: tensor<2xi32>) {
    %0 = "stablehlo.torch_index_select"(%a0, %a1) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<3x2xf32>, tensor<2xi32>) -> tensor<2x2xf32>
    return
  }
  func.func @transpose(%a0: tensor<2x3xf32>) {
    %0 = stablehlo.transpose %a0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    return
  }
  func.func @quantized(%a0: tensor<2xf32>) {
    %0 = stablehlo.uniform_quantize %a0 : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
    %1 = stablehlo.uniform_dequantize %0 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<2xf32>
    return
  }
  func.func @quantized_axis(%a0: tensor<2xf32>) {
    %0 = stablehlo.uniform_quantize %a0 : (tensor<2xf32>) -> tensor<2x!quant.uniform<u8:f32:0, {5.000000e-01:3,2.500000e-01}>>
    return
  }
}
