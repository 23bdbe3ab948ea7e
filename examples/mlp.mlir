// A multilayer perceptron with two layers: relu(x W1 + b1) W2 + b2.
//
// What to look at: every operation on tensors makes a new tensor. Bufferized, the
// chain of the first layer (fill, matmul, bias, relu) works in a single buffer,
// because each step overwrites what nobody reads any more.
//
//   freehold run --random examples/mlp.mlir
//   freehold compile examples/mlp.mlir

#row = affine_map<(i, j) -> (j)>
#all = affine_map<(i, j) -> (i, j)>

func.func @mlp(%x: tensor<16x64xf32>, %w1: tensor<64x128xf32>, %b1: tensor<128xf32>,
               %w2: tensor<128x10xf32>, %b2: tensor<10xf32>) -> tensor<16x10xf32> {
  %zero = arith.constant 0.0 : f32

  // The hidden layer.
  %e1 = tensor.empty() : tensor<16x128xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<16x128xf32>) -> tensor<16x128xf32>
  %h1 = linalg.matmul ins(%x, %w1 : tensor<16x64xf32>, tensor<64x128xf32>)
                      outs(%z1 : tensor<16x128xf32>) -> tensor<16x128xf32>
  %a1 = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%b1 : tensor<128xf32>) outs(%h1 : tensor<16x128xf32>) {
  ^bb0(%b: f32, %h: f32):
    %s = arith.addf %h, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<16x128xf32>

  // The output layer.
  %e2 = tensor.empty() : tensor<16x10xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<16x10xf32>) -> tensor<16x10xf32>
  %h2 = linalg.matmul ins(%a1, %w2 : tensor<16x128xf32>, tensor<128x10xf32>)
                      outs(%z2 : tensor<16x10xf32>) -> tensor<16x10xf32>
  %y = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%b2 : tensor<10xf32>) outs(%h2 : tensor<16x10xf32>) {
  ^bb0(%b: f32, %h: f32):
    %s = arith.addf %h, %b : f32
    linalg.yield %s : f32
  } -> tensor<16x10xf32>
  return %y : tensor<16x10xf32>
}
