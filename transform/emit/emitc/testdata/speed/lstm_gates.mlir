#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @lstm_gates(%arg0: tensor<16x256xf32>, %arg1: tensor<16x256xf32>, %arg2: tensor<16x256xf32>, %arg3: tensor<16x256xf32>, %arg4: tensor<16x256xf32>) -> (tensor<16x256xf32>, tensor<16x256xf32>) {
    %0 = tensor.empty() : tensor<16x256xf32>
    %1 = tensor.empty() : tensor<16x256xf32>
    %2:2 = linalg.generic {indexing_maps = [#map, #map, #map, #map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1, %arg2, %arg3, %arg4 : tensor<16x256xf32>, tensor<16x256xf32>, tensor<16x256xf32>, tensor<16x256xf32>, tensor<16x256xf32>) outs(%0, %1 : tensor<16x256xf32>, tensor<16x256xf32>) {
    ^bb0(%in: f32, %in_0: f32, %in_1: f32, %in_2: f32, %in_3: f32, %out: f32, %out_4: f32):
      %cst = arith.constant 1.000000e+00 : f32
      %3 = arith.negf %in : f32
      %4 = math.exp %3 : f32
      %5 = arith.addf %4, %cst : f32
      %6 = arith.divf %cst, %5 : f32
      %7 = arith.negf %in_0 : f32
      %8 = math.exp %7 : f32
      %9 = arith.addf %8, %cst : f32
      %10 = arith.divf %cst, %9 : f32
      %11 = arith.negf %in_2 : f32
      %12 = math.exp %11 : f32
      %13 = arith.addf %12, %cst : f32
      %14 = arith.divf %cst, %13 : f32
      %15 = math.tanh %in_1 : f32
      %16 = arith.mulf %10, %in_3 : f32
      %17 = arith.mulf %6, %15 : f32
      %18 = arith.addf %16, %17 : f32
      %19 = math.tanh %18 : f32
      %20 = arith.mulf %14, %19 : f32
      linalg.yield %18, %20 : f32, f32
    } -> (tensor<16x256xf32>, tensor<16x256xf32>)
    return %2#0, %2#1 : tensor<16x256xf32>, tensor<16x256xf32>
  }
}

