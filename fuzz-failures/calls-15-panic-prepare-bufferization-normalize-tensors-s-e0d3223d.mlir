// freehold opt calls-15-panic-prepare-bufferization-normalize-tensors-s-e0d3223d.mlir --verify-roundtrip --pass-pipeline='builtin.module(prepare-bufferization,normalize-tensors,schedule-for-memory,tile-for-memory,schedule-for-memory)'
// program.mlir:0:0: pass 'tile-for-memory' crashed: runtime error: invalid memory address or nil pointer dereference
module {
  func.func private @f2(tensor<8x8xf32>) -> tensor<8xf32>
  func.func @main(%arg0: tensor<8x8xf32>) {
    %cst = arith.constant 2.500000e+00 : f32
    %0 = tensor.empty() : tensor<4x8xf32>
    %1 = "linalg.fill"(%cst, %0) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      linalg.yield %cst : f32
    }) : (f32, tensor<4x8xf32>) -> tensor<4x8xf32>
    %inserted_slice = tensor.insert_slice %1 into %arg0[2, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x8xf32>
    %2 = call @f2(%inserted_slice) : (tensor<8x8xf32>) -> tensor<8xf32>
    return
  }
}
