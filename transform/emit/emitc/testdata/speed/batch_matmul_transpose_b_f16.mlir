func.func @main(%a0: memref<6x33x40xf16>, %a1: memref<6x33x40xf16>, %c: memref<6x33x33xf16>) {
  linalg.batch_matmul_transpose_b  ins(%a0, %a1 : memref<6x33x40xf16>, memref<6x33x40xf16>) outs(%c : memref<6x33x33xf16>)
  return
}
