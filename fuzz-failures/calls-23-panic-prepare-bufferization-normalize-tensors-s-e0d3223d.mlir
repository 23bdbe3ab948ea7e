// freehold opt calls-23-panic-prepare-bufferization-normalize-tensors-s-e0d3223d.mlir --verify-roundtrip --pass-pipeline='builtin.module(prepare-bufferization,normalize-tensors,schedule-for-memory,tile-for-memory,schedule-for-memory)'
// program.mlir:0:0: pass 'tile-for-memory' crashed: runtime error: invalid memory address or nil pointer dereference
module {
  func.func private @f0(%arg0: tensor<4x8xf32>, %arg1: tensor<1x8xf32>, %arg2: i1) -> (tensor<4x8xf32>, tensor<8x8xf32>) {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 5.000000e-01 : f32
    %0 = tensor.empty() : tensor<8x8xf32>
    %1 = scf.if %arg2 -> (tensor<1x8xf32>) {
      scf.yield %arg1 : tensor<1x8xf32>
    } else {
      %2 = tensor.empty() : tensor<1x8xf32>
      %3 = "linalg.fill"(%cst, %2) <{operandSegmentSizes = array<i32: 1, 1>}> ({
      ^bb0(%arg3: f32, %arg4: f32):
        linalg.yield %cst : f32
      }) : (f32, tensor<1x8xf32>) -> tensor<1x8xf32>
      %mapped = linalg.map ins(%arg1, %3 : tensor<1x8xf32>, tensor<1x8xf32>) outs(%3 : tensor<1x8xf32>)
        (%in: f32, %in_0: f32) {
          linalg.yield %cst : f32
        }
      scf.yield %mapped : tensor<1x8xf32>
    }
    %inserted_slice = tensor.insert_slice %1 into %0[%c0, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<8x8xf32>
    return %arg0, %inserted_slice : tensor<4x8xf32>, tensor<8x8xf32>
  }
}
