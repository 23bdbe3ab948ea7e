func.func @main(%a0: memref<64x96xbf16>, %a1: memref<96xbf16>, %c: memref<64xbf16>) {
  linalg.matvec  ins(%a0, %a1 : memref<64x96xbf16>, memref<96xbf16>) outs(%c : memref<64xbf16>)
  return
}
