#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @main(%a: memref<512x1024xf32>, %o: memref<512x1024xf32>) {
  %m = memref.alloc() : memref<512xf32>
  %s = memref.alloc() : memref<512xf32>
  %inf = arith.constant 0xFF800000 : f32
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%inf : f32) outs(%m : memref<512xf32>)
  linalg.fill ins(%z : f32) outs(%s : memref<512xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%a : memref<512x1024xf32>) outs(%m : memref<512xf32>) {
  ^bb0(%x: f32, %y: f32):
    %r = arith.maximumf %x, %y : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %m : memref<512x1024xf32>, memref<512xf32>) outs(%o : memref<512x1024xf32>) {
  ^bb0(%x: f32, %y: f32, %w: f32):
    %r = arith.subf %x, %y : f32
    %e = math.exp %r : f32
    linalg.yield %e : f32
  }
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%o : memref<512x1024xf32>) outs(%s : memref<512xf32>) {
  ^bb0(%x: f32, %y: f32):
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%s : memref<512xf32>) outs(%o : memref<512x1024xf32>) {
  ^bb0(%x: f32, %y: f32):
    %r = arith.divf %y, %x : f32
    linalg.yield %r : f32
  }
  memref.dealloc %m : memref<512xf32>
  memref.dealloc %s : memref<512xf32>
  return
}
