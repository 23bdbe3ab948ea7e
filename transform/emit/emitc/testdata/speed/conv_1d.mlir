func.func @main(%a0: memref<65540xf32>, %a1: memref<5xf32>, %c: memref<65536xf32>) {
  linalg.conv_1d  ins(%a0, %a1 : memref<65540xf32>, memref<5xf32>) outs(%c : memref<65536xf32>)
  return
}
