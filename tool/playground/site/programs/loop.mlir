// A loop that passes a tensor on from one iteration
// to the next. Does each iteration need a buffer of
// its own? Look at the peak for other values of %n.

func.func @main(%start: tensor<32xf32>, %n: index)
    -> tensor<32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %result = scf.for %i = %c0 to %n step %c1
      iter_args(%t = %start) -> (tensor<32xf32>) {
    %empty = tensor.empty() : tensor<32xf32>
    %twice = linalg.add
        ins(%t, %t : tensor<32xf32>, tensor<32xf32>)
        outs(%empty : tensor<32xf32>) -> tensor<32xf32>
    scf.yield %twice : tensor<32xf32>
  }
  return %result : tensor<32xf32>
}
