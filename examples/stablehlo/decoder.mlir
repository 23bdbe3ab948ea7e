// A decoder's loop as JAX writes it: in each step a row of keys goes into a cache, and the query attends to all rows so far.
module @jit_decode attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%cache: tensor<16x8xf32>, %rows: tensor<16x8xf32>, %query: tensor<8xf32>) -> (tensor<16x8xf32>, tensor<16xf32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %steps = stablehlo.constant dense<16> : tensor<i32>
    %none = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %sums = stablehlo.broadcast_in_dim %none, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %0:3 = stablehlo.while(%step = %zero, %keys = %cache, %weights = %sums) : tensor<i32>, tensor<16x8xf32>, tensor<16xf32>
    cond {
      %more = stablehlo.compare LT, %step, %steps, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %row = stablehlo.dynamic_slice %rows, %step, %zero, sizes = [1, 8] : (tensor<16x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
      %next = stablehlo.dynamic_update_slice %keys, %row, %step, %zero : (tensor<16x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<16x8xf32>
      %scores = stablehlo.dot_general %next, %query, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8xf32>) -> tensor<16xf32>
      %places = stablehlo.iota dim = 0 : tensor<16xi32>
      %here = stablehlo.broadcast_in_dim %step, dims = [] : (tensor<i32>) -> tensor<16xi32>
      %seen = stablehlo.compare LE, %places, %here, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
      %never = stablehlo.constant dense<0xFF800000> : tensor<16xf32>
      %masked = stablehlo.select %seen, %scores, %never : tensor<16xi1>, tensor<16xf32>
      %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %most = stablehlo.reduce(%masked init: %lowest) applies stablehlo.maximum across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
      %mosts = stablehlo.broadcast_in_dim %most, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %shifted = stablehlo.subtract %masked, %mosts : tensor<16xf32>
      %exps = stablehlo.exponential %shifted : tensor<16xf32>
      %sum = stablehlo.reduce(%exps init: %none) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
      %all = stablehlo.broadcast_in_dim %sum, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %attention = stablehlo.divide %exps, %all : tensor<16xf32>
      %then = stablehlo.add %step, %one : tensor<i32>
      stablehlo.return %then, %next, %attention : tensor<i32>, tensor<16x8xf32>, tensor<16xf32>
    }
    return %0#1, %0#2 : tensor<16x8xf32>, tensor<16xf32>
  }
}
