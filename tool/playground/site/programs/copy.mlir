// Why does it copy? One number of %double is replaced, but
// its old contents are needed afterwards: they can't be
// overwritten where they are.
//
// Explain shows the write, the read, and what would help.
// Try it: move the line of %before up, above %new.

func.func @main(%old: tensor<8xf32>, %x: f32, %i: index)
    -> (tensor<8xf32>, f32) {
  %c2 = arith.constant 2.0 : f32
  %double = linalg.map
      ins(%old : tensor<8xf32>) outs(%old : tensor<8xf32>)
    (%e: f32, %init: f32) {
      %d = arith.mulf %e, %c2 : f32
      linalg.yield %d : f32
    }
  %new = tensor.insert %x into %double[%i] : tensor<8xf32>
  %before = tensor.extract %double[%i] : tensor<8xf32>
  return %new, %before : tensor<8xf32>, f32
}
