func.func @main(%a0: memref<4100xf32>, %a1: memref<5xf32>, %c: memref<4096xf32>) {
  linalg.conv_1d  ins(%a0, %a1 : memref<4100xf32>, memref<5xf32>) outs(%c : memref<4096xf32>)
  return
}
