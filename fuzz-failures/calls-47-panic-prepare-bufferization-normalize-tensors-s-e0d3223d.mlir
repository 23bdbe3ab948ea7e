// freehold opt calls-47-panic-prepare-bufferization-normalize-tensors-s-e0d3223d.mlir --verify-roundtrip --pass-pipeline='builtin.module(prepare-bufferization,normalize-tensors,schedule-for-memory,tile-for-memory,schedule-for-memory)'
// program.mlir:0:0: pass 'tile-for-memory' crashed: runtime error: invalid memory address or nil pointer dereference
module {
  func.func private @f0() -> (tensor<8xf32>, tensor<4x8xf32>) {
    %cst = arith.constant 1.500000e+00 : f32
    %0 = tensor.empty() : tensor<4x8xf32>
    %1 = "linalg.fill"(%cst, %0) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg0: f32, %arg1: f32):
      linalg.yield %cst : f32
    }) : (f32, tensor<4x8xf32>) -> tensor<4x8xf32>
    %mapped = linalg.map ins(%1, %1 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%1 : tensor<4x8xf32>)
      (%in: f32, %in_0: f32) {
        linalg.yield %cst : f32
      }
    %2 = tensor.empty() : tensor<8xf32>
    return %2, %mapped : tensor<8xf32>, tensor<4x8xf32>
  }
}
