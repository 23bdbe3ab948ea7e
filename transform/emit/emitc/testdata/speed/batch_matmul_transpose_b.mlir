func.func @main(%a: memref<12x128x64xf32>, %b: memref<12x128x64xf32>, %c: memref<12x128x128xf32>) {
  linalg.batch_matmul_transpose_b ins(%a, %b : memref<12x128x64xf32>, memref<12x128x64xf32>) outs(%c : memref<12x128x128xf32>)
  return
}
