// Why does it copy? One number of %double is
// replaced, but its old contents are needed after
// that, together with the new ones: they can't be
// overwritten where they are.
//
// Explain draws the write and the read into the
// program. Try it: let linalg.add take %new twice,
// and the copy is gone.

func.func @main(%old: tensor<8xf32>, %x: f32, %i: index)
    -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<8xf32>
  %double = linalg.add
      ins(%old, %old : tensor<8xf32>, tensor<8xf32>)
      outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %new = tensor.insert %x into %double[%i] : tensor<8xf32>
  %empty2 = tensor.empty() : tensor<8xf32>
  %both = linalg.add
      ins(%double, %new : tensor<8xf32>, tensor<8xf32>)
      outs(%empty2 : tensor<8xf32>) -> tensor<8xf32>
  return %both : tensor<8xf32>
}
