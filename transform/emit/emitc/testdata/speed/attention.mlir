#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
  func.func @main(%arg0: memref<4x32x16xf32>, %arg1: memref<4x32x16xf32>, %arg2: memref<4x32x16xf32>, %arg3: memref<4x32x16xf32>) {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 2.500000e-01 : f32
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<4x32x32xf32>
    linalg.fill ins(%cst : f32) outs(%alloc : memref<4x32x32xf32>)
    linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : memref<4x32x16xf32>, memref<4x32x16xf32>) outs(%alloc : memref<4x32x32xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %0 = arith.mulf %in, %in_5 : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
    }
    linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel", "parallel"]} outs(%alloc : memref<4x32x32xf32>) {
    ^bb0(%out: f32):
      %0 = arith.mulf %out, %cst_1 : f32
      linalg.yield %0 : f32
    }
    %alloc_2 = memref.alloc() {alignment = 64 : i64, freehold.arena} : memref<512xi8>
    %view = memref.view %alloc_2[%c0][] : memref<512xi8> to memref<4x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%view : memref<4x32xf32>)
    linalg.reduce { arith.maximumf } ins(%alloc : memref<4x32x32xf32>) outs(%view : memref<4x32xf32>) dimensions = [2] 
    linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%view : memref<4x32xf32>) outs(%alloc : memref<4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.subf %out, %in : f32
      %1 = math.exp %0 : f32
      linalg.yield %1 : f32
    }
    %view_3 = memref.view %alloc_2[%c0][] : memref<512xi8> to memref<4x32xf32>
    linalg.fill ins(%cst : f32) outs(%view_3 : memref<4x32xf32>)
    linalg.reduce { arith.addf } ins(%alloc : memref<4x32x32xf32>) outs(%view_3 : memref<4x32xf32>) dimensions = [2] 
    linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%view_3 : memref<4x32xf32>) outs(%alloc : memref<4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.divf %out, %in : f32
      linalg.yield %0 : f32
    }
    memref.dealloc %alloc_2 : memref<512xi8>
    %alloc_4 = memref.alloc() {alignment = 64 : i64} : memref<4x32x16xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_4 : memref<4x32x16xf32>)
    linalg.batch_matmul ins(%alloc, %arg2 : memref<4x32x32xf32>, memref<4x32x16xf32>) outs(%alloc_4 : memref<4x32x16xf32>)
    memref.dealloc %alloc : memref<4x32x32xf32>
    memref.copy %alloc_4, %arg3 : memref<4x32x16xf32> to memref<4x32x16xf32>
    return
  }

