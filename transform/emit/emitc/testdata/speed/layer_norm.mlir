#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
func.func @main(%a: memref<256x768xf32>, %g: memref<768xf32>, %b: memref<768xf32>, %o: memref<256x768xf32>) {
  %m = memref.alloc() : memref<256xf32>
  %v = memref.alloc() : memref<256xf32>
  %z = arith.constant 0.0 : f32
  %n = arith.constant 768.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  linalg.fill ins(%z : f32) outs(%m : memref<256xf32>)
  linalg.fill ins(%z : f32) outs(%v : memref<256xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%a : memref<256x768xf32>) outs(%m : memref<256xf32>) {
  ^bb0(%x: f32, %y: f32):
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%a, %m : memref<256x768xf32>, memref<256xf32>) outs(%v : memref<256xf32>) {
  ^bb0(%x: f32, %s: f32, %y: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %x, %mean : f32
    %q = arith.mulf %d, %d : f32
    %r = arith.addf %y, %q : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #row, #col, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %m, %v, %g, %b : memref<256x768xf32>, memref<256xf32>, memref<256xf32>, memref<768xf32>, memref<768xf32>) outs(%o : memref<256x768xf32>) {
  ^bb0(%x: f32, %s: f32, %w: f32, %gg: f32, %bb: f32, %y: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %x, %mean : f32
    %var = arith.divf %w, %n : f32
    %ve = arith.addf %var, %eps : f32
    %rs = math.sqrt %ve : f32
    %q = arith.divf %d, %rs : f32
    %t = arith.mulf %q, %gg : f32
    %r = arith.addf %t, %bb : f32
    linalg.yield %r : f32
  }
  memref.dealloc %m : memref<256xf32>
  memref.dealloc %v : memref<256xf32>
  return
}
