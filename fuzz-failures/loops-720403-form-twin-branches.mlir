// freehold fuzz --seed 720403 --programs 1 --shrink 0
// branches: memory: 128 bytes and 21 copies instead of 128 and 15
module {
  func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<2x3xi32>) -> tensor<8xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0:4 = scf.while (%arg2 = %c0, %arg3 = %arg0, %arg4 = %arg1, %arg5 = %arg0) : (index, tensor<8xf32>, tensor<2x3xi32>, tensor<8xf32>) -> (index, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
      %extracted = tensor.extract %arg0[%c0] : tensor<8xf32>
      %3 = arith.cmpf olt, %extracted, %extracted : f32
      scf.condition(%3) %arg2, %arg5, %arg3, %arg5 : index, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    } do {
    ^bb0(%arg2: index, %arg3: tensor<8xf32>, %arg4: tensor<8xf32>, %arg5: tensor<8xf32>):
      %cst = arith.constant 1.000000e+00 : f32
      %3 = "linalg.fill"(%cst, %arg0) <{operandSegmentSizes = array<i32: 1, 1>}> ({
      ^bb0(%arg6: f32, %arg7: f32):
        linalg.yield %cst : f32
      }) : (f32, tensor<8xf32>) -> tensor<8xf32>
      scf.yield %arg2, %3, %arg1, %arg4 : index, tensor<8xf32>, tensor<2x3xi32>, tensor<8xf32>
    }
    %1 = tensor.empty() : tensor<8xf32>
    %2:4 = scf.for %arg2 = %c0 to %c1 step %c1 iter_args(%arg3 = %arg1, %arg4 = %0#2, %arg5 = %0#3, %arg6 = %1) -> (tensor<2x3xi32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
      %3 = "linalg.add"(%arg6, %arg5, %arg4) <{operandSegmentSizes = array<i32: 2, 1>}> ({
      ^bb0(%arg7: f32, %arg8: f32, %arg9: f32):
        linalg.yield %arg7 : f32
      }) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      scf.yield %arg3, %arg6, %arg4, %3 : tensor<2x3xi32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    }
    return %2#3 : tensor<8xf32>
  }
}
