// A bias is added to a row of numbers, and the sum
// is squared.
//
// Each line with linalg makes a new tensor: on paper,
// nothing is ever overwritten. Result shows what a
// compiler makes of it. How many buffers are left?

func.func @main(%row: tensor<16xf32>,
                %bias: tensor<16xf32>) -> tensor<16xf32> {
  %empty = tensor.empty() : tensor<16xf32>
  %sum = linalg.add
      ins(%row, %bias : tensor<16xf32>, tensor<16xf32>)
      outs(%empty : tensor<16xf32>) -> tensor<16xf32>
  %empty2 = tensor.empty() : tensor<16xf32>
  %square = linalg.mul
      ins(%sum, %sum : tensor<16xf32>, tensor<16xf32>)
      outs(%empty2 : tensor<16xf32>) -> tensor<16xf32>
  return %square : tensor<16xf32>
}
