// freehold fuzz --seed 721120 --programs 1 --shrink 0
// shared: memory: 56 bytes and 0 copies instead of 128 and 6
module {
  func.func @main(%arg0: tensor<2x3xi32>, %arg1: tensor<2x3xi32>) -> (tensor<2x3xi32>, tensor<8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %cst = arith.constant -5.000000e-01 : f32
    %0 = tensor.empty() : tensor<8xf32>
    %inserted = tensor.insert %cst into %0[%c0] : tensor<8xf32>
    %1:5 = scf.while (%arg2 = %c0, %arg3 = %0, %arg4 = %0, %arg5 = %arg0, %arg6 = %arg0) : (index, tensor<8xf32>, tensor<8xf32>, tensor<2x3xi32>, tensor<2x3xi32>) -> (index, tensor<8xf32>, tensor<8xf32>, tensor<2x3xi32>, tensor<2x3xi32>) {
      %inserted_0 = tensor.insert %cst into %inserted[%c0] : tensor<8xf32>
      %3 = arith.cmpf olt, %cst, %cst : f32
      scf.condition(%3) %arg2, %inserted_0, %inserted_0, %arg6, %arg5 : index, tensor<8xf32>, tensor<8xf32>, tensor<2x3xi32>, tensor<2x3xi32>
    } do {
    ^bb0(%arg2: index, %arg3: tensor<8xf32>, %arg4: tensor<8xf32>, %arg5: tensor<2x3xi32>, %arg6: tensor<2x3xi32>):
      scf.yield %c0, %0, %0, %arg0, %arg0 : index, tensor<8xf32>, tensor<8xf32>, tensor<2x3xi32>, tensor<2x3xi32>
    }
    %2:4 = scf.for %arg2 = %c0 to %c2 step %c1 iter_args(%arg3 = %arg1, %arg4 = %1#1, %arg5 = %1#2, %arg6 = %1#3) -> (tensor<2x3xi32>, tensor<8xf32>, tensor<8xf32>, tensor<2x3xi32>) {
      %3 = tensor.empty() : tensor<8xf32>
      scf.yield %arg3, %arg5, %3, %arg3 : tensor<2x3xi32>, tensor<8xf32>, tensor<8xf32>, tensor<2x3xi32>
    }
    return %2#0, %2#2 : tensor<2x3xi32>, tensor<8xf32>
  }
}
