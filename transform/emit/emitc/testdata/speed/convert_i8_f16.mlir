func.func @main(%a0: memref<37x211xi8>, %c: memref<37x211xf16>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a0 : memref<37x211xi8>) outs(%c : memref<37x211xf16>) {
  ^bb0(%x0: i8, %o: f16):
    %r = arith.sitofp %x0 : i8 to f16
    linalg.yield %r : f16
  }
  return
}