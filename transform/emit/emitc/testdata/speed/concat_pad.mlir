func.func @main(%x: tensor<1x28x28x16xf32>, %y: tensor<1x28x28x16xf32>) -> tensor<1x30x30x32xf32> {
  %z = arith.constant 0.0 : f32
  %c = tensor.concat dim(3) %x, %y : (tensor<1x28x28x16xf32>, tensor<1x28x28x16xf32>) -> tensor<1x28x28x32xf32>
  %p = tensor.pad %c low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %d: index, %e: index):
    tensor.yield %z : f32
  } : tensor<1x28x28x32xf32> to tensor<1x30x30x32xf32>
  return %p : tensor<1x30x30x32xf32>
}
